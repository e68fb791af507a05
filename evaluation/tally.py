"""Blocks added up, in order, into a result. The size of a tally does not depend on the number of deals."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..games.kernels import Floats
from ..games.registry import load
from .asking import Fault
from .blocks import BlockResult, Plan
from .estimates import CONFIDENCE, Estimates, Moments, Widths, student
from .fans import Fans
from .market_tally import MarketTally
from .places import Places, SeatProfits
from .results import (
    Abroad,
    Comparison,
    Duel,
    FaultNote,
    LeftOut,
    Nash,
    Place,
    Rank,
    Standing,
    TournamentResult,
    Visitor,
    figure,
    interval_of,
)
from .sequences import AnyTime
from .strengths import Strengths, nash_of
from .verdicts import DECIMALS, FEWEST, FixedNumber, Joint, together

DOUBT = 0.001  # that cash and profit are said to disagree by mistake
MARGIN = 0.005  # of the mean stake of a race: a difference that counts as none
TOTALS = ("cash", "staked", "ruined", "refused", "faults", "won", "drawn", "turns")  # of a block, over deals


class Measure:
    """What every entry earned a race, deal by deal: each on its own, and every pair's difference."""

    def __init__(self, entries: int, widths: Widths) -> None:
        self.widths = widths
        self.profit, self.cash = Moments((entries,)), Moments((entries,))
        self.profit_pairs, self.cash_pairs = Moments((entries, entries)), Moments((entries, entries))
        self.luck = Moments((entries,))  # cash less profit
        self._joint: Joint | None = None  # of the deals so far

    @property
    def count(self) -> int:
        """Deals taken in."""
        return self.profit.count

    def add(self, profit: Floats, cash: Floats) -> None:
        """Takes in the deals of a block, both (deals, entries)."""
        self._joint = None
        self.profit.add(profit)
        self.cash.add(cash)
        self.luck.add(cash - profit)
        self.profit_pairs.add(_pairs(profit))
        self.cash_pairs.add(_pairs(cash))

    def cash_agrees(self) -> bool | None:
        """Whether cash has the mean of profit, as far as one can see; None with too few deals to say.

        It has, unless a game's expectations are wrong; the doubt is one in a thousand for all together.
        """
        if self.count < FEWEST:
            return None
        width = student(self.count - 1, 1 - DOUBT / len(self.luck.mean))
        return bool((np.abs(self.luck.mean) <= width * self.luck.error + 10.0**-DECIMALS).all())

    def order(self) -> list[int]:
        """The entries, best profit first."""
        profit, cash = self.profit.mean, self.cash.mean
        return sorted(range(len(profit)), key=lambda i: (-figure(profit[i]), -figure(cash[i]), i))

    def each(self, moments: Moments) -> Estimates:
        """Means with intervals that hold for each on its own."""
        return moments.estimates(self.widths.single(moments.count) if moments.count else float("nan"))

    def together(self) -> Joint:
        """The differences in profit with intervals that hold for all pairs together."""
        if self._joint is None:
            width = self.widths.joint(self.profit_pairs) if self.count else float("nan")
            self._joint = together(self.profit_pairs, width, self.widths.fewest)
        return self._joint

    def rank(self, entry: int) -> Rank:
        """The ranks the entry may have."""
        best, worst = self.together().ranks()[entry]
        return int(best), int(worst)

    def comparisons(self, labels: tuple[str, ...], order: list[int], margin: float) -> list[Comparison]:
        """Every pair, the better placed in the order first; none without deals."""
        if self.count == 0:
            return []
        joint, profit, cash = self.together(), self.each(self.profit_pairs), self.each(self.cash_pairs)
        shared = Estimates(joint.mean, joint.low, joint.high)
        return [
            Comparison(
                labels[a], labels[b], joint.judge(a, b, margin).value,
                figure(profit.mean[a, b]), interval_of(profit, (a, b)), interval_of(shared, (a, b)),
                figure(cash.mean[a, b]), interval_of(cash, (a, b)),
            )
            for place, a in enumerate(order)
            for b in order[place + 1 :]
        ]  # fmt: skip


class Section(Protocol):
    """A part of the result that is added up by itself."""

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""


class Tally:
    """Takes in the blocks of a plan and says what they show."""

    def __init__(self, plan: Plan) -> None:
        entries = len(plan.labels)
        self.plan = plan
        self.tables = Measure(entries, self._widths(plan.deals))
        contexts = int(plan.contexts_before(np.array([plan.deals]))[0])
        self.swapped = Measure(entries, self._widths(contexts))
        self.abroad = Measure(entries, self._widths(contexts))
        self.without = [_Without(plan, entry, self._widths(plan.deals)) for entry in _left_out(plan)]
        self.duels = Moments((len(plan.line_ups) if len(plan.ranked) == 2 else 0,))
        self.totals = {name: np.zeros(entries, np.int64) for name in TOTALS}
        self.strengths, self.places, self.fans = Strengths(plan), Places(plan), Fans(plan)
        self.seats = SeatProfits(plan, self._widths(plan.deals))
        self.market = MarketTally(plan)
        self.sections: list[Section] = [
            *self.without, self.strengths, self.places, self.seats, self.fans, self.market,
        ]  # fmt: skip
        self.notes: dict[tuple[int, Fault], FaultNote] = {}

    def _widths(self, planned: int) -> Widths:
        return FixedNumber(self.plan.seed) if self.plan.until is None else AnyTime(planned)

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        plan = self.plan
        per_table = plan.appearances * plan.races
        self.tables.add(block.adjusted / per_table, block.cash / per_table)
        self.swapped.add(block.swapped_adjusted / plan.races, block.swapped_cash / plan.races)
        if plan.strangers:
            self.abroad.add(block.abroad_adjusted / plan.races, block.abroad_cash / plan.races)
        for section in self.sections:
            section.add(block)
        self.duels.add(block.duels / (len(plan.seating) // len(plan.line_ups) * plan.races))
        for name, total in self.totals.items():
            total += getattr(block, name).sum(axis=0)
        labels = (*plan.labels, *(factory.text for factory in plan.fixed))
        for it in block.incidents:
            note = FaultNote(labels[it.player], it.fault.name.lower(), it.deal, it.turn, it.seat, it.reason)
            self.notes.setdefault((it.player, it.fault), note)

    @property
    def narrow_enough(self) -> bool:
        """Whether the intervals of all agents' profits are as narrow as was asked for."""
        count, widths = self.tables.count, self.tables.widths
        if self.plan.until is None or count < widths.fewest:
            return False
        return bool((widths.single(count) * self.tables.profit.error < self.plan.until).all())

    def result(self, settings: dict[str, Any]) -> TournamentResult:
        """The result so far."""
        order, labels, margin = self.tables.order(), self.plan.labels, self._margin()
        deviations, substitutions = self.places.result(order)
        market, regrets = self.market.result(order)
        return TournamentResult(
            leaderboard=tuple(self._standings(order)),
            comparisons=tuple(self.swapped.comparisons(labels, order, margin)),
            duels=tuple(self._duels()),
            abroad=self._abroad(margin),
            left_out=tuple(rest.result() for rest in self.without),
            ratings=self.strengths.result(),
            nash=self._nash(),
            deviations=deviations,
            substitutions=substitutions,
            seats=self.seats.result(order),
            bankrolls=self.fans.result(order),
            market=market,
            regrets=regrets,
            faults=tuple(self.notes[key] for key in sorted(self.notes)),
            settings=settings,
            design=self._design(margin),
            seed=self.plan.seed,
            version=__version__,
        )

    def _standings(self, order: list[int]) -> list[Standing]:
        profit, cash = (self.tables.each(of) for of in (self.tables.profit, self.tables.cash))
        return [self._standing(entry, profit, cash) for entry in order]

    def _standing(self, entry: int, profit: Estimates, cash: Estimates) -> Standing:
        games = self.tables.count * self.plan.appearances
        total = {name: int(values[entry]) for name, values in self.totals.items()}
        return Standing(
            agent=self.plan.labels[entry],
            rank=self.tables.rank(entry),
            profit_per_race=figure(profit.mean[entry]),
            interval=interval_of(profit, entry),
            cash_per_race=figure(cash.mean[entry]),
            cash_interval=interval_of(cash, entry),
            substitution_rank=self.swapped.rank(entry) if self.swapped.count else None,
            roi=figure(total["cash"] / total["staked"]) if total["staked"] else None,
            ruin=figure(total["ruined"] / games),
            races=games * self.plan.races,
            won=figure(total["won"] / games),
            drawn=figure(total["drawn"] / games),
            lost=figure(1 - (total["won"] + total["drawn"]) / games),
            turns=figure(total["turns"] / games),
            refused=total["refused"],
            faults=total["faults"],
        )

    def _duels(self) -> list[Duel]:
        found, labels = self.tables.each(self.duels), self.plan.labels
        pairs = self.plan.line_ups if len(self.plan.ranked) == 2 else ()
        return [
            Duel(labels[a], labels[b], figure(found.mean[place]), interval_of(found, place))
            for place, (a, b) in enumerate(pairs)
        ]

    def _nash(self) -> Nash | None:
        plan = self.plan
        if len(plan.ranked) != 2 or not load(plan.game).contest or not self.duels.count:
            return None
        return nash_of(plan.labels, plan.line_ups, self.duels.mean)

    def _abroad(self, margin: float) -> Abroad | None:
        plan, abroad = self.plan, self.abroad
        if not plan.strangers:
            return None
        order = abroad.order()
        profit, cash = abroad.each(abroad.profit), abroad.each(abroad.cash)
        standings = tuple(
            Visitor(
                plan.labels[entry], abroad.rank(entry),
                figure(profit.mean[entry]), interval_of(profit, entry),
                figure(cash.mean[entry]), interval_of(cash, entry),
            )
            for entry in order
        )  # fmt: skip
        population = tuple(dict.fromkeys(factory.text for factory in plan.strangers))
        return Abroad(population, standings, tuple(abroad.comparisons(plan.labels, order, margin)))

    def _margin(self) -> float:
        """Chips a race up to which a difference counts as none; in a contest a game is the stake."""
        plan = self.plan
        if plan.margin is not None:
            return plan.margin
        if load(plan.game).contest:
            return MARGIN
        races = self.tables.count * plan.appearances * plan.races * len(plan.labels)
        return figure(MARGIN * int(self.totals["staked"].sum()) / races)

    def _design(self, margin: float) -> dict[str, Any]:
        plan, tables, swapped = self.plan, self.tables, self.swapped
        return {
            "entries": list(plan.labels),
            "line_ups": [[plan.labels[entry] for entry in line_up] for line_up in plan.line_ups],
            "tables_per_deal": len(plan.seating),
            "deals": tables.count,
            "contexts": swapped.count,
            "confidence": CONFIDENCE,
            "intervals": tables.widths.name,
            "narrow_enough": None if plan.until is None else self.narrow_enough,
            "margin": margin,
            "cash_agrees": tables.cash_agrees(),
            "variance_reduction": {
                "tables": _ratio(tables.cash, tables.profit),
                "substitution": _ratio(swapped.cash_pairs, swapped.profit_pairs),
            },
        }


class _Without:
    """The profit of the others over the line-ups in which one entry does not sit."""

    def __init__(self, plan: Plan, entry: int, widths: Widths) -> None:
        self.plan, self.entry = plan, entry
        self.others = [other for other in range(len(plan.labels)) if other != entry]
        self.kept = ~(plan.line_ups == entry).any(axis=1)
        self.measure = Measure(len(self.others), widths)
        # (places in line-ups, others): the part of each place in each other's mean
        places = np.repeat(self.kept, plan.line_ups.shape[1])[:, None] & (
            plan.line_ups.ravel()[:, None] == self.others
        )
        self._parts = places / (places.sum(axis=0) * plan.line_ups.shape[1] * plan.races)

    def add(self, block: BlockResult) -> None:
        # einsum adds up in one order on any number of processors, a BLAS product need not
        profit: Floats = np.einsum("dp,po->do", block.seated_adjusted, self._parts)
        self.measure.add(profit, profit)

    def result(self) -> LeftOut:
        labels, measure = self.plan.labels, self.measure
        standings = tuple(
            Place(labels[self.others[i]], measure.rank(i), figure(measure.profit.mean[i]))
            for i in measure.order()
        )
        return LeftOut(labels[self.entry], int(self.kept.sum()), standings)


def _left_out(plan: Plan) -> range:
    """The entries that are left out in turn."""
    return range(len(plan.labels) if plan.by_line_up else 0)


def _pairs(values: NDArray[Any]) -> Floats:
    """(n, entries) -> (n, entries, entries): what the first of a pair has more than the second."""
    difference: Floats = values[:, :, None] - values[:, None, :]
    return difference


def _ratio(cash: Moments, profit: Moments) -> float | None:
    """The variance of cash in those of luck-adjusted profit; None where the latter has none."""
    summed = float(profit.scatter.sum())
    rounding = 10.0 ** (-2 * DECIMALS) * profit.count
    return figure(float(cash.scatter.sum()) / summed) if summed > rounding else None
