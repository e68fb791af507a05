"""Groups of lanes, each with its own learner table, that act as one table.

What a lane plays does not depend on the lanes beside it, so a batch may be cut anywhere: to step its groups
by several threads at once, to keep what a group needs near the processor, or to seat other rivals in each.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BrokenFile, IllegalDecision, InvalidSettings
from ..games.kernels import Features, Flags, Rows
from ..games.registry import load
from .actions import Actions, Mask
from .crew import Crew, cut
from .lane_memory import cut_memory, join_memory
from .learner_table import LearnerTable, Watcher
from .options import Options
from .outcome import Outcome

GROUP: Final = (
    32_768  # lanes at most, so that many more still use the caches; with fewer, threads wait for the GIL
)
PAYS: Final = 8_192  # lanes a thread at least, where nobody says how many threads there should be


def open_table(options: Options, lanes: int) -> LearnerTable:
    """The tables of a door: one batch, or groups of it where threads or the caches make that faster."""
    threads = _threads(options, lanes)
    parts = threads * -(-lanes // (threads * GROUP))
    if parts == 1 or options.threads == 1:
        return LearnerTable(options, lanes)
    return Groups([_table(options, span) for span in cut(lanes, parts)], threads)


def _threads(options: Options, lanes: int) -> int:
    if options.threads is not None:
        return min(options.threads, lanes)
    return max(1, min(len(os.sched_getaffinity(0)), lanes // PAYS))


def _table(options: Options, span: slice) -> LearnerTable:
    """The table of a run of lanes."""
    return LearnerTable(replace(options, lane=options.lane + span.start), span.stop - span.start)


class Groups(LearnerTable):
    """Several tables that have not been reset, acting as one whose lanes are theirs, one table after another.

    They play one game under one set of rules and show their learners the same things; opponents may differ.
    Wherever there is no other opponent it saves what one table of all lanes would, and takes it over.

    Args:
        parts: the tables.
        threads: how many step them at once.

    Raises:
        InvalidSettings: there is no table, or two differ in more than their opponents and lanes.
    """

    def __init__(self, parts: Sequence[LearnerTable], threads: int = 1) -> None:
        self.parts = list(parts)
        _check_alike(self.parts)
        self.options = self.parts[0].options
        self.actions: Actions = self.parts[0].actions
        self._crew = Crew(threads)
        self._masks: Mask | None = None  # found while observing, not handed out yet
        lanes = [part.lanes for part in self.parts]
        ends = list(itertools.accumulate(lanes))
        self._spans = [slice(end - count, end) for end, count in zip(ends, lanes, strict=True)]
        self.lanes = ends[-1]
        numbers = np.concatenate([part.game.state.number for part in self.parts])
        self.game = load(self.options.game).game(self.options.settings, 0, numbers)
        for name, array in self.parts[0]._kept().items():
            setattr(self, KEPT[name], np.zeros(self.lanes, array.dtype))
        self._share()

    def _share(self) -> None:
        """Makes the arrays of the parts windows of those of the whole, which take over what they hold."""
        for part, span in zip(self.parts, self._spans, strict=True):
            for field in fields(self.game.state):
                _share(self.game.state, part.game.state, field.name, span)
            for name in KEPT.values():
                _share(self, part, name, span)
        self.rivals = self.parts[0].rivals

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._share()  # copies of windows are no windows

    # ---- playing

    def reset(self, lanes: Flags | None = None, seeds: int | Sequence[int | None] | None = None) -> None:
        lanes = np.ones(self.lanes, bool) if lanes is None else lanes
        each = None if seeds is None or isinstance(seeds, int) else list(seeds)

        def work(number: int) -> None:
            part, span = self.parts[number], self._spans[number]
            if lanes[span].any():
                part.reset(lanes[span], seeds if each is None else each[span])

        self._masks = None
        self._each(work)

    def step(self, actions: Any, lanes: Flags | None = None) -> Outcome:
        lanes = np.ones(self.lanes, bool) if lanes is None else lanes
        chosen = self.actions.read(actions, self.lanes)
        judged: list[tuple[Rows, Flags]] | None = None
        if self.options.illegal == "raise" or (lanes & self.done).any():
            judged = self._judged(
                chosen, lanes
            )  # all before any goes on, so that an error leaves all as it was
        found = Outcome.nothing(self.lanes)
        self._masks = None

        def work(number: int) -> None:
            part, span = self.parts[number], self._spans[number]
            legal, illegal = part.judge(chosen[span], lanes[span]) if judged is None else judged[number]
            found.put(span, part.take(legal, illegal, lanes[span]))

        self._each(work)
        return found

    def _judged(self, chosen: Rows, lanes: Flags) -> list[tuple[Rows, Flags]]:
        """What every part says of the actions.

        Raises:
            IllegalDecision: as `step`, and nothing has changed.
        """
        judged: list[Any] = [None] * len(self.parts)

        def work(number: int) -> None:
            span = self._spans[number]
            judged[number] = self.parts[number].judge(chosen[span], lanes[span])

        self._each(work)
        return judged

    def _each(self, work: Callable[[int], None]) -> None:
        """Does it for every part.

        Raises:
            IllegalDecision, RailbirdError: of the first part in which there was one; lanes are named as those
                of the whole batch.
        """

        def numbered(number: int) -> None:
            try:
                work(number)
            except IllegalDecision as error:
                raise _renumbered(error, self._spans[number].start) from error.__cause__

        self._crew.each(numbered, len(self.parts))

    # ---- looking

    @property
    def encoding(self) -> Any:
        """What the learner sees and does."""
        return self.parts[0].encoding

    @encoding.setter
    def encoding(self, encoding: Any) -> None:
        self._unite().encoding = encoding

    @property
    def watchers(self) -> list[Watcher]:  # type: ignore[override]  # nobody sets it
        """Who is told of every turn; the groups become one, since watchers are told of all lanes at once."""
        return self._unite().watchers

    @property
    def roots(self) -> NDArray[Any]:  # type: ignore[override]  # nobody sets it
        """(lanes,) root seeds as they were given to `reset`; for watchers, so the groups are one by then."""
        return self._unite().roots

    @property
    def decisions(self) -> NDArray[Any]:
        return self._unite().decisions

    def act_by(self, actions: Actions) -> None:
        self._unite().act_by(actions)
        self.actions = actions

    def observe(self) -> Features:
        if len(self.parts) == 1:  # an encoding that was put in place of the game's fills nothing given
            return self.parts[0].observe()
        seen = np.empty((self.lanes, self.encoding.features), np.float32)
        masks = np.empty((self.lanes, self.actions.choices), np.int8)

        def work(number: int) -> None:
            part, span = self.parts[number], self._spans[number]
            part.observe_into(seen[span])
            masks[span] = part._legal()  # the next step needs it, and who observes mostly asks for it

        self._each(work)
        self._masks = masks
        return seen

    def observe_ended(self, lanes: Flags) -> Features:
        asked = zip(self.parts, self._spans, strict=True)
        return np.concatenate([part.observe_ended(lanes[span]) for part, span in asked if lanes[span].any()])

    def masks(self) -> Mask:
        masks, self._masks = self._masks, None
        if masks is None:
            masks = np.concatenate([part._legal() for part in self.parts])
        return masks

    def around(self, lane: int) -> list[str]:
        part, within = self._of(lane)
        return part.around(within)

    def draft_text(self, lane: int) -> str:
        part, within = self._of(lane)
        return part.draft_text(within)

    def _of(self, lane: int) -> tuple[LearnerTable, int]:
        """The table that plays a lane, and which of its lanes that is."""
        number = next(number for number, span in enumerate(self._spans) if lane < span.stop)
        return self.parts[number], lane - self._spans[number].start

    def close(self) -> None:
        self._crew.close()

    # ---- saving

    @property
    def summary(self) -> str:
        runs = self._runs()
        if len(runs) == 1:
            return self.parts[0].summary
        told = (
            f"{sum(self.parts[it].lanes for it in run)} lanes of {self.parts[run[0]].summary}" for run in runs
        )
        return "; ".join(told)

    def written(self) -> dict[str, NDArray[Any]]:
        drafts = [part.written() for part in self.parts]
        return {name: np.concatenate([draft[name] for draft in drafts]) for name in drafts[0]}

    def _runs(self) -> list[range]:
        """The numbers of neighbouring parts that have the same opponents."""
        summaries = [part.summary for part in self.parts]
        lengths = [len(list(same)) for _, same in itertools.groupby(summaries)]
        ends = list(itertools.accumulate(lengths))
        return [range(end - length, end) for end, length in zip(ends, lengths, strict=True)]

    def _memory(self) -> list[Any]:
        """As one table remembers; where opponents differ, a list of such lists."""
        found = []
        for run in self._runs():
            lanes = [self.parts[number].lanes for number in run]
            memories = zip(*(self.parts[number].rivals.memory() for number in run), strict=True)
            options = self.parts[run[0]].options
            found.append(
                [
                    join_memory(parts, lanes, spec.make(options.settings))
                    for parts, spec in zip(memories, options.agents, strict=True)
                ]
            )
        return found[0] if len(found) == 1 else found

    def _recalled(self, memory: Any) -> Callable[[], None]:
        runs = self._runs()
        if len(runs) == 1:
            memory = [memory]
        if not isinstance(memory, list) or len(memory) != len(runs):
            raise BrokenFile(f"a saved state has memories of {len(runs)} groups of opponents")
        recalls = [
            recall for run, known in zip(runs, memory, strict=True) for recall in self._recalls(run, known)
        ]

        def recall() -> None:
            for one in recalls:
                one()
            self.rivals = self.parts[0].rivals

        return recall

    def _recalls(self, run: range, memory: Any) -> list[Callable[[], None]]:
        """What makes the parts of a run remember."""
        spans = [self._spans[number] for number in run]
        first = spans[0].start
        within = [slice(span.start - first, span.stop - first) for span in spans]
        options = self.parts[run[0]].options
        if not isinstance(memory, list) or len(memory) != len(options.agents):
            raise BrokenFile(f"a saved state has a list of memories for {len(options.agents)} opponents")
        pieces = [
            cut_memory(known, within[-1].stop, within, spec.make(options.settings))
            for known, spec in zip(memory, options.agents, strict=True)
        ]
        return [
            self.parts[number]._recalled([piece[place] for piece in pieces])
            for place, number in enumerate(run)
        ]

    def _resume(self, draft: Mapping[str, NDArray[Any]]) -> None:
        self._masks = None
        for part, span in zip(self.parts, self._spans, strict=True):
            part._resume({name: array[span] for name, array in draft.items()})

    def _unite(self) -> LearnerTable:
        """Makes one table of all groups, for what reads or tells all lanes at once, and returns it.

        Raises:
            InvalidSettings: the groups have different opponents.
        """
        if len(self.parts) == 1:
            return self.parts[0]
        if len(self._runs()) > 1:
            raise InvalidSettings("what watches or shows all lanes at once needs the same opponents in all")
        state = self.save()
        whole = LearnerTable(self.options, self.lanes)
        whole.load(state)
        whole.roots[:] = np.concatenate([part.roots for part in self.parts])
        self.parts, self._spans = [whole], [slice(0, self.lanes)]
        self._share()
        return whole


KEPT: Final = {"seat": "seat", "done": "done", "owed": "_owed", "gained": "_gained"}  # `_kept` by attribute


def _share(whole: Any, part: Any, name: str, span: slice) -> None:
    """Makes an array of a part a window of the whole's."""
    window = getattr(whole, name)[span]
    window[...] = getattr(part, name)
    setattr(part, name, window)


def _check_alike(parts: Sequence[LearnerTable]) -> None:
    """Raises InvalidSettings unless these tables can act as one."""
    if not parts:
        raise InvalidSettings("groups of lanes are one table or more, not none")
    known = {replace(part.options, opponents=(), banker=None).summary for part in parts}
    if len(known) > 1:
        raise InvalidSettings(f"groups of lanes differ in their opponents alone, not as {sorted(known)}")


def _renumbered(error: IllegalDecision, first: int) -> IllegalDecision:
    """The same error with its lane counted from the beginning of the whole batch."""
    text = re.sub(r"\blane (\d+)", lambda found: f"lane {int(found[1]) + first}", str(error))
    return IllegalDecision(text).with_traceback(error.__traceback__)
