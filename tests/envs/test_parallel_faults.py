"""The PettingZoo door: what it refuses, how episodes are cut, and what is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.envs import parallel_env
from railbird.games.errors import IllegalDecision, InvalidSettings, RailbirdError, UnknownName


def opened(case: Any, **more: Any) -> Any:
    """The table of a case, all its seats open: nobody is the learner and there are no opponents."""
    single = {"seat", "opponents"}
    settings = {name: value for name, value in case.settings.items() if name not in single}
    return parallel_env(case.variant.game, **{**settings, **more})


def test_an_illegal_action_passes_and_is_told(case: Any) -> None:
    env, rng = opened(case), np.random.default_rng(1)
    seen, infos = env.reset(seed=1)
    told = 0
    while env.agents:
        masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
        actions = {agent: int(rng.integers(-1, len(mask) + 1)) for agent, mask in masks.items()}
        seen, _, _, _, infos = env.step(actions)
        for agent, mask in masks.items():
            inside = 0 <= actions[agent] < len(mask)
            assert infos[agent]["illegal_action"] is not (inside and bool(mask[actions[agent]]))
            told += infos[agent]["illegal_action"]
    assert told


def test_an_illegal_action_can_be_an_error_and_changes_nothing() -> None:
    env = parallel_env("superfecta", illegal="raise", seats=2)
    env.reset(seed=1)
    wager = env.encoding("player_0").encode("WIN", "H", 1)
    env.step({"player_0": wager, "player_1": wager})
    before = env.get_state()
    with pytest.raises(
        IllegalDecision, match=rf"player_1: action {wager} \(\$1 WIN H\) is not legal now; legal"
    ):
        env.step({"player_0": 0, "player_1": wager})
    assert env.get_state() == before


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ({"player_0": 0}, r"every agent acts in every step, if only with 0; missing: \['player_1'\]"),
        ({"player_0": 0, "player_1": 0.5}, "actions are integers"),
        ({"player_0": 0, "player_1": None}, "actions are integers"),
        ({"player_0": [0], "player_1": 0}, "actions are integers"),
    ],
)
def test_what_is_no_action_is_refused(actions: Any, message: str) -> None:
    env = parallel_env("superfecta", seats=2)
    env.reset(seed=1)
    before = env.get_state()
    with pytest.raises(RailbirdError, match=message):
        env.step(actions)
    assert env.get_state() == before


def test_no_step_before_a_reset_nor_after_the_end() -> None:
    env = parallel_env("racing-aces", races=1)
    with pytest.raises(IllegalDecision, match="the episode is over or has not begun; reset it first"):
        env.step({"player_0": 0})
    env.reset(seed=1)
    env.step({"player_0": 0})
    with pytest.raises(IllegalDecision, match="the episode is over or has not begun; reset it first"):
        env.step({"player_0": 0})


def test_truncation_comes_with_the_last_cycle_and_not_with_the_end() -> None:
    env = parallel_env("racing-aces", races=3, max_cycles=2)
    env.reset(seed=1)
    assert env.step({"player_0": 0})[2:4] == ({"player_0": False}, {"player_0": False})
    assert env.step({"player_0": 0})[2:4] == ({"player_0": False}, {"player_0": True})
    assert env.agents == []
    env = parallel_env("racing-aces", races=2, max_cycles=2)
    env.reset(seed=1)
    env.step({"player_0": 0})
    assert env.step({"player_0": 0})[2:4] == ({"player_0": True}, {"player_0": False})


@pytest.mark.parametrize(
    ("game", "settings", "message"),
    [
        ("superfecta", {"rases": 3}, "no setting of superfecta's table 'rases'; did you mean 'races'"),
        ("superfecta", {"opponents": "random"}, "no setting of superfecta's table 'opponents'"),
        ("superfecta", {"banker": "fair"}, "no setting of superfecta's table 'banker'"),
        ("bookmaker", {"banker": "fair"}, "no setting of bookmaker's table 'banker'"),
        ("bookmaker", {"bank": "rotate"}, "in bookmaker the house keeps the bank; leave bank at 'house'"),
        (
            "horse-race",
            {"bank": "rotate", "banker": "fair"},
            "the players keep the bank and quote; leave the",
        ),
        ("horse-race", {"banker": "fare"}, "did you mean 'fair'"),
        ("superfecta", {"max_cycles": 0}, "max_cycles is a whole number from 1"),
        (
            "superfecta",
            {"render_mode": "rgb"},
            "render_mode is one of 'human', 'ansi', 'rgb_array', not 'rgb'",
        ),
        ("superfecta", {"reward": "money"}, "reward is one of"),
        ("superfecta", {"illegal": "ignore"}, "illegal is one of"),
        ("superfecta", {"lane": -1}, "lane is a whole number from 0"),
    ],
)
def test_a_wrong_setting_is_an_error(game: str, settings: Any, message: str) -> None:
    with pytest.raises((InvalidSettings, UnknownName), match=message):
        parallel_env(game, **settings)


# ---- what is shown


def test_a_spectator_is_shown_and_no_ticket_being_written() -> None:
    env: Any = parallel_env("superfecta", seats=2, render_mode="ansi")
    env.reset(seed=1)
    before = env.render()
    assert "player_0" in before and "player_1" in before
    state = env.get_state()
    env.step(dict.fromkeys(env.agents, 1))
    assert env.render() == before
    env.step(dict.fromkeys(env.agents, 0))
    assert "$1 WIN H" in env.render()  # tickets are read out at the settlement
    assert env.get_state() != state


def test_hidden_hands_stay_hidden() -> None:
    env: Any = parallel_env("save-the-bet", render_mode="ansi")
    env.reset(seed=1)
    assert env.render().count("##") == 6 + 6 + 1  # two hands and the stack, face down


def test_for_people_the_table_is_printed_at_every_step(capsys: Any) -> None:
    env = parallel_env("racing-aces", render_mode="human", races=2)
    env.reset(seed=1)
    env.step({"player_0": 0})
    printed = capsys.readouterr().out
    assert printed.index("Race 1 of 2") < printed.index("Race 2 of 2")
    assert env.render() is None


def test_without_a_render_mode_there_is_a_warning() -> None:
    env = parallel_env("superfecta")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="nothing is shown without a render mode"):
        assert env.render() is None
