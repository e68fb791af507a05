"""Kelly betting on outcomes that exclude one another, exactly.

With chances p and decimal odds β = (n + d) / d the growth Σ p · log(wealth after) is highest where, for the
suits backed, share = p − R / β, with the reserve R = (1 − Σ p) / (1 − Σ 1/β) over the suits backed. They are
found by adding the suit with the largest p · β while that is above R. A suit without an edge of its own can
be among them: it hedges the others.

Source: Smoczynski and Tomkins, "An explicit solution to the problem of optimizing the allocations of a
bettor's wealth when wagering on horse races", 2010; Kelly 1956.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.bookmaking.prices import IMPLIED
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Stakes, kernel
from ...games.streams import Draws
from ...games.track import SUITS
from .bettor import Bettor, subsets_of
from .options import number

NOTHING: Final = 1e-12  # growth, chance or share that rounding can feign
SHORT_OF: Final = 1e-9  # chips by which rounding can miss a stake


class Kelly(Bettor):
    """Maximises the expected logarithm of its chips over the four suits together.

    If it may not bet on as many suits as that takes, it maximises over those it may bet on. Stakes are
    rounded down to stakes on offer and cut to the limits.

    Options:
        fraction: share of its chips it plays with, 0-1: it bets as a full Kelly bettor who has that much.
    """

    idea: ClassVar[str] = "Maximises expected log wealth over all four suits together, on exact chances."
    source: ClassVar[str] = "Kelly 1956; closed form of Smoczynski and Tomkins 2010"

    def __init__(self, settings: BookmakerSettings, *, fraction: float = 0.5) -> None:
        super().__init__(settings)
        self.fraction = number("fraction", fraction, 0, 1)
        self._subsets = subsets_of(settings.max_wagers)

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        stakes = np.empty((len(view.lane), SUITS), np.int16)
        write_kelly(
            stakes, self.chances, self.rails(view), view.quotes, view.limits, view.bankroll, self.fitting,
            self._subsets, self.fraction,
        )  # fmt: skip
        return stakes


@kernel
def write_kelly(  # type: ignore[no-untyped-def]
    stakes, chances, rails, quotes, limits, money, fitting, subsets, fraction
):
    """Fills stakes (n, 4) with the Kelly stakes on the best of the sets of suits."""
    shares = np.empty(SUITS)
    best = np.empty(SUITS)
    for i in range(stakes.shape[0]):
        best[:] = 0.0
        most = 0.0
        for subset in subsets:
            growth = write_shares(shares, chances[rails[i]], quotes[i], limits[i], subset)
            if growth > most + NOTHING:
                most = growth
                best[:] = shares
        for suit in range(SUITS):
            wanted = min(best[suit] * fraction * money[i], float(limits[i, suit]))
            stakes[i, suit] = fitting[int(wanted + SHORT_OF)]


@kernel
def write_shares(shares, chances, quotes, limits, subset):  # type: ignore[no-untyped-def]
    """Fills shares (4,) of the wealth for the open suits of a set; returns the growth of its logarithm."""
    uncovered = 1.0  # 1 − Σ p of the suits backed
    spare = 1.0  # 1 − Σ 1/β
    reserve = 1.0
    growth = 0.0
    backed = 0
    while True:
        best = reserve + NOTHING
        chosen = -1
        for suit in range(SUITS):
            if subset >> suit & 1 and not backed >> suit & 1 and limits[suit] > 0:
                back = chances[suit] / IMPLIED[quotes[suit]]
                if back > best:
                    best = back
                    chosen = suit
        if chosen < 0:
            break
        backed |= 1 << chosen
        uncovered -= chances[chosen]
        spare -= IMPLIED[quotes[chosen]]
        growth += chances[chosen] * np.log(best)  # the wealth where it wins is p · β
        # every outcome is backed: nothing needs to be kept
        reserve = uncovered / spare if uncovered > NOTHING and spare > NOTHING else 0.0
    for suit in range(SUITS):
        held = backed >> suit & 1
        shares[suit] = chances[suit] - reserve * IMPLIED[quotes[suit]] if held else 0.0
    return growth + uncovered * np.log(reserve) if reserve > 0.0 else growth
