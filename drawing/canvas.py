"""A canvas with smooth edges: shapes are painted at twice the size and reduced, then come cards and text.

Coordinates are pixels of the finished picture. Texts may hold suit symbols, which are drawn as shapes since
typefaces lack them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from ..games.cards import SUIT_SYMBOLS
from .cards import card_sprite, suit_sprite
from .theme import INK, PAPER, Color, font

SCALE: Final = 2  # paint at this size, then reduce
Box: TypeAlias = tuple[float, float, float, float]  # left, top, right, bottom
PIECES: Final = re.compile(f"([{SUIT_SYMBOLS}])")
ELLIPSIS: Final = "…"
SPELLED: Final = str.maketrans({"–": "-", "—": "-", "−": "-", "×": "x", "№": "No.", "’": "'"})


class Canvas:
    """A picture being made. Shapes lie below cards and text, which follow in the order they were added."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._shapes = Image.new("RGB", (width * SCALE, height * SCALE), PAPER)
        self._draw = ImageDraw.Draw(self._shapes)
        self._late: list[Callable[[Image.Image], None]] = []

    def box(self, box: Box, fill: Color, radius: float = 0, edge: Color | None = None) -> None:
        """A rectangle, its corners rounded, with a line of one pixel around it."""
        scaled = _scaled(box)
        if scaled[2] > scaled[0] and scaled[3] > scaled[1]:
            self._draw.rounded_rectangle(scaled, radius * SCALE, fill, edge, SCALE if edge else 0)

    def line(self, box: Box, color: Color, width: float = 1) -> None:
        """A straight line from the first corner of the box to the second."""
        self._draw.line([value * SCALE for value in box], color, max(1, round(width * SCALE)))

    def disc(self, x: float, y: float, radius: float, color: Color) -> None:
        """A filled circle."""
        self._draw.ellipse(_scaled((x - radius, y - radius, x + radius, y + radius)), color)

    def card(self, card: int | None, x: float, y: float, width: int) -> None:
        """A card with its top left corner there; None is face down."""
        self._paste(card_sprite(card, width), round(x), round(y))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        color: Color = INK,
        right: bool = False,
        heavy: bool = False,
    ) -> None:
        """A line of text that starts at x, or ends there (right); y is the middle of its capitals."""
        left = x - text_width(text, size) if right else x
        for piece in _pieces(text):
            if piece in SUIT_SYMBOLS:
                sign = suit_sprite(SUIT_SYMBOLS.index(piece), _suit_size(size))
                self._paste(sign, round(left + 1), round(y - sign.height / 2))
            else:
                self._write(left, y, piece, size, color, heavy)
            left += _piece_width(piece, size)

    def pixels(self) -> NDArray[np.uint8]:
        """The finished picture, (height, width, 3) uint8."""
        finished = self._shapes.reduce(SCALE)
        for paint in self._late:
            paint(finished)
        return np.array(finished)

    def _paste(self, sprite: Image.Image, x: int, y: int) -> None:
        self._late.append(lambda image: image.paste(sprite, (x, y), sprite))

    def _write(self, x: float, y: float, text: str, size: int, color: Color, heavy: bool) -> None:
        baseline = round(y + 0.36 * size)  # capitals are 0.72 of the size high

        def write(image: Image.Image) -> None:
            ImageDraw.Draw(image).text(
                (round(x), baseline), text, color, font(size), "ls", stroke_width=0.3 if heavy else 0
            )

        self._late.append(write)


def text_width(text: str, size: int) -> float:
    """The pixels a line of text takes."""
    return sum(_piece_width(piece, size) for piece in _pieces(text))


def shortened(text: str, size: int, width: float) -> str:
    """The text, its end replaced by an ellipsis where it is longer than so many pixels."""
    if text_width(text, size) <= width:
        return text
    low, high = 0, len(text)  # characters that fit, by halving
    while low < high:
        middle = (low + high + 1) // 2
        fits = text_width(text[:middle].rstrip() + ELLIPSIS, size) <= width
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low].rstrip() + ELLIPSIS


def squeezed(text: str, size: int, width: float) -> str:
    """The text, its middle replaced by an ellipsis where it is longer than so many pixels: names often
    differ at their ends.
    """
    kept, taken = len(text), text
    while kept > 2 and text_width(taken, size) > width:
        kept -= 1
        taken = text[: kept - kept // 2] + ELLIPSIS + text[-(kept // 2) :]
    return taken


def lines(text: str, size: int, width: float, most: int) -> list[str]:
    """The text broken at spaces into at most so many lines, the last of them shortened."""
    words, found = text.split(), [""]
    while words:
        longer = f"{found[-1]} {words[0]}".strip()
        if found[-1] and text_width(longer, size) > width:
            if len(found) == most:
                found[-1] += " " + " ".join(words)
                break
            found.append("")
            continue
        found[-1] = longer
        words.pop(0)
    return [shortened(line, size, width) for line in found]


def _pieces(text: str) -> Iterator[str]:
    """Runs of letters and single suit symbols, spelled in letters the typeface has."""
    for piece in PIECES.split(text.translate(SPELLED)):
        if piece in SUIT_SYMBOLS:
            yield from piece
        else:
            yield "".join(_known(sign) for sign in unicodedata.normalize("NFKD", piece))


def _known(sign: str) -> str:
    if sign in "·…" or " " <= sign <= "~":
        return sign
    return "" if unicodedata.combining(sign) else "?"


def _piece_width(piece: str, size: int) -> float:
    return _suit_size(size) + 2 if piece in SUIT_SYMBOLS else font(size).getlength(piece)


def _suit_size(size: int) -> int:
    return round(size * 0.86)


def _scaled(box: Sequence[float]) -> tuple[float, float, float, float]:
    """The corners of a box as Pillow takes them: the last pixel belongs to the shape."""
    left, top, right, bottom = (value * SCALE for value in box)
    return left, top, right - 1, bottom - 1
