"""How a figure is measured: repetitions in one process, the median quoted and the range beside it.

The clock is the processor time of this process, which works on one core: what others do on a shared machine
then counts as little as it can.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number."""

    name: str
    value: float  # median of the repetitions
    low: float
    high: float
    unit: str
    goal: float | None = None  # what it should reach; None where there is none
    smaller_is_better: bool = False
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the median reaches the goal."""
        if self.goal is None:
            return None
        return self.value <= self.goal if self.smaller_is_better else self.value >= self.goal


def figure(name: str, values: list[float], unit: str, goal: float | None = None, **more: object) -> Figure:
    """The figure of repeated measurements."""
    return Figure(name, statistics.median(values), min(values), max(values), unit, goal, **more)  # type: ignore[arg-type]


def rates(work: Callable[[], float], least_seconds: float = 0.4) -> list[float]:
    """Units of work a second of processor time, a value for each repetition; ``work`` does some and returns
    how much.

    It is called once before the clock starts, so that compiling and first touches do not count.
    """
    work()
    return [_rate(work, least_seconds) for _ in range(REPETITIONS)]


def ratios(ours: Callable[[], float], theirs: Callable[[], float], least_seconds: float = 0.4) -> list[float]:
    """Our rate over theirs, measured in turn, so that a drift of the machine's speed strikes both."""
    ours()
    theirs()
    return [_rate(ours, least_seconds) / _rate(theirs, least_seconds) for _ in range(REPETITIONS)]


def _rate(work: Callable[[], float], least_seconds: float) -> float:
    done, began = 0.0, time.process_time()
    while True:
        done += work()
        passed = time.process_time() - began
        if passed >= least_seconds:
            return done / passed
