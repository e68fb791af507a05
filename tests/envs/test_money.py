"""Rewards are money: what the bankroll gains, when a ruined learner's episode ends, what is expected."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HAND_IN = 0


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


@pytest.mark.parametrize("split", ["equal", "pro_rata"])
@pytest.mark.parametrize("seat", [2, "rotate"])
def test_reward_is_the_change_of_the_bankroll(split, seat, legal_actions):
    env = make(SUPERFECTA, split=split, seat=seat, races=3).unwrapped
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    own = env.table.game.state.bankrolls[0]
    ends = gained = 0
    for _ in range(800):
        seat = int(env.table.seat[0])
        before = int(own[seat])
        _, reward, ended, _, info = env.step(legal_actions(env.action_masks()[None], rng)[0])
        assert reward == info["profit"] == int(own[seat]) - before
        assert own.min() >= 0
        gained += reward > 0
        ends += ended
        if ended:
            env.reset()
    assert ends > 20 and gained > 20


def test_vector_rewards_are_the_changes_of_the_bankrolls(legal_actions):
    env = make_vec(SUPERFECTA, 16, seat="rotate", races=3, bankroll=8, autoreset_mode="Disabled")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    lanes = np.arange(16)
    for _ in range(200):
        seats = env.table.seat.copy()
        before = env.table.game.state.bankrolls[lanes, seats]
        _, rewards, ended, _, infos = env.step(legal_actions(env.action_masks(), rng))
        change = env.table.game.state.bankrolls[lanes, seats] - before
        np.testing.assert_array_equal(rewards, change)
        np.testing.assert_array_equal(infos["profit"], change)
        if ended.any():
            env.reset(options={"reset_mask": ended})


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


def test_expected_and_cash_rewards_have_the_same_mean():
    cash, expected = [], []
    env = make_vec(SUPERFECTA, 512, reward="expected", races=2, autoreset_mode="SameStep")
    env.reset(seed=1)
    for _ in range(24):
        env.step(np.full(512, line(0)))
        _, rewards, _, _, infos = env.step(np.full(512, HAND_IN))
        expected.append(rewards)
        cash.append(infos["final_info"]["profit"] if "final_info" in infos else infos["profit"])
    luck = np.concatenate(cash) - np.concatenate(expected)
    assert luck.std() > 0.5  # the race has luck in it
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
