"""The agents at the other seats: who sits where, what they are asked, and how they fail."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.games.errors import IllegalDecision, RailbirdError

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"


@pytest.mark.parametrize("seat", [0, 3, "rotate"])
def test_rival_k_sits_k_plus_1_seats_behind_the_learner(seat, on_line):
    env = make_vec(
        SUPERFECTA, 2, seats=4, seat=seat, opponents=[on_line(0), on_line(1), on_line(2)], races=1,
        autoreset_mode="Disabled",
    )  # fmt: skip
    for episode in range(5):
        env.reset(seed=1 if episode == 0 else None)
        env.step(np.zeros(2, np.int64))
        learner = episode % 4 if seat == "rotate" else seat
        for lane in range(2):
            stakes = env.table.game.state.last_stakes[lane]
            assert not stakes[learner].any()
            for rival in range(3):
                assert np.flatnonzero(stakes[(learner + 1 + rival) % 4]).tolist() == [rival]


def test_opponents_are_repeated_as_often_as_there_are_seats():
    env = make(SUPERFECTA, opponents=["random", "box"]).unwrapped
    assert env.table.rivals.names == ["random", "box", "random#2", "box#2", "random#3"]


def test_the_default_opponents_fill_any_table(variant):
    seats = make(variant.id).unwrapped.table.game.seats
    assert make(variant.id).unwrapped.table.rivals.names == list(variant.opponents[: seats - 1])
    assert len(make(variant.id, seats=3).unwrapped.table.rivals.names) == 2


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


def seated(passer, act, text="rival"):
    """A rival with its own way to act."""
    kind = type("Rival", (passer.agent,), {"act": act})
    return type(passer)(text, kind)


def test_a_rival_is_asked_once_a_turn_for_the_lanes_that_hand_in(passer):
    asked = []

    def act(self, view, draws):
        asked.append((view.lane.tolist(), view.seat.tolist(), len(draws)))
        return np.zeros((len(view.lane), 40), np.int16)

    env = make_vec(SUPERFECTA, 3, seats=2, seat="rotate", opponents=[seated(passer, act)])
    env.reset(seed=1)
    env.step(np.array([1, 1, 1]))
    assert asked == []
    env.step(np.array([0, 2, 0]))
    assert asked == [([0, 2], [1, 1], 2)]
    env.step(np.array([3, 0, 3]))
    assert asked[1:] == [([1], [1], 1)]


def test_a_rival_is_told_where_an_episode_begins(passer):
    told = []

    class Told(Agent[Any]):
        idea = source = "a test"

        def begin(self, lanes):
            told.append(lanes.tolist())

        def act(self, view, draws):
            return np.zeros((len(view.lane), 40), np.int16)

    env = make_vec(SUPERFECTA, 2, races=1, seats=2, opponents=[type(passer)("told", Told)])
    env.reset(seed=1)
    env.step(np.array([0, 1]))
    env.step(np.array([0, 2]))  # lane 0 begins its next episode
    assert told == [[True, True], [True, False]]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda count: np.zeros((count, 39), np.int16), r"'rival' decided int16 of shape \(1, 39\)"),
        (lambda count: np.zeros((count, 40)), r"'rival' decided float64 of shape \(1, 40\)"),
        (lambda count: np.full((count, 40), np.nan), r"'rival' decided float64"),
        (lambda count: np.full((count, 40), 40_000), r"'rival' decided int64 .* within int16"),
        (lambda count: None, r"'rival' decided object of shape \(\)"),
        (
            lambda count: np.full((count, 40), -1, np.int16),
            "opponent 'rival' decided illegally: lane 0, seat 2: -1 chips on WIN H; a stake is never",
        ),
    ],
)
def test_an_illegal_decision_of_a_rival_names_it(passer, answer, message):
    rival = seated(passer, lambda self, view, draws: answer(len(view.lane)))
    env = make(SUPERFECTA, seats=3, opponents=[passer, rival]).unwrapped
    env.reset(seed=1)
    with pytest.raises(IllegalDecision, match=message):
        env.step(0)


def test_a_rival_that_raises_is_named(passer):
    rival = seated(passer, lambda self, view, draws: 1 // 0)
    env = make(SUPERFECTA, seats=2, opponents=[rival]).unwrapped
    env.reset(seed=1)
    with pytest.raises(RailbirdError, match="opponent 'rival' raised ZeroDivisionError") as raised:
        env.step(0)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_wider_integers_within_range_are_welcome(passer):
    rival = seated(passer, lambda self, view, draws: np.eye(1, 40, dtype=np.int64))
    env = make(SUPERFECTA, seats=2, opponents=[rival]).unwrapped
    env.reset(seed=1)
    env.step(0)
    assert env.table.game.state.last_stakes[0, 1, 0] == 1
