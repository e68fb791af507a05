"""What there is to see at a table, as plain data: text, pictures and web pages are drawn from it.

Making a scene reads the game and changes nothing; drawing takes a scene and knows no game. Texts may hold
the suit symbols ♥ ♦ ♣ ♠, which are drawn as shapes or written as letters where a screen lacks them. Seats
are written as `seat_text` says, so that `named` can put the players' names in their place.

A scene is seen by somebody. A game's ``scene(game, lane, frame, seat)`` shows a seat what its view holds and
no more, and a spectator (None) what all seats know; the frames of a finished turn show what it has revealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .cards import RANK_TEXTS, RANKS, SUIT_SYMBOLS
from .checks import whole
from .errors import InvalidSettings

if TYPE_CHECKING:
    from .contract import Game


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
    beyond: int = 0  # spaces in sight behind the first one past the line


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table of text; the columns in ``left`` are left aligned, the others right aligned.

    Where no column has a name there is no line for the names.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[int, ...] = (0,)
    wide: bool = False  # stands on a line of its own

    @property
    def headed(self) -> bool:
        """Whether the columns have names."""
        return any(self.columns)


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment at one table."""

    title: str
    subtitle: str
    cards: tuple[CardRow, ...] = ()
    course: Course | None = None
    grids: tuple[Grid, ...] = ()
    note: str = ""
    table: tuple[tuple[CardRow, ...], ...] = ()  # cards on the table, line by line


def check_moment(game: Game[Any, Any], lane: int, frame: int | None, seat: int | None, frames: int) -> None:
    """Refuses to show what is not there: a lane with ``frames`` frames of its last turn is asked for one.

    Raises:
        InvalidSettings: the lane has not been started, or there is no such frame or seat.
    """
    if game.state.episode[lane] < 0:
        raise InvalidSettings(f"lane {lane} has not been started; start it before it is drawn")
    if seat is not None:
        whole("seat (of who looks)", seat, 0, game.seats - 1)
    if frame is None:
        return
    if frames == 0:
        raise InvalidSettings(
            f"nothing has been played to its end in lane {lane} yet; frame None is the table as it stands"
        )
    whole("frame", frame, 0, frames - 1)


def card_sign(card: int) -> str:
    """A card as scenes write it: ``"10♥"``."""
    return RANK_TEXTS[card % RANKS] + SUIT_SYMBOLS[card // RANKS]


def listed(words: Iterable[str]) -> str:
    """Words as one reads them: ``"a, b and c"``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def several(count: int, thing: str) -> str:
    """So many things: ``"1 race"``, ``"1,000 races"``."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def seat_text(seat: int) -> str:
    """A seat as scenes write it: ``"seat 3"``."""
    return f"seat {seat}"


def named(scene: Scene, names: Sequence[str]) -> Scene:
    """The scene with the players' names, seat by seat, where it has seats in its cards, grids or note."""

    def name(text: str) -> str:
        return re.sub(r"\bseat (\d+)\b", lambda found: names[int(found[1])], text)

    return replace(
        scene,
        cards=tuple(replace(row, label=name(row.label)) for row in scene.cards),
        table=tuple(tuple(replace(row, label=name(row.label)) for row in line) for line in scene.table),
        grids=tuple(
            replace(grid, rows=tuple(tuple(map(name, row)) for row in grid.rows)) for grid in scene.grids
        ),
        note=name(scene.note),
    )
