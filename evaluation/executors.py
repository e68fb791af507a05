"""Where blocks are played: in this process, or in several.

Workers are processes, started afresh (`spawn`): agents are Python and hold the interpreter's lock, so threads
gained next to nothing. Results come back in the order of the blocks' numbers, whoever was done first.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from ..games.checks import whole
from ..games.errors import RailbirdError
from .blocks import BlockResult, Plan, play_block

WORTH_A_START = 8  # blocks for each worker, from which a second process pays for its start
MOST_WORKERS = 256

_plan: Plan | None = None  # a worker's own copy, handed over once


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


def play_blocks(plan: Plan, workers: int) -> Iterator[BlockResult]:
    """The results of all blocks of a plan, in order.

    Raises:
        RailbirdError: a worker process died.
    """
    if workers == 1:
        for number in range(plan.blocks):
            yield play_block(plan, number)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), _adopt, (plan,)) as pool:
        waiting: deque[Future[BlockResult]] = deque()
        try:
            for number in range(plan.blocks):
                waiting.append(pool.submit(_play, number))
                if len(waiting) > 2 * workers:  # enough to keep all busy; results do not pile up
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise RailbirdError(
                "a worker process died, perhaps for want of memory; nothing was kept, try --workers 1"
            ) from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _adopt(plan: Plan) -> None:
    global _plan  # a worker process serves one plan for as long as it lives
    _plan = plan


def _play(number: int) -> BlockResult:
    assert _plan is not None
    return play_block(_plan, number)
