"""EnvPool's Blackjack."""

from __future__ import annotations

from collections.abc import Callable

import envpool
import numpy as np

from .dice import ROUNDS

PACKAGES = ("envpool", "numpy")
LANES = 512


def stepped() -> Callable[[], float]:
    """A call steps all lanes; a lane whose hand ended is dealt the next one instead, which does not count."""
    env = envpool.make("Blackjack-v1", env_type="gymnasium", num_envs=LANES, num_threads=1, seed=0)
    env.reset()
    actions = np.random.default_rng(0).integers(0, 2, (ROUNDS, LANES)).astype(np.int32)  # legal always

    def work() -> float:
        resets = 0
        for chosen in actions:
            resets += int(np.count_nonzero(env.step(chosen)[2]))
        return float(actions.size - resets)

    return work


FORMS = {"blackjack": stepped}
