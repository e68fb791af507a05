"""A scene as a picture, for the ``rgb_array`` render mode, films and documents. No display is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..games.checks import whole
from ..games.scene import CardRow, Scene
from .canvas import Canvas, lines, shortened, text_width
from .cards import card_height
from .course import course_height, paint_course
from .felt import paint_table, table_height
from .grids import paint_panel, shelves
from .theme import EDGE, GREEN, MUTED, PAPER, SMALL, SUBTITLE, TITLE

MARGIN: Final = 26
GAP: Final = 16  # between blocks
CARD: Final = 46  # width of a card in a row
STEP: Final = CARD + 6  # from card to card
APART: Final = 24  # between rows of cards on one line
TITLE_WIDTH: Final = 440  # pixels the title needs beside cards
LABEL: Final = 20  # height of a row's label
HEAD: Final = card_height(CARD) + LABEL  # height of the title's block, and of a row of cards


def picture(scene: Scene, width: int = 960) -> NDArray[np.uint8]:
    """The scene as an image, (height, width, 3) uint8 red, green, blue; the scene decides the height.

    Args:
        scene: what there is to see.
        width: pixels from left to right, 640–4,096.

    Raises:
        InvalidSettings: the width is out of range.
    """
    width = whole("width", width, 640, 4_096)
    inner = width - 2 * MARGIN
    card_lines = _card_lines(scene.cards, inner)
    panels = shelves(scene.grids, MARGIN, inner, GAP)
    blocks = [HEAD] * len(card_lines)
    if scene.course is not None:
        blocks.append(course_height(scene.course))
    if scene.table:
        blocks.append(table_height(scene.table))
    blocks += [max(panel.height for panel in shelf) for shelf in panels]
    canvas = Canvas(width, 2 * MARGIN + sum(blocks) + GAP * (len(blocks) - 1))
    tops = iter([MARGIN + sum(blocks[:place]) + GAP * place for place in range(len(blocks))])
    _paint_title(canvas, scene, MARGIN, inner - _line_width(card_lines[0], inner) - GAP)
    for number, line in enumerate(card_lines):
        across = _line_width(line, inner) if number == 0 else inner  # the first line stands beside the title
        _paint_cards(canvas, line, width - MARGIN - across, next(tops), inner)
    if scene.course is not None:
        paint_course(canvas, scene.course, MARGIN, next(tops), inner)
    if scene.table:
        paint_table(canvas, scene.table, MARGIN, next(tops), inner)
    for shelf in panels:
        top, height = next(tops), max(panel.height for panel in shelf)
        for panel in shelf:
            paint_panel(canvas, panel, top, height)
    return canvas.pixels()


def _card_lines(rows: tuple[CardRow, ...], inner: int) -> list[list[CardRow]]:
    """The rows of cards, line by line; the first of them, which may be empty, stands beside the title."""
    if _line_width(rows, inner) <= inner - TITLE_WIDTH - GAP:
        return [list(rows)]
    card_lines: list[list[CardRow]] = [[], []]
    for row in rows:
        if card_lines[-1] and _line_width([*card_lines[-1], row], inner) > inner:
            card_lines.append([])
        card_lines[-1].append(row)
    return card_lines


def _line_width(rows: Sequence[CardRow], inner: int) -> float:
    return sum(_row_width(row, inner) for row in rows) + APART * max(0, len(rows) - 1)


def _row_width(row: CardRow, inner: int) -> float:
    """The pixels of a row of cards; an empty one keeps the place of a card."""
    cards = CARD + _step(row, inner) * (max(1, len(row.cards)) - 1)
    return max(cards, text_width(row.label, SMALL))


def _step(row: CardRow, inner: int) -> float:
    """The pixels from a card to the next, which covers a part of it where there are many."""
    return STEP if len(row.cards) < 2 else min(STEP, (inner - CARD) / (len(row.cards) - 1))


def _paint_title(canvas: Canvas, scene: Scene, left: float, width: float) -> None:
    canvas.text(left, MARGIN + 14, shortened(scene.title, TITLE, width), TITLE, GREEN, heavy=True)
    canvas.text(left, MARGIN + 41, shortened(scene.subtitle, SUBTITLE, width), SUBTITLE, MUTED)
    for number, line in enumerate(lines(scene.note, SUBTITLE, width, most=2)):
        canvas.text(left, MARGIN + 64 + 19 * number, line, SUBTITLE)


def _paint_cards(canvas: Canvas, rows: Sequence[CardRow], x: float, top: float, inner: int) -> None:
    """Rows of cards side by side, each below its label."""
    for row in rows:
        canvas.text(x, top + LABEL / 2 - 2, row.label, SMALL, MUTED)
        y = top + LABEL
        if not row.cards:
            canvas.box((x, y, x + CARD, y + card_height(CARD)), PAPER, 5, EDGE)
        for place, card in enumerate(row.cards):
            canvas.card(card, x + place * _step(row, inner), y, CARD)
        x += _row_width(row, inner) + APART
