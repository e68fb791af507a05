"""Several processes of this machine.

`concurrent.futures` gives up a whole pool when one worker dies and cannot tell which task was its last, so
the few lines that hand out blocks are our own.

A worker that dies costs its block another try. One that is found at the same call of an agent for longer than
the time limit is killed and its block played again with that agent ruled out from that call on; so is an
agent that was being asked the same thing each of three times that a worker died.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from multiprocessing.connection import wait
from time import monotonic
from types import TracebackType

from ...games.errors import RailbirdError
from ..blocks import BlockResult, Plan
from ..supervision import Call, Verdict
from .worker import Job, Worker

MOST_DEATHS = 3  # of workers at one block
LOOKS = 0.25  # seconds between looks at the clocks of agents; a quarter of the limit if that is shorter


@dataclass(frozen=True, slots=True)
class Processes:
    """Plays in so many worker processes."""

    workers: int
    time_limit: float | None = None  # seconds for a call of an agent

    def play(self, plan: Plan, numbers: Iterable[int]) -> Generator[BlockResult]:
        """The results of these blocks, in this order.

        Raises:
            RailbirdError: workers died over a block again and again, or it cannot be played.
        """
        todo, order, done = iter(numbers), deque[int](), dict[int, BlockResult]()
        with Crew(plan, self.workers, self.time_limit) as crew:
            while True:
                while len(order) <= 2 * self.workers and (number := next(todo, None)) is not None:
                    crew.add(number)  # enough to keep all busy; results do not pile up
                    order.append(number)
                if not order:
                    return
                done.update(crew.collect(patient=order[0] not in done))
                if order[0] in done:
                    yield done.pop(order.popleft())


class Crew:
    """Workers and the blocks they play; used in a ``with``, at whose end they are gone."""

    def __init__(self, plan: Plan, workers: int, time_limit: float | None = None) -> None:
        self._plan, self._limit = plan, time_limit
        self._size = workers
        self._workers: list[Worker] = []
        self._waiting: deque[Job] = deque()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        for worker in self._workers:
            if kind is None and worker.job is None:
                worker.dismiss()
            else:
                worker.kill()
        for worker in self._workers:
            worker.see_off()

    def add(self, number: int) -> None:
        """Has a block played as soon as somebody is free."""
        self._waiting.append(Job(number))
        self._hand_out()

    def collect(self, patient: bool) -> list[tuple[int, BlockResult]]:
        """Blocks that have been finished, with their numbers; ``patient`` waits until something happens.

        Raises:
            RailbirdError: workers died over a block again and again, or it cannot be played.
        """
        busy = [worker for worker in self._workers if worker.job is not None]
        signs = [sign for worker in busy for sign in (worker.connection, worker.sentinel)]
        happened = wait(signs, self._patience() if patient else 0)
        finished = []
        for worker in busy:
            assert worker.job is not None
            number = worker.job.number
            answer = worker.answer() if worker.connection in happened else None
            if isinstance(answer, Exception):
                raise answer
            if answer is not None:
                finished.append((number, answer))
            elif worker.connection in happened or worker.died:
                self._replace(worker)
            else:
                self._look_at_the_clock(worker)
        self._hand_out()
        return finished

    def _patience(self) -> float | None:
        return None if self._limit is None else min(LOOKS, self._limit / 4)

    def _hand_out(self) -> None:
        idle = [worker for worker in self._workers if worker.job is None]
        while self._waiting and (idle or len(self._workers) < self._size):
            if not idle:
                idle.append(Worker(self._plan))
                self._workers += idle
            idle.pop().start(self._waiting.popleft())

    def _look_at_the_clock(self, worker: Worker) -> None:
        """Kills a worker whose agent has been at one call for too long."""
        now = monotonic()
        if self._limit is None or _overdue(worker, now - self._limit) is None:
            return
        worker.kill()
        job, late = self._dismissed(worker), _overdue(worker, now - self._limit)
        if late is not None:  # else it was done between the look and the shot, and nobody is to blame
            reason = f"no answer within {self._limit:g} s, by the clock; not asked again in this block"
            job.verdicts[late.agent] = Verdict(late.number, reason)
        self._waiting.appendleft(job)

    def _replace(self, worker: Worker) -> None:
        """Has the block of a worker that died played again, by another."""
        worker.kill()
        job, on = self._dismissed(worker), worker.call()
        job.deaths.append(on[0] if on else None)
        last = job.deaths[-MOST_DEATHS:]
        if len(last) == MOST_DEATHS:
            call = _same(last)
            if call is None:
                raise RailbirdError(self._given_up(job))
            reason = f"took its process down {MOST_DEATHS} times; not asked again in this block"
            job.verdicts[call.agent] = Verdict(call.number, reason)
        self._waiting.appendleft(job)

    def _dismissed(self, worker: Worker) -> Job:
        assert worker.job is not None
        self._workers.remove(worker)
        return worker.job

    def _given_up(self, job: Job) -> str:
        deals = self._plan.block(job.number)
        return (
            f"{MOST_DEATHS} worker processes died over block {job.number}"
            f" (deals {deals[0]:,} to {deals[-1]:,}), perhaps for want of memory;"
            " try fewer --workers (what --out holds is kept)"
        )


def _overdue(worker: Worker, due: float) -> Call | None:
    """The call a worker is at, if it began before that time."""
    on = worker.call()
    return on[0] if on is not None and on[1] < due else None


def _same(calls: list[Call | None]) -> Call | None:
    """The call that all of these are, None if there is none."""
    return calls[0] if all(call == calls[0] for call in calls) else None
