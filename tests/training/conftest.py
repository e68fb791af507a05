"""Small runs that are quick to train."""

import pytest

from railbird.training.run_settings import make_run

SMALL = {
    "maskable-ppo": {"lanes": 16, "n_steps": 8, "batch_size": 64},
    "ppo": {"lanes": 16, "n_steps": 8, "batch_size": 64},
    "recurrent-ppo": {"lanes": 16, "n_steps": 8, "batch_size": 64, "lstm_hidden_size": 8},
    "a2c": {"lanes": 16, "n_steps": 8},
    "dqn": {"lanes": 16, "learning_starts": 100, "batch_size": 32, "buffer_size": 800,
            "target_update_interval": 64},
    "sac": {"lanes": 16, "learning_starts": 100, "batch_size": 32, "buffer_size": 800},
}  # fmt: skip


@pytest.fixture
def small_run():
    """Makes a small run: an algorithm of `SMALL`, what else `make_run` takes, and more settings."""

    def made(game="racing-aces", algo="maskable-ppo", steps=256, settings=None, **asked):
        asked = {"checkpoint_every": 128, "deals": 40} | asked
        return make_run(
            game, algo, steps, settings=SMALL[algo] | {"hidden": (8,)} | (settings or {}), **asked
        )

    return made
