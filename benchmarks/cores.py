"""What a second core brings: environments stepped by one thread and by two, beside two copies of memory.

Here the clock is the wall's, so that waiting counts. One and two threads take turns, and the best of several
passes is compared: on a machine that others use too, that is the one they disturbed least.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .measure import REPETITIONS, Figure, figure

LANES = 65_536
PASSES = 6
COPIED = 2**22  # float64 numbers, 32 MiB: far beyond the caches of a core
RICH = {"bankroll": 100_000, "races": 1_000}  # nobody is ruined, no game ends: every pass is the same work
STEPS = 6  # of a pass without a script
# environment: settings, and the actions all learners take in turn; without any the lowest legal one
SCRIPTS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "Superfecta": (RICH, (1, 5, 17, 0)),
    "HorseRace": (RICH, (1, 6, 0)),
    "ScarneHorseRace": (RICH, (1, 6, 0)),
    "Bookmaker": (RICH, (10, 12, 14, 16)),
    "RacingAces": (RICH, (1,)),
    "PasteboardDerby": (RICH, (1,)),
    "SaveTheBet": ({}, ()),
}
Pass = Callable[[], float]  # does the work and returns the seconds it took


def cores() -> Iterator[Figure]:
    """How many times faster two threads step 65,536 lanes, a figure for each environment."""
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
        if len(os.sched_getaffinity(0)) < 2:
            return
        with ThreadPoolExecutor(1) as other:
            copies = _copies(other)
            for name, (settings, actions) in SCRIPTS.items():
                stepped, copied = speed_ups(_stepping(name, settings, actions), copies)
                yield figure(f"two_cores_{name}", stepped, "times", 1.8)
                yield figure(f"two_copies_beside_{name}", copied, "times")
    finally:
        os.sched_setaffinity(0, allowed)


def speed_ups(*works: tuple[Pass, Pass], passes: int = PASSES) -> list[list[float]]:
    """For each (by one, by two) how many times faster the second is, a value for each repetition."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(REPETITIONS):
        best = np.full((len(works), 2), np.inf)
        for _ in range(passes):
            for row, pair in enumerate(works):
                for column, work in enumerate(pair):
                    best[row, column] = min(best[row, column], work())
        for row, (one, two) in enumerate(best):
            found[row].append(float(one / two))
    return found


def _stepping(name: str, settings: dict[str, Any], actions: Sequence[int]) -> tuple[Pass, Pass]:
    """The same groups of lanes stepped by one thread and by two."""
    return _pass(name, settings, actions, 1), _pass(name, settings, actions, 2)


def _pass(name: str, settings: dict[str, Any], actions: Sequence[int], threads: int) -> Pass:
    from ..envs.groups import Groups

    env = environment(name, LANES, threads=2, **settings)
    table = env.unwrapped.table
    env.unwrapped.table = Groups(table.parts, threads)
    env.reset(seed=0)
    return stepping(env, actions)


def stepping(env: Any, actions: Sequence[int], clock: Callable[[], float] = time.perf_counter) -> Pass:
    """A pass of steps of an environment that has been reset, some already made; choosing is not timed."""
    script: list[Any] = [np.full(env.num_envs, action) for action in actions]

    def work() -> float:
        passed = 0.0
        for handed in script or [None] * STEPS:
            chosen = env.unwrapped.table.masks().argmax(1) if handed is None else handed
            began = clock()
            env.step(chosen)
            passed += clock() - began
        return passed

    for _ in range(2):
        work()
    return work


def environment(name: str, lanes: int, **settings: Any) -> Any:
    """A native vector environment."""
    import gymnasium as gym

    from ..envs.registration import register_envs

    register_envs()
    return gym.make_vec(f"railbird/{name}-v0", lanes, vectorization_mode="vector_entry_point", **settings)


def _copies(other: ThreadPoolExecutor) -> tuple[Pass, Pass]:
    """Two blocks of memory copied one after the other, and both at once."""
    blocks = [(np.zeros(COPIED), np.ones(COPIED)) for _ in range(2)]

    def one() -> float:
        began = time.perf_counter()
        for to, source in blocks:
            np.copyto(to, source)
        return time.perf_counter() - began

    def two() -> float:
        began = time.perf_counter()
        running = other.submit(np.copyto, *blocks[1])
        np.copyto(*blocks[0])
        running.result()
        return time.perf_counter() - began

    one()
    return one, two
