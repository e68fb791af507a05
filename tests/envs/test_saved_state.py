"""Copies, pickles and saved states go on as the original: half-written tickets, memories, coming deals."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import zoo
from railbird.games.errors import BrokenFile, RailbirdError

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec


def state_of(env):
    """A copy by way of JSON text."""
    other = type(env)(**({"num_envs": env.num_envs} if hasattr(env, "num_envs") else {}), **env.spec.kwargs)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)), "state": state_of}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_at_any_step_plays_the_same_future(variant, short, copied, legal_actions, assert_same):
    env = make(variant.id, seat="rotate", **short).unwrapped
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for step in range(60):
        other = copied(env)
        ahead = copy.deepcopy(env)
        plan = np.random.default_rng(step)
        for _ in range(12):
            actions = legal_actions(ahead.action_masks()[None], plan)
            result = ahead.step(int(actions[0]))
            assert_same(result, other.step(int(actions[0])))
            if result[2]:
                assert_same(ahead.reset(), other.reset())
        if env.step(int(legal_actions(env.action_masks()[None], rng)[0]))[2]:
            env.reset()


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_copied_vector_environment_plays_the_same_future(
    variant, short, copied, mode, legal_actions, assert_same
):
    env = make_vec(variant.id, 3, autoreset_mode=mode, **short)
    env.spec.kwargs = {"autoreset_mode": mode, **short}
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for step in range(40):
        env.step(legal_actions(env.action_masks(), rng))
        if step % 8 == 0:
            other, ahead = copied(env), copy.deepcopy(env)
            plan = np.random.default_rng(step)
            for _ in range(20):
                actions = legal_actions(ahead.action_masks(), plan)
                assert_same(ahead.step(actions), other.step(actions))


def test_a_copy_leaves_the_original_alone(variant, short):
    env = make(variant.id, **short).unwrapped
    env.reset(seed=1)
    env.step(1)
    before = env.get_state()
    for other in (copy.deepcopy(env), state_of(env)):
        other.step(0)
        other.step(2)
    assert env.get_state() == before


def test_a_new_environment_can_be_copied_and_saved(variant):
    env = make(variant.id).unwrapped
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), state_of(env)):
        np.testing.assert_array_equal(env.reset(seed=4)[0], other.reset(seed=4)[0])


class Counts:
    """An object an agent keeps its memory in."""

    def __init__(self):
        self.races = np.zeros(0, np.int64)


def counter(passer, **attributes):
    """A rival that remembers the races it has seen, in an object of its own and in plain attributes."""

    class Counter(Agent[Any]):
        idea = source = "a test"

        def __init__(self, settings):
            super().__init__(settings)
            self.counts = Counts()
            self.seen = {}

        def begin(self, lanes):
            if not len(self.counts.races):
                self.counts.races = np.zeros(len(lanes), np.int64)
            self.counts.races[lanes] = 0
            for name, value in attributes.items():
                setattr(self, name, value)

        def act(self, view, draws):
            self.counts.races[view.lane] += 1
            self.seen.setdefault("orders", []).append((int(view.last_order[0]), float(view.pools[0, 0])))
            stakes = np.zeros((len(view.lane), 40), np.int16)
            stakes[np.arange(len(stakes)), self.counts.races[view.lane]] = 1
            return stakes

    return type(passer)("counter", Counter)


def test_the_memories_of_rivals_are_part_of_a_state(passer):
    rival = counter(passer)
    env = make("railbird/Superfecta-v0", seats=2, opponents=[rival]).unwrapped
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    other = state_of(env)
    agent = other.table.rivals._agents[0]
    assert agent.counts.races.tolist() == [2]
    assert agent.seen == env.table.rivals._agents[0].seen
    other.step(0)
    assert np.flatnonzero(other.table.game.state.last_stakes[0, 1]).tolist() == [3]  # its third race


def test_a_memory_that_is_no_data_cannot_be_saved(passer):
    rival = counter(passer, friend=Counts())
    env = make("railbird/Superfecta-v0", seats=2, opponents=[rival]).unwrapped
    env.reset(seed=1)
    message = "the memory of opponent 'counter' cannot be saved: friend has become a Counts"
    with pytest.raises(RailbirdError, match=message):
        env.get_state()
    assert copy.deepcopy(env).step(0)[1] == 0.0  # a copy can


def spoilt(state, part, **changes):
    return {**state, part: {**state[part], **changes}}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda state: {}, "a saved None cannot go on as superfecta"),
        (lambda state: {**state, "options": "derby"}, "a saved derby cannot go on as superfecta"),
        (lambda state: {**state, "game": None}, "arrays were expected, not NoneType"),
        (lambda state: spoilt(state, "game", pools=3), "'pools' is a int, not an array"),
        (lambda state: spoilt(state, "game", pools={"array": ["<i8", [1, 3], "AA=="]}), "cannot be read"),
        (lambda state: spoilt(state, "game", pools={"array": ["|O", [1], "AA=="]}), "'|O' holds no numbers"),
        (
            lambda state: spoilt(state, "game", pools={"list": []}),
            r"it has \['list'\] where data was expected",
        ),
        (lambda state: spoilt(state, "game", rails={"array": ["<i8", [0], ""]}), "has the arrays"),
        (lambda state: spoilt(state, "table", seat={"array": ["<i8", [0], ""]}), "array 'seat'"),
        (lambda state: spoilt(state, "draft", stakes={"array": ["<i8", [0], ""]}), "array 'stakes'"),
        (lambda state: {**state, "rivals": []}, "a list of memories for 5 opponents"),
        (lambda state: {**state, "rivals": [[[["x", "y"], 1]]] * 5}, "a saved memory is not one of a"),
    ],
)
def test_a_broken_state_is_refused_and_nothing_has_changed(spoil, message):
    env = make("railbird/Superfecta-v0").unwrapped
    env.reset(seed=1)
    env.step(1)
    before = env.get_state()
    with pytest.raises(BrokenFile, match=message):
        env.set_state(spoil(json.loads(json.dumps(before))))
    assert env.get_state() == before


def test_a_state_of_other_settings_is_refused(variant):
    one, other = make(variant.id).unwrapped, make(variant.id, reward="expected").unwrapped
    one.reset(seed=1)
    with pytest.raises(BrokenFile, match="cannot go on as"):
        other.set_state(one.get_state())


def test_a_state_of_more_lanes_is_refused(variant):
    one, other = make_vec(variant.id, 2), make_vec(variant.id, 3)
    one.reset(seed=1)
    with pytest.raises(BrokenFile, match=r"of shape \(3,\)"):
        other.set_state(one.get_state())


@pytest.mark.parametrize("split", ["equal", "pro_rata"])
def test_every_agent_of_the_zoo_can_be_saved_with_its_memory(split, assert_same):
    agents = zoo("superfecta")
    for first in range(0, len(agents), 5):
        env = make("railbird/Superfecta-v0", split=split, opponents=agents[first : first + 5]).unwrapped
        env.reset(seed=1)
        for action in (1, 0, 0, 5):
            env.step(action)
        other = state_of(env)
        for action in (9, 0, 0, 2, 0, 0):
            assert_same(env.step(action), other.step(action))
