"""Bankrolls of a tournament: the paths of its first deals, boiled down to metrics and fans."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..games.kernels import Chips, Flags, Rows
from .bankroll import BankrollPaths, follow, join, measure
from .blocks import BlockResult, Plan
from .results import Bankroll, Bankrolls, Interval, figure

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


class Fans:
    """The bankrolls of every entry over the races of the deals that are followed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._sits = [plan.seating == entry for entry in range(len(plan.labels))]  # (tables, ranked seats)
        self._paths: list[list[BankrollPaths]] = [[] for _ in plan.labels]
        self._bankrolls: list[list[Chips]] = [[] for _ in plan.labels]
        self._deals: list[Rows] = []

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        plan, deals = self.plan, len(block.followed)
        if not deals:
            return
        shape = (deals, *plan.seating.shape, plan.races + 1)
        bankrolls, stakes, out, kelly = (
            array.reshape(shape) for array in (block.bankrolls, block.stakes, block.out, block.kelly)
        )
        self._deals.append(np.repeat(block.followed, plan.appearances))
        for entry, sits in enumerate(self._sits):
            own = bankrolls[:, sits].reshape(-1, plan.races + 1)
            staked, wanted, broke = (
                array[:, sits].reshape(own.shape)[:, at:] for array, at in ((stakes, 1), (kelly, 1), (out, 0))
            )
            found = follow(own, staked, kelly=None if np.isnan(wanted).all() else wanted)
            # the game itself says who can pay for no bet
            ruined: Flags = np.asarray(broke.sum(axis=1) > 0)
            self._paths[entry].append(replace(found, ruined=ruined))
            self._bankrolls[entry].append(own)

    def result(self, order: list[int]) -> Bankrolls | None:
        """The bankrolls so far, by agent in this order; None where none are kept."""
        if not self._deals:
            return None
        deals = np.concatenate(self._deals)
        standings = tuple(self._bankroll(entry, deals) for entry in order)
        start = int(self.plan.rules.bankroll)
        return Bankrolls(len(np.unique(deals)), self.plan.races, start, QUANTILES, standings)

    def _bankroll(self, entry: int, deals: Rows) -> Bankroll:
        found = measure(join(self._paths[entry]), deals)
        fan = np.quantile(np.concatenate(self._bankrolls[entry]), QUANTILES, axis=0)  # (quantiles, races + 1)
        low, high = found.ruin_interval
        return Bankroll(
            agent=self.plan.labels[entry],
            paths=found.paths,
            mean_growth=figure(found.mean_growth),
            growth_interval=_ends(found.growth_interval),
            median_growth=figure(found.median_growth),
            roi=_known(found.roi),
            roi_interval=_ends(found.roi_interval),
            ruin=figure(found.ruin),
            ruin_interval=(figure(low), figure(high)),
            ruin_at_most=figure(found.ruin_at_most),
            broke=figure(found.broke),
            drawdown=figure(found.drawdown),
            worst_drawdown=figure(found.worst_drawdown),
            turnover=figure(found.turnover),
            hit_rate=_known(found.hit_rate),
            kelly_multiple=_known(found.kelly_multiple),
            fan=tuple(tuple(map(figure, after)) for after in fan.T),
        )


def _known(value: Any) -> float | None:
    return None if value is None else figure(value)


def _ends(interval: Interval) -> Interval:
    low, high = interval
    return _known(low), _known(high)
