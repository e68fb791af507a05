"""What the gamble's luck was worth: a frozen value of hands, and its surprise at every gamble.

The correction is that of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance
reduction technique for agent evaluation in imperfect information games", AAAI 2018) for the one chance event
of a turn: the value of the hands that the gamble leads to, less its mean over all cards that could have been
turned up. Whatever the value says, that difference is 0 on average, since all cards of the stack are equally
likely; the better it predicts the game, the more noise goes.
"""

from __future__ import annotations

import hashlib
from math import sqrt
from typing import Final

import numpy as np

from ..cards import CARDS
from ..kernels import inline_kernel, kernel
from .kernels import is_won
from .sets import NO_CARDS, ONE, SUIT_SET, VALUE, bit_of, size_of, sum_of
from .settings import SaveTheBetSettings

STEEPNESS: Final = 3.0  # of the value in leads of a whole target; 3.04 fits `likeliest` against itself best


@inline_kernel
def lead_value(own, other, target):  # type: ignore[no-untyped-def]
    """The value, between -1 and 1, of holding so many cards to the other's so many.

    Written in operations that are exact to the last bit on every machine.
    """
    if own >= target or other >= target:
        return np.float64(own >= target) - np.float64(other >= target)
    lead = STEEPNESS * (own - other) / target
    return lead / sqrt(1.0 + lead * lead)


@inline_kernel
def wins_with_save(bet, hand, gamble, by_suit):  # type: ignore[no-untyped-def]
    """Whether a bet wins the gamble, with the help of a card in hand if need be."""
    if bet == 0:
        return False
    if is_won(bet, NO_CARDS, gamble, by_suit):
        return True
    missing = VALUE[gamble] - sum_of(bet)
    saves = hand & SUIT_SET[gamble]
    while missing > 0 and saves != 0:
        card = saves & (~saves + ONE)
        if sum_of(card) == missing:
            return True
        saves ^= card
    return False


@inline_kernel
def value_after(gamble, hand_0, hand_1, bet_0, bet_1, by_suit, swap_draws, target):  # type: ignore[no-untyped-def]
    """The value to seat 0 of a gamble, if both save a bet where they can."""
    won_0 = wins_with_save(bet_0, hand_0, gamble, by_suit)
    won_1 = wins_with_save(bet_1, hand_1, gamble, by_suit)
    held_0, held_1 = size_of(hand_0), size_of(hand_1)
    put_0, put_1 = size_of(bet_0), size_of(bet_1)
    if won_0 != won_1:
        pot = put_0 + put_1 + 1
        held_0 += pot if won_0 else 0
        held_1 += pot if won_1 else 0
    elif won_0 and not swap_draws:
        held_0 += put_0
        held_1 += put_1
    else:
        held_0 += put_1
        held_1 += put_0
    return lead_value(held_0, held_1, target)


@kernel
def gamble_luck(luck, rows, hands, bets, stack, gamble, by_suit, swap_draws, target):  # type: ignore[no-untyped-def]
    """Fills luck (n,) with how much better for seat 0 the gamble of these lanes is than one drawn by lot.

    ``stack`` is what is left beneath the gamble.
    """
    for i in range(rows.shape[0]):
        lane = rows[i]
        hand_0, hand_1 = hands[lane, 0], hands[lane, 1]
        bet_0, bet_1 = bets[lane, 0], bets[lane, 1]
        total, count, came = 0.0, 0, 0.0
        possible = stack[lane] | bit_of(gamble[lane])
        for card in range(CARDS):
            if possible & bit_of(card) == 0:
                continue
            value = value_after(card, hand_0, hand_1, bet_0, bet_1, by_suit, swap_draws, target)
            total += value
            count += 1
            if card == gamble[lane]:
                came = value
        luck[i] = came - total / count


def value_hash(settings: SaveTheBetSettings) -> str:
    """SHA-256 of the values of all pairs of hand sizes, float64: equal hashes, equal corrections."""
    sizes = range(settings.cards + 1)
    values = [lead_value(own, other, settings.target) for own in sizes for other in sizes]
    return hashlib.sha256(np.array(values, np.float64).tobytes()).hexdigest()
