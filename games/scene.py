"""What there is to see at a table, as plain data: text, pictures and web pages are drawn from it.

Making a scene reads the game and changes nothing; drawing takes a scene and knows no game. Texts may hold
the suit symbols ♥ ♦ ♣ ♠, which are drawn as shapes or written as letters where a screen lacks them. Seats
are written as `seat_text` says, so that `named` can put the players' names in their place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class CardRow:
    """A labelled row of cards, face up (card codes) or face down (None)."""

    label: str
    cards: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Runner:
    """A horse on the track."""

    suit: int
    steps: float  # spaces from the start
    note: str = ""  # beside its lane: its live chance, its odds, its place
    home: bool = False
    chance: float | None = None  # 0 to 1, drawn as a bar beside the note


@dataclass(frozen=True, slots=True)
class Course:
    """The track: runners from the start to the line, which a runner has crossed at ``length`` spaces."""

    length: int
    runners: tuple[Runner, ...]
    rail: CardRow | None = None  # cards laid along the course, a space apart
    rail_at: int = 1  # the space beside which the first of them lies


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table of text; the columns named in ``left`` are left aligned, the others right aligned."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment at one table."""

    title: str
    subtitle: str
    cards: tuple[CardRow, ...] = ()
    course: Course | None = None
    grids: tuple[Grid, ...] = ()
    note: str = ""


def seat_text(seat: int) -> str:
    """A seat as scenes write it: ``"seat 3"``."""
    return f"seat {seat}"


def named(scene: Scene, names: Sequence[str]) -> Scene:
    """The scene with the players' names, seat by seat, where it has seats in its grids, cards or note."""

    def name(text: str) -> str:
        return re.sub(r"\bseat (\d+)\b", lambda found: names[int(found[1])], text)

    return replace(
        scene,
        cards=tuple(replace(row, label=name(row.label)) for row in scene.cards),
        grids=tuple(
            replace(grid, rows=tuple(tuple(map(name, row)) for row in grid.rows)) for grid in scene.grids
        ),
        note=name(scene.note),
    )
