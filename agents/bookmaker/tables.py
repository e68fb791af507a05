"""Bankers that look the quote up."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.bookmaking.prices import parse_price, published
from ...games.bookmaking.settings import BookmakerSettings
from ...games.order_law import rails
from ..bookmaking.banker import TableBanker, board_prices


class Fair(TableBanker):
    """Quotes each suit the longest board price that is not above its fair odds: no bet has an edge, and what
    the bank keeps is what the board and rounding leave.
    """

    idea: ClassVar[str] = (
        "Quotes the longest board price that is not above the fair odds of the exact chance."
    )
    source: ClassVar[str] = "fair odds (1 - p)/p, taken to the board in the bank's favour"

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self.quotes = board_prices(self.chances)


class EvenMoney(TableBanker):
    """Quotes 1/1 on all four suits, whatever the rail."""

    idea: ClassVar[str] = "Quotes 1/1 on every suit, as at a kitchen table."
    source: ClassVar[str] = "the usual pay-out of the Horse Race party game"

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self.quotes = np.full(self.chances.shape, parse_price("1/1"), np.int8)


class Published(TableBanker):
    """Quotes by the suit's rail cards: 0 to 6 cards are 1/1, 2/1, 3/1, 5/1, 10/1, 20/1 and 100/1."""

    idea: ClassVar[str] = "Quotes the published odds of Racing Aces, carried on to five and six cards."
    source: ClassVar[str] = "the odds table of Racing Aces (RULES.md §4)"

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self.quotes = published(np.array(rails(settings.course), np.int8))
