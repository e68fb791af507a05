"""The native vector environment equals `SyncVectorEnv` over the single one, step by step, in each mode."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from railbird.envs.checking import vectors
from railbird.envs.checking.doors import doors_of

make_vec: Any = gym.make_vec  # our environments have more than its type says

LANES = vectors.LANES


def compared(case, mode, steps, choose=None, **more):
    """What happens while both are stepped side by side."""
    return vectors.compare_with_sync(doors_of(case), mode.value, steps, choose, **more)


def enough(found, steps):
    """Whether enough has happened."""
    return found.ends > steps // 20 and found.apart > steps // 40 and found.illegal > steps // 60


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_in_every_mode(case, mode):
    assert enough(compared(case, mode, 80), 80)


@pytest.mark.slow
@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_for_10_000_steps(short_case, mode):
    steps = 10_000 // LANES + 1
    assert enough(compared(short_case, mode, steps), steps)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_with_rotating_seats_and_expected_rewards(short_case, mode, legal_actions):
    rng = np.random.default_rng(4)

    def choose(masks):
        return legal_actions(masks, rng)

    assert compared(short_case, mode, 40, choose, reward="expected", **short_case.rotates).ends > 4


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_with_whole_tickets(ticket_case, mode):
    rng = np.random.default_rng(5)
    parts = ticket_case.make(action="ticket").action_space.nvec

    def choose(masks):  # mostly nothing, so that tickets are not all too dear or illegal
        return np.where(rng.random((LANES, len(parts))) < 0.2, rng.integers(0, parts, (LANES, len(parts))), 0)

    assert compared(ticket_case, mode, 40, choose, action="ticket").ends > 10


def test_spaces_equal_those_of_sync_vector_env(case):
    native, sync = vectors.both(doors_of(case), AutoresetMode.NEXT_STEP.value)
    for name in ("single_action_space", "action_space", "single_observation_space", "observation_space"):
        assert getattr(native, name) == getattr(sync, name), name
    assert native.metadata == sync.metadata


def test_seeds_and_reset_masks_reach_the_same_lanes(short_case, assert_same):
    native, sync = vectors.both(doors_of(short_case), AutoresetMode.DISABLED.value)
    assert_same(native.reset(seed=[5, 6, 7]), sync.reset(seed=[5, 6, 7]))
    lanes = np.array([True, False, True])
    assert_same(
        native.reset(seed=[8, None, None], options={"reset_mask": lanes}),
        sync.reset(seed=[8, None, None], options={"reset_mask": lanes}),
    )


def test_the_autoreset_mode_is_published(variant):
    for mode in AutoresetMode:
        env = make_vec(variant.id, 2, autoreset_mode=mode.value)
        assert env.metadata["autoreset_mode"] is mode
    assert make_vec(variant.id, 2).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def test_a_lane_that_is_over_must_be_reset_before_it_is_stepped(short_case):
    env = short_case.make_vec(2, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, ended, _, _ = env.step(env.action_masks().argmax(1))
    lane = int(ended.argmax())
    with pytest.raises(
        ValueError, match=f"lane {lane}: the episode is over or has not begun; reset it first"
    ):
        env.step(env.action_masks().argmax(1))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_no_step_before_the_first_reset(variant, mode):
    env = make_vec(variant.id, 2, autoreset_mode=mode)
    with pytest.raises(ValueError, match="lane 0: the episode is over or has not begun; reset it first"):
        env.step(np.zeros(2, np.int64))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reset_mask": [True, False]}, r"reset_mask'\] is a bool array of shape \(2,\) with a True in it"),
        ({"reset_mask": np.array([True])}, r"reset_mask'\] is a bool array of shape \(2,\)"),
        ({"reset_mask": np.array([1, 0])}, r"reset_mask'\] is a bool array of shape \(2,\)"),
        ({"reset_mask": np.array([False, False])}, r"reset_mask'\] is a bool array of shape \(2,\)"),
        ({"reset_masks": np.array([True, True])}, "no reset option 'reset_masks'; did you mean 'reset_mask'"),
    ],
)
def test_a_wrong_reset_option_is_an_error(variant, options, message):
    env = make_vec(variant.id, 2)
    env.reset(seed=1)
    with pytest.raises((ValueError, LookupError), match=message):
        env.reset(options=options)


def test_the_first_reset_is_for_all_lanes(variant):
    env = make_vec(variant.id, 2)
    with pytest.raises(ValueError, match="the first reset is for all lanes; give no reset_mask"):
        env.reset(options={"reset_mask": np.array([True, False])})


def test_a_list_of_seeds_has_one_for_each_lane(variant):
    with pytest.raises(ValueError, match="seeds are one for each of the 2 lanes, not 3"):
        make_vec(variant.id, 2).reset(seed=[1, 2, 3])


def test_an_unknown_autoreset_mode_is_an_error(variant):
    with pytest.raises(
        ValueError, match="autoreset_mode is one of 'NextStep', 'SameStep', 'Disabled', not 'same'"
    ):
        make_vec(variant.id, 2, autoreset_mode="same")
