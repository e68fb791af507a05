"""The extensive form: any two-player zero-sum game with perfect recall, written as a class of a few methods.

A *history* is whatever the class uses to say what has happened so far; here it is only passed on. Choices
made at once are written one after the other, the second seat not seeing the first's.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, Protocol, TypeVar

import numpy as np

from ...games.errors import InvalidSettings
from .forms import Endings, Side, SmallGame

CHANCE: Final = 2  # who moves where no seat does
END: Final = 3

H = TypeVar("H")


class Rules(Protocol[H]):
    """The rules of a small game. Moves are numbered 0, 1, … at each history."""

    def start(self) -> H:
        """The history in which nothing has happened."""

    def mover(self, history: H) -> int:
        """Seat 0 or 1, ``CHANCE`` or ``END``."""

    def chances(self, history: H) -> Sequence[Fraction]:
        """The chance of each of chance's moves; their sum is 1."""

    def moves(self, history: H) -> int:
        """How many moves the seat has."""

    def after(self, history: H, move: int) -> H:
        """The history one move longer."""

    def seen(self, history: H) -> Hashable:
        """All that the seat to move has seen and done: histories with the same are one information set."""

    def winnings(self, history: H) -> float:
        """What seat 0 has won, and seat 1 lost, at an end."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A game with what its information sets stand for."""

    form: SmallGame
    seen: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]  # of a seat: what it knows in each set


def grow(rules: Rules[H]) -> Grown:
    """The game by these rules, every history gone through.

    Raises:
        InvalidSettings: chances do not sum to 1, a seat has no move, or the moves or the seat's own past
            differ within an information set: then it does not remember what it knew or did.
    """
    growth = _Growth(rules)
    growth.visit(rules.start(), (0, 0), Fraction(1))
    sequences, chance, winnings = zip(*growth.endings, strict=True)
    endings = Endings(
        np.array(sequences, np.int64), np.array(chance, np.float64), np.array(winnings, np.float64)
    )
    first, second = growth.seats
    return Grown(
        SmallGame((first.side(), second.side()), endings), (tuple(first.numbers), tuple(second.numbers))
    )


class _Seat:
    """One seat's information sets, numbered as they are come to."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.parent: list[int] = []
        self.first: list[int] = [1]

    def visit(self, seen: Hashable, sequence: int, moves: int) -> int:
        """The first sequence of the set with this knowledge, reached by this sequence."""
        number = self.numbers.setdefault(seen, len(self.numbers))
        if number == len(self.parent):
            if moves < 1:
                raise InvalidSettings(f"a seat that knows {seen!r} is to move and has no move")
            self.parent.append(sequence)
            self.first.append(self.first[-1] + moves)
        known = (self.parent[number], self.first[number + 1] - self.first[number])
        if known != (sequence, moves):
            raise InvalidSettings(
                f"histories of one information set differ in the seat's past or moves: {seen!r};"
                " what a seat has seen holds all it saw and did before"
            )
        return self.first[number]

    def side(self) -> Side:
        """The seat's sets and sequences."""
        return Side(np.array(self.parent, np.int64), np.array(self.first, np.int64))


class _Growth(Generic[H]):
    """The game so far."""

    def __init__(self, rules: Rules[H]) -> None:
        self.rules = rules
        self.seats = (_Seat(), _Seat())
        self.endings: list[tuple[tuple[int, int], Fraction, float]] = []

    def visit(self, history: H, sequences: tuple[int, int], chance: Fraction) -> None:
        """Goes through a history and all that can follow."""
        rules, mover = self.rules, self.rules.mover(history)
        if mover == END:
            self.endings.append((sequences, chance, rules.winnings(history)))
        elif mover == CHANCE:
            chances = rules.chances(history)
            if sum(chances) != 1 or min(chances) < 0:
                raise InvalidSettings(f"the chances after {history!r} are {chances!r}; they sum to 1")
            for move, part in enumerate(chances):
                self.visit(rules.after(history, move), sequences, chance * part)
        else:
            moves = rules.moves(history)
            first = self.seats[mover].visit(rules.seen(history), sequences[mover], moves)
            for move in range(moves):
                sequence = first + move
                later = (sequence, sequences[1]) if mover == 0 else (sequences[0], sequence)
                self.visit(rules.after(history, move), later, chance)
