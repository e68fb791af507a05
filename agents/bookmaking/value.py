"""Betting for the highest expected profit at fixed odds.

A stake s at n/d on a suit of chance p is worth E(s) = p · floor(s · n / d) − (1 − p) · s. Without the
rounding that is s · (p · (n + d) / d − 1), so more is better where p · (n + d) / d > 1 and nothing is worth a
bet elsewhere. Rounding down comes and goes with a period of at most d stakes: within that many stakes below
the most allowed lies the best.

Where the chips do not reach for all suits at their limits, the suits that bring most for a chip come first.
That is the best there is but for what rounding makes of the last suit.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.bookmaking.ledger import winnings
from ...games.bookmaking.prices import IMPLIED, PER
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Stakes, kernel
from ...games.streams import Draws
from ...games.track import SUITS
from .bettor import Bettor, subsets_of

NOTHING: Final = 1e-9  # profit of a chip that rounding of chances can feign


class Value(Bettor):
    """Bets on every suit of positive expectation what brings the highest expected profit, within limits and
    chips. If it may not bet on so many suits, it takes those that bring the most together.
    """

    idea: ClassVar[str] = (
        "Bets as much as it may wherever the odds are longer than the exact chance deserves."
    )
    source: ClassVar[str] = "expected value: p · floor(s · n / d) − (1 − p) · s > 0"

    suits: ClassVar[int] = SUITS  # how many it bets on at most

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self._subsets = subsets_of(min(self.suits, settings.max_wagers))

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        stakes = np.empty((len(view.lane), SUITS), np.int16)
        write_values(
            stakes, self.chances, self.rails(view), view.quotes, view.limits, view.bankroll, self.fitting,
            self._subsets,
        )  # fmt: skip
        return stakes


@kernel
def write_values(stakes, chances, rails, quotes, limits, money, fitting, subsets):  # type: ignore[no-untyped-def]
    """Fills stakes (n, 4) with the best ticket on any of the sets of suits."""
    ticket = np.empty(SUITS, np.int64)
    for i in range(stakes.shape[0]):
        stakes[i] = 0
        most = 0.0
        for subset in subsets:
            worth = fill_ticket(ticket, chances[rails[i]], quotes[i], limits[i], money[i], fitting, subset)
            if worth > most + NOTHING:
                most = worth
                for suit in range(SUITS):
                    stakes[i, suit] = ticket[suit]


@kernel
def fill_ticket(ticket, chances, quotes, limits, money, fitting, subset):  # type: ignore[no-untyped-def]
    """Fills ticket (4,) with stakes on suits of a set, the best for a chip first; its expected profit."""
    ticket[:] = 0
    worth = 0.0
    left = money
    open_suits = subset
    while open_suits != 0:
        best = 1.0 + NOTHING  # what comes back for a chip
        chosen = -1
        for suit in range(SUITS):
            if open_suits >> suit & 1 and limits[suit] > 0:
                back = chances[suit] / IMPLIED[quotes[suit]]
                if back > best:
                    best = back
                    chosen = suit
        if chosen < 0:
            break
        open_suits ^= 1 << chosen
        most = fitting[min(left, np.int64(limits[chosen]))]
        stake, profit = best_stake(chances[chosen], quotes[chosen], most, fitting)
        ticket[chosen] = stake
        left -= stake
        worth += profit
    return worth


@kernel
def best_stake(chance, price, most, fitting):  # type: ignore[no-untyped-def]
    """The stake on offer, up to ``most`` which is one, of the highest expected profit, and that profit."""
    best = np.int64(0)
    worth = 0.0
    stake = np.int64(most)
    for _ in range(PER[price]):
        if stake == 0:
            break
        profit = chance * winnings(stake, price) - (1.0 - chance) * stake
        if profit > worth + NOTHING * stake:
            worth = profit
            best = stake
        stake = np.int64(fitting[stake - 1])
    return best, worth
