"""Training from several seeds on the command line: every seed, and what they say together."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..evaluation.present import with_interval
from ..training.sweep import Aggregate, Sweep, sweep
from ..training.train import Trained
from .train import read_run, usual_folder


def train_seeds(
    game: str | None,
    seeds: int,
    given: Mapping[str, Any],
    config: Path | None = None,
    out: Path | None = None,
    workers: int = 1,
    threads: int = 1,
    as_json: bool = False,
) -> None:
    """Trains the same from several seeds and prints what came of each, and of all.

    Args:
        game: its name; None: the config names it.
        seeds: how many.
        given: arguments of `make_run` that the command line names; they come before those of the config.
        config: a TOML file of such arguments.
        out: folder of the sweep; None: ``runs/GAME-ALGO-sweep``, of self-play
            ``runs/GAME-ALGO-self-play-sweep``.
        workers: processes.
        threads: of torch in each.
        as_json: prints one JSON object.

    Raises:
        UnknownName, InvalidSettings, BrokenFile, RailbirdError: what `make_run` and `sweep` raise.
    """
    run = read_run(game, given, config)
    folder = out or usual_folder(run, "sweep")
    console = Console(stderr=True)

    def told(trained: Trained, seed: int) -> None:
        console.print(f"seed {seed}: {trained.score.profit_per_race:+.3f} chips a race", highlight=False)

    try:
        found = sweep(run, seeds, folder, workers, threads, told)
    except KeyboardInterrupt:
        sys.stderr.write(
            f"railbird: the last checkpoints are in {folder}; the same command goes on from there\n"
        )
        raise
    if as_json:
        sys.stdout.write(found.to_json() + "\n")
    else:
        _show(found, folder, Console())


def _show(found: Sweep, folder: Path, console: Console) -> None:
    how = found.algorithm if found.pool is None else f"{found.algorithm} with self-play"
    table = Table(title=f"{found.game}, {how}, {found.steps:,} steps: chips per race", box=None)
    table.title_justify = "left"
    for title in ("seed", "profit", "cash"):
        table.add_column(title)
    for seed, score in zip(found.seeds, found.scores, strict=True):
        table.add_row(
            str(seed),
            with_interval(score.profit_per_race, score.interval),
            with_interval(score.cash_per_race, score.cash_interval),
        )
    console.print(table)
    for name, value in (("mean", found.mean), ("interquartile mean", found.interquartile_mean)):
        console.print(f"{name} over seeds {_told(value)}", highlight=False)
    console.print(
        f"Intervals of a seed are over its deals, those of all over seeds ({found.confidence:.0%}, stratified"
        f" bootstrap). Agents: {folder}/seed-*/agent",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def _told(value: Aggregate) -> str:
    if value.low is None or value.high is None:
        return f"{value.value:+.4f}"
    return f"{value.value:+.4f} ({value.low:+.4f} to {value.high:+.4f})"
