"""The card table: lines of card rows on green felt, each row below its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..games.scene import CardRow
from .canvas import Canvas, squeezed, text_width
from .cards import card_height
from .theme import FELT, FELT_EDGE, FELT_TEXT, SHADE, SMALL

CARD: Final = 50  # width of a card
STEP: Final = CARD + 6  # from card to card
APART: Final = 30  # between rows on one line
PAD: Final = 16  # between the edge of the felt and what lies on it
LABEL: Final = 19  # height of a row's label
LINE: Final = LABEL + card_height(CARD) + 10  # height of a line of rows

Line = Sequence[CardRow]


def table_height(lines: Sequence[Line]) -> int:
    """The pixels a table takes from top to bottom."""
    return LINE * len(lines) + 2 * PAD - 10


def paint_table(canvas: Canvas, lines: Sequence[Line], left: float, top: float, width: float) -> None:
    """Paints the table with its top left corner there."""
    right, bottom = left + width, top + table_height(lines)
    canvas.box((left, top + 3, right, bottom + 3), SHADE, 12)
    canvas.box((left, top, right, bottom), FELT, 12, FELT_EDGE)
    for number, line in enumerate(lines):
        _paint_line(canvas, line, left + PAD, top + PAD + LINE * number, width - 2 * PAD)


def _paint_line(canvas: Canvas, line: Line, left: float, top: float, width: float) -> None:
    """Rows of cards side by side; where they are too long together cards cover a part of their neighbours."""
    widest = width / len(line) - APART  # of a label: names may be long
    rows = [replace(row, label=squeezed(row.label, SMALL, widest)) for row in line]
    step = _step(rows, width)
    x, y = left, top + LABEL
    for row in rows:
        across = _across(row, step)
        canvas.text(x, top + LABEL / 2 - 2, row.label, SMALL, FELT_TEXT)
        if not row.cards:
            canvas.box((x, y, x + CARD, y + card_height(CARD)), FELT, 5, FELT_EDGE)
        for place, card in enumerate(row.cards):
            canvas.card(card, x + place * step, y, CARD)
        x += across + APART


def _step(line: Line, width: float) -> float:
    """The pixels from a card to the next."""
    gaps = sum(max(0, len(row.cards) - 1) for row in line)
    fixed = sum(_across(row, 0) for row in line) + APART * (len(line) - 1)
    natural = sum(_across(row, STEP) for row in line) + APART * (len(line) - 1)
    return STEP if natural <= width or not gaps else max(0.0, (width - fixed) / gaps)


def _across(row: CardRow, step: float) -> float:
    """The pixels of a row; an empty one keeps the place of a card."""
    return max(CARD + step * max(0, len(row.cards) - 1), text_width(row.label, SMALL))
