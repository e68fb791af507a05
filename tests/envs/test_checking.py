"""The check of an environment: what it prints, how it ends, and what it finds wrong with a user's own."""

from __future__ import annotations

import json
import warnings
from textwrap import dedent

import pytest

from railbird.console import check_env as console
from railbird.envs.checking import CheckFailed, NotApplicable, Verdict, check_env
from railbird.envs.checking.cases import Case
from railbird.envs.checking.checks import CHECKS, Check, carry_out
from railbird.envs.checking.doors import doors_of, open_doors
from railbird.envs.checking.verdicts import find
from railbird.envs.variants import VARIANTS

MINE = dedent('''
    import gymnasium as gym
    import numpy as np

    from railbird.envs.racing_aces import RacingAcesEnv, RacingAcesVectorEnv


    class Sound(RacingAcesEnv):
        """Racing Aces as it is."""


    class Generous(RacingAcesEnv):
        """Pays a chip more for a win, and forgets to say so."""

        def step(self, action):
            seen, reward, ended, cut, info = super().step(action)
            return seen, reward + (reward > 0), ended, cut, info


    class Many(RacingAcesVectorEnv):
        pass


    class Doubled(gym.ObservationWrapper):
        """Observes everything twice."""

        def __init__(self, env):
            super().__init__(env)
            space = env.observation_space
            self.observation_space = gym.spaces.Box(np.tile(space.low, 2), np.tile(space.high, 2))

        def observation(self, seen):
            return np.tile(seen, 2)


    def wrapped(**settings):
        return Doubled(RacingAcesEnv(**settings))


    def raising():
        raise KeyError("no table is free")


    gym.register("mine/Sound-v3", "mine:Sound", vector_entry_point="mine:Many")
''')


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A module of a user's own."""
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "mine"


def seen(text):
    return lambda doors: text


def failing(reason):
    def check(doors):
        raise CheckFailed(reason, "mend it", "step 3")

    return check


def absent(doors):
    raise NotApplicable("it has no chips")


THREE = (Check("fine", seen("all is well")), Check("broken", failing("it leaks")), Check("money", absent))


def test_findings_are_printed_a_line_each_and_then_the_verdict():
    report = carry_out(doors_of(Case(VARIANTS[0])), THREE)
    assert str(report).splitlines() == [
        "ok     fine: all is well",
        "FAILED broken: it leaks (step 3); mend it",
        "–      money: not applicable: it has no chips",
        "railbird/Superfecta-v0 fails 1 checks",
    ]
    assert not report.ok
    assert str(carry_out(doors_of(Case(VARIANTS[0])), THREE[:1])).endswith(
        "railbird/Superfecta-v0 keeps the contract"
    )


def test_what_a_check_raises_is_a_finding_with_its_place():
    def check():
        raise KeyError("third race")

    found = find("it", check)
    assert found.verdict is Verdict.FAILED
    assert found.text.startswith("raised KeyError: 'third race' (test_checking.py, line ")


def test_a_warning_is_a_finding():
    def check():
        warnings.warn("chips are low", stacklevel=1)
        warnings.warn("and lower", stacklevel=1)
        return "fine"

    assert str(find("it", check)) == "FAILED it: warns: chips are low (and 1 more)"


@pytest.mark.parametrize(("checks", "ok"), [(THREE, False), (THREE[::2], True)])
def test_the_console_prints_or_writes_json_and_tells_how_it_ended(monkeypatch, capsys, checks, ok):
    def found(doors):
        return carry_out(doors, checks).findings

    monkeypatch.setattr(console, "findings", found)
    assert console.check("superfecta") is ok
    assert len(capsys.readouterr().out.splitlines()) == len(checks) + 1
    assert console.check("superfecta", as_json=True) is ok
    written = json.loads(capsys.readouterr().out)
    assert (written["env"], written["ok"]) == ("railbird/Superfecta-v0", ok)
    assert written["findings"][0] == {"item": "fine", "verdict": "ok", "text": "all is well"}


# ---- which environment is meant


def test_ours_are_found_by_game_and_id_with_all_doors():
    for name in ("superfecta", "railbird/Superfecta-v0", "railbird:railbird/Superfecta-v0"):
        doors = open_doors(name, races=2)
        assert doors.name == "railbird/Superfecta-v0" and not doors.missing
        assert doors.open_single().table.game.settings.races == 2


def test_a_users_own_are_found_by_class_function_and_id(mine):
    for name, doors_there in (
        ("mine:Sound", {"single"}),
        ("mine:wrapped", {"single"}),
        ("mine:Many", {"single", "vector"}),
        ("mine:mine/Sound-v3", {"single", "vector"}),
    ):
        doors = open_doors(name, races=3)
        assert doors.variant is not None and doors.variant.game == "racing-aces"
        assert {
            door for door in ("single", "vector", "sb3", "parallel") if getattr(doors, door)
        } == doors_there
        assert doors.open_table().unwrapped.table.game.settings.races == 3
        if doors.vector:
            assert doors.open_vector(2).table.game.settings.races == 3
        with pytest.raises(NotApplicable, match="its game's open table is checked under the game's own id"):
            doors.open_parallel()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("superfekta", "there is no environment 'superfekta'; did you mean 'superfecta'"),
        ("nowhere:Env", "there is no module 'nowhere' in"),
        ("mine:Soundd", "module 'mine' has no 'Soundd'; it has the environments: Sound, Generous"),
        (
            "mine:mine/Sound-v9",
            "importing 'mine' registers no environment 'mine/Sound-v9'; call gymnasium.register",
        ),
        ("mine:raising", "mine:raising cannot be made: KeyError: 'no table is free'"),
        ("mine:dict", "has no 'dict'"),
    ],
)
def test_what_cannot_be_found_is_one_clear_error(mine, name, message):
    with pytest.raises((ValueError, LookupError), match=message):
        open_doors(name)


def test_what_makes_no_environment_is_one_clear_error(mine, tmp_path):
    (tmp_path / "odd.py").write_text("made = dict\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"odd:made makes a dict; what is checked is a gymnasium\.Env, a gymnasium V"
    ):
        open_doors("odd:made")


def test_a_setting_that_is_not_allowed_is_told_at_once():
    with pytest.raises(ValueError, match="races is a whole number from 1 to 1,000, not 0"):
        open_doors("superfecta", races=0)


# ---- whole checks


def verdicts(report):
    return {finding.item: finding.verdict for finding in report.findings}


@pytest.mark.slow
def test_every_environment_keeps_the_contract(variant):
    report = check_env(variant.game)
    assert report.ok, str(report)
    assert len(report.findings) == len(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mine:Sound", "mine:wrapped", "mine:mine/Sound-v3"])
def test_a_sound_environment_of_a_users_own_keeps_the_contract(mine, name):
    report = check_env(name)
    assert report.ok, str(report)
    found = verdicts(report)
    assert found["copies, pickle"] is found["money, books"] is found["processes"] is Verdict.OK
    assert found["pettingzoo, api_test"] is Verdict.NOT_APPLICABLE


@pytest.mark.slow
def test_a_broken_environment_of_a_users_own_fails_where_it_is_broken(mine):
    report = check_env("mine:Generous")
    failed = [str(finding) for finding in report.findings if finding.verdict is Verdict.FAILED]
    assert len(failed) == 1, str(report)
    assert (
        failed[0].startswith("FAILED money, rewards: the reward is 3, the profit 2 (step ")
        or "pay the profit" in failed[0]
    )


@pytest.mark.slow
def test_an_environment_that_is_none_of_ours_is_checked_as_far_as_that_goes():
    found = verdicts(check_env("FrozenLake-v1"))
    assert found["seeds"] is found["copies, deepcopy"] is Verdict.OK
    assert found["hidden"] is found["money, books"] is Verdict.NOT_APPLICABLE
