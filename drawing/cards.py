"""Suits and cards as small pictures with transparent corners, made once for each size."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageDraw

from ..games.cards import RANK_TEXTS, RANKS
from .theme import CARD, CARD_BACK, CARD_BACK_LINE, CARD_EDGE, SUIT_COLORS, Color, font

SCALE: Final = 6  # sprites are painted at this size and reduced
CLEAR: Final = (0, 0, 0, 0)
HEIGHT: Final = 1.38  # of a card, in widths


def card_height(width: int) -> int:
    """The height of a card of so many pixels' width."""
    return round(width * HEIGHT)


@cache
def suit_sprite(suit: int, size: int) -> Image.Image:
    """The sign of a suit, size × size RGBA."""
    image = Image.new("RGBA", (size * SCALE, size * SCALE), (*SUIT_COLORS[suit], 0))
    _paint_suit(ImageDraw.Draw(image), suit, 0, 0, size * SCALE)
    return image.reduce(SCALE)


@cache
def card_sprite(card: int | None, width: int) -> Image.Image:
    """A card face up, or its back (None), RGBA of so many pixels' width."""
    across, down = width * SCALE, card_height(width) * SCALE
    image = Image.new("RGBA", (across, down), CLEAR)
    draw = ImageDraw.Draw(image)
    radius, edge = across * 0.11, SCALE
    draw.rounded_rectangle((0, 0, across - 1, down - 1), radius, CARD, CARD_EDGE, edge)
    if card is None:
        _paint_back(image, across, down)
    else:
        _paint_face(draw, card, across, down)
    return image.reduce(SCALE)


def _paint_face(draw: ImageDraw.ImageDraw, card: int, across: int, down: int) -> None:
    suit, rank = divmod(card, RANKS)
    size = round(across * 0.40)
    draw.text(
        (across * 0.10, across * 0.10 + size * 0.72), RANK_TEXTS[rank], SUIT_COLORS[suit], font(size), "ls",
        stroke_width=across * 0.008,
    )  # fmt: skip
    pip = across * 0.56
    _paint_suit(draw, suit, across * 0.92 - pip, down - across * 0.09 - pip, pip)


def _paint_back(image: Image.Image, across: int, down: int) -> None:
    """A panel with a lattice inside the white border."""
    border = round(across * 0.09)
    inner = Image.new("RGBA", (across - 2 * border, down - 2 * border), CARD_BACK)
    draw = ImageDraw.Draw(inner)
    step = across // 6
    for start in range(-inner.height, inner.width + inner.height, step):
        draw.line((start, 0, start + inner.height, inner.height), CARD_BACK_LINE, SCALE)
        draw.line((start, 0, start - inner.height, inner.height), CARD_BACK_LINE, SCALE)
    shape = Image.new("L", inner.size)
    ImageDraw.Draw(shape).rounded_rectangle((0, 0, inner.width - 1, inner.height - 1), across * 0.06, 255)
    image.paste(inner, (border, border), shape)


def _paint_suit(draw: ImageDraw.ImageDraw, suit: int, x: float, y: float, size: float) -> None:
    """A suit inside a square."""

    def at(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x + size * across, y + size * down) for across, down in points]

    def disc(across: float, down: float, radius: float, color: Color) -> None:
        draw.ellipse(
            [*at([(across - radius, down - radius)])[0], *at([(across + radius, down + radius)])[0]], color
        )

    color = SUIT_COLORS[suit]
    stem = [(0.47, 0.60), (0.53, 0.60), (0.57, 0.82), (0.68, 0.95), (0.32, 0.95), (0.43, 0.82)]
    if suit == 0:
        draw.polygon(at(_heart(0.08, 0.88)), color)
    elif suit == 1:
        draw.polygon(at(_diamond()), color)
    elif suit == 2:
        for across, down in ((0.5, 0.27), (0.27, 0.60), (0.73, 0.60)):
            disc(across, down, 0.215, color)
        draw.polygon(at([(0.44, 0.30), (0.56, 0.30), (0.62, 0.66), (0.38, 0.66)]), color)
        draw.polygon(at(stem), color)
    else:
        draw.polygon(at([(across, 0.88 - down) for across, down in _heart(0.04, 0.80)]), color)
        draw.polygon(at(stem), color)


def _heart(top: float, height: float) -> list[tuple[float, float]]:
    """The outline of a heart in a unit square: a well-known curve of sines and cosines."""
    outline = []
    for step in range(120):
        t = 2 * pi * step / 120
        across = 0.5 + 0.46 * sin(t) ** 3
        rise = (
            13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t) + 17
        ) / 29  # 0 at the tip, 1 on top
        outline.append((across, top + height * (1 - rise)))
    return outline


def _diamond() -> list[tuple[float, float]]:
    """The outline of a diamond whose sides are drawn in a little."""
    corners = [(0.5, 0.02), (0.9, 0.5), (0.5, 0.98), (0.1, 0.5)]
    outline = []
    for (x, y), (to_x, to_y) in zip(corners, corners[1:] + corners[:1], strict=True):
        for step in range(12):
            part = step / 12
            sag = 1 - 0.16 * sin(pi * part)
            outline.append(
                (0.5 + (x + (to_x - x) * part - 0.5) * sag, 0.5 + (y + (to_y - y) * part - 0.5) * sag)
            )
    return outline
