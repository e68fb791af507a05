"""Trajectories on the command line: what was written where, and how it is read."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..agents.registry import split_agents
from ..evaluation.trajectories import TrajectorySettings, write_trajectories
from ..games.errors import InvalidSettings
from ..games.registry import load
from ..training.fields import read_sight


def trajectories(
    game: str,
    agents: str,
    deals: int,
    out: Path,
    seats: str = "",
    seed: int = 1,
    rules: Mapping[str, Any] | None = None,
    encoding: Mapping[str, Any] | None = None,
    reward: str = "cash",
    workers: int = 1,
    banker: str = "",
    bettors: str = "",
    as_json: bool = False,
) -> None:
    """Writes what agents do into a Parquet file and says so.

    Args:
        game: its name.
        agents: who sits in seats 0, 1, …, parted by commas.
        deals: deals to play.
        out: a new file.
        seats: seats whose steps are kept, parted by commas; empty: every agent's.
        seed: root seed.
        rules: settings of the game.
        encoding: options of the encoding, such as ``stakes``, as they were written.
        reward: cash, expected or adjusted.
        workers: processes.
        banker: who quotes for the house.
        bettors: the players where bankers are recorded, parted by commas.
        as_json: prints one JSON object: the number of rows and episodes, and what is kept beside them.

    Raises:
        UnknownName, InvalidSettings, RailbirdError: what `write_trajectories` raises.
    """
    options = read_sight(load(game), encoding or {})
    settings = TrajectorySettings(
        game, tuple(split_agents(agents)), deals, seed, _numbers(seats), tuple((rules or {}).items()),
        tuple(options.items()), reward, banker, tuple(split_agents(bettors)),
    )  # fmt: skip
    written = write_trajectories(settings, out, workers)
    if as_json:
        told = {"rows": written.rows, "episodes": written.episodes, **settings.describe()}
        sys.stdout.write(json.dumps(told) + "\n")
        return
    sys.stdout.write(
        f"{written.rows:,} steps of {written.episodes:,} episodes are in {out}. To look at them in Python:\n"
        f"  import duckdb\n"
        f"  duckdb.sql(\"select agent, count(*), sum(reward) from read_parquet('{out}') group by agent\")\n"
    )


def _numbers(text: str) -> tuple[int, ...]:
    """Seats as they are written: ``0,2``."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    wrong = [part for part in parts if not (part.isascii() and part.isdecimal())]
    if wrong:
        raise InvalidSettings(f"seats are numbers from 0, parted by commas, not {wrong[0]!r}")
    return tuple(int(part) for part in parts)
