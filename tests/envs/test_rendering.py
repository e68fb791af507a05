"""What is shown: the table, the race card by card, the learner's ticket; and showing changes nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.games.registry import load

make: Any = gym.make  # our environments have more than its type says

SUPERFECTA = "railbird/Superfecta-v0"


def lowest(env):
    """The lowest legal action."""
    return int(env.action_masks().argmax())


def play_a_round(env):
    """Takes the lowest legal actions until the first race, or whatever a round of the game is, is over."""
    spec = load(env.table.options.game)
    while not spec.rounds(env.table.game, 0):
        env.step(lowest(env))


def players(text):
    """The names in a table of players, seat by seat."""
    return [row.split()[0] for row in text.split("Player ")[1].splitlines()[1:]]


def test_showing_changes_nothing(short_case):
    env = short_case.make(render_mode="ansi")  # a picture is drawn from the same scene
    env.reset(seed=1)
    play_a_round(env)
    if not env.table.done[0]:
        env.step(lowest(env))
    before = env.get_state()
    env.render()
    env.render_race()
    assert env.get_state() == before


def test_what_the_learner_has_written_is_shown_until_it_is_handed_in(case, legal_actions):
    env = case.make(render_mode="ansi")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(12):
        draft = "; ".join(env.table.draft_text(0).splitlines()) or "nothing yet"
        assert f"The learner has written: {draft}." in " ".join(env.render().split())
        if env.step(int(legal_actions(env.action_masks()[None], rng)[0]))[2]:
            assert "The learner has written" not in " ".join(env.render().split())
            env.reset()


def test_the_end_of_a_game_stays_in_sight(short_case):
    env = short_case.make(render_mode="ansi")
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, _ = env.step(lowest(env))
    assert re.search(r"\bover\b", env.render())


def test_a_round_is_shown_frame_by_frame(case):
    env = case.make(render_mode="ansi")
    env.reset(seed=1)
    spec, game = load(case.variant.game), env.table.game
    if not spec.rounds(game, 0):
        assert env.render_race() == []
    play_a_round(env)
    frames = env.render_race()
    assert len(frames) == spec.frames(game, 0) > 1
    assert all(one != other for one, other in pairwise(frames))


def test_pictures_are_images_of_one_size(short_case):
    env = short_case.make(render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    play_a_round(env)
    tables, frames = [first, env.render()], env.render_race()[::8]
    for pictures in (tables, frames):
        assert {picture.dtype for picture in pictures} == {np.dtype(np.uint8)}
        assert len({picture.shape for picture in pictures}) == 1
    assert first.ndim == 3 and first.shape[2] == 3
    assert (tables[1] != first).any()


def test_a_vector_environment_shows_every_lane(short_case):
    env = short_case.make_vec(2, render_mode="ansi")
    env.reset(seed=1)
    actions = env.action_masks().argmax(axis=1)
    env.step(actions)  # the first races look alike where nothing is on show before them
    shown = env.render()
    assert [type(one) for one in shown] == [str, str]
    assert shown[0] != shown[1]
    single = short_case.make(render_mode="ansi", lane=1)
    single.reset(seed=1)
    single.step(actions[1])
    assert single.render() == shown[1]


def test_the_players_of_superfecta_are_named_and_tickets_are_read_out_at_the_settlement():
    env = make(SUPERFECTA, render_mode="ansi", opponents=["random", "box"]).unwrapped
    env.reset(seed=1)
    env.step(env.encoding.encode("EXA", "D/C", 1))
    env.step(env.encoding.encode("WIN", "S", 1))
    seen = env.render()
    assert "The learner has written: $1 WIN S; $1 EXA D/C." in seen
    assert players(seen) == ["learner", "random", "box", "random#2", "box#2", "random#3"]
    assert "$1 WIN S" not in seen.split("Player ")[1]
    env.step(0)
    assert "$1 WIN S; $1 EXA D/C" in env.render().split("Player ")[1]


def test_the_learner_at_superfecta_is_named_at_its_own_seat():
    env = make(SUPERFECTA, render_mode="ansi", opponents=["random"], seat=2, seats=3).unwrapped
    env.reset(seed=1)
    assert players(env.render()) == ["random", "random#2", "learner"]


def test_a_race_of_superfecta_has_a_frame_before_the_first_stock_card_and_one_after_each():
    env = make(SUPERFECTA, render_mode="ansi").unwrapped
    env.reset(seed=1)
    env.step(0)
    assert len(env.render_race()) == len(env.table.game.dealt(0)) - 6 + 1  # the rail lies


def test_without_a_render_mode_there_is_a_warning_and_nothing(variant):
    env = make(variant.id).unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with render_mode='ansi'"):
        assert env.render() is None


@pytest.mark.parametrize(("mode", "seat"), [("ansi", 0), ("ansi", 1), ("rgb_array", 1)])
def test_a_learner_is_shown_no_card_that_it_may_not_know(mode, seat):
    env = make("railbird/SaveTheBet-v0", render_mode=mode, seat=seat).unwrapped
    env.reset(seed=1)
    for _ in range(6):  # bets, saves and bets again
        shown, frames = env.render(), env.render_race()
        swap_hidden_cards(env.table.game.state, 1 - seat)  # and the game goes on with them
        assert np.array_equal(env.render(), shown)
        assert all(np.array_equal(*pair) for pair in zip(env.render_race(), frames, strict=True))
        env.step(lowest(env))


def swap_hidden_cards(state, other):
    """The other's lowest hidden card and the lowest of the stack that is not known change places."""
    hidden = int(state.hands[0, other] & ~state.public[0, other])
    stack = int(state.stack[0] & ~state.returned[0])
    swapped = np.uint64((hidden & -hidden) | (stack & -stack))
    state.hands[0, other] ^= swapped
    state.stack[0] ^= swapped
