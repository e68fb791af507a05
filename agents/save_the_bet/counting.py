"""Counting odds by suit and value, in whole numbers, and the chance of a bet.

Of u unknown cards s are in the stack of t cards, beside r cards known to be there: an unknown card is the
gamble with chance s / (u t), a known one with 1 / t. In units of 1 / (u t) these are s and u, so chances are
compared exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.cards import RANKS
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.sets import size_of
from .player import HIGHEST, ONES, SUITS, ranks_in, values_in


@inline_kernel
def ones_among(ranks):  # type: ignore[no-untyped-def]
    """How many of these ranks are worth 1."""
    return size_of(np.uint64(ranks & ONES))


@inline_kernel
def count_cards(weights, unknown, returned, stacked):  # type: ignore[no-untyped-def]
    """Fills weights (4, 11) int64: the weight of each suit and value to be the gamble; at 0 that of the suit.

    Returns the weight of all cards together.
    """
    several = size_of(unknown)
    each = stacked - size_of(returned)
    known = max(several, 1)
    for suit in range(SUITS):
        maybe, back = ranks_in(unknown, suit), ranks_in(returned, suit)
        weights[suit, 0] = each * size_of(np.uint64(maybe)) + known * size_of(np.uint64(back))
        weights[suit, 1] = each * ones_among(maybe) + known * ones_among(back)
        for value in range(2, HIGHEST + 1):
            weights[suit, value] = each * ((maybe >> (value - 1)) & 1) + known * ((back >> (value - 1)) & 1)
    return known * stacked


@inline_kernel
def won_in_suit(weights, suit, total, savers):  # type: ignore[no-untyped-def]
    """The weight of a suit's cards that make a bet's sum win by value; ``savers`` has bit v where the hand
    has a card worth v of the suit to save with.
    """
    won = weights[suit, total]
    for missing in range(1, HIGHEST - total + 1):
        if (savers >> missing) & 1 != 0:
            won += weights[suit, total + missing]
    return won
