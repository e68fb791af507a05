"""A probe's process: ``python -m probes MODULE CORE SECONDS``.

It stays on one core, prepares all forms, answers with the versions, and then obeys the lines of its
standard input: ``measure FORM`` (for so many seconds of processor time) and ``profile FORM``. Every answer is
a line of JSON. What the libraries print goes to standard error.
"""

from __future__ import annotations

import cProfile
import importlib
import json
import os
import platform
import pstats
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

WARM_UP = 3  # passes, so that compiling and first touches do not count
PROFILED = 12  # functions


def main(module: str, core: str, seconds: str) -> None:
    """Serves one probe until standard input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr
    os.sched_setaffinity(0, [int(core)])  # before the library starts threads: they inherit it
    probe = importlib.import_module(f".{module}", __package__)
    works: dict[str, Callable[[], float]] = {form: prepare() for form, prepare in probe.FORMS.items()}
    for work in works.values():
        for _ in range(WARM_UP):
            work()
    ready = {"python": platform.python_version()} | {name: version(name) for name in probe.PACKAGES}
    print(json.dumps(ready), file=answers, flush=True)
    orders: dict[str, Callable[..., Any]] = {"measure": measure, "profile": profile}
    for line in sys.stdin:
        order, form = line.split()
        print(json.dumps(orders[order](works[form], float(seconds))), file=answers, flush=True)


def measure(work: Callable[[], float], seconds: float) -> dict[str, float]:
    """Decisions processed in whole passes, and the seconds they took by either clock.

    Processor time is that of all threads of the process.
    """
    decisions, wall, processor = 0.0, time.perf_counter(), time.process_time()
    while time.process_time() - processor < seconds:
        decisions += work()
    return {
        "decisions": decisions,
        "wall": time.perf_counter() - wall,
        "processor": time.process_time() - processor,
    }


def profile(work: Callable[[], float], seconds: float) -> list[dict[str, Any]]:
    """The functions that took most of some passes, with the share of the time spent in each alone."""
    profiler, began = cProfile.Profile(), time.process_time()
    while time.process_time() - began < seconds:
        profiler.runcall(work)
    stats: Any = pstats.Stats(profiler)
    own = {place: entry[2] for place, entry in stats.stats.items()}
    first = sorted(own, key=own.__getitem__, reverse=True)[:PROFILED]
    return [
        {
            "share": own[place] / stats.total_tt,
            "function": place[2],
            "file": "/".join(place[0].split("/")[-2:]),
        }
        for place in first
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
