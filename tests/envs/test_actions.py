"""Actions of every environment: illegal ones, wrong ones, whole tickets."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make_vec: Any = gym.make_vec  # our environments have more than its type says


def stand_in(masks):
    """The actions that take the place of illegal ones: 0, or the lowest legal one where 0 is not legal."""
    return np.asarray(masks).argmax(-1)


def test_an_illegal_action_passes_and_is_told(case, legal_actions, assert_same):
    env = case.make()
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    outside = [-1, env.encoding.actions, 2**62, -(2**63)]
    for _ in range(12):
        mask = env.action_masks()
        for illegal in (*np.flatnonzero(~mask)[-1:], *outside):
            spoilt, other = copy.deepcopy(env), copy.deepcopy(env)
            told, passed = spoilt.step(int(illegal)), other.step(int(stand_in(mask)))
            assert (told[4].pop("illegal_action"), passed[4].pop("illegal_action")) == (True, False)
            assert_same(told, passed)
        outside = []  # once is enough
        _, _, ended, _, info = env.step(int(legal_actions(mask[None], rng)[0]))
        assert info["illegal_action"] is False
        if ended:
            env.reset()


def test_only_the_lane_of_an_illegal_action_is_touched(case, legal_actions, assert_same):
    env = case.make_vec(3)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(20):
        other = copy.deepcopy(env)
        masks = env.action_masks()
        actions = legal_actions(masks, rng)
        actions[1] = -1
        passing = np.where([False, True, False], stand_in(masks), actions)
        waiting = bool(env.table.done[1])  # the step after the end of an episode reads no action
        told, passed = env.step(actions), other.step(passing)
        assert told[4].pop("illegal_action").tolist() == [False, not waiting, False]
        assert not passed[4].pop("illegal_action").any()
        assert_same(told, passed)


def test_raising_tells_the_lane_and_what_came_and_changes_nothing(case, legal_actions):
    env = case.make_vec(2, illegal="raise")
    rng = np.random.default_rng(2)
    env.reset(seed=1)
    for _ in range(6):
        before, masks = env.get_state(), env.action_masks()
        actions = legal_actions(masks, rng)
        if env.table.done.any():
            break
        with pytest.raises(ValueError, match=f"lane 1: action {env.encoding.actions} is none of 0 to"):
            env.step(np.array([actions[0], env.encoding.actions]))
        for illegal in np.flatnonzero(~masks[0])[:2]:
            legal = ", ".join(map(str, np.flatnonzero(masks[0])))
            message = rf"lane 0: action {illegal} \(.*\) is not legal now; legal are \[{legal}\]"
            with pytest.raises(ValueError, match=message):
                env.step(np.array([illegal, actions[1]]))
        assert env.get_state() == before
        env.step(actions)


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((2, 1), int), np.zeros(2), np.zeros(2, bool), "01"]
)
def test_actions_of_the_wrong_kind_are_an_error(variant, actions):
    env = make_vec(variant.id, 2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions are integers of shape \(2,\), not"):
        env.step(actions)


def test_whole_tickets_of_the_wrong_shape_are_an_error(ticket_case):
    env = ticket_case.make_vec(2, action="ticket")
    env.reset(seed=1)
    parts = len(env.encoding.nvec)
    with pytest.raises(ValueError, match=rf"actions are integers of shape \(2, {parts}\), not"):
        env.step(np.zeros((2, parts + 1), int))


def meanings(encoding, view):
    """What each choice puts into each part of a whole decision, by part: {value: choice}."""
    found = [{} for _ in encoding.nvec]
    for choice in range(max(encoding.nvec)):
        draft = encoding.begin(view)
        encoding.whole(draft, np.minimum(choice, encoding.nvec - 1)[None], np.ones(1, bool))
        for part, value in enumerate(encoding.decision(draft)[0].tolist()):
            found[part].setdefault(value, min(choice, int(encoding.nvec[part]) - 1))
    return found


def test_a_whole_ticket_is_the_same_as_its_wagers(ticket_case, legal_actions, assert_same):
    wagers, ticket = ticket_case.make(), ticket_case.make(action="ticket")
    rng = np.random.default_rng(1)
    wagers.reset(seed=1)
    ticket.reset(seed=1)
    ends = 0
    while ends < 5:
        before = copy.deepcopy(wagers)
        action = int(legal_actions(wagers.action_masks()[None], rng)[0])
        result = wagers.step(action)
        handed_in = wagers.table.game.state.turn[0] != before.table.game.state.turn[0]
        if not handed_in and not result[2]:
            continue
        table = before.table
        table.encoding.write(table._draft, np.array([action]), np.ones(1, bool))
        decided = table.encoding.decision(table._draft)[0].tolist()
        choices = meanings(table.encoding, table.game.view(table.seat))
        whole = ticket.step(np.array([choices[part][value] for part, value in enumerate(decided)]))
        assert_same(whole[:4], result[:4])
        if result[2]:
            assert_same(wagers.reset()[0], ticket.reset()[0])
        ends += result[2]


def test_a_choice_outside_the_space_makes_the_whole_ticket_illegal(ticket_case, assert_same):
    env = ticket_case.make(action="ticket")
    env.reset(seed=1)
    nothing = np.zeros(len(env.encoding.nvec), np.int64)
    for part, choice in ((0, -1), (1, int(env.encoding.nvec[1])), (3, 2**62)):
        ticket = np.where(np.arange(len(nothing)) == part, choice, 0)
        told, passed = copy.deepcopy(env).step(ticket), copy.deepcopy(env).step(nothing)
        assert (told[4].pop("illegal_action"), passed[4].pop("illegal_action")) == (True, False)
        assert_same(told, passed)


def test_raising_tells_the_part_of_the_ticket_and_changes_nothing(ticket_case):
    env = ticket_case.make_vec(2, action="ticket", illegal="raise")
    env.reset(seed=1)
    before = env.get_state()
    tickets = np.zeros((2, len(env.encoding.nvec)), np.int64)
    tickets[1, 2] = size = env.encoding.nvec[2]
    message = rf"lane 1: choice {size} in part 2 of the ticket is not legal now; legal are \[0, 1"
    with pytest.raises(ValueError, match=message):
        env.step(tickets)
    assert env.get_state() == before
