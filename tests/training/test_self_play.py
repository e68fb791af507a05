"""Runs with self-play, a few hundred steps each: exact resume, frozen snapshots, what is written down."""

import csv
import json
import sys
from itertools import pairwise

import numpy as np
import pytest

from railbird import cli
from railbird.agents.learned.folder import read_agent
from railbird.agents.registry import parse_agent
from railbird.games.errors import BrokenFile, InvalidSettings
from railbird.training.pool_files import drop_later
from railbird.training.self_play import hash_folder
from railbird.training.train import Session, train

pytestmark = pytest.mark.slow

SHORT = {"suits": 2, "ranks": 5, "hand_size": 2, "target": 5, "max_turns": 20}  # Save The Bet with 9 cards
FREQUENT = {"snapshot_every": 100, "snapshots": 2}


@pytest.fixture
def self_play(small_run):
    """Makes a small run with self-play."""

    def made(game="save-the-bet", algo="maskable-ppo", steps=640, settings=None, **asked):
        rules = SHORT if game == "save-the-bet" else {}
        return small_run(
            game, algo, steps, settings=rules | FREQUENT | (settings or {}), self_play=True, **asked
        )

    return made


def state_of(folder):
    """The last checkpoint of a run, but for the time it took."""
    last = sorted((folder / "checkpoints").iterdir())[-1]
    state = json.loads((last / "state.json").read_text())
    del state["seconds"]
    return last.name, (last / "state.safetensors").read_bytes(), state


def members_of(folder):
    return {it["member"]: it for it in json.loads((folder / "pool.json").read_text())["members"]}


def broken_off(monkeypatch, step):
    """Breaks a run off in the middle of things, as kill -9 does, once it has gone so far."""

    class Killed(Exception):
        pass

    note = Session.note

    def dying(self, *arguments, **named):
        note(self, *arguments, **named)
        if self.step >= step:
            raise Killed

    monkeypatch.setattr(Session, "note", dying)
    return Killed


@pytest.mark.parametrize(
    ("game", "algo", "settings"),
    [
        ("save-the-bet", "maskable-ppo", {}),
        ("save-the-bet", "recurrent-ppo", {"sampling": "var"}),
        ("save-the-bet", "dqn", {"latest_share": 1}),
        ("superfecta", "maskable-ppo", {"seats": 4, "races": 2}),
        ("horse-race", "maskable-ppo", {"seats": 3, "races": 2}),
        ("horse-race", "maskable-ppo", {"seats": 3, "races": 2, "bank": "rotate"}),
        ("pasteboard-derby", "ppo", {"races": 2}),
    ],
)
def test_run_that_was_broken_off_ends_as_one_that_was_not(
    self_play, tmp_path, monkeypatch, game, algo, settings
):
    run = self_play(game, algo, settings=settings)
    train(run, tmp_path / "whole")
    with monkeypatch.context() as patch, pytest.raises(broken_off(patch, 512)):
        train(run, tmp_path / "parts")  # behind the checkpoint of step 384 and the snapshot of 384 or 256
    train(run, tmp_path / "parts")
    assert state_of(tmp_path / "whole") == state_of(tmp_path / "parts")
    for name in ("pool.json", "pool.csv", "agent/policy.safetensors"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    assert len(list((tmp_path / "whole/pool").iterdir())) == 4  # after 128, 256, 384 and 512 actions


def test_snapshots_stay_frozen_and_the_pool_keeps_two(self_play, tmp_path):
    train(self_play(steps=384), tmp_path / "run")
    first = {path.name: hash_folder(path) for path in (tmp_path / "run/pool").iterdir()}
    assert sorted(first) == ["snapshot-000000000128", "snapshot-000000000256"]
    train(self_play(steps=768), tmp_path / "run")
    members = members_of(tmp_path / "run")
    snapshots = {name: it for name, it in members.items() if it["kind"] == "snapshot"}
    assert len(snapshots) == 5
    for name, member in snapshots.items():
        assert hash_folder(tmp_path / "run/pool" / name) == member["sha256"]
    assert {name: snapshots[name]["sha256"] for name in first} == first
    assert sum(it["drawn_now"] for it in snapshots.values()) == 2
    assert snapshots["snapshot-000000000640"]["drawn_now"]
    steps = [read_agent(tmp_path / "run/pool" / name).facts.training["steps"] for name in sorted(snapshots)]
    assert steps == [128, 256, 384, 512, 640]


def test_snapshot_is_the_policy_of_its_moment_and_plays_as_it_did(self_play, tmp_path):
    """What a run of 256 actions ends with is what one of 640 took down on the way."""
    train(self_play(steps=256), tmp_path / "short")
    train(self_play(steps=640), tmp_path / "long")
    taken = tmp_path / "long/pool/snapshot-000000000256"
    assert (taken / "policy.safetensors").read_bytes() == (
        tmp_path / "short/agent/policy.safetensors"
    ).read_bytes()
    parse_agent(f"{taken}:sample=true", "save-the-bet").make(self_play().make_rules())


def test_changed_or_missing_snapshot_stops_the_run(self_play, tmp_path):
    train(self_play(steps=384), tmp_path / "run")
    taken = tmp_path / "run/pool/snapshot-000000000128"
    other = (tmp_path / "run/pool/snapshot-000000000256/agent.json").read_bytes()
    own = {path.name: path.read_bytes() for path in taken.iterdir()}
    for name in own:
        (taken / name).write_bytes((tmp_path / "run/pool/snapshot-000000000256" / name).read_bytes())
    assert (taken / "agent.json").read_bytes() == other
    with pytest.raises(
        BrokenFile, match="snapshot-000000000128 has been changed since it was taken; put the"
    ):
        train(self_play(steps=512), tmp_path / "run")
    (taken / "agent.json").unlink()
    with pytest.raises(BrokenFile, match=r"agent\.json cannot be read"):
        train(self_play(steps=512), tmp_path / "run")
    for name, content in own.items():
        (taken / name).write_bytes(content)
    train(self_play(steps=512), tmp_path / "run")


@pytest.mark.parametrize("seat", [0, 1, "rotate"])
def test_every_game_of_either_seat_is_counted_once(self_play, tmp_path, monkeypatch, seat):
    run, sessions = self_play(settings={"seat": seat}), []
    learn = Session.learn

    def kept(self):
        sessions.append(self)
        learn(self)

    monkeypatch.setattr(Session, "learn", kept)
    train(run, tmp_path / "run")
    (session,) = sessions
    members = members_of(tmp_path / "run")
    assert sum(it["games"] for it in members.values()) == session.tables.meter.episodes > 10
    for it in members.values():
        assert it["games"] == it["won"] + it["drawn"] + it["lost"]


def test_latest_self_is_the_policy_of_the_last_update(self_play, tmp_path):
    run = self_play(settings={"snapshot_share": 0, "heuristic_share": 0})
    seen = []

    class Diary:
        name = "diary"

        def begin(self, session):
            pass

        def note(self, session):
            return {}

        def save(self):
            return None

        def load(self, saved, session):
            pass

        def between_updates(self, session):
            own = next(it for it in session.companions if it.name == "self-play")
            # it comes behind in the order of companions: this is the policy of the update before
            seen.append((own.latest.folder.network.layers[0].weight.T.copy(), session))
            wanted = session.model.policy.mlp_extractor.policy_net[0].weight.detach().numpy().copy()
            seen[-1] = (seen[-1][0], wanted)

    train(run, tmp_path / "run", companions=[Diary()])
    assert len(seen) == 5
    assert not np.array_equal(seen[0][1], seen[1][1])
    for (_, wanted), (played, _) in pairwise(seen):
        assert np.array_equal(wanted, played)
    games = members_of(tmp_path / "run")["latest"]["games"]
    assert games == sum(it["games"] for it in members_of(tmp_path / "run").values()) > 10


def test_what_is_written_says_how_things_went(self_play, tmp_path):
    train(self_play(pool="hoarder,random,snapshots"), tmp_path / "run")
    with (tmp_path / "run/pool.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["step"]) for row in rows if row["member"] == "latest"] == [128, 256, 384, 512, 640]
    members = members_of(tmp_path / "run")
    assert list(members)[:3] == ["latest", "hoarder", "random"]
    first = {row["member"]: float(row["chance"]) for row in rows if row["step"] == "128"}
    assert first == {"latest": 0.7, "hoarder": 0.15, "random": 0.15}  # no snapshot yet, and p is 1/2 for both
    last = {row["member"]: row for row in rows if row["step"] == "640"}
    for name, it in members.items():
        assert int(last[name]["games"]) == it["games"]
        if it["games"]:
            assert it["win_rate"] == pytest.approx((it["won"] + it["drawn"] / 2) / it["games"])
    assert sum(it["chance"] for it in members.values()) == pytest.approx(1)
    assert sum(it["chance"] for it in members.values() if it["kind"] == "snapshot") == pytest.approx(0.3)
    with (tmp_path / "run/progress.csv").open(newline="") as file:
        logged = list(csv.DictReader(file))[-1]
    pool = [it["recent"] for it in members.values() if it["drawn_now"] and it["kind"] != "latest"]
    assert float(logged["win_rate"]) == pytest.approx(sum(pool) / len(pool))
    assert float(logged["lowest_win_rate"]) == min(pool)
    drop_later(tmp_path / "run", 300)
    with (tmp_path / "run/pool.csv").open(newline="") as file:
        assert {row["step"] for row in csv.DictReader(file)} == {"128", "256"}


def test_run_with_another_pool_is_another_run(self_play, tmp_path):
    train(self_play(steps=128), tmp_path / "run")
    with pytest.raises(InvalidSettings, match=r"holds a run with pool \['heuristics', 'snapshots'\], not"):
        train(self_play(steps=128, pool="hoarder"), tmp_path / "run")


def test_agent_of_a_folder_sits_in_a_pool_from_memory(self_play, small_run, tmp_path):
    trained = train(small_run("save-the-bet", settings=SHORT), tmp_path / "first")
    run = self_play(pool=f"{trained.agent}:sample=true,snapshots", settings={"heuristic_share": 5})
    train(run, tmp_path / "run")
    member = members_of(tmp_path / "run")[f"{trained.agent}:sample=true"]
    assert member["games"] > 5
    assert member["sha256"] == hash_folder(trained.agent)
    (trained.agent / "agent.json").write_bytes((trained.agent / "agent.json").read_bytes() + b"\n")
    with pytest.raises(
        BrokenFile, match=r"the pool has changed since it was saved: .*first/agent:sample=true"
    ):
        train(self_play(steps=768, pool=run.self_play.pool[0] + ",snapshots",
                        settings={"heuristic_share": 5}), tmp_path / "run")  # fmt: skip


def test_one_line_trains_against_old_selves_and_scripted_players(monkeypatch, capsys, tmp_path):
    command = ["railbird", "train", "save-the-bet", "--self-play", "--pool", "heuristics,snapshots"]
    tiny = ["--steps", "256", "--deals", "20", "--out", str(tmp_path / "run")]
    for setting in ("lanes=16", "n_steps=8", "batch_size=64", "snapshot_every=100", "max_turns=20"):
        tiny += ["--set", setting]
    monkeypatch.setattr(sys, "argv", [*command, *tiny])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert not left.value.code
    assert capsys.readouterr().out.startswith(f"{tmp_path / 'run' / 'agent'}: profit")
    assert {"latest", "hoarder", "snapshot-000000000128"} <= set(members_of(tmp_path / "run"))
