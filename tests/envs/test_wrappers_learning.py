"""Learners that are not Railbird's own, on wrapped environments: they run, and what they do is legal."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.envs.wrappers import ExactOdds, LogWealthReward, StakeFractions, TicketCatalogue

make: Any = gym.make  # our environments have more than its type says

pytestmark = pytest.mark.slow
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("railbird/Superfecta-v0", {}),
    ("railbird/HorseRace-v0", {}),
    ("railbird/RacingAces-v0", {"stakes": (1, 2, 5)}),
]


@pytest.mark.parametrize("algorithm", ["SAC", "TD3"])
@pytest.mark.parametrize(("env_id", "settings"), TABLES, ids=[env_id for env_id, _ in TABLES])
def test_learners_of_continuous_actions_run_on_fractions(algorithm, env_id, settings):
    import stable_baselines3

    env = LogWealthReward(ExactOdds(StakeFractions(make(env_id, illegal="raise", **settings), most=0.2)))
    small = {"net_arch": [16, 16]}
    model = getattr(stable_baselines3, algorithm)(
        "MlpPolicy", env, seed=1, learning_starts=100, batch_size=32, policy_kwargs=small, device="cpu"
    )
    model.learn(400)
    assert all(parameter.isfinite().all() for parameter in model.policy.parameters())
    seen, _ = env.reset(seed=2)
    action, _ = model.predict(seen, deterministic=True)
    assert env.action_space.contains(action)
    assert np.isfinite(env.step(action)[1])


def test_a_masked_learner_runs_on_the_catalogue():
    from sb3_contrib import MaskablePPO

    env = LogWealthReward(TicketCatalogue(make("railbird/Superfecta-v0", illegal="raise", bankroll=12)))
    model = MaskablePPO(
        "MlpPolicy", env, seed=1, n_steps=64, batch_size=32, n_epochs=2,
        policy_kwargs={"net_arch": [16]}, device="cpu",
    )  # fmt: skip
    model.learn(256)  # an action that cannot be paid for would be an error
    assert model.num_timesteps == 256
