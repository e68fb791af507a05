"""Pasteboard Derby through its environment: who pays the ante names a horse, and nobody can pass."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make: Any = gym.make  # our environments have more than its type says

DERBY = "railbird/PasteboardDerby-v0"
CLUBS = 3


def naming(rival, horse):
    """A rival that names the same horse in every race, 1 to 4 for H, D, C, S."""
    return rival(DERBY, f"horse-{horse}", act=lambda self, view, draws: np.full((len(view.lane), 1), horse))


def test_a_payer_names_one_of_four_horses_and_cannot_pass():
    env = make(DERBY).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [0, 1, 1, 1, 1]
    env.step(CLUBS)
    assert env.table.game.state.last_named[0, 0] == CLUBS


@pytest.mark.parametrize("action", [0, 5, -1])
def test_an_illegal_action_names_hearts(action):
    env = make(DERBY).unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(action)
    assert info["illegal_action"] is True
    assert env.table.game.state.last_named[0, 0] == 1


def test_passing_can_be_an_error():
    env = make(DERBY, illegal="raise").unwrapped
    env.reset(seed=1)
    message = r"lane 0: action 0 \(nothing to decide\) is not legal now; legal are \[1, 2, 3, 4\]"
    with pytest.raises(ValueError, match=message):
        env.step(0)
    assert env.table.game.state.turn[0] == 0


def test_who_names_the_winner_alone_takes_the_bank(rival):
    env = make(DERBY, seats=3, opponents=[naming(rival, 1), naming(rival, 2)]).unwrapped
    won = 0
    for seed in range(12):
        env.reset(seed=seed)
        _, reward, _, _, _ = env.step(CLUBS)
        winner = int(env.table.game.state.last_winner[0]) + 1
        # three antes of 2 make a bank of 6: 6 - 2 for the winner's only backer
        assert reward == (4.0 if winner == CLUBS else -2.0)
        won += winner == CLUBS
    assert 0 < won < 12


def test_the_part_of_the_bank_at_the_end_is_in_the_last_reward(rival):
    env = make(DERBY, seats=3, races=1, opponents=[naming(rival, 1)]).unwrapped
    for seed in range(20):
        env.reset(seed=seed)
        _, reward, ended, _, _ = env.step(CLUBS)
        winner = int(env.table.game.state.last_winner[0]) + 1
        assert ended
        # nobody's horse: the bank of 6 stays and is divided among three, 2 each: -2 + 2
        assert reward == {CLUBS: 4.0, 1: -2.0}.get(winner, 0.0)


def test_a_learner_that_cannot_pay_the_ante_has_finished(rival):
    env = make(DERBY, seats=6, races=3, bankroll=3, opponents=[naming(rival, 1)]).unwrapped
    told = set()
    for seed in range(16):
        env.reset(seed=seed)
        _, reward, ended, _, info = env.step(CLUBS)
        races, winner = int(env.table.game.state.turn[0]), int(env.table.game.state.last_winner[0]) + 1
        assert ended
        assert info["action_mask"].tolist() == [1, 0, 0, 0, 0]
        if (
            races == 1
        ):  # one chip each for the others, who cannot go on: the bank of 12 is the learner's, or all's
            assert reward == (10.0 if winner == CLUBS else 0.0)
        else:  # hearts won the first race: 12 // 5 = 2 for each of the five others, who go on without it
            assert reward == (-2.0 if winner == 1 else 0.0)  # 2 chips are left in the end, or 12 for six
        told.add((races > 1, reward))
    assert told >= {(False, 10.0), (False, 0.0), (True, 0.0)}
