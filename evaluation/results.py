"""What a tournament found, as records and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..games.kernels import Floats
from .asking import Fault
from .blocks import BlockResult, Plan
from .estimates import CONFIDENCE, Estimates, Moments

DECIMALS = 9  # of printed figures; far below any interval, far above rounding errors

Interval = tuple[float | None, float | None]  # None with fewer than two deals


@dataclass(frozen=True, slots=True)
class Standing:
    """An agent's line of the leaderboard. Profits are chips per race, the final division included."""

    agent: str
    profit_per_race: float  # cash, mean over deals of the mean over its tables
    interval: Interval
    adjusted_profit_per_race: float  # the same without the luck of the payouts
    adjusted_interval: Interval
    roi: float | None  # profit / chips staked, both summed; None if it never staked
    ruin: float  # share of its games in which it came to a race without the chips for a bet
    races: int
    won: float  # share of its games that ended in profit
    drawn: float  # share of its games that ended level
    lost: float  # share of its games that ended in loss
    turns: float  # mean length of its games in turns
    refused: int  # tickets that cost more than the chips at hand
    faults: int  # decisions replaced by the empty one


@dataclass(frozen=True, slots=True)
class Comparison:
    """What ``agent`` earned more than ``rival`` in the same place, in chips per race.

    Deals, seats, rivals and all draws are the same.
    """

    agent: str
    rival: str
    difference: float
    interval: Interval
    adjusted_difference: float
    adjusted_interval: Interval


@dataclass(frozen=True, slots=True)
class Duel:
    """What ``agent`` won of ``rival`` at tables of two, a race: each deal is played from both sides."""

    agent: str
    rival: str
    profit: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class FaultNote:
    """The first fault of its kind of an agent."""

    agent: str
    fault: str  # raised, shape, numbers or illegal
    deal: int
    turn: int  # turns played before it
    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All that a tournament prints."""

    leaderboard: tuple[Standing, ...]  # best cash first
    comparisons: tuple[Comparison, ...]  # every pair, the better placed as ``agent``
    duels: tuple[Duel, ...]  # every pair that met at a table of two; none where more sit
    faults: tuple[FaultNote, ...]
    settings: dict[str, Any]  # what was asked for; with the seed it reproduces the result
    design: dict[str, Any]  # what followed from it: line-ups, tables, contexts
    seed: int
    version: str

    def to_json(self) -> str:
        """The result as a JSON object, the same bytes for the same result."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


class Tally:
    """Adds up blocks, in order, and says what they show. Its size does not depend on the number of deals."""

    def __init__(self, plan: Plan) -> None:
        entries = len(plan.labels)
        self.plan = plan
        self.cash, self.adjusted = Moments((entries,)), Moments((entries,))
        self.swapped_cash, self.swapped_adjusted = Moments((entries, entries)), Moments((entries, entries))
        self.duels = Moments((len(plan.line_ups) if len(plan.ranked) == 2 else 0,))
        self.totals = {name: np.zeros(entries, np.int64) for name in TOTALS}
        self.notes: dict[tuple[int, Fault], FaultNote] = {}

    def add(self, block: BlockResult) -> None:
        """Takes in the next block."""
        per_table = self.plan.appearances * self.plan.races
        self.cash.add(block.cash / per_table)
        self.adjusted.add(block.adjusted / per_table)
        self.swapped_cash.add(_pairs(block.swapped_cash / self.plan.races))
        self.swapped_adjusted.add(_pairs(block.swapped_adjusted / self.plan.races))
        self.duels.add(block.duels / (len(self.plan.seating) // len(self.plan.line_ups) * self.plan.races))
        for name, total in self.totals.items():
            total += getattr(block, name).sum(axis=0)
        labels = (*self.plan.labels, *(factory.text for factory in self.plan.fixed))
        for it in block.incidents:
            note = FaultNote(labels[it.player], it.fault.name.lower(), it.deal, it.turn, it.seat, it.reason)
            self.notes.setdefault((it.player, it.fault), note)

    def result(self, settings: dict[str, Any]) -> TournamentResult:
        """The result so far."""
        cash, adjusted = self.cash.estimates(), self.adjusted.estimates()
        order = sorted(
            range(len(self.plan.labels)), key=lambda i: (-figure(cash.mean[i]), -figure(adjusted.mean[i]), i)
        )
        return TournamentResult(
            leaderboard=tuple(self._standing(i, cash, adjusted) for i in order),
            comparisons=tuple(self._comparisons(order)),
            duels=tuple(self._duels()),
            faults=tuple(self.notes[key] for key in sorted(self.notes)),
            settings=settings,
            design=self._design(),
            seed=self.plan.seed,
            version=__version__,
        )

    def _standing(self, entry: int, cash: Estimates, adjusted: Estimates) -> Standing:
        games = self.cash.count * self.plan.appearances
        total = {name: int(values[entry]) for name, values in self.totals.items()}
        return Standing(
            agent=self.plan.labels[entry],
            profit_per_race=figure(cash.mean[entry]),
            interval=_interval(cash, entry),
            adjusted_profit_per_race=figure(adjusted.mean[entry]),
            adjusted_interval=_interval(adjusted, entry),
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

    def _comparisons(self, order: list[int]) -> list[Comparison]:
        if self.swapped_cash.count == 0:
            return []
        cash, adjusted = self.swapped_cash.estimates(), self.swapped_adjusted.estimates()
        return [
            Comparison(
                self.plan.labels[a], self.plan.labels[b],
                figure(cash.mean[a, b]), _interval(cash, (a, b)),
                figure(adjusted.mean[a, b]), _interval(adjusted, (a, b)),
            )
            for place, a in enumerate(order)
            for b in order[place + 1 :]
        ]  # fmt: skip

    def _duels(self) -> list[Duel]:
        found, labels = self.duels.estimates(), self.plan.labels
        pairs = self.plan.line_ups if len(self.plan.ranked) == 2 else ()
        return [
            Duel(labels[a], labels[b], figure(found.mean[place]), _interval(found, place))
            for place, (a, b) in enumerate(pairs)
        ]

    def _design(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "entries": list(plan.labels),
            "line_ups": [[plan.labels[entry] for entry in line_up] for line_up in plan.line_ups],
            "tables_per_deal": len(plan.seating),
            "contexts": self.swapped_cash.count,
            "confidence": CONFIDENCE,
        }


TOTALS = (
    "cash",
    "staked",
    "ruined",
    "refused",
    "faults",
    "won",
    "drawn",
    "turns",
)  # of a block, summed over deals


def _pairs(values: NDArray[Any]) -> Floats:
    """(n, entries) -> (n, entries, entries): what the first of a pair has more than the second."""
    difference: Floats = values[:, :, None] - values[:, None, :]
    return difference


def figure(value: Any) -> float:
    """A number as it is printed; no negative zero."""
    return round(float(value), DECIMALS) + 0.0


def _interval(estimates: Estimates, place: int | tuple[int, int]) -> Interval:
    low, high = float(estimates.low[place]), float(estimates.high[place])
    return (None, None) if isnan(low) else (figure(low), figure(high))


def plain(value: Any) -> Any:
    """A settings value as JSON has it: a dataclass as an object, an exact fraction as text ("1/5")."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if hasattr(value, "__dataclass_fields__"):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    return value
