"""Threads that share a piece of work cut into parts, the caller's own thread among them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any


class Crew:
    """So many threads, the caller included; the others are started with the first work and end with `close`,
    with the crew, or with the process.

    Work gains by it where it releases the GIL, as kernels and large NumPy operations do.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # that started the pool: a forked one has none of its threads
        self._working: list[Future[None]] = []

    def each(self, work: Callable[[int], None], parts: int) -> None:
        """Does ``work(0)`` to ``work(parts - 1)``, every one once, in any order and at the same time.

        Returns or raises when no thread works any more. After an interrupt, here or in a part, what nobody
        has begun is left undone.

        Raises:
            BaseException: the one of the first part that failed, whichever failed first in time.
        """
        self._finish()  # of an interrupted call
        numbers = itertools.count()  # its next number is handed out under the GIL, to one thread
        failed: dict[int, BaseException] = {}

        def give_up() -> None:
            nonlocal numbers
            numbers = itertools.count(parts)

        def share() -> None:
            for number in iter(lambda: next(numbers), None):
                if number >= parts:
                    return
                try:
                    work(number)
                except BaseException as error:  # the caller's thread is where it belongs
                    failed[number] = error
                    if not isinstance(error, Exception):
                        give_up()

        helpers = min(self.threads, parts) - 1
        try:
            if helpers > 0:
                pool = self._threads()
                self._working = [pool.submit(share) for _ in range(helpers)]
            share()
        except BaseException:  # an interrupt between two parts
            give_up()
            raise
        finally:
            self._finish()
        if failed:
            raise failed[min(failed)]

    def close(self) -> None:
        """Ends the other threads; later work starts new ones."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.threads - 1, "railbird-lanes")
            self._process = os.getpid()
        return self._pool

    def _finish(self) -> None:
        """Waits until no other thread works any more."""
        if self._working and self._process == os.getpid():
            wait(self._working)
        self._working = []

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["threads"])  # type: ignore[misc]


def cut(lanes: int, parts: int) -> Iterator[slice]:
    """So many neighbouring runs of lanes, as equal as can be and none empty."""
    bounds = [lanes * part // parts for part in range(parts + 1)]
    return (slice(start, stop) for start, stop in itertools.pairwise(bounds) if stop > start)
