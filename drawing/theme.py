"""The colours and type of every picture."""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from PIL import ImageFont

Color: TypeAlias = tuple[int, int, int]

PAPER: Final[Color] = (243, 239, 230)
PANEL: Final[Color] = (255, 254, 250)
STRIPE: Final[Color] = (247, 244, 236)  # every other row of a grid
EDGE: Final[Color] = (217, 209, 193)
SHADE: Final[Color] = (228, 222, 209)  # below panels
INK: Final[Color] = (38, 43, 46)
MUTED: Final[Color] = (104, 106, 100)
GREEN: Final[Color] = (28, 84, 60)  # titles
GOLD: Final[Color] = (233, 190, 84)
TURF: Final[tuple[Color, Color]] = ((72, 134, 88), (66, 126, 82))
TURF_LINE: Final[Color] = (92, 152, 106)
FELT: Final[Color] = (44, 104, 78)
FELT_EDGE: Final[Color] = (30, 78, 57)
FELT_TEXT: Final[Color] = (226, 236, 222)  # labels on it
RAILING: Final[Color] = (250, 249, 244)
RAILING_SHADE: Final[Color] = (48, 98, 62)
CARD: Final[Color] = (255, 255, 253)
CARD_EDGE: Final[Color] = (176, 170, 156)
CARD_BACK: Final[Color] = (38, 76, 110)
CARD_BACK_LINE: Final[Color] = (110, 146, 176)
RED: Final[Color] = (190, 30, 38)
BLACK: Final[Color] = (30, 33, 38)
SUIT_COLORS: Final = (RED, RED, BLACK, BLACK)  # H, D, C, S

TITLE, SUBTITLE, HEADING, BODY, SMALL = 27, 15, 14, 13, 12  # sizes of type in pixels


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own typeface, so that a picture needs no font of the machine it is drawn on."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont), "Pillow is built without FreeType"
    return loaded
