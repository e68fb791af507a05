"""Many machines, through Ray (`pip install railbird[cluster]`).

A block is a task; Ray plays it elsewhere when a worker or a machine dies. Every machine must have the same
Railbird, Python, NumPy and Numba: each worker says what it has before it plays. See docs/cluster.md.
"""

from __future__ import annotations

import os
import platform
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from uuid import uuid4

from ...games.errors import InvalidSettings, RailbirdError
from ..blocks import BlockResult, Plan, play_block
from ..provenance import versions
from .processes import Crew

MOST_RETRIES = 2  # of a block whose worker died, by Ray


@dataclass(frozen=True, slots=True)
class Cluster:
    """Plays on a Ray cluster."""

    address: str | None  # None: one is started on this machine, for the tournament
    workers: int | None  # blocks at once; None: two for each processor, so that none waits for its next
    time_limit: float | None = None  # seconds for a call of an agent

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[BlockResult]:
        """The results of these blocks, in this order.

        Raises:
            RailbirdError: Ray is not installed, there is no such cluster, or it cannot play a block.
        """
        with _connected(self.address, self.workers) as ray:
            shared = ray.put((plan, self.time_limit, versions(), uuid4().hex))
            task = ray.remote(max_retries=MOST_RETRIES)(play_there)
            at_once = self.workers or 2 * int(ray.cluster_resources().get("CPU", 1))
            todo, running, order = iter(numbers), set[Any](), deque[tuple[int, Any]]()
            try:
                while True:
                    while len(running) < at_once and len(order) <= 2 * at_once:
                        number = next(todo, None)
                        if number is None:
                            break
                        order.append((number, task.remote(shared, number)))
                        running.add(order[-1][1])
                    if not order:
                        return
                    if order[0][1] in running:
                        running.difference_update(ray.wait(list(running), num_returns=1)[0])
                    else:
                        yield _fetch(ray, *order.popleft())
            finally:
                for reference in running:
                    ray.cancel(reference)


@contextmanager
def _connected(address: str | None, workers: int | None) -> Iterator[Any]:
    """Ray, connected; what we connected is disconnected again.

    Raises:
        RailbirdError: it is not installed, or there is no such cluster.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError as error:
        raise RailbirdError(
            "the engine ray is not installed; install it with pip install 'railbird[cluster]'"
        ) from error
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address, workers)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    options: dict[str, Any] = {"address": address}
    if address is None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would call home
        options = {"address": "local", "num_cpus": workers, "include_dashboard": False}
    try:
        ray.init(**options, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise RailbirdError(
            f"no Ray cluster at {address!r}: {error}; start one with ray start --head,"
            " or leave out --address to have one started here"
        ) from error


def _fetch(ray: Any, number: int, reference: Any) -> BlockResult:
    """The result of a task that is done.

    Raises:
        RailbirdError: there is none.
    """
    try:
        block: BlockResult = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, RailbirdError):
            raise error.cause from error
        raise
    except ray.exceptions.RayError as error:
        raise RailbirdError(
            f"the cluster could not play block {number}: {error} (what --out holds is kept)"
        ) from error
    return block


def play_there(shared: tuple[Plan, float | None, dict[str, str], str], number: int) -> BlockResult:
    """What a worker of the cluster does: plays a block.

    Raises:
        InvalidSettings: it has not what the runner has.
    """
    plan, time_limit, expected, run = shared
    for name, value in versions().items():
        if expected[name] != value:
            raise InvalidSettings(
                f"machine {platform.node()} has another {name} than the one that runs the tournament"
                f" ({value}, not {expected[name]}); install the same on all"
            )
    if time_limit is None:
        return play_block(plan, number)
    crew = _crew(run, plan, time_limit)
    crew.add(number)
    while not (finished := crew.collect(patient=True)):
        pass
    return finished[0][1]


_crews: dict[str, Crew] = {}  # of a worker of the cluster: the process that it supervises, by run


def _crew(run: str, plan: Plan, time_limit: float) -> Crew:
    """The one process this worker supervises in a run; those of former runs are let go."""
    if run not in _crews:
        while _crews:
            _crews.popitem()[1].__exit__(None, None, None)
        _crews[run] = Crew(plan, 1, time_limit)
    return _crews[run]
