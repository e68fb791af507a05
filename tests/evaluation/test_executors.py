"""Who plays the blocks makes no difference, and neither does a worker that dies or an agent that hangs."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest
import typer

from railbird.cli import app
from railbird.evaluation.blocks import play_block
from railbird.evaluation.executors import Engine, choose_workers
from railbird.evaluation.executors.cluster import Cluster, play_there
from railbird.evaluation.executors.processes import Crew, Processes
from railbird.evaluation.executors.worker import Job
from railbird.evaluation.provenance import versions
from railbird.evaluation.supervision import Call, Verdict, Watch
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import InvalidSettings, RailbirdError

FIELD = ["random", "favourite", "follower", "kelly:fraction=0.5", "random:probability=0.3"]

AGENTS = """
import os, time
import numpy as np
from railbird.agents.contract import Agent

class Steady(Agent):
    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 40), np.int64)
        stakes[np.arange(len(stakes)), draws.integers(40, 1)[:, 0]] = 1
        return stakes

class Quiet(Steady):  # what a stopped agent should come to: after its first tickets none but empty ones
    def trouble(self):
        pass

    def __init__(self, settings, after: int = 1):
        super().__init__(settings)
        self.left = after

    def act(self, view, draws):
        stakes = super().act(view, draws)
        self.left -= 1
        if self.left < 0:
            self.trouble()
            stakes[:] = 0
        return stakes

class Hanging(Quiet):
    def trouble(self):
        while True:
            try:
                time.sleep(60)
            except BaseException:
                pass

class Deadly(Quiet):
    def trouble(self):
        os._exit(1)

class Fickle(Quiet):  # dies at another call each time
    def __init__(self, settings):
        with open(os.environ["TRIES"], "a+") as file:
            file.write("x")
        super().__init__(settings, os.path.getsize(os.environ["TRIES"]) % 3)  # one here, one by each worker

    def trouble(self):
        os._exit(1)
"""


@pytest.fixture
def odd(tmp_path, monkeypatch):
    """Settings of a tournament of agents from the text above; workers find them where we do."""
    (tmp_path / "odd_agents.py").write_text(AGENTS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def build(*names, deals=700):
        agents = [f"odd_agents:{name}" for name in names]
        return TournamentSettings.of("superfecta", agents, deals=deals, seats=3, races=4, substitutes=0)

    return build


def settings(deals):
    return TournamentSettings.of("superfecta", FIELD, deals=deals, seats=3, races=2)


def test_two_processes_give_the_bytes_of_one(tmp_path):
    field = settings(300)
    assert field.plan().blocks == 2  # 5 line-ups in 3 rotations: 15 tables a deal, 4096 // 15 = 273 a block
    told = []
    apart = run(field, lambda done, total: told.append(done), workers=2, out=tmp_path / "two")
    assert apart.to_json() == run(field, out=tmp_path / "one").to_json()
    assert told == sorted(told) and len(told) == 2
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_workers_that_are_killed_cost_a_second_try_and_nothing_else():
    field, killed = settings(273 * 5), []

    def kill(done, total):
        if not killed:  # the first block is there, the next ones are being played
            for worker in multiprocessing.active_children():
                worker.kill()
                killed.append(worker.pid)

    assert run(field, kill, workers=2).to_json() == run(field).to_json()
    assert len(killed) == 2 and not multiprocessing.active_children()


def test_an_agent_that_hangs_is_at_fault_from_that_call_on_and_nobody_else_is(odd):
    stopped = run(odd("Steady", "Hanging", "Steady"), workers=1, engine=Engine(time_limit=1.5))
    twin = run(odd("Steady", "Quiet", "Steady"))
    (note,) = stopped.faults
    assert (note.agent, note.fault, note.turn) == ("odd_agents:Hanging", "stopped", 1)
    assert note.reason == "no answer within 1.5 s, by the clock; not asked again in this block"
    for line, quiet in zip(by_agent(stopped), by_agent(twin), strict=True):
        assert (line.profit_per_race, line.cash_interval, line.roi) == (
            quiet.profit_per_race, quiet.cash_interval, quiet.roi,
        )  # fmt: skip
    # one block; 700 deals in three rotations, no ticket for the last three of four races
    assert [line.faults for line in by_agent(stopped)] == [0, 0, 700 * 3 * 3]


def by_agent(result):
    """The lines of the two steady agents, then that of the odd one."""
    return sorted(result.leaderboard, key=lambda line: ("Steady" not in line.agent, line.agent))


@pytest.mark.slow
def test_an_agent_that_takes_its_process_down_each_time_is_at_fault_and_nobody_else_is(odd):
    twin = run(odd("Steady", "Quiet", "Steady", deals=1400))
    result = run(odd("Steady", "Deadly", "Steady", deals=1400), workers=2)
    (note,) = result.faults
    assert (note.agent, note.fault, note.turn) == ("odd_agents:Deadly", "stopped", 1)
    assert note.reason == "took its process down 3 times; not asked again in this block"
    assert [line.faults for line in by_agent(result)] == [0, 0, 1400 * 3 * 3]
    for line, quiet in zip(by_agent(result), by_agent(twin), strict=True):
        assert (line.profit_per_race, line.cash_interval, line.roi) == (
            quiet.profit_per_race, quiet.cash_interval, quiet.roi,
        )  # fmt: skip


@pytest.mark.slow
def test_workers_that_die_again_and_again_end_the_tournament_with_the_block_named(odd, tmp_path, monkeypatch):
    monkeypatch.setenv("TRIES", str(tmp_path / "tries"))
    message = r"3 worker processes died over block 0 \(deals 0 to 699\), perhaps for want of memory"
    with pytest.raises(RailbirdError, match=message):
        run(odd("Steady", "Fickle", "Steady"), engine=Engine(time_limit=60))
    assert not multiprocessing.active_children()


def test_no_more_processes_than_blocks():
    plan = settings(700).plan()
    assert choose_workers(plan, 8) == 3
    assert choose_workers(plan, None) == 1  # three blocks are not worth a second start


def test_a_long_tournament_takes_the_processors_at_hand(monkeypatch):
    monkeypatch.setattr("railbird.evaluation.executors.choice._processors", lambda: 5)
    assert choose_workers(settings(273 * 100).plan(), None) == 5
    assert choose_workers(settings(273 * 24).plan(), None) == 3


@pytest.mark.parametrize("asked", [0, -1, 257, 1.5, True])
def test_an_impossible_number_of_workers_is_named(asked):
    with pytest.raises(InvalidSettings, match="workers is a whole number from 1 to 256"):
        choose_workers(settings(10).plan(), asked)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "dask"}, "engine is one of 'local', 'ray', not 'dask'"),
        ({"address": "auto"}, "an address is that of a Ray cluster; add --engine ray"),
        ({"time_limit": 0}, "a time limit is a number of seconds above 0, not 0"),
        ({"time_limit": float("nan")}, "a time limit is a number of seconds above 0, not nan"),
    ],
)
def test_an_impossible_engine_is_named(options, message):
    with pytest.raises(InvalidSettings, match=message):
        Engine(**options)


def test_a_time_limit_takes_another_process_and_a_cluster_any_number_of_workers():
    plan = settings(10).plan()
    assert Engine(time_limit=2).executor(plan, 1) == Processes(1, 2)
    assert Engine("ray", "auto", 2).executor(plan, 5_000) == Cluster("auto", 5_000, 2)
    assert Engine("ray").executor(plan, None) == Cluster(None, None, None)


class Watched:
    """A worker whose agent is at its fifth call since long ago, and gets done just before it is killed."""

    def __init__(self, in_time):
        self.job, self.in_time = Job(7), in_time
        self.on: tuple[Call, float] | None = (Call(2, 5), 0.0)

    def call(self):
        return self.on

    def kill(self):
        self.on = None if self.in_time else self.on


@pytest.mark.parametrize("in_time", [True, False])
def test_an_agent_that_is_done_before_its_worker_is_killed_is_not_to_blame(in_time):
    crew: Any = Crew(settings(10).plan(), workers=1, time_limit=1)
    crew._workers.append(worker := Watched(in_time))
    crew._look_at_the_clock(worker)
    (job,) = crew._waiting
    assert job.number == 7 and crew._workers == []
    assert {agent: verdict.call for agent, verdict in job.verdicts.items()} == ({} if in_time else {2: 5})


def test_a_watch_notes_the_call_and_refuses_those_ruled_out():
    record = [0.0, 0.0, 0.0]
    watch = Watch(record, {1: Verdict(2, "too slow")})
    seen = []
    for agent in (0, 1, 1, 0, 0):
        watch.ask(agent, lambda: seen.append(tuple(record[1:])))
    assert seen == [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]
    assert record[0] == 0  # nobody is being asked
    with pytest.raises(Exception, match="too slow"):
        watch.ask(1, pytest.fail)


def test_without_ray_the_engine_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RailbirdError, match=r"not installed; install it with .*'railbird\[cluster\]'"):
        run(settings(10), engine=Engine("ray"))


def test_a_machine_with_other_versions_plays_nothing():
    plan, ours = settings(10).plan(), versions()
    assert play_there((plan, None, ours, "run"), 0).cash.tobytes() == play_block(plan, 0).cash.tobytes()
    with pytest.raises(
        InvalidSettings, match=rf"another numpy than .*\({ours['numpy']}, not 1\.0\); install the same"
    ):
        play_there((plan, None, {**ours, "numpy": "1.0"}, "run"), 0)


def test_the_command_line_says_where_to_play(monkeypatch):
    asked = []

    def note(settings, progress, workers, out, engine):
        asked.append((workers, engine))
        raise KeyboardInterrupt

    monkeypatch.setattr("railbird.console.tournament.run", note)
    options = ["--engine", "ray", "--address", "auto", "--time-limit", "2.5", "--workers", "300"]
    with suppress(SystemExit, typer.Abort, KeyboardInterrupt):
        app(["tournament", "superfecta", "--deals", "10", *options], standalone_mode=False)
    assert asked == [(300, Engine("ray", "auto", 2.5))]


RAY = """
import json, os, signal, sys
from contextlib import suppress
from pathlib import Path
from railbird.evaluation.executors import Engine
from railbird.evaluation.tournament import TournamentSettings, run

field = TournamentSettings.of("superfecta", {field!r}, deals=273 * 8, seats=3, races=2)
killed = []

def kill(done, total):
    for listed in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if not killed and b"ray::play_there" in listed.read_bytes():
                os.kill(int(listed.parent.name), signal.SIGKILL)
                killed.append(listed)

run(field, kill, workers=2, out=Path(sys.argv[1]), engine=Engine("ray"))
limited = run(field, engine=Engine("ray", time_limit=60), workers=2)
print(json.dumps([len(killed), limited.to_json()]))
"""


@pytest.mark.slow
def test_ray_gives_the_bytes_of_one_process_though_a_worker_is_killed(tmp_path):
    pytest.importorskip("ray", reason="the extra cluster is not installed")
    one = run(settings(273 * 8), out=tmp_path / "one")
    script = tmp_path / "script.py"
    script.write_text(RAY.format(field=FIELD), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "ray")],
        capture_output=True, text=True, timeout=300, env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    killed, limited = json.loads(done.stdout.splitlines()[-1])
    assert killed == 1 and limited == one.to_json()
    assert contents(tmp_path / "ray") == contents(tmp_path / "one")


@pytest.mark.slow
def test_eight_processes_give_the_bytes_of_one(tmp_path):
    field = settings(273 * 20)
    run(field, workers=8, out=tmp_path / "eight")
    run(field, out=tmp_path / "one")
    assert contents(tmp_path / "eight") == contents(tmp_path / "one")
