"""Sets of cards in 64 bits: card ``c`` is in the set where bit ``1 << c`` is set. Rule: RULES.md §6."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..cards import CARDS, RANKS
from ..kernels import inline_kernel

CardSets: TypeAlias = NDArray[np.uint64]

ONE: Final = np.uint64(1)
NO_CARDS: Final = np.uint64(0)
ONE_SUIT: Final = np.uint64((1 << RANKS) - 1)
VALUE_OF_RANK: Final = [
    rank + 1 if rank < 10 else 1 for rank in range(RANKS)
]  # J, Q, K and the ace are worth 1
VALUE: Final = np.array([VALUE_OF_RANK[card % RANKS] for card in range(CARDS)], np.int8)  # (52,) of a card
SUIT_SET: Final = np.array(
    [int(ONE_SUIT) << (RANKS * (card // RANKS)) for card in range(CARDS)], np.uint64
)  # (52,) all cards of a card's suit
SUM_OF_RANKS: Final = np.array(
    [sum(VALUE_OF_RANK[rank] for rank in range(RANKS) if ranks >> rank & 1) for ranks in range(1 << RANKS)],
    np.int8,
)  # (8192,) the sum of cards of one suit, by the set of their ranks; at most 58


def set_of(cards: Iterable[int]) -> np.uint64:
    """The set of these card codes."""
    return np.uint64(sum({1 << int(card) for card in cards}))


def cards_in(cards: int | np.uint64) -> list[int]:
    """The codes of the cards of a set, ascending."""
    return [card for card in range(CARDS) if int(cards) >> card & 1]


@inline_kernel
def bit_of(card):  # type: ignore[no-untyped-def]
    """The set of one card."""
    return ONE << np.uint64(card)


@inline_kernel
def size_of(cards):  # type: ignore[no-untyped-def]
    """How many cards a set has."""
    cards = cards - ((cards >> ONE) & np.uint64(0x5555555555555555))
    cards = (cards & np.uint64(0x3333333333333333)) + (
        (cards >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    cards = (cards + (cards >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((cards * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inline_kernel
def ranks_of(cards):  # type: ignore[no-untyped-def]
    """The ranks a set shows in any suit, as a set of 13."""
    halves = cards | (cards >> np.uint64(2 * RANKS))
    return np.int64((halves | (halves >> np.uint64(RANKS))) & ONE_SUIT)


@inline_kernel
def sum_of(cards):  # type: ignore[no-untyped-def]
    """The sum of the values of cards of one suit."""
    return np.int64(SUM_OF_RANKS[ranks_of(cards)])


@inline_kernel
def suits_in(cards):  # type: ignore[no-untyped-def]
    """How many suits a set has cards of."""
    count = 0
    for suit in range(4):
        count += cards & (ONE_SUIT << np.uint64(RANKS * suit)) != 0
    return count
