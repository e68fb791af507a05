"""N4: ids have versions that move when play changes, and options survive a seeded reset."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from railbird.envs.checking import records

RECORDED = runpy.run_path(str(Path(__file__).parents[1] / "envs" / "test_recorded_games.py"))["RECORDED"]
SUPERFECTA = "railbird/Superfecta-v0"


def test_settings_survive_a_seeded_reset(any_doors):
    records.settings_survive_a_seeded_reset(any_doors)


# All recorded games are replayed in tests/envs/test_recorded_games.py; here each is seen failing.


def test_a_reward_that_changed_without_a_version_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def step(self, actions):
        seen, rewards, ended, cut, infos = base.step(self, actions)
        return seen, rewards + (rewards > 50), ended, cut, infos  # a chip more for a great win

    recorded = RECORDED[SUPERFECTA, "default"]
    message = (
        rf"plays other games than those recorded for its version \(\w+, not {recorded}\); raise the id's v"
    )
    doors = broken("Superfecta", {}, vector={"step": step})
    fails(records.results_are_those_recorded, doors, message, recorded=recorded)


def test_a_seeded_reset_that_restores_the_defaults_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.table = type(self)().table
        return base.reset(self, seed=seed, options=options)

    message = (
        r"after reset\(seed=1\) its options are .*races=12.* not .*races=4.*; keep the settings that the con"
    )
    fails(records.settings_survive_a_seeded_reset, broken("Superfecta", single={"reset": reset}), message)


def test_a_seeded_reset_that_changes_the_rules_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.table.game.settings = type(self)().table.game.settings
        return base.reset(self, seed=seed, options=options)

    message = r"after reset\(seed=1\) its game are .*races=12"
    fails(records.settings_survive_a_seeded_reset, broken("Superfecta", single={"reset": reset}), message)


def test_actions_in_turns_are_legal():
    masks = np.array([[1, 0, 1, 1], [0, 1, 0, 0]])
    # step 3, lane 0: hands in; lane 1: (3 + 1) % 4 is not 3, its only legal action is 1
    assert records.in_turns(masks, 3).tolist() == [0, 1]
