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
class Rated:
    """An agent's rating: who finished ahead of whom, whatever the amounts."""

    agent: str
    rating: float  # Elo points above an average opponent of its group: 400 for odds of ten to one
    interval: Interval  # None at an end without a bound, at both with fewer than two deals
    place: int  # in its group, 1 the strongest; who is level shares the better place
    group: int  # from 0; agents of different groups never met, not even by way of others
    league: int  # from 0; of one league are who finished ahead of each other, by way of others at least


@dataclass(frozen=True, slots=True)
class Ratings:
    """How strong agents are by the order of their cash at the end of each game."""

    model: str  # plackett-luce, or bradley-terry: two at a table, or every two of it
    deals: int
    replicates: int  # resampled tournaments behind the intervals
    connected: bool  # whether all agents are of one group
    standings: tuple[Rated, ...]  # by group, strongest first


@dataclass(frozen=True, slots=True)
class NashShare:
    """An agent's part in the Nash average."""

    agent: str
    weight: float  # 0 … 1, of all agents 1
    skill: float  # games won less games lost, a game, against the average: 0 or less


@dataclass(frozen=True, slots=True)
class Nash:
    """The mixture of agents that none of them beats, and what each wins of it. Of contests of two."""

    cyclic_share: float  # 0 … 1: how much of the results no rating can tell
    shares: tuple[NashShare, ...]  # greatest weight first


@dataclass(frozen=True, slots=True)
class Deviation:
    """What an agent leaves to whoever would sit down in its place, in chips per race."""

    agent: str
    gain: float | None  # of the best reply, 0 or more, too high by the luck of the choice; None: no places
    reply: str | None  # who earns that, the agent itself where nobody earns more
    tested: float | None  # the same without that luck: chosen in half of the places, measured in the rest
    interval: Interval  # of ``tested``
    places: int  # contexts in which it held the place


@dataclass(frozen=True, slots=True)
class Substitution:
    """What ``agent`` earned more than ``holder`` in the places that ``holder`` held, in chips per race."""

    agent: str
    holder: str
    difference: float
    interval: Interval
    places: int


@dataclass(frozen=True, slots=True)
class SeatProfit:
    """What an agent earned in a seat, in chips per race, without luck."""

    agent: str
    seat: int  # from 0
    profit_per_race: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Bankroll:
    """What became of an agent's money over the races of a game; see `bankroll.BankrollMetrics`."""

    agent: str
    paths: int  # its games among the deals that are followed
    mean_growth: float  # log(end / start) a race, mean over games; who is broke is taken to have a chip
    growth_interval: Interval
    median_growth: float
    roi: float | None  # profit / chips staked; None if nothing was staked
    roi_interval: Interval
    ruin: float  # share of the games in which it could not pay for a bet at any time, the end included
    ruin_interval: tuple[float, float]  # Wilson's
    ruin_at_most: float  # one-sided upper bound, also where none was seen
    broke: float  # share of the games that ended without a chip
    drawdown: float  # greatest fall from the highest bankroll so far, as a share of it; mean over games
    worst_drawdown: float
    turnover: float  # chips staked / chips at the start
    hit_rate: float | None  # share of the races with a bet that paid more than they cost; None without
    kelly_multiple: float | None  # chips staked / what Kelly would stake; None where that is not known, or 0
    fan: tuple[tuple[float, ...], ...]  # for the start and after each race the quantiles of its bankrolls


@dataclass(frozen=True, slots=True)
class Bankrolls:
    """The bankrolls of the first deals, at all tables."""

    deals: int
    races: int  # in a game
    start: int  # chips each player brings
    quantiles: tuple[float, ...]  # of the fans
    standings: tuple[Bankroll, ...]  # in the order of the leaderboard


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
class PoolScore:
    """How good a pool's shares of the money were as a forecast; see `market`."""

    pool: str
    races: int  # in which it had money
    log: tuple[float, ...]  # log score of the money, of an even book and of the exact chances; 0 is perfect
    brier: tuple[float, ...]  # the same for the Brier score


@dataclass(frozen=True, slots=True)
class PoolPoint:
    """A point of the favourite–longshot curve: lines of which the money said about the same."""

    pool: str
    lines: int
    implied: float  # their mean share of the money
    exact: float  # their mean chance


@dataclass(frozen=True, slots=True)
class Spread:
    """Chips over games: the mean, and what 5 % and 95 % of them are below."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PoolRace:
    """What a pool held in a race."""

    pool: str
    race: int  # from 1
    staked: Spread  # in this race
    carried: Spread  # into it


@dataclass(frozen=True, slots=True)
class Market:
    """What the pools knew, at one table of each of the first deals."""

    deals: int
    scores: tuple[PoolScore, ...]  # pools without money are left out
    curve: tuple[PoolPoint, ...]  # by pool, longshots first
    pools: tuple[PoolRace, ...]  # by pool and race


@dataclass(frozen=True, slots=True)
class Regret:
    """What an agent's tickets were short of the best reply to the others' closed ones, in chips a race."""

    agent: str
    tickets: int  # compared
    own: float  # expected payouts less cost, a race
    best: float  # of the best ticket of a last mover who knows all others
    regret: float  # best - own
    interval: Interval


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All that a tournament prints."""

    leaderboard: tuple[Standing, ...]  # best profit first
    comparisons: tuple[Comparison, ...]  # every pair, the better placed as ``agent``
    duels: tuple[Duel, ...]  # every pair that met at a table of two; none where more sit
    abroad: Abroad | None  # None where no strangers were asked for
    left_out: tuple[LeftOut, ...]  # none where it was not asked for
    ratings: Ratings | None  # None where one is ranked at a table
    nash: Nash | None  # None but in contests of two
    deviations: tuple[Deviation, ...]  # in the order of the leaderboard; none without contexts, or rivals
    substitutions: tuple[Substitution, ...]  # the same by agent and holder
    seats: tuple[SeatProfit, ...]  # by agent, as on the leaderboard, and seat; none of one ranked seat
    bankrolls: Bankrolls | None  # None without a bankroll, and where one deal alone is too long to keep
    market: Market | None  # None in a game without pools
    regrets: tuple[Regret, ...]  # the same; in the order of the leaderboard
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
