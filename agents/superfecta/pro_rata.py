"""Agents for the pro rata split, where a stake buys its share of the pool and moves the price it buys at.

Others' money on the lines of a pool is s, own stakes are x, y = s + x, the pool D = C + kept · Σ y with C carried
and kept = 1 - takeout rate. A winning line pays D · x / y. All three agents forecast s as the mean of what
the others have staked, role by role, in the races of this game (`Crowd`); before the first race they expect
nothing, so only money carried over can tempt them. Breakage is passed over.

In an equal split stakes buy nothing: there Isaacs and Kelly hold the same lines with a minimum bet each.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.checks import whole
from ...games.kernels import Flags, Floats, Rows, Stakes, inline_kernel, kernel
from ...games.order_law import order_table
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_OF, POOL_SLICES, POOL_START, POOLS, WINNING, Pool
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUITS, SUPERFECTA
from .anchors import chance
from .bettor import Bettor, ranking
from .memory import ROLES, Crowd
from .pricing import cut_down


STEPS: Final = 100  # a step of Kelly's climb is at least this part of the wealth


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


class Dutch(CrowdReader):
    """Backs the likeliest horses so that each would return the same.

    Pro rata: ``units`` minimum bets, or what the chips reach for, in the proportions of the others' money on
    these horses, since x / (s + x) is then the same for all; where none is expected, in proportion to the
    chances. Each gets a unit and the rest is shared out, rounded down. Equal split: a minimum bet on each.

    Options:
        horses: how many horses are backed, likeliest first, 1-4.
        units: minimum bets to spread in a pro rata split, 1-300.
    """

    idea: ClassVar[str] = "Spreads its stake over the best horses so that whichever of them wins returns the same."
    source: ClassVar[str] = "dutching, after Dutch Schultz"

    def __init__(self, settings: SuperfectaSettings, *, horses: int = 3, units: int = 10) -> None:
        super().__init__(settings)
        self.horses = whole("horses", horses, 1, SUITS)
        self.units = 1 if self.splits_equally else whole("units", units, 1, 300)
        ranks = np.array([ranking(chances) for chances in self.chances])
        self._backed = np.zeros((len(self.chances), SUITS), bool)  # (84, 4)
        np.put_along_axis(self._backed, ranks[:, : self.horses], True, 1)
        self._backed &= self.chances[:, :SUITS] > 0
        self._ranks = np.argsort(ranks, axis=1)  # (84, 4) rank of each suit
        self._most = settings.max_wager // settings.minimums[Pool.WIN]

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rails = self.rails(view)
        backed = self._backed[rails]
        reach = np.minimum(view.bankroll // self.least[0], max(self.units, self.horses))
        first = backed & (self._ranks[rails] < reach[:, None])  # the likeliest the chips reach for
        rest = np.maximum(reach - first.sum(1), 0)
        if self.splits_equally:
            rest[:] = 0
        shares = np.where(backed, self.forecast(view, rails)[:, :SUITS], 0.0)
        nobody = shares.sum(1) == 0
        shares[nobody] = (self.chances[rails, :SUITS] * backed)[nobody]
        more = np.floor(rest[:, None] * shares / shares.sum(1, keepdims=True))
        units = np.minimum(first + more.astype(np.int64), self._most)
        stakes = np.zeros((len(rails), LINES), np.int16)
        stakes[:, POOL_SLICES[Pool.WIN]] = units * self.least[0]
        return stakes


class Isaacs(CrowdReader):
    """Maximises the expected profit of each pool in closed form, own impact included.

    Lines are ordered by P / s, a prefix A is backed with x = k √(P s) - s, where k² = (C + kept · s outside A)
    / (1 - kept · P of A), and the prefix with the highest expectation is taken. A line with no money gets one
    unit where P · pool, that unit in it, exceeds the unit; those count as money outside A and as chance inside.
    Where nothing but own money bounds the stakes (every line backed, no takeout) all chips are spread so.
    Stakes are scaled down together to what the chips reach for and rounded down to minimum bets.
    """

    idea: ClassVar[str] = "Bets the closed-form optimum of expected profit against forecast money, own impact included."
    source: ClassVar[str] = "Isaacs, Optimal horse race bets (American Mathematical Monthly 1953)"

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rails = self.rails(view)
        stakes = np.empty((len(rails), LINES), np.int16)
        write_isaacs(
            stakes, self.forecast(view, rails), rails, view.pools, view.bankroll, self.chances, self.least,
            self.kept, self.settings.max_wager, self.splits_equally,
        )  # fmt: skip
        return stakes


class Kelly(CrowdReader):
    """Maximises the expected logarithm of its chips over all three pools together, own impact included.

    The wealth after an order of finish is a constant less a posynomial in y, so the problem is concave in
    log y. It is climbed in steps of a minimum bet (a hundredth of the wealth where that is more): each goes to
    the line that promises the highest gain, and is taken only if the expected logarithm does rise.

    Options:
        fraction: share of its chips it plays with, 0-1: it bets as a full Kelly bettor who has that much.
    """

    idea: ClassVar[str] = "Maximises expected log wealth over the three pools against forecast money, own impact included."
    source: ClassVar[str] = "Kelly 1956; with own impact Hausch, Ziemba and Rubinstein 1981"

    def __init__(self, settings: SuperfectaSettings, *, fraction: float = 0.5) -> None:
        super().__init__(settings)
        self.fraction = chance("fraction", fraction)
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
def write_forecast(expected, money, races, lane, rails, roles) -> None:  # type: ignore[no-untyped-def]
    """Fills expected (n, 40) with the mean chips a race on each line's role, money (lanes, 40)."""
    for i in range(expected.shape[0]):
        each = 1.0 / max(races[lane[i]], 1)
        for line in range(LINES):
            expected[i, line] = money[lane[i], roles[rails[i], line]] * each


@inline_kernel
def write_wagers(stakes, own, least, largest, flat):  # type: ignore[no-untyped-def]
    """Fills stakes (40,) with own (40,) chips rounded down to minimum bets; ``flat``: at most one each."""
    for line in range(LINES):
        unit = least[line]
        units = min(np.floor(own[line] / unit + 1e-9), largest // unit)
        stakes[line] = unit * np.int64(min(units, 1) if flat else units)


@kernel
def write_isaacs(  # type: ignore[no-untyped-def]
    stakes, forecast, rails, pools, bankroll, chances, least, kept, largest, flat
) -> None:
    """Fills stakes (n, 40); see `Isaacs`."""
    own = np.empty(LINES)
    price = np.empty(LINES)
    ranked = np.empty(LINES, np.int64)
    for i in range(stakes.shape[0]):
        money = forecast[i]
        chance = chances[rails[i]]
        # one unit on lines without money, as many as can be paid
        alone = 0
        for line in range(LINES):
            stakes[i, line] = 0
            pool = pools[i, POOL_OF[line]] + kept * least[line]
            for other in range(POOL_START[POOL_OF[line]], POOL_START[POOL_OF[line] + 1]):
                pool += kept * money[other]
            price[line] = chance[line] * pool
            if money[line] == 0 and price[line] > least[line]:
                stakes[i, line] = least[line]
                alone += least[line]
        if alone > bankroll[i]:
            cut_down(stakes[i], price, least, bankroll[i])
            alone = stakes[i].sum()
        # the closed form on the others
        left = float(bankroll[i] - alone)
        total = 0.0
        for pool in range(POOLS):
            total += back_pool(own, ranked, stakes[i], money, chance, pools[i], pool, kept, left)
        scale = left / total if total > left else 1.0
        for line in range(LINES):
            own[line] = stakes[i, line] if stakes[i, line] > 0 else own[line] * scale
        write_wagers(stakes[i], own, least, largest, flat)


@inline_kernel
def back_pool(own, ranked, units, money, chance, carried, pool, kept, most):  # type: ignore[no-untyped-def]
    """Fills own with Isaacs' stakes on the lines of a pool that carry money; returns their sum."""
    first = POOL_START[pool]
    count = 0
    spent = 0.0  # units bought on lines without money
    sure = 0.0  # the chance of these
    outside = 0.0
    for line in range(first, POOL_START[pool + 1]):
        own[line] = 0.0
        if units[line] > 0:
            spent += units[line]
            sure += chance[line]
        if money[line] > 0:
            outside += money[line]
            place = count
            while place > 0 and chance[ranked[place - 1]] * money[line] < chance[line] * money[ranked[place - 1]]:
                ranked[place] = ranked[place - 1]
                place -= 1
            ranked[place] = line
            count += 1
    outside += spent
    best = sure * (carried[pool] + kept * outside) - spent
    best_scale = 0.0
    backed = 0
    won = sure  # chance of the prefix and of the units
    roots = 0.0
    inside = 0.0
    for place in range(count):
        line = ranked[place]
        root = np.sqrt(chance[line] * money[line])
        roots += root
        inside += money[line]
        outside -= money[line]
        won += chance[line]
        open_part = 1.0 - kept * won
        scale = 0.0
        if open_part > 1e-9:
            scale = np.sqrt(max(carried[pool] + kept * outside, 0.0) / open_part)
        elif carried[pool] + kept * spent > 0.0:
            scale = np.inf
        scale = min(scale, (most + inside) / roots) if roots > 0.0 else 0.0
        if scale * root <= money[line]:
            break
        stake = scale * roots - inside
        full = carried[pool] + kept * (outside + inside + stake)
        # Σ P x / y over the prefix = its chance less Σ P s / y, and P s / y = root / scale
        profit = full * (won - roots / scale) - stake - spent
        if profit > best:
            best = profit
            best_scale = scale
            backed = place + 1
    total = 0.0
    for place in range(backed):
        line = ranked[place]
        own[line] = best_scale * np.sqrt(chance[line] * money[line]) - money[line]
        total += own[line]
    return total


@kernel
def write_kelly(  # type: ignore[no-untyped-def]
    stakes, forecast, rails, pools, bankroll, orders, least, kept, fraction, largest, flat
) -> None:
    """Fills stakes (n, 40); see `Kelly`."""
    own = np.empty(LINES)
    step = np.empty(LINES)
    need = np.empty(LINES)
    full = np.empty(POOLS)
    after = np.empty(orders.shape[1])
    for i in range(stakes.shape[0]):
        wealth = fraction * bankroll[i]
        for line in range(LINES):
            step[line] = least[line] * max(1, int(wealth / (STEPS * least[line])))
        climb(own, step, need, full, after, forecast[i], pools[i], orders[rails[i]], kept, wealth, float(largest))
        write_wagers(stakes[i], own, least, largest, flat)


@inline_kernel
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


@inline_kernel
def best_step(own, step, need, full, after, money, orders, kept, left, largest):  # type: ignore[no-untyped-def]
    """The line whose step raises the expected logarithm most, or -1: exact where the line wins, to first
    order in the step where it loses. ``need`` is filled with Σ P / wealth over the orders in which a line wins.
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
            more = (full[pool] + kept * chips) * (own[line] + chips) / (held + chips) - full[pool] * share - chips
            gain = chips * (back - kept * need[line] * share - (needed - need[line]))
            if gain + need[line] * more <= best:
                continue  # the logarithm is below its tangent
            for order in range((line - first) * orders_each, (line - first + 1) * orders_each):
                gain += orders[order] * np.log(1.0 + more / after[order])
            if gain > best:
                best = gain
                chosen = line
    return chosen


@inline_kernel
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
