"""The race of Pasteboard Derby, dealt with real cards. Rule: RULES.md §5.

The 48 cards are shuffled a card at a time (Fisher–Yates), and only as far as cards are needed. Places 0–40 of
the deck become the stock, in the order dealt; the seven cards that would then be left are the track. Dealing
the stock first gives the same law as laying the track first, and a race pays only for the cards it turns up.

When the stock runs out, its 41 places are shuffled again with the next stream; the track stays where it is.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..cards import Suit
from ..kernels import Counts, inline_kernel, kernel, read_only
from ..race import DECK, DECK_SIZE
from ..streams import Role, bounded, fold, gamma_of
from .settings import ADVANCES

HORSES: Final = 4
TRACK_CARDS: Final = 7
STOCK_CARDS: Final = DECK_SIZE - TRACK_CARDS
RED: Final = (Suit.HEARTS, Suit.DIAMONDS)
START: Final = 1  # under the first track card
LINE: Final = TRACK_CARDS + 1  # the first position past the last track card
NOBODY: Final = -1
COLUMN: Final = np.array([0, 1, 3, 2], np.int64)  # cards go to hearts, diamonds, spades, clubs
EVERY_HORSE: Final = 0b1111  # sets of horses are bit masks, bit h for horse h
# (16,) the horse of a set of one; NOBODY for every other set
LONE: Final = np.array(
    [members.bit_length() - 1 if members.bit_count() == 1 else NOBODY for members in range(16)], np.int64
)
STOCK: Final = np.uint64(Role.STOCK)
RAIL: Final = np.uint64(Role.RAIL)


def steps_of(advance: str) -> Counts:
    """How far a card moves a horse, (4, 52) int8 by horse and card code; 0 for the aces."""
    steps = np.zeros((HORSES, 52), np.int8)
    for horse in range(HORSES):
        for card in DECK.tolist():
            suit, rank = divmod(card, 13)
            same_colour = (suit in RED) == (horse in RED)
            affinity = 3 if suit == horse else 2 if same_colour else 1
            steps[horse, card] = affinity if advance == ADVANCES[0] else rank + 1
    return read_only(steps)


@inline_kernel
def stream_of(key, role, race):  # type: ignore[no-untyped-def]
    """The key of a race's stock or track, given its episode's key."""
    return fold(fold(key, role), np.uint64(race))


@inline_kernel
def deal_card(deck, place, end, state, gamma):  # type: ignore[no-untyped-def]
    """Brings a uniform one of the cards from ``place`` to before ``end`` to ``place``; returns it and the
    stream's state.
    """
    drawn, state = bounded(state, gamma, np.uint64(end - place))
    source = place + np.int64(drawn)
    card = deck[source]
    deck[source] = deck[place]
    deck[place] = card
    return card, state


@inline_kernel
def leaders(positions, among):  # type: ignore[no-untyped-def]
    """Which horses of a set are farthest on, as a set, and where they are. Positions are above 0."""
    farthest = np.int64(0)
    for horse in range(HORSES):
        farthest = max(farthest, positions[horse] * ((among >> horse) & 1))
    front = np.int64(0)
    for horse in range(HORSES):
        front |= np.int64(positions[horse] == farthest) << horse
    return front & among, farthest


@inline_kernel
def run_race(positions, cards, horses, deck, key, steps, places):  # type: ignore[no-untyped-def]
    """Runs a race until its first one or two places are decided.

    ``positions`` (4,) int64 and ``deck`` (48,) int8 are overwritten. The cards dealt and the horses they went
    to are written to ``cards`` and ``horses``, as far as these reach.

    Returns:
        The horses that are first and second (`NOBODY` where only first was asked) and the number of cards.
    """
    deck[:] = DECK
    positions[:] = START
    shuffle = np.uint64(0)
    state = fold(key, shuffle)
    gamma = gamma_of(state)
    place, end = np.int64(0), np.int64(DECK_SIZE)
    dealt = np.int64(0)
    first = second = np.int64(NOBODY)
    found = 0
    running = np.int64(EVERY_HORSE)
    while found < places:
        # a round: a card to each horse that runs
        for turn in range(HORSES):
            horse = COLUMN[turn]
            if (running >> horse) & 1 == 0:
                continue
            if place == STOCK_CARDS:
                shuffle += np.uint64(1)
                state = fold(key, shuffle)
                gamma = gamma_of(state)
                place, end = np.int64(0), np.int64(STOCK_CARDS)
            card, state = deal_card(deck, place, end, state, gamma)
            place += 1
            positions[horse] += steps[horse, card]
            if dealt < cards.shape[0]:
                cards[dealt] = card
                horses[dealt] = horse
            dealt += 1
        # the places that round has decided; horses that were level in a run-off are past the line for good
        while found < places:
            front, farthest = leaders(positions, running)
            if farthest < LINE:
                break
            if LONE[front] == NOBODY:
                running = front  # they run off
                break
            first, second = (LONE[front], second) if found == 0 else (first, LONE[front])
            found += 1
            running ^= front
    return first, second, dealt


@kernel
def show_race(cards, horses, positions, deck, key, race, steps, places):  # type: ignore[no-untyped-def]
    """Runs a race again for its record: fills ``cards`` and ``horses``, returns how many cards it took."""
    _, _, dealt = run_race(positions, cards, horses, deck, stream_of(key, STOCK, race), steps, places)
    return dealt


@kernel
def show_track(track, deck, key, race):  # type: ignore[no-untyped-def]
    """Fills ``track`` (7,) int8 with the face-down cards of a race: those not in its stock, shuffled."""
    deck[:] = DECK
    state = fold(stream_of(key, STOCK, race), np.uint64(0))
    gamma = gamma_of(state)
    for place in range(STOCK_CARDS):
        _, state = deal_card(deck, place, DECK_SIZE, state, gamma)
    state = stream_of(key, RAIL, race)
    gamma = gamma_of(state)
    for place in range(STOCK_CARDS, DECK_SIZE):
        track[place - STOCK_CARDS], state = deal_card(deck, place, DECK_SIZE, state, gamma)
