"""Kuhn poker, the small game whose solution is known, to try the solver on.

Three cards, both seats ante 1 chip and get a card. Seat 0 checks or bets 1; after a check seat 1 checks or
bets; a bet is called or folded to. The higher card wins the pot. With best play seat 0 wins −1/18 a game.

Source: Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I, 1950.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Final

from .growing import CHANCE, END

VALUE: Final = Fraction(-1, 18)  # to seat 0
DEALS: Final = tuple(permutations(range(3), 2))  # the seats' cards
PASS, BET = 0, 1  # check or fold, bet or call
ENDS: Final = {(PASS, PASS), (BET, PASS), (BET, BET), (PASS, BET, PASS), (PASS, BET, BET)}


@dataclass(frozen=True, slots=True)
class Hand:
    """A history: both cards, once dealt, and the moves."""

    cards: tuple[int, ...] = ()
    moves: tuple[int, ...] = ()


class KuhnPoker:
    """The rules; see `railbird.evaluation.exact.growing.Rules`."""

    def start(self) -> Hand:
        """Before the deal."""
        return Hand()

    def mover(self, history: Hand) -> int:
        """The seats take turns."""
        if not history.cards:
            return CHANCE
        return END if history.moves in ENDS else len(history.moves) % 2

    def chances(self, history: Hand) -> Sequence[Fraction]:
        """Six deals."""
        return [Fraction(1, len(DEALS))] * len(DEALS)

    def moves(self, history: Hand) -> int:
        """Two: pass or bet."""
        return 2

    def after(self, history: Hand, move: int) -> Hand:
        """The deal or a move."""
        if not history.cards:
            return Hand(DEALS[move])
        return replace(history, moves=(*history.moves, move))

    def seen(self, history: Hand) -> Hashable:
        """The own card and all moves."""
        return history.cards[len(history.moves) % 2], history.moves

    def winnings(self, history: Hand) -> float:
        """The ante, and the bet where it was called; all goes to who did not fold or has the higher card."""
        if history.moves[-2:] == (BET, PASS):
            return 1.0 if len(history.moves) == 2 else -1.0
        stake = 2.0 if history.moves[-1] == BET else 1.0
        return stake if history.cards[0] > history.cards[1] else -stake
