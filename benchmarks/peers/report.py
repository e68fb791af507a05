"""A run as people read it."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from ..figures import machine, number
from ..measure import Figure
from .catalogue import Contestant
from .results import Findings

WIDTH = 120  # of the table, at least
SHOWN = 5  # functions of a profile


def report(findings: Findings, contestants: Iterable[Contestant], repeat: int) -> None:
    """Prints the table and what must be known to read it."""
    Console(width=max(WIDTH, Console().width)).print(table(findings))
    print(f"\nDecisions a second, {machine()['processor']}; median (range) of {repeat} interleaved rounds.")
    print("One core: a process pinned to it, one thread. Two cores: two such processes at once, added up.")
    print("By processor time of all threads, and beside it by the clock on the wall. Random legal actions.")
    print("Times: over the fastest peer that is stepped once per call, one core, by processor time.\n")
    for contestant in contestants:
        versions = findings.versions.get(contestant.name, {})
        if contestant.name in findings.missing:
            print(f"{contestant.name}: not measured: {findings.missing[contestant.name]}")
        else:
            told = ", ".join(f"{name} {text}" for name, text in versions.items())
            print(f"{contestant.name} ({told}): {contestant.inside}.")
    print()
    for line in verdict(findings):
        print(line)


def table(findings: Findings) -> Table:
    """A row for each form, the fastest first."""
    found = Table(box=None, pad_edge=False)
    found.add_column("contestant", no_wrap=True)
    found.add_column("game", no_wrap=True)
    for heading in ("one core", "wall", "two cores", "wall", "times"):
        found.add_column(heading, justify="right", no_wrap=True)
    for one in sorted(findings.results, key=lambda one: -one.one_core.value):
        ratio = findings.ratio(one)
        found.add_row(
            "railbird" if one.contestant.ours else one.contestant.name,
            one.form.title,
            spread(one.one_core),
            short(one.one_core_wall.value),
            "" if one.two_cores is None else short(one.two_cores.value),
            "" if one.two_cores_wall is None else short(one.two_cores_wall.value),
            "" if ratio is None else number(ratio),
        )
    return found


def spread(found: Figure) -> str:
    """Median and range."""
    return f"{short(found.value)} ({short(found.low)}–{short(found.high)})"


def short(rate: float) -> str:
    """A rate in thousands or millions."""
    return f"{rate / 1e6:.2f} M" if rate >= 1e6 else f"{rate / 1e3:.1f} k"


def verdict(findings: Findings) -> list[str]:
    """Which of ours are faster than every peer stepped once per call, and where the others' time goes."""
    best = findings.fastest_peer
    ours = [one for one in findings.results if one.contestant.ours]
    if best is None or not ours:
        return []
    slower = findings.slower
    rival = f"{best.contestant.name}, {best.form.title}: {short(best.one_core.value)}"
    lines = [f"{len(ours) - len(slower)} of {len(ours)} of ours are faster than the fastest peer ({rival})."]
    for one in slower:
        ahead = "; ".join(f"{peer.contestant.name}, {peer.form.title}" for peer in findings.ahead_of(one))
        lines.append(
            f"{one.form.title}: {short(one.one_core.value)}, not faster than {ahead}. Its time goes to:"
        )
        lines += [
            f"  {entry['share']:5.1%}  {entry['function']} ({entry['file']})"
            for entry in findings.profiles.get(one.name, [])[:SHOWN]
        ]
    return lines
