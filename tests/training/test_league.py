"""Leagues of a few hundred steps: what is kept, and that one that was broken off ends as one that was not."""

import json
import shutil
import sys

import numpy as np
import pytest
from safetensors.numpy import load_file

from railbird import cli
from railbird.envs.snapshot import unpack_arrays
from railbird.games.errors import BrokenFile, InvalidSettings
from railbird.training import league as module
from railbird.training.best_reply import Gain
from railbird.training.checkpoints import Checkpoints
from railbird.training.league import LeagueSettings, run_league
from railbird.training.train import Session, train

pytestmark = pytest.mark.slow

SHORT = {"suits": 2, "ranks": 5, "hand_size": 2, "target": 5, "max_turns": 20}  # Save The Bet with 9 cards


@pytest.fixture
def small_league(small_run):
    """Makes a small league."""

    def made(
        game="save-the-bet",
        rounds=2,
        pool="random,shortest",
        steps=256,
        settings=None,
        seed=1,
        deals=60,
        algo="maskable-ppo",
        **more,
    ):
        rules = SHORT if game == "save-the-bet" else {}
        run = small_run(
            game, algo, steps, settings=rules | (settings or {}), self_play=True, pool=pool, seed=seed
        )
        return LeagueSettings(run, rounds, deals, **more)

    return made


def always_better(monkeypatch):
    """Takes every newcomer in, so that a league goes on however little it has learned."""
    monkeypatch.setattr(Gain, "significant", property(lambda self: True))


def files_of(folder):
    """All that a league keeps, but for what tells the time."""
    league = json.loads((folder / "league.json").read_text())["league"]
    agents = sorted(folder.glob("round-*/agent/policy.safetensors"))
    return (
        json.dumps(league).replace(str(folder), "X"),
        (folder / "payoffs.csv").read_text().replace(str(folder), "X"),
        [path.read_bytes() for path in agents],
    )


def test_league_grows_by_best_responses_and_keeps_its_payoffs(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    told = []
    found = run_league(small_league(), tmp_path / "l", told.append)
    agents = [f"{tmp_path}/l/round-{number:03}/agent:sample=true" for number in (1, 2)]
    assert found.members == ("random", "shortest", *agents)
    assert [(one, other) for one, other, _ in found.payoffs] == [
        (0, 1),
        (0, 2),
        (1, 2),
        (0, 3),
        (1, 3),
        (2, 3),
    ]
    assert sum(found.mixture) == pytest.approx(1)
    assert not found.settled
    rows = (tmp_path / "l/payoffs.csv").read_text().splitlines()
    assert rows[0] == "agent,rival,profit,low,high"
    assert len(rows) == 7
    assert rows[1].startswith("random,shortest,")
    assert told[0] == "random meets shortest"
    assert told[1].startswith("round 1: training against ")
    pool = json.loads((tmp_path / "l/round-001/pool.json").read_text())
    weight = {
        name: share for name, share in zip(found.members, found.rounds[0].mixture, strict=False) if share
    }
    assert {it["member"]: it["chance"] for it in pool["members"] if it["kind"] == "named"} == pytest.approx(
        weight
    )


def test_league_that_was_broken_off_ends_as_one_that_was_not(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    run_league(small_league(), tmp_path / "whole")

    class Killed(Exception):
        pass

    for place in ("train", "gain_over", "pay_off"):  # in the second call of each; the third of duels
        calls = []
        real = getattr(module, place)

        def dying(*arguments, real=real, calls=calls, place=place):
            calls.append(arguments)
            if len(calls) == (3 if place == "pay_off" else 2):
                raise Killed
            return real(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(module, place, dying)
            with pytest.raises(Killed):
                run_league(small_league(), tmp_path / place)
        run_league(small_league(), tmp_path / place)
        assert files_of(tmp_path / place) == files_of(tmp_path / "whole")


@pytest.fixture
def starts(monkeypatch):
    """What runs begin with, by their seed: the policy's parameters and the means of what it has seen."""
    found, learn = {}, Session.learn

    def noting(self):
        seen = self.tables.statistics
        found[self.run.seed] = {name: it.clone() for name, it in self.model.policy.state_dict().items()} | {
            f"{name}_{part}": np.array(getattr(it, part))
            for name, it in seen.items()
            for part in ("mean", "var", "count")
        }
        assert self.step == 0
        learn(self)

    monkeypatch.setattr(Session, "learn", noting)
    return found


def ends(folder):
    """What a run ended with, as `starts` has it."""
    last = Checkpoints(folder / "checkpoints").last()
    assert last is not None
    arrays = unpack_arrays(last.data["tables"]["arrays"])
    return {
        name.removeprefix("policy/"): it for name, it in last.tensors.items() if name[:7] == "policy/"
    } | {name: it for name, it in arrays.items() if name.partition("_")[0] in ("obs", "ret")}


def damage(folder):
    """Empties a run's last checkpoint."""
    (sorted((folder / "checkpoints").iterdir())[-1] / "state.safetensors").write_bytes(b"")


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("algo", ["maskable-ppo", "recurrent-ppo", "dqn"])
def test_best_response_starts_at_the_newest_policy(small_league, tmp_path, monkeypatch, starts, algo):
    always_better(monkeypatch)
    found = run_league(small_league(algo=algo, rounds=3), tmp_path / "l")
    assert [played.start for played in found.rounds] == [
        "", f"{tmp_path}/l/round-001/agent", f"{tmp_path}/l/round-002/agent",
    ]  # fmt: skip
    for number in (1, 2):
        assert same(starts[number + 1], ends(tmp_path / f"l/round-{number:03}"))
    assert not same(starts[2], starts[3])
    first = load_file(tmp_path / "l/round-001/agent/policy.safetensors")
    if algo == "maskable-ppo":
        for name, part in (("layers.0", "mlp_extractor.policy_net.0"), ("layers.1", "action_net")):
            assert np.array_equal(first[f"{name}.weight"], starts[2][f"{part}.weight"])
    assert np.array_equal(first["observation.mean"], starts[2]["obs_mean"])


def test_best_response_can_start_from_scratch(small_league, tmp_path, monkeypatch, starts):
    always_better(monkeypatch)
    found = run_league(small_league(start="scratch"), tmp_path / "l")
    assert [played.start for played in found.rounds] == ["", ""]
    assert not same(starts[2], ends(tmp_path / "l/round-001"))
    assert starts[1]["obs_count"] == starts[2]["obs_count"]  # a fresh one's


def test_start_has_the_same_network(small_league, small_run, tmp_path, starts):
    trained = {
        name: train(small_run("save-the-bet", "maskable-ppo", 128, SHORT | more), tmp_path / name).agent
        for name, more in (("same", {}), ("wide", {"hidden": 9}), ("relu", {"activation": "relu"}),
                           ("raw", {"normalize_observations": False}))
    }  # fmt: skip
    pool = f"{trained['same']},random,{trained['wide']},{trained['relu']},{trained['raw']}"
    found = run_league(small_league(rounds=1, pool=pool, seed=7), tmp_path / "l")
    assert found.rounds[0].start == str(trained["same"])
    assert same(starts[7], ends(tmp_path / "same"))
    shutil.rmtree(tmp_path / "same/checkpoints")
    found = run_league(small_league(rounds=1, pool=pool, seed=8), tmp_path / "m")
    assert found.rounds[0].start == ""


def test_league_killed_in_the_training_of_a_warm_start_goes_on(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    run_league(small_league(), tmp_path / "whole")

    class Killed(Exception):
        pass

    note = Session.note
    for step in (128, 256):  # before the second run has a checkpoint, and behind one

        def dying(self, *arguments, step=step, **named):
            note(self, *arguments, **named)
            if self.run.seed == 2 and self.step >= step:
                raise Killed

        with monkeypatch.context() as patch:
            patch.setattr(Session, "note", dying)
            with pytest.raises(Killed):
                run_league(small_league(), tmp_path / str(step))
        assert bool(Checkpoints(tmp_path / f"{step}/round-002/checkpoints").steps) == (step == 256)
        if step == 256:  # what it started from is needed no more
            damage(tmp_path / "256/round-001")
        run_league(small_league(), tmp_path / str(step))
        assert files_of(tmp_path / str(step)) == files_of(tmp_path / "whole")


def test_damaged_start_is_refused(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    run_league(small_league(rounds=1), tmp_path / "l")
    damage(tmp_path / "l/round-001")
    with pytest.raises(BrokenFile, match=r"round-001/checkpoints/000000000256/state\.safetensors"):
        run_league(small_league(), tmp_path / "l")


def test_league_stops_when_nothing_is_gained(small_league, tmp_path):
    settings = small_league(pool="hoarder", rounds=3, steps=128)
    found = run_league(settings, tmp_path / "l")
    assert found.settled  # 128 actions teach nothing that beats counting cards
    assert (found.members, found.mixture) == (("hoarder",), (1,))
    assert [played.taken for played in found.rounds] == [False]
    told = []
    again = run_league(settings, tmp_path / "l", told.append)
    assert (again, told) == (found, [])


def test_league_of_more_seats_weighs_all_the_same(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    settings = small_league("pasteboard-derby", 1, "random,crowd", settings={"races": 2})
    found = run_league(settings, tmp_path / "l")
    assert found.mixture == pytest.approx((1 / 3,) * 3)
    assert found.payoffs == ()
    assert not (tmp_path / "l/payoffs.csv").exists()


def test_more_rounds_go_on_and_another_league_is_refused(small_league, tmp_path, monkeypatch):
    always_better(monkeypatch)
    run_league(small_league(rounds=2), tmp_path / "whole")
    run_league(small_league(rounds=1), tmp_path / "parts")
    run_league(small_league(rounds=2), tmp_path / "parts")
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "parts")
    with pytest.raises(InvalidSettings, match="holds a league with seed 1, not 2; choose another folder"):
        run_league(small_league(seed=2), tmp_path / "whole")
    with pytest.raises(InvalidSettings, match="holds a league with league_deals 60, not 90; choose another"):
        run_league(small_league(deals=90), tmp_path / "whole")
    with pytest.raises(InvalidSettings, match="holds a league with start 'newest', not 'scratch'; choose"):
        run_league(small_league(start="scratch"), tmp_path / "whole")
    (tmp_path / "parts/league.json").write_text("{")
    with pytest.raises(BrokenFile, match=r"league\.json cannot be read; choose another folder"):
        run_league(small_league(), tmp_path / "parts")


def test_command_prints_rounds_and_mixture(monkeypatch, capsys, tmp_path):
    command = ["railbird", "league", "save-the-bet", "--rounds", "1", "--steps", "128", "--pool", "hoarder"]
    command += ["--deals", "40", "--out", str(tmp_path / "l")]
    for setting in ("lanes=16", "n_steps=8", "batch_size=64", "max_turns=20"):
        command += ["--set", setting]

    def printed(*more):
        monkeypatch.setattr(sys, "argv", [*command, *more])
        with pytest.raises(SystemExit) as left:
            cli.main()
        assert not left.value.code
        return capsys.readouterr()

    told = printed()
    assert "round 1: training against 1.00 hoarder" in told.err
    assert "left out" in told.out
    assert "1.000" in told.out
    assert json.loads(printed("--json").out)["members"] == ["hoarder"]
