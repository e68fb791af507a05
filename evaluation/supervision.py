"""Agents that hang or take their process down, seen from inside the process that asks them.

The process notes in shared memory which agent it is asking and since when. Whoever supervises it can read
that, end the process, and have the block played again with a verdict: from this call on the agent is not
asked, all its decisions in the rest of the block are faults. Up to that call the second playing is the first
over again, so nobody else's result changes. See `executors.processes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableSequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.kernels import Flags
from ..games.streams import Draws
from .asking import Stopped

RECORD = 3  # numbers in the record: since when (0: nobody is asked), which agent, which of its calls


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an agent in a block."""

    agent: int  # its entry; behind the entries the fixed agents
    number: int  # how many calls of that agent came before it, in all its seats


@dataclass(frozen=True, slots=True)
class Verdict:
    """From which of its calls on an agent is not asked, and why."""

    call: int
    reason: str


class Watch:
    """Counts the calls of the agents of one block, notes the one that is on, refuses those ruled out.

    Args:
        record: (3,) floats shared with the supervisor.
        verdicts: by agent.
    """

    def __init__(self, record: MutableSequence[float], verdicts: Mapping[int, Verdict]) -> None:
        self._record, self._verdicts = record, verdicts
        self._calls: dict[int, int] = {}

    def guard(self, agent: Agent[Any], number: int) -> Agent[Any]:
        """The agent, watched under its number."""
        return _Guarded(agent, number, self)

    def ask(self, agent: int, call: Callable[..., Any], *arguments: Any) -> Any:
        """What the call returns.

        Raises:
            Stopped: the agent is not to be asked.
        """
        number = self._calls.get(agent, 0)
        self._calls[agent] = number + 1
        verdict = self._verdicts.get(agent)
        if verdict is not None and number >= verdict.call:
            raise Stopped(verdict.reason)
        self._record[1], self._record[2], self._record[0] = agent, number, monotonic()
        try:
            return call(*arguments)
        finally:
            self._record[0] = 0


class _Guarded(Agent[Any]):
    """Passes every call on to an agent."""

    def __init__(self, agent: Agent[Any], number: int, watch: Watch) -> None:
        self._agent, self._number, self._watch = agent, number, watch

    def begin(self, lanes: Flags) -> None:
        self._watch.ask(self._number, self._agent.begin, lanes)

    def act(self, view: Any, draws: Draws) -> NDArray[Any]:
        decisions: NDArray[Any] = self._watch.ask(self._number, self._agent.act, view, draws)
        return decisions


def call_in(record: MutableSequence[float]) -> tuple[Call, float] | None:
    """The call that is on in a record, and since when (`time.monotonic`); None if there is none."""
    since, agent, number = record
    return (Call(int(agent), int(number)), since) if since else None
