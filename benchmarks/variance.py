"""How much noise is left when luck is taken out, game by game: ``python -m railbird.benchmarks.variance``.

Prints the table of the documentation. A factor is the variance of cash over that of profit without luck: so
many times fewer deals give an interval of the same width.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..agents.registry import zoo
from ..evaluation.results import Standing
from ..evaluation.tournament import TournamentSettings, run

CHEAP = ("favourite", "longshot", "box", "wheel", "dutch", "random")
SKILLED = ("shortest", "likeliest", "likeliest-save", "cards", "thrifty", "hoarder")
UNEVEN = ("random", "face-card", "shortest", "likeliest")  # the first loses nearly every game
PRO_RATA = {"split": "pro_rata", "rate": "1/10"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: a game, its rules, who plays (none: the zoo), and for how many deals."""

    game: str
    rules: dict[str, Any]
    agents: tuple[str, ...]
    deals: int


ROWS = (
    Row("superfecta", {}, (), 300),
    Row("superfecta", {}, CHEAP, 3000),
    Row("superfecta", PRO_RATA, (), 200),
    Row("horse-race", {}, (), 1000),
    Row("scarne-horse-race", {}, (), 1000),
    Row("bookmaker", {}, (), 2000),
    Row("racing-aces", {}, (), 2000),
    Row("pasteboard-derby", {}, (), 500),
    Row("pasteboard-derby", {"places": 2}, (), 500),
    Row("save-the-bet", {}, SKILLED, 600),
    Row("save-the-bet", {}, UNEVEN, 600),
)


def main() -> None:
    """Prints the table, a line as soon as it is known."""
    print("| game | agents | deals | factor at the tables (least–most of an agent) | in the same place |")
    print("| --- | --- | --- | --- | --- |")
    for line in lines():
        print(line, flush=True)


def lines() -> Iterator[str]:
    """The table's lines, in Markdown."""
    for row in ROWS:
        agents = row.agents or zoo(row.game)
        result = run(TournamentSettings.of(row.game, agents, row.deals, seed=1, **row.rules))
        factors = [factor for factor in map(factor_of, result.leaderboard) if factor is not None]
        rules = "".join(f", {name} {value}" for name, value in row.rules.items())
        who = f"{'zoo of ' if not row.agents else ''}{len(result.leaderboard)}"
        spread = (
            f"{statistics.median(factors):.3g} ({min(factors):.2g}–{max(factors):.2g})" if factors else "–"
        )
        swapped = result.design["variance_reduction"]["substitution"]
        place = "–" if swapped is None else f"{swapped:.3g}"
        yield f"| {row.game}{rules} | {who} | {row.deals} | {spread} | {place} |"


def factor_of(line: Standing) -> float | None:
    """How many times less variance an agent's profit has than its cash; None where neither has any."""
    cash, profit = (
        high - low if low is not None and high is not None else 0.0
        for low, high in (line.cash_interval, line.interval)
    )
    return (cash / profit) ** 2 if profit > 0 else None


if __name__ == "__main__":
    main()
