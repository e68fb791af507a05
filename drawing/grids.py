"""Grids as panels: measured, set side by side, painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..games.scene import Grid
from .canvas import Canvas, shortened, squeezed, text_width
from .theme import BODY, EDGE, GREEN, HEADING, INK, MUTED, PANEL, SHADE, SMALL, STRIPE

ROW: Final = 22  # height of a row
TITLE_ROW: Final = 34
INSET: Final = 14  # between a panel's edge and its text
BETWEEN: Final = 18  # between columns
NARROWEST: Final = 60  # pixels a shortened column keeps


@dataclass(frozen=True, slots=True)
class Panel:
    """A grid with the widths of its columns and where it stands, in pixels."""

    grid: Grid
    widths: tuple[float, ...]
    left: float
    width: float

    @property
    def height(self) -> int:
        return TITLE_ROW + ROW * (len(self.grid.rows) + self.grid.headed) + INSET // 2


def shelves(grids: tuple[Grid, ...], left: float, width: float, gap: int) -> list[list[Panel]]:
    """The grids in order, as many side by side as fit and may; each row of them fills the width."""
    measured = [(grid, _widths(grid, width)) for grid in grids]
    rows: list[list[tuple[Grid, tuple[float, ...]]]] = []
    free = 0.0
    for grid, widths in measured:
        across = _across(grid, widths) + gap
        if not rows or across > free or grid.wide:
            rows.append([])
            free = width + gap
        rows[-1].append((grid, widths))
        free = 0 if grid.wide else free - across
    return [_filled(row, left, width, gap) for row in rows]


def paint_panel(canvas: Canvas, panel: Panel, top: float, height: float) -> None:
    """Paints a panel of that height."""
    left, right = panel.left, panel.left + panel.width
    canvas.box((left, top + 3, right, top + height + 3), SHADE, 9)
    canvas.box((left, top, right, top + height), PANEL, 9, EDGE)
    canvas.text(left + INSET, top + TITLE_ROW / 2 + 1, panel.grid.title, HEADING, GREEN, heavy=True)
    columns = _columns(panel)
    if panel.grid.headed:
        y = top + TITLE_ROW + ROW / 2 - 3
        _paint_row(canvas, panel, panel.grid.columns, columns, y, header=True)
        canvas.line((left + INSET, y + ROW / 2, right - INSET, y + ROW / 2), EDGE)
    for number, row in enumerate(panel.grid.rows):
        y = top + TITLE_ROW + ROW * (number + panel.grid.headed + 0.5)
        if number % 2:
            canvas.box((left + 5, y - ROW / 2, right - 5, y + ROW / 2), STRIPE, 4)
        _paint_row(canvas, panel, row, columns, y, header=False)


def _widths(grid: Grid, width: float) -> tuple[float, ...]:
    """The pixels each column needs, the widest cut down where the whole would be too wide."""
    widths = [
        max([text_width(name, SMALL), *(text_width(row[column], BODY) for row in grid.rows)])
        for column, name in enumerate(grid.columns)
    ]
    over = _across(grid, widths) - width
    while over > 0.01:
        order = sorted(range(len(widths)), key=widths.__getitem__)
        widest, next_widest = order[-1], order[-2] if len(order) > 1 else order[-1]
        floor = max(NARROWEST, widths[next_widest]) if widest != next_widest else NARROWEST
        cut = min(over, max(widths[widest] - floor, 1.0))
        widths[widest] -= cut
        over -= cut
    return tuple(widths)


def _across(grid: Grid, widths: list[float] | tuple[float, ...]) -> float:
    table = sum(widths) + BETWEEN * (len(widths) - 1)
    return max(table, text_width(grid.title, HEADING)) + 2 * INSET


def _filled(row: list[tuple[Grid, tuple[float, ...]]], left: float, width: float, gap: int) -> list[Panel]:
    """Panels side by side, what is left of the width shared among them."""
    natural = [_across(grid, widths) for grid, widths in row]
    spare = (width - sum(natural) - gap * (len(row) - 1)) / len(row)
    panels = []
    for (grid, widths), across in zip(row, natural, strict=True):
        panels.append(Panel(grid, widths, left, across + spare))
        left += across + spare + gap
    return panels


def _columns(panel: Panel) -> list[tuple[float, float]]:
    """Left and right of each column. The last reaches the panel's edge and spare room lies between them all;
    where it is left aligned, spare room lies behind it.
    """
    spare = panel.width - 2 * INSET - sum(panel.widths) - BETWEEN * (len(panel.widths) - 1)
    places, x = [], panel.left + INSET
    last = len(panel.widths) - 1
    share = 0 if last in panel.grid.left else spare / max(1, last)
    for width in panel.widths:
        places.append((x, x + width))
        x += width + BETWEEN + share
    return places


def _paint_row(
    canvas: Canvas,
    panel: Panel,
    cells: tuple[str, ...],
    columns: list[tuple[float, float]],
    y: float,
    header: bool,
) -> None:
    size, color = (SMALL, MUTED) if header else (BODY, INK)
    for column, (cell, (left, right)) in enumerate(zip(cells, columns, strict=True)):
        shorten = shortened if column else squeezed  # the first column holds names
        text = shorten(cell, size, right - left + 0.5)
        if column in panel.grid.left:
            canvas.text(left, y, text, size, color)
        else:
            canvas.text(right, y, text, size, color, right=True)
