"""Kelly betting with own impact, by climbing a bet at a time."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.kernels import Stakes, kernel
from ...games.order_law import order_table
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_OF, POOL_START, POOLS, WINNING
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUPERFECTA
from .bettor import unit_interval
from .crowd import CrowdReader, write_wagers

STEPS: Final = 100  # a step of the climb is a hundredth of the wealth, or a minimum bet where that is more


class Kelly(CrowdReader):
    """Maximises the expected logarithm of its chips over all three pools together, own impact included.

    The wealth after an order of finish is a constant less a posynomial in y, so the problem is concave in
    log y. It is climbed in steps of a minimum bet (a hundredth of the wealth where that is more): each goes
    to the line that promises the highest gain, and is taken only if the expected logarithm does rise. In an
    equal split, where stakes buy nothing, the same lines are held with a minimum bet each.

    Options:
        fraction: share of its chips it plays with, 0-1: it bets as a full Kelly bettor who has that much.
    """

    idea: ClassVar[str] = (
        "Maximises expected log wealth over the three pools, its own effect on the odds included."
    )
    source: ClassVar[str] = "Kelly 1956; with own impact Hausch, Ziemba and Rubinstein 1981"

    def __init__(self, settings: SuperfectaSettings, *, fraction: float = 0.5) -> None:
        super().__init__(settings)
        self.fraction = unit_interval("fraction", fraction)
        self._orders = order_table(SUPERFECTA)  # (84, 24)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rails = self.rails(view)
        stakes = np.empty((len(rails), LINES), np.int16)
        write_kelly(
            stakes, self.forecast(view, rails), rails, view.pools, view.bankroll, self._orders, self.least,
            self.kept, self.fraction, self.settings.max_wager, self.splits_equally,
        )  # fmt: skip
        return stakes


@kernel
def write_kelly(  # type: ignore[no-untyped-def]
    stakes, forecast, rails, pools, bankroll, orders, least, kept, fraction, largest, flat
):
    """Fills stakes (n, 40); see `Kelly`."""
    own = np.empty(LINES)
    step = np.empty(LINES)
    need = np.empty(LINES)
    full = np.empty(POOLS)
    after = np.empty(orders.shape[1])
    for i in range(stakes.shape[0]):
        wealth = fraction * bankroll[i]
        if wealth <= 0.0:
            stakes[i] = 0
            continue
        for line in range(LINES):
            step[line] = least[line] * max(1, int(wealth / (STEPS * least[line])))
        climb(
            own, step, need, full, after, forecast[i], pools[i], orders[rails[i]], kept, wealth,
            float(largest),
        )  # fmt: skip
        write_wagers(stakes[i], own, least, largest, flat)


@kernel
def climb(own, step, need, full, after, money, carried, orders, kept, wealth, largest):  # type: ignore[no-untyped-def]
    """Fills own (40,) with Kelly stakes, raised by step (40,) chips at a time; a step that fails is set to 0.

    Scratch: need (40,), full (3,) the pools, after (24,) the wealth after each order of finish.
    """
    for pool in range(POOLS):
        full[pool] = carried[pool]
        for line in range(POOL_START[pool], POOL_START[pool + 1]):
            full[pool] += kept * money[line]
            own[line] = 0.0
    after[:] = wealth
    left = wealth
    while True:
        line = best_step(own, step, need, full, after, money, orders, kept, left, largest)
        if line < 0:
            break
        rise = raise_line(own, step[line], line, full, after, money, orders, kept)
        if rise > 0.0:
            left -= step[line]
        else:
            raise_line(own, -step[line], line, full, after, money, orders, kept)
            step[line] = 0.0


@kernel
def best_step(own, step, need, full, after, money, orders, kept, left, largest):  # type: ignore[no-untyped-def]
    """The line whose step raises the expected logarithm most, or -1: exact where the line wins, to first
    order in the step where it loses. ``need`` is filled with Σ P / wealth over the orders a line wins in.
    """
    needed = 0.0
    need[:] = 0.0
    for order in range(orders.shape[0]):
        weight = orders[order] / after[order]
        needed += weight
        for pool in range(POOLS):
            need[WINNING[order, pool]] += weight
    best = 0.0
    chosen = -1
    for pool in range(POOLS):
        first = POOL_START[pool]
        end = POOL_START[pool + 1]
        orders_each = orders.shape[0] // (end - first)  # those in which a line wins stand together
        back = 0.0  # what a chip more in the pool brings by the lines held
        for line in range(first, end):
            if own[line] > 0.0:
                back += kept * need[line] * own[line] / (money[line] + own[line])
        for line in range(first, end):
            chips = step[line]
            if chips == 0.0 or chips >= left or own[line] + chips > largest:
                continue
            held = money[line] + own[line]
            share = own[line] / held if held > 0.0 else 0.0
            more = (
                (full[pool] + kept * chips) * (own[line] + chips) / (held + chips)
                - full[pool] * share
                - chips
            )
            gain = chips * (back - kept * need[line] * share - (needed - need[line]))
            if gain + need[line] * more <= best:
                continue  # the logarithm is below its tangent
            for order in range((line - first) * orders_each, (line - first + 1) * orders_each):
                gain += orders[order] * np.log(1.0 + more / after[order])
            if gain > best:
                best = gain
                chosen = line
    return chosen


@kernel
def raise_line(own, chips, line, full, after, money, orders, kept):  # type: ignore[no-untyped-def]
    """Adds chips to a line; returns by how much the expected logarithm of the wealth rises."""
    pool = POOL_OF[line]
    old = full[pool]
    full[pool] += kept * chips
    before = own[line]
    own[line] += chips
    rise = 0.0
    for order in range(orders.shape[0]):
        if orders[order] == 0.0:
            continue
        won = WINNING[order, pool]
        change = -chips
        held = before if won == line else own[won]
        if held > 0.0:
            change -= old * held / (money[won] + held)
        if own[won] > 0.0:
            change += full[pool] * own[won] / (money[won] + own[won])
        rise += orders[order] * np.log(1.0 + change / after[order])
        after[order] += change
    return rise
