"""The work of a tournament, cut into blocks of deals.

A block's result is a pure function of the plan and the block's number: which worker plays it, and when, makes
no difference.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.contract import house_seat
from ..games.errors import InvalidSettings, RailbirdError
from ..games.kernels import Chips, Floats, Rows
from ..games.registry import load
from .asking import Incident
from .lineups import contexts_of
from .market import MarketWatch, Sheet, compared_deals, watched_deals
from .match import MatchResult, Observer, play
from .paths import PathRecorder, kelly_of
from .supervision import RECORD, Watch

TABLES_PER_BLOCK = 4096  # as many as the kernels handle at full speed; fixed, so that blocks are
FOLLOWED = 500  # deals from the start whose bankrolls are kept race by race: ruin to about ± 4 % of the games
BANKROLLS = (
    2**20
)  # and no more bankrolls than this, 8 MiB an array, however long the games and many the agents


class AgentFactory(Protocol):
    """An agent by name; picklable, so that workers can make their own. `agents.registry.AgentSpec` is one."""

    @property
    def text(self) -> str:
        """The agent and its options, as written on the command line."""

    def make(self, settings: Any) -> Agent[Any]:
        """A fresh instance for tables of these rules."""


class NeverAsked(Agent[Any]):
    """Keeps a seat that has nothing to decide."""

    idea = "is never asked"
    source = "a house at published odds"

    def act(self, view: Any, draws: Any) -> NDArray[Any]:
        raise NotImplementedError("this seat has nothing to decide")


@dataclass(frozen=True, slots=True)
class Idle:
    """The factory of `NeverAsked`."""

    text: str = "house"

    def make(self, settings: Any) -> Agent[Any]:
        """A fresh instance."""
        return NeverAsked(settings)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides what is played."""

    game: str
    rules: Any  # the game's settings
    seed: int
    deals: int
    substitutes: int  # every how many deals agents are tried in each other's place; 0: never
    labels: tuple[str, ...]  # an entry each
    factories: tuple[AgentFactory, ...]  # an entry each
    line_ups: Rows  # (line-ups, ranked seats) entries
    seating: Rows  # (tables of a deal, ranked seats) entries: the line-ups in all rotations
    ranked: Rows  # (ranked seats,) the seats in which entries sit
    fixed: tuple[AgentFactory, ...] = ()  # who sits in each of the other seats, at every table
    first: int = 0  # deals from the start that all have agents tried in each other's place
    strangers: tuple[AgentFactory, ...] = ()  # a population from which rivals are drawn, but nobody is ranked
    stranger_line_ups: Rows = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # of their numbers
    by_line_up: bool = False  # profits are kept apart by line-up too
    until: float | None = None  # half-widths of all agents' profits at which it is enough
    margin: float | None = None  # differences up to this count as none, a race; None: see `tally`

    @property
    def races(self) -> int:
        """Races in a game; profits are given per race. A game without races is one."""
        return int(getattr(self.rules, "races", 1))

    @property
    def deals_per_block(self) -> int:
        """Deals that are played at once."""
        return max(1, TABLES_PER_BLOCK // len(self.seating))

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.deals // self.deals_per_block)

    @property
    def appearances(self) -> int:
        """Tables of a deal at which each entry sits."""
        return self.seating.size // len(self.labels)

    @property
    def bankrolls(self) -> int:
        """Bankrolls of a deal that are kept race by race; 0 where none are.

        None are in a game that brings no chips or ranks its bank, or where a single deal has too many.
        """
        start, ranked = getattr(self.rules, "bankroll", None), self.ranked.tolist()
        cells = int(self.seating.size) * (self.races + 1)
        return 0 if not start or house_seat(self.rules) in ranked or cells > BANKROLLS else cells

    @property
    def followed(self) -> int:
        """Deals from the start whose bankrolls are kept race by race."""
        return min(FOLLOWED, BANKROLLS // self.bankrolls) if self.bankrolls else 0

    def seated(self, seating: Rows, first_fixed: int) -> Rows:
        """(tables, ranked seats) -> (tables, seats): with the fixed agents too, numbered from here on."""
        seats = len(self.ranked) + len(self.fixed)
        whole = np.empty((len(seating), seats), np.int64)
        whole[:, self.ranked] = seating
        whole[:, np.setdiff1d(np.arange(seats), self.ranked)] = first_fixed + np.arange(len(self.fixed))
        return whole

    def block(self, number: int) -> Rows:
        """The deals of a block, their lane numbers (n,) int64."""
        first = number * self.deals_per_block
        return np.arange(first, min(first + self.deals_per_block, self.deals))

    def contexts(self, deals: Rows) -> Rows:
        """Those of the deals in which agents are tried in each other's place."""
        if self.substitutes == 0:
            return deals[:0]
        chosen: Rows = deals[(deals < self.first) | (deals % self.substitutes == 0)]
        return chosen

    def paths(self, deals: Rows) -> Rows:
        """Those of the deals whose bankrolls are kept race by race."""
        kept: Rows = deals[deals < self.followed]
        return kept

    def watched(self, deals: Rows) -> Rows:
        """Those of the deals of which a table's pools are watched."""
        return watched_deals(self.game, deals)

    def compared(self, deals: Rows) -> Rows:
        """Those of the deals whose watched table has its tickets compared with the best reply."""
        return compared_deals(self.watched(deals), (len(self.ranked) + len(self.fixed)) * self.races)

    def contexts_before(self, deals: Rows) -> Rows:
        """How many of the deals before each of these have agents tried in each other's place."""
        if self.substitutes == 0:
            return np.zeros_like(deals)
        later = -(-deals // self.substitutes) + self.first // -self.substitutes
        found: Rows = np.minimum(deals, self.first) + np.maximum(later, 0)
        return found


@dataclass(frozen=True, slots=True)
class BlockResult:
    """What the entries made of a block of deals."""

    deals: Rows  # (n,)
    cash: Chips  # (n, entries) int64 profit, summed over the entry's tables of the deal
    adjusted: Floats  # (n, entries) the same without the luck of the payouts
    staked: Chips  # (n, entries) int64
    ruined: Rows  # (n, entries) tables at which it was ruined
    refused: Rows  # (n, entries) tickets refused
    faults: Rows  # (n, entries) decisions replaced by the empty one
    won: Rows  # (n, entries) tables that ended in profit
    drawn: Rows  # (n, entries) tables that ended level
    turns: Rows  # (n, entries) turns of the entry's tables
    duels: Chips  # (n, line-ups) int64 profit of the first of two over all rotations; (n, 0) beyond two seats
    contexts: Rows  # (m,) deals in which agents were tried in each other's place
    swapped_cash: Chips  # (m, entries) int64 profit of each entry in that place
    swapped_adjusted: Floats  # (m, entries)
    abroad_cash: Chips  # (m, entries) the same among strangers; (m, 0) where there are none
    abroad_adjusted: Floats  # (m, entries) or (m, 0)
    game_cash: Chips  # (n, tables of a deal · ranked seats) int64 profit at each table
    game_adjusted: Floats  # the same without the luck of the payouts
    followed: Rows  # (p,) deals whose bankrolls are kept race by race
    bankrolls: (
        Chips  # (p, tables of a deal · ranked seats · (races + 1)) int64: at the start, after each race
    )
    stakes: Chips  # the same: chips staked in the race that led there
    out: Rows  # the same: 1 where the seat can pay for no bet any more, else 0
    kelly: Floats  # the same: what the Kelly bettor would have staked in that race, NaN where not known
    seated_adjusted: Floats  # (n, line-ups · ranked seats) by place in a line-up, where asked for; or (n, 0)
    market: Sheet  # what was seen of the pools at some of the tables
    incidents: tuple[Incident, ...]  # of the tables; ``player`` is the entry


def play_block(plan: Plan, number: int, watch: Watch | None = None) -> BlockResult:
    """Plays all tables of a block: every line-up in every rotation, then the contexts.

    What agents print goes to stderr: stdout belongs to the result. Where somebody supervises the process,
    ``watch`` tells which agent is being asked.
    """
    with redirect_stdout(sys.stderr):
        return _play_block(plan, number, watch or Watch([0.0] * RECORD, {}))


def _play_block(plan: Plan, number: int, watch: Watch) -> BlockResult:
    deals = plan.block(number)
    entries, count = len(plan.labels), len(plan.seating)
    seating = np.tile(plan.seating, (len(deals), 1))
    followed = plan.paths(deals)
    paths = PathRecorder(len(followed) * count, plan.races, kelly_of(plan.rules))
    pools = _market_watch(plan, deals)
    observers: list[Observer] = [*([paths] if len(followed) else []), *([pools] if pools.watches else [])]
    table = play(
        load(plan.game), plan.rules, plan.seed, np.repeat(deals, count),
        _field(plan, watch), plan.seated(seating, entries), observers,
    )  # fmt: skip
    place = np.repeat(np.arange(len(deals)), count)[:, None] * entries + seating

    def total(values: NDArray[Any]) -> NDArray[Any]:
        # adds up in the order of the tables, so a deal's sum does not depend on the deals beside it
        values = values[:, plan.ranked]  # (deals · tables of a deal, ranked seats)
        sums = np.bincount(place.ravel(), values.ravel(), len(deals) * entries).reshape(len(deals), entries)
        return sums if values.dtype.kind == "f" else sums.astype(np.int64)

    contexts = plan.contexts(deals)
    bankrolls, stakes, out, kelly = paths.kept(plan.ranked, (len(followed), plan.bankrolls))
    return BlockResult(
        deals, total(table.cash), total(table.adjusted), total(table.staked), total(table.ruined),
        total(table.refused), total(table.faults), total(table.cash > 0), total(table.cash == 0),
        total(np.broadcast_to(table.turns[:, None], table.cash.shape)), _duels(plan, table.cash),
        contexts, *_try_everyone(plan, contexts, watch), *_try_abroad(plan, contexts, watch),
        table.cash[:, plan.ranked].reshape(len(deals), -1),
        table.adjusted[:, plan.ranked].reshape(len(deals), -1),
        followed, bankrolls, stakes, out, kelly, _by_line_up(plan, table.adjusted), pools.sheet(),
        table.incidents,
    )  # fmt: skip


def _market_watch(plan: Plan, deals: Rows) -> MarketWatch:
    """The watch of one table of each of the first deals: another rotation of another line-up each time."""
    watched = plan.watched(deals)
    tables = (watched - deals[0]) * len(plan.seating) + watched % len(plan.seating)
    return MarketWatch(plan.game, watched, tables, plan.compared(deals), plan.races, len(plan.labels))


def _duels(plan: Plan, cash: Chips) -> Chips:
    """(deals, line-ups) what the first of each line-up of two won of the other over all rotations."""
    count = len(plan.line_ups)
    if len(plan.ranked) != 2:
        return np.zeros((len(cash) // len(plan.seating), 0), np.int64)
    rotations = len(plan.seating) // count
    firsts = np.repeat(plan.line_ups[:, 0], rotations)[:, None]  # (tables of a deal, 1)
    seat = plan.ranked[(plan.seating == firsts).argmax(axis=1)]  # (tables of a deal,)
    won = cash.reshape(-1, len(plan.seating), cash.shape[1])[:, np.arange(len(seat)), seat]
    summed: Chips = won.reshape(-1, count, rotations).sum(axis=2)
    return summed


def _by_line_up(plan: Plan, adjusted: Floats) -> Floats:
    """(deals, line-ups · ranked seats) adjusted profit of each place in a line-up, summed over rotations."""
    count, seats = plan.line_ups.shape
    deals = len(adjusted) // len(plan.seating)
    if not plan.by_line_up:
        return np.zeros((deals, 0))
    rotated = adjusted[:, plan.ranked].reshape(deals, count, seats, seats)  # deal, line-up, rotation, seat
    summed = np.zeros((deals, count, seats))
    for rotation in range(seats):  # in this order whatever the block's shape, see `_play_block`
        summed += rotated[:, :, rotation, (np.arange(seats) + rotation) % seats]
    return summed.reshape(deals, -1)


def _try_everyone(plan: Plan, deals: Rows, watch: Watch) -> tuple[Chips, Floats]:
    """(deals, entries) cash and adjusted profit of every entry in the place of the deal's context.

    An entry may meet itself there: the one that is tried is another instance than the rival.
    """
    return _try_among(plan, deals, plan.line_ups, _players(plan, plan.factories, 0, watch), watch)


def _try_abroad(plan: Plan, deals: Rows, watch: Watch) -> tuple[Chips, Floats]:
    """(deals, entries) the same where the rivals are strangers; (deals, 0) without any."""
    if not plan.strangers:
        return np.zeros((len(deals), 0), np.int64), np.zeros((len(deals), 0))
    behind = len(plan.factories) + len(plan.fixed)
    strangers = _players(plan, plan.strangers, behind, watch)
    return _try_among(plan, deals, plan.stranger_line_ups, strangers, watch)


def _try_among(
    plan: Plan, deals: Rows, line_ups: Rows, rivals: list[Agent[Any]], watch: Watch
) -> tuple[Chips, Floats]:
    """(deals, entries) cash and adjusted profit of every entry in a place of these line-ups of rivals."""
    entries, first = len(plan.labels), len(rivals)
    shape = (len(deals), entries)
    if not len(deals):
        return np.zeros(shape, np.int64), np.zeros(shape)
    places = contexts_of(plan.contexts_before(deals), line_ups)
    seating = np.repeat(places.rivals, entries, axis=0)
    tables, seat = np.arange(len(seating)), np.repeat(places.seat, entries)
    seating[tables, seat] = first + tables % entries
    result: MatchResult = play(
        load(plan.game), plan.rules, plan.seed, np.repeat(deals, entries),
        [*rivals, *_field(plan, watch)], plan.seated(seating, first + entries),
    )  # fmt: skip
    seat = plan.ranked[seat]
    return result.cash[tables, seat].reshape(shape), result.adjusted[tables, seat].reshape(shape)


def _field(plan: Plan, watch: Watch) -> list[Agent[Any]]:
    """A fresh instance of each entry, then of each of the fixed agents."""
    return _players(plan, (*plan.factories, *plan.fixed), 0, watch)


def _players(plan: Plan, factories: Sequence[AgentFactory], first: int, watch: Watch) -> list[Agent[Any]]:
    """A fresh instance of each, watched under its number, which count from ``first``."""
    made = [make_agent(factory, plan.rules) for factory in factories]
    return [watch.guard(agent, number) for number, agent in enumerate(made, start=first)]


def make_agents(plan: Plan) -> list[Agent[Any]]:
    """A fresh instance for each entry.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    return [make_agent(factory, plan.rules) for factory in plan.factories]


def make_fixed(plan: Plan) -> list[Agent[Any]]:
    """A fresh instance for each of the fixed agents.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    return [make_agent(factory, plan.rules) for factory in plan.fixed]


def make_agent(factory: AgentFactory, rules: Any) -> Agent[Any]:
    """A fresh instance for tables of these rules.

    Raises:
        InvalidSettings: it cannot be made.
    """
    try:
        return factory.make(rules)
    except RailbirdError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise InvalidSettings(f"agent {factory.text} cannot be made: {reason}") from error
