"""What tables say of who is stronger, as counts a rating can be fitted to.

A table at which everybody made another profit is a row of choices: the winner was chosen among all, the
second among the others, and so on (Luce, "Individual Choice Behavior", 1959; Plackett, "The analysis of
permutations", 1975). For the Plackett–Luce model it is enough to count how often each set of agents was
chosen from and how often each agent was chosen. Bradley and Terry ("Rank analysis of incomplete block
designs", 1952) look at every two seats of a table as a contest of their own: sets of two.

Level profits: every order of the agents that are level counts alike, with the weight 1 / number of orders, so
a draw is half a win. The counts are whole numbers in units small enough for that, and do not depend on the
order of tables, seats or deals.

Replicates are the counts of tournaments whose deals, with all their tables, are drawn anew (`resampling`).
Blocks of deals can be counted apart and added. Memory grows with sets × replicates, not with deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.errors import InvalidSettings
from ..games.kernels import Flags, Rows
from .resampling import REPLICATES, resampled_sums

MOST_SEATS = 16  # a tie of 16 has 65,535 sets to choose from

Sets = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """Counts of choices. Row 0 is the tournament as it was played, every other row a replicate."""

    sets: Sets  # the sets of agents that were chosen from, each ascending, in lexicographic order
    asked: Rows  # (1 + replicates, sets) int64, in units of 1 / ``unit``
    chosen: Rows  # (1 + replicates, agents) int64, in units of 1 / ``unit``
    unit: int
    scores: Rows  # (agents, agents) int64: 2 for each table at which the first was ahead, 1 where level
    deals: int

    def __add__(self, other: Choices) -> Choices:
        """The counts of both, which are of other deals and of the same seed.

        Raises:
            InvalidSettings: they were counted in different ways.
        """
        if (self.unit, self.chosen.shape) != (other.unit, other.chosen.shape):
            raise InvalidSettings(
                "only counts of the same kind, agents, seats and replicates can be added, not units of"
                f" 1/{self.unit} and 1/{other.unit}, {self.chosen.shape} and {other.chosen.shape} numbers"
            )
        sets = self.sets if self.sets == other.sets else tuple(sorted({*self.sets, *other.sets}))
        place = {members: column for column, members in enumerate(sets)}
        asked = np.zeros((len(self.asked), len(sets)), np.int64)
        for part in (self, other):
            asked[:, [place[members] for members in part.sets]] += part.asked
        return Choices(
            sets, asked, self.chosen + other.chosen, self.unit, self.scores + other.scores,
            self.deals + other.deals,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Tables:
    """Tables with their agents ascending from seat to seat."""

    deals: Rows  # (deals,) their numbers, ascending
    row: Rows  # (tables,) which of them
    agents: Rows  # (tables, seats)
    above: Rows  # (tables, seats) int64: seats with less profit; level seats have the same number
    entries: int


def count_placings(
    deals: Rows,
    agents: Rows,
    profit: NDArray[Any],
    entries: int,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Choices:
    """The choices of the Plackett–Luce model: each table is one order of its agents by profit.

    m agents that are level, with r agents behind them: a set of u of them and those r is chosen from in 1 of
    C(m, u) orders, and then each of the u is as likely.

    Args:
        deals: (tables,) the number of each table's deal, from 0.
        agents: (tables, seats) who sits there, 0 … entries − 1, nobody twice at a table; −1 is not rated.
        profit: (tables, seats) whole numbers or floats; level means equal to the last bit.
        entries: number of agents.
        seed: of the resampling.
        replicates: resampled tournaments; 0 leaves the ratings without intervals.

    Raises:
        InvalidSettings: shapes or numbers are not as said.
    """
    tables = _tables(deals, agents, profit, entries)
    seats = tables.agents.shape[1]
    unit = lcm(*range(1, seats + 1))  # a multiple of C(m, u) for all u ≤ m ≤ seats
    table, mask, weight = _stages(tables, unit)
    rated = tables.agents >= 0
    level = (tables.above[:, :, None] == tables.above[:, None, :]) & rated[:, None, :]
    tied = level.sum(axis=2)
    last = tables.above == np.where(rated, tables.above, seats).min(axis=1, keepdims=True)
    share = np.where(last, unit - unit // tied.clip(1), unit)  # where two are left, one of them is not chosen
    sets, column = _sets_of(tables, table, mask)
    return _counted(tables, sets, (table, column, weight), np.where(rated, share, 0), unit, seed, replicates)


def count_duels(
    deals: Rows,
    agents: Rows,
    profit: NDArray[Any],
    entries: int,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Choices:
    """The choices of the Bradley–Terry model: any two seats of a table are a contest, won by the greater
    profit, level profits half a win for both. Arguments and errors are those of `count_placings`.
    """
    tables = _tables(deals, agents, profit, entries)
    seats = tables.agents.shape[1]
    score = _score(tables)
    firsts, seconds = np.triu_indices(seats, 1)
    met = (tables.agents[:, firsts] >= 0) & (tables.agents[:, seconds] >= 0)  # (tables, pairs)
    table, pair = np.nonzero(met)
    mask = (1 << firsts[pair]) | (1 << seconds[pair])
    sets, column = _sets_of(tables, table, mask)
    events = (table, column, np.full(len(table), 2))
    return _counted(tables, sets, events, score.sum(axis=2), 2, seed, replicates)


def _tables(deals: Rows, agents: Rows, profit: NDArray[Any], entries: int) -> _Tables:
    _check(deals, agents, profit, entries)
    order = np.argsort(agents, axis=1)
    agents, profit = np.take_along_axis(agents, order, 1), np.take_along_axis(profit, order, 1)
    if ((agents[:, 1:] >= 0) & (agents[:, 1:] == agents[:, :-1])).any():
        raise InvalidSettings("an agent sits twice at a table; give the second its own number")
    above = (profit[:, :, None] > profit[:, None, :]).sum(axis=2)
    numbers, row = np.unique(deals, return_inverse=True)
    return _Tables(numbers, row, agents, above, entries)


def _check(deals: Rows, agents: Rows, profit: NDArray[Any], entries: int) -> None:
    if agents.ndim != 2 or profit.shape != agents.shape or deals.shape != agents.shape[:1]:
        raise InvalidSettings(
            "agents and profit are (tables, seats) and deals (tables,), not "
            f"{agents.shape}, {profit.shape} and {deals.shape}"
        )
    if not 2 <= agents.shape[1] <= MOST_SEATS:
        raise InvalidSettings(f"a table to rate has 2 to {MOST_SEATS} seats, not {agents.shape[1]}")
    if agents.size and not -1 <= agents.min() <= agents.max() < entries:
        raise InvalidSettings(f"agents are 0 to {entries - 1}, or -1, not {agents.min()} to {agents.max()}")
    if deals.size and deals.min() < 0:
        raise InvalidSettings(f"deals are numbered from 0, not from {deals.min()}")
    if np.isnan(profit).any():
        raise InvalidSettings("a profit is not a number")


def _score(tables: _Tables) -> Rows:
    """(tables, seats, seats) int64: 2 where the first is ahead, 1 where level, 0 behind or not rated."""
    above = tables.above
    score = 2 * (above[:, :, None] > above[:, None, :]) + (above[:, :, None] == above[:, None, :])
    rated: Flags = tables.agents >= 0
    other = ~np.eye(rated.shape[1], dtype=bool)
    return np.where(rated[:, :, None] & rated[:, None, :] & other, score, 0)


def _stages(tables: _Tables, unit: int) -> tuple[Rows, Rows, Rows]:
    """Table, set as bits of seats, and weight in units, of every set of two or more that was chosen from."""
    seats = tables.agents.shape[1]
    rated, above = tables.agents >= 0, tables.above
    bits = 1 << np.arange(seats)
    level = (above[:, :, None] == above[:, None, :]) & rated[:, :, None] & rated[:, None, :]
    behind = (above[:, :, None] > above[:, None, :]) & rated[:, None, :]
    rest = behind @ bits  # (tables, seats)
    first = rated & (level.argmax(axis=2) == np.arange(seats))  # one seat speaks for those level with it
    sizes = level.sum(axis=2)
    parts: list[tuple[Rows, Rows, Rows]] = []
    for size in range(1, seats + 1):
        table, seat = np.nonzero(first & (sizes == size))
        members = 1 << np.nonzero(level[table, seat])[1].reshape(-1, size)  # (groups, size)
        subset = np.arange(1, 1 << size)
        inside = (subset[:, None] >> np.arange(size)) & 1  # (subsets, size)
        weight = np.array([unit // comb(size, count) for count in range(size + 1)])[inside.sum(axis=1)]
        mask = members @ inside.T + rest[table, seat][:, None]  # (groups, subsets)
        whole = np.broadcast_to(weight, mask.shape)
        parts.append((np.repeat(table, len(subset)), mask.ravel(), whole.ravel()))
    found = [np.concatenate(column) for column in zip(*parts, strict=True)]
    several = found[1] & (found[1] - 1) != 0  # who is left alone is not chosen
    return found[0][several], found[1][several], found[2][several]


def _sets_of(tables: _Tables, table: Rows, mask: Rows) -> tuple[Sets, Rows]:
    """The sets that masks of seats stand for at their tables, and for each mask the column of its set."""
    seats = tables.agents.shape[1]
    line_ups, line_up = np.unique(tables.agents, axis=0, return_inverse=True)
    codes, code = np.unique(line_up.ravel()[table] << seats | mask, return_inverse=True)
    inside = (codes[:, None] >> np.arange(seats)) & 1 == 1
    members = [
        tuple(row[seats_in].tolist()) for row, seats_in in zip(line_ups[codes >> seats], inside, strict=True)
    ]
    sets = tuple(sorted(set(members)))
    place = {known: column for column, known in enumerate(sets)}
    return sets, np.array([place[known] for known in members], np.int64)[code]


def _counted(
    tables: _Tables,
    sets: Sets,
    asked: tuple[Rows, Rows, Rows],
    chosen: Rows,
    unit: int,
    seed: int,
    replicates: int,
) -> Choices:
    """Adds up (table, column, weight) of sets and (tables, seats) weights of agents, for every replicate."""
    table, column, weight = asked
    where, seat = np.nonzero(chosen)
    found = resampled_sums(
        tables.deals,
        np.concatenate([tables.row[table], tables.row[where]]),
        np.concatenate([column, len(sets) + tables.agents[where, seat]]),
        np.concatenate([weight, chosen[where, seat]]),
        len(sets) + tables.entries,
        seed,
        replicates,
    )
    return Choices(
        sets, found[:, : len(sets)], found[:, len(sets) :], unit, _summed_scores(tables), len(tables.deals)
    )


def _summed_scores(tables: _Tables) -> Rows:
    """(entries, entries) the scores of all tables."""
    score = _score(tables)
    table, one, two = np.nonzero(score)
    place = tables.agents[table, one] * tables.entries + tables.agents[table, two]
    sums = np.bincount(place, score[table, one, two], tables.entries**2)
    return sums.reshape(tables.entries, tables.entries).astype(np.int64)
