"""Rewards are money: what the learner's chips gain, when its episode ends, what is expected."""

from __future__ import annotations

import numpy as np

from railbird.envs.checking import money
from railbird.envs.checking.cases import Case
from railbird.envs.checking.doors import doors_of
from railbird.games.registry import load


def own_chips(env):
    """(lanes,): the chips of the learners, or the account of the house they keep."""
    table = env.table
    return table.game.state.bankrolls[np.arange(table.lanes), table.seat]


def rotating(case):
    """The doors of a case whose learner changes its seat from game to game."""
    return doors_of(Case(case.variant, {**case.settings, **case.rotates}))


def test_rewards_add_up_to_the_change_of_the_bankroll(chip_case):
    money.rewards_are_changes_of_the_bankroll(rotating(chip_case))


def test_vector_rewards_are_the_changes_of_the_bankrolls(chip_case, brought, legal_actions):
    env = chip_case.make_vec(8, autoreset_mode="Disabled", **chip_case.rotates)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    earned = np.zeros(8, np.int64)
    for _ in range(60):
        turns = env.table.game.state.turn.copy()
        _, rewards, ended, _, infos = env.step(legal_actions(env.action_masks(), rng))
        np.testing.assert_array_equal(rewards, infos["profit"])
        earned += infos["profit"]
        played = env.table.game.state.turn != turns
        np.testing.assert_array_equal((brought(env) + earned)[played], own_chips(env)[played])
        if ended.any():
            env.reset(options={"reset_mask": ended})
            earned[ended] = 0


def test_an_episode_ends_in_the_step_that_ruins_the_learner_or_ends_the_game(chip_case):
    money.ruin_ends_an_episode_once(rotating(chip_case))


def test_a_player_that_starts_broke_passes_once(broke_case):
    env = broke_case.make(bankroll=0)
    _, info = env.reset(seed=1)
    assert np.flatnonzero(info["action_mask"]).tolist() == [0]
    _, reward, ended, _, _ = env.step(0)
    assert (reward, ended) == (0.0, True)
    game = env.table.game
    assert load(broke_case.variant.game).rounds(game, 0) == game.settings.races  # the game was played out


def test_expected_and_cash_rewards_have_the_same_mean(case, legal_actions):
    env = case.make_vec(128, reward="expected", autoreset_mode="Disabled")
    rng = np.random.default_rng(5)
    luck, sums = [], np.zeros(128)
    env.reset(seed=1)
    for _ in range(40):
        _, rewards, ended, _, infos = env.step(legal_actions(env.action_masks(), rng))
        sums += infos["profit"] - rewards
        if ended.any():
            luck += sums[ended].tolist()  # games are independent of each other
            sums[ended] = 0
            env.reset(options={"reset_mask": ended})
    assert len(luck) > 300
    deviation = float(np.std(luck))
    assert abs(np.mean(luck)) <= 4 * deviation / np.sqrt(len(luck))
    assert (deviation > 0.3) == (case.variant.game != "save-the-bet")  # its rewards are the same both ways
