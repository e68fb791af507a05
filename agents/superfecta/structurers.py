"""Bettors that buy a pattern of tickets, as a window clerk would write it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.checks import whole
from ...games.kernels import Floats, Stakes
from ...games.streams import Draws
from ...games.superfecta.lines import HORSES, LINES, POOL_SLICES, Pool
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .bettor import EXOTIC, Bettor, Planner, likeliest, ranking


class Straight(Planner):
    """Three wagers: the likeliest winner, the likeliest first two, the likeliest full order."""

    idea: ClassVar[str] = "Names the likeliest result of each pool, one wager each."
    source: ClassVar[str] = "straight tickets"

    def plan(self, chances: Floats) -> list[int]:
        return [likeliest(chances, range(LINES)[pool])[0] for pool in POOL_SLICES]


class Box(Planner):
    """Exactas of the best horses in both directions, superfectas that have just them in front.

    Two horses make 2 + 4 wagers, three 6 + 6, four 12 + 24. What cannot win is left out; where the chips do
    not reach the likeliest lines are bought.

    Options:
        horses: how many horses are boxed, 2-4.
    """

    idea: ClassVar[str] = "Boxes the likeliest horses: all exactas among them, all superfectas led by them."
    source: ClassVar[str] = "exotic boxes"

    def __init__(self, settings: SuperfectaSettings, *, horses: int = 2) -> None:
        self.horses = whole("horses", horses, 2, 4)
        super().__init__(settings)

    def plan(self, chances: Floats) -> list[int]:
        boxed = set(ranking(chances)[: self.horses])
        return likeliest(chances, (line for line in EXOTIC if set(HORSES[line][: self.horses]) <= boxed))


class Wheel(Planner):
    """The key horse first and every other behind it: 3 exactas and 6 superfectas.

    Options:
        key: the key horse by its chance to win, 1 (the favourite) to 4.
    """

    idea: ClassVar[str] = "Keys one horse to win and wheels all the others behind it in both exotic pools."
    source: ClassVar[str] = "key wheels"

    def __init__(self, settings: SuperfectaSettings, *, key: int = 1) -> None:
        self.key = whole("key", key, 1, 4)
        super().__init__(settings)

    def plan(self, chances: Floats) -> list[int]:
        key = ranking(chances)[self.key - 1]
        return likeliest(chances, (line for line in EXOTIC if HORSES[line][0] == key))


class Carryover(Bettor):
    """Buys all lines of an exotic pool that can win, where that pays even if the winner has to be shared.

    Covering costs the same whatever happens and always wins, so it pays when (carried + cost · (1 - takeout))
    / (1 + rivals) exceeds the cost: with one rival and no takeout, when the pool has carried over more than
    the tickets cost. If the chips reach for one pool only, the one that promises more is covered. Money the
    others will put in is left out of the sum: it is the reward.

    Options:
        rivals: how many others are thought to hold the winning line too, 0-11.
    """

    idea: ClassVar[str] = (
        "Waits until an exotic pool has carried over more than it costs to cover, then covers it."
    )
    source: ClassVar[str] = "the syndicates that buy out lottery rollovers (Grote and Matheson 2006)"

    def __init__(self, settings: SuperfectaSettings, *, rivals: int = 1) -> None:
        super().__init__(settings)
        self.rivals = whole("rivals", rivals, 0, 11)
        self._covers = ((self.chances > 0) * self.least).astype(np.int16)  # (84, 40)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        covers = self._covers[self.rails(view)]  # (84, 40) -> (n, 40)
        money = view.bankroll
        costs = [covers[:, POOL_SLICES[pool]].sum(1, np.int64) for pool in Pool]
        gains = [
            (view.pools[:, pool] + costs[pool] * self.kept) / (1 + self.rivals) - costs[pool] for pool in Pool
        ]
        exacta = (gains[Pool.EXA] > 0) & (costs[Pool.EXA] <= money)
        superfecta = (gains[Pool.SFC] > 0) & (costs[Pool.SFC] <= money)
        short = exacta & superfecta & (costs[Pool.EXA] + costs[Pool.SFC] > money)
        better = gains[Pool.SFC] > gains[Pool.EXA]
        covers[:, POOL_SLICES[Pool.WIN]] = 0
        covers[:, POOL_SLICES[Pool.EXA]] *= (exacta & ~(short & better))[:, None]
        covers[:, POOL_SLICES[Pool.SFC]] *= (superfecta & ~(short & ~better))[:, None]
        return covers
