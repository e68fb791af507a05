"""What places are worth: profit by seat, and what agents earn in the places that others held."""

from __future__ import annotations

from math import sqrt

import numpy as np

from ..games.kernels import Floats, Rows
from .blocks import BlockResult, Plan
from .estimates import CONFIDENCE, Moments, Widths, student
from .lineups import contexts_of
from .nash import deviation_gains
from .results import Deviation, Interval, SeatProfit, Substitution, figure, interval_of

MOST_PROFITS = 2**21  # of contexts that are kept, the first: 16 MiB


class SeatProfits:
    """Luck-adjusted profit of each agent in each of the ranked seats."""

    def __init__(self, plan: Plan, widths: Widths) -> None:
        entries, seats = len(plan.labels), len(plan.ranked)
        self.plan, self.widths = plan, widths
        self.profit = Moments((entries, seats))
        self._cell = (plan.seating * seats + np.arange(seats)).ravel()  # of each seat of each table of a deal

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        plan, deals = self.plan, len(block.deals)
        if len(plan.ranked) < 2:
            return
        cells = len(plan.labels) * len(plan.ranked)
        place = np.arange(deals)[:, None] * cells + self._cell
        # adds up in the order of the tables, so a deal's sum does not depend on the deals beside it
        sums = np.bincount(place.ravel(), block.game_adjusted.ravel(), deals * cells)
        tables = plan.appearances // len(plan.ranked)  # of a deal at which an agent has a seat
        self.profit.add(sums.reshape(deals, *self.profit.shape) / (tables * plan.races))

    def result(self, order: list[int]) -> tuple[SeatProfit, ...]:
        """The profits so far, by agent in this order and seat."""
        if not self.profit.count:
            return ()
        found = self.profit.estimates(self.widths.single(self.profit.count))
        return tuple(
            SeatProfit(
                self.plan.labels[entry], int(seat), figure(found.mean[entry, at]),
                interval_of(found, (entry, at)),
            )
            for entry in order
            for at, seat in enumerate(self.plan.ranked)
        )  # fmt: skip


class Places:
    """What everybody earned in the places that each agent held: the first contexts, as many as are kept."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._room = MOST_PROFITS // len(plan.labels) if len(plan.ranked) > 1 else 0
        self._held: list[Rows] = []
        self._earned: list[Floats] = []

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        plan, deals = self.plan, block.contexts[: self._room]
        if not len(deals):
            return
        places = contexts_of(plan.contexts_before(deals), plan.line_ups)
        self._held.append(places.rivals[np.arange(len(deals)), places.seat])
        self._earned.append(block.swapped_adjusted[: len(deals)] / plan.races)
        self._room -= len(deals)

    def result(self, order: list[int]) -> tuple[tuple[Deviation, ...], tuple[Substitution, ...]]:
        """Deviation gains by agent in this order, and the matrix by agent and holder; none without places."""
        if not self._held:
            return (), ()
        held, earned = np.concatenate(self._held), np.concatenate(self._earned)
        return self._deviations(held, earned, order), self._matrix(held, earned, order)

    def _deviations(self, held: Rows, earned: Floats, order: list[int]) -> tuple[Deviation, ...]:
        labels, found = self.plan.labels, deviation_gains(held, earned)
        return tuple(
            Deviation(
                labels[i], _known(found.gain[i]), labels[found.reply[i]] if found.reply[i] >= 0 else None,
                _known(found.tested[i]), (_known(found.low[i]), _known(found.high[i])), int(found.places[i]),
            )
            for i in order
        )  # fmt: skip

    def _matrix(self, held: Rows, earned: Floats, order: list[int]) -> tuple[Substitution, ...]:
        cells = {}
        for holder in order:
            there = earned[held == holder]
            more = there - there[:, [holder]]
            if len(more):
                spread = more.std(axis=0, ddof=1) if len(more) > 1 else None
                for agent in order:
                    mean = float(more[:, agent].mean())
                    interval = _around(mean, len(more), None if spread is None else float(spread[agent]))
                    cells[agent, holder] = mean, interval, len(more)
        labels = self.plan.labels
        return tuple(
            Substitution(labels[agent], labels[holder], figure(mean), interval, places)
            for agent in order
            for holder in order
            if (agent, holder) in cells
            for mean, interval, places in [cells[agent, holder]]
        )


def _around(mean: float, count: int, spread: float | None) -> Interval:
    """Student's interval around a mean; none of one number."""
    if spread is None:
        return None, None
    half = student(count - 1, CONFIDENCE) * spread / sqrt(count)
    return figure(mean - half), figure(mean + half)


def _known(value: float) -> float | None:
    """A figure, or None where there is none."""
    return None if np.isnan(value) else figure(value)
