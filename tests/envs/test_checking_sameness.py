"""Equality of what environments return is told as the first place that differs."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.envs.checking.play import Player, legal_actions, scripted
from railbird.envs.checking.sameness import difference, step_difference, story_difference
from railbird.games.streams import Draws


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (1, 1, ""),
        (float("nan"), float("nan"), ""),
        (1, 2, "it is 1 and 2"),
        (1, 1.0, "it is a int and a float"),
        (True, np.True_, "it is a bool and a bool"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, ""),
        ({"a": 1}, {"b": 1}, "it has the keys ['a'] and ['b']"),
        ({"a": [1, 2]}, {"a": [1, 3]}, "['a'][1] is 2 and 3"),
        ((1,), (1, 2), "it has 1 and 2 parts"),
        (np.zeros(2), np.zeros(3), "it is float64 of shape (2,) and float64 of shape (3,)"),
        (np.zeros(2, np.float32), np.zeros(2), "it is float32 of shape (2,) and float64 of shape (2,)"),
        (np.array([[1, 2], [3, 4]]), np.array([[1, 2], [5, 4]]), "it[1, 0] is 3 and 5"),
        (np.array([np.nan]), np.array([np.nan]), ""),
        (np.array([None, 1], object), np.array([None, 2], object), "it[1] is 1 and 2"),
    ],
)
def test_the_first_difference_is_told(one, other, told):
    assert difference(one, other) == told


def test_the_parts_of_a_step_are_named():
    step = (np.zeros(3, np.float32), 1.0, False, False, {"profit": 1})
    assert step_difference(step, step) == ""
    assert step_difference(step, (*step[:1], 2.0, *step[2:])) == "reward is 1.0 and 2.0"
    assert step_difference(step, (*step[:4], {"profit": 2})) == "info['profit'] is 1 and 2"
    assert step_difference((0, {}), (1, {})) == "observation is 0 and 1"
    assert step_difference(step, step[:4]) == "5 and 4 things were returned"


def test_a_story_is_compared_result_by_result():
    story = [(0, {}), (1, 0.0, False, False, {})]
    assert (
        story_difference(story, [story[0], (1, 0.5, False, False, {})]) == "in result 1 reward is 0.0 and 0.5"
    )
    assert story_difference(story, story[:1]) == "there are 2 and 1 results"


def test_a_player_acts_legally_and_the_same_for_the_same_seed():
    masks = np.random.default_rng(1).random((4, 9)) < 0.4
    masks[:, 4] = True
    plays = [[Player(seed, 4).actions(masks).tolist() for _ in range(2)] for seed in (1, 1, 2)]
    assert plays[0] == plays[1]
    player = Player(1, 4)
    chosen = [player.actions(masks) for _ in range(50)]
    assert all(masks[np.arange(4), actions].all() for actions in chosen)
    assert len({tuple(actions) for actions in chosen}) > 10
    alone = Player(1, 1)
    assert [int(actions[0]) for actions in chosen] == [int(alone.actions(masks[:1])[0]) for _ in range(50)]


def test_a_wild_player_also_acts_illegally():
    masks = np.ones((1, 3), bool)
    player = Player(1, 1, wild=0.5)
    assert {int(player.actions(masks)[0]) for _ in range(200)} == {-2, -1, 0, 1, 2, 3, 4}


def test_handing_in_is_chosen_more_often_than_not_by_chance():
    masks = np.ones((1_000, 41), bool)
    chosen = legal_actions(masks, Draws(np.arange(1_000, dtype=np.uint64)))
    # 0.3 + 0.7 / 41 = 0.317: 4 standard deviations are 0.059
    assert abs((chosen == 0).mean() - 0.317) < 0.059


def test_scripted_actions_hang_on_their_own_mask_alone():
    masks = np.array([[1, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 1]])
    assert scripted(masks, 0).tolist() == [2, 0, 3]  # the first legal one but 0
    assert scripted(masks, 2).tolist() == [0, 0, 3]  # 0 where it is legal
