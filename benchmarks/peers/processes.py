"""The probes at work: a process for each library and core, all waiting while one of them is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from ...games.errors import RailbirdError
from .catalogue import Contestant

PROBES: Final = f"{__package__}.probes"
ONE_THREAD: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
}


class ProbeFailed(RailbirdError):
    """A probe that ended before it answered; the message is the last line of what it said."""


class Probe:
    """One process of a contestant on one core.

    Args:
        contestant: whose probe.
        python: the interpreter of its environment.
        core: number of the core it stays on.
        seconds: processor time of a measurement.
    """

    def __init__(self, contestant: Contestant, python: Path, core: int, seconds: float) -> None:
        package = PROBES if contestant.ours else "probes"
        path = {} if contestant.ours else {"PYTHONPATH": str(Path(__file__).parent)}
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [str(python), "-m", package, contestant.module, str(core), str(seconds)],
            env=os.environ | ONE_THREAD | path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )

    def send(self, order: str, form: str) -> None:
        """Has it begin; nothing is waited for."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{order} {form}\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """Its next answer, read from JSON.

        Raises:
            ProbeFailed: it has ended instead.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line:
            return json.loads(line)
        self._process.wait()
        self._said.seek(0)
        said = self._said.read().split("\n")
        raise ProbeFailed(([line for line in said if line.strip()] or ["it said nothing"])[-1])

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.communicate()
        self._said.close()


class Team:
    """A contestant's processes, one a core; a context manager that ends them."""

    def __init__(self, contestant: Contestant, python: Path, cores: Sequence[int], seconds: float) -> None:
        self.contestant = contestant
        self.probes = [Probe(contestant, python, core, seconds) for core in cores]
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for probe in self.probes:
            probe.close()

    def get_ready(self) -> None:
        """Waits until all are prepared.

        Raises:
            ProbeFailed: one could not.
        """
        for probe in self.probes:
            self.versions = probe.answer()

    def measure(self, form: str, processes: int) -> tuple[float, float]:
        """Decisions a second of processor time and of wall time, by so many processes at once, added up."""
        working = self.probes[:processes]
        for probe in working:
            probe.send("measure", form)
        found = [probe.answer() for probe in working]
        return (
            sum(one["decisions"] / one["processor"] for one in found),
            sum(one["decisions"] / one["wall"] for one in found),
        )

    def profile(self, form: str) -> list[dict[str, Any]]:
        """Where the time of a form goes, functions with the largest share first."""
        self.probes[0].send("profile", form)
        profiled: list[dict[str, Any]] = self.probes[0].answer()
        return profiled


def python_here() -> Path:
    """The interpreter this runs in."""
    return Path(sys.executable)
