"""Bets and saves as text: ``5H 2H``, or ``-`` for none.

Printing is canonical: suits in the order H, D, C, S, in a suit from the king down to the ace, so
``parse(print(cards))`` is ``cards``.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ..cards import card_text, parse_card, suit_of
from ..errors import BadTicket, InvalidSettings
from .sets import CardSets, cards_in
from .settings import SaveTheBetSettings

NONE: Final = "-"


def print_cards(cards: int | np.uint64) -> str:
    """The canonical text of a set of cards, any suits; ``-`` for the empty one."""
    order = sorted(cards_in(cards), key=lambda card: (suit_of(card), -card))
    return " ".join(map(card_text, order)) or NONE


def print_bet(decision: CardSets) -> str:
    """The canonical text of a decision (1,) uint64: ``5H 2H``, or ``-`` for no bet or no save."""
    return print_cards(decision[0])


def parse_bet(text: str, settings: SaveTheBetSettings) -> CardSets:
    """The decision (1,) uint64 that a text says: cards of one suit, or ``-``.

    Cards are parted by spaces, commas or ``+``; case does not matter, and suits may be symbols: ``5♥ + 2♥``.

    Raises:
        BadTicket: the text cannot be read, names a card that is not in the deck or one twice, or mixes suits.
    """
    words = re.split(r"[\s,+]+", text.strip(" ,+\t\r\n"))
    if words == [NONE]:
        return np.zeros(1, np.uint64)
    if words == [""]:
        raise BadTicket(f"{text!r} names no card; write cards of one suit, as in '5H 2H', or {NONE} for none")
    cards: list[int] = []
    for word in words:
        cards.append(_parse_word(word, settings))
        if cards[-1] in cards[:-1]:
            raise BadTicket(f"{card_text(cards[-1])} is named twice; name each card once")
        if suit_of(cards[-1]) != suit_of(cards[0]):
            pair = f"{card_text(cards[0])} and {card_text(cards[-1])}"
            raise BadTicket(f"{pair} are of different suits; cards bet together share one")
    return np.array([sum(1 << card for card in cards)], np.uint64)


def _parse_word(word: str, settings: SaveTheBetSettings) -> int:
    """The code of one card of the deck."""
    try:
        card = parse_card(word)
    except InvalidSettings as error:
        raise BadTicket(f"{error}; cards are parted by spaces, and {NONE} alone means none") from error
    if not settings.deck >> card & 1:
        raise BadTicket(f"{card_text(card)} is not in the deck of {settings.cards} cards")
    return card
