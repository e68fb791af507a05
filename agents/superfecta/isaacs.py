"""The stakes of highest expected profit in a pro rata pool, in closed form."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.errors import InvalidSettings
from ...games.kernels import Stakes, kernel
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_OF, POOL_START, POOLS
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .crowd import CrowdReader, write_wagers
from .pricing import cut_down


class Isaacs(CrowdReader):
    """Maximises the expected profit of each pool, D Σ P x / y - c Σ x with c = 1 + margin, in closed form.

    Lines are ordered by P / s. A prefix A of them is backed with x = k √(P s) - s, where
    k² = (C + kept · s outside A) / (c - kept · P of A); the prefix with the highest expectation is taken. A
    line with no money gets one unit where P · pool, that unit in it, exceeds c units; such units count as
    money outside A and their chances as inside. Where nothing bounds the stakes (all lines backed, neither
    takeout nor margin, money carried over) all chips are spread like that. The stakes of the three pools
    together are scaled down to what the chips reach for, then rounded down to minimum bets.

    In an equal split, where stakes buy nothing, the same lines are held with a minimum bet each.

    Options:
        margin: profit expected of the last chip staked, 0 or more; 0 is Isaacs' own solution, which for the
            last crumb of profit stakes all it has.
    """

    idea: ClassVar[str] = (
        "Bets the closed-form optimum of expected profit against the forecast money of the others."
    )
    source: ClassVar[str] = "Isaacs, Optimal horse race bets (American Mathematical Monthly 1953)"

    def __init__(self, settings: SuperfectaSettings, *, margin: float = 0.02) -> None:
        super().__init__(settings)
        if not 0 <= margin < np.inf:
            raise InvalidSettings(f"margin is a number of 0 or more, not {margin!r}")
        self.margin = float(margin)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        rails = self.rails(view)
        stakes = np.empty((len(rails), LINES), np.int16)
        write_isaacs(
            stakes, self.forecast(view, rails), rails, view.pools, view.bankroll, self.chances, self.least,
            self.kept, self.margin, self.settings.max_wager, self.splits_equally,
        )  # fmt: skip
        return stakes


@kernel
def write_isaacs(  # type: ignore[no-untyped-def]
    stakes, forecast, rails, pools, bankroll, chances, least, kept, margin, largest, flat
):
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
            if money[line] == 0 and price[line] > least[line] * (1.0 + margin):
                stakes[i, line] = least[line]
                alone += least[line]
        if alone > bankroll[i]:
            cut_down(stakes[i], price, least, bankroll[i])
            alone = stakes[i].sum()
        # the closed form on the others
        left = float(bankroll[i] - alone)
        total = 0.0
        for pool in range(POOLS):
            total += back_pool(own, ranked, stakes[i], money, chance, pools[i], pool, kept, margin, left)
        scale = left / total if total > left else 1.0
        for line in range(LINES):
            own[line] = stakes[i, line] if stakes[i, line] > 0 else own[line] * scale
        write_wagers(stakes[i], own, least, largest, flat)


@kernel
def back_pool(own, ranked, units, money, chance, carried, pool, kept, margin, most):  # type: ignore[no-untyped-def]
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
            while (
                place > 0
                and chance[ranked[place - 1]] * money[line] < chance[line] * money[ranked[place - 1]]
            ):
                ranked[place] = ranked[place - 1]
                place -= 1
            ranked[place] = line
            count += 1
    outside += spent
    best = sure * (carried[pool] + kept * outside) - spent * (1.0 + margin)
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
        open_part = 1.0 + margin - kept * won
        scale = 0.0
        if open_part > 1e-9:
            scale = np.sqrt(max(carried[pool] + kept * outside, 0.0) / open_part)
        elif carried[pool] + kept * outside > 1e-6:  # chips, above what rounding leaves
            scale = np.inf
        scale = min(scale, (most + inside) / roots) if roots > 0.0 else 0.0
        if scale * root <= money[line]:
            break
        stake = scale * roots - inside
        full = carried[pool] + kept * (outside + inside + stake)
        # Σ P x / y over the prefix = its chance less Σ P s / y, and P s / y = root / scale
        profit = full * (won - roots / scale) - (stake + spent) * (1.0 + margin)
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
