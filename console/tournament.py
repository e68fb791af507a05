"""The tournament on the command line: progress on stderr, what came of it on stdout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from ..agents.registry import split_agents
from ..evaluation.executors import Engine
from ..evaluation.export import to_csv, to_markdown
from ..evaluation.present import show_result, watching
from ..evaluation.results import TournamentResult
from ..evaluation.tournament import TournamentSettings, run
from ..games.errors import InvalidSettings
from .formats import choose_format


@dataclass(frozen=True, slots=True)
class Judging:
    """How a tournament is judged, as written on the command line."""

    substitute: str | None = None
    """Deals in which agents are tried in each other's place: all, none, every so-many-th; None: as usual."""
    until: float | None = None
    """Stop at this half-width of the intervals."""
    margin: float | None = None
    """Chips a race that count as no difference."""
    against: str | None = None
    """Strangers among whom the agents are tried as well, parted by commas."""
    leave_one_out: bool = False
    """Whether the order is given again without each agent."""

    @property
    def substitutes(self) -> int | None:
        """Every how many deals agents are tried in each other's place.

        Raises:
            InvalidSettings: it is no such word and no number.
        """
        words = {None: None, "all": 1, "none": 0}
        if self.substitute in words:
            return words[self.substitute]
        if not str(self.substitute).isdecimal():
            raise InvalidSettings(f"--substitute is all, none or a number of deals, not {self.substitute!r}")
        return int(str(self.substitute))


USUAL: Final = Judging()


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
    judging: Judging = USUAL,
    output: str | None = None,
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
        as_json: short for the format json.
        banker: who quotes for the house.
        bettors: the players bankers are ranked against, parted by commas.
        engine: where it is played, local or ray.
        address: of the Ray cluster.
        time_limit: seconds an agent may think at once.
        judging: how it is judged.
        output: text, json (the whole result), csv (the leaderboard with all columns) or md (as a table).

    Raises:
        UnknownName, InvalidSettings, BrokenFile: what `TournamentSettings.of` and `run` raise.
    """
    chosen = choose_format(output, as_json)
    place = Engine(engine, address, time_limit)
    settings = TournamentSettings.of(
        game, split_agents(agents or ""), deals, seed, judging.substitutes, banker or "",
        split_agents(bettors or ""), judging.until, judging.margin, split_agents(judging.against or ""),
        judging.leave_one_out, **(rules or {}),
    )  # fmt: skip
    try:
        with watching() as progress:
            result = run(settings, progress, workers, out, place)
    except KeyboardInterrupt:
        if out is not None:
            sys.stderr.write(
                f"railbird: finished blocks are in {out}; the same command goes on behind them\n"
            )
        raise
    show(result, chosen)
    if out is not None:
        from ..evaluation.report import write_report  # loads Altair

        path = out / "report.html"
        write_report(path, result, settings.plan())
        sys.stderr.write(f"railbird: everything is in {out}; open {path} in a browser\n")


def show(result: TournamentResult, output: str) -> None:
    """Prints a result in one of the formats."""
    if output == "text":
        show_result(result, Console())
    elif output == "json":
        sys.stdout.write(result.to_json() + "\n")
    else:
        sys.stdout.write((to_csv if output == "csv" else to_markdown)(asdict(result)))
