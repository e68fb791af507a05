"""A scene as text, for terminals, logs and the ``ansi`` render mode."""

from __future__ import annotations

import re
import textwrap
from itertools import zip_longest
from typing import Final

from ..games.cards import RANK_TEXTS, RANKS, SUIT_LETTERS, SUIT_SYMBOLS
from ..games.checks import whole
from ..games.scene import CardRow, Course, Grid, Runner, Scene

FACE_DOWN: Final = "##"
BETWEEN: Final = "   "  # what parts grids and rows of cards that stand side by side
LABEL: Final = 6  # columns of a lane's label
NOTE: Final = 10  # columns kept at least for what stands behind a lane
CROSSED: Final = 5  # columns of the space behind the line, with the line
NARROWEST: Final = 12  # columns a wrapped column keeps
# a screen without symbols gets these
PLAIN: Final = str.maketrans(SUIT_SYMBOLS + "·║…×–−", SUIT_LETTERS + "-|~x--")
BOLD_ON, BOLD_OFF = "\x01", "\x02"  # marks of no width while lines are laid out
RED_CARD: Final = re.compile(r"(?:10|[2-9AJQK])?[♥♦]")


def scene_text(scene: Scene, color: bool = False, symbols: bool = True, width: int = 100) -> str:
    """The scene as lines of text, without trailing spaces or a final line end.

    Args:
        scene: what there is to see.
        color: with ANSI codes: red suits red, titles bold. Without, there are no control codes.
        symbols: suits as ♥♦♣♠; otherwise as letters, with every sign of the drawing's own in ASCII.
        width: columns to stay within as far as single words allow it, 40–1,000.

    Raises:
        InvalidSettings: the width is out of range.
    """
    width = whole("width", width, 40, 1_000)
    blocks = [[_bold(f"{scene.title} · {scene.subtitle}"), *textwrap.wrap(scene.note, width)]]
    if scene.cards:
        blocks[0] += _cards(scene.cards, width)
    if scene.course is not None:
        blocks.append(_course(scene.course, width))
    if scene.table:
        blocks.append([text for line in scene.table for text in _cards(line, width)])
    blocks += [_beside(shelf) for shelf in _shelves(scene.grids, width)]
    text = "\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks)
    if color:
        text = RED_CARD.sub("\x1b[31m\\g<0>\x1b[39m", text)
    text = text.replace(BOLD_ON, "\x1b[1m" if color else "").replace(BOLD_OFF, "\x1b[22m" if color else "")
    return text if symbols else plain(text)


def plain(text: str) -> str:
    """The text with suits as letters and the drawing's own signs in ASCII."""
    return text.translate(PLAIN)


def _bold(text: str) -> str:
    return f"{BOLD_ON}{text}{BOLD_OFF}"


def _card(card: int | None) -> str:
    return FACE_DOWN if card is None else RANK_TEXTS[card % RANKS] + SUIT_SYMBOLS[card // RANKS]


def _cards(rows: tuple[CardRow, ...], width: int) -> list[str]:
    """The rows on one line where they fit, else each on lines of its own."""
    texts = [" ".join((f"{row.label}:", *map(_card, row.cards))) for row in rows]
    if len(BETWEEN.join(texts)) <= width:
        return [BETWEEN.join(texts)]
    return [line for text in texts for line in textwrap.wrap(text, width, subsequent_indent="  ")]


def _course(course: Course, width: int) -> list[str]:
    """The rail, then a line a horse: all spaces in sight, the line before the first one past it."""
    count = course.length + 1 + course.beyond
    notes = max(NOTE, *(len(runner.note) + 1 for runner in course.runners))
    cell = min(5, max(3, (width - LABEL - notes - CROSSED) // (count - 1)))

    def lane(label: str, spaces: list[str], note: str) -> str:
        cells = [space.ljust(cell) for space in spaces]
        cells[course.length] = f"║ {spaces[course.length]}".ljust(CROSSED)
        return label.ljust(LABEL) + "".join(cells) + note

    lines = []
    if course.rail is not None:
        spaces = [""] * count
        for place, card in enumerate(course.rail.cards[: count - course.rail_at]):
            spaces[course.rail_at + place] = _card(card)
        lines.append(lane(f"{course.rail.label} ", spaces, ""))
    for runner in course.runners:
        spaces = ["·"] * count
        spaces[_space(runner, count - 1)] = f"A{SUIT_SYMBOLS[runner.suit]}"
        lines.append(lane(SUIT_SYMBOLS[runner.suit], spaces, f" {runner.note}"))
    return lines


def _space(runner: Runner, last: int) -> int:
    """The last space in sight that a runner has reached."""
    return max(0, min(last, int(runner.steps)))


def _grid(grid: Grid, width: int) -> list[str]:
    """Title, column names and rows, padded to one length; the widest column is wrapped where it must be."""
    table = [grid.columns, *grid.rows] if grid.headed else list(grid.rows)
    widths = [max(len(row[column]) for row in table) for column in range(len(grid.columns))]
    over = sum(widths) + 2 * (len(widths) - 1) - width
    if over > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(NARROWEST, widths[widest] - over)
    lines = [line for row in table for line in _row(row, widths, grid.left)]
    across = max(len(line) for line in (grid.title, *lines))
    return [_bold(grid.title) + " " * (across - len(grid.title)), *(line.ljust(across) for line in lines)]


def _row(row: tuple[str, ...], widths: list[int], left: tuple[int, ...]) -> list[str]:
    """A row as one line, or several where a cell is wrapped."""
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    return [
        "  ".join(
            part.ljust(width) if column in left else part.rjust(width)
            for column, (part, width) in enumerate(zip(parts, widths, strict=True))
        )
        for parts in zip_longest(*cells, fillvalue="")
    ]


def _wrapped(cell: str, width: int) -> list[str]:
    """A cell on lines of its own, a list of wagers broken between them only."""
    glued = re.sub("(?<!;) ", "\xa0", cell) if ";" in cell else cell
    return [line.replace("\xa0", " ") for line in textwrap.wrap(glued, max(1, width))] or [""]


def _shelves(grids: tuple[Grid, ...], width: int) -> list[list[list[str]]]:
    """The grids in order as lines, as many side by side as fit and may."""
    shelves: list[list[list[str]]] = []
    free = 0
    for grid in grids:
        lines = _grid(grid, width)
        across = len(lines[-1]) + len(BETWEEN)
        if not shelves or across > free or grid.wide:
            shelves.append([])
            free = width + len(BETWEEN)
        shelves[-1].append(lines)
        free = 0 if grid.wide else free - across
    return shelves


def _beside(shelf: list[list[str]]) -> list[str]:
    """Grids side by side, as lines."""
    deepest = max(len(grid) for grid in shelf)
    filled = [grid + [" " * len(grid[-1])] * (deepest - len(grid)) for grid in shelf]
    return [BETWEEN.join(parts) for parts in zip(*filled, strict=True)]
