"""The points of a game as OpenSpiel walks through them: one deal, one action, one outcome after the other.

The seats decide at once, so seat 0 writes first and seat 1 does not see what it wrote. A seat knows all it
has seen and done (perfect recall). Where it has one legal action only, that is taken for it. A `Position` is
never altered: `after` gives the next one, and small games keep the positions they have come to.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ...games.errors import IllegalDecision, InvalidSettings
from ...games.kernels import Features
from ...games.streams import Draws
from ..snapshot import arrays_of
from .laws import Chances, Law, Table, Turns

MOST_POSITIONS: Final = 50_000  # kept at once, about 6 KiB each
Actions: TypeAlias = tuple[int, ...]
HERE: Final = np.ones(1, bool)


class Stage(IntEnum):
    """What a position waits for."""

    DEAL = 0
    WRITE = 1
    TURN = 2
    OVER = 3


class Walk:
    """A game to be walked through.

    Args:
        law: its chance.
        table: one started lane, to be dealt.
    """

    def __init__(self, law: Law[Any], table: Table) -> None:
        self.law, self.table = law, table
        self.turns = Turns(law)
        self.room = MOST_POSITIONS

    def __reduce__(self) -> tuple[Any, ...]:
        return Walk, (self.law, self.table)

    @cached_property
    def start(self) -> Position:
        """The game before its first deal."""
        seats = self.table.seats
        blank = Position(
            self,
            self.table,
            Stage.DEAL,
            ("",) * seats,
            ((),) * seats,
            (0,) * seats,
            (None,) * seats,
            kept=True,
        )
        return _dealing(blank)


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """One point of a game."""

    walk: Walk
    table: Table  # one lane; while a deal is being made, what lies there is nobody's to see
    stage: Stage
    known: tuple[str, ...]  # what each seat has seen and done up to the decision it has now
    written: tuple[Actions, ...]  # what each seat has written in this turn
    profit: tuple[int, ...]  # of each seat since the start
    before: tuple[
        Position | None, ...
    ]  # for each seat the last point of the turn before, if it is remembered
    dealt: Actions = ()  # of the deal being made
    seat: int = 0  # who writes
    draft: Any = None
    legal: Actions = ()
    chances: Chances = ()
    decisions: NDArray[Any] | None = None  # (1, seats, …) handed in
    path: Actions | None = ()  # from the start; None: it was resampled
    kept: bool = False  # whether it keeps the positions after it
    next: dict[int, Position] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is None:
            raise InvalidSettings(
                "a resampled position is for search alone: it has no history to be written down"
            )
        return _at, (self.walk, self.path)

    @property
    def choices(self) -> Actions:
        """What `after` takes here, ascending."""
        return self.legal if self.stage == Stage.WRITE else tuple(outcome for outcome, _ in self.chances)

    def after(self, action: int) -> Position:
        """The position one action or outcome later.

        Raises:
            IllegalDecision: there is no such choice here.
        """
        known = self.next.get(action)
        if known is None:
            if action not in self.choices:
                raise IllegalDecision(f"{action!r} is no choice here; allowed are {list(self.choices)}")
            known = self._step(action)
            if self.kept and self.walk.room > 0:
                self.walk.room -= 1
                self.next[action] = known
        return known

    def _step(self, action: int) -> Position:
        point = replace(self, path=None if self.path is None else (*self.path, action), next={})
        if self.stage == Stage.DEAL:
            return _dealing(replace(point, dealt=(*self.dealt, action)))
        return _played(point, action) if self.stage == Stage.TURN else _writing(point, action)

    def seen(self, seat: int) -> str:
        """What a seat sees now and has written, in a line; nothing while a deal is made."""
        now = "" if self.stage == Stage.DEAL else self.walk.law.seen(self.table, seat)
        return f"seat {seat}: {now}{self._words(seat)}"

    def recalled(self, seat: int) -> str:
        """All that a seat has seen and done."""
        return f"seat {seat}: {self.known[seat]}{self._words(seat)}"

    def _words(self, seat: int) -> str:
        words = ", ".join(self.walk.law.encoding.action_text(action) for action in self.written[seat])
        return f" -> {words}" if words else ""

    def observe(self, seat: int) -> Features:
        """(features,) float32: the same as `seen`; zeros while a deal is made."""
        encoding = self.walk.law.encoding
        if self.stage == Stage.DEAL:
            return np.zeros(encoding.features, np.float32)
        view = self.table.view(seat)
        draft = encoding.begin(view)
        for action in self.written[seat]:
            encoding.write(draft, np.array([action]), HERE)
        seen: Features = encoding.observe(view, draft)[0]
        return seen

    def recall(self, seat: int, out: Features) -> None:
        """Fills out (turns, features + recorded), zero before: a row for each turn, as the seat saw it at its
        end, with the record of the turn before it.
        """
        law, point = self.walk.law, cast("Position | None", self)
        while point is not None:
            if point.stage in (Stage.WRITE, Stage.TURN):
                row = out[int(point.table.state.turn[0])]
                row[: -law.recorded], row[-law.recorded :] = point.observe(seat), law.record(point.table)
            point = point.before[seat]

    def resampled(self, seat: int, draws: Draws) -> Position:
        """A position that the seat, which is to write, cannot tell from this one.

        Hidden cards are drawn anew, and what others have handed in this turn is written anew by lot. What
        others knew of the turns before is left out: it follows from the cards they hold now.

        Raises:
            IllegalDecision: the seat is not to write.
        """
        if self.stage != Stage.WRITE or seat != self.seat:
            raise IllegalDecision(f"seat {seat} is not to write here; resample for the seat that is")
        table, seats = self.walk.law.resample(self.table, seat, draws), range(self.table.seats)
        point = _asking(replace(self, table=table, known=("",) * len(seats), path=None, kept=False))
        while point.seat < seat:
            point = point.after(point.legal[int(draws.integers(len(point.legal), 1)[0, 0])])
        while len(point.written[seat]) < len(self.written[seat]):
            point = point.after(self.written[seat][len(point.written[seat])])
        known = tuple(self.known[i] if i == seat else point.known[i] for i in seats)
        before = tuple(self.before[i] if i == seat else None for i in seats)
        return replace(point, known=known, before=before, path=None, next={})


def _at(walk: Walk, path: Actions) -> Position:
    """The position a path leads to."""
    point = walk.start
    for action in path:
        point = point.after(action)
    return point


def _dealing(point: Position) -> Position:
    """Waits for the next card of a deal, or lays it and asks the seats."""
    law = point.walk.law
    chances = law.to_deal(point.table, point.dealt)
    if chances:
        return replace(point, stage=Stage.DEAL, chances=chances, next={})
    return _asking(replace(point, table=law.lay(point.table, point.dealt), dealt=()))


def _asking(point: Position) -> Position:
    """A turn begins."""
    law, table, seats = point.walk.law, point.table, range(point.table.seats)
    known = tuple(point.known[i] + law.seen(table, i) for i in seats)
    asked = replace(
        point, stage=Stage.WRITE, known=known, written=((),) * len(seats), seat=0, draft=None, chances=(),
        decisions=table.blank(),
    )  # fmt: skip
    return _writing(asked, None)


def _writing(point: Position, action: int | None) -> Position:
    """Writes an action of the seat, and all that are forced after it, up to the next choice."""
    table, encoding = point.table, point.walk.law.encoding
    assert point.decisions is not None
    decisions, asked = point.decisions.copy(), table.to_act[0]
    written, seat = list(point.written), point.seat
    draft = point.draft and type(point.draft)(**{n: a.copy() for n, a in arrays_of(point.draft).items()})
    while seat < table.seats:
        if draft is None and not asked[seat]:
            seat += 1
            continue
        view = table.view(seat)
        draft = encoding.begin(view) if draft is None else draft
        if action is None:
            legal = tuple(np.flatnonzero(encoding.mask(view, draft)[0]).tolist())
            if len(legal) > 1:
                return replace(
                    point, written=tuple(written), seat=seat, draft=draft, legal=legal, decisions=decisions,
                    next={},
                )  # fmt: skip
            action = legal[0]
        handed_in = encoding.write(draft, np.array([action]), HERE)[0]
        written[seat], action = (*written[seat], action), None
        if handed_in:
            decisions[0, seat] = encoding.decision(draft)[0]
            draft, seat = None, seat + 1
    return _handed_in(replace(point, written=tuple(written), seat=seat, decisions=decisions, next={}))


def _handed_in(point: Position) -> Position:
    """All seats have handed in: waits for chance, if any follows."""
    chances = point.walk.law.to_turn(point.table)
    point = replace(point, stage=Stage.TURN, draft=None, legal=(), chances=chances)
    return point if chances else _played(point, None)


def _played(point: Position, outcome: int | None) -> Position:
    """The turn is played: the end, or the next deal or turn."""
    assert point.decisions is not None
    table, seats = point.walk.turns.play(point.table, point.decisions, outcome), range(point.table.seats)
    after = replace(
        point, table=table, stage=Stage.OVER, known=tuple(f"{point.known[i]}{point._words(i)}; " for i in
        seats), written=((),) * len(seats), chances=(), before=(point,) * len(seats), decisions=None, next={},
        profit=tuple(point.profit[i] + int(table.profit[0, i]) for i in seats),
    )  # fmt: skip
    return after if table.over[0] else _dealing(after)
