"""Playing against agents in the terminal, or through a pipe."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TextIO

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from ..games.cards import SUIT_LETTERS
from ..games.checks import whole
from ..games.errors import BadTicket, IllegalDecision, RailbirdError
from ..games.registry import load
from .odds import WAGERS, odds_scene
from .screen import Screen, check_speed
from .sitting import Person, Player, Sitting, seat_agents

YOU: Final = "you"
NEW_SEEDS: Final = 1_000_000  # short enough to be written down
HELP: Final = {
    "superfecta": (
        "A wager is an amount, a type and horses: $2 WIN D (diamonds first), $1 EXA D/C (first and second),\n"
        "$1 SFC D/C/H/S (all four). Write one a line, or several with semicolons between them."
    )
}
COMMANDS: Final = (
    "An empty line hands the ticket in; `pass` hands in none, `clear` starts it again,\n"
    "`odds` shows the exact chances, `help` this text, `quit` ends the game."
)


class Leave(Exception):
    """The person leaves the table."""


def play(
    game_name: str,
    seed: int | None = None,
    agents: Sequence[str] = (),
    seats: int | None = None,
    settings: Mapping[str, Any] | None = None,
    seat: int = 0,
    speed: float = 6.0,
    source: TextIO | None = None,
    console: Console | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Lets a person play against agents, until the game or the input ends or the person leaves.

    Nothing is asked twice without an answer: at the end of the input the standings are shown.

    Args:
        game_name: the game, as on the command line.
        seed: root seed of the game; None: a new one, which is told.
        agents: the rivals, such as ``kelly:fraction=0.25``; empty: agents of the zoo.
        seats: players at the table; None: one more than agents written, else as many as the game has.
        settings: fields of the game's settings.
        seat: the person's seat.
        speed: cards a second of a race on a terminal.
        source: where the tickets are written; None: standard input.
        console: where to write; None: standard output.
        pause: waits so many seconds.

    Raises:
        UnknownName: a game, agent or setting that does not exist.
        InvalidSettings: a value that is not allowed.
        BadTicket: the input is no text.
    """
    check_speed(speed)
    spec = load(game_name)
    rules, players = seat_agents(spec, agents, seats, settings or {}, persons=1)
    person = Person(rules)
    players.insert(whole("seat", seat, 0, len(players)), Player(YOU, person))
    screen = Screen(console)
    if seed is None:
        seed = secrets.randbelow(NEW_SEEDS)
        screen.say(f"Seed {seed}: with it the same cards are dealt again.\n")
    sitting = Sitting(spec, rules, seed, players)
    desk = Desk(sitting, seat, screen, source or sys.stdin)
    try:
        while not sitting.over:
            person.written = desk.decision()
            run = sitting.turn()
            for mishap in sitting.mishaps():
                screen.say(mishap)
            if run:
                screen.film(list(sitting.race()) if screen.live else [sitting.result()], speed, pause)
    except Leave:
        pass
    except KeyboardInterrupt:
        screen.say()
    screen.show(sitting.standings())


class Desk:
    """Where a person writes: asks for a decision until there is one that the table takes."""

    def __init__(self, sitting: Sitting, seat: int, screen: Screen, source: TextIO) -> None:
        self._sitting, self._seat = sitting, seat
        self._screen, self._source = screen, source
        self._prompts = source.isatty()
        self._ended = False

    def decision(self) -> NDArray[Any]:
        """The person's decision for this turn, the empty one where it has none to make.

        Raises:
            Leave: the person leaves, or the input has ended.
        """
        game = self._sitting.game
        nothing: NDArray[Any] = game.blank()[0, self._seat]
        if not game.to_act[0, self._seat]:
            return nothing
        if game.out[0, self._seat]:
            self._screen.say("You have too few chips for the smallest bet and look on.")
            return nothing
        self._screen.show(self._sitting.table())
        return self._written(nothing)

    def _written(self, nothing: NDArray[Any]) -> NDArray[Any]:
        """Reads lines until the ticket is handed in."""
        ticket, decision = "", nothing
        while True:
            line = self._read("and> " if ticket else "ticket> ")
            word = line.lower()
            if word == "quit" or (self._ended and not ticket):
                raise Leave
            if word == "pass":
                return self._handed_in(nothing)
            if not word:
                return self._handed_in(decision)
            if word == "clear":
                ticket, decision = "", nothing
            elif word == "help":
                self._screen.say(f"{HELP.get(self._sitting.spec.name, '')}\n{COMMANDS}".strip())
            elif word == "odds":
                self._show_odds()
            else:
                longer = f"{ticket}\n{line}".strip()
                try:
                    decision = self._checked(longer)
                    ticket = longer
                except RailbirdError as error:
                    self._screen.say(f"{error}. Nothing was added to your ticket; `help` says how to write.")

    def _read(self, prompt: str) -> str:
        """The next line without the blanks around it; empty from the end of the input on."""
        if self._ended:
            return ""
        if self._prompts:
            self._screen.ask(prompt)
        try:
            line = self._source.readline()
        except UnicodeDecodeError as error:
            raise BadTicket(f"the input is no text: {error}") from error
        self._ended = not line
        if self._ended and self._prompts:
            self._screen.say()  # leaves the prompt's line
        return line.strip()

    def _checked(self, text: str) -> NDArray[Any]:
        """The decision that a text says.

        Raises:
            BadTicket: it cannot be read.
            IllegalDecision: the rules forbid it, or the table would refuse it.
        """
        game, seat = self._sitting.game, self._seat
        decisions = game.blank()
        decisions[0, seat] = self._sitting.spec.parse_decision(text, game.settings)
        code = int(game.faults(decisions)[0, seat])
        if code:
            raise IllegalDecision(game.explain(code, decisions[0, seat], 0, seat))
        if self._refuses(decisions):
            cost, chips = int(np.sum(decisions[0, seat])), int(game.state.bankrolls[0, seat])
            raise IllegalDecision(
                f"your ticket would cost {cost:,} chips and you have {chips:,}; the table refuses it whole"
            )
        return decisions[0, seat]  # type: ignore[no-any-return]

    def _refuses(self, decisions: NDArray[Any]) -> bool:
        """Whether the table would refuse the ticket: the game's own rule, so a copy of it is asked."""
        game = self._sitting.game
        trial = type(game)(game.settings, 0, 1)
        trial.load(game.save())
        trial.submit(decisions)
        return bool(trial.state.last_refused[0, self._seat])

    def _handed_in(self, decision: NDArray[Any]) -> NDArray[Any]:
        text = self._sitting.spec.decision_text(decision, int(self._sitting.game.phase[0])).replace(
            "\n", "; "
        )
        self._screen.say(f"Your ticket: {text or 'none, you sit this race out'}\n")
        return decision

    def _show_odds(self) -> None:
        name = self._sitting.spec.name
        if name not in WAGERS:
            self._screen.say("This game has no lines to price.")
            return
        rail = self._sitting.game.view(self._seat).rail[0]
        letters = "".join(letter * int(count) for letter, count in zip(SUIT_LETTERS, rail, strict=True))
        self._screen.show(odds_scene(name, letters))
