"""What every bettor at a bookmaker's table starts from.

A ticket must keep within the limits of its suits, the stakes on offer, the number of wagers and the chips.
All of that is one look-up: `Bettor.fitting` tells for an amount the largest stake on offer that is no more.
Chances are exact (`railbird.games.order_law`). Rule: RULES.md §3 and §4.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Chips, Flags, Floats, Rows, Stakes
from ...games.order_law import rail_index, win_table
from ...games.streams import Draws
from ...games.track import SUITS
from ..contract import Agent

EARLIER: Final = np.tri(SUITS, k=-1, dtype=bool)  # (suit, other): the other stands before it


class Bettor(Agent[BookmakerView]):
    """A player at a bookmaker's table: returns stakes (n, 4) int16 that are legal and that it can pay for.

    A row that is no time to bet has limits of 0, so nothing is staked there.
    """

    settings: BookmakerSettings

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self.course = settings.course
        self.chances = win_table(settings.course)  # (rails, 4)
        self.offers: Chips = np.array(settings.stakes, np.int64)  # every stake on offer, ascending
        self.least = int(self.offers[0])
        self.fitting = fitting_stakes(self.offers, settings.largest)

    def rails(self, view: BookmakerView) -> Rows:
        """(n,) the number of each row's rail."""
        return rail_index(self.course, view.rail)

    def back(self, view: BookmakerView, suits: NDArray[np.integer], chips: int | Chips) -> Stakes:
        """Stakes (n, 4) on one suit a row: the largest on offer that chips (n,), limit and bankroll allow."""
        rows = np.arange(len(view.lane))
        most = np.minimum(np.minimum(view.limits[rows, suits], view.bankroll), chips)
        stakes = np.zeros((len(rows), SUITS), np.int16)
        stakes[rows, suits] = self.fitting[most]
        return stakes

    def cover(self, view: BookmakerView, wanted: Flags, order: Floats) -> Stakes:
        """Stakes (n, 4): the smallest on each open suit that is wanted (n, 4), the lowest of order (n, 4)
        first, as many as the rules and its chips allow; equals stand in suit order.
        """
        order = np.where(wanted & (view.limits >= self.least), order, np.inf)
        before = order[:, None, :] < order[:, :, None]  # (n, suit, other)
        before |= (order[:, None, :] == order[:, :, None]) & EARLIER
        most = np.minimum(view.bankroll // self.least, self.settings.max_wagers)
        backed = (order < np.inf) & (before.sum(2) < most[:, None])
        return np.where(backed, self.least, 0).astype(np.int16)


class Backer(Bettor):
    """A bettor with the smallest stake on one suit, which follows from the rail."""

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self._suit = np.array([self.choice(chances) for chances in self.chances])  # (rails,)

    @abstractmethod
    def choice(self, chances: Floats) -> int:
        """The suit to back, given the chance (4,) of each."""

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        return self.back(view, self._suit[self.rails(view)], self.least)


def fitting_stakes(offers: Chips, largest: int) -> Stakes:
    """(largest + 1,) int16: for each amount of chips the largest stake on offer up to it, 0 if none."""
    steps = np.concatenate([[0], offers])
    fitting: Stakes = steps[np.searchsorted(steps, np.arange(largest + 1), side="right") - 1].astype(np.int16)
    return fitting


def subsets_of(suits: int) -> Rows:
    """The sets of so many of the four suits, as bits, ascending: where to look for the best ticket of at most
    that many wagers.
    """
    sets = np.arange(1 << SUITS)
    chosen: Rows = sets[np.bitwise_count(sets) == suits]
    return chosen
