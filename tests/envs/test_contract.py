"""What Gymnasium and learners ask of every environment: the checker, spaces, masks, settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from railbird.games.errors import InvalidSettings
from railbird.games.registry import load

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

BANKROLLS = (0, 1, 2, 2**24 + 1, 2**40)  # float32 has no 2^24 + 1


def test_the_checker_of_gymnasium_has_nothing_to_say(case):
    check_env(case.make())  # warnings are errors in these tests


def test_the_checker_has_nothing_to_say_about_whole_tickets(ticket_case):
    check_env(ticket_case.make(action="ticket"))


def test_the_defaults_make_an_environment(variant):
    check_env(make(variant.id).unwrapped)


def test_a_mask_is_told_in_three_ways_and_never_empty(case, legal_actions):
    env = case.make()
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    ends = 0
    for _ in range(100):
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (env.action_space.n,)
        assert env.action_masks().dtype == bool
        np.testing.assert_array_equal(mask == 1, env.action_masks())
        assert mask.any()
        assert mask[env.action_space.sample(mask)] == 1
        _, _, ended, _, info = env.step(legal_actions(mask[None], rng)[0])
        if ended:
            assert info["action_mask"].tolist() == [1] + [0] * (len(mask) - 1)  # nothing is left to decide
            _, info = env.reset()
        ends += ended
    assert ends > 4


def test_every_part_of_a_whole_ticket_has_a_legal_choice(ticket_case):
    env = ticket_case.make(action="ticket")
    env.action_space.seed(1)
    _, info = env.reset(seed=1)
    for _ in range(60):
        mask = info["action_mask"]
        assert mask.dtype == np.int8
        parts = tuple(np.split(mask, np.cumsum(env.action_space.nvec)[:-1]))
        assert all(part.any() for part in parts)
        _, _, ended, _, info = env.step(env.action_space.sample(parts))
        if ended:
            left = np.split(info["action_mask"], np.cumsum(env.action_space.nvec)[:-1])
            assert all(part.tolist() == [1] + [0] * (len(part) - 1) for part in left)
            _, info = env.reset()


def allowed(spec, settings, bankroll):
    """The settings with a bankroll, None where the rules forbid it."""
    try:
        return replace(settings, bankroll=bankroll)
    except InvalidSettings:
        return None


def test_observations_stay_within_their_bounds_for_any_bankroll(chip_case, legal_actions):
    spec = load(chip_case.variant.game)
    rules = chip_case.make().table.options.settings
    possible = [chips for chips in BANKROLLS if allowed(spec, rules, chips) is not None]
    assert len(possible) >= 3
    for bankroll in possible:
        env = chip_case.make_vec(4, bankroll=bankroll, **chip_case.rotates)
        space = env.single_observation_space
        rng = np.random.default_rng(2)
        seen, _ = env.reset(seed=1)
        for _ in range(20):
            assert seen.dtype == np.float32
            assert np.isfinite(seen).all() and (space.low <= seen).all() and (seen <= space.high).all(), (
                bankroll
            )
            masks = env.action_masks()
            assert masks.any(1).all()
            seen, rewards, *_ = env.step(legal_actions(masks, rng))
            assert np.isfinite(rewards).all()


def test_settings_survive_a_seeded_reset(case):
    env = case.make(reward="expected")
    options, rules = env.table.options, env.table.game.settings
    for name, value in case.settings.items():
        if hasattr(rules, name):
            assert getattr(rules, name) == value, name
    for seed in (1, None, 2):
        env.reset(seed=seed)
        assert env.table.options is options and env.table.game.settings is rules


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"no_such": 3}, "there is no setting of {id} 'no_such'; .*known: .*"),
        ({"oponents": ["random"]}, "did you mean 'opponents'"),
        ({"opponents": ["no-such-agent"]}, "there is no agent for .* 'no-such-agent'"),
        ({"reward": "log"}, "reward is one of 'cash', 'expected', 'adjusted', not 'log'"),
        ({"illegal": "ignore"}, "illegal is one of 'pass', 'raise', not 'ignore'"),
        ({"action": "tickets"}, "action is one of 'wager', 'ticket', not 'tickets'"),
        ({"lane": -1}, "lane is a whole number from 0"),
        ({"render_mode": "human"}, "render_mode is one of 'ansi', 'rgb_array', not 'human'"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(short_case, settings, message):
    kind = type(short_case.make())
    with pytest.raises((ValueError, LookupError), match=message.format(id=short_case.variant.id)):
        kind(**{**short_case.settings, **settings})


def test_an_unknown_setting_is_answered_with_each_known_one_once(short_case):
    with pytest.raises(LookupError) as unknown:
        type(short_case.make())(no_such=1)
    known = str(unknown.value).partition("known: ")[2].split(", ")
    assert known == sorted(set(known))


def test_a_seat_is_one_of_the_players_or_rotates(seated_case):
    kind = type(seated_case.make())
    players = seated_case.make().table.game.settings.seats
    for seat, message in (
        (players, f"seat is a whole number from 0 to {players - 1}, not {players}"),
        ("rotates", "seat .* is one of 'rotate', not 'rotates'"),
    ):
        with pytest.raises(ValueError, match=message):
            kind(**{**seated_case.settings, "seat": seat})


@pytest.mark.parametrize("setting", [{"seat": 0}, {"banker": "fair"}])
def test_a_learner_that_is_the_house_has_neither_a_seat_nor_a_banker(house_case, setting):
    (name,) = setting
    with pytest.raises(LookupError, match=f"there is no setting of {house_case.variant.id} '{name}'"):
        type(house_case.make())(**setting)


def test_a_house_cannot_be_kept_where_the_bank_rotates(house_case):
    with pytest.raises(ValueError, match="the house keeps the bank; leave bank at 'house'"):
        type(house_case.make())(bank="rotate")


def test_a_game_without_whole_tickets_says_so(ticketless_case):
    message = f"{ticketless_case.variant.id} has no whole tickets; leave action at 'wager'"
    with pytest.raises(ValueError, match=message):
        type(ticketless_case.make())(action="ticket")


def test_a_table_of_one_takes_no_opponents():
    for opponents in ([], ""):
        assert make("railbird/RacingAces-v0", opponents=opponents).unwrapped.table.rivals.names == []
    with pytest.raises(ValueError, match="opponents are none at a table of 1, not 1"):
        make("railbird/RacingAces-v0", opponents=["random"])


def test_the_number_of_lanes_is_checked(variant):
    with pytest.raises(ValueError, match="num_envs is a whole number from 1 to"):
        make_vec(variant.id, 0)


def test_reset_options_nobody_reads_are_an_error(variant):
    env = make(variant.id)
    with pytest.raises(LookupError, match="there is no reset option 'bankroll'"):
        env.reset(options={"bankroll": 5})
