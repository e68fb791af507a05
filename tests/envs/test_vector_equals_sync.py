"""The native vector environment equals `SyncVectorEnv` over the single one, step by step, in each mode."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

LANES = 3
ALL = np.ones(LANES, bool)
FIRST = np.arange(LANES) == 0


def both(case, mode, **more):
    settings = {**case.settings, **more}
    singles = [partial(make, case.variant.id, lane=lane, **settings) for lane in range(LANES)]
    return case.make_vec(LANES, autoreset_mode=mode, **more), SyncVectorEnv(singles, autoreset_mode=mode)


def play_both(envs, steps, actions, assert_same):
    """Steps both side by side; how many episodes ended, and how often only some of the lanes did."""
    native, sync = envs
    assert_same(native.reset(seed=11), sync.reset(seed=[11] * LANES))
    ends = apart = illegal = 0
    for step in range(steps):
        chosen = actions(native.action_masks(), step)
        mine, theirs = native.step(chosen), sync.step(chosen)
        assert_same(mine, theirs, f"step {step}")
        ended = mine[2]
        ends += int(ended.sum())
        apart += ended.any() and not ended.all()
        illegal += int(mine[4]["illegal_action"].sum())
        again = ended if native.metadata["autoreset_mode"] is AutoresetMode.DISABLED else ~ALL
        again = again | (FIRST & (step == 2))  # so that games of one length do not stay in step
        if again.any():
            lanes = {"reset_mask": again.copy()}
            assert_same(native.reset(options=lanes), sync.reset(options={"reset_mask": again.copy()}))
            assert lanes.keys() == {"reset_mask"}, "the caller's options were altered"
    return ends, apart, illegal


def play_wildly(case, mode, steps, legal_actions, assert_same):
    """Steps both doors with actions of which some are illegal, and sees that enough has happened."""
    rng = np.random.default_rng(3)

    def actions(masks, step):
        chosen = legal_actions(masks, rng)
        wild = rng.integers(-2, masks.shape[1] + 2, LANES)  # some not even within the space
        return np.where(rng.random(LANES) < 0.1, wild, chosen)

    ends, apart, illegal = play_both(both(case, mode), steps, actions, assert_same)
    assert ends > steps // 20 and apart > steps // 40 and illegal > steps // 60


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_in_every_mode(case, mode, legal_actions, assert_same):
    play_wildly(case, mode, 80, legal_actions, assert_same)


@pytest.mark.slow
@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_for_10_000_steps(short_case, mode, legal_actions, assert_same):
    play_wildly(short_case, mode, 10_000 // LANES + 1, legal_actions, assert_same)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_with_rotating_seats_and_expected_rewards(
    short_case, mode, legal_actions, assert_same
):
    rng = np.random.default_rng(4)
    envs = both(short_case, mode, reward="expected", **short_case.rotates)
    ends, _, _ = play_both(envs, 40, lambda masks, step: legal_actions(masks, rng), assert_same)
    assert ends > 4


@pytest.mark.parametrize("mode", AutoresetMode)
def test_equals_sync_vector_env_with_whole_tickets(ticket_case, mode, assert_same):
    rng = np.random.default_rng(5)
    envs = both(ticket_case, mode, action="ticket")
    parts = envs[0].single_action_space.nvec

    def actions(masks, step):  # mostly nothing, so that tickets are not all too dear or illegal
        return np.where(rng.random((LANES, len(parts))) < 0.2, rng.integers(0, parts, (LANES, len(parts))), 0)

    ends, _, _ = play_both(envs, 40, actions, assert_same)
    assert ends > 10


def test_spaces_equal_those_of_sync_vector_env(case):
    native, sync = both(case, AutoresetMode.NEXT_STEP)
    for name in ("single_action_space", "action_space", "single_observation_space", "observation_space"):
        assert getattr(native, name) == getattr(sync, name), name
    assert native.metadata == sync.metadata


def test_seeds_and_reset_masks_reach_the_same_lanes(short_case, assert_same):
    native, sync = both(short_case, AutoresetMode.DISABLED)
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
