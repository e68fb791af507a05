"""A block's result as tables, and back. The two are the same to the last bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.errors import BrokenFile
from ...games.kernels import Rows
from ..asking import Fault, Incident
from ..blocks import BlockResult, Plan
from ..market import BINS, Sheet, pools_of
from .parquet import Columns, texts


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a row for each deal and name, of the arrays (deals, names) of a block."""

    table: str
    deals: str  # the field of the block that says which deals
    fields: dict[str, str]  # column -> field of the block, or of its part
    part: str = ""  # "market": the fields are those of the block's sheet

    def names(self, plan: Plan) -> dict[str, list[Any]]:
        """The names that go with the columns of the arrays: the agents, or who met whom in a line-up, or who
        sat where, race by race; or the pools, with a race or a bin each.
        """
        pools = list(pools_of(plan.game))
        if self.table == "scores":
            return {"pool": pools}
        if self.table == "pools":
            races = np.repeat(np.arange(1, plan.races + 1), len(pools)).tolist()
            return {"race": races, "pool": pools * plan.races}
        if self.table == "curve":
            return {"pool": np.repeat(pools, BINS).tolist(), "bin": list(range(BINS)) * len(pools)}
        if self.table in ("games", "paths"):
            return _seated(plan, self.table == "paths")
        if self.table == "line_ups":
            line_ups = plan.line_ups if plan.by_line_up else plan.line_ups[:0]
            return {
                "line_up": [str(number) for number, line_up in enumerate(line_ups) for _ in line_up],
                "agent": [plan.labels[entry] for entry in line_ups.ravel()],
            }
        if self.table != "duels":
            return {"agent": [] if self.table == "abroad" and not plan.strangers else list(plan.labels)}
        pairs = plan.line_ups if len(plan.ranked) == 2 else plan.line_ups[:0, :2]
        return {
            "agent": [plan.labels[first] for first, _ in pairs],
            "rival": [plan.labels[second] for _, second in pairs],
        }


def _seated(plan: Plan, by_race: bool) -> dict[str, list[Any]]:
    """Who sits in which seat of each table of a deal, once or at the start and after every race."""
    seats = len(plan.ranked)
    times = plan.races + 1 if by_race else 1
    seating = plan.seating[: len(plan.seating) if plan.followed or not by_race else 0]
    names: dict[str, list[Any]] = {
        "game": np.repeat(np.arange(len(seating)), seats * times).tolist(),
        "seat": np.tile(np.repeat(plan.ranked, times), len(seating)).tolist(),
        "agent": [plan.labels[entry] for entry in np.repeat(seating, times)],
    }
    return names | ({"race": list(range(times)) * seating.size} if by_race else {})


MARKET = "market"
SCORES = ("log_money", "log_even", "log_exact", "brier_money", "brier_even", "brier_exact")
SUMS = ("cash", "adjusted", "staked", "ruined", "refused", "faults", "won", "drawn", "turns")
GRIDS = (
    Grid("deals", "deals", {name: name for name in SUMS}),
    Grid("substitutes", "contexts", {"cash": "swapped_cash", "adjusted": "swapped_adjusted"}),
    Grid("duels", "deals", {"cash": "duels"}),
    Grid("abroad", "contexts", {"cash": "abroad_cash", "adjusted": "abroad_adjusted"}),
    Grid("line_ups", "deals", {"adjusted": "seated_adjusted"}),
    Grid("games", "deals", {"cash": "game_cash", "adjusted": "game_adjusted"}),
    Grid(
        "paths",
        "followed",
        {"bankroll": "bankrolls", "staked": "stakes", "out": "out", "kelly": "kelly"},
    ),
    Grid("pools", "watched", {"staked": "staked", "carried": "carried"}, MARKET),
    Grid("scores", "watched", {"races": "scored"} | {name: name for name in SCORES}, MARKET),
    Grid("curve", "watched", {name: name for name in ("lines", "implied", "exact")}, MARKET),
    Grid("regrets", "compared", {name: name for name in ("tickets", "own", "best")}, MARKET),
)
FAULTS = "faults"
NUMBERS = {"BIGINT": np.int64, "DOUBLE": np.float64}
TYPES = {
    "deals": {"deal": "BIGINT", "agent": "VARCHAR"}
    | {name: "DOUBLE" if name == "adjusted" else "BIGINT" for name in SUMS},
    "substitutes": {"deal": "BIGINT", "agent": "VARCHAR", "cash": "BIGINT", "adjusted": "DOUBLE"},
    "duels": {"deal": "BIGINT", "agent": "VARCHAR", "rival": "VARCHAR", "cash": "BIGINT"},
    "abroad": {"deal": "BIGINT", "agent": "VARCHAR", "cash": "BIGINT", "adjusted": "DOUBLE"},
    "line_ups": {"deal": "BIGINT", "line_up": "VARCHAR", "agent": "VARCHAR", "adjusted": "DOUBLE"},
    "games": {
        "deal": "BIGINT", "game": "BIGINT", "seat": "BIGINT", "agent": "VARCHAR", "cash": "BIGINT",
        "adjusted": "DOUBLE",
    },
    "paths": {
        "deal": "BIGINT", "game": "BIGINT", "seat": "BIGINT", "agent": "VARCHAR", "race": "BIGINT",
        "bankroll": "BIGINT", "staked": "BIGINT", "out": "BIGINT", "kelly": "DOUBLE",
    },
    "pools": {
        "deal": "BIGINT", "race": "BIGINT", "pool": "VARCHAR", "staked": "BIGINT", "carried": "BIGINT",
    },
    "scores": {"deal": "BIGINT", "pool": "VARCHAR", "races": "BIGINT"} | dict.fromkeys(SCORES, "DOUBLE"),
    "curve": {
        "deal": "BIGINT", "pool": "VARCHAR", "bin": "BIGINT", "lines": "BIGINT", "implied": "DOUBLE",
        "exact": "DOUBLE",
    },
    "regrets": {
        "deal": "BIGINT", "agent": "VARCHAR", "tickets": "BIGINT", "own": "DOUBLE", "best": "DOUBLE",
    },
    "faults": {
        "deal": "BIGINT", "agent": "VARCHAR", "fault": "VARCHAR", "turn": "BIGINT", "seat": "BIGINT",
        "reason": "VARCHAR", "player": "BIGINT", "place": "BIGINT",
    },
}  # table -> its columns in order, with their types in DuckDB  # fmt: skip


def to_tables(plan: Plan, block: BlockResult) -> dict[str, Columns]:
    """The tables of a block; those without rows are left out."""
    tables = {grid.table: _grid_table(grid, plan, block) for grid in GRIDS}
    tables[FAULTS] = _faults_table(plan, block.incidents)
    return {name: columns for name, columns in tables.items() if len(columns["deal"])}


def from_tables(plan: Plan, number: int, tables: dict[str, Columns]) -> BlockResult:
    """The block of a number from its tables.

    Raises:
        BrokenFile: a column is missing, or rows are those of other deals or agents.
    """
    deals = plan.block(number)
    fields: dict[str, Any] = {"deals": deals, "contexts": plan.contexts(deals), "followed": plan.paths(deals)}
    sheet: dict[str, Any] = {"watched": plan.watched(deals), "compared": plan.compared(deals)}
    for grid in GRIDS:
        kept = sheet if grid.part else fields
        kept |= _grid_fields(grid, plan, kept[grid.deals], tables.get(grid.table))
    return BlockResult(**fields, market=Sheet(**sheet), incidents=_incidents(tables.get(FAULTS)))


def _keys(grid: Grid, plan: Plan, deals: Rows) -> Columns:
    """The columns that say which row is which."""
    names = grid.names(plan)
    count = _count(names)
    return {"deal": np.repeat(deals, count)} | {
        column: np.tile(_column(grid.table, column, values), len(deals)) for column, values in names.items()
    }


def _count(names: dict[str, list[Any]]) -> int:
    """Rows of a deal."""
    return len(next(iter(names.values())))


def _column(table: str, column: str, values: list[Any]) -> NDArray[Any]:
    kind = TYPES[table][column]
    return texts(values) if kind == "VARCHAR" else np.array(values, NUMBERS[kind])


def _grid_table(grid: Grid, plan: Plan, block: BlockResult) -> Columns:
    kept = getattr(block, grid.part) if grid.part else block
    columns = _keys(grid, plan, getattr(kept, grid.deals))
    return columns | {column: getattr(kept, field).ravel() for column, field in grid.fields.items()}


def _grid_fields(grid: Grid, plan: Plan, deals: Rows, columns: Columns | None) -> dict[str, NDArray[Any]]:
    """The arrays of a block from the table of a grid, None where it has no rows."""
    keys = _keys(grid, plan, deals)
    types = {column: NUMBERS[TYPES[grid.table][column]] for column in grid.fields}
    if columns is None:
        columns = {column: values[:0] for column, values in keys.items()}
        columns |= {column: np.zeros(0, kind) for column, kind in types.items()}
    _check_columns(grid.table, columns)
    if any(not np.array_equal(columns[column], values) for column, values in keys.items()):
        raise BrokenFile(f"table {grid.table} has rows of other deals or agents")
    shape = (len(deals), _count(grid.names(plan)))
    return {
        field: np.ascontiguousarray(_known(columns[column]), types[column]).reshape(shape)
        for column, field in grid.fields.items()
    }


def _known(values: NDArray[Any]) -> NDArray[Any]:
    """The values of a column, NaN where DuckDB has kept that as null."""
    known: NDArray[Any] = np.ma.filled(values, np.nan) if values.dtype.kind == "f" else values
    return known


def _check_columns(table: str, columns: Columns) -> None:
    missing = [column for column in TYPES[table] if column not in columns]
    if missing:
        raise BrokenFile(f"table {table} has no column {missing[0]}")


def _faults_table(plan: Plan, incidents: tuple[Incident, ...]) -> Columns:
    names = (*plan.labels, *(factory.text for factory in plan.fixed))
    rows: dict[str, list[Any]] = {
        "deal": [it.deal for it in incidents],
        "agent": [names[it.player] for it in incidents],
        "fault": [it.fault.name.lower() for it in incidents],
        "turn": [it.turn for it in incidents],
        "seat": [it.seat for it in incidents],
        "reason": [it.reason for it in incidents],
        "player": [it.player for it in incidents],
        "place": [it.table for it in incidents],
    }
    return {name: _column(FAULTS, name, values) for name, values in rows.items()}


def _incidents(columns: Columns | None) -> tuple[Incident, ...]:
    if columns is None:
        return ()
    _check_columns(FAULTS, columns)
    return tuple(
        Incident(
            player=int(columns["player"][row]), fault=Fault[columns["fault"][row].upper()],
            deal=int(columns["deal"][row]), table=int(columns["place"][row]),
            turn=int(columns["turn"][row]), seat=int(columns["seat"][row]), reason=columns["reason"][row],
        )
        for row in range(len(columns["deal"]))
    )  # fmt: skip
