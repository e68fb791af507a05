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

from ..evaluation.export import pipe_table, to_csv, to_markdown
from ..evaluation.store import TABLES, Answer, Reader
from ..games.errors import BrokenFile, InvalidSettings
from .formats import choose_format

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
    "select race, median(bankroll) from paths where agent = '{agent}' group by race order by race",
)


def results(
    folder: Path,
    sql: str | None = None,
    as_json: bool = False,
    as_csv: bool = False,
    output: str | None = None,
) -> None:
    """Prints what the folder of a tournament holds, or what a question in SQL finds in it.

    Args:
        folder: as written by ``railbird tournament --out``. The tournament need not be finished for a summary
            or an answer.
        sql: one SELECT over the views `TABLES`; None: a summary as text, the result in the other formats.
        as_json: short for the format json.
        as_csv: short for the format csv.
        output: text; json: the whole result, or the rows as an array of objects; csv: the leaderboard with
            all columns, or the rows; md: either as a table.

    Raises:
        UnknownName: there is no such format.
        InvalidSettings: there is no tournament in the folder, it is not finished, or the question cannot be
            answered.
        BrokenFile: a file is damaged.
    """
    chosen = choose_format(output, as_json, as_csv)
    with Reader(folder) as reader:
        if sql is None and chosen != "text":
            _print_result(reader, chosen)
            return
        answer = reader.ask(SUMMARY.format(races=_races(reader)) if sql is None else sql)
        if chosen == "text":
            _print_table(answer, reader, summary=sql is None)
        else:
            {"json": _print_json, "csv": _print_csv, "md": _print_markdown}[chosen](answer)


def _print_result(reader: Reader, chosen: str) -> None:
    """Prints the result of a finished tournament."""
    path = reader.folder / "result.json"
    if not reader.finished:
        raise InvalidSettings(
            f"the tournament in {reader.folder} is not finished, so there is no result yet; the same command"
            " with --out goes on, --sql asks what there is"
        )
    text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
        shown = text if chosen == "json" else (to_csv if chosen == "csv" else to_markdown)(found)
    except (ValueError, LookupError, TypeError) as error:
        raise BrokenFile(
            f"{path} is not as it was written; remove it and run the tournament's command again"
        ) from error
    sys.stdout.write(shown)


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


def _print_markdown(answer: Answer) -> None:
    sys.stdout.write(pipe_table(answer.columns, ([_cell(value) for value in row] for row in answer.rows)))


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
