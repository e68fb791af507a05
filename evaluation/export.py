"""A tournament's leaderboard with all that belongs to an agent, as CSV, and as a table in Markdown.

Both are made of the result as JSON has it, so that a result that was kept is written like one just played.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..games.registry import load
from .estimates import CONFIDENCE

RANGES: Final = {
    "rank": ("rank_best", "rank_worst"),
    "interval": ("profit_low", "profit_high"),
    "cash_interval": ("cash_low", "cash_high"),
    "substitution_rank": ("substitution_rank_best", "substitution_rank_worst"),
}  # pairs of the leaderboard, as two columns
STANDING: Final = (
    "rank", "profit_per_race", "interval", "cash_per_race", "cash_interval", "substitution_rank", "roi",
    "ruin", "races", "won", "drawn", "lost", "turns", "refused", "faults",
)  # fmt: skip
RATING: Final = {
    "rating": "rating",
    "place": "rating_place",
    "group": "rating_group",
    "league": "rating_league",
}
NASH: Final = {"weight": "nash_weight", "skill": "nash_skill"}
DEVIATION: Final = {
    "gain": "deviation_gain", "reply": "deviation_reply", "tested": "deviation_tested",
    "places": "deviation_places",
}  # fmt: skip
BANKROLL: Final = {
    "paths": "paths", "mean_growth": "mean_growth", "median_growth": "median_growth", "roi": "path_roi",
    "ruin": "path_ruin", "ruin_at_most": "path_ruin_at_most", "broke": "broke", "drawdown": "drawdown",
    "worst_drawdown": "worst_drawdown", "turnover": "turnover", "hit_rate": "hit_rate",
    "kelly_multiple": "kelly_multiple",
}  # fmt: skip

Found = Mapping[str, Any]  # a record as JSON has it


def flat_rows(result: Found) -> list[dict[str, Any]]:
    """A row for each agent in the order of the leaderboard, every row with the same columns; None where there
    is no such figure.
    """
    return [_row(standing, result) for standing in result["leaderboard"]]


def to_csv(result: Found) -> str:
    """The leaderboard with all columns, empty where there is no such figure."""
    rows = flat_rows(result)
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def to_markdown(result: Found) -> str:
    """The leaderboard as a table for a paper or an issue, with a line that says what was played."""
    contest = load(result["settings"]["game"]).contest
    rows = flat_rows(result)
    columns = [
        (title, [cell(row) for row in rows])
        for title, needed, cell in (CONTEST if contest else COLUMNS)
        if any(row[needed] is not None for row in rows)
    ]
    table = pipe_table([title for title, _ in columns], zip(*(cells for _, cells in columns), strict=True))
    return f"{table}\n{_caption(result, contest)}\n"


def pipe_table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in Markdown; an agent's name may hold what Markdown would read as something else."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(_plain(cell) for cell in line)} |\n" for line in lines)


def _plain(cell: Any) -> str:
    text = "–" if cell is None else str(cell)
    return "".join(f"\\{mark}" if mark in "|*_`<" else mark for mark in " ".join(text.split()))


def _row(standing: Found, result: Found) -> dict[str, Any]:
    agent = standing["agent"]
    row: dict[str, Any] = {"agent": agent}
    for name in STANDING:
        if name in RANGES:
            row |= zip(RANGES[name], standing[name] or (None, None), strict=True)
        else:
            row[name] = standing[name]
    rated = _of(agent, (result["ratings"] or {}).get("standings", ()))
    row |= _named(rated, RATING) | _ends("rating", rated, "interval")
    row |= _named(_of(agent, (result["nash"] or {}).get("shares", ())), NASH)
    deviation = _of(agent, result["deviations"])
    row |= _named(deviation, DEVIATION) | _ends("deviation", deviation, "interval")
    bankroll = _of(agent, (result["bankrolls"] or {}).get("standings", ()))
    row |= _named(bankroll, BANKROLL) | _ends("growth", bankroll, "growth_interval")
    return row | _ends("path_roi", bankroll, "roi_interval") | _ends("path_ruin", bankroll, "ruin_interval")


def _of(agent: str, records: Iterable[Found]) -> Found:
    """The record of an agent; empty if there is none."""
    return next((record for record in records if record["agent"] == agent), {})


def _named(record: Found, names: Mapping[str, str]) -> dict[str, Any]:
    return {column: record.get(name) for name, column in names.items()}


def _ends(name: str, record: Found, interval: str) -> dict[str, Any]:
    low, high = record.get(interval) or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def _rank(row: Found) -> str:
    best, worst = row["rank_best"], row["rank_worst"]
    return str(best) if best == worst else f"{best}–{worst}"


def _around(row: Found, value: str, name: str, digits: int, scale: float = 1.0) -> str | None:
    """``+0.312 ± 0.041``; ``+0.312 (+0.271 … –)`` where the interval has one end only."""
    if row[value] is None:
        return None
    text = f"{row[value] * scale:+.{digits}f}"
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if low is None and high is None:
        return text
    if low is None or high is None:
        ends = ("–" if end is None else f"{end * scale:+.{digits}f}" for end in (low, high))
        return f"{text} ({' … '.join(ends)})"
    return f"{text} ± {(high - low) / 2 * scale:.{digits}f}"


def _percent(row: Found, name: str) -> str | None:
    return None if row[name] is None else f"{row[name]:.1%}"


def _ruin(row: Found) -> str | None:
    if row["path_ruin"] is None:
        return None
    return f"{row['path_ruin']:.1%}" if row["path_ruin"] else f"≤ {row['path_ruin_at_most']:.1%}"


COMMON: Final = (
    ("rank", "agent", _rank),
    ("agent", "agent", lambda row: row["agent"]),
)
SCORES: Final = (("rating (Elo)", "rating", lambda row: _around(row, "rating", "rating", 0)),)
COLUMNS: Final = (
    *COMMON,
    ("profit a race", "agent", lambda row: _around(row, "profit_per_race", "profit", 3)),
    ("cash a race", "agent", lambda row: _around(row, "cash_per_race", "cash", 3)),
    ("ROI", "roi", lambda row: None if row["roi"] is None else f"{row['roi']:+.1%}"),
    *SCORES,
    ("growth a race, %", "mean_growth", lambda row: _around(row, "mean_growth", "growth", 2, 100.0)),
    ("ruin", "path_ruin", _ruin),
    ("drawdown", "drawdown", lambda row: _percent(row, "drawdown")),
)  # title, the field without which there is no such column, the text of a row
CONTEST: Final = (
    *COMMON,
    ("result a game", "agent", lambda row: _around(row, "profit_per_race", "profit", 3)),
    *((name, "agent", lambda row, name=name: _percent(row, name)) for name in ("won", "drawn", "lost")),
    *SCORES,
    ("Nash weight", "nash_weight", lambda row: _percent(row, "nash_weight")),
)


def _caption(result: Found, contest: bool) -> str:
    settings, design = result["settings"], result["design"]
    unit = "Games won less games lost, a game" if contest else "Chips a race, profit without luck"
    return (
        f"{unit}; {CONFIDENCE:.0%} intervals. {load(settings['game']).title}, {design['deals']:,} deals, seed"
        f" {result['seed']}, Railbird {result['version']}."
    )
