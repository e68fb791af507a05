"""What the agents for the pro rata split share: a forecast of the others' money, and whole wagers.

In that split a stake buys its share of the pool and moves the price it buys at. Others' money on the lines of
a pool is s, own stakes are x, y = s + x, and the pool is D = C + kept · Σ y, with C carried and
kept = 1 - takeout rate; a winning line pays D · x / y. The others' money is forecast as the mean of what they
have staked, role by role, in the races of this game. Before the first race nothing is expected, so only money
carried over can tempt. Breakage is passed over.
"""

from __future__ import annotations

import numpy as np

from ...games.kernels import Flags, Floats, Rows, kernel
from ...games.superfecta.lines import LINES
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .bettor import Bettor
from .memory import ROLES, Crowd


class CrowdReader(Bettor):
    """A bettor that forecasts the others' money."""

    def __init__(self, settings: SuperfectaSettings) -> None:
        super().__init__(settings)
        self._crowd = Crowd()

    def begin(self, lanes: Flags) -> None:
        self._crowd.forget(lanes)

    def forecast(self, view: SuperfectaView, rails: Rows) -> Floats:
        """(n, 40) chips the others are expected to stake on each line in the coming race."""
        self._crowd.read(view)
        expected = np.empty((len(view.lane), LINES))
        write_forecast(expected, self._crowd.money, self._crowd.races, view.lane, rails, ROLES)
        return expected


@kernel
def write_forecast(expected, money, races, lane, rails, roles):  # type: ignore[no-untyped-def]
    """Fills expected (n, 40) with the mean chips a race on each line's role, money (lanes, 40)."""
    for i in range(expected.shape[0]):
        each = 1.0 / max(races[lane[i]], 1)
        for line in range(LINES):
            expected[i, line] = money[lane[i], roles[rails[i], line]] * each


@kernel
def write_wagers(stakes, own, least, largest, flat):  # type: ignore[no-untyped-def]
    """Fills stakes (40,) with own (40,) chips rounded down to minimum bets; ``flat``: at most one each."""
    for line in range(LINES):
        unit = least[line]
        units = min(np.floor(own[line] / unit + 1e-9), largest // unit)
        stakes[line] = unit * np.int64(min(units, 1) if flat else units)
