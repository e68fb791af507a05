"""A worker process: plays the blocks it is sent, one at a time, under the eyes of the process that owns it.

Started afresh (`spawn`): agents are Python and hold the interpreter's lock, so threads gained next to
nothing, and a fork would inherit whatever state the owner's libraries are in. A worker ends with its owner,
however that ends.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Mapping, MutableSequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import TypeAlias

from ...games.errors import RailbirdError
from ..blocks import BlockResult, Plan, play_block
from ..supervision import RECORD, Call, Verdict, Watch, call_in

Answer: TypeAlias = BlockResult | Exception


@dataclass(slots=True)
class Job:
    """A block to be played, and what happened when that was tried."""

    number: int
    verdicts: dict[int, Verdict] = field(default_factory=dict)  # by agent
    deaths: list[Call | None] = field(default_factory=list)  # the call that was on when a worker died


class Worker:
    """A worker as its owner sees it."""

    def __init__(self, plan: Plan) -> None:
        context = get_context("spawn")
        self._record = context.RawArray("d", RECORD)
        self.connection, theirs = context.Pipe()
        self.job: Job | None = None
        self._process = context.Process(target=serve, args=(plan, theirs, self._record))
        self._process.start()
        theirs.close()  # so that a worker's death is the end of the connection
        self.sentinel = self._process.sentinel

    def start(self, job: Job) -> None:
        """Sends it a block. Whether it is still there shows when its answer is waited for."""
        self.job = job
        with suppress(OSError):
            self.connection.send((job.number, job.verdicts))

    def answer(self) -> Answer | None:
        """The result of its block, or why there is none; None if it died. Blocks until one is known."""
        try:
            answer: Answer = self.connection.recv()
        except (EOFError, OSError):
            return None
        self.job = None
        return answer

    @property
    def died(self) -> bool:
        """Whether it is gone without an answer."""
        return not self._process.is_alive() and not self.connection.poll()

    def call(self) -> tuple[Call, float] | None:
        """The call of an agent that is on, and since when (`time.monotonic`)."""
        return call_in(self._record)

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.join()
        self.connection.close()

    def dismiss(self) -> None:
        """Lets it go: it leaves when it finds the connection closed."""
        self.connection.close()

    def see_off(self) -> None:
        """Waits until it has gone; one that dawdles is ended."""
        self._process.join(timeout=5)
        self.kill()


def serve(
    plan: Plan,
    connection: Connection[Answer, tuple[int, Mapping[int, Verdict]]],
    record: MutableSequence[float],
) -> None:
    """What a worker process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the owner decides
    threading.Thread(target=_leave_with_owner, daemon=True).start()
    while True:
        try:
            number, verdicts = connection.recv()
            connection.send(_answer(plan, number, Watch(record, verdicts)))
        except (EOFError, OSError):  # the owner is done with us
            return


def _answer(plan: Plan, number: int, watch: Watch) -> Answer:
    try:
        return play_block(plan, number, watch)
    except Exception as error:
        error.add_note(f"in a worker process, at block {number}:\n{traceback.format_exc()}")
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return RailbirdError(f"block {number} cannot be played: {type(error).__name__}: {error}")
        return error


def _leave_with_owner() -> None:
    owner = parent_process()
    assert owner is not None
    owner.join()
    os._exit(1)
