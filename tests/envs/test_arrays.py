"""Arrays handed out are the caller's: later steps never alter them, and altering them alters no game."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode


def run(env, steps, legal_actions, spoil=False):
    """All that an environment hands out in so many steps, and a copy made at once."""
    rng = np.random.default_rng(1)
    vector = hasattr(env, "num_envs")
    handed, copied = [], []
    result = env.reset(seed=2)
    for _ in range(steps):
        handed.append(result)
        copied.append(copy.deepcopy(result))
        masks = np.atleast_2d(env.action_masks())
        if spoil:
            fill(result)
        actions = legal_actions(masks, rng)
        result = env.step(actions if vector else int(actions[0]))
        ended = np.atleast_1d(result[2])
        if ended.any() and (not vector or env.autoreset_mode is AutoresetMode.DISABLED):
            handed.append(result)
            copied.append(copy.deepcopy(result))
            result = env.reset(options={"reset_mask": ended} if vector else None)
    return handed, copied


def fill(value):
    """Overwrites every array that was handed out."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        for item in value:
            fill(item)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        fill([item for item in value if item is not None])
    elif isinstance(value, np.ndarray):
        value[...] = 1


@pytest.mark.parametrize("mode", AutoresetMode)
def test_later_steps_never_alter_what_was_handed_out(short_case, mode, legal_actions, assert_same):
    handed, copied = run(short_case.make_vec(3, autoreset_mode=mode), 50, legal_actions)
    assert_same(handed, copied)


def test_later_steps_of_a_single_environment_alter_nothing(short_case, legal_actions, assert_same):
    handed, copied = run(short_case.make(), 50, legal_actions)
    assert_same(handed, copied)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_altering_what_was_handed_out_alters_no_game(short_case, mode, legal_actions, assert_same):
    clean, spoiled = (short_case.make_vec(3, autoreset_mode=mode) for _ in range(2))
    assert_same(run(clean, 50, legal_actions)[1], run(spoiled, 50, legal_actions, spoil=True)[1])


def test_the_actions_of_the_caller_are_not_altered(short_case):
    env = short_case.make_vec(2)
    env.reset(seed=1)
    actions = np.array([10_000, int(env.action_masks()[1].argmax())])  # the first is illegal
    given = actions.copy()
    env.step(actions)
    np.testing.assert_array_equal(actions, given)
