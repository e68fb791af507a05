"""The executors' common interface, the plainest of them, and the choice."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Final, Protocol

from ...games.checks import one_of, whole
from ...games.errors import InvalidSettings
from ..blocks import BlockResult, Plan, play_block

ENGINES: Final = ("local", "ray")
WORTH_A_START = 8  # blocks for each worker, from which a second process pays for its start
MOST_WORKERS = 256  # processes of one machine
MOST_TASKS = 100_000  # blocks at once on a cluster


class Executor(Protocol):
    """Plays blocks."""

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[BlockResult]:
        """The results of these blocks, in this order. Nothing is started before the first is asked for.

        Raises:
            RailbirdError: a block cannot be played.
        """


@dataclass(frozen=True, slots=True)
class InProcess:
    """Plays one block after the other here."""

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[BlockResult]:
        """The results of these blocks, in this order."""
        for number in numbers:
            yield play_block(plan, number)


@dataclass(frozen=True, slots=True)
class Engine:
    """Where a tournament is played.

    Raises:
        InvalidSettings: a value is not allowed.
    """

    name: str = "local"
    """``local``: this machine; ``ray``: a Ray cluster."""
    address: str | None = None
    """Of the Ray cluster, ``auto`` for the one this machine belongs to; None: one is started here."""
    time_limit: float | None = None
    """Seconds a call of an agent may take, for all tables of a block at once; None: as long as it likes."""

    def __post_init__(self) -> None:
        one_of("engine", self.name, ENGINES)
        if self.address is not None and self.name != "ray":
            raise InvalidSettings("an address is that of a Ray cluster; add --engine ray")
        limit = self.time_limit
        if limit is not None and not (isfinite(limit) and limit > 0):
            raise InvalidSettings(f"a time limit is a number of seconds above 0, not {limit}")

    def executor(self, plan: Plan, workers: int | None) -> Executor:
        """Who plays a plan with so many workers; None: as many as help.

        Raises:
            InvalidSettings: an impossible number of workers.
        """
        if self.name == "ray":
            from .cluster import Cluster

            asked = None if workers is None else whole("workers", workers, 1, MOST_TASKS)
            return Cluster(self.address, asked, self.time_limit)
        count = choose_workers(plan, workers)
        if count == 1 and self.time_limit is None:
            return InProcess()
        from .processes import Processes

        return Processes(count, self.time_limit)


def choose_workers(plan: Plan, asked: int | None) -> int:
    """How many processes play: as asked, or by the processors at hand and the blocks there are.

    Raises:
        InvalidSettings: not a number from 1 to 256.
    """
    if asked is not None:
        return min(whole("workers", asked, 1, MOST_WORKERS), plan.blocks)
    return max(1, min(_processors(), plan.blocks // WORTH_A_START))


def _processors() -> int:
    """Processors this process may use; not every system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
