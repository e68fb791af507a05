"""What every banker starts from, and how a chance becomes a board price. Rule: RULES.md §3."""

from __future__ import annotations

from typing import Final

import numpy as np

from ...games.bookmaking.prices import IMPLIED
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Counts, Floats, Rows
from ...games.order_law import rail_index, win_table
from ...games.streams import Draws
from ..contract import Agent

ROUNDING: Final = 1e-12  # by which a chance may miss the price it is fair at


class Banker(Agent[BookmakerView]):
    """A seat that quotes: returns board prices (n, 4) int8."""

    settings: BookmakerSettings

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self.course = settings.course
        self.chances = win_table(settings.course)  # (rails, 4)

    def rails(self, view: BookmakerView) -> Rows:
        """(n,) the number of each row's rail."""
        return rail_index(self.course, view.rail)

    def watch(self, view: BookmakerView) -> None:
        """Takes note of the last race in rows in which another quotes; most bankers need not."""


class TableBanker(Banker):
    """A banker whose quote follows from the rail; ``quotes`` (rails, 4) is set by the subclass."""

    quotes: Counts

    def act(self, view: BookmakerView, draws: Draws) -> Counts:
        prices: Counts = self.quotes[self.rails(view)]
        return prices


def board_prices(chances: Floats) -> Counts:
    """The longest board price that is not above the odds at which each chance is fair, as an int8 index.

    A chance above 2/3 has no such price and gets the shortest, 1/2. A chance of 0 gets the longest, 150/1.
    """
    shorter = np.searchsorted(
        -IMPLIED, ROUNDING - chances, side="right"
    )  # prices fair at the chance or above
    prices: Counts = np.maximum(shorter - 1, 0).astype(np.int8)
    return prices
