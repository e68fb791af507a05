"""Rewards in other units than chips, worked out by hand from the rules."""

from __future__ import annotations

from math import log
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.envs.wrappers import LogWealthReward, ScaledReward, StakeFractions, TicketCatalogue, vector

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HORSE_RACE = "railbird/HorseRace-v0"


def shares(**lines):
    """Fractions of the bankroll on lines 0–39 of Superfecta: ``shares(l0=0.1)``."""
    out = np.zeros(40, np.float32)
    for line, share in lines.items():
        out[int(line[1:])] = share
    return out


def test_log_wealth_of_a_race_of_superfecta(on_line):
    # The rival has 60 chips on WIN H, the learner 10 on each of the four: the pool holds 100. If H wins both
    # hold the line and take 50 each: 100 - 40 + 50 = 110. If not the learner takes it all: 100 - 40 + 100.
    env = LogWealthReward(StakeFractions(make(SUPERFECTA, seats=2, opponents=[on_line(0, 60)])))
    found = {}
    for seed in range(12):
        env.reset(seed=seed)
        _, reward, _, _, info = env.step(shares(l0=0.1, l1=0.1, l2=0.1, l3=0.1))
        hearts = int(env.unwrapped.table.game.state.last_order[0]) < 6  # orders 0-5 begin with H
        found[hearts] = reward
        assert info["profit"] == (10 if hearts else 60)
    assert found == {True: pytest.approx(log(1.1)), False: pytest.approx(log(1.6))}


def test_ruin_at_superfecta_leaves_the_learners_part_of_the_pools(on_line):
    # All 100 chips on EXA H/D, and the rival never bets. Where H/D does not come in the learner is ruined,
    # the game is played out, and the last division gives each of two players half of the pool: 50.
    env = LogWealthReward(StakeFractions(make(SUPERFECTA, seats=2, opponents=[on_line(0, 0)])))
    lost = []
    for seed in range(6):
        env.reset(seed=seed)
        _, reward, ended, _, info = env.step(shares(l4=1))
        if ended:
            assert info["profit"] == -50
            lost.append(reward)
    assert lost == pytest.approx([log(50 / 100)] * len(lost)) and lost


@pytest.mark.parametrize(("floor", "worst"), [(1, log(1 / 40)), (10, log(10 / 40)), (50, 0.0)])
def test_ruin_counts_as_the_floor(floor, worst):
    # All 40 chips on hearts: lost to the house, or paid at some price.
    env = LogWealthReward(StakeFractions(make(HORSE_RACE, seats=1, bankroll=40)), floor=floor)
    seen = set()
    for seed in range(10):
        env.reset(seed=seed)
        _, reward, ended, _, info = env.step(np.array([1, 0, 0, 0], np.float32))
        assert ended == (info["profit"] == -40)
        wealth = 40 + info["profit"]
        assert reward == pytest.approx(worst if ended else log(max(wealth, floor) / max(40, floor)))
        seen.add(ended)
    assert seen == {True, False}


def test_the_sum_telescopes_over_an_episode_in_which_turns_are_played_unasked(legal_actions, brought):
    # Where the bank rotates the learner is not asked in the races it banks, not even in its first.
    rules = {"bank": "rotate", "seats": 3, "races": 9, "bankroll": 20, "seat": "rotate", "stakes": (1, 2, 5)}
    env = LogWealthReward(make("railbird/RacingAces-v0", **rules))
    rng = np.random.default_rng(1)
    env.reset(seed=3)
    for _ in range(9):
        total, profit, ended = 0.0, 0, False
        before = int(brought(env.unwrapped)[0])
        while not ended:
            action = int(legal_actions(env.action_masks()[None], rng)[0])
            _, reward, ended, _, info = env.step(action)
            total, profit = total + reward, profit + info["profit"]
        assert before == 20
        assert total == pytest.approx(log(max(1, 20 + profit) / 20))
        env.reset()


def test_writing_a_wager_pays_nothing():
    env = LogWealthReward(make(SUPERFECTA))
    env.reset(seed=1)
    assert env.step(1)[1] == 0.0


def test_every_lane_of_a_vector_is_paid_for_its_own_episode_in_the_step_that_ends_it():
    # One race of one bettor against the house, all on hearts; the next race begins in the same step.
    native = make_vec(
        HORSE_RACE, 8, vectorization_mode="vector_entry_point", seats=1, races=1, bankroll=40,
        autoreset_mode="SameStep",
    )  # fmt: skip
    env = vector.LogWealthReward(vector.StakeFractions(native))
    env.reset(seed=1)
    told = set()
    for _ in range(6):
        _, rewards, ended, _, infos = env.step(np.tile(np.array([1, 0, 0, 0], np.float32), (8, 1)))
        profits = infos["final_info"]["profit"]
        told |= set(profits.tolist())
        assert ended.all()
        assert rewards == pytest.approx([log(max(1, 40 + profit) / 40) for profit in profits.tolist()])
    assert len(told) > 1  # some have lost and some have won


def test_scaled_rewards_are_shares_of_what_a_player_brings(on_line):
    # As above: 10 or 60 chips are won, of 100 that were brought.
    for chips, unit in ((None, 100), (5, 5)):
        inside = make(SUPERFECTA, seats=2, opponents=[on_line(0, 60)])
        env = ScaledReward(StakeFractions(inside), chips=chips)
        for seed in range(4):
            env.reset(seed=seed)
            _, reward, _, _, info = env.step(shares(l0=0.1, l1=0.1, l2=0.1, l3=0.1))
            assert info["profit"] in (10, 60) and reward == info["profit"] / unit


def test_scaled_rewards_may_be_expected_ones():
    one, other = (make(SUPERFECTA, reward="expected") for _ in range(2))
    scaled: Any = TicketCatalogue(ScaledReward(one))
    plain: Any = TicketCatalogue(other)
    scaled.reset(seed=1)
    plain.reset(seed=1)
    reward = plain.step(17)[1]
    assert reward != 0 and scaled.step(17)[1] == reward / 100
