"""All figures in one run: ``railbird bench [--json] [--only TEXT]``."""

from __future__ import annotations

import json as json_format
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table

from .. import __version__
from ..games.errors import UnknownName
from .account import account
from .cores import cores
from .games import race_games
from .measure import Figure
from .save_the_bet import card_decisions, whole_games
from .scaling import scaling
from .superfecta import agent_costs, environments, help_page, match_play, memory, settling
from .training_time import training_time

Bench = Callable[[], Iterator[Figure]]
BENCHES: dict[str, Bench] = {
    "settle": settling,
    "vector": environments,
    "match": match_play,
    "agents": agent_costs,
    "memory": memory,
    "help": help_page,
    "races": race_games,
    "cards": card_decisions,
    "contests": whole_games,
}
ON_REQUEST: dict[str, Bench] = {
    "account": account,
    "scaling": scaling,
    "cores": cores,
    "training": training_time,
}  # minutes, so by --only


def bench(json: bool = False, only: str | None = None) -> None:
    """Measures the figures (or one group of them) on one core and prints them.

    Raises:
        UnknownName: there is no such group.
    """
    benches = BENCHES if only is None else BENCHES | ON_REQUEST
    if only is not None and only not in benches:
        raise UnknownName("group of figures", only, benches)
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    console = Console(stderr=True)
    figures: list[Figure] = []
    for name in [only] if only else BENCHES:
        with console.status(f"measuring {name}"):
            figures += benches[name]()
    if json:
        found = {figure.name: asdict(figure) | {"reached": figure.reached} for figure in figures}
        print(json_format.dumps({"machine": machine()} | found, indent=2))
    else:
        clock = "wall time" if only == "cores" else "one core, by processor time"
        Console().print(table(figures), f"{machine()['processor']}, {clock}", sep="\n")


def machine() -> dict[str, str]:
    """What the figures were measured on and with."""
    names = Path("/proc/cpuinfo")
    lines = names.read_text().splitlines() if names.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": f"{models[0] if models else platform.processor()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "railbird": __version__,
        **{name: version(name) for name in ("numpy", "numba", "gymnasium")},
    }


def table(figures: list[Figure]) -> Table:
    """The figures as people read them: median, range, goal."""
    found = Table(box=None, pad_edge=False)
    found.add_column("figure", no_wrap=True)
    for heading in ("median", "range", "goal"):
        found.add_column(heading, justify="right")
    found.add_column("unit")
    for figure in figures:
        goal = (
            "" if figure.goal is None else f"{'≤' if figure.smaller_is_better else '≥'} {number(figure.goal)}"
        )
        mark = {None: "", True: " ✓", False: " not reached"}[figure.reached]
        found.add_row(
            figure.name,
            number(figure.value),
            f"{number(figure.low)}–{number(figure.high)}",
            goal + mark,
            figure.unit,
        )
    return found


def number(value: float) -> str:
    """Three digits that count, and no more than there are."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
