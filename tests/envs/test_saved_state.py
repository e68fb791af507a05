"""Copies, pickles and saved states go on as the original: half-written tickets, memories, coming deals."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.registry import zoo
from railbird.envs.checking import copies
from railbird.envs.checking.cases import Case
from railbird.envs.checking.doors import doors_of
from railbird.games.contract import house_seat
from railbird.games.errors import BrokenFile, RailbirdError
from railbird.games.registry import load

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"


def state_of(env):
    """A copy by way of JSON text."""
    other = type(env)(**({"num_envs": env.num_envs} if hasattr(env, "num_envs") else {}), **env.spec.kwargs)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)), "state": state_of}


@pytest.mark.parametrize("way", copies.WAYS)
def test_a_copy_at_any_step_plays_the_same_future(case, way):
    rotating = Case(case.variant, {**case.settings, **case.rotates})
    copies.copies_go_on_as_the_original(doors_of(rotating), way, steps=8)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_copied_vector_environment_plays_the_same_future(case, mode, legal_actions, assert_same):
    env = case.make_vec(3, autoreset_mode=mode)
    env.spec.kwargs = {"autoreset_mode": mode, **case.settings}
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for step in range(15):
        env.step(legal_actions(env.action_masks(), rng))
        if step % 7 == 0:
            ahead, others = copy.deepcopy(env), {kind: copied(env) for kind, copied in COPIES.items()}
            plan = np.random.default_rng(step)
            for _ in range(8):
                actions = legal_actions(ahead.action_masks(), plan)
                result = ahead.step(actions)
                for kind, other in others.items():
                    assert_same(result, other.step(actions), kind)


def test_a_copy_leaves_the_original_alone(short_case):
    env = short_case.make()
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    before = env.get_state()
    for other in (copy.deepcopy(env), state_of(env)):
        for _ in range(3):
            if other.step(int(other.action_masks().argmax()))[2]:
                other.reset()
    assert env.get_state() == before


def test_a_new_environment_can_be_copied_and_saved(variant):
    env = make(variant.id).unwrapped
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), state_of(env)):
        np.testing.assert_array_equal(env.reset(seed=4)[0], other.reset(seed=4)[0])


def test_what_the_learner_gained_before_its_first_decision_is_part_of_a_state():
    # seat 0 keeps the bank of the first race, which is over when it is first asked
    rules = {"bank": "rotate", "seats": 3, "races": 2, "opponents": ["favourite"]}
    env = make("railbird/RacingAces-v0", **rules).unwrapped
    told = set()
    for seed in range(6):
        env.reset(seed=seed)
        for copied in COPIES.values():
            other = copied(env)
            _, reward, _, _, info = other.step(0)
            assert reward == info["profit"] == int(other.table.game.state.bankrolls[0, 0]) - 100
            told.add(reward)
    assert len(told) > 1


class Counts:
    """An object an agent keeps its memory in."""

    def __init__(self):
        self.races = np.zeros(0, np.int64)


def counter(rival, **attributes):
    """A rival at Superfecta that remembers the races it has seen, in an object of its own and in plain
    attributes, and bets on the line of that number.
    """

    def begin(self, lanes):
        self.counts.races = np.zeros(len(lanes), np.int64)
        for name, value in attributes.items():
            setattr(self, name, value)

    def act(self, view, draws):
        self.counts.races[view.lane] += 1
        self.seen.setdefault("orders", []).append((int(view.last_order[0]), float(view.pools[0, 0])))
        stakes = np.zeros((len(view.lane), 40), np.int16)
        stakes[np.arange(len(stakes)), self.counts.races[view.lane]] = 1
        return stakes

    def remember(self, settings, game):
        self.counts, self.seen = Counts(), {}

    return rival(SUPERFECTA, "counter", __init__=remember, begin=begin, act=act)


def test_the_memories_of_rivals_are_part_of_a_state(rival):
    env = make(SUPERFECTA, seats=2, opponents=[counter(rival)]).unwrapped
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    other = state_of(env)
    agent = other.table.rivals._agents[0]
    assert agent.counts.races.tolist() == [2]
    assert agent.seen == env.table.rivals._agents[0].seen
    other.step(0)
    assert np.flatnonzero(other.table.game.state.last_stakes[0, 1]).tolist() == [3]  # its third race


def test_a_memory_that_is_no_data_cannot_be_saved(rival):
    env = make(SUPERFECTA, seats=2, opponents=[counter(rival, friend=Counts())]).unwrapped
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
def test_a_broken_state_of_superfecta_is_refused_and_nothing_has_changed(spoil, message):
    env = make(SUPERFECTA).unwrapped
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


def tables_of_the_zoo(case):
    """Settings that seat all agents of a variant's zoo, and the bankers of its house, a few at a time."""
    spec = load(case.variant.game)
    settings = case.make().table.options.settings
    others = int(settings.seats) - (not spec.players)
    agents = zoo(spec.players or spec.name)
    tables = [{"opponents": agents[first : first + others]} for first in range(0, len(agents), others)]
    quotes = spec.banker and house_seat(settings) is not None
    return tables + [{"banker": banker} for banker in (zoo("bookmaker") if quotes else [])]


def test_every_agent_of_the_zoo_can_be_saved_with_its_memory(case, legal_actions, assert_same):
    for table in tables_of_the_zoo(case):
        env = case.make(**{**case.settings, **table})
        rng = np.random.default_rng(1)
        env.reset(seed=1)
        for _ in range(4):
            if env.step(int(legal_actions(env.action_masks()[None], rng)[0]))[2]:
                env.reset()
        other = state_of(env)
        for _ in range(6):
            action = int(legal_actions(env.action_masks()[None], rng)[0])
            result = env.step(action)
            assert_same(result, other.step(action))
            if result[2]:
                assert_same(env.reset(), other.reset())
