"""Superfecta through its environment: pools, ruin and the final division in the learner's rewards."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HAND_IN = 0


@pytest.fixture
def passer(rival):
    """A rival that never bets."""
    return rival(SUPERFECTA, "passer")


def line(number):
    """The action that writes the smallest stake on a line."""
    return 1 + number


def play(env, *lines):
    """Writes these lines and hands in; the last step's reward and whether it ended the episode."""
    for number in lines:
        _, reward, ended, _, _ = env.step(line(number))
        assert (reward, ended) == (0.0, False)  # writing moves no money
    _, reward, ended, _, _ = env.step(HAND_IN)
    return reward, ended


def test_who_alone_covers_a_pool_gets_it_all_back(passer):
    env = make(SUPERFECTA, seats=3, races=2, opponents=[passer]).unwrapped
    env.reset(seed=1)
    # 4 WIN lines and 12 EXA lines cost 16; one of each wins and nobody else bets: 4 + 12 come back
    assert play(env, *range(16)) == (0.0, False)


def test_the_final_division_is_in_the_last_reward(on_line):
    env = make(SUPERFECTA, seats=2, races=1, opponents=[on_line(16, 10)]).unwrapped
    env.reset(seed=1)
    reward, ended = play(env)
    assert env.table.game.state.last_order[0] != 0  # line 16 is H/D/C/S, order 0: the rival has lost
    assert (reward, ended) == (5.0, True)  # its 10 chips are divided among two


def lose_all(env):
    """Resets until the one chip on SFC H/D/C/S is lost, and plays that step."""
    for seed in range(20):
        env.reset(seed=seed)
        env.step(line(16))
        result = env.step(HAND_IN)
        if env.table.game.state.last_payouts[0, 0] == 0:
            return result
    raise AssertionError("SFC H/D/C/S came in twenty times running")


def test_ruin_ends_the_episode_in_the_same_step(passer):
    env = make(SUPERFECTA, seats=2, races=3, bankroll=1, opponents=[passer]).unwrapped
    _, reward, ended, truncated, info = lose_all(env)
    # the pool of 1 chip is carried to the end; divided by two it is 0 each, 1 is undivided
    assert (reward, ended, truncated) == (-1.0, True, False)
    assert env.table.game.state.turn[0] == 3  # the others played the game out
    assert env.table.game.state.refused[0, 0] == 0  # with empty tickets of the learner's
    assert info["action_mask"].tolist() == [1] + [0] * 40
    with pytest.raises(ValueError, match="the episode is over or has not begun; reset it first"):
        env.step(HAND_IN)


def test_a_ruined_learner_still_gets_its_part_of_the_final_division(on_line):
    env = make(SUPERFECTA, seats=2, races=3, bankroll=1, opponents=[on_line(16)]).unwrapped
    _, reward, ended, _, _ = lose_all(env)
    # both lost 1 chip on the same line; the pool of 2 is divided at the end: -1 + 1
    assert (reward, ended) == (0.0, True)
    assert env.table.game.state.bankrolls.tolist() == [[1, 1]]


def test_a_ruined_lane_does_not_hurry_the_others(passer):
    env = make_vec(SUPERFECTA, 2, seats=2, races=3, bankroll=1, opponents=[passer], autoreset_mode="Disabled")
    for seed in range(20):
        env.reset(seed=seed)
        env.step(np.array([line(16), HAND_IN]))
        _, _, ended, _, _ = env.step(np.array([HAND_IN, HAND_IN]))
        if ended[0]:
            assert ended.tolist() == [True, False]
            assert env.table.game.state.turn.tolist() == [3, 2]
            return
    raise AssertionError("SFC H/D/C/S came in twenty times running")


def test_expected_reward_is_the_expectation_given_the_rail(passer):
    env = make(SUPERFECTA, seats=2, opponents=[passer], reward="expected").unwrapped
    for seed in range(500):
        env.reset(seed=seed)
        if env.table.game.state.rail[0].tolist() == [2, 2, 1, 1]:
            break
    reward, _ = play(env, 0)
    # alone in the pool, WIN H brings its chip back with 0.1892 (RULES.md §1): 0.1892 - 1
    assert reward == pytest.approx(0.1892 - 1, abs=5e-5)
