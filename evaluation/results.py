"""What a tournament found, as records and as JSON.

*Profit* is luck-adjusted profit (`match.play`), the headline; *cash* is what really changed hands, printed
beside it. Both have the same mean.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from fractions import Fraction
from math import isnan
from typing import Any

from .estimates import Estimates
from .verdicts import DECIMALS

Interval = tuple[float | None, float | None]  # None with fewer than two deals
Rank = tuple[int, int]  # the best and the worst an agent may have, 1 the best


@dataclass(frozen=True, slots=True)
class Standing:
    """An agent's line of the leaderboard. Profits are chips per race, the final division included."""

    agent: str
    rank: Rank  # by profit at the tables; the sets of all agents hold together
    profit_per_race: float  # without luck, mean over deals of the mean over its tables
    interval: Interval
    cash_per_race: float  # the same with it
    cash_interval: Interval
    substitution_rank: Rank | None  # by what it earns in the same place; None without contexts
    roi: float | None  # cash / chips staked, both summed; None if it never staked
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
    verdict: str  # agent is better, worse, equivalent, or it is undecided
    difference: float
    interval: Interval  # of this pair on its own
    simultaneous_interval: Interval  # of all pairs together: the verdict's
    cash_difference: float
    cash_interval: Interval


@dataclass(frozen=True, slots=True)
class Duel:
    """What ``agent`` won of ``rival`` at tables of two, a race: each deal is played from both sides."""

    agent: str
    rival: str
    profit: float  # cash
    interval: Interval


@dataclass(frozen=True, slots=True)
class Visitor:
    """What an agent earned among strangers, in chips per race."""

    agent: str
    rank: Rank
    profit_per_race: float
    interval: Interval
    cash_per_race: float
    cash_interval: Interval


@dataclass(frozen=True, slots=True)
class Abroad:
    """Every agent in the same places among rivals of a population in which none of them is ranked."""

    population: tuple[str, ...]
    standings: tuple[Visitor, ...]  # best first
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """An agent's place where another is left out."""

    agent: str
    rank: Rank
    profit_per_race: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The leaderboard over the line-ups in which an agent does not sit."""

    without: str
    line_ups: int
    standings: tuple[Place, ...]  # best first


@dataclass(frozen=True, slots=True)
class FaultNote:
    """The first fault of its kind of an agent."""

    agent: str
    fault: str  # raised, shape, numbers, illegal or stopped
    deal: int
    turn: int  # turns played before it
    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All that a tournament prints."""

    leaderboard: tuple[Standing, ...]  # best profit first
    comparisons: tuple[Comparison, ...]  # every pair, the better placed as ``agent``
    duels: tuple[Duel, ...]  # every pair that met at a table of two; none where more sit
    abroad: Abroad | None  # None where no strangers were asked for
    left_out: tuple[LeftOut, ...]  # none where it was not asked for
    faults: tuple[FaultNote, ...]
    settings: dict[str, Any]  # what was asked for; with the seed it reproduces the result
    design: dict[str, Any]  # what followed from it: line-ups, tables, deals and contexts played, margin
    seed: int
    version: str

    def to_json(self) -> str:
        """The result as a JSON object, the same bytes for the same result."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def figure(value: Any) -> float:
    """A number as it is printed; no negative zero."""
    return round(float(value), DECIMALS) + 0.0


def interval_of(estimates: Estimates, place: int | tuple[int, int]) -> Interval:
    """The interval of one of the estimates, as it is printed."""
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
