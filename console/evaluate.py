"""What a saved agent earns, on the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..evaluation.present import with_interval
from ..training.scoring import DEALS, SEED, Score, score_folder


def evaluate(
    folder: str,
    deals: int = DEALS,
    seed: int = SEED,
    opponents: str | None = None,
    against: Sequence[str] = (),
    as_json: bool = False,
) -> None:
    """Scores a saved agent in the seat it learned in and prints what it earns.

    Args:
        folder: the agent's, or its run's; options of the agent behind a colon.
        deals: deals to play.
        seed: root seed of the deals.
        opponents: the rivals; None: those it trained with.
        against: agents to compare it with in the same seat.
        as_json: prints one JSON object.

    Raises:
        UnknownName, InvalidSettings, BrokenFile: what `score_folder` raises.
    """
    score = score_folder(folder, deals, seed, opponents, against)
    if as_json:
        sys.stdout.write(score.to_json() + "\n")
    else:
        show_score(score, Console())


def show_score(score: Score, console: Console) -> None:
    """Prints a score, and how the agent compares with others in its seat."""
    profit = with_interval(score.profit_per_race, score.interval)
    cash = with_interval(score.cash_per_race, score.cash_interval)
    console.print(f"{escape(score.agent)}: profit {profit} chips a race, cash {cash}", soft_wrap=True)
    roi = "it never staked" if score.roi is None else f"ROI {score.roi:+.1%}"
    seat = "every seat in turn" if score.seat == "rotate" else f"seat {score.seat}"
    console.print(
        f"{score.deals:,} deals, {score.races:,} races, {seat}; {roi}, ruin {score.ruin:.1%},"
        f" faults {score.faults}. Profit is cash without the luck of the races.",
        highlight=False, soft_wrap=True,
    )  # fmt: skip
    for line_up in score.opponents:
        if line_up:
            console.print(f"  with {escape(', '.join(line_up))}", highlight=False, soft_wrap=True)
    if score.comparisons:
        console.print(_comparisons(score))


def _comparisons(score: Score) -> Table:
    """The agent less each of those that took its seat."""
    table = Table(title="More than another in the same seat, same deals", title_justify="left", box=None)
    for title in ("agent", "profit", "cash", "verdict"):
        table.add_column(title)
    for pair in score.comparisons:
        table.add_row(
            escape(pair.rival),
            with_interval(pair.difference, pair.interval),
            with_interval(pair.cash_difference, pair.cash_interval),
            pair.verdict,
        )
    return table
