"""The kernels of Save The Bet: one pass over a lane for the deal, a phase or a look. Rule: RULES.md §6.

A stack is a set. Its top card is drawn when it is needed, from the turn's own stream of random cards: the
first of them that lies in the stack. So every card of the stack is equally likely, as after any shuffle, and
two tables at the same turn of the same deal turn up the same card as far as their stacks are alike.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import inline_kernel, kernel
from ..streams import Role, fold, gamma_of, mix64
from .sets import NO_CARDS, ONE, SUIT_SET, VALUE, bit_of, size_of, suits_in, sum_of
from .state import NO_CARD, Phase

STOCK: Final = np.uint64(Role.STOCK)
DEAL: Final = np.uint64(0)  # index of the stream that deals the hands; turns have 1, 2, …
CARD_BITS: Final = np.uint64(6)
LOW_CARD: Final = np.uint64(63)
CARDS_IN_WORD: Final = 10  # 6 bits each

BET: Final = int(Phase.BET)
SAVE: Final = int(Phase.SAVE)
OVER: Final = int(Phase.OVER)

NOTHING_BET: Final = 1
NOT_HELD: Final = 2
MIXED_SUITS: Final = 3
SEVERAL_SAVED: Final = 4
WRONG_SUIT: Final = 5


@inline_kernel
def draw_card(cards, state, gamma):  # type: ignore[no-untyped-def]
    """The first random card that is in the set (not empty), and the stream's next state.

    A word of 64 bits names ten cards; codes that are no card are in no set.
    """
    while True:
        state += gamma
        word = mix64(state)
        for _ in range(CARDS_IN_WORD):
            if (cards >> (word & LOW_CARD)) & ONE != 0:
                return np.int64(word & LOW_CARD), state
            word >>= CARD_BITS


@inline_kernel
def phase_of(turn, over):  # type: ignore[no-untyped-def]
    """The `Phase` of a lane that has played so many phases."""
    return OVER if over else np.int64(turn & 1)


@kernel
def deal_hands(hands, public, stack, returned, rows, key, deck, hand_size):  # type: ignore[no-untyped-def]
    """Deals both hands from the whole deck, a card each in turn; the rest is the stack."""
    for lane in rows:
        left = deck
        state = fold(fold(key[lane], STOCK), DEAL)
        gamma = gamma_of(state)
        first = second = NO_CARDS
        for _ in range(hand_size):
            card, state = draw_card(left, state, gamma)
            first |= bit_of(card)
            left ^= bit_of(card)
            card, state = draw_card(left, state, gamma)
            second |= bit_of(card)
            left ^= bit_of(card)
        hands[lane, 0], hands[lane, 1] = first, second
        public[lane, 0] = public[lane, 1] = NO_CARDS
        stack[lane] = left
        returned[lane] = NO_CARDS


@kernel
def find_faults(codes, decisions, rows, turn, hands, bets, gamble):  # type: ignore[no-untyped-def]
    """Fills codes (n, 2) int8 with 0 or the rule a decision (lanes, 2, 1) uint64 breaks."""
    for i in range(rows.shape[0]):
        lane = rows[i]
        for seat in range(2):
            chosen = decisions[lane, seat, 0]
            hand = hands[lane, seat]
            code = 0
            if turn[lane] & 1 == BET:
                if chosen & ~hand != 0:
                    code = NOT_HELD
                elif chosen == 0:
                    if hand != 0:
                        code = NOTHING_BET
                elif suits_in(chosen) > 1:
                    code = MIXED_SUITS
            elif bets[lane, seat] != 0 and chosen != 0:
                if chosen & ~hand != 0:
                    code = NOT_HELD
                elif chosen & (chosen - ONE) != 0:
                    code = SEVERAL_SAVED
                elif chosen & SUIT_SET[gamble[lane]] == 0:
                    code = WRONG_SUIT
            codes[i, seat] = code


@inline_kernel
def is_won(bet, saved, gamble, by_suit):  # type: ignore[no-untyped-def]
    """Whether a bet with its saved card (a set of one or none) wins the gamble; the empty bet never does."""
    if bet == 0:
        return False
    if by_suit and bet & SUIT_SET[gamble] != 0:
        return True
    return sum_of(bet) + sum_of(saved) == VALUE[gamble]


@kernel
def play_phases(  # type: ignore[no-untyped-def]
    hands, bets, public, stack, returned, gamble, last_gamble, last_bets, last_saves, last_won, profit, over,
    decisions, rows, key, turn, by_suit, swap_draws, target, max_turns,
):  # fmt: skip
    """Plays the phase each of these lanes is in: bets and the gamble, or saves, reveal and exchange."""
    for lane in rows:
        profit[lane, 0] = profit[lane, 1] = 0
        if turn[lane] & 1 == BET:
            for seat in range(2):
                bets[lane, seat] = decisions[lane, seat, 0]
                hands[lane, seat] ^= decisions[lane, seat, 0]
            stream = fold(fold(key[lane], STOCK), np.uint64(1 + (turn[lane] >> 1)))
            card, _ = draw_card(stack[lane], stream, gamma_of(stream))
            gamble[lane] = card
            stack[lane] ^= bit_of(card)
            returned[lane] &= ~bit_of(card)
            continue
        card = np.int64(gamble[lane])
        turned = bit_of(card)
        # saves are added to the bets
        bet_0, bet_1 = bets[lane, 0], bets[lane, 1]
        saved_0 = decisions[lane, 0, 0] if bet_0 != 0 else NO_CARDS
        saved_1 = decisions[lane, 1, 0] if bet_1 != 0 else NO_CARDS
        won_0 = is_won(bet_0, saved_0, card, by_suit)
        won_1 = is_won(bet_1, saved_1, card, by_suit)
        table_0, table_1 = bet_0 | saved_0, bet_1 | saved_1
        # who takes which cards; they are public from now on
        if won_0 != won_1:
            gained_0 = (table_0 | table_1 | turned) if won_0 else NO_CARDS
            gained_1 = (table_0 | table_1 | turned) if won_1 else NO_CARDS
        else:
            swapped = not won_0 or swap_draws
            gained_0 = table_1 if swapped else table_0
            gained_1 = table_0 if swapped else table_1
            stack[lane] |= turned
            returned[lane] |= turned
        hand_0 = (hands[lane, 0] & ~saved_0) | gained_0
        hand_1 = (hands[lane, 1] & ~saved_1) | gained_1
        hands[lane, 0], hands[lane, 1] = hand_0, hand_1
        public[lane, 0] = (public[lane, 0] & ~table_0) | gained_0
        public[lane, 1] = (public[lane, 1] & ~table_1) | gained_1
        bets[lane, 0] = bets[lane, 1] = NO_CARDS
        gamble[lane] = NO_CARD
        # the record of the turn
        last_gamble[lane] = card
        last_bets[lane, 0], last_bets[lane, 1] = bet_0, bet_1
        last_saves[lane, 0], last_saves[lane, 1] = saved_0, saved_1
        last_won[lane, 0], last_won[lane, 1] = won_0, won_1
        # the end
        lead = np.int64(size_of(hand_0) >= target) - np.int64(size_of(hand_1) >= target)
        profit[lane, 0], profit[lane, 1] = lead, -lead
        over[lane] = lead != 0 or (turn[lane] + 1) >> 1 >= max_turns


@kernel
def look(  # type: ignore[no-untyped-def]
    turn, phase, hand, bet, own_public, other_public, returned, gamble, held, wagered, stacked,
    rows, seats, turns, over, hands, bets, public, stack, back, gambles,
):  # fmt: skip
    """Fills the arrays of a view, (n,) or (n, 2) each, from the lanes ``rows`` for ``seats``, both (n,)."""
    for i in range(rows.shape[0]):
        lane, own = rows[i], seats[i]
        other = 1 - own
        turn[i] = turns[lane] >> 1
        phase[i] = phase_of(turns[lane], over[lane])
        hand[i] = hands[lane, own]
        bet[i] = bets[lane, own]
        own_public[i] = public[lane, own]
        other_public[i] = public[lane, other]
        returned[i] = back[lane]
        gamble[i] = gambles[lane]
        held[i, 0], held[i, 1] = size_of(hands[lane, own]), size_of(hands[lane, other])
        wagered[i, 0], wagered[i, 1] = size_of(bets[lane, own]), size_of(bets[lane, other])
        stacked[i] = size_of(stack[lane])
