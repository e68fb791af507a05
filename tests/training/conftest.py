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
# what algorithms are by themselves: a recipe's schedules end with the last step, so that more steps asked for
# later are another run
PLAIN = {
    "gamma": 0.9, "gae_lambda": 0.95, "schedule": "constant", "learning_rate": 1e-3, "ent_coef": 0.02,
    "ent_coef_end": "none",
}  # fmt: skip
UNTAUGHT = PLAIN | {
    "gamma": 0.99, "imitate": "", "chances": False, "reward": "expected", "normalize_rewards": True,
}  # fmt: skip
RECIPES = {("racing-aces", "maskable-ppo"): PLAIN, ("save-the-bet", "maskable-ppo"): UNTAUGHT}


@pytest.fixture
def small_run():
    """Makes a small run: an algorithm of `SMALL`, what else `make_run` takes, and more settings."""

    def made(game="racing-aces", algo="maskable-ppo", steps=256, settings=None, **asked):
        plain = RECIPES.get((game, algo), {})
        asked = {"checkpoint_every": 128, "deals": 40} | asked
        return make_run(
            game,
            algo,
            steps,
            **asked,
            settings=SMALL[algo] | {"hidden": (8,), "action": "wager"} | plain | (settings or {}),
        )

    return made
