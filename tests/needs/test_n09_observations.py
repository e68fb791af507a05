"""N9: observations inside their space, of exact dtype and sane scale."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.envs.checking import spaces
from railbird.envs.checking.verdicts import NotApplicable


def test_gymnasiums_checker_has_nothing_to_say(any_doors):
    spaces.gymnasium_has_nothing_to_say(any_doors)


def test_observations_lie_in_their_space(any_doors):
    spaces.observations_lie_in_their_space(any_doors, steps=100)


@pytest.mark.slow
def test_8_000_observations_lie_in_their_space(any_doors):
    spaces.observations_lie_in_their_space(any_doors, steps=8_000)  # 13 ways to play: over 10^5


def test_observations_bear_any_bankroll(doors):
    if doors.name == "railbird/SaveTheBet-v0":
        with pytest.raises(NotApplicable, match="its players have no chips"):
            spaces.observations_bear_any_bankroll(doors)
    else:
        spaces.observations_bear_any_bankroll(doors)


# ---- each seen failing


def seeing(base, change):
    """Members of an environment whose observations are changed."""

    def reset(self, **given):
        seen, info = base.reset(self, **given)
        return change(self, seen), info

    def step(self, action):
        seen, *rest = base.step(self, action)
        return change(self, seen), *rest

    return {"reset": reset, "step": step}


@pytest.mark.filterwarnings("ignore:.*The obs returned by the")
def test_float64_observations_are_found(case_of, broken, fails):
    wide = seeing(type(case_of("Superfecta").make()), lambda env, seen: seen.astype(np.float64))
    doors = broken("Superfecta", single=wide)
    message = (
        r"the observation is float64 of shape \(99,\), not float32 of \(99,\) \(step 0\); observe within"
    )
    fails(spaces.observations_lie_in_their_space, doors, message)
    fails(
        spaces.gymnasium_has_nothing_to_say,
        doors,
        "check_env says: .* is not within the observation space.; mend what it names",
    )


def test_unscaled_money_is_found(case_of, broken, fails):
    def in_chips(env, seen):
        return np.where(np.arange(len(seen)) == 7, seen * 36, seen).astype(np.float32)  # 6 seats of 6 chips

    doors = broken("Superfecta", single=seeing(type(case_of("Superfecta").make()), in_chips))
    message = r"observation\[7\] is 6, outside 0\.\.1 \(step 0\); observe within the space, in its dtype"
    fails(spaces.observations_lie_in_their_space, doors, message)


def test_a_share_of_nothing_is_found(case_of, broken, fails):
    def shares(env, seen):
        chips = env.table.game.state.bankrolls.sum(1, keepdims=True).astype(np.float32)
        with np.errstate(invalid="ignore"):
            return np.where(np.arange(seen.shape[1]) == 7, chips / chips, seen).astype(np.float32)

    doors = broken("Superfecta", vector=seeing(type(case_of("Superfecta").make_vec(1)), shares))
    message = r"observation\[7\] is nan \(bankroll 0, step 0\); scale features to finite numbers"
    fails(spaces.observations_bear_any_bankroll, doors, message)


def test_a_reward_that_is_no_number_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())

    def step(self, action):
        seen, reward, *rest = base.step(self, action)
        return seen, float(np.log(1 + reward)) if reward > -1 else -np.inf, *rest

    message = r"the reward is -inf \(step \d+\); rewards are finite numbers"
    fails(spaces.observations_lie_in_their_space, broken("Superfecta", single={"step": step}), message)
