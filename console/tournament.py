"""The tournament on the command line: progress on stderr, what came of it on stdout."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from ..agents.registry import split_agents
from ..evaluation.executors import Engine
from ..evaluation.export import to_csv, to_markdown
from ..evaluation.present import show_result, watching
from ..evaluation.results import TournamentResult
from ..evaluation.tournament import TournamentSettings, run
from ..games.errors import InvalidSettings
from .formats import choose_format


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """A tournament as the command line asks for it."""

    game: str
    """Its name."""
    agents: str | None
    """Who plays, parted by commas; None: the zoo, and behind it the trained agents that can play there."""
    deals: int | None
    """Deals to play; None: about half a minute's."""
    rules: Mapping[str, Any]
    """Settings of the game."""
    seed: int
    """Root seed."""
    banker: str | None
    """Who quotes for the house."""
    bettors: str | None
    """The players bankers are ranked against, parted by commas."""
    substitute: str | None
    """Deals in which agents are tried in each other's place: all, none, every so-many-th; None: as usual."""
    until: float | None
    """Stop at this half-width of the intervals."""
    margin: float | None
    """Chips a race that count as no difference."""
    against: str | None
    """Strangers among whom the agents are tried as well, parted by commas."""
    leave_one_out: bool
    """Whether the order is given again without each agent."""
    workers: int | None
    """Processes; None: as many as help."""
    engine: str
    """Where it is played, local or ray."""
    address: str | None
    """Of the Ray cluster."""
    time_limit: float | None
    """Seconds an agent may think at once."""
    out: Path | None
    """Folder to keep the results in."""
    as_json: bool
    """Short for the format json."""
    output: str | None
    """text, json (the whole result), csv (the leaderboard with all columns) or md (as a table)."""

    @property
    def settings(self) -> TournamentSettings:
        """What is played and how it is judged.

        Raises:
            UnknownName, InvalidSettings: what `TournamentSettings.of` raises, or a word that says nothing.
        """
        return TournamentSettings.of(
            self.game, split_agents(self.agents or ""), self.deals, self.seed, self.substitutes,
            self.banker or "", split_agents(self.bettors or ""), self.until, self.margin,
            split_agents(self.against or ""), self.leave_one_out, **self.rules,
        )  # fmt: skip

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


def tournament(options: Options) -> None:
    """Plays a tournament and prints what came of it.

    Raises:
        UnknownName, InvalidSettings, BrokenFile: what `TournamentSettings.of` and `run` raise.
    """
    chosen = choose_format(options.output, options.as_json)
    place = Engine(options.engine, options.address, options.time_limit)
    settings, out = options.settings, options.out
    try:
        with watching() as progress:
            result = run(settings, progress, options.workers, out, place)
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
