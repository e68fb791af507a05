"""What every Superfecta agent starts from, and the tickets that depend on the rail alone.

Source: the chances are exact (`railbird.games.order_law`). Rule: RULES.md §2.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

import numpy as np

from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Counts, Floats, Rows, Stakes, kernel
from ...games.order_law import line_table, rail_index
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_OF
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUITS, SUPERFECTA
from ..contract import Agent

WIN = range(4)
EXOTIC = range(4, LINES)  # exactas and superfectas


class Bettor(Agent[SuperfectaView]):
    """A seat at Superfecta: returns stakes (n, 40) int16 that are legal and that it can pay for."""

    settings: SuperfectaSettings

    def __init__(self, settings: SuperfectaSettings) -> None:
        super().__init__(settings)
        self.splits_equally = settings.split == "equal"
        self.kept = 1.0 - float(settings.rate)  # share of new money that stays in a pool
        self.least: Chips = np.array(settings.minimums, np.int64)[
            POOL_OF
        ]  # (40,) the minimum bet of each line
        self.chances = line_table(SUPERFECTA)  # (84, 40)

    def rails(self, view: SuperfectaView) -> Rows:
        """(n,) the number of each row's rail."""
        return rail_index(SUPERFECTA, view.rail)


class Planner(Bettor):
    """A bettor whose ticket follows from the rail: a minimum bet on each line of a plan.

    Where the chips do not reach, the lines named first are bought; one that costs too much is passed over.
    Plans are made once, so a subclass sets its options before it calls this constructor.
    """

    def __init__(self, settings: SuperfectaSettings) -> None:
        super().__init__(settings)
        self._plans: Counts = np.full((len(self.chances), LINES), -1, np.int8)
        for rail, chances in enumerate(self.chances):
            lines = self.plan(chances)
            self._plans[rail, : len(lines)] = lines

    @abstractmethod
    def plan(self, chances: Floats) -> list[int]:
        """The lines wanted, the most wanted first, given the chance (40,) of each."""

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        stakes = np.empty((len(view.lane), LINES), np.int16)
        write_plans(stakes, self._plans, self.rails(view), view.bankroll, self.least)
        return stakes


def likeliest(chances: Floats, lines: Iterable[int]) -> list[int]:
    """Those of the lines that can win, the likeliest first; equals stand in line order."""
    return sorted((line for line in lines if chances[line] > 0), key=lambda line: -chances[line])


def ranking(chances: Floats) -> list[int]:
    """The four horses, the likeliest winner first; equals stand in the order of their suits."""
    return sorted(range(SUITS), key=lambda suit: -chances[suit])


def unit_interval(name: str, value: float) -> float:
    """``value`` if it is a number from 0 to 1.

    Raises:
        InvalidSettings: it is not.
    """
    if not 0 <= value <= 1:
        raise InvalidSettings(f"{name} is a number from 0 to 1, not {value!r}")
    return float(value)


@kernel
def write_plans(stakes, plans, rails, money, least):  # type: ignore[no-untyped-def]
    """Fills stakes (n, 40): minimum bets on the lines of plans[rails[i]], in that order, while chips last."""
    for i in range(stakes.shape[0]):
        stakes[i] = 0
        left = money[i]
        for line in plans[rails[i]]:
            if line < 0:
                break
            if least[line] <= left:
                stakes[i, line] = least[line]
                left -= least[line]
