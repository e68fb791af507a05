"""PPO of RLlib on Racing Aces, two players at a table, both learning one policy, through the PettingZoo door.

RLlib's `ParallelPettingZooEnv` takes `railbird.envs.parallel_env` as it is: every seat acts in every step,
and a seat with nothing to decide has action 0 as its only legal one. The mask comes in the observation, and
the module below keeps the policy to legal actions, in training as well as when it plays.

With ``reward="expected"`` a bet is paid by its exact expectation. The best bettor earns 0.071857 chips a
race, and who never bets earns 0; some entropy keeps PPO from staying there.

RLlib pins an older Gymnasium than Railbird's other doors are tested with, so it has an environment of its
own:

    pip install -r examples/rllib_requirements.txt
    pip install --no-deps -e .
    python examples/rllib_ppo.py --steps 36000
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env
from torch import nn

from railbird.envs import parallel_env

RACES, SEATS, TABLES, BATCH = 12, 2, 25, 3000
NO = -1e9  # the logit of an illegal action
SHARED = "shared"  # the policy of all seats


def make_env(config: EnvContext) -> ParallelPettingZooEnv:
    """One table; tables of the same seed play different games, each those of its own lane."""
    lane = config.vector_index or 0
    return ParallelPettingZooEnv(
        parallel_env("racing-aces", seats=SEATS, races=RACES, reward="expected", lane=lane)
    )


class MaskedModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]  # mypy does not look into RLlib
    """A policy that knows the mask, and a value, both of what the seat sees."""

    def setup(self) -> None:
        features = self.observation_space["observation"].shape[0]
        self.policy, self.value = network(features, int(self.action_space.n)), network(features, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"])
        return {Columns.ACTION_DIST_INPUTS: torch.where(seen["action_mask"] > 0, logits, NO)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        values: torch.Tensor = self.value(batch[Columns.OBS]["observation"])
        return values.squeeze(-1)


def network(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


def make_trainer(seed: int) -> PPO:
    register_env("railbird", make_env)
    config = (
        PPOConfig()
        .environment("railbird")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=TABLES)  # all in this process
        .multi_agent(policies={SHARED}, policy_mapping_fn=lambda agent, episode, **_: SHARED)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={SHARED: RLModuleSpec(MaskedModule)}))
        .training(
            train_batch_size_per_learner=BATCH,
            minibatch_size=500,
            num_epochs=6,
            lr=2e-3,
            gamma=1.0,
            lambda_=0.9,
            entropy_coeff=0.02,
            use_kl_loss=False,
        )
        .debugging(seed=seed)
    )
    return config.build_algo()


def train(trainer: PPO, steps: int) -> MaskedModule:
    """The module after so many steps of a table."""
    done = 0
    while done < steps:
        runs = trainer.train()["env_runners"]
        done = int(runs["num_env_steps_sampled_lifetime"])
        earned = runs["episode_return_mean"] / (RACES * SEATS)
        print(f"{done:>8} steps: {earned:+.4f} chips a race and seat", flush=True)
    module: MaskedModule = trainer.get_module(SHARED)
    return module


@torch.no_grad()
def score(module: MaskedModule, games: int, seed: int) -> float:
    """Exact expected chips a race of the likeliest actions."""
    env = parallel_env("racing-aces", seats=SEATS, races=RACES, reward="expected", illegal="raise")
    total = 0.0
    for game in range(games):
        seen, _ = env.reset(seed=seed if game == 0 else None)
        while env.agents:
            rows = {key: np.stack([seen[agent][key] for agent in env.agents]) for key in seen[env.agents[0]]}
            out = module.forward_inference(
                {Columns.OBS: {key: torch.from_numpy(row) for key, row in rows.items()}}
            )
            actions = out[Columns.ACTION_DIST_INPUTS].argmax(-1).tolist()
            seen, rewards, *_ = env.step(dict(zip(env.agents, actions, strict=True)))
            total += sum(rewards.values())
    return total / (games * RACES * SEATS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=36_000, help="steps of a table to learn from")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    trainer = make_trainer(options.seed)
    earned = score(train(trainer, options.steps), 400, options.seed + 1)
    trainer.stop()
    ray.shutdown()
    print(f"score {earned:+.4f} chips a race; the best there is: +0.0719")


if __name__ == "__main__":
    main()
