"""N10: multi-agent rewards and endings that add up."""

from __future__ import annotations

import pytest

from railbird.envs.checking import multi_agent
from railbird.envs.checking.cases import Case
from railbird.envs.checking.doors import doors_of


def test_pettingzoos_own_tests_have_nothing_to_say(doors):
    multi_agent.parallel_api(doors)
    multi_agent.aec_api(doors)
    multi_agent.equal_seeds(doors, cycles=30)
    multi_agent.cycles_end(doors_of(Case(doors.variant)))  # short games may end before the cycles do


@pytest.mark.slow
def test_every_render_mode(doors):
    multi_agent.every_render_mode(doors)


def test_what_is_collected_is_what_the_ledger_says(any_doors):
    multi_agent.rewards_add_up(any_doors)


def test_the_single_environment_plays_the_open_tables_games(any_doors):
    multi_agent.a_single_environment_is_one_seat(any_doors)


# ---- each seen failing


@pytest.fixture
def base(broken):
    return type(broken("Superfecta").open_parallel())


def test_a_reward_that_is_lost_at_the_end_is_found(base, broken, fails):
    def step(self, actions):
        seen, rewards, ended, cut, infos = base.step(self, actions)
        if any(ended.values()):
            rewards = dict.fromkeys(
                rewards, 0.0
            )  # as if a game that ends on a rival's move paid the rival alone
        return seen, rewards, ended, cut, infos

    message = (
        r"player_\d collected -?\d+, its ledger changed by -?\d+ \(game 1\); pay every change in the step"
    )
    fails(multi_agent.rewards_add_up, broken("Superfecta", parallel={"step": step}), message)


def test_agents_that_end_without_flags_are_found(base, broken, fails):
    def step(self, actions):
        seen, rewards, ended, cut, infos = base.step(self, actions)
        return seen, rewards, ended | {"player_0": False}, cut, infos

    message = r"terminations are {'player_0': False, 'player_1': True.*; end all agents at once, with flags"
    fails(multi_agent.rewards_add_up, broken("Superfecta", parallel={"step": step}), message)


def test_a_missing_info_is_found(base, broken, fails):
    def step(self, actions):
        seen, rewards, ended, cut, infos = base.step(self, actions)
        del infos["player_0"]
        return seen, rewards, ended, cut, infos

    fails(
        multi_agent.parallel_api,
        broken("Superfecta", parallel={"step": step}),
        "it says: .*; mend what it names",
    )


def test_an_observation_outside_its_space_is_found(base, broken, fails):
    def outside(seen):
        for told in seen.values():
            told["observation"][0] = 7
        return seen

    def reset(self, seed=None, options=None):
        seen, infos = base.reset(self, seed, options)
        return outside(seen), infos

    def step(self, actions):
        seen, *rest = base.step(self, actions)
        return outside(seen), *rest

    doors = broken("Superfecta", parallel={"reset": reset, "step": step})
    fails(multi_agent.aec_api, doors, "it says: .*; mend what it names")


def test_a_seed_that_is_not_obeyed_is_found(base, broken, fails):
    members = {"reset": lambda self, seed=None, options=None: base.reset(self, None, options)}
    doors = broken("Superfecta", parallel=members)
    fails(multi_agent.equal_seeds, doors, "it says: .*; mend what it names")
    fails(
        multi_agent.a_single_environment_is_one_seat,
        doors,
        r"the single environment and the open table play different games of one seed \(game 1\)",
    )


def test_cycles_without_an_end_are_found(base, broken, fails):
    def endless(self, variant, **given):
        base.__init__(self, variant, **{**given, "max_cycles": None})

    doors = broken("Superfecta", {}, parallel={"__init__": endless})
    fails(multi_agent.cycles_end, doors, "it says: .*; mend what it names")


@pytest.mark.slow
def test_a_render_mode_that_shows_nothing_is_found(base, broken, fails):
    doors = broken("Superfecta", parallel={"render": lambda self: None})
    fails(multi_agent.every_render_mode, doors, "it says: .*; mend what it names")
