"""What a learner may not know does not reach it: the cards to come, what others now decide, hidden hands."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from railbird.games.cards import RANKS
from railbird.games.registry import load

EVERY_SUIT = [np.uint64((1 << RANKS) - 1 << RANKS * suit) for suit in range(4)]


def other_chance(env, rng):
    """Another root seed, and with it other cards wherever none has been shown."""
    state = env.table.game.state
    for keys in (state.root, state.key):
        keys ^= rng.integers(1, 2**63, dtype=np.uint64)


def cards_of(cards):
    """The single cards of a set."""
    return [np.uint64(1 << code) for code in range(52) if int(cards) >> code & 1]


def exchange(held, row, stack, hidden, rng):
    """Changes a card held in a row for one of its suit that lies in the stack, neither being known."""
    for card in rng.permutation(cards_of(held[row] & hidden)):
        suit = next(cards for cards in EVERY_SUIT if card & cards)
        others = cards_of(stack[0] & hidden & suit)
        if others:
            other = rng.choice(others)
            held[row] ^= card | other
            stack[0] ^= card | other
            return


def other_hand(env, rng):
    """At Save The Bet, other cards in the other's hand and in its bet."""
    state, row = env.table.game.state, (0, 1 - int(env.table.seat[0]))
    hidden = ~(state.public[row] | state.returned[0])
    for _ in range(3):
        exchange(state.hands, row, state.stack, hidden, rng)
        exchange(state.bets, row, state.stack, hidden, rng)
    env.table.game.check()


HIDDEN = {"save-the-bet": (other_chance, other_hand)}  # game -> what can be altered there; else chance alone


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


def test_states_that_differ_in_what_is_hidden_look_the_same(case, legal_actions, assert_same):
    env = case.make(render_mode="ansi", **case.rotates)
    rng = np.random.default_rng(1)
    for alter in HIDDEN.get(case.variant.game, (other_chance,)):
        differ = 0
        env.reset(seed=3)
        for _ in range(14):
            other = copy.deepcopy(env)
            alter(other, rng)
            assert seen(looked_anew(other)) == seen(env)
            differ += story(copy.deepcopy(other)) != story(copy.deepcopy(env))
            turn = int(env.table.game.state.turn[0])
            action = int(legal_actions(env.action_masks()[None], rng)[0])
            result, altered = env.step(action), other.step(action)
            if env.table.game.state.turn[0] == turn:  # the decision is still being written
                assert_same(result, altered)
            if result[2]:
                env.reset()
        assert differ > 2, alter  # what was altered matters later


def test_pictures_of_such_states_are_the_same(short_case):
    env = short_case.make(render_mode="rgb_array")
    rng = np.random.default_rng(2)
    env.reset(seed=4)
    for alter in HIDDEN.get(short_case.variant.game, (other_chance,)):
        other = copy.deepcopy(env)
        alter(other, rng)
        np.testing.assert_array_equal(looked_anew(other).render(), env.render())


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


def test_what_the_others_decided_last_lies_where_no_learner_looks(case, legal_actions):
    env = case.make(render_mode="ansi")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(6):
        if env.step(int(legal_actions(env.action_masks()[None], rng)[0]))[2]:
            env.reset()
        other = copy.deepcopy(env)
        own = other.table._decisions[0, other.table.seat[0]].copy()
        other.table._decisions[:] = rng.integers(0, 100, other.table._decisions.shape)
        other.table._decisions[0, other.table.seat[0]] = own
        assert seen(other) == seen(env)


@pytest.mark.parametrize("alter", [other_chance, other_hand])
def test_the_alterations_alter_what_is_hidden_and_nothing_else(short_of_id, alter):
    env = short_of_id("railbird/SaveTheBet-v0").make()
    env.reset(seed=1)
    other = copy.deepcopy(env)
    alter(other, np.random.default_rng(1))
    mine, theirs = env.table.game.save(), other.table.game.save()
    changed = {name for name in mine if (mine[name] != theirs[name]).any()}
    assert changed == ({"root", "key"} if alter is other_chance else {"hands", "stack"})
    assert mine["hands"][0, 0] == theirs["hands"][0, 0]
