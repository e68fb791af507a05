"""What is shown: the table, the race card by card, the learner's ticket; and showing changes nothing."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"


def test_the_text_names_the_players_and_shows_the_ticket_being_written():
    env = make(SUPERFECTA, render_mode="ansi", opponents=["random", "box"]).unwrapped
    env.reset(seed=1)
    assert "The learner has written: nothing yet." in env.render()
    env.step(env.encoding.encode("EXA", "D/C", 1))
    env.step(env.encoding.encode("WIN", "S", 1))
    seen = env.render()
    assert "The learner has written: $1 WIN S; $1 EXA D/C." in seen
    players = [row.split()[0] for row in seen.split("Player ")[1].splitlines()[1:]]
    assert players == ["learner", "random", "box", "random#2", "box#2", "random#3"]
    env.step(0)
    seen = env.render()
    assert "$1 WIN S; $1 EXA D/C" in seen.split("Player ")[1]  # tickets are read out at the settlement


def test_the_learner_is_named_at_its_own_seat():
    env = make(SUPERFECTA, render_mode="ansi", opponents=["random"], seat=2, seats=3).unwrapped
    env.reset(seed=1)
    players = [row.split()[0] for row in env.render().split("Player ")[1].splitlines()[1:]]
    assert players == ["random", "random#2", "learner"]


def test_the_end_of_a_game_stays_in_sight():
    env = make(SUPERFECTA, render_mode="ansi", races=1).unwrapped
    env.reset(seed=1)
    env.step(0)
    assert "The game is over after 1 race" in env.render()
    assert "The learner has written" not in env.render()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_a_race_is_shown_card_by_card(mode):
    env = make(SUPERFECTA, render_mode=mode).unwrapped
    env.reset(seed=1)
    assert env.render_race() == []
    env.step(0)
    dealt = env.table.game.dealt(0)
    assert len(env.render_race()) == len(dealt) - 6 + 1  # the rail lies; a frame before the first stock card


def test_pictures_are_images_of_one_size():
    env = make(SUPERFECTA, render_mode="rgb_array", races=2, bankroll=8).unwrapped
    env.reset(seed=1)
    frames = [env.render()]
    for action in (1, 2, 30, 0, 1, 0):
        env.step(action)
        frames.append(env.render())
    assert {frame.dtype for frame in frames} == {np.dtype(np.uint8)}
    assert len({frame.shape for frame in frames}) == 1
    assert frames[0].ndim == 3 and frames[0].shape[2] == 3
    assert (frames[0] != frames[-1]).any()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_showing_changes_nothing(variant, mode):
    env = make(variant.id, render_mode=mode).unwrapped
    env.reset(seed=1)
    env.step(1)
    env.step(0)
    before = env.get_state()
    env.render()
    env.render_race()
    assert env.get_state() == before


def test_a_vector_environment_shows_every_lane(variant, short):
    env = make_vec(variant.id, 2, render_mode="ansi", **short)
    env.reset(seed=1)
    lowest = env.action_masks().argmax(axis=1)
    env.step(lowest)  # the first races look alike where nothing is on show before them
    shown = env.render()
    assert [type(one) for one in shown] == [str, str]
    assert shown[0] != shown[1]
    single = make(variant.id, render_mode="ansi", lane=1, **short)
    single.reset(seed=1)
    single.step(lowest[1])
    assert single.render() == shown[1]


def test_without_a_render_mode_there_is_a_warning_and_nothing(variant):
    env = make(variant.id).unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with render_mode='ansi'"):
        assert env.render() is None


def test_an_unknown_render_mode_is_an_error(variant):
    from importlib import import_module

    module, name = variant.entry_point.split(":")
    with pytest.raises(ValueError, match="render_mode is one of 'ansi', 'rgb_array', not 'human'"):
        getattr(import_module(module), name)(render_mode="human")


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_learner_is_shown_no_card_that_it_may_not_know(mode, seat):
    env = make("railbird/SaveTheBet-v0", render_mode=mode, seat=seat).unwrapped
    env.reset(seed=1)
    for _ in range(6):  # bets, saves and bets again
        shown, frames = env.render(), env.render_race()
        swap_hidden_cards(env.table.game.state, 1 - seat)  # and the game goes on with them
        assert np.array_equal(env.render(), shown)
        assert all(np.array_equal(*pair) for pair in zip(env.render_race(), frames, strict=True))
        env.step(int(env.action_masks().argmax()))


def swap_hidden_cards(state, other):
    """The other's lowest hidden card and the lowest of the stack that is not known change places."""
    hidden = int(state.hands[0, other] & ~state.public[0, other])
    stack = int(state.stack[0] & ~state.returned[0])
    swapped = np.uint64((hidden & -hidden) | (stack & -stack))
    state.hands[0, other] ^= swapped
    state.stack[0] ^= swapped
