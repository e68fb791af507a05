"""The ratings of a tournament, and the Nash average of a contest of two: blocks added up, then fitted."""

from __future__ import annotations

from math import isfinite

import numpy as np

from ..games.kernels import Floats, Rows
from .blocks import BlockResult, Plan
from .choices import Choices, count_duels, count_placings
from .nash import nash_average
from .ratings import elo, rate
from .resampling import REPLICATES
from .results import Nash, NashShare, Rated, Ratings, figure

MOST_SETS = 2**14  # sets of agents to choose from that are counted; beyond them only pairs are
FEWEST_REPLICATES = 100
COUNTS = 2**20  # numbers of all replicates together that are fitted: a second of work, 8 MiB
DIGITS = 6  # of what is fitted: its last digits depend on the processor, and say nothing
MASKS = 2**21  # sets of seats looked at together where all seats of all tables are level: 16 MiB an array


class Strengths:
    """Counts who finished ahead of whom, by cash at the end of each game, and rates the agents by it.

    Plackett–Luce where more than two sit at a table, but for populations with so many sets of agents that
    only pairs are counted; Bradley–Terry there and at tables of two.
    """

    def __init__(self, plan: Plan) -> None:
        entries, seats = len(plan.labels), len(plan.ranked)
        sets = len(plan.line_ups) * (2**seats - seats - 1)
        self.plan = plan
        self.placings = seats > 2 and sets <= MOST_SETS
        if not self.placings:
            sets = entries * (entries - 1) // 2
        fitted = COUNTS // max(sets, entries**2)
        self.replicates = min(REPLICATES, max(FEWEST_REPLICATES, fitted))
        self.choices: Choices | None = None

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        tables, seats = len(self.plan.seating), len(self.plan.ranked)
        if seats < 2:
            return
        together = max(1, MASKS // (tables * 2**seats))
        for first in range(0, len(block.deals), together):
            part = slice(first, first + together)
            counted = self._count(block.deals[part], block.game_cash[part].reshape(-1, seats))
            self.choices = counted if self.choices is None else self.choices + counted

    def _count(self, deals: Rows, cash: Rows) -> Choices:
        plan = self.plan
        count = count_placings if self.placings else count_duels
        return count(
            np.repeat(deals, len(plan.seating)), np.tile(plan.seating, (len(deals), 1)), cash,
            len(plan.labels), seed=plan.seed, replicates=self.replicates,
        )  # fmt: skip

    def result(self) -> Ratings | None:
        """The ratings so far; None without tables of two or more."""
        if self.choices is None:
            return None
        found, labels = rate(self.choices), self.plan.labels
        points, low, high = elo(found.strength), elo(found.low), elo(found.high)
        order = sorted(range(len(labels)), key=lambda i: (found.group[i], found.place[i], i))
        standings = tuple(
            Rated(
                labels[i], _fitted(points[i]), (_end(low[i]), _end(high[i])),
                int(found.place[i]), int(found.group[i]), int(found.league[i]),
            )
            for i in order
        )  # fmt: skip
        model = "plackett-luce" if self.placings else "bradley-terry"
        return Ratings(model, self.choices.deals, self.replicates, found.is_connected, standings)


def nash_of(labels: tuple[str, ...], line_ups: Rows, won: Floats) -> Nash:
    """The Nash average of agents of whom every two have met.

    Args:
        labels: the agents.
        line_ups: (pairs, 2) who met.
        won: (pairs,) what the first won of the second, a game.
    """
    payoff = np.zeros((len(labels), len(labels)))
    payoff[line_ups[:, 0], line_ups[:, 1]] = won
    payoff -= payoff.T
    found = nash_average(payoff)
    weight, skill = (tuple(map(_fitted, values)) for values in (found.weight, found.skill))
    order = sorted(range(len(labels)), key=lambda i: (-weight[i], -skill[i], i))
    shares = tuple(NashShare(labels[i], weight[i], skill[i]) for i in order)
    return Nash(figure(found.cyclic_share), shares)


def _fitted(value: float) -> float:
    """A fitted number as it is printed; no negative zero."""
    return round(float(value), DIGITS) + 0.0


def _end(value: float) -> float | None:
    """An end of an interval as it is printed; None where there is none."""
    return _fitted(value) if isfinite(value) else None
