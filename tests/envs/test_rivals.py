"""The agents at the other seats: who sits where, what they are asked, and how they fail."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.games.errors import IllegalDecision, RailbirdError
from railbird.games.registry import load

make: Any = gym.make  # our environments have more than its type says

SUPERFECTA = "railbird/Superfecta-v0"


def watching(rival, case, count):
    """Rivals that tell what they are asked, and what they have told: a list of (lanes, seats) for each."""
    told = [[] for _ in range(count)]

    def act_of(place):
        def act(self, view, draws):
            told[place].append((view.lane.tolist(), view.seat.tolist()))
            assert len(draws) == len(view.lane)
            return self.plainly(view)

        return act

    rivals = [rival(case.variant.id, f"rival-{place}", act=act_of(place)) for place in range(count)]
    return rivals, told


def finish(env):
    """Takes the lowest legal actions until every lane's episode is over."""
    while not env.table.done.all():
        env.table.step(env.table.masks().argmax(1), ~env.table.done)


@pytest.mark.parametrize("seat", ["first", "last", "rotate"])
def test_rival_k_sits_k_plus_1_seats_behind_the_learner(seated_case, seat, rival):
    players = seated_case.make().table.game.settings.seats
    rivals, told = watching(rival, seated_case, players - 1)
    asked_for = {"first": 0, "last": players - 1, "rotate": "rotate"}[seat]
    env = seated_case.make_vec(2, seat=asked_for, opponents=rivals)
    for episode in range(players):
        env.reset(seed=1 if episode == 0 else None)
        finish(env)
        learner = episode % players if seat == "rotate" else asked_for
        assert env.table.seat.tolist() == [learner] * 2
        for place, asked in enumerate(told):
            assert asked and {one for _, seats in asked for one in seats} == {(learner + 1 + place) % players}
            asked.clear()


def test_rival_k_sits_on_seat_k_where_the_learner_is_the_house(house_case, rival):
    players = house_case.make().table.game.settings.seats
    rivals, told = watching(rival, house_case, players)
    env = house_case.make_vec(2, opponents=rivals)
    env.reset(seed=1)
    finish(env)
    assert env.table.seat.tolist() == [players] * 2
    for place, asked in enumerate(told):
        assert asked and {one for _, seats in asked for one in seats} == {place}


def test_the_default_opponents_fill_any_table(variant):
    spec = load(variant.game)
    rules = {setting.name for setting in fields(spec.settings)}
    for settings in [{}, *([{"seats": 12}] if "seats" in rules else [])]:
        table = make(variant.id, **settings).unwrapped.table
        players = int(table.options.settings.seats)
        others = players if spec.players else players - 1
        names = [agent.text for agent in table.options.opponents]
        assert names == [variant.opponents[place % len(variant.opponents)] for place in range(others)]
        assert len(table.rivals.names) == others + bool(spec.banker)  # the house's banker comes last


def test_opponents_are_repeated_as_often_as_there_are_seats():
    env = make(SUPERFECTA, opponents=["random", "box"]).unwrapped
    assert env.table.rivals.names == ["random", "box", "random#2", "box#2", "random#3"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("box", ["box", "box#2", "box#3"]),
        ("random,kelly:fraction=0.5", ["random", "kelly:fraction=0.5", "random#2"]),
    ],
)
def test_opponents_may_be_written_as_one_text(text, names):
    env = make(SUPERFECTA, seats=4, split="pro_rata", opponents=text).unwrapped
    assert env.table.rivals.names == names


def test_a_rival_is_asked_once_a_turn_for_the_lanes_that_hand_in(seated_case, rival, legal_actions):
    rivals, (told, *_) = watching(rival, seated_case, 1)
    env = seated_case.make_vec(3, opponents=rivals, seat="rotate", autoreset_mode="Disabled")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    played = 0
    for _ in range(30):
        told.clear()
        before, asks = env.table.game.state.turn.copy(), env.table.game.to_act.copy()
        _, _, ended, _, _ = env.step(legal_actions(env.action_masks(), rng))
        played_now = env.table.game.state.turn != before
        asked = [lane for lanes, _ in told for lane in lanes]
        for lane in range(3):
            others = int(asks[lane].sum()) - 1  # who is to act beside the learner
            assert asked.count(lane) >= others if played_now[lane] else lane not in asked
        played += int(played_now.sum())
        if ended.any():
            env.reset(options={"reset_mask": ended})
    assert played > 20


def test_a_rival_at_superfecta_is_asked_once_a_turn_for_the_lanes_that_hand_in(rival):
    asked = []

    def act(self, view, draws):
        asked.append((view.lane.tolist(), view.seat.tolist(), len(draws)))
        return np.zeros((len(view.lane), 40), np.int16)

    opponents = [rival(SUPERFECTA, act=act)]
    env: Any = gym.make_vec(SUPERFECTA, 3, seats=2, seat="rotate", opponents=opponents)
    env.reset(seed=1)
    env.step(np.array([1, 1, 1]))
    assert asked == []
    env.step(np.array([0, 2, 0]))
    assert asked == [([0, 2], [1, 1], 2)]
    env.step(np.array([3, 0, 3]))
    assert asked[1:] == [([1], [1], 1)]


def test_a_rival_is_told_where_an_episode_begins(short_case, rival):
    told = []

    def begin(self, lanes):
        told.append(lanes.tolist())

    opponents = [rival(short_case.variant.id, begin=begin)]
    env = short_case.make_vec(2, opponents=opponents, autoreset_mode="Disabled")
    rivals = len(env.table.options.opponents)
    env.reset(seed=1)
    assert told == [[True, True]] * rivals
    finish(env)
    env.reset(options={"reset_mask": np.array([False, True])})
    assert told[rivals:] == [[False, True]] * rivals


def until_asked(env):
    """Resets and takes the lowest legal actions until a rival that fails is asked."""
    env.reset(seed=1)
    while True:
        env.step(int(env.action_masks().argmax()))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda shape: np.zeros((shape[0], shape[1] + 1), int), "'rival' decided int64 of shape"),
        (lambda shape: np.zeros(shape), "'rival' decided float64 of shape"),
        (lambda shape: np.full(shape, np.nan), "'rival' decided float64"),
        (lambda shape: None, r"'rival' decided object of shape \(\)"),
        (lambda shape: np.full(shape, -1), "'rival' decided (illegally|int64 .* within uint64)"),
    ],
    ids=["shape", "fractions", "nan", "nothing", "negative"],
)
def test_a_wrong_decision_of_a_rival_is_an_error_that_names_it(short_case, rival, answer, message):
    shape = load(short_case.variant.game).game.decision_shape

    def act(self, view, draws):
        return answer((len(view.lane), *shape))

    env = short_case.make(opponents=[rival(short_case.variant.id, act=act)])
    with pytest.raises(IllegalDecision, match=message):
        until_asked(env)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda count: np.full((count, 40), 40_000), r"'rival' decided int64 .* within int16"),
        (
            lambda count: np.full((count, 40), -1, np.int16),
            "opponent 'rival' decided illegally: lane 0, seat 2: -1 chips on WIN H; a stake is never",
        ),
    ],
)
def test_an_illegal_decision_of_a_rival_at_superfecta_names_it_and_the_rule(rival, answer, message):
    bad = rival(SUPERFECTA, act=lambda self, view, draws: answer(len(view.lane)))
    env = make(SUPERFECTA, seats=3, opponents=[rival(SUPERFECTA, "plain"), bad]).unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalDecision, match=message):
        env.step(0)


def test_a_rival_that_raises_is_named(short_case, rival):
    broken = rival(short_case.variant.id, act=lambda self, view, draws: 1 // 0)
    env = short_case.make(opponents=[broken])
    with pytest.raises(RailbirdError, match="opponent 'rival' raised ZeroDivisionError") as raised:
        until_asked(env)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_wider_integers_within_range_are_welcome(short_case, rival, assert_same):
    def act(self, view, draws):
        return self.plainly(view).astype(np.int64)

    wide, narrow = rival(short_case.variant.id, act=act), rival(short_case.variant.id)
    one, other = (short_case.make_vec(2, opponents=[agent]) for agent in (wide, narrow))
    assert_same(one.reset(seed=1), other.reset(seed=1))
    for _ in range(6):
        actions = one.action_masks().argmax(1)
        assert_same(one.step(actions), other.step(actions))
