"""Gymnasium's Blackjack in `SyncVectorEnv`."""

from __future__ import annotations

from collections.abc import Callable

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode

from .dice import ROUNDS

PACKAGES = ("gymnasium", "numpy")
LANES = 64


def stepped() -> Callable[[], float]:
    """A call steps all lanes; a hand that ends is followed by the next one in the same call."""
    env = gym.make_vec(
        "Blackjack-v1",
        LANES,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
    )
    env.reset(seed=0)
    actions = np.random.default_rng(0).integers(0, 2, (ROUNDS, LANES))  # both are legal always

    def work() -> float:
        for chosen in actions:
            env.step(chosen)
        return float(actions.size)

    return work


FORMS = {"blackjack": stepped}
