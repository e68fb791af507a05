"""Any number of threads: the same results to the last bit, errors as of one batch, nothing left behind."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.registry import zoo
from railbird.envs import groups, sb3_vec_env
from railbird.envs.groups import Groups
from railbird.envs.learner_table import LearnerTable
from railbird.games.errors import IllegalDecision, InvalidSettings, RailbirdError
from railbird.games.registry import load

make_vec: Any = gym.make_vec  # our environments have more than its type says

SUPERFECTA = "railbird/Superfecta-v0"
LANES = 7
THREADS = (1, 2, 3)


def table_of(env):
    return env.unwrapped.table


def chosen(masks, rng):
    """A legal action a lane, handing in more often than not."""
    legal = [np.flatnonzero(mask) for mask in masks]
    return np.array([0 if it[0] == 0 and rng.random() < 0.4 else rng.choice(it) for it in legal])


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_results_are_the_same_for_any_number_of_threads(case, mode, assert_same):
    envs = [case.make_vec(LANES, autoreset_mode=mode, threads=k, **case.rotates) for k in THREADS]
    assert [type(table_of(env)) for env in envs] == [LearnerTable, Groups, Groups]
    rng = np.random.default_rng(3)
    told = [env.reset(seed=5) for env in envs]
    for step in range(40):
        for other in told[1:]:
            assert_same(told[0], other, f"step {step}")
        actions = chosen(envs[0].unwrapped.action_masks(), rng)
        told = [env.step(actions) for env in envs]


def test_whole_tickets_and_lists_of_seeds_too(ticket_case, assert_same):
    envs = [ticket_case.make_vec(LANES, action="ticket", threads=k) for k in THREADS]
    rng = np.random.default_rng(4)
    seeds = [3, 1, 4, 1, 5, 9, 2]
    told = [env.reset(seed=seeds) for env in envs]
    for step in range(12):
        for other in told[1:]:
            assert_same(told[0], other, f"step {step}")
        actions = rng.integers(
            0, envs[0].single_action_space.nvec, (LANES, len(envs[0].single_action_space.nvec))
        )
        told = [env.step(actions) for env in envs]


def test_only_some_lanes_are_reset(assert_same):
    envs = [make_vec(SUPERFECTA, LANES, vectorization_mode="vector_entry_point", threads=k) for k in THREADS]
    for env in envs:
        env.reset(seed=1)
    for lanes in ([0], [2, 6], [3, 4, 5]):
        mask = np.isin(np.arange(LANES), lanes)
        told = [env.reset(options={"reset_mask": mask}) for env in envs]
        for other in told[1:]:
            assert_same(told[0], other)


def test_whatever_is_handed_out_is_fresh(case):
    table = table_of(case.make_vec(LANES, threads=3))
    table.reset(seeds=1)
    for look in (table.observe, table.masks):
        first, table_seen = look(), look()
        assert not np.shares_memory(first, table_seen)
        first[:] = 7  # the receiver's own
        assert (look() == table_seen).all()


def test_the_sb3_door_too(short_case, assert_same):
    envs = [sb3_vec_env(short_case.variant.id, LANES, threads=k, **short_case.settings) for k in THREADS]
    assert [type(env.table) for env in envs] == [LearnerTable, Groups, Groups]
    rng = np.random.default_rng(6)
    for env in envs:
        env.seed(2)
    seen: list[Any] = [env.reset() for env in envs]
    for step in range(30):
        masks = [env.action_masks() for env in envs]
        for k in range(1, len(envs)):
            assert_same(seen[0], seen[k], f"step {step}")
            assert_same(masks[0], masks[k], f"step {step}")
            assert_same(envs[0].reset_infos, envs[k].reset_infos, f"step {step}")
        actions = chosen(masks[0], rng)
        told = [env.step(actions) for env in envs]
        for other in told[1:]:
            assert_same(told[0], other, f"step {step}")
        seen = [one[0] for one in told]


def test_a_saved_state_does_not_tell_the_number_of_threads_and_goes_on_with_any(case, assert_same):
    envs = [case.make_vec(LANES, threads=k) for k in THREADS]
    rng = np.random.default_rng(7)
    for env in envs:
        env.reset(seed=8)
    for _ in range(3):
        for _ in range(7):
            actions = chosen(envs[0].unwrapped.action_masks(), rng)
            for env in envs:
                env.step(actions)
        states = [json.dumps(env.unwrapped.get_state()) for env in envs]
        assert states[0] == states[1] == states[2]
        envs = [case.make_vec(LANES, threads=k) for k in THREADS]  # fresh ones, each with another's state
        for env, state in zip(envs, states[1:] + states[:1], strict=True):
            env.unwrapped.set_state(json.loads(state))
        actions = chosen(envs[0].unwrapped.action_masks(), rng)
        told = [env.step(actions) for env in envs]
        for other in told[1:]:
            assert_same(told[0], other)


@pytest.mark.slow
def test_every_agent_of_the_zoo_is_remembered_over_groups(short_case, assert_same):
    spec = load(short_case.variant.game)
    settings = spec.make_settings(**short_case.settings)
    names = zoo(spec.players or spec.name)
    places = settings.seats if spec.players else settings.seats - 1
    for first in range(0, len(names), places):
        opponents = names[first : first + places]
        envs = [short_case.make_vec(LANES, threads=k, opponents=opponents) for k in (1, 3)]
        rng = np.random.default_rng(first)
        for env in envs:
            env.reset(seed=1)
        for _ in range(12):
            actions = chosen(envs[0].unwrapped.action_masks(), rng)
            assert_same(*[env.step(actions) for env in envs])
        state = json.loads(json.dumps(envs[1].unwrapped.get_state()))
        others = [short_case.make_vec(LANES, threads=k, opponents=opponents) for k in (1, 2)]
        for env in others:
            env.unwrapped.set_state(state)
        for _ in range(12):
            actions = chosen(envs[0].unwrapped.action_masks(), rng)
            told = [env.step(actions) for env in (*envs, *others)]
            for other in told[1:]:
                assert_same(told[0], other, str(opponents))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_as_the_original_and_apart_from_it(case, copied, assert_same):
    env, alone = (case.make_vec(LANES, threads=k) for k in (3, 1))
    rng = np.random.default_rng(9)
    for one in (env, alone):
        one.reset(seed=8)
    for _ in range(5):
        actions = chosen(env.unwrapped.action_masks(), rng)
        env.step(actions)
        alone.step(actions)
    other = copied(env)
    for _ in range(12):
        actions = chosen(env.unwrapped.action_masks(), rng)
        expected = alone.step(actions)
        assert_same(expected, other.step(actions))
        assert_same(expected, env.step(actions))


def test_a_copy_of_the_whole_shows_what_its_parts_play():
    env = copy.deepcopy(make_vec(SUPERFECTA, LANES, vectorization_mode="vector_entry_point", threads=3))
    env.reset(seed=1)
    table = table_of(env)
    for part, span in zip(table.parts, table._spans, strict=True):
        assert np.shares_memory(part.game.state.bankrolls, table.game.state.bankrolls[span])
        assert (part.game.state.rail_cards == table.game.state.rail_cards[span]).all()


# ---- errors


def superfecta(lanes=LANES, **settings):
    return make_vec(SUPERFECTA, lanes, vectorization_mode="vector_entry_point", **settings)


def test_an_illegal_action_names_its_lane_in_the_batch_and_nothing_has_changed(assert_same):
    env, alone = (superfecta(threads=k, illegal="raise") for k in (3, 1))
    for one in (env, alone):
        one.reset(seed=1)
        one.step(np.full(LANES, 5))
    before = env.unwrapped.get_state()
    actions = np.array(
        [0, 0, 1, 0, 0, 5, 0]
    )  # line 4 is taken in lane 5, which the second or third group has
    errors = []
    for one in (env, alone):
        with pytest.raises(IllegalDecision, match=r"^lane 5: action 5") as raised:
            one.step(actions)
        errors.append(str(raised.value))
    assert errors[0] == errors[1]
    assert env.unwrapped.get_state() == before


def test_a_step_in_a_lane_that_is_over_is_refused_in_all_lanes():
    env = superfecta(threads=3, races=1, autoreset_mode="Disabled")
    env.reset(seed=1)
    env.step(np.array([1, 1, 1, 1, 1, 1, 0]))  # hands in lane 6, whose only race is run
    before = env.unwrapped.get_state()
    with pytest.raises(IllegalDecision, match=r"^lane 6: the episode is over"):
        env.step(np.zeros(LANES, np.int64))
    assert env.unwrapped.get_state() == before


def passing(env, races):
    for _ in range(races):
        env.step(np.zeros(env.num_envs, np.int64))


def test_an_opponents_illegal_decision_is_told_as_of_one_batch(rival):
    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 40), np.int16)
        stakes[view.rail_cards[:, 0] == 1, 2] = -3  # where the two of hearts is laid first
        return stakes

    errors = []
    for threads in (3, 1):
        env = superfecta(30, threads=threads, opponents=[rival(SUPERFECTA, "cheat", act=act)])
        env.reset(seed=4)
        with pytest.raises(
            IllegalDecision, match=r"^opponent 'cheat' decided illegally: lane \d+, "
        ) as raised:
            passing(env, 12)
        errors.append(str(raised.value))
    assert errors[0] == errors[1]
    assert int(errors[0].split("lane ")[1].split(",")[0]) >= 10  # with this seed not in the first group


def test_an_opponents_error_arrives_whole(rival):
    def act(self, view, draws):
        raise ZeroDivisionError("by itself")

    env = superfecta(threads=3, opponents=[rival(SUPERFECTA, "broken", act=act)])
    env.reset(seed=4)
    with pytest.raises(
        RailbirdError, match=r"^opponent 'broken' raised ZeroDivisionError: by itself$"
    ) as raised:
        env.step(np.zeros(LANES, np.int64))
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_an_interrupt_ends_the_step_and_does_not_hang(rival):
    def act(self, view, draws):
        raise KeyboardInterrupt

    env = superfecta(threads=3, opponents=[rival(SUPERFECTA, "interrupt", act=act)])
    env.reset(seed=4)
    with pytest.raises(KeyboardInterrupt):
        env.step(np.zeros(LANES, np.int64))
    env.reset(seed=5)  # and a new game begins
    env.step(np.full(LANES, 1))
    assert (env.unwrapped.action_masks()[:, 1] == 0).all()


# ---- how many


@pytest.mark.parametrize(
    ("value", "told"),
    [(0, "threads is a whole number from 1 to"), (1.5, "threads is a whole number"), ("many", "'many'")],
)
def test_threads_are_a_number_or_auto(value, told):
    with pytest.raises(InvalidSettings, match=told):
        superfecta(threads=value)


@pytest.mark.parametrize(
    ("lanes", "cores", "parts", "threads"),
    [(15, 2, 1, 1), (16, 2, 2, 2), (16, 1, 1, 1), (31, 8, 3, 3), (41, 1, 3, 1), (70, 2, 4, 2)],
)
def test_automatic_threads_follow_lanes_and_cores(monkeypatch, lanes, cores, parts, threads):
    monkeypatch.setattr(groups, "PAYS", 8)
    monkeypatch.setattr(groups, "GROUP", 20)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cores)))
    table = table_of(superfecta(lanes))
    assert (len(table.parts) if isinstance(table, Groups) else 1) == parts
    assert (table._crew.threads if isinstance(table, Groups) else 1) == threads


def test_more_threads_than_lanes_are_as_many_as_lanes():
    assert [part.lanes for part in table_of(superfecta(3, threads=8)).parts] == [1, 1, 1]


def test_a_single_environment_takes_the_setting_and_has_one_table():
    assert type(gym.make(SUPERFECTA, threads=4).unwrapped.table) is LearnerTable  # type: ignore[attr-defined]


# ---- watchers, whole views


class Watcher:
    def __init__(self):
        self.lanes = np.zeros(LANES, np.int64)
        self.turns = 0

    def began(self, lanes):
        self.lanes[lanes] = 0

    def played(self, lanes):
        self.lanes += lanes
        self.turns += 1


def test_who_watches_all_lanes_at_once_makes_them_one_table_mid_game(case, assert_same):
    env, alone = (case.make_vec(LANES, threads=k) for k in (3, 1))
    rng, watchers = np.random.default_rng(2), (Watcher(), Watcher())
    for one in (env, alone):
        one.reset(seed=3)
    for step in range(30):
        if step == 6:
            for one, watcher in zip((env, alone), watchers, strict=True):
                table_of(one).watchers.append(watcher)
            assert len(table_of(env).parts) == 1
        actions = chosen(env.unwrapped.action_masks(), rng)
        assert_same(alone.step(actions), env.step(actions))
        assert (watchers[0].lanes == watchers[1].lanes).all()
        assert (table_of(env).seat == table_of(alone).seat).all()
        assert watchers[0].turns == watchers[1].turns
    assert watchers[0].turns > 0


# ---- processes

STEPS = """
import gymnasium as gym, numpy as np, os, sys, threading, railbird
env = gym.make_vec("railbird/Superfecta-v0", 64, vectorization_mode="vector_entry_point", threads=3)
env.reset(seed=1)
def play():
    return [float(env.step(np.zeros(64, np.int64))[1].sum()) for _ in range(3)]
play()
"""
FORK = """
state = env.unwrapped.get_state()
child = os.fork()
here = play()
if child == 0:
    env.unwrapped.set_state(state)
    os._exit(0 if play() == here and threading.active_count() > 1 else 1)  # with threads of its own
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("then", ["", "env.close()", "del env", FORK, "os.kill(os.getpid(), 2)"])
def test_a_process_ends_with_its_threads(then):
    ended = subprocess.run([sys.executable, "-c", STEPS + then], capture_output=True, text=True, timeout=60)
    if "kill" in then:
        assert "KeyboardInterrupt" in ended.stderr
    else:
        assert (ended.returncode, ended.stderr) == (0, "")
