"""N5: one action mask through every door, in the right dtype each."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
import torch

from railbird.envs.checking import masks
from railbird.envs.checking.doors import doors_of


def test_every_door_tells_the_same_mask(doors):
    masks.masks_agree(doors)


@pytest.mark.slow
def test_every_door_tells_the_same_mask_for_long(any_doors):
    masks.masks_agree(any_doors, steps=2_000)  # 13 ways to play, 1 + 3 + at least 2 masks a step: over 10^5


def test_what_a_mask_allows_is_accepted(any_doors):
    masks.masks_allow_what_is_played(any_doors)


@pytest.fixture
def one_thread() -> Any:
    """Networks this small are no work for two."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", ["Superfecta", "SaveTheBet"])
@pytest.mark.parametrize("kind", ["dummy", "spawned", "native"])
def test_masked_training_needs_no_wrapper(case_of, name, kind):
    from sb3_contrib import MaskablePPO  # only the slow tests pay for loading it
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    doors = doors_of(case_of(name))
    make = partial(gym.make, f"railbird:{doors.name}", **doors.settings)
    envs = {
        "dummy": lambda: DummyVecEnv([make, make]),
        "spawned": lambda: SubprocVecEnv([make, make], start_method="spawn"),
        "native": lambda: doors.open_sb3(2),
    }[kind]()
    model = MaskablePPO("MlpPolicy", envs, n_steps=250, batch_size=500, n_epochs=1, seed=1, device="cpu")
    model.learn(5_000)
    envs.close()
    assert model.num_timesteps == 5_000
    assert all(bool(values.isfinite().all()) for values in model.policy.state_dict().values())


# ---- each seen failing


def test_a_mask_of_the_wrong_dtype_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    wrong = broken(
        "Superfecta", single={"action_masks": lambda self: base.action_masks(self).astype(np.int8)}
    )
    fails(
        masks.masks_agree,
        wrong,
        r"action_masks\(\) is int8 of shape \(41,\) \(step 0\); make it bool of shape",
    )


def test_a_mask_of_the_wrong_length_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    wrong = broken("Superfecta", single={"action_masks": lambda self: base.action_masks(self)[1:]})
    fails(masks.masks_agree, wrong, r"action_masks\(\) is bool of shape \(40,\) \(step 0\)")


def test_a_stale_mask_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        self.before = base.action_masks(self)
        return base.step(self, action)

    stale = {"step": step, "action_masks": lambda self: getattr(self, "before", base.action_masks(self))}
    message = r"action \d+ is legal by action_masks\(\) and illegal by the info \(step \d+\); let both come"
    fails(masks.masks_agree, broken("Superfecta", single=stale), message)


def test_a_mask_that_is_missing_in_the_info_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        *told, info = base.step(self, action)
        del info["action_mask"]
        return *told, info

    message = r"action_masks\(\) has a mask and info has none \(step 1\); tell it in both"
    fails(masks.masks_agree, broken("Superfecta", single={"step": step}), message)


def test_a_vector_environment_that_tells_another_mask_is_found(case_of, broken, fails):
    base = type(case_of("HorseRace").make_vec(1))
    turned = broken("HorseRace", vector={"action_masks": lambda self: base.action_masks(self)[:, ::-1]})
    fails(masks.masks_agree, turned, r"by the info \(vector environment, step 0, lane 0\)")


def test_an_open_table_that_tells_two_masks_is_found(case_of, broken, fails):
    base = type(broken("HorseRace").open_parallel())

    def reset(self, seed=None, options=None):
        seen, infos = base.reset(self, seed, options)
        infos["player_1"]["action_mask"][:] = 1
        return seen, infos

    message = (
        r"action \d+ is illegal by action_masks\(\) and legal by the info \(PettingZoo, step 0, player_1\)"
    )
    fails(masks.masks_agree, broken("HorseRace", parallel={"reset": reset}), message)


def test_a_mask_that_the_rules_do_not_keep_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    everything = broken("Superfecta", single={"action_masks": lambda self: base.action_masks(self) | True})
    message = r"an action that the mask allows is refused: lane 0: action .* is not legal now; .*; let mask"
    fails(masks.masks_allow_what_is_played, everything, message)
