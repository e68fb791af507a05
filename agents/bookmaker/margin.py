"""A book with a margin, spread over the suits in one of the three ways of the trade.

A book's prices are fair at chances q that add up to more than 1; the excess is the margin. Given exact
chances p that add up to 1, the three ways are

- proportional: q = (1 + share) · p, so every bet loses the same share of its stake;
- power: q = p^k with the k, 1 or less, for which the sum is right;
- Shin: q = √(z p + (1 − z) p²) · Σ √(z p + (1 − z) p²), the prices of a bookmaker who expects a share z of
  the money to come from people who know the winner, with the z for which the sum is right.

The last two take more from longshots than from favourites. Both sums change one way only as k or z goes from
one end to the other, so they are found by halving, for all rails at once.

Source: Shin, "Measuring the incidence of insider trading in a market for state-contingent claims", Economic
Journal 1993; Clarke, Kovalchik and Ingram, "Adjusting bookmaker's odds to allow for overround", 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar, Final

import numpy as np

from ...games.bookmaking.settings import BookmakerSettings
from ...games.checks import one_of
from ...games.kernels import Counts, Floats, read_only
from ...games.order_law import win_table
from ...games.track import Track
from ..bookmaking.banker import TableBanker, board_prices
from ..bookmaking.options import number

HALVINGS: Final = 60  # 2^-60 is less than a float can tell apart from 1


class Margin(TableBanker):
    """Adds a margin to the exact chances and quotes the longest board price not above those odds.

    The board makes the margin somewhat larger than asked for, never smaller, but that no price is shorter
    than 1/2.

    Options:
        share: what the chances of the book add up to beyond 1, before the board, 0-1.
        spread: how it is spread over the suits: proportional, power or shin.
    """

    idea: ClassVar[str] = "Quotes exact chances plus a margin, spread as the trade does it."
    source: ClassVar[str] = "Shin 1993; Clarke, Kovalchik and Ingram 2017"

    def __init__(
        self, settings: BookmakerSettings, *, share: float = 0.1, spread: str = "proportional"
    ) -> None:
        super().__init__(settings)
        self.share = number("share", share, 0, 1)
        self.spread = one_of("spread", spread, tuple(SPREADS))
        self.quotes = margin_quotes(settings.course, self.share, self.spread)


@cache
def margin_quotes(course: Track, share: float, spread: str) -> Counts:
    """The quote for every rail, (rails, 4) int8, read-only."""
    return read_only(board_prices(SPREADS[spread](win_table(course), share)))


def proportional(chances: Floats, share: float) -> Floats:
    """Chances (rails, 4) raised all in the same proportion until each row adds up to 1 + share."""
    raised: Floats = chances * (1 + share)
    return raised


def power(chances: Floats, share: float) -> Floats:
    """Chances (rails, 4) to the power that makes each row add up to 1 + share; 0 stays 0."""
    possible = chances > 0

    def book(exponent: Floats) -> Floats:
        # exponents go from 1 down to 0, so that the sum rises
        return np.where(possible, chances ** (1 - exponent[:, None]), 0.0)

    return book(_solve(lambda exponent: book(exponent).sum(1), len(chances), 1 + share))


def shin(chances: Floats, share: float) -> Floats:
    """Shin's prices of the chances (rails, 4) that make each row add up to 1 + share."""

    def roots(insiders: Floats) -> Floats:
        known = insiders[:, None]
        found: Floats = np.sqrt(known * chances + (1 - known) * chances**2)
        return found

    found = roots(_solve(lambda insiders: roots(insiders).sum(1) ** 2, len(chances), 1 + share))
    prices: Floats = found * found.sum(1, keepdims=True)
    return prices


def _solve(total: Callable[[Floats], Floats], rows: int, wanted: float) -> Floats:
    """Where in 0 … 1, row by row, a rising total first comes to what is wanted, (rows,)."""
    low, high = np.zeros(rows), np.ones(rows)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        below = total(middle) < wanted
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return low


SPREADS: Final[dict[str, Callable[[Floats, float], Floats]]] = {
    "proportional": proportional,
    "power": power,
    "shin": shin,
}
