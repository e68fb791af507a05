"""Railbird's native vector environments: a learner at each table, everything at random.

A call of `step` is an action in each lane, and an observation, a reward and a mask come back. Agents sit at
the other seats; here they bet at random too, and what they decide does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import gymnasium as gym
import numpy as np

from ....envs.registration import register_envs
from ....games.registry import load
from ...save_the_bet import choose
from .dice import ROUNDS

PACKAGES = ("railbird", "numpy", "numba", "gymnasium")
LANES = 4096
IDS = {
    "superfecta": "railbird/Superfecta-v0",
    "racing-aces": "railbird/RacingAces-v0",
    "horse-race": "railbird/HorseRace-v0",
    "pasteboard-derby": "railbird/PasteboardDerby-v0",
    "save-the-bet": "railbird/SaveTheBet-v0",
}


def stepped(name: str, lanes: int = LANES) -> Callable[[], float]:
    """A call steps all lanes; an episode that ends is followed by the next one in the same call."""
    register_envs()
    options: dict[str, Any] = {"autoreset_mode": "SameStep"}
    if load(name).make_settings().seats > 1:
        options["opponents"] = "random"
    env = gym.make_vec(IDS[name], lanes, vectorization_mode="vector_entry_point", **options)
    _, infos = env.reset(seed=0)
    dice = cycle(np.random.default_rng(0).random((ROUNDS, lanes)))
    actions = np.zeros(lanes, np.int64)

    def work() -> float:
        nonlocal infos
        for _ in range(ROUNDS):
            choose(actions, infos["action_mask"], next(dice))
            *_, infos = env.step(actions)
        return float(ROUNDS * lanes)

    return work


FORMS = {name: partial(stepped, name) for name in IDS}
