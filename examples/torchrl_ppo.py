"""Masked PPO of TorchRL on Racing Aces: all tables in one batch, no process or environment per table.

TorchRL's `GymWrapper` takes Railbird's own vector environment as it is. Two things to know:

- ``autoreset_mode=DISABLED``: TorchRL says itself which lanes begin anew.
- The action mask comes in the info. An info reader puts it beside the observation, and `MaskedCategorical`
  keeps the policy to legal actions, in training as well as when it plays.

With ``reward="expected"`` a bet is paid by its exact expectation, so a short run tells good bets from bad
ones. The best bettor earns 0.071857 chips a race, and who never bets earns 0; some entropy keeps PPO from
staying there.

    pip install -r examples/torchrl_requirements.txt -c constraints.txt
    python examples/torchrl_ppo.py --steps 400000
"""

from __future__ import annotations

import argparse

import gymnasium as gym
import torch
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Bounded, Composite
from torchrl.envs import GymWrapper, default_info_dict_reader
from torchrl.envs.utils import ExplorationType, set_exploration_type
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import railbird  # noqa: F401 - Gymnasium knows the environments once both are imported

RACES = 12  # steps of a lane in a batch: one game
MINIBATCH = 2048
EPOCHS = 4


def make_env(lanes: int, seed: int) -> GymWrapper:
    """So many tables, their masks beside their observations."""
    tables = gym.make_vec(
        "railbird/RacingAces-v0",
        lanes,
        vectorization_mode="vector_entry_point",
        autoreset_mode=AutoresetMode.DISABLED,
        races=RACES,
        reward="expected",
    )
    actions = int(spaces.flatdim(tables.single_action_space))
    mask = Composite({"action_mask": Bounded(0, 1, (lanes, actions), dtype=torch.int8)}, shape=(lanes,))
    env = GymWrapper(tables, categorical_action_encoding=True)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=mask))
    env.set_seed(seed)
    return env


class Logits(nn.Module):
    """The policy: what is seen and the mask as 0 and 1 -> logits and the mask as False and True."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.layers = network(features, actions)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.layers(seen), mask == 1


def network(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


def train(env: GymWrapper, steps: int) -> ProbabilisticActor:
    """The policy after so many decisions."""
    features = env.observation_spec["observation"].shape[-1]
    logits = Logits(features, env.full_action_spec["action"].space.n)
    policy = ProbabilisticActor(
        TensorDictModule(logits, in_keys=["observation", "action_mask"], out_keys=["logits", "mask"]),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    value = ValueOperator(network(features, 1), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.9, value_network=value)
    loss = ClipPPOLoss(policy, value, entropy_coeff=0.02)
    adam = torch.optim.Adam(loss.parameters(), 2e-3)
    batch = env.batch_size[0] * RACES
    batches = max(1, steps // batch)
    collector = Collector(
        env,
        policy,
        frames_per_batch=batch,
        total_frames=batches * batch,
        auto_register_policy_transforms=False,
    )
    for number, data in enumerate(collector):
        assert data["action_mask"].gather(-1, data["action"].unsqueeze(-1)).all(), (
            "an illegal action was taken"
        )
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantage(data)
            flat = data.reshape(-1)
            for rows in torch.split(torch.randperm(len(flat)), MINIBATCH):
                losses = loss(flat[rows])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                adam.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                adam.step()
        if number % 10 == 0 or number == batches - 1:
            print(
                f"{(number + 1) * batch:>9} steps: {float(data['next', 'reward'].mean()):+.4f} chips a race"
            )
    return policy


@torch.no_grad()
def score(env: GymWrapper, policy: ProbabilisticActor) -> float:
    """Exact expected chips a race of the likeliest actions, over one game of each lane."""
    with set_exploration_type(ExplorationType.DETERMINISTIC):
        played = env.rollout(RACES, policy, break_when_any_done=False)
    return float(played["next", "reward"].mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=400_000, help="decisions to learn from")
    parser.add_argument("--lanes", type=int, default=512, help="tables played at once")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    policy = train(make_env(options.lanes, options.seed), options.steps)
    earned = score(make_env(4096, options.seed + 1), policy)
    print(f"score {earned:+.4f} chips a race; the best there is: +0.0719")


if __name__ == "__main__":
    main()
