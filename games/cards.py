"""Cards and suits: codes, and the texts people read and write.

A card is ``13 * suit + rank`` with rank 0 for the ace, 1 for the two … 12 for the king, so the
codes 0–51 run in suit-then-rank order. Suits are indexed in the order of the Superfecta rules.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from .errors import InvalidSettings

SUIT_LETTERS: Final = "HDCS"
SUIT_SYMBOLS: Final = "♥♦♣♠"
RANK_TEXTS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
RANKS: Final = 13
CARDS: Final = 52


class Suit(IntEnum):
    """A suit, and in the race games the horse (ace) of that suit."""

    HEARTS = 0
    DIAMONDS = 1
    CLUBS = 2
    SPADES = 3


def suit_of(card: int) -> int:
    """The suit index 0–3 of a card code."""
    return card // RANKS


def card_text(card: int) -> str:
    """The card as text, rank then suit letter: ``"10D"``, ``"AS"``."""
    return RANK_TEXTS[card % RANKS] + SUIT_LETTERS[card // RANKS]


def parse_card(text: str) -> int:
    """The code of a card written rank then suit, any case: ``"10d"``, ``"AS"``, ``"Q♥"``.

    Raises:
        InvalidSettings: the text is no card.
    """
    spelled = text.strip().upper()
    for suit, pair in enumerate(zip(SUIT_LETTERS, SUIT_SYMBOLS, strict=True)):
        if spelled[-1:] in pair and spelled[:-1] in RANK_TEXTS:
            return suit * RANKS + RANK_TEXTS.index(spelled[:-1])
    raise InvalidSettings(
        f"{text!r} is no card; write the rank (A, 2-10, J, Q, K) and then the suit (H, D, C, S), as in 10D"
    )


def parse_suit(text: str) -> int:
    """The index 0–3 of a suit given as a letter (any case) or a symbol.

    Raises:
        InvalidSettings: the text is no suit.
    """
    spelled = text.strip().upper()
    for suit, pair in enumerate(zip(SUIT_LETTERS, SUIT_SYMBOLS, strict=True)):
        if spelled in pair:
            return suit
    raise InvalidSettings(f"{text!r} is no suit; the suits are H, D, C and S")
