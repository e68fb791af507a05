"""Actions: illegal ones, wrong ones, whole tickets."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"


def own_stakes(env):
    """The learner's accepted ticket of the last race, line -> chips."""
    stakes = env.unwrapped.table.game.state.last_stakes[0, 0]
    return {int(line): int(stakes[line]) for line in np.flatnonzero(stakes)}


def test_an_illegal_action_hands_in_and_is_told():
    env = make(SUPERFECTA, bankroll=9).unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(1)
    assert info["illegal_action"] is False
    _, reward, _, _, info = env.step(1)  # there is a wager on WIN H already
    assert info["illegal_action"] is True
    assert own_stakes(env) == {0: 1}  # what was written before has been handed in
    assert env.table.game.state.turn[0] == 1
    assert reward == info["profit"]


@pytest.mark.parametrize("action", [-1, 41, 2**62, -(2**63)])
def test_an_action_outside_the_space_is_illegal_too(action):
    env = make(SUPERFECTA).unwrapped
    env.reset(seed=1)
    _, reward, _, _, info = env.step(action)
    assert (info["illegal_action"], reward) == (True, 0.0)
    assert own_stakes(env) == {}


def test_only_the_lane_of_an_illegal_action_is_touched():
    env = make_vec(SUPERFECTA, 2)
    env.reset(seed=1)
    env.step(np.array([1, 1]))
    _, _, _, _, infos = env.step(np.array([1, 2]))  # lane 0 writes WIN H a second time
    assert infos["illegal_action"].tolist() == [True, False]
    assert env.table.game.state.turn.tolist() == [1, 0]


def test_raising_names_the_lane_and_what_is_legal_and_changes_nothing():
    env = make_vec(SUPERFECTA, 2, bankroll=1, illegal="raise")
    env.reset(seed=1)
    env.step(np.array([0, 5]))
    before = env.get_state()
    message = r"lane 1: action 6 \(\$1 EXA H/C\) is not legal now; legal are \[0\]"
    with pytest.raises(ValueError, match=message):
        env.step(np.array([1, 6]))
    assert env.get_state() == before
    with pytest.raises(ValueError, match="lane 0: action 41 is none of 0 to 40"):
        env.step(np.array([41, 0]))


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((2, 1), int), np.zeros(2), np.zeros(2, bool), "01"]
)
def test_actions_of_the_wrong_kind_are_an_error(variant, actions):
    env = make_vec(variant.id, 2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions are integers of shape \(2,\), not"):
        env.step(actions)


def test_a_whole_ticket_is_the_same_race_as_its_wagers(assert_same):
    wagers = make(SUPERFECTA, split="pro_rata", stakes=(1, 5)).unwrapped
    ticket = make(SUPERFECTA, split="pro_rata", stakes=(1, 5), action="ticket").unwrapped
    wagers.reset(seed=1)
    ticket.reset(seed=1)
    for action in (wagers.encoding.encode("WIN", "D", 100), wagers.encoding.encode("SFC", "S/C/D/H", 500), 0):
        seen, reward, ended, _, _ = wagers.step(action)
    choices = np.zeros(40, np.int64)
    choices[1] = 1  # WIN D, the first size
    choices[39] = 2  # SFC S/C/D/H, the second
    assert_same(ticket.step(choices)[:3], (seen, reward, ended))
    assert own_stakes(ticket) == own_stakes(wagers) == {1: 100, 39: 500}


def test_the_mask_of_a_whole_ticket_is_flat_and_line_by_line():
    env = make(SUPERFECTA, bankroll=2, stakes=(1, 3), action="ticket").unwrapped
    _, info = env.reset(seed=1)
    assert env.action_space == gym.spaces.MultiDiscrete([3] * 40)
    assert info["action_mask"].tolist() == [1, 1, 0] * 40  # none or 1 chip; 3 cannot be paid


def test_a_ticket_of_legal_choices_that_is_too_dear_is_refused():
    env = make(SUPERFECTA, bankroll=2, action="ticket").unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(np.array([1] * 3 + [0] * 37))  # 3 chips
    assert info["illegal_action"] is False
    assert own_stakes(env) == {}
    assert env.table.game.state.refused[0, 0] == 1


@pytest.mark.parametrize("choice", [-1, 3, 2])  # two outside the space, one that cannot be paid
def test_an_illegal_choice_makes_the_whole_ticket_empty(choice):
    env = make(SUPERFECTA, bankroll=2, stakes=(1, 3), action="ticket").unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(np.array([1, choice] + [0] * 38))
    assert info["illegal_action"] is True
    assert own_stakes(env) == {}
    assert env.table.game.state.refused[0, 0] == 0


def test_raising_names_the_part_of_the_ticket():
    env = make(SUPERFECTA, bankroll=2, stakes=(1, 3), action="ticket", illegal="raise").unwrapped
    env.reset(seed=1)
    with pytest.raises(
        ValueError, match=r"choice 2 in part 1 of the ticket is not legal now; legal are \[0, 1\]"
    ):
        env.step(np.array([1, 2] + [0] * 38))
