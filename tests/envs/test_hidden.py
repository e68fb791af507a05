"""What a learner may not know does not reach it: the cards to come, what others now decide, hidden hands."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from railbird.envs.checking import hidden
from railbird.envs.checking.cases import Case
from railbird.envs.checking.doors import doors_of
from railbird.envs.checking.hidden import other_chance, other_hand
from railbird.envs.checking.play import Player
from railbird.games.registry import load


def seen(env):
    """All that the door shows of the moment, as bytes and text."""
    masks = env.table.masks()
    scene = load(env.table.options.game).scene(env.table.game, 0, None, int(env.table.seat[0]))
    return (
        env.table.observe().tobytes(), masks.tobytes(), env.action_masks().tobytes(),
        env.table.game.to_act.tobytes(), env.render(), repr(scene),
    )  # fmt: skip


def looked_anew(env):
    """The environment with nothing in it that was seen before."""
    env.set_state(json.loads(json.dumps(env.get_state())))
    return env


def story(env):
    """What the rest of an episode brings when the lowest legal actions are taken."""
    told, ended = [env.table.observe().tobytes()], bool(env.table.done[0])
    while not ended:
        observation, reward, ended, _, _ = env.step(int(env.action_masks().argmax()))
        told.append((observation.tobytes(), reward))
    return told


def test_states_that_differ_in_what_is_hidden_look_the_same(case):
    rotating = Case(case.variant, {**case.settings, **case.rotates})
    hidden.hidden_things_do_not_show(doors_of(rotating), steps=10)


def test_pictures_of_such_states_are_the_same(short_case):
    hidden.hidden_things_do_not_show(doors_of(short_case), steps=1, render_mode="rgb_array")


def test_what_the_others_will_decide_is_not_seen(short_case, rival, legal_actions, assert_same):
    env = short_case.make(render_mode="ansi")
    alike = [rival(short_case.variant.id, agent.text) for agent in env.table.options.opponents]
    other = short_case.make(render_mode="ansi", opponents=alike)  # of the same names, but they play plainly
    rng = np.random.default_rng(1)
    differ = 0
    for seed in range(6):
        assert_same(env.reset(seed=seed), other.reset(seed=seed))
        handed_in = False
        while not handed_in:
            assert seen(env) == seen(other)
            turn = int(env.table.game.state.turn[0])
            action = int(legal_actions(env.action_masks()[None], rng)[0])
            results = env.step(action), other.step(action)
            handed_in = env.table.game.state.turn[0] != turn
            if not handed_in:
                assert_same(*results)
        differ += story(env) != story(other)
    assert differ > 0  # they do decide otherwise


def test_what_the_others_decided_last_lies_where_no_learner_looks(case):
    hidden.decisions_of_others_do_not_show(doors_of(case), steps=6)


@pytest.mark.parametrize("alter", [other_chance, other_hand])
def test_the_alterations_alter_what_is_hidden_and_nothing_else(short_of_id, alter):
    env = short_of_id("railbird/SaveTheBet-v0").make()
    env.reset(seed=1)
    other = copy.deepcopy(env)
    alter(other, Player(1).draws())
    mine, theirs = env.table.game.save(), other.table.game.save()
    changed = {name for name in mine if (mine[name] != theirs[name]).any()}
    assert changed == ({"root", "key"} if alter is other_chance else {"hands", "stack"})
    assert mine["hands"][0, 0] == theirs["hands"][0, 0]
