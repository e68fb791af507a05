"""N15: the reward is the change of the bankroll, and ruin ends an episode exactly once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from railbird.envs.checking import money
from railbird.envs.checking.verdicts import NotApplicable


def applied(check, doors, **options):
    """Carries out a check that may have nothing to look at; whether it had."""
    try:
        check(doors, **options)
    except NotApplicable:
        return False
    return True


def test_the_reward_is_the_change_of_the_bankroll(any_doors):
    chips = applied(money.rewards_are_changes_of_the_bankroll, any_doors)
    assert chips == ("SaveTheBet" not in any_doors.name)


def test_ruin_ends_an_episode_in_the_same_step_and_once(any_doors):
    money.ruin_ends_an_episode_once(any_doors)


def test_who_starts_broke_passes_once(doors):
    broke = applied(money.who_starts_broke_passes_once, doors)
    assert broke == any(name in doors.name for name in ("Superfecta", "/HorseRace", "Scarne", "RacingAces"))


def test_the_bankroll_is_in_the_observation(doors):
    layout = doors.open_single().encoding.layout.table()
    assert ("bankroll" in layout or "chips" in layout) == money.has_chips(doors)


# ---- each seen failing


@pytest.fixture
def base(case_of):
    return type(case_of("Superfecta").make())


def stepping(base, change):
    """A step whose results are changed."""

    def step(self, action):
        return change(self, *base.step(self, action))

    return {"step": step}


def test_a_reward_that_is_not_the_profit_is_found(base, broken, fails):
    members = stepping(base, lambda env, seen, reward, *rest: (seen, reward * 2, *rest))
    message = r"the reward is -?\d+, the profit -?\d+ \(step \d+\); pay the profit"
    fails(money.rewards_are_changes_of_the_bankroll, broken("Superfecta", single=members), message)


def test_a_profit_that_is_not_the_change_of_the_bankroll_is_found(base, broken, fails):
    def kept(env, seen, reward, ended, cut, info):
        return seen, abs(reward), ended, cut, info | {"profit": abs(info["profit"])}

    message = (
        r"the profit is \d+, the bankroll went from \d+ to \d+ \(step \d+\); pay the change of the bankroll"
    )
    fails(
        money.rewards_are_changes_of_the_bankroll,
        broken("Superfecta", single=stepping(base, kept)), message,
    )  # fmt: skip


def test_money_that_moves_while_a_ticket_is_written_is_found(base, broken, fails):
    def at_once(env, seen, reward, ended, cut, info):
        writing = bool(env.table.draft_text(0))
        return seen, reward - writing, ended, cut, info | {"profit": info["profit"] - writing}

    message = r"writing a decision moves -1 chips \(step \d+\); move money when it is played"
    fails(
        money.rewards_are_changes_of_the_bankroll,
        broken("Superfecta", single=stepping(base, at_once)), message,
    )  # fmt: skip


def test_a_profit_in_fractions_is_found(base, broken, fails):
    def half(env, seen, reward, ended, cut, info):
        return seen, reward / 2, ended, cut, info | {"profit": info["profit"] / 2}

    doors = broken("Superfecta", single=stepping(base, half))
    fails(
        money.rewards_are_changes_of_the_bankroll,
        doors,
        r"the profit is -?\d+.5 .*; count money in whole chips",
    )


def test_an_end_that_comes_a_step_late_is_found(base, broken, fails):
    members = stepping(base, lambda env, seen, reward, ended, cut, info: (seen, reward, False, cut, info))
    message = r"the game is over, terminated is False, truncated False \(step \d+\); set terminated in"
    fails(money.ruin_ends_an_episode_once, broken("Superfecta", single=members), message)


def test_a_ruined_learner_that_must_stay_is_found(base, broken, fails):
    def patient(self, **given):
        base.__init__(self, **given)
        self.table._without_learner = self.table._unasked  # nobody plays the game out

    message = (
        r"the learner can pay for no bet any more and the episode goes on \(step \d+\); play the game out"
    )
    fails(money.ruin_ends_an_episode_once, broken("Superfecta", single={"__init__": patient}), message)


def test_an_episode_that_ends_twice_is_found(base, broken, fails):
    def step(self, action):
        if self.table.done[0]:
            return self.table.observe()[0], 0.0, True, False, {}
        return base.step(self, action)

    message = r"an episode that has ended can be stepped on \(step \d+\); raise until it is reset"
    fails(money.ruin_ends_an_episode_once, broken("Superfecta", single={"step": step}), message)


def test_a_broke_learner_that_is_kept_waiting_is_found(base, broken, fails):
    members = stepping(base, lambda env, seen, reward, ended, cut, info: (seen, reward, False, cut, info))
    message = r"a learner without chips has the actions \[0\], earns 0, terminated is False; let it pass once"
    fails(money.who_starts_broke_passes_once, broken("Superfecta", single=members), message)


def test_scaled_rewards_are_left_to_wrappers(case_of, broken):
    import gymnasium as gym

    class Scaled(gym.RewardWrapper):
        def reward(self, reward):
            return np.float64(reward) / 100

    doors = broken("Superfecta", single=lambda **more: Scaled(case_of("Superfecta").make(**more)))
    money.rewards_are_changes_of_the_bankroll(replace(doors))
