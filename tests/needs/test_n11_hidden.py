"""N11: no seat learns what it should not see.

That a sampled table keeps what a seat knows (`from_view`) is tested in tests/games.
"""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from railbird.envs.checking import hidden


def test_hidden_things_do_not_show(doors):
    hidden.hidden_things_do_not_show(doors, steps=6)


@pytest.mark.slow
def test_hidden_things_do_not_show_in_any_way_to_play(any_doors):
    hidden.hidden_things_do_not_show(any_doors, steps=20)


@pytest.mark.slow
def test_pictures_of_such_states_are_the_same(doors):
    hidden.hidden_things_do_not_show(doors, steps=3, render_mode="rgb_array")


def test_what_others_decide_does_not_show(doors):
    hidden.decisions_of_others_do_not_show(doors, steps=6)


def test_no_seed_and_no_generator_is_in_an_info(any_doors):
    hidden.no_chance_is_reachable(any_doors)


# ---- each seen failing


def showing(base, secret):
    """A step whose first feature is a secret of the table, 0 to 1."""

    def step(self, action):
        seen, *rest = base.step(self, action)
        seen[0] = secret(self.table)
        return seen, *rest

    return {"step": step}


def lowest_of_the_other(table):
    """Where the other's lowest card stands in the deck, 0 to 1."""
    cards = int(table.game.state.hands[0, 1 - table.seat[0]])
    return ((cards & -cards).bit_length()) / 64


def test_a_card_of_the_other_in_the_observation_is_found(case_of, broken, fails):
    leaks = showing(type(case_of("SaveTheBet").make()), lowest_of_the_other)
    message = (
        r"hidden cards or coming ones show: observation\[0\] is .* and .* \(step \d+, other hand\); observe"
    )
    fails(hidden.hidden_things_do_not_show, broken("SaveTheBet", single=leaks), message)


def test_a_coming_card_in_the_observation_is_found(case_of, broken, fails):
    leaks = showing(
        type(case_of("Superfecta").make()), lambda table: float(table.game.state.key[0] >> 40) / 2**24
    )
    message = r"hidden cards or coming ones show: observation\[0\] is .* \(step 0, other chance\)"
    fails(hidden.hidden_things_do_not_show, broken("Superfecta", single=leaks), message)


def test_a_wrapper_that_shows_a_hidden_card_is_found(case_of, broken, fails):
    class Wrapped(gym.ObservationWrapper):
        def observation(self, seen):
            table = self.unwrapped.table  # type: ignore[attr-defined]  # Gymnasium's type knows no table
            return np.append(seen, np.float32(lowest_of_the_other(table)))

    def wrapped(**more):
        return Wrapped(case_of("SaveTheBet").make(**more))

    fails(
        hidden.hidden_things_do_not_show,
        broken("SaveTheBet", single=wrapped),
        r"observation\[\d+\] is .* other hand",
    )


def test_a_hand_in_the_text_is_found(case_of, broken, fails):
    base = type(case_of("SaveTheBet").make())
    tells = {"render": lambda self: f"{base.render(self)} {self.table.game.state.hands[0]}"}
    message = r"hidden cards or coming ones show: the picture is .* \(step \d+, other hand\)"
    fails(hidden.hidden_things_do_not_show, broken("SaveTheBet", single=tells), message)


def test_a_card_that_makes_an_action_illegal_is_found(case_of, broken, fails):
    base = type(case_of("SaveTheBet").make())

    def without_held(self):
        other = int(self.table.game.state.hands[0, 1 - self.table.seat[0]])
        legal = base.action_masks(self)
        legal[1:][[bool(other >> card & 1) for card in range(len(legal) - 1)]] = True
        return legal

    message = r"hidden cards or coming ones show: masks\[\d+\] is .* other hand"
    fails(
        hidden.hidden_things_do_not_show, broken("SaveTheBet", single={"action_masks": without_held}), message
    )


def test_a_decision_of_another_in_the_observation_is_found(case_of, broken, fails):
    leaks = showing(type(case_of("Superfecta").make()), lambda table: min(table._decisions[0, 1, 0] / 100, 1))
    message = r"hidden cards or coming ones show: observation\[0\] is .* decisions of others"
    fails(hidden.decisions_of_others_do_not_show, broken("Superfecta", single=leaks), message)


@pytest.mark.parametrize(
    ("name", "value"), [("seed", lambda env: 5), ("key", lambda env: env.table.game.state.key[0])]
)
def test_a_seed_or_key_in_an_info_is_found(case_of, broken, fails, name, value):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        *told, info = base.step(self, action)
        return *told, info | {name: value(self)}

    message = rf"info\['{name}'\] is the seed or a key of chance \(step 1\); leave it out"
    fails(hidden.no_chance_is_reachable, broken("Superfecta", single={"step": step}), message)


def test_a_generator_in_an_info_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        *told, info = base.step(self, action)
        return *told, info | {"np_random": np.random.default_rng(1)}

    fails(
        hidden.no_chance_is_reachable,
        broken("Superfecta", single={"step": step}),
        r"\['np_random'\] is a generator",
    )
