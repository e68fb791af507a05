"""The plainest bettors, by which the others are measured."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.kernels import Floats, Stakes, kernel
from ...games.streams import Draws
from ...games.superfecta.lines import LINES
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .bettor import WIN, Bettor, Planner, likeliest, unit_interval


class Null(Bettor):
    """Bets nothing in any race, and is still paid its part of the final division."""

    idea: ClassVar[str] = "Never bets; lives on its chips and its part of the final division."
    source: ClassVar[str] = "the zero of every comparison"

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        return np.zeros((len(view.lane), LINES), np.int16)


class Random(Bettor):
    """Takes each line by a throw of its own. Draws 40 numbers a decision.

    A ticket it cannot pay for is cut down in random order.

    Options:
        probability: chance of a minimum bet on each line, 0-1.
    """

    idea: ClassVar[str] = "Puts a minimum bet on each of the 40 lines with the same small chance."
    source: ClassVar[str] = "level 0 of the level-k models (Stahl and Wilson 1995)"

    def __init__(self, settings: SuperfectaSettings, *, probability: float = 0.1) -> None:
        super().__init__(settings)
        self.probability = unit_interval("probability", probability)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        stakes = np.empty((len(view.lane), LINES), np.int16)
        wanted = np.full((1, LINES), self.probability)
        write_drawn(stakes, draws.uniform(LINES), wanted, view.bankroll, self.least)
        return stakes


class Favourite(Planner):
    """Backs the horse with the fewest cards on the rail, the first suit among equals."""

    idea: ClassVar[str] = "Backs the likeliest horse to win, every race."
    source: ClassVar[str] = "the public's commonest bet"

    def plan(self, chances: Floats) -> list[int]:
        return likeliest(chances, WIN)[:1]


class Longshot(Planner):
    """Backs the horse with the smallest chance that is not zero, the first suit among equals."""

    idea: ClassVar[str] = "Backs the least likely horse that can still win, hoping to have the pool alone."
    source: ClassVar[str] = "the favourite-longshot bias of real bettors (Griffith 1949)"

    def plan(self, chances: Floats) -> list[int]:
        return [min(likeliest(chances, WIN), key=lambda suit: (chances[suit], suit))]


class WinCover(Planner):
    """Backs every horse that can win, the likeliest first where its chips do not reach."""

    idea: ClassVar[str] = "Buys every horse that can win, so it always shares in the WIN pool."
    source: ClassVar[str] = "full wheel of the WIN pool"

    def plan(self, chances: Floats) -> list[int]:
        return likeliest(chances, WIN)


@kernel
def write_drawn(stakes, drawn, wanted, money, least):  # type: ignore[no-untyped-def]
    """Fills stakes (n, 40): a minimum bet where drawn < wanted, both (n, 40); wanted may be one row for all.

    Where that is too dear the lines with the smallest drawn / wanted, an even order, are bought first.
    """
    ratio = np.empty(LINES)
    for i in range(stakes.shape[0]):
        cost = 0
        limit = wanted[min(i, wanted.shape[0] - 1)]
        for line in range(LINES):
            held = drawn[i, line] < limit[line]
            stakes[i, line] = least[line] if held else 0
            cost += stakes[i, line]
        if cost <= money[i]:
            continue
        for line in range(LINES):
            ratio[line] = drawn[i, line] / limit[line] if stakes[i, line] > 0 else np.inf
            stakes[i, line] = 0
        left = money[i]
        keenest = np.argmin(ratio)
        while ratio[keenest] < np.inf:
            if least[keenest] <= left:
                stakes[i, keenest] = least[keenest]
                left -= least[keenest]
            ratio[keenest] = np.inf
            keenest = np.argmin(ratio)
