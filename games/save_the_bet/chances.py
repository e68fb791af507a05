"""What counting says of the bets in a hand and of every card that may be written next.

All of it follows from the cards a seat has seen (`odds`), so an observation that has it says nothing new: it
spares a learner the counting. Chances are those of `counting`, a save from the hand reckoned in.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..cards import CARDS, RANKS
from ..kernels import inline_kernel, kernel
from .counting import (
    COLUMN,
    HIGHEST,
    SHORTEST,
    WIDTH,
    count_stock,
    gambles_won,
    likeliest_bet,
    savers_in,
    sheet_of,
    weight_of,
)
from .kernels import BET, SAVE, is_won
from .sets import NO_CARDS, ONE, bit_of, sum_of

ACTIONS: Final = 1 + CARDS  # enough, or a card
BETS: Final = 5  # bets of a hand, one after the other
BLOCKS: Final = (
    ("best", BETS, 0, 1, "chance that the best bet in hand wins, the best without its cards, and so on"),
    ("wins", ACTIONS, 0, 1, "by action: chance that the bet wins as it lies (0) or with this card"),
    ("behind", ACTIONS, 0, 1, "by action: how much less that is than by the best action"),
    ("costs_1", ACTIONS, -1, 1, "by action: what writing the card costs the first of `best`"),
    ("costs_2", ACTIONS, -1, 1, "by action: what it costs the second and third, on average"),
    ("costs_4", ACTIONS, -1, 1, "by action: what it costs the fourth and fifth, on average"),
)  # cards that are written are no longer in hand; 0 for actions that are not legal
SIZE: Final = sum(size for _, size, *_ in BLOCKS)


@inline_kernel
def chance_of(bet, left, stock, unit, by_suit):  # type: ignore[no-untyped-def]
    """The chance that a bet (not empty) wins, with a card of those left in hand to save it."""
    suit = 0
    while (bet >> np.uint64(RANKS * (suit + 1))) != 0:
        suit += 1
    total = sum_of(bet)
    if total <= HIGHEST:
        won = gambles_won(savers_in(sheet_of(left)), suit, total, by_suit)
    else:
        won = COLUMN << np.uint64(WIDTH * suit) if by_suit else NO_CARDS
    return weight_of(won, stock) / unit


@kernel
def write_best(out, hand, stock, unit, by_suit):  # type: ignore[no-untyped-def]
    """Fills out (5,): the chance of the likeliest bet of a hand, of the likeliest without it, and so on."""
    for place in range(BETS):
        out[place] = 0.0
        if hand != 0:
            bet, weight = likeliest_bet(SHORTEST, hand, stock, by_suit, True)
            out[place] = weight / unit
            hand &= ~bet


@kernel
def write_chances(  # type: ignore[no-untyped-def]
    out, phase, hand, bet, written, legal, gamble, unknown, returned, stacked, by_suit
):
    """Fills out (n, 270) in the order of `BLOCKS`; ``legal`` (n,) are the cards that may be written next."""
    best, left = np.empty(BETS), np.empty(BETS)
    for i in range(out.shape[0]):
        row = out[i]
        row[:] = 0.0
        if phase[i] != BET and phase[i] != SAVE:
            continue
        stock = count_stock(unknown[i], returned[i], stacked[i])
        unit = stock[3] * max(np.int64(stacked[i]), 1)
        write_best(best, hand[i] & ~written[i], stock, unit, by_suit)
        row[:BETS] = best
        wins, behind = row[BETS : BETS + ACTIONS], row[BETS + ACTIONS : BETS + 2 * ACTIONS]
        costs = row[BETS + 2 * ACTIONS :]
        highest = 0.0
        for action in range(ACTIONS):
            if action > 0 and (legal[i] >> np.uint64(action - 1)) & ONE == 0:
                continue
            card = bit_of(action - 1) if action > 0 else NO_CARDS
            rest = hand[i] & ~(written[i] | card)
            if phase[i] == SAVE:
                wins[action] = is_won(bet[i], card, gamble[i], by_suit)
            elif written[i] | card != 0:
                wins[action] = chance_of(written[i] | card, rest, stock, unit, by_suit)
            highest = max(highest, wins[action])
            if action > 0:
                write_best(left, rest, stock, unit, by_suit)
                costs[action] = best[0] - left[0]
                costs[ACTIONS + action] = (best[1] + best[2] - left[1] - left[2]) / 2
                costs[2 * ACTIONS + action] = (best[3] + best[4] - left[3] - left[4]) / 2
        for action in range(ACTIONS):
            enough = action == 0 and (phase[i] == SAVE or written[i] != 0)
            if enough or (action > 0 and (legal[i] >> np.uint64(action - 1)) & ONE != 0):
                behind[action] = highest - wins[action]
