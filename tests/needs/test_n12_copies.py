"""N12: copy, pickle and restore in mid-game, coming deals included."""

from __future__ import annotations

import copy
import pickle

import pytest

from railbird.envs.checking import copies, hidden, masks


@pytest.mark.parametrize("way", copies.WAYS)
def test_a_copy_goes_on_as_the_original(doors, way):
    copies.copies_go_on_as_the_original(doors, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", copies.WAYS)
def test_a_copy_at_each_of_many_steps_goes_on_as_the_original(any_doors, way):
    copies.copies_go_on_as_the_original(any_doors, way, steps=40, ahead=15)


# ---- each seen failing


@pytest.fixture
def base(case_of):
    return type(case_of("Superfecta").make())


def made_anew(env):
    """A copy rebuilt from the constructor's arguments, begun by the same seed: the game is lost."""
    other = type(env)(races=4, bankroll=6)
    other.reset(seed=1)
    return other


def test_a_deepcopy_that_loses_the_game_is_found(base, broken, fails):
    doors = broken("Superfecta", single={"__deepcopy__": lambda self, memo: made_anew(self)})
    message = (
        r"a copy plays another future: observation\[\d+\] is .* \(deepcopy, step \d+\); keep the game in"
        ".* copy all of them in __deepcopy__"
    )
    fails(copies.copies_go_on_as_the_original, doors, message, way="deepcopy")


def test_a_pickle_that_loses_the_game_is_found(base, broken, fails, monkeypatch):
    doors = broken("Superfecta", single=lambda **more: base(races=4, bankroll=6))
    monkeypatch.setattr(pickle, "dumps", lambda env: env)
    monkeypatch.setattr(pickle, "loads", made_anew)
    message = r"a copy plays another future: .* \(pickle, step \d+\); .* hand all of them out in __reduce__"
    fails(copies.copies_go_on_as_the_original, doors, message, way="pickle")


def test_an_environment_that_cannot_be_pickled_is_found(base, broken, fails):
    def holding(self, **given):
        base.__init__(self, **given)
        self.later = lambda: 0

    doors = broken("Superfecta", single={"__init__": holding})
    message = r"it cannot be copied: \w+: .* \(pickle, step 0\)"
    fails(copies.copies_go_on_as_the_original, doors, message, way="pickle")


def test_a_state_without_the_ticket_being_written_is_found(base, broken, fails):
    doors = broken("Superfecta", single={"get_state": lambda self: base.get_state(self) | {"draft": {}}})
    message = r"a copy plays another future: .* \(state, step \d+\); let get_state hold the game"
    fails(copies.copies_go_on_as_the_original, doors, message, way="state")


def test_a_state_without_the_chance_to_come_is_found(base, broken, fails):
    def set_state(self, state):
        base.set_state(self, state)
        self.table.game.state.key += self.table.game.state.key.dtype.type(1)

    message = r"a copy plays another future: .* \(state, step \d+\)"
    fails(
        copies.copies_go_on_as_the_original,
        broken("Superfecta", single={"set_state": set_state}),
        message,
        way="state",
    )


def test_a_state_that_is_no_json_is_found(base, broken, fails):
    doors = broken("Superfecta", single={"get_state": lambda self: {"game": self.table.game.save()}})
    message = "get_state is no JSON data: .*; return JSON data alone"
    fails(copies.copies_go_on_as_the_original, doors, message, way="state")


def test_a_copy_that_cannot_be_played_on_is_found(base, broken, fails):
    doors = broken("Superfecta", single={"__deepcopy__": lambda self, memo: type(self)()})
    message = r"a copy cannot be played on: IllegalDecision: lane 0: .* reset it first \(deepcopy, step 0\)"
    fails(copies.copies_go_on_as_the_original, doors, message, way="deepcopy")
    for check in (hidden.hidden_things_do_not_show, masks.illegal_actions_are_told):
        fails(check, doors, "it cannot be told: a deepcopy loses the game; mend the copies first")


def test_a_copy_that_shares_the_game_is_found(base, broken, fails):
    doors = broken("Superfecta", single={"__deepcopy__": lambda self, memo: copy.copy(self)})
    message = r"playing a copy alters the original: .* \(deepcopy, step \d+\)"
    fails(copies.copies_go_on_as_the_original, doors, message, way="deepcopy")
