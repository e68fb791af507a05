"""All contestants side by side in one run: ``python -m railbird.benchmarks.peers``."""

from __future__ import annotations

import json as json_format
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from ...games.errors import RailbirdError
from ..figures import machine
from .catalogue import Contestant, chosen
from .environments import cache_folder, interpreter
from .processes import ProbeFailed, Team, python_here
from .report import report
from .results import Findings, Record


def run(
    only: Annotated[list[str] | None, typer.Option(help="A contestant, as in pgx; repeatable.")] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Rounds; each measures all contestants in turn.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.01, help="Processor time of one measurement.")] = 1.0,
    where: Annotated[Path | None, typer.Option(help="Folder for the peers' environments.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Measures decisions a second of card-game environments on one core and on two."""
    console = Console(stderr=True)
    try:
        contestants = chosen(only or ())
    except RailbirdError as error:
        console.print(f"error: {error}", highlight=False)
        raise typer.Exit(2) from None
    cores = sorted(os.sched_getaffinity(0))[:2]
    with console.status("") as status:
        findings = compare(contestants, where or cache_folder(), cores, repeat, seconds, status.update)
    if json:
        print(json_format.dumps({"machine": machine(), "repetitions": repeat} | findings.summary(), indent=2))
    else:
        report(findings, contestants, repeat)


def compare(
    contestants: tuple[Contestant, ...],
    where: Path,
    cores: list[int],
    repeat: int,
    seconds: float,
    tell: Callable[[str], None],
) -> Findings:
    """Installs, prepares and measures, and tells what it is at; what cannot be is noted with its reason."""
    findings, teams = Findings(), []
    with ExitStack() as processes:
        for contestant in contestants:
            try:
                tell(f"{contestant.name}: installing")
                folder = where / contestant.name
                ours = contestant.ours
                python = python_here() if ours else interpreter(folder, contestant.requirements)
                tell(f"{contestant.name}: preparing")
                team = processes.enter_context(Team(contestant, python, cores, seconds))
                team.get_ready()
            except RailbirdError as reason:
                findings.missing[contestant.name] = str(reason)
            else:
                findings.versions[contestant.name] = team.versions
                teams.append(team)
        for team, record in _rounds(teams, repeat, findings, tell):
            forms = team.contestant.forms
            findings.results += [record[form.key].result(team.contestant, form) for form in forms]
        _explain(teams, findings, tell)
    return findings


def _rounds(
    teams: list[Team], repeat: int, findings: Findings, tell: Callable[[str], None]
) -> list[tuple[Team, dict[str, Record]]]:
    """Measures all forms of all teams in turn, so often; those whose process ends are left out."""
    records = {team.contestant.name: {form.key: Record() for form in team.contestant.forms} for team in teams}
    for turn in range(repeat):
        for team in teams:
            name = team.contestant.name
            if name in findings.missing:
                continue
            try:
                for form in team.contestant.forms:
                    tell(f"round {turn + 1} of {repeat}: {name}, {form.title}")
                    record = records[name][form.key]
                    record.one_core.append(team.measure(form.key, 1))
                    if len(team.probes) > 1:
                        record.two_cores.append(team.measure(form.key, 2))
            except ProbeFailed as reason:
                findings.missing[name] = str(reason)
    return [
        (team, records[team.contestant.name])
        for team in teams
        if team.contestant.name not in findings.missing
    ]


def _explain(teams: list[Team], findings: Findings, tell: Callable[[str], None]) -> None:
    """Profiles those of ours that a peer beats."""
    by_name = {team.contestant.name: team for team in teams}
    for result in findings.slower:
        tell(f"profiling {result.form.title}")
        findings.profiles[result.name] = by_name[result.contestant.name].profile(result.form.key)


if __name__ == "__main__":
    typer.run(run)
