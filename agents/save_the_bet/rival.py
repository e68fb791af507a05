"""A stated model of the other's bet: a single card, drawn by lot from its hand, and no save.

Of u unknown cards h are in the other's hand, beside those known to be there. If the gamble is one of the
unknown, each of the other u - 1 is in that hand with chance h / (u - 1); if it is a returned card, with
h / u. A card of the hand is the one bet with chance 1 / its cards.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...games.cards import RANKS
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.counting import HIGHEST, NO_SAVE, SUITS, WIDTH, gambles_won, sheet_of
from ...games.save_the_bet.sets import ONE, size_of

BITS: Final = 64  # of a sheet


@inline_kernel
def value_at(place):  # type: ignore[no-untyped-def]
    """The value of the card at a place of a suit's bits in a sheet: 1 for the ace and J, Q, K."""
    return place if place <= HIGHEST else 1


@kernel
def expect_card_by_lot(  # type: ignore[no-untyped-def]
    odds, beaten, unknown, other_public, held, stock, stacked, by_suit
):
    """Fills odds (64,) with the chance of each card of a sheet to be the gamble, and beaten (64,) with the
    chance that the other's card then wins.
    """
    known = sheet_of(other_public)
    hidden = np.int64(held) - size_of(other_public)
    unit = stock[3] * np.int64(stacked)
    odds[:] = beaten[:] = 0.0
    for suit in range(SUITS):
        for place in range(1, RANKS + 1):
            bit = WIDTH * suit + place
            here = ONE << np.uint64(bit)
            open_card = stock[0] & here != 0
            odds[bit] = (stock[2] if open_card else stock[3] if stock[1] & here != 0 else 0) / unit
            if held == 0:
                continue
            # a card wins the gambles of its suit and value, so a gamble is won by the cards of its own
            winners = gambles_won(NO_SAVE, suit, value_at(place), by_suit)
            others = size_of(unknown) - (1 if open_card else 0)
            each = hidden / others if others > 0 else 0.0
            # the gamble itself is in no hand
            maybe = winners & stock[0] & ~here
            beaten[bit] = (size_of(winners & known) + each * size_of(maybe)) / held


@inline_kernel
def chance_to_lose(won, odds, beaten):  # type: ignore[no-untyped-def]
    """The chance that the gamble is none of ``won`` and the other's card wins."""
    total = 0.0
    for bit in range(BITS):
        if (won >> np.uint64(bit)) & ONE == 0:
            total += odds[bit] * beaten[bit]
    return total
