"""Counting odds as whole numbers on bit masks, and the chance of every bet worth a thought.

A *sheet* is a set of cards written for sums: 16 bits a suit, and in them bit v for the value v, the ace at
bit 1 and J, Q, K, which are worth 1 too, at bits 11 to 13. Moving the sheet of the cards one could save up by
the sum of a bet gives the gambles they would win.

Of u unknown cards s are in the stack of t cards, beside the cards known to be there: an unknown card is the
gamble with chance s / (u t), a known one with 1 / t. In units of 1 / (u t) these are s and u, whole numbers,
so that equal chances are equal. Source: `odds`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cards import RANKS
from ..kernels import inline_kernel, kernel
from .sets import NO_CARDS, ONE_SUIT, VALUE_OF_RANK, size_of

SUITS: Final = 4
HIGHEST: Final = 10  # the largest value of a card, so the largest sum that can win by value
ONES: Final = sum(1 << rank for rank in range(RANKS) if VALUE_OF_RANK[rank] == 1)  # ranks worth 1: A, J, Q, K
MOST_BETS: Final = SUITS * HIGHEST
WIDTH: Final = 16  # bits of a suit in a sheet
COLUMN: Final = np.uint64((1 << WIDTH) - 1)
EVERY_SUIT: Final = sum(1 << (WIDTH * suit) for suit in range(SUITS))
NO_SAVE: Final = np.uint64(EVERY_SUIT)  # bit 0 of each suit
ACES: Final = np.uint64(0b10 * EVERY_SUIT)
COURT: Final = np.uint64(0b11_1000_0000_0000 * EVERY_SUIT)  # J, Q, K
SMALL: Final = np.array(
    [((1 << (HIGHEST - total + 1)) - 1) * EVERY_SUIT for total in range(HIGHEST + 1)], np.uint64
)  # (11,) the values, 0 included, that beside this sum make no more than 10


def _shortest_sets() -> NDArray[np.uint16]:
    """For each set of ranks and each sum the fewest of these ranks that make it."""
    sets = np.zeros((1 << RANKS, HIGHEST + 1), np.uint16)
    for rank in range(RANKS):
        value, below, upper = VALUE_OF_RANK[rank], sets[: 1 << rank], sets[1 << rank : 2 << rank]
        upper[:] = below
        for total in range(value, HIGHEST + 1):
            rest = below[:, total - value]
            joined = rest | np.uint16(1 << rank)
            possible = (rest != 0) | (total == value)
            better = possible & ((below[:, total] == 0) | (_cost(joined) < _cost(below[:, total])))
            upper[:, total] = np.where(better, joined, below[:, total])
    return sets


def _cost(ranks: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Orders sets by their number of cards, then by their number of cards worth 1."""
    ones = np.bitwise_count(ranks & np.uint16(ONES))
    order: NDArray[np.int64] = np.bitwise_count(ranks).astype(np.int64) * RANKS + ones
    return order


SHORTEST: Final = _shortest_sets()
"""(8192, 11) uint16: by the ranks held of a suit and the sum, the ranks to bet, 0 where none make the sum.
The fewest cards, of these the ones with the fewest cards worth 1 (they are the best bets to come). Where that
leaves several, the first found in the order of the ranks.
"""


@inline_kernel
def ranks_in(cards, suit):  # type: ignore[no-untyped-def]
    """The ranks a set has of a suit, 13 bits."""
    return np.int64((cards >> np.uint64(RANKS * suit)) & ONE_SUIT)


@inline_kernel
def sheet_of(cards):  # type: ignore[no-untyped-def]
    """The sheet of a set of cards."""
    sheet = NO_CARDS
    for suit in range(SUITS):
        sheet |= ((cards >> np.uint64(RANKS * suit)) & ONE_SUIT) << np.uint64(WIDTH * suit + 1)
    return sheet


@inline_kernel
def savers_in(sheet):  # type: ignore[no-untyped-def]
    """The values one could add to a bet, by suit: those of the cards, J, Q and K at bit 1, and 0."""
    court = sheet & COURT
    ones = ((court >> np.uint64(10)) | (court >> np.uint64(11)) | (court >> np.uint64(12))) & ACES
    return (sheet ^ court) | ones | NO_SAVE


@inline_kernel
def gambles_won(savers, suit, total, by_suit):  # type: ignore[no-untyped-def]
    """The sheet of the gambles that a bet of this suit and sum (1-10) wins, with what may be saved."""
    won = (savers & SMALL[total]) << np.uint64(total)
    if total == 1:
        won |= COURT
    if by_suit:
        won |= COLUMN << np.uint64(WIDTH * suit)
    return won


@inline_kernel
def count_stock(unknown, returned, stacked):  # type: ignore[no-untyped-def]
    """What the gamble is drawn from: the sheets of unknown and of returned cards, and the weights of a card
    of either.
    """
    hidden = np.int64(stacked) - size_of(returned)
    return sheet_of(unknown), sheet_of(returned), hidden, max(size_of(unknown), 1)


@inline_kernel
def weight_of(gambles, stock):  # type: ignore[no-untyped-def]
    """The weight of a sheet of gambles; of all cards it is the stack's cards times ``stock[3]``."""
    return stock[2] * size_of(gambles & stock[0]) + stock[3] * size_of(gambles & stock[1])


@inline_kernel
def own_gambles(sheet, ranks, suit, total, by_suit, saves):  # type: ignore[no-untyped-def]
    """The sheet of the gambles won by betting these ranks of a suit from the hand with this sheet."""
    left = sheet & ~(np.uint64(ranks) << np.uint64(WIDTH * suit + 1))
    return gambles_won(savers_in(left) if saves else NO_SAVE, suit, total, by_suit)


@kernel
def weigh_bets(bets, won, weights, sets, hand, stock, by_suit, saves):  # type: ignore[no-untyped-def]
    """Lists the bets of a hand, the shortest of each suit and sum, low sums first; returns how many.

    Fills bets (40,) uint64, won (40,) uint64 with the sheet of the gambles each wins, with a save in hand if
    ``saves``, and weights (40,) int64 with their weight.
    """
    sheet = sheet_of(hand)
    count = 0
    for total in range(1, HIGHEST + 1):
        for suit in range(SUITS):
            ranks = sets[ranks_in(hand, suit), total]
            if ranks != 0:
                bets[count] = np.uint64(ranks) << np.uint64(RANKS * suit)
                won[count] = own_gambles(sheet, ranks, suit, total, by_suit, saves)
                weights[count] = weight_of(won[count], stock)
                count += 1
    return count


@kernel
def likeliest_bet(sets, hand, stock, by_suit, saves):  # type: ignore[no-untyped-def]
    """The bet of a hand that has the largest weight, and that weight; no bet and 0 of an empty hand.

    Of equals the one with the fewest cards, of these the lowest sum, then the first suit.
    """
    sheet = sheet_of(hand)
    best, fewest, chosen = np.int64(-1), np.int64(0), NO_CARDS
    for total in range(1, HIGHEST + 1):
        for suit in range(SUITS):
            ranks = sets[ranks_in(hand, suit), total]
            if ranks == 0:
                continue
            weight = weight_of(own_gambles(sheet, ranks, suit, total, by_suit, saves), stock)
            if weight < best:
                continue
            size = size_of(np.uint64(ranks))
            if weight > best or size < fewest:
                best, fewest = weight, size
                chosen = np.uint64(ranks) << np.uint64(RANKS * suit)
    return chosen, max(best, 0)
