"""The course: the rail of cards, the turf with its railings, the horses and the line they run for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..games.cards import RANKS, SUIT_SYMBOLS, Suit
from ..games.scene import Course, Runner
from .canvas import Canvas, shortened, text_width
from .cards import card_height
from .theme import (
    EDGE,
    GOLD,
    GREEN,
    HEADING,
    INK,
    MUTED,
    RAILING,
    RAILING_SHADE,
    SHADE,
    SUBTITLE,
    TURF,
    TURF_LINE,
    Color,
)  # fmt: skip

LABELS: Final = 116  # pixels left of the turf
NOTES: Final = 136  # pixels right of it
LANE: Final = 56
ACE: Final = 34  # width of a horse's card
RAIL_CARD: Final = 44
EDGING: Final = 12  # between a railing and the nearest lane
CHECK: Final = 6  # side of a square of the line


@dataclass(frozen=True, slots=True)
class _Turf:
    """Where the turf lies."""

    left: float
    top: float
    right: float
    bottom: float
    space: float  # pixels of a space
    line: float  # where the line is

    def middle(self, steps: float) -> float:
        return self.left + (steps + 0.5) * self.space


def course_height(course: Course) -> int:
    """The pixels a course takes from top to bottom."""
    rail = card_height(RAIL_CARD) + 10 if course.rail is not None else 0
    return rail + LANE * len(course.runners) + 2 * EDGING


def paint_course(canvas: Canvas, course: Course, left: float, top: float, width: float) -> None:
    """Paints the course with its top left corner there."""
    bottom = top + course_height(course)
    lanes = bottom - LANE * len(course.runners) - 2 * EDGING
    across = width - LABELS - NOTES
    space = across / _spaces(course)
    start = left + LABELS
    turf = _Turf(start, lanes, start + across, bottom, space, start + course.length * space)
    _paint_rail(canvas, course, turf, top, left)
    _paint_turf(canvas, course, turf)
    for lane, runner in enumerate(course.runners):
        _paint_runner(canvas, course, turf, runner, lanes + EDGING + LANE * (lane + 0.5), left)


def _spaces(course: Course) -> int:
    """The spaces of the turf, from the start to the last one in sight."""
    return course.length + 1 + course.beyond


def _paint_rail(canvas: Canvas, course: Course, turf: _Turf, top: float, left: float) -> None:
    if course.rail is None:
        return
    width = min(RAIL_CARD, int(turf.space) - 4)
    middle = top + card_height(RAIL_CARD) / 2
    canvas.text(
        left + 4, middle, shortened(course.rail.label, HEADING, LABELS - 8), HEADING, GREEN, heavy=True
    )
    for place, card in enumerate(course.rail.cards[: _spaces(course) - course.rail_at]):
        x = turf.middle(course.rail_at + place)
        canvas.card(card, x - width / 2, middle - card_height(width) / 2, width)


def _paint_turf(canvas: Canvas, course: Course, turf: _Turf) -> None:
    canvas.box((turf.left, turf.top + 3, turf.right, turf.bottom + 3), SHADE, 10)
    canvas.box((turf.left, turf.top, turf.right, turf.bottom), TURF[0], 10)
    for space in range(1, _spaces(course) - 1, 2):
        start = turf.left + space * turf.space
        canvas.box((start, turf.top, start + turf.space, turf.bottom), TURF[1])
    for lane in range(1, len(course.runners)):
        y = turf.top + EDGING + lane * LANE
        canvas.line((turf.left + 8, y, turf.right - 8, y), TURF_LINE)
    gate = turf.left + turf.space
    canvas.line((gate, turf.top + EDGING, gate, turf.bottom - EDGING), RAILING, 1.5)
    _paint_line(canvas, turf)
    for y in (turf.top + 6, turf.bottom - 6):
        _paint_railing(canvas, turf, y)


def _paint_line(canvas: Canvas, turf: _Turf) -> None:
    """The chequered line."""
    rows = round((turf.bottom - turf.top - 2 * EDGING) / CHECK)
    side = (turf.bottom - turf.top - 2 * EDGING) / rows
    for row in range(rows):
        y = turf.top + EDGING + row * side
        for column in (0, 1):
            color: Color = INK if (row + column) % 2 else RAILING
            start = turf.line + (column - 1) * CHECK
            canvas.box((start, y, start + CHECK, y + side), color)


def _paint_railing(canvas: Canvas, turf: _Turf, y: float) -> None:
    left, right = turf.left + 8, turf.right - 8
    canvas.line((left, y + 2, right, y + 2), RAILING_SHADE, 2)
    canvas.line((left, y, right, y), RAILING, 2)
    posts = round((right - left) / 40)
    for post in range(posts + 1):
        canvas.disc(left + (right - left) * post / posts, y, 2.5, RAILING)


def _paint_runner(canvas: Canvas, course: Course, turf: _Turf, runner: Runner, y: float, left: float) -> None:
    """The name of a horse, its ace on the turf and what is to be said about it."""
    name = Suit(runner.suit).name.capitalize()
    canvas.text(left + 4, y, SUIT_SYMBOLS[runner.suit], 21)
    canvas.text(left + 30, y, name, SUBTITLE)
    x = turf.middle(max(0.0, min(runner.steps, _spaces(course) - 1)))
    width = min(ACE, int(turf.space) - 4)
    canvas.card(runner.suit * RANKS, x - width / 2, y - card_height(width) / 2, width)
    _paint_note(canvas, runner, turf.right + 16, y)


def _paint_note(canvas: Canvas, runner: Runner, left: float, y: float) -> None:
    right = left + NOTES - 20
    note = shortened(runner.note, SUBTITLE, right - left)
    if runner.home:
        canvas.box((left, y - 13, left + text_width(note, SUBTITLE) + 22, y + 13), GOLD, 13)
        canvas.text(left + 11, y, note, SUBTITLE, heavy=True)
    elif runner.chance is None:
        canvas.text(left, y, note, SUBTITLE, MUTED)
    else:
        canvas.text(left, y - 8, note, SUBTITLE)
        canvas.box((left, y + 7, right, y + 13), EDGE, 3)
        if runner.chance > 0:
            canvas.box((left, y + 7, left + max(6.0, (right - left) * runner.chance), y + 13), GREEN, 3)
