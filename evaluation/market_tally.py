"""What was seen at the watched tables, added up: the curve, the scores, the pools by race, and regrets."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.kernels import Chips, Floats, Rows
from .blocks import BlockResult, Plan
from .estimates import CONFIDENCE, student
from .market import BINS, FORECASTS, SCORES, Sheet, pools_of
from .results import Interval, Market, PoolPoint, PoolRace, PoolScore, Regret, Spread, figure

MIDDLE = (0.05, 0.95)  # of the deals, between which a pool's chips are said to lie


class MarketTally:
    """Takes in blocks; the sample it is of is bounded, so that what it keeps is too."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.pools = pools_of(plan.game)
        self._sheets: list[Sheet] = []

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        if len(block.market.watched):
            self._sheets.append(block.market)

    def result(self, order: Sequence[int]) -> tuple[Market | None, tuple[Regret, ...]]:
        """The pools' forecasts, and the regrets of the entries in this order."""
        if not self._sheets:
            return None, ()
        deals = sum(len(sheet.watched) for sheet in self._sheets)
        return Market(deals, self._scores(), self._curve(), self._by_race()), self._regrets(order)

    def _total(self, name: str) -> NDArray[Any]:
        """An array of the sheets, added up over deals in the order of the blocks."""
        added: NDArray[Any] = np.concatenate([getattr(sheet, name) for sheet in self._sheets]).sum(axis=0)
        return added

    def _scores(self) -> tuple[PoolScore, ...]:
        races = self._total("scored")
        scores = {
            score: [self._total(f"{score}_{forecast}") for forecast in FORECASTS] for score in SCORES
        }  # each (pools,)
        return tuple(
            PoolScore(
                pool,
                int(races[number]),
                *(tuple(figure(total[number] / races[number]) for total in scores[name]) for name in SCORES),
            )
            for number, pool in enumerate(self.pools)
            if races[number]
        )

    def _curve(self) -> tuple[PoolPoint, ...]:
        shape = (len(self.pools), BINS)
        lines, implied, exact = (self._total(name).reshape(shape) for name in ("lines", "implied", "exact"))
        return tuple(
            PoolPoint(
                pool,
                int(lines[number, place]),
                figure(implied[number, place] / lines[number, place]),
                figure(exact[number, place] / lines[number, place]),
            )
            for number, pool in enumerate(self.pools)
            for place in np.flatnonzero(lines[number])
        )

    def _by_race(self) -> tuple[PoolRace, ...]:
        staked, carried = (
            np.concatenate([getattr(sheet, name) for sheet in self._sheets]).reshape(
                -1, self.plan.races, len(self.pools)
            )
            for name in ("staked", "carried")
        )
        return tuple(
            PoolRace(pool, race + 1, _spread(staked[:, race, number]), _spread(carried[:, race, number]))
            for number, pool in enumerate(self.pools)
            for race in range(self.plan.races)
        )

    def _regrets(self, order: Sequence[int]) -> tuple[Regret, ...]:
        tickets, own, best = (
            np.concatenate([getattr(sheet, name) for sheet in self._sheets])
            for name in ("tickets", "own", "best")
        )  # each (deals, entries)
        return tuple(
            self._regret(entry, tickets[:, entry], own[:, entry], best[:, entry])
            for entry in order
            if tickets[:, entry].any()
        )

    def _regret(self, entry: int, tickets: Rows, own: Floats, best: Floats) -> Regret:
        earned, possible = own.sum() / tickets.sum(), best.sum() / tickets.sum()
        return Regret(
            agent=self.plan.labels[entry],
            tickets=int(tickets.sum()),
            own=figure(earned),
            best=figure(possible),
            regret=figure(possible - earned),
            interval=_interval(best - own, tickets),
        )


def _spread(chips: Chips) -> Spread:
    low, high = np.quantile(chips, MIDDLE)
    return Spread(figure(chips.mean()), figure(low), figure(high))


def _interval(lost: Floats, tickets: Rows) -> Interval:
    """Of a mean over tickets that come by the deal: the ratio estimator of `bankroll.BankrollMetrics`."""
    met = tickets > 0
    lost, tickets = lost[met], tickets[met]
    deals, total = len(lost), tickets.sum()
    if deals < 2:
        return None, None
    mean = lost.sum() / total
    error = sqrt(deals / (deals - 1) * float(((lost - mean * tickets) ** 2).sum())) / total
    half = student(deals - 1, CONFIDENCE) * error
    return figure(mean - half), figure(mean + half)
