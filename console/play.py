"""Playing against agents in the terminal, or through a pipe."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from rich.console import Console

from ..games.errors import InvalidSettings
from ..games.registry import load
from ..games.spec import GameSpec
from .desk import Desk, Leave
from .screen import Screen, check_speed
from .sitting import Person, Player, Sitting, make_rules, seat_players

YOU: Final = "you"
NEW_SEEDS: Final = 1_000_000  # short enough to be written down


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
    banker: str = "",
    save: Path | None = None,
) -> None:
    """Lets a person play against agents, until the game or the input ends or the person leaves.

    Nothing is asked twice without an answer: at the end of the input the standings are shown. In a game whose
    agents quote for the house the person is the house, and the agents are the players.

    Args:
        game_name: the game, as on the command line.
        seed: root seed of the game; None: a new one, which is told.
        agents: the rivals, such as ``kelly:fraction=0.25``; empty: agents of the zoo.
        seats: players at the table; None: one more than agents written, else as many as the game has.
        settings: fields of the game's settings.
        seat: the person's seat among the players.
        speed: cards a second of a race on a terminal.
        source: where decisions are written; None: standard input.
        console: where to write; None: standard output.
        pause: waits so many seconds.
        banker: who quotes for the house; empty: the game's own.
        save: a new file for the replay.

    Raises:
        UnknownName: a game, agent or setting that does not exist.
        InvalidSettings: a value that is not allowed, or the file exists.
        BadTicket: the input is no text.
        RailbirdError: the file cannot be written.
    """
    check_speed(speed)
    spec = load(game_name)
    person, place, players, rules = _seated(spec, agents, seats, settings or {}, seat, banker)
    screen = Screen(console)
    if seed is None:
        seed = secrets.randbelow(NEW_SEEDS)
        screen.say(f"Seed {seed}: with it the same cards are dealt again.\n")
    with Sitting(spec, rules, seed, players, place, save) as sitting:
        desk = Desk(sitting, place, screen, source or sys.stdin)
        try:
            while not sitting.over:
                person.written = desk.decision()
                ended = sitting.turn()
                for mishap in sitting.mishaps():
                    screen.say(mishap)
                if ended:
                    screen.film(list(sitting.replay()) if screen.live else [sitting.result()], speed, pause)
        except Leave:
            pass
        except KeyboardInterrupt:
            screen.say()
    screen.show(sitting.standings())


def _seated(
    spec: GameSpec,
    agents: Sequence[str],
    seats: int | None,
    settings: Mapping[str, Any],
    seat: int,
    banker: str,
) -> tuple[Person, int, list[Player], Any]:
    """The person, its seat, everybody at the table and the rules."""
    if not spec.players:
        rules = make_rules(spec, seats, len(agents) + 1 if agents else 0, settings)
        person = Person(rules)
        return person, seat, seat_players(spec, rules, agents, banker, (), Player(YOU, person), seat), rules
    if seat:
        raise InvalidSettings(f"in {spec.name} you are the house; leave the seat out")
    rules = make_rules(spec, seats, len(agents), settings)
    person = Person(rules)
    players = seat_players(spec, rules, (), banker, agents, Player(YOU, person))
    return person, len(players) - 1, players, rules
