"""How cost grows: a race of Superfecta by lanes and by seats, a step of the other environments by lanes.

By processor time on one core. The lanes are grouped as an environment with automatic threads groups them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from .cores import SCRIPTS, STEPS, environment, stepping
from .measure import REPETITIONS, Figure, figure

LANES = (1, 64, 1024, 16_384, 65_536, 262_144)
OTHER_LANES = (1, 1024, 65_536)
SEATS = (2, 4, 6, 12)
SEATED_LANES = 4096
LEAST = 200_000  # lane-steps a repetition takes at least


def scaling() -> Iterator[Figure]:
    """Nanoseconds a lane for a race or a step, by lanes and by seats."""
    settings, actions = SCRIPTS["Superfecta"]
    for lanes in LANES:
        costs = cost("Superfecta", lanes, actions, settings)
        yield figure(f"superfecta_race_{lanes}_lanes", costs, "ns/race")
    for seats in SEATS:
        costs = cost("Superfecta", SEATED_LANES, actions, settings | {"seats": seats})
        yield figure(f"superfecta_race_{seats}_seats", costs, "ns/race")
    for name, (settings, actions) in SCRIPTS.items():
        if name == "Superfecta":
            continue
        for lanes in OTHER_LANES:
            steps = [value / (len(actions) or STEPS) for value in cost(name, lanes, actions, settings)]
            yield figure(f"{name}_step_{lanes}_lanes", steps, "ns/step")


def cost(name: str, lanes: int, actions: Sequence[int], settings: dict[str, Any]) -> list[float]:
    """Nanoseconds of processor time a lane and pass, a value for each repetition."""
    env = environment(name, lanes, **settings)
    env.reset(seed=0)
    work = stepping(env, actions, time.process_time)
    passes = min(100, -(-LEAST // (lanes * (len(actions) or STEPS))))
    return [1e9 / lanes * min(work() for _ in range(passes)) for _ in range(REPETITIONS)]
