"""What a tournament's folder holds: a summary, or the answer to a question in SQL."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

from ..evaluation.store import TABLES, Answer, Reader
from ..games.errors import InvalidSettings

MOST_ROWS = 50  # that are printed as a table
WIDEST = 10_000  # characters of a line of the table

SUMMARY = """
    select agent, sum(adjusted) / count(*) / {races} as profit, sum(cash) / count(*) / {races} as cash,
        sum(cash) / nullif(sum(staked), 0) as roi, sum(faults)::bigint as faults
    from deals group by agent order by profit desc, cash desc, agent
"""  # profit without luck and cash, both in chips per race

EXAMPLES = (
    "select agent, avg(cash), stddev(cash) from deals group by agent",
    "select agent, deal, cash from deals order by cash desc limit 10",
    "select a.agent, avg(a.adjusted - b.adjusted) from substitutes a join substitutes b using (deal)"
    " where b.agent = '{agent}' group by 1",
)


def results(folder: Path, sql: str | None = None, as_json: bool = False, as_csv: bool = False) -> None:
    """Prints what the folder of a tournament holds, or what a question in SQL finds in it.

    Args:
        folder: as written by ``railbird tournament --out``; the tournament need not be finished.
        sql: one SELECT over the views deals, substitutes, duels and faults; None: a summary.
        as_json: prints the rows as one JSON array of objects.
        as_csv: prints them as CSV.

    Raises:
        InvalidSettings: there is no tournament in the folder, or the question cannot be answered.
        BrokenFile: a file is damaged.
    """
    if as_json and as_csv:
        raise InvalidSettings("--json and --csv are two ways to print the rows; choose one")
    with Reader(folder) as reader:
        answer = reader.ask(SUMMARY.format(races=_races(reader)) if sql is None else sql)
        if as_json:
            _print_json(answer)
        elif as_csv:
            _print_csv(answer)
        else:
            _print_table(answer, reader, summary=sql is None)


def _races(reader: Reader) -> int:
    """Races an agent runs in a deal."""
    design = reader.manifest["design"]
    return int(design["tables_per_agent"] * design["races"])


def _print_json(answer: Answer) -> None:
    before = "[\n"
    for row in answer.rows:
        values = dict(zip(answer.columns, map(plain_value, row), strict=True))
        sys.stdout.write(f"{before}  {json.dumps(values, ensure_ascii=False, default=str)}")
        before = ",\n"
    sys.stdout.write("[]\n" if before == "[\n" else "\n]\n")


def _print_csv(answer: Answer) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)


def _print_table(answer: Answer, reader: Reader, summary: bool) -> None:
    console = Console()
    rows = iter(answer.rows)
    shown = list(islice(rows, MOST_ROWS))
    table = _table(answer.columns, shown)
    needed = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
    wide = Console(width=max(console.width, needed))  # the terminal may wrap lines; nothing is cut off
    wide.print(table, crop=False, soft_wrap=True)
    left = sum(1 for _ in rows)
    if left:
        console.print(f"and {left:,} more rows; --csv or --json prints them all", highlight=False)
    if summary:
        for line in _explanation(reader, [row[0] for row in shown]):
            console.print(escape(line), highlight=False, soft_wrap=True)


def _table(columns: list[str], rows: list[tuple[Any, ...]]) -> Table:
    table = Table()
    for place, column in enumerate(columns):
        numeric = all(isinstance(row[place], int | float | Decimal | None) for row in rows)
        table.add_column(escape(column), justify="right" if numeric else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(escape(_cell(value)) for value in row))
    return table


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


def plain_value(value: Any) -> Any:
    """A value as JSON has it: no NaN, whole decimals as integers."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not isfinite(value):
        return None
    return value


def _explanation(reader: Reader, agents: list[str]) -> Iterator[str]:
    """What the summary shows, and how to go on."""
    settings, seed = reader.manifest["settings"], reader.manifest["seed"]
    played = next(reader.ask("select count(distinct deal) from deals").rows)[0]
    state = "finished" if reader.finished else "not finished: the same command with --out goes on"
    yield f"{settings['game']}, seed {seed}: {played:,} of {settings['deals']:,} deals, {state}."
    yield f"Profit (without luck) and cash are chips per race. Tables: {', '.join(TABLES)}. To ask them:"
    yield from _commands(reader.folder, agents[:1] or settings["agents"][:1])


def _commands(folder: Path, agents: Iterable[str]) -> Iterator[str]:
    for agent in agents:
        for example in EXAMPLES:
            yield f'  railbird results {folder} --sql "{example.format(agent=agent)}"'
