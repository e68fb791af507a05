"""Dutching: stakes that make the return the same whichever of the backed horses wins."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.checks import whole
from ...games.kernels import Stakes
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_SLICES, Pool
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUITS
from .bettor import ranking
from .crowd import CrowdReader


class Dutch(CrowdReader):
    """Backs the likeliest horses so that each would return the same.

    Pro rata: ``units`` minimum bets, or what the chips reach for, in the proportions of the others' money on
    these horses, since x / (s + x) is then the same for all; where none is expected, in proportion to the
    chances. Each gets a unit and the rest is shared out, rounded down. Equal split: a minimum bet on each.

    Options:
        horses: how many horses are backed, likeliest first, 1-4.
        units: minimum bets to spread in a pro rata split, 1-300.
    """

    idea: ClassVar[str] = "Spreads its stake over the best horses so that each would return the same."
    source: ClassVar[str] = "dutching, after Dutch Schultz"

    def __init__(self, settings: SuperfectaSettings, *, horses: int = 3, units: int = 10) -> None:
        super().__init__(settings)
        self.horses = whole("horses", horses, 1, SUITS)
        self.units = self.horses if self.splits_equally else whole("units", units, 1, 300)
        ranks = np.array([ranking(chances) for chances in self.chances])
        self._backed = np.zeros((len(self.chances), SUITS), bool)  # (84, 4)
        np.put_along_axis(self._backed, ranks[:, : self.horses], True, 1)
        self._backed &= self.chances[:, :SUITS] > 0
        self._ranks = np.argsort(ranks, axis=1)  # (84, 4) rank of each suit
        self._most = settings.max_wager // settings.minimums[Pool.WIN]

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rails = self.rails(view)
        backed = self._backed[rails]
        reach = np.minimum(view.bankroll // self.least[0], self.units)
        first = backed & (self._ranks[rails] < reach[:, None])  # the likeliest the chips reach for
        units = first.astype(np.int64)
        if not self.splits_equally:
            rest = reach - units.sum(1)
            shares = np.where(backed, self.forecast(view, rails)[:, :SUITS], 0.0)
            nobody = shares.sum(1) == 0
            shares[nobody] = (self.chances[rails, :SUITS] * backed)[nobody]
            units += np.floor(rest[:, None] * shares / shares.sum(1, keepdims=True)).astype(np.int64)
        stakes = np.zeros((len(rails), LINES), np.int16)
        stakes[:, POOL_SLICES[Pool.WIN]] = np.minimum(units, self._most) * self.least[0]
        return stakes
