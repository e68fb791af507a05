"""Tickets by shares of the bankroll: what may be staked on each line of a game that has tickets, and how the
shares become a ticket of legal stakes.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, Protocol

import numpy as np

from ...games.bookmaking.encoding import BookmakerEncoding
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView, Phase
from ...games.cards import SUIT_LETTERS
from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Flags, Rows
from ...games.superfecta.lines import LINES, POOL_OF, line_text
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView

SUITS: Final = 4
MILLION: Final = 1_000_000  # shares are read to the millionth, so that 0.07 of 100 chips is 7
RICHEST: Final = 2**42  # chips; of more than this a millionth, however divided, is above every limit


class Book(Protocol):
    """The lines of a game and the rules for what is staked on them; arrays are (n, lines) int64 chips."""

    lines: int

    def name(self, line: int) -> str:
        """A line in words."""

    def room(self, view: Any) -> Chips:
        """The most the rules let the learner stake on each line now, whatever its chips."""

    def floor(self, chips: Chips) -> Chips:
        """The largest stakes on offer that are no more than these."""

    def allowed(self, stakes: Chips, shares: Rows) -> Chips:
        """The stakes on as many lines as the rules allow: the largest, equals by their share."""

    def write(self, draft: Any, stakes: Chips, rows: Flags) -> None:
        """Writes the tickets into the drafts of the mask."""


class SuperfectaBook:
    """The 40 lines of Superfecta: multiples of a pool's minimum bet up to the largest wager."""

    lines = LINES

    def __init__(self, settings: SuperfectaSettings) -> None:
        self._least = np.array(settings.minimums, np.int64)[POOL_OF]  # (40,)
        self._largest = settings.max_wager

    def name(self, line: int) -> str:
        return line_text(line)

    def room(self, view: SuperfectaView) -> Chips:
        return np.full((len(view.lane), LINES), self._largest, np.int64)

    def floor(self, chips: Chips) -> Chips:
        return chips // self._least * self._least

    def allowed(self, stakes: Chips, shares: Rows) -> Chips:
        return stakes

    def write(self, draft: Any, stakes: Chips, rows: Flags) -> None:
        draft.stakes[rows] = stakes
        draft.cost[rows] = stakes.sum(1)


class BookmakerBook:
    """The four suits at a bookmaker's: stakes on offer within each suit's limit, on so many suits at most."""

    lines = SUITS

    def __init__(self, settings: BookmakerSettings) -> None:
        self._settings = settings
        self._offered = np.array([0, *settings.stakes], np.int64)
        self._wagers = settings.max_wagers

    def name(self, line: int) -> str:
        return SUIT_LETTERS[line]

    def room(self, view: BookmakerView) -> Chips:
        bets = (view.phase == Phase.BET) & (view.seat != view.bank) & (view.seat < self._settings.seats)
        limits: Chips = view.limits.astype(np.int64) * bets[:, None]
        return limits

    def floor(self, chips: Chips) -> Chips:
        stakes: Chips = self._offered[np.searchsorted(self._offered, chips, side="right") - 1]
        return stakes

    def allowed(self, stakes: Chips, shares: Rows) -> Chips:
        if self._wagers == SUITS:
            return stakes
        best = np.lexsort((-shares, -stakes), axis=1)  # (n, 4) suits, largest stake first, equals by share
        kept = np.zeros(stakes.shape, bool)
        np.put_along_axis(kept, best[:, : self._wagers], True, axis=1)
        few: Chips = stakes * kept
        return few

    def write(self, draft: Any, stakes: Chips, rows: Flags) -> None:
        draft.values[rows] = stakes
        draft.written[rows] = np.count_nonzero(stakes, axis=1)
        draft.cost[rows] = stakes.sum(1)


def book_for(game: str, settings: Any, encoding: Any) -> Book:
    """The book of a learner's game.

    Raises:
        InvalidSettings: the game has no tickets, or the learner quotes.
    """
    if isinstance(settings, SuperfectaSettings):
        return SuperfectaBook(settings)
    if not isinstance(settings, BookmakerSettings):
        raise InvalidSettings(f"StakeFractions is for games with tickets; {game} has none")
    if not isinstance(encoding, BookmakerEncoding) or encoding.role != "bettor":
        raise InvalidSettings(
            f"StakeFractions is for bettors; this learner at {game} quotes odds; leave bank at 'house'"
        )
    return BookmakerBook(settings)


def budget_of(bankroll: Chips, most: Fraction) -> Chips:
    """(n,) int64: the chips that shares are shares of, ``most`` of each bankroll (n,)."""
    part, whole = most.numerator, most.denominator
    money = np.maximum(bankroll, 0)
    budget: Chips = money // whole * part + money % whole * part // whole  # the product alone could overflow
    return np.minimum(budget, RICHEST)


def stakes_of(book: Book, shares: Rows, budget: Chips, room: Chips) -> Chips:
    """(n, lines) int64: tickets of shares (n, lines), millionths of budgets (n,), within room (n, lines)."""
    whole = np.maximum(shares.sum(1), MILLION)[:, None]  # more than the whole budget is scaled down to it
    chips = budget[:, None] * shares // whole
    return book.allowed(book.floor(np.minimum(chips, room)), shares)
