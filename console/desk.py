"""Where a person writes decisions, in any game: asks until there is one that the table takes."""

from __future__ import annotations

from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from ..games.cards import SUIT_LETTERS
from ..games.errors import BadTicket, IllegalDecision, RailbirdError
from ..games.spec import Prompt
from .odds import has_odds, odds_scene
from .screen import Screen
from .sitting import Sitting


class Leave(Exception):
    """The person leaves the table."""


class Desk:
    """A person's place at the table.

    Args:
        sitting: the game.
        seat: the person's.
        screen: where questions and answers are written.
        source: where the person writes.
    """

    def __init__(self, sitting: Sitting, seat: int, screen: Screen, source: TextIO) -> None:
        self._sitting, self._seat = sitting, seat
        self._screen, self._source = screen, source
        self._prompts = source.isatty()
        self._ended = False
        self._looked_on = -1  # the last round in which the person was told to look on

    def decision(self) -> NDArray[Any]:
        """The person's decision for this turn, the game's stand-in where there is none to make.

        Raises:
            Leave: the person leaves, or the input has ended.
        """
        game = self._sitting.game
        nothing: NDArray[Any] = game.fallback()[0, self._seat]
        if game.out[0, self._seat]:
            if self._looked_on != self._sitting.rounds:
                self._screen.say("You have too few chips for the smallest bet and look on.")
            self._looked_on = self._sitting.rounds
            return nothing
        if not game.to_act[0, self._seat]:
            return nothing
        self._screen.show(self._sitting.table())
        prompt = self._sitting.spec.prompts[int(game.phase[0])]
        decision = self._gathered(prompt) if prompt.adds_up else self._named(prompt)
        text = prompt.text(decision).replace("\n", "; ") if decision.any() else prompt.nothing
        self._screen.say(f"Your {prompt.word}: {text or prompt.text(decision)}\n")
        return decision

    def _gathered(self, prompt: Prompt) -> NDArray[Any]:
        """A decision of several lines, until an empty one hands it in."""
        ticket, decision = "", self._nothing()
        while True:
            line = self._read("and> " if ticket else f"{prompt.word}> ")
            if self._ended and not ticket:
                raise Leave
            if not line:
                return decision
            if line.lower() == "pass":
                return self._nothing()
            if line.lower() == "clear":
                ticket, decision = "", self._nothing()
            elif not self._answered(line, prompt):
                longer = f"{ticket}\n{line}".strip()
                try:
                    decision = self._checked(longer)
                    ticket = longer
                except RailbirdError as error:
                    word = prompt.word
                    self._screen.say(f"{error}. Nothing was added to your {word}; `help` says how to write.")

    def _named(self, prompt: Prompt) -> NDArray[Any]:
        """A decision of one line."""
        while True:
            line = self._read(f"{prompt.word}> ")
            if self._ended:
                raise Leave
            if line and line.lower() != "pass":
                if self._answered(line, prompt):
                    continue
            elif not prompt.nothing:
                self._screen.say(f"You cannot pass here. {prompt.help}")
                continue
            try:
                return self._checked("" if line.lower() == "pass" else line)
            except RailbirdError as error:
                self._screen.say(f"{error}. `help` says how to write.")

    def _nothing(self) -> NDArray[Any]:
        empty: NDArray[Any] = self._sitting.game.blank()[0, self._seat]
        return empty

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

    def _answered(self, line: str, prompt: Prompt) -> bool:
        """Whether the line is one of the words that ask for something, which is then done.

        Raises:
            Leave: the person leaves.
        """
        word = line.lower()
        if word == "quit":
            raise Leave
        if word == "help":
            self._screen.say(f"{prompt.help}\n{self._commands(prompt)}")
        elif word == "odds":
            self._show_odds()
        elif word == "table":
            self._screen.show(self._sitting.table())
        return word in ("help", "odds", "table")

    def _checked(self, text: str) -> NDArray[Any]:
        """The decision that a text says, the empty one for no text.

        Raises:
            BadTicket: it cannot be read.
            IllegalDecision: the rules forbid it, or the table would refuse it.
        """
        game, seat, spec = self._sitting.game, self._seat, self._sitting.spec
        phase = int(game.phase[0])
        decision = spec.parse_decision(text, game.settings, phase) if text else self._nothing()
        decisions = game.fallback()
        decisions[0, seat] = decision
        code = int(game.faults(decisions)[0, seat])
        if code:
            told = game.explain(code, decision, 0, seat)
            raise IllegalDecision(told.removeprefix(f"lane 0, seat {seat}: "))
        if self._refuses(decisions):
            word = spec.prompts[phase].word
            cost, chips = int(np.sum(decision)), int(game.state.bankrolls[0, seat])
            raise IllegalDecision(
                f"your {word} would cost {cost:,} chips and you have {chips:,}; the table refuses it whole"
            )
        return decision

    def _refuses(self, decisions: NDArray[Any]) -> bool:
        """Whether the table would refuse the decision: the game's own rule, so a copy of it is asked."""
        game = self._sitting.game
        trial = type(game)(game.settings, 0, 1)
        trial.load(game.save())
        trial.submit(decisions)
        return bool(trial.refused[0, self._seat])

    def _show_odds(self) -> None:
        name = self._sitting.spec.name
        if not has_odds(name):
            self._screen.say("This game has no rail to read odds from; `table` shows what is known.")
            return
        rail = self._sitting.game.view(self._seat).rail[0]
        letters = "".join(letter * int(count) for letter, count in zip(SUIT_LETTERS, rail, strict=True))
        self._screen.show(odds_scene(name, letters))

    def _commands(self, prompt: Prompt) -> str:
        """The lines that do or ask for something else, in words."""
        told = "`table` shows the table again, `help` this text, `quit` ends the game."
        if has_odds(self._sitting.spec.name):
            told = f"`odds` shows the exact chances, {told}"
        if not prompt.adds_up:
            return told[0].upper() + told[1:]
        word = prompt.word
        return f"An empty line hands the {word} in; `pass` hands in none, `clear` starts it again,\n{told}"
