"""What Gymnasium and learners ask of every environment: the checker, spaces, masks, documentation."""

from __future__ import annotations

import inspect
import textwrap
from importlib import import_module
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from railbird.games.errors import UnknownName

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

HEADINGS = (
    "Players", "Action", "Observation", "Reward", "End", "Illegal actions", "Settings", "Version history"
)  # fmt: skip
LARGE = (0, 1, 2**24 + 1, 2**40)  # float32 has no 2^24 + 1


def documentation(variant):
    """What `help` shows of the variant's environment."""
    module, name = variant.entry_point.split(":")
    text = inspect.getdoc(getattr(import_module(module), name))
    assert text is not None
    return text


@pytest.mark.parametrize("action", ["wager", "ticket"])
def test_the_checker_of_gymnasium_has_nothing_to_say(variant, action):
    check_env(make(variant.id, action=action).unwrapped)  # warnings are errors in these tests


def test_the_documentation_has_every_heading_and_the_index_table(variant):
    doc = documentation(variant)
    for heading in HEADINGS:
        assert f"\n{heading}:\n" in doc, heading
    table = make(variant.id).unwrapped.encoding.layout.table()
    assert textwrap.indent(table, " " * 8) in doc


def test_the_documentation_names_every_setting(variant):
    env = make(variant.id).unwrapped
    doc = documentation(variant)
    with pytest.raises(UnknownName) as unknown:
        type(env)(no_such_setting=1)
    for setting in unknown.value.known:
        assert f"``{setting}" in doc, setting


def test_a_mask_is_told_in_three_ways_and_never_empty(variant, short, legal_actions):
    env = make(variant.id, **short).unwrapped
    rng = np.random.default_rng(1)
    _, info = env.reset(seed=1)
    for _ in range(400):
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (env.action_space.n,)
        assert env.action_masks().dtype == bool
        np.testing.assert_array_equal(mask == 1, env.action_masks())
        assert mask.any()
        action = env.action_space.sample(mask)
        assert mask[action] == 1
        _, _, ended, _, info = env.step(legal_actions(mask[None], rng)[0])
        if ended:
            assert info["action_mask"].tolist() == [1] + [0] * (len(mask) - 1)  # nothing is left to decide
            _, info = env.reset()


def test_masks_allow_what_a_ticket_can_still_pay_for():
    env = make("railbird/Superfecta-v0", bankroll=2).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].sum() == 41  # handing in, or any of 40 lines
    _, _, _, _, info = env.step(1)
    assert info["action_mask"].tolist() == [1, 0] + [1] * 39  # a line is written once
    _, _, _, _, info = env.step(2)
    assert info["action_mask"].tolist() == [1] + [0] * 40  # both chips are spent


@pytest.mark.parametrize("bankroll", LARGE)
@pytest.mark.parametrize("split", ["equal", "pro_rata"])
def test_observations_stay_within_their_bounds_for_any_bankroll(bankroll, split, legal_actions):
    env = make_vec("railbird/Superfecta-v0", 4, bankroll=bankroll, split=split, races=3, seat="rotate")
    space = env.single_observation_space
    rng = np.random.default_rng(2)
    seen, _ = env.reset(seed=1)
    for _ in range(120):
        assert seen.dtype == np.float32
        assert all(row in space for row in seen)
        masks = env.action_masks()
        assert masks.any(1).all()
        seen, rewards, *_ = env.step(legal_actions(masks, rng))
        assert np.isfinite(rewards).all()


def test_a_learner_that_starts_broke_plays_one_empty_ticket():
    env = make("railbird/Superfecta-v0", bankroll=0, races=5).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] + [0] * 40
    assert env.table.game.state.turn[0] == 0
    _, reward, ended, _, _ = env.step(0)
    assert (reward, ended) == (0.0, True)
    assert env.table.game.state.turn[0] == 5  # the game was played out


def test_the_action_space_follows_the_stake_sizes():
    env = make("railbird/Superfecta-v0", split="pro_rata", stakes=(1, 5)).unwrapped
    assert env.action_space == gym.spaces.Discrete(81)  # 1 + 40 lines * 2 sizes
    assert env.encoding.decode(2) == ("WIN", "H", 500)  # the second size: 5 minimum bets of 100 cents


def test_settings_survive_a_seeded_reset():
    env = make("railbird/Superfecta-v0", seats=3, races=2, bankroll=7, reward="expected").unwrapped
    for seed in (1, None, 2):
        env.reset(seed=seed)
        assert env.table.game.settings.seats == 3
        assert env.table.game.settings.races == 2
        assert env.table.game.state.bankrolls.tolist() == [[7, 7, 7]]
        assert env.table.options.reward == "expected"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seets": 3}, "there is no setting of railbird/Superfecta-v0 'seets'; did you mean 'seats'"),
        ({"oponents": ["random"]}, "did you mean 'opponents'"),
        ({"stake": (1,)}, "did you mean 'stakes'"),
        ({"opponents": ["favorite"]}, "did you mean 'favourite'"),
        ({"opponents": []}, "opponents are 1 to 5 agents at a table of 6, not 0"),
        ({"seats": 2, "opponents": ["random", "box"]}, "opponents are 1 to 1 agents at a table of 2, not 2"),
        ({"seat": 6}, "seat is a whole number from 0 to 5, not 6"),
        ({"seat": "rotates"}, "seat .* is one of 'rotate', not 'rotates'"),
        ({"reward": "log"}, "reward is one of 'cash', 'expected', not 'log'"),
        ({"illegal": "ignore"}, "illegal is one of 'pass', 'raise', not 'ignore'"),
        ({"action": "tickets"}, "action is one of 'wager', 'ticket', not 'tickets'"),
        ({"lane": -1}, "lane is a whole number from 0"),
        ({"races": 0}, "races is a whole number from 1 to 1,000, not 0"),
        ({"stakes": (5, 1)}, "stakes are ascending sizes"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(settings, message):
    with pytest.raises((ValueError, LookupError), match=message):
        make("railbird/Superfecta-v0", **settings)


def test_the_number_of_lanes_is_checked(variant):
    with pytest.raises(ValueError, match="num_envs is a whole number from 1 to"):
        make_vec(variant.id, 0)


def test_reset_options_nobody_reads_are_an_error(variant):
    env = make(variant.id)
    with pytest.raises(LookupError, match="there is no reset option 'bankroll'"):
        env.reset(options={"bankroll": 5})
