"""Where the time of a call goes: methods that are watched, each without what it calls among the others."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any


class Stopwatch:
    """Seconds of processor time by part; a part that calls another stops while that one runs."""

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._clock = clock
        self._running: list[str] = []
        self._since = 0.0

    def watch(self, thing: Any, method: str, part: str) -> None:
        """Counts the calls of one object's method as a part from now on."""
        called = getattr(thing, method)

        def watched(*given: Any, **named: Any) -> Any:
            self._turn_to([*self._running, part])
            try:
                return called(*given, **named)
            finally:
                self._turn_to(self._running[:-1])

        setattr(thing, method, watched)

    def _turn_to(self, running: list[str]) -> None:
        now = self._clock()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._running, self._since = running, now
