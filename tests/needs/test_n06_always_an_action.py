"""N6: who is to move always has a legal action, an idle seat has action 0, illegal actions are told.

An idle seat's mask is not all zero but allows action 0 alone, and by default an illegal action passes and is
told.
"""

from __future__ import annotations

import numpy as np
import pytest

from railbird.envs.checking import masks


def test_somebody_always_has_an_action_with_however_few_chips(doors):
    masks.somebody_always_has_an_action(doors)


def test_an_idle_seat_has_action_0_alone(any_doors):
    masks.idle_seats_have_action_0(any_doors)


def test_illegal_actions_are_told_or_refused(doors):
    masks.illegal_actions_are_told(doors, steps=6)


@pytest.mark.slow
def test_illegal_actions_are_told_or_refused_in_all_ways_to_play(any_doors):
    masks.illegal_actions_are_told(any_doors, steps=30)


# ---- each seen failing


def test_an_empty_mask_is_found(case_of, broken, fails):
    base = type(case_of("HorseRace").make())

    def nothing_when_poor(self):
        rich = self.table.game.state.bankrolls[0, self.table.seat[0]] >= 10
        return base.action_masks(self) & rich

    empty = broken("HorseRace", single={"action_masks": nothing_when_poor})
    message = r"no action is legal \(step 0, settings {'bankroll': 0}\); let passing \(action 0\) be legal"
    fails(masks.somebody_always_has_an_action, empty, message)


def test_an_idle_seat_with_an_empty_mask_is_found(broken, fails):
    base = type(broken("Superfecta").open_parallel())

    def step(self, actions):
        seen, *rest = base.step(self, actions)
        for place in self.table.places:
            if not place.asked:
                seen[place.name]["action_mask"][:] = 0
        return seen, *rest

    message = r"player_\d has nothing to decide and the legal actions \[\] \(step \d+\); let 0 be an idle"
    fails(masks.idle_seats_have_action_0, broken("Superfecta", parallel={"step": step}), message)


def test_an_illegal_action_that_is_replaced_silently_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        *told, info = base.step(self, action)
        return *told, {**info, "illegal_action": False}

    message = (
        r"an illegal action is replaced silently: info\['illegal_action'\] is False \(step 0, action -1\)"
    )
    fails(masks.illegal_actions_are_told, broken("Superfecta", single={"step": step}), message)


def test_an_illegal_action_that_is_punished_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        seen, reward, ended, cut, info = base.step(self, action)
        return seen, reward - info["illegal_action"], ended, cut, info

    message = "an illegal action does not do what the lowest legal one does: reward is -1.0 and 0.0"
    fails(masks.illegal_actions_are_told, broken("Superfecta", single={"step": step}), message)


def test_a_legal_action_that_is_told_to_be_illegal_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        *told, info = base.step(self, action)
        return *told, {**info, "illegal_action": True}

    # what stands in for an illegal action is told to be illegal as well: compared without the flag
    fails(
        masks.illegal_actions_are_told,
        broken("Superfecta", single={"step": step}),
        "a legal action is told to be illegal",
    )


def test_a_raising_environment_that_does_not_raise_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    members = {"__init__": lambda self, **given: base.__init__(self, **{**given, "illegal": "pass"})}
    message = r"action -1 is illegal and nothing is raised \(illegal='raise'\); raise IllegalDecision"
    fails(masks.illegal_actions_are_told, broken("Superfecta", single=members), message)


def test_an_environment_that_plays_before_it_raises_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        if self.table.options.illegal == "raise" and not self.action_masks()[max(int(action), 0)]:
            self.table.game.state.key ^= np.uint64(1)
        elif self.table.options.illegal == "raise" and action < 0:
            self.table.game.state.bankrolls[0, 0] -= 1
        return base.step(self, action)

    message = "a refused action has changed the game: observation.*; raise before playing"
    fails(masks.illegal_actions_are_told, broken("Superfecta", single={"step": step}), message)
