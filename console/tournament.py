"""The tournament on the command line: progress on stderr, the leaderboard or one JSON object on stdout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console

from ..agents.registry import split_agents
from ..evaluation.executors import Engine
from ..evaluation.present import show_result, watching
from ..evaluation.tournament import TournamentSettings, run


def tournament(
    game: str,
    agents: str | None = None,
    deals: int | None = None,
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
    workers: int | None = None,
    out: Path | None = None,
    as_json: bool = False,
    banker: str | None = None,
    bettors: str | None = None,
    engine: str = "local",
    address: str | None = None,
    time_limit: float | None = None,
) -> None:
    """Plays a tournament and prints what came of it.

    Args:
        game: its name.
        agents: who plays, parted by commas; None: the zoo.
        deals: deals to play; None: about half a minute's.
        rules: settings of the game.
        seed: root seed.
        workers: processes; None: as many as help.
        out: folder to keep the results in.
        as_json: prints one JSON object instead of the leaderboard.
        banker: who quotes for the house.
        bettors: the players bankers are ranked against, parted by commas.
        engine: where it is played, local or ray.
        address: of the Ray cluster.
        time_limit: seconds an agent may think at once.

    Raises:
        UnknownName, InvalidSettings, BrokenFile: what `TournamentSettings.of` and `run` raise.
    """
    place = Engine(engine, address, time_limit)
    settings = TournamentSettings.of(
        game, split_agents(agents or ""), deals, seed,
        banker=banker or "", bettors=split_agents(bettors or ""), **(rules or {}),
    )  # fmt: skip
    with watching() as progress:
        result = run(settings, progress, workers, out, place)
    if as_json:
        sys.stdout.write(result.to_json() + "\n")
    else:
        show_result(result, Console())
