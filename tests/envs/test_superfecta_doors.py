"""Superfecta through its environment: masks and tickets by hand, settings, whole tickets."""

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


def test_masks_allow_what_a_ticket_can_still_pay_for():
    env = make(SUPERFECTA, bankroll=2).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == 41  # handing in, or any of 40 lines
    _, _, _, _, info = env.step(1)
    assert info["action_mask"].tolist() == [1, 0] + [1] * 39  # a line is written once
    _, _, _, _, info = env.step(2)
    assert info["action_mask"].tolist() == [1] + [0] * 40  # both chips are spent


def test_a_learner_that_starts_broke_plays_one_empty_ticket():
    env = make(SUPERFECTA, bankroll=0, races=5).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] + [0] * 40
    assert env.table.game.state.turn[0] == 0
    _, reward, ended, _, _ = env.step(0)
    assert (reward, ended) == (0.0, True)
    assert env.table.game.state.turn[0] == 5  # the game was played out


def test_the_action_space_follows_the_stake_sizes():
    env = make(SUPERFECTA, split="pro_rata", stakes=(1, 5)).unwrapped
    assert env.action_space == gym.spaces.Discrete(81)  # 1 + 40 lines * 2 sizes
    assert env.encoding.decode(2) == ("WIN", "H", 500)  # the second size: 5 minimum bets of 100 cents


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seets": 3}, "there is no setting of railbird/Superfecta-v0 'seets'; did you mean 'seats'"),
        ({"stake": (1,)}, "did you mean 'stakes'"),
        ({"opponents": ["favorite"]}, "did you mean 'favourite'"),
        ({"opponents": []}, "opponents are 1 to 5 agents at a table of 6, not 0"),
        ({"seats": 2, "opponents": ["random", "box"]}, "opponents are 1 to 1 agents at a table of 2, not 2"),
        ({"races": 0}, "races is a whole number from 1 to 1,000, not 0"),
        ({"stakes": (5, 1)}, "stakes are ascending sizes"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(settings, message):
    with pytest.raises((ValueError, LookupError), match=message):
        make(SUPERFECTA, **settings)


def test_an_illegal_action_hands_in_what_has_been_written():
    env = make(SUPERFECTA, bankroll=9).unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(1)
    assert info["illegal_action"] is False
    _, reward, _, _, info = env.step(1)  # there is a wager on WIN H already
    assert info["illegal_action"] is True
    assert own_stakes(env) == {0: 1}
    assert env.table.game.state.turn[0] == 1
    assert reward == info["profit"]


def test_raising_tells_the_wager_and_what_is_legal():
    env = make_vec(SUPERFECTA, 2, bankroll=1, illegal="raise")
    env.reset(seed=1)
    env.step(np.array([0, 5]))
    message = r"lane 1: action 6 \(\$1 EXA H/C\) is not legal now; legal are \[0\]"
    with pytest.raises(ValueError, match=message):
        env.step(np.array([1, 6]))


def test_a_whole_ticket_is_written_line_by_line():
    env = make(SUPERFECTA, split="pro_rata", stakes=(1, 5), action="ticket").unwrapped
    env.reset(seed=1)
    choices = np.zeros(40, np.int64)
    choices[1] = 1  # WIN D, the first size
    choices[39] = 2  # SFC S/C/D/H, the second
    env.step(choices)
    assert own_stakes(env) == {1: 100, 39: 500}


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
