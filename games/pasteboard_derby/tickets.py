"""The horse a seat names as text: ``H``, ``D``, ``C`` or ``S``; nothing for a seat that sits out.

Rule: RULES.md §5. ``parse(print(d))`` is ``d``.
"""

from __future__ import annotations

import numpy as np

from ..cards import SUIT_LETTERS, parse_suit
from ..errors import BadTicket, InvalidSettings
from ..kernels import Counts
from .settings import PasteboardDerbySettings


def parse_horse(text: str, settings: PasteboardDerbySettings) -> Counts:
    """The decision (1,) int8 that names a horse by its suit, a letter in any case or a symbol; 0 for no text.

    Raises:
        BadTicket: the text is not one horse.
    """
    if not text.strip():
        return np.zeros(1, np.int8)
    try:
        return np.array([parse_suit(text) + 1], np.int8)
    except InvalidSettings:
        raise BadTicket(f"line 1: {text.strip()!r} is no horse; name one of H, D, C and S") from None


def print_horse(decision: Counts) -> str:
    """The text of a decision (1,): the horse's letter, or the empty text for 0."""
    horse = int(decision[0])
    return SUIT_LETTERS[horse - 1] if horse else ""
