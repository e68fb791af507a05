"""The work of a tournament, cut into blocks of deals.

A block's result is a pure function of the plan and the block's number: which worker plays it, and when, makes
no difference.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.errors import InvalidSettings, RailbirdError
from ..games.kernels import Chips, Floats, Rows
from ..games.registry import load
from .asking import Incident
from .lineups import contexts_of
from .match import MatchResult, play
from .supervision import RECORD, Watch

TABLES_PER_BLOCK = 4096  # as many as the kernels handle at full speed; fixed, so that blocks are


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
        chosen: Rows = deals[deals % self.substitutes == 0]
        return chosen


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
    table = play(
        load(plan.game), plan.rules, plan.seed, np.repeat(deals, count),
        _players(plan, 1, watch), plan.seated(seating, entries),
    )  # fmt: skip
    place = np.repeat(np.arange(len(deals)), count)[:, None] * entries + seating

    def total(values: NDArray[Any]) -> NDArray[Any]:
        # adds up in the order of the tables, so a deal's sum does not depend on the deals beside it
        values = values[:, plan.ranked]  # (deals · tables of a deal, ranked seats)
        sums = np.bincount(place.ravel(), values.ravel(), len(deals) * entries).reshape(len(deals), entries)
        return sums if values.dtype.kind == "f" else sums.astype(np.int64)

    contexts = plan.contexts(deals)
    swapped = _try_everyone(plan, contexts, watch)
    return BlockResult(
        deals, total(table.cash), total(table.adjusted), total(table.staked), total(table.ruined),
        total(table.refused), total(table.faults), total(table.cash > 0), total(table.cash == 0),
        total(np.broadcast_to(table.turns[:, None], table.cash.shape)), _duels(plan, table.cash),
        contexts, *swapped, table.incidents,
    )  # fmt: skip


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


def _try_everyone(plan: Plan, deals: Rows, watch: Watch) -> tuple[Chips, Floats]:
    """(deals, entries) cash and adjusted profit of every entry in the place of the deal's context.

    An entry may meet itself there: the one that is tried is another instance than the rival.
    """
    entries = len(plan.labels)
    shape = (len(deals), entries)
    if not len(deals):
        return np.zeros(shape, np.int64), np.zeros(shape)
    places = contexts_of(deals // plan.substitutes, plan.line_ups)
    seating = np.repeat(places.rivals, entries, axis=0)
    tables, seat = np.arange(len(seating)), np.repeat(places.seat, entries)
    seating[tables, seat] = entries + tables % entries
    result: MatchResult = play(
        load(plan.game), plan.rules, plan.seed, np.repeat(deals, entries),
        _players(plan, 2, watch), plan.seated(seating, 2 * entries),
    )  # fmt: skip
    seat = plan.ranked[seat]
    return result.cash[tables, seat].reshape(shape), result.adjusted[tables, seat].reshape(shape)


def _players(plan: Plan, copies: int, watch: Watch) -> list[Agent[Any]]:
    """So many fresh instances of each entry, one row of them after the other, then the fixed agents."""
    entries = len(plan.labels)
    numbers = [*range(entries)] * copies + [*range(entries, entries + len(plan.fixed))]
    agents = [agent for _ in range(copies) for agent in make_agents(plan)] + make_fixed(plan)
    return [watch.guard(agent, number) for agent, number in zip(agents, numbers, strict=True)]


def make_agents(plan: Plan) -> list[Agent[Any]]:
    """A fresh instance for each entry.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    return [_made(factory.make, plan.rules, factory.text) for factory in plan.factories]


def make_fixed(plan: Plan) -> list[Agent[Any]]:
    """A fresh instance for each of the fixed agents.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    return [_made(factory.make, plan.rules, factory.text) for factory in plan.fixed]


def _made(make: Callable[[Any], Agent[Any]], rules: Any, text: str) -> Agent[Any]:
    try:
        return make(rules)
    except RailbirdError:
        raise
    except Exception as error:
        raise InvalidSettings(f"agent {text} cannot be made: {type(error).__name__}: {error}") from error
