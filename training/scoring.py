"""What a saved agent earns in the seat it learned in: the score at the end of training, and `railbird eval`.

The same match play, luck adjustment and intervals as in a tournament, but the tables are those of training:
the agent in its seat, the rivals of the run clockwise behind it. Agents named for comparison take the same
seat on the same deals, against the same rivals with the same draws.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from ..agents.learned.folder import AgentFacts, find_agent, read_agent
from ..agents.registry import AgentSpec, label, parse_agent
from ..agents.seating import parse_banker, parse_player
from ..envs.variants import variant_of
from ..evaluation.blocks import TABLES_PER_BLOCK, AgentFactory, Idle, make_agent
from ..evaluation.match import MatchResult, play
from ..evaluation.results import Comparison, Interval, figure, interval_of
from ..evaluation.tally import MARGIN, Measure
from ..evaluation.verdicts import FixedNumber
from ..games.checks import whole
from ..games.contract import house_seat
from ..games.errors import BrokenFile, InvalidSettings
from ..games.kernels import Rows
from ..games.registry import load
from .opponents import LineUp, line_ups

DEALS: Final = 2_000
SEED: Final = 1
ROTATE: Final = "rotate"


@dataclass(frozen=True, slots=True)
class Seating:
    """The tables at which agents are scored."""

    game: str
    rules: Any  # the game's settings
    line_ups: tuple[tuple[AgentSpec, ...], ...]  # rivals, from deal to deal the next
    banker: AgentSpec | None
    seat: int | None  # of the agent; None: from line-up to line-up the next

    def place(self, deals: Rows, agents: int) -> Rows:
        """(deals · agents, seats): who sits where, agents first, then the rivals of each line-up, the banker
        last; deal by deal each agent has a table.
        """
        spec = load(self.game)
        players, house = int(self.rules.seats), house_seat(self.rules)
        groups, others = len(self.line_ups), len(self.line_ups[0])
        seats = players + (house is not None)
        group = deals % groups
        seat = deals // groups % players if self.seat is None else np.full(len(deals), self.seat)
        seating = np.full((len(deals), seats), agents + groups * others, np.int64)
        rows = np.arange(len(deals))
        for rival in range(others):
            where = np.full(len(deals), rival) if spec.players else (seat + 1 + rival) % players
            seating[rows, where] = agents + group * others + rival
        whole_seating = np.repeat(seating, agents, axis=0)
        tables = np.arange(len(whole_seating))
        whole_seating[tables, np.repeat(seat, agents)] = tables % agents
        return whole_seating


@dataclass(frozen=True, slots=True)
class Score:
    """What an agent earned in its seat; profits are chips per race."""

    agent: str
    game: str
    profit_per_race: float  # without luck
    interval: Interval
    cash_per_race: float
    cash_interval: Interval
    roi: float | None  # cash / chips staked; None if it never staked
    ruin: float  # share of games in which it came to a race without the chips for a bet
    faults: int
    deals: int
    races: int
    seed: int
    seat: int | str
    opponents: tuple[LineUp, ...]
    comparisons: tuple[Comparison, ...]  # the agent with each of those in the same seat

    def to_json(self) -> str:
        """The score as a JSON object, the same bytes for the same score."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def score_folder(
    text: str,
    deals: int = DEALS,
    seed: int = SEED,
    opponents: str | None = None,
    against: Sequence[str] = (),
) -> Score:
    """The score of a saved agent.

    Args:
        text: its folder, the folder of its run, or either with options behind a colon.
        deals: deals played, each with the next of the line-ups and seats.
        seed: root seed of the deals; no seed of a tournament or a score deals the games of training.
        opponents: the rivals; None: those it trained with.
        against: agents to compare it with, in the same seat.

    Raises:
        InvalidSettings, UnknownName: there is no such folder or agent, or a value is not allowed.
        BrokenFile: the folder is damaged.
    """
    path, _, options = text.partition(":")
    folder = find_agent(path)
    if folder is None:
        raise InvalidSettings(f"there is no agent in {path}; an agent folder holds an agent.json")
    facts = read_agent(folder).facts
    seating = seating_of(facts, opponents)
    agent = parse_agent(f"{folder}:{options}" if options else str(folder), facts.game)
    spec, banker = load(facts.game), "" if seating.banker is None else seating.banker.text
    rivals = [
        parse_agent(other, facts.game) if spec.players else parse_player(other, spec, seating.rules, banker)
        for other in against
    ]
    return score(seating, agent, deals, seed, rivals)


def seating_of(facts: AgentFacts, opponents: str | None = None) -> Seating:
    """The tables an agent learned at; with ``opponents`` those rivals.

    Raises:
        BrokenFile: the facts of the training cannot be read.
        InvalidSettings, UnknownName: the rules or rivals they name are not allowed.
    """
    told, spec = facts.training, load(facts.game)
    try:
        rules = spec.make_settings(**{name: _tupled(value) for name, value in dict(told["rules"]).items()})
        named = tuple(tuple(str(text) for text in line_up) for line_up in told["line_ups"])
        banker, where = str(told["banker"]), told["seat"]
    except (KeyError, TypeError) as error:
        raise BrokenFile(f"agent.json does not say how the agent was trained: {error}") from error
    if opponents is not None:
        named = line_ups(variant_of(facts.game), rules, opponents)
    others = int(rules.seats) - (0 if spec.players else 1)
    if not named or any(len(line_up) != others for line_up in named):
        raise InvalidSettings(f"rivals are {others} at this table, not {[len(line_up) for line_up in named]}")
    seat = house_seat(rules) if spec.players else None if where == ROTATE else where
    if seat is not None and not spec.players:
        whole("seat", seat, 0, int(rules.seats) - 1)
    return Seating(
        facts.game, rules,
        tuple(tuple(parse_player(text, spec, rules, banker) for text in line_up) for line_up in named),
        parse_banker(banker, spec, rules), seat,
    )  # fmt: skip


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def score(
    seating: Seating, agent: AgentFactory, deals: int, seed: int, rivals: Sequence[AgentFactory] = ()
) -> Score:
    """What an agent earns at these tables, and how that compares with others in the same seat.

    Raises:
        InvalidSettings: an agent cannot be made, or a number is out of range.
    """
    whole("deals", deals, 1, 10**9)
    whole("seed", seed, 0, 2**256)
    compared = (agent, *rivals)
    races = int(getattr(seating.rules, "races", 1))
    measure = Measure(len(compared), FixedNumber(seed))
    staked = np.zeros(len(compared), np.int64)
    cash, ruined, faults = 0, 0, 0
    step = max(1, TABLES_PER_BLOCK // len(compared))
    for first in range(0, deals, step):
        numbers = np.arange(first, min(first + step, deals))
        played, mine = _play(seating, compared, numbers, seed)
        shape = (len(numbers), len(compared))
        adjusted, money = played.adjusted[mine].reshape(shape), played.cash[mine].reshape(shape)
        measure.add(adjusted / races, money / races)
        staked += played.staked[mine].reshape(shape).sum(axis=0)
        cash += int(money[:, 0].sum())
        ruined += int(played.ruined[mine].reshape(shape)[:, 0].sum())
        faults += int(played.faults[mine].reshape(shape)[:, 0].sum())
    profit, money_earned = measure.each(measure.profit), measure.each(measure.cash)
    names = tuple(label([factory.text for factory in compared]))
    margin = figure(MARGIN * float(staked.mean()) / (deals * races))
    comparisons = measure.comparisons(names, list(range(len(names))), margin) if rivals else []
    return Score(
        agent=agent.text, game=seating.game,
        profit_per_race=figure(profit.mean[0]), interval=interval_of(profit, 0),
        cash_per_race=figure(money_earned.mean[0]), cash_interval=interval_of(money_earned, 0),
        roi=figure(cash / staked[0]) if staked[0] else None, ruin=figure(ruined / deals), faults=faults,
        deals=deals, races=deals * races, seed=seed, seat=ROTATE if seating.seat is None else seating.seat,
        opponents=tuple(tuple(rival.text for rival in line_up) for line_up in seating.line_ups),
        comparisons=tuple(pair for pair in comparisons if pair.agent == names[0]),
    )  # fmt: skip


def _play(
    seating: Seating, compared: Sequence[AgentFactory], deals: Rows, seed: int
) -> tuple[MatchResult, tuple[Rows, Rows]]:
    """The tables of some deals, and where the compared agents sit: tables and seats."""
    house: AgentFactory = seating.banker or Idle()
    factories = [*compared, *(rival for line_up in seating.line_ups for rival in line_up), house]
    players = [make_agent(factory, seating.rules) for factory in factories]
    place = seating.place(deals, len(compared))
    tables = np.arange(len(place))
    seats = (place == (tables % len(compared))[:, None]).argmax(axis=1)
    spec = load(seating.game)
    played = play(spec, seating.rules, seed, np.repeat(deals, len(compared)), players, place)
    return played, (tables, seats)
