"""The race, dealt with real cards: rail, stock, order of finish. Rule: RULES.md §1.

A deck is shuffled in place, a card at a time (Fisher–Yates), and only as far as cards are needed: the rail
first, then the stock until the asked number of places is decided. Afterwards the deck itself is the record:
``deck[:rail]`` is the rail and ``deck[rail:dealt]`` the stock cards in the order they were dealt.

The rail has one stream and the stock another, joined by the *swaps* of the rail (which place each rail card
was taken from), so a table can be set up with any rail and a fresh stock.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .kernels import Counts, inline_kernel
from .streams import LOW_32, fold, gamma_of, mix64

DECK_SIZE: Final = 48
SUITS: Final = 4
# 13 * suit + rank without the four aces
DECK: Final = np.array([13 * suit + rank for suit in range(4) for rank in range(1, 13)], np.int8)
EACH_SUIT: Final = np.uint64(0x0001000100010001)
EACH_TOP: Final = np.uint64(0x8000800080008000)
MOVE: Final = np.array(
    [1 << (16 * (card // 13)) for card in range(52)], np.uint64
)  # (52,) card -> its suit's step
SHIFT: Final = np.array([16 * (card // 13) for card in DECK], np.int8)  # (48,) the bit its suit begins at
EACH_HOME: Final = np.uint64(0x0100010001000100)
EACH_NUMBER: Final = np.uint64(0x0003000200010000)
LOW_16: Final = np.uint64(0xFFFF)
ONE: Final = np.uint64(1)


@inline_kernel
def order_index(first, second, third):  # type: ignore[no-untyped-def]
    """The number 0–23 of an order of finish in lexicographic order of suit indices."""
    second_rank = second - (first < second)
    third_rank = third - (first < third) - (second < third)
    return first * 6 + second_rank * 2 + third_rank


@inline_kernel
def pick(half, left, state, gamma):  # type: ignore[no-untyped-def]
    """An exactly uniform integer below ``left`` from 32 random bits, and the stream's state.

    Where those bits are among the few that would make small numbers likelier, fresh words are drawn instead
    (Lemire 2019, as in `streams.bounded`).
    """
    product = half * left
    if (product & LOW_32) < left:
        threshold = (np.uint64(0x100000000) - left) % left
        while (product & LOW_32) < threshold:
            state += gamma
            product = (mix64(state) >> np.uint64(32)) * left
    return np.int64(product >> np.uint64(32)), state


@inline_kernel
def lay_out(deck):  # type: ignore[no-untyped-def]
    """A fresh deck. A loop, since copying by slice checks for overlap and costs three times as much."""
    for place in range(DECK_SIZE):
        deck[place] = DECK[place]


@inline_kernel
def deal_card(deck, place, half, state, gamma):  # type: ignore[no-untyped-def]
    """Deals an undealt card to ``place``; the card, the place it came from and the stream's state."""
    drawn, state = pick(half, np.uint64(DECK_SIZE - place), state, gamma)
    source = place + drawn
    card = deck[source]
    deck[source] = deck[place]
    deck[place] = card
    return card, source, state


@inline_kernel
def deal_rail(deck, cards, swaps, counts, key, reshuffle_at):  # type: ignore[no-untyped-def]
    """Deals the rail into ``cards`` (rail,) int8, with its ``swaps`` (rail,) int8 and the ``counts`` (4,)
    int8 of its suits; again with the next stream while a suit shows ``reshuffle_at`` cards or more.
    """
    state = fold(key, np.uint64(0))
    deal_rail_from(deck, cards, swaps, counts, key, state, gamma_of(state), reshuffle_at)


@inline_kernel
def deal_rail_from(  # type: ignore[no-untyped-def]
    deck, cards, swaps, counts, key, state, gamma, reshuffle_at
):
    """`deal_rail` where the first stream is known: its state is ``fold(key, 0)``.

    Finding it is a chain of steps that wait for each other; a caller can have them under way beside a race.
    """
    attempt = np.uint64(0)
    while True:
        lay_out(deck)
        word = np.uint64(0)
        shown = EACH_SUIT * np.uint64(0x8000 - reshuffle_at)
        for place in range(cards.shape[0]):
            if place & 1 == 0:
                state += gamma
                word = mix64(state)
            card, source, state = deal_card(deck, place, word >> np.uint64(32), state, gamma)
            word <<= np.uint64(32)
            swaps[place] = source
            cards[place] = card
            shown += MOVE[card]
        if shown & EACH_TOP == 0:
            for suit in range(SUITS):
                most = np.int64((shown >> np.uint64(16 * suit)) & np.uint64(0xFFFF))
                counts[suit] = most - (0x8000 - reshuffle_at)
            return
        attempt += np.uint64(1)
        state = fold(key, attempt)
        gamma = gamma_of(state)


@inline_kernel
def run_race(deck, swaps, key, finish, places):  # type: ignore[no-untyped-def]
    """Deals the stock behind the rail with these swaps until ``places`` horses are home.

    Returns the order of finish as its number 0–23 and how many cards the deck has dealt, rail included.
    Horses that are not home are placed behind the others in suit order (only the places asked count).

    The stock cards of each suit are counted in 16 bits of one word, starting so that the top bit is set by
    the card that brings the horse home and by no other.
    """
    lay_out(deck)
    rail = swaps.shape[0]
    for place in range(rail):
        source = swaps[place]
        deck[place], deck[source] = deck[source], deck[place]
    gamma = gamma_of(key)
    state = key
    word = np.uint64(0)
    moves = EACH_SUIT * np.uint64(0x8000 - finish)
    arrived = np.uint64(0)
    home = 0
    first = second = third = np.int64(-1)
    place = rail
    while home < places and place < DECK_SIZE:
        if (place - rail) & 1 == 0:  # a word of 64 bits picks two cards
            state += gamma
            word = mix64(state)
        card, _, state = deal_card(deck, place, word >> np.uint64(32), state, gamma)
        word <<= np.uint64(32)
        place += 1
        moves += MOVE[card]
        if moves & EACH_TOP != arrived:
            arrived = moves & EACH_TOP
            third, second, first = second, first, np.int64(card // 13)  # the newest in front
            home += 1
    # turn the newest-first arrivals round, and place horses that are not home behind them
    if home == 3:
        first, third = third, first
    elif home == 2:
        first, second = second, first
    for suit in range(SUITS):
        if home < 3 and (arrived >> np.uint64(16 * suit)) & np.uint64(0x8000) == 0:
            if home == 0:
                first = np.int64(suit)
            elif home == 1:
                second = np.int64(suit)
            else:
                third = np.int64(suit)
            home += 1
    return order_index(first, second, third), place


@inline_kernel
def win_race(deck, laid, swaps, lane, key, finish):  # type: ignore[no-untyped-def]
    """The suit that wins the race `run_race` runs behind a lane of swaps (lanes, rail), which are copied to
    ``laid``; -1 where this quicker way cannot tell and `run_race` has to.

    As many cards are dealt as the longest race takes, in pairs and without asking who is home: every race
    takes the same way through the code, which a processor foresees. The deck (it holds suits here, no cards)
    is no record. Draws that might have to be made again are not looked into, they only make it give up.

    Stock cards are counted in 16 bits of a word for each suit, starting so that the ninth bit is set once the
    horse is home. Those bits are added up card by card: the sum is largest for the horse home longest.
    """
    for place in range(DECK_SIZE):
        deck[place] = SHIFT[place]
    rail = swaps.shape[1]
    for place in range(rail):
        source = swaps[lane, place]
        laid[lane, place] = source
        deck[np.uint64(source)] = deck[place]
    gamma = gamma_of(key)
    state = key
    moves = EACH_SUIT * np.uint64(0x100 - finish)
    since = np.uint64(0)
    smallest = LOW_32
    front = np.uint64(rail)
    left = np.uint64(DECK_SIZE - rail)
    for _ in range(min(2 * finish - 1, (DECK_SIZE - rail) >> 1)):  # 4 (finish - 1) + 1 cards at most
        state += gamma
        word = mix64(state)
        product = (word >> np.uint64(32)) * left
        smallest = min(smallest, product & LOW_32)
        drawn = front + (product >> np.uint64(32))
        moves += ONE << np.uint64(deck[drawn])
        since += moves & EACH_HOME
        deck[drawn] = deck[front]
        front += ONE
        left -= ONE
        product = (word & LOW_32) * left
        smallest = min(smallest, product & LOW_32)
        drawn = front + (product >> np.uint64(32))
        moves += ONE << np.uint64(deck[drawn])
        since += moves & EACH_HOME
        deck[drawn] = deck[front]
        front += ONE
        left -= ONE
    ranked = since | EACH_NUMBER
    first = max(ranked & LOW_16, (ranked >> np.uint64(16)) & LOW_16)
    second = max((ranked >> np.uint64(32)) & LOW_16, ranked >> np.uint64(48))
    told = since != 0 and smallest >= np.uint64(DECK_SIZE)
    return np.int64(max(first, second) & np.uint64(3)) if told else -1


def swaps_that_lay(cards: Counts) -> Counts:
    """The swaps that lay these rail cards, in this order, from a fresh deck."""
    deck, swaps = DECK.tolist(), []
    for place, card in enumerate(cards):
        source = deck.index(card)
        deck[place], deck[source] = deck[source], deck[place]
        swaps.append(source)
    return np.array(swaps, np.int8)
