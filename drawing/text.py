"""A scene as text for terminals, logs and the ``ansi`` render mode."""

from __future__ import annotations

import re
import textwrap
from itertools import zip_longest
from typing import Final

from ..games.cards import RANK_TEXTS, RANKS, SUIT_LETTERS, SUIT_SYMBOLS
from ..games.checks import whole
from ..games.scene import CardRow, Course, Grid, Runner, Scene

FACE_DOWN: Final = "##"
GAP: Final = "   "  # between grids that stand side by side
LABEL: Final = 6  # columns of a lane's label
NOTES: Final = 10  # columns kept for what stands behind a lane
PLAIN: Final = str.maketrans(SUIT_SYMBOLS + "·║─…×", SUIT_LETTERS + ".|-~x")  # for a screen without symbols
RED_CARD: Final = re.compile(r"(?:10|[2-9AJQK])?[♥♦]")
RED, BOLD, FAINT, RESET = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


def scene_text(scene: Scene, color: bool = False, symbols: bool = True, width: int = 100) -> str:
    """The scene as lines of text without trailing spaces or a final line end.

    Args:
        scene: what there is to see.
        color: with ANSI codes: red suits red, titles bold. Without, there are no control codes.
        symbols: suits as ♥♦♣♠; otherwise as letters, and every sign is ASCII (names are kept as they are).
        width: columns to stay within where the words allow it, 40–1,000.

    Raises:
        InvalidSettings: the width is out of range.
    """
    width = whole("width", width, 40, 1_000)
    head = [_bold(f"{scene.title} · {scene.subtitle}"), *textwrap.wrap(scene.note, width)]
    if scene.cards:
        head.append(GAP.join(_cards(row) for row in scene.cards))
    blocks = [head]
    if scene.course is not None:
        blocks.append(_course(scene.course, width))
    blocks += _shelves(scene.grids, width)
    return _finish("\n\n".join("\n".join(line.rstrip() for line in block) for block in blocks), color, symbols)


def _finish(text: str, color: bool, symbols: bool) -> str:
    """The text with its marks turned into control codes, or taken out, and its signs into what is asked."""
    if color:
        text = RED_CARD.sub(lambda found: f"{RED}{found[0]}{RESET}", text)
        text = re.sub(r"\x01(.*?)\x02", rf"{BOLD}\1{RESET}", text)
    else:
        text = re.sub(r"[\x01\x02]", "", text)
    return text if symbols else text.translate(PLAIN)
