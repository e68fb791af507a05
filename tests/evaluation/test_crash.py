"""A runner killed at any moment and started again comes to the same bytes as one left in peace."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import InvalidSettings, RailbirdError

AGENTS, BLOCKS = ["favourite", "random", "longshot"], 30
# tables of two, three line-ups from both sides: 6 tables a deal, 4096 // 6 = 682 deals a block
OPTIONS: dict[str, Any] = {"deals": 682 * BLOCKS, "seats": 2, "races": 1, "substitutes": 0}
FIELD = TournamentSettings.of("superfecta", AGENTS, **OPTIONS)

FORKING = f"""
import json, os, signal, sys, time
from pathlib import Path
from railbird.evaluation.tournament import TournamentSettings, run

folder, moments = Path(sys.argv[1]), json.loads(sys.argv[2])
field = TournamentSettings.of("superfecta", {AGENTS!r}, **{OPTIONS!r})
shot = 0
for blocks, delay in moments:
    runner = os.fork()
    if runner == 0:
        run(field, out=folder)
        os._exit(0)
    while len(list(folder.glob("blocks/[0-9]*"))) < blocks:
        time.sleep(0.0005)
    time.sleep(delay)
    os.kill(runner, signal.SIGKILL)
    shot += os.waitstatus_to_exitcode(os.waitpid(runner, 0)[1]) == -signal.SIGKILL
print(shot)
"""

RUNNING = f"""
import sys
from pathlib import Path
from railbird.evaluation.tournament import TournamentSettings, run

if __name__ == "__main__":
    run(TournamentSettings.of("superfecta", {AGENTS!r}, **{OPTIONS!r}), out=Path(sys.argv[1]), workers=2)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("whole")
    assert FIELD.plan().blocks == BLOCKS
    run(FIELD, out=folder)
    return contents(folder)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def finished(folder):
    return len(list(folder.glob("blocks/[0-9]*")))


def moments(times):
    """How many blocks are to be there when a runner is killed, and how many seconds later, ascending."""
    chance = random.Random(times)
    blocks = sorted(chance.randrange(1, BLOCKS - 3) for _ in range(times))
    return [(number, chance.uniform(0, 0.04)) for number in blocks]


def test_a_runner_killed_at_three_moments_comes_to_the_same_bytes(tmp_path, whole):
    shots = subprocess.run(
        [sys.executable, "-c", FORKING, str(tmp_path), json.dumps(moments(3))],
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    assert int(shots.stdout) == 3
    assert finished(tmp_path) > 0 and not (tmp_path / "result.json").exists()
    run(FIELD, out=tmp_path)
    assert contents(tmp_path) == whole


def command(out, *more):
    return [
        sys.executable, "-m", "railbird", "tournament", "superfecta", "--agents", ",".join(AGENTS),
        "--deals", str(682 * BLOCKS), "--seats", "2", "--races", "1", "--out", str(out), "--json", *more,
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_command_killed_at_twenty_moments_comes_to_the_same_bytes(tmp_path, workers):
    killed = 0
    for blocks, delay in moments(20):
        runner = subprocess.Popen(
            command(tmp_path / "killed", "--workers", workers),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while finished(tmp_path / "killed") < blocks and runner.poll() is None:
            time.sleep(0.001)
        time.sleep(delay)
        runner.kill()
        killed += runner.wait() == -signal.SIGKILL
    assert killed >= 15  # the last ones may be done before
    printed = [
        subprocess.run(command(tmp_path / name), capture_output=True, timeout=120, check=True).stdout
        for name in ("killed", "whole")
    ]
    assert printed[0] == printed[1] == (tmp_path / "killed" / "result.json").read_bytes()
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_a_killed_runner_frees_its_folder_and_takes_its_workers_along(tmp_path, whole):
    script = tmp_path / "script.py"
    script.write_text(RUNNING, encoding="utf-8")
    folder = tmp_path / "results"
    runner = subprocess.Popen([sys.executable, str(script), str(folder)])
    while finished(folder) < 1:
        assert runner.poll() is None
        time.sleep(0.001)
    children = children_of(runner.pid)
    with pytest.raises(InvalidSettings, match=f"another runner \\(process {runner.pid}\\) is writing to"):
        run(FIELD, out=folder)
    runner.kill()
    assert runner.wait() == -signal.SIGKILL
    assert len(children) >= 2
    assert gone(children, within=20)
    run(FIELD, out=folder)  # nobody holds it any more
    assert contents(folder) == whole


pytestmark = pytest.mark.slow  # what it starts or compiles takes long

HANGING = """
import sys, time
from pathlib import Path
from railbird.agents.contract import Agent
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.superfecta.settings import SuperfectaSettings
class Hanging(Agent):
    text = "hanging"

    def act(self, view, draws):
        Path(sys.argv[1]).touch()
        time.sleep(600)

class Factory:
    text = "hanging"

    def make(self, settings):
        return Hanging(settings)

if __name__ == "__main__":
    rules = SuperfectaSettings(seats=2, races=1)
    run(TournamentSettings("superfecta", (Factory(),), rules, deals=10_000), workers=2)
"""


@pytest.mark.slow
def test_workers_whose_agents_hang_leave_with_a_killed_runner_too(tmp_path):
    script, asked = tmp_path / "script.py", tmp_path / "asked"
    script.write_text(HANGING, encoding="utf-8")
    runner = subprocess.Popen([sys.executable, str(script), str(asked)])
    while not asked.exists():
        assert runner.poll() is None
        time.sleep(0.01)
    children = children_of(runner.pid)
    runner.kill()
    runner.wait()
    assert len(children) >= 2 and gone(children, within=20)


def children_of(pid):
    """Processes that a process has started."""
    listing = Path(f"/proc/{pid}/task/{pid}/children")
    if not listing.exists():
        pytest.skip("this system does not list a process's children")
    return [int(child) for child in listing.read_text(encoding="ascii").split()]


def gone(processes, within):
    due = time.monotonic() + within
    while any(running(process) for process in processes):
        if time.monotonic() > due:
            return False
        time.sleep(0.02)
    return True


def running(process):
    """Whether a process is there and no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return False


def test_a_file_that_cannot_grow_is_named_and_nothing_is_lost(tmp_path, whole):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(FIELD, stop, out=tmp_path)
    before, limits = contents(tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, limits[1]))  # bytes; a table of 682 deals has more
    try:
        with pytest.raises(RailbirdError, match=r"cannot write .*/00000001: .*finished blocks are kept"):
            run(FIELD, out=tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert contents(tmp_path) == before
    run(FIELD, out=tmp_path)
    assert contents(tmp_path) == whole


@pytest.mark.slow
def test_a_full_disk_is_named_in_one_line_and_nothing_is_lost(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small file system")
    try:
        full = subprocess.run(command(disk), capture_output=True, text=True, timeout=120)
        assert full.returncode == 2 and full.stdout == ""
        line = full.stderr.strip().splitlines()[-1]
        assert line.startswith(f"railbird: cannot write {disk}/blocks/") and "No space left on device" in line
        assert line.endswith("finished blocks are kept: make room and run the same command again")
        assert 0 < finished(disk) < BLOCKS and not list(disk.rglob(".unfinished*"))
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        for folder in (disk, tmp_path / "whole"):
            subprocess.run(command(folder), capture_output=True, timeout=120, check=True)
        assert contents(disk) == contents(tmp_path / "whole")
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_memory_does_not_grow_with_the_number_of_deals(tmp_path):
    def peak(blocks, folder):
        field = TournamentSettings.of("superfecta", AGENTS, **{**OPTIONS, "deals": 682 * blocks})
        tracemalloc.start()
        try:
            run(field, out=folder)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1, tmp_path / "first")  # loads what is loaded once
    assert peak(24, tmp_path / "many") < 1.1 * peak(3, tmp_path / "few")
