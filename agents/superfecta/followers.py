"""Bettors that go by how the last race went, as people do; the cards of the next one do not."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.checks import whole
from ...games.kernels import Stakes
from ...games.order_law import ORDERS
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, Pool
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .bettor import WIN, Bettor, likeliest


class Follower(Bettor):
    """A minimum bet on the horse that won the last race; nothing in the first race."""

    idea: ClassVar[str] = "Backs the winner of the last race."
    source: ClassVar[str] = "the hot-hand fallacy (Gilovich, Vallone and Tversky 1985)"

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        stakes = np.zeros((len(view.lane), LINES), np.int16)
        able = np.flatnonzero((view.last_order >= 0) & (view.bankroll >= self.least[0]))
        stakes[able, ORDERS[view.last_order[able], 0]] = self.least[0]
        return stakes


class Chaser(Bettor):
    """Backs the favourite with one minimum bet; after a race that paid it nothing, with twice its last stake.

    At the limit it starts again with one; where the chips do not reach it bets what they do. In an equal
    split a higher stake buys nothing: there it pays for its habit.

    Options:
        doublings: how often it doubles before it starts again, 0-14.
    """

    idea: ClassVar[str] = "Backs the favourite and doubles its stake after every loss."
    source: ClassVar[str] = "the martingale"

    def __init__(self, settings: SuperfectaSettings, *, doublings: int = 6) -> None:
        super().__init__(settings)
        self.doublings = whole("doublings", doublings, 0, 14)
        self._favourite = np.array([likeliest(chances, WIN)[0] for chances in self.chances])
        least = settings.minimums[Pool.WIN]
        self._most = min(least * 2**self.doublings, settings.max_wager)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rows = np.arange(len(view.lane))
        least = self.least[0]
        last = view.last_stakes[rows, view.seat].max(1).astype(np.int64)
        lost = view.last_payouts[rows, view.seat] == 0
        wanted = np.where(lost & (2 * last <= self._most), 2 * last, 0)
        wanted = np.minimum(np.maximum(wanted, least), view.bankroll)
        stakes = np.zeros((len(rows), LINES), np.int16)
        stakes[rows, self._favourite[self.rails(view)]] = wanted // least * least
        return stakes
