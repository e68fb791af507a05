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
from .parquet import Columns, texts


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a row for each deal and name, of the arrays (deals, names) of a block."""

    table: str
    deals: str  # the field of the block that says which deals
    fields: dict[str, str]  # column -> field of the block

    def names(self, plan: Plan) -> dict[str, list[str]]:
        """The names that go with the columns of the arrays: the agents, or who met whom in a line-up."""
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


SUMS = ("cash", "adjusted", "staked", "ruined", "refused", "faults", "won", "drawn", "turns")
GRIDS = (
    Grid("deals", "deals", {name: name for name in SUMS}),
    Grid("substitutes", "contexts", {"cash": "swapped_cash", "adjusted": "swapped_adjusted"}),
    Grid("duels", "deals", {"cash": "duels"}),
    Grid("abroad", "contexts", {"cash": "abroad_cash", "adjusted": "abroad_adjusted"}),
    Grid("line_ups", "deals", {"adjusted": "seated_adjusted"}),
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
    fields: dict[str, Any] = {"deals": deals, "contexts": plan.contexts(deals)}
    for grid in GRIDS:
        fields |= _grid_fields(grid, plan, fields[grid.deals], tables.get(grid.table))
    return BlockResult(**fields, incidents=_incidents(tables.get(FAULTS)))


def _keys(grid: Grid, plan: Plan, deals: Rows) -> Columns:
    """The columns that say which row is which."""
    names = grid.names(plan)
    count = len(names["agent"])
    return {"deal": np.repeat(deals, count)} | {
        column: np.tile(texts(values), len(deals)) for column, values in names.items()
    }


def _grid_table(grid: Grid, plan: Plan, block: BlockResult) -> Columns:
    columns = _keys(grid, plan, getattr(block, grid.deals))
    return columns | {column: getattr(block, field).ravel() for column, field in grid.fields.items()}


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
    shape = (len(deals), len(grid.names(plan)["agent"]))
    return {
        field: np.ascontiguousarray(columns[column], types[column]).reshape(shape)
        for column, field in grid.fields.items()
    }


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
    kinds = TYPES[FAULTS]
    return {
        name: texts(values) if kinds[name] == "VARCHAR" else np.array(values, np.int64)
        for name, values in rows.items()
    }


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
