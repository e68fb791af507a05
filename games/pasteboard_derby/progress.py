"""A recorded race told card by card: rounds, run-offs, places. Rule: RULES.md §5."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from .race import COLUMN, HORSES, LINE, START
from .state import RaceRecord

EVERYBODY: Final = tuple(range(HORSES))


@dataclass(frozen=True, slots=True)
class Moment:
    """A race after so many cards."""

    positions: tuple[int, ...] = (START,) * HORSES
    running: tuple[int, ...] = EVERYBODY  # the horses that take a card in this round
    placed: tuple[int, ...] = ()  # horses whose place is decided, first to last
    run_off: bool = False  # whether this round is one
    number: int = 1  # of this round, counted anew in a run-off
    taken: int = 0  # cards taken in this round
    card: int | None = None  # the last card, None before the first
    horse: int = 0  # it went to
    steps: int = 0  # spaces it moved that horse
    placed_now: tuple[int, ...] = ()  # horses placed by the round that this card ended
    level: tuple[int, ...] = ()  # horses that this round has left level in front, for a run-off

    @property
    def round_over(self) -> bool:
        """Whether all horses that run have taken their card."""
        return self.card is not None and self.taken == 0

    @property
    def stage(self) -> str:
        """The round that is being run, in words."""
        if self.run_off:
            return f"run-off, round {self.number}"
        return f"round {self.number}" + (" for second place" if self.placed else "")


def moments(record: RaceRecord, places: int) -> list[Moment]:
    """A recorded race before its first card and after each, with so many places to decide."""
    told = [Moment()]
    for card, horse, steps in zip(record.cards, record.horses, record.steps, strict=True):
        told.append(_dealt(told[-1], int(card), int(horse), int(steps), places))
    return told


def _dealt(before: Moment, card: int, horse: int, steps: int, places: int) -> Moment:
    """The moment after one more card."""
    positions = list(before.positions)
    positions[horse] += steps
    now = replace(
        before, positions=tuple(positions), card=card, horse=horse, steps=steps, taken=before.taken + 1,
        placed_now=(), level=(),
    )  # fmt: skip
    return now if now.taken < len(before.running) else _round_over(now, places)


def _round_over(now: Moment, places: int) -> Moment:
    """What a round decides: the horses that are placed, and who runs on."""
    running, placed = set(now.running), list(now.placed)
    level: tuple[int, ...] = ()
    while len(placed) < places:
        farthest = max(now.positions[horse] for horse in running)
        front = [horse for horse in COLUMN.tolist() if horse in running and now.positions[horse] == farthest]
        if farthest < LINE:
            break
        if len(front) > 1:
            level, running = tuple(front), set(front)
            break
        placed += front
        running -= set(front)
    fresh = bool(level) != now.run_off or len(placed) > len(now.placed)
    return replace(
        now, taken=0, running=tuple(sorted(running)), placed=tuple(placed), level=level,
        placed_now=tuple(placed[len(now.placed) :]), run_off=bool(level),
        number=1 if fresh else now.number + 1,
    )  # fmt: skip
