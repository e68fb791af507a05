"""The board prices a bookmaker quotes, and the odds Racing Aces publishes. Rule: RULES.md §3 and §4.

A *quote* is four indices into the 33 board prices, one for each suit. Odds are net: a stake s at n/d that
wins brings floor(s · n / d) on top of the stake. The published odds stand on the board too, so every game
with a bookmaker speaks of prices by the same index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ..errors import InvalidSettings

if TYPE_CHECKING:  # odds are looked up without loading Numba
    from ..kernels import Counts

BOARD: Final = (
    (1, 2), (4, 6), (4, 5), (10, 11), (1, 1), (6, 5), (5, 4), (11, 8), (6, 4), (7, 4), (2, 1),
    (9, 4), (5, 2), (11, 4), (3, 1), (7, 2), (4, 1), (9, 2), (5, 1), (6, 1), (7, 1), (8, 1),
    (10, 1), (12, 1), (14, 1), (16, 1), (20, 1), (25, 1), (33, 1), (50, 1), (66, 1), (100, 1), (150, 1),
)  # fmt: skip
PRICES: Final = len(BOARD)
NO_PRICE: Final = -1  # nothing has been quoted yet
NET: Final = np.array([net for net, _ in BOARD], np.int64)  # (33,) n of n/d
PER: Final = np.array([per for _, per in BOARD], np.int64)  # (33,) d of n/d
IMPLIED: Final = PER / (NET + PER)  # (33,) the chance at which the price is fair, d / (n + d)

# (7,) the price by the rail cards of the suit. RULES.md §4 has 0 to 4 cards; the prices of 5 and 6 are those
# of the `published` banker of Horse Race, whose rails show suits more often.
PUBLISHED: Final = np.array(
    [BOARD.index(odds) for odds in ((1, 1), (2, 1), (3, 1), (5, 1), (10, 1), (20, 1), (100, 1))], np.int8
)


def price_text(price: int) -> str:
    """The odds of a board price as written on the board: ``"11/8"``."""
    net, per = BOARD[price]
    return f"{net}/{per}"


def parse_price(text: str) -> int:
    """The index 0–32 of a board price written as on the board.

    Raises:
        InvalidSettings: the board has no such price.
    """
    spelled = text.strip()
    known = [price_text(price) for price in range(PRICES)]
    if spelled not in known:
        raise InvalidSettings(f"{text!r} is no board price; the prices are {' '.join(known)}")
    return known.index(spelled)


def published(rail: Counts) -> Counts:
    """The published quotes (n, 4) int8 for rails (n, 4) of at most six cards a suit."""
    quotes: Counts = PUBLISHED[rail]
    return quotes
