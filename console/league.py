"""The league on the command line: what it does on stderr, rounds and mixture on stdout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..evaluation.present import with_interval
from ..games.errors import InvalidSettings
from ..training.self_play_settings import HEURISTICS
from .train import progress_bar, read_run


def league(
    game: str | None,
    rounds: int,
    deals: int,
    start: str,
    given: Mapping[str, Any],
    config: Path | None = None,
    out: Path | None = None,
    threads: int = 1,
    as_json: bool = False,
) -> None:
    """Plays a league, or goes on with it, and prints its rounds and its mixture.

    Args:
        game: its name; None: the config names it.
        rounds: at most so many.
        deals: on which agents meet.
        start: where best responses start, newest or scratch.
        given: arguments of `make_run` that the command line names; they come before those of the config.
        config: a TOML file of such arguments.
        out: the league's folder; None: ``runs/GAME-league``.
        threads: of torch.
        as_json: prints the league as one JSON object.

    Raises:
        UnknownName, InvalidSettings, BrokenFile, RailbirdError: what `make_run` and `run_league` raise.
    """
    run = read_run(game, {**given, "self_play": True, "pool": given.get("pool") or HEURISTICS}, config)
    from ..training.league import LeagueSettings, run_league  # loads PyTorch

    if run.self_play is None:
        raise InvalidSettings("a league trains against a pool; leave self_play out of the config")
    console = Console(stderr=True)

    def say(text: str) -> None:
        console.print(text, highlight=False, soft_wrap=True)

    folder = out or Path("runs") / f"{run.game}-league"
    settings = LeagueSettings(replace(run, deals=deals), rounds, deals, start)
    try:
        found = run_league(settings, folder, say, progress_bar, threads)
    except KeyboardInterrupt:
        sys.stderr.write(f"railbird: saved in {folder}; the same command goes on from there\n")
        raise
    if as_json:
        sys.stdout.write(found.to_json() + "\n")
    else:
        show(found, folder, Console())


def show(found: Any, folder: Path, console: Console) -> None:
    """Prints a league."""
    table = Table(title=f"League of {found.game}: gain over the mixture before, chips per race", box=None)
    table.title_justify = "left"
    for title in ("round", "agent", "gain", ""):
        table.add_column(title)
    for played in found.rounds:
        table.add_row(
            str(played.number), played.agent, with_interval(played.gain.gain, played.gain.interval),
            "taken in" if played.taken else "left out",
        )  # fmt: skip
    if found.rounds:
        console.print(table)
    mixture = Table(title="Mixture", box=None, title_justify="left")
    for title in ("weight", "member"):
        mixture.add_column(title)
    for weight, name in sorted(zip(found.mixture, found.members, strict=True), key=lambda it: -it[0]):
        if weight:
            mixture.add_row(f"{weight:.3f}", name)
    console.print(mixture)
    end = "the last agent gains nothing that is sure" if found.settled else "no more rounds were asked for"
    console.print(f"{end}; everything is in {folder}.", highlight=False, soft_wrap=True)
