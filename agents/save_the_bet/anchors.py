"""The plainest players, by which the others are measured."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.cards import RANKS
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.counting import SUITS
from ...games.save_the_bet.kernels import BET, SAVE
from ...games.save_the_bet.sets import NO_CARDS, ONE, SUIT_SET, CardSets, bit_of, size_of
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from .player import ALL_ONES, Player, lowest, winning_save


class Random(Player):
    """Takes any legal bet and any legal save, none included, all equally likely. Draws once a decision."""

    idea: ClassVar[str] = "Draws its bet from all legal bets and its save from all legal saves."
    source: ClassVar[str] = "level 0 of the level-k models (Stahl and Wilson 1995)"

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_random(out, draws.uniform(1), view.phase, view.hand, view.gamble)
        return out


class Shortest(Player):
    """Bets one card drawn from its hand, saves when that wins. Draws a number a decision."""

    idea: ClassVar[str] = "Bets the least there is, a single card by lot, and saves when that wins."
    source: ClassVar[str] = "the shortest bet: a bet wins the other's cards, its own it can only lose"

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_shortest(
            out, draws.uniform(1), view.phase, view.hand, view.bet, view.own_public, view.gamble, self.by_suit
        )
        return out


class FaceCard(Player):
    """Bets an ace, jack, queen or king, of the suit it holds fewest cards of, where more are in the stack.

    Four cards of each suit are worth 1, so such a card wins oftenest. Without one it bets its lowest value.
    Equal cards stand in suit-then-rank order. Remembers nothing and draws nothing.
    """

    idea: ClassVar[str] = "Bets a single card worth 1, the commonest value, of the suit it holds least of."
    source: ClassVar[str] = "a rule of thumb from the values of the cards"

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_face_card(out, view.phase, view.hand, view.bet, view.own_public, view.gamble, self.by_suit)
        return out


@inline_kernel
def nth_card(cards, number):  # type: ignore[no-untyped-def]
    """The set of the card with so many lower ones in the set."""
    for _ in range(number):
        cards &= cards - ONE
    return lowest(cards)


@inline_kernel
def count_bets(hand):  # type: ignore[no-untyped-def]
    """How many bets are legal: Σ (2ⁿ - 1) over the suits, n cards held of each."""
    bets = 0
    for suit in range(SUITS):
        bets += (1 << size_of(hand & SUIT_SET[RANKS * suit])) - 1
    return bets


@kernel
def nth_bet(hand, number):  # type: ignore[no-untyped-def]
    """The legal bet of this number, from 0: suit by suit, in a suit by the binary digits of the number."""
    bet = NO_CARDS
    for suit in range(SUITS):
        held = hand & SUIT_SET[RANKS * suit]
        here = (1 << size_of(held)) - 1
        if number < here:
            for place in range(size_of(held)):
                if ((number + 1) >> place) & 1 != 0:
                    bet |= nth_card(held, place)
            break
        number -= here
    return bet


@kernel
def write_random(out, drawn, phase, hand, gamble):  # type: ignore[no-untyped-def]
    """Fills out (n, 1) with one of the legal decisions by drawn (n, 1) in [0, 1)."""
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            legal = hand[i] & SUIT_SET[gamble[i]]
            number = np.int64(drawn[i, 0] * (size_of(legal) + 1))
            if number > 0:
                out[i, 0] = nth_card(legal, number - 1)
        elif phase[i] == BET:
            out[i, 0] = nth_bet(hand[i], np.int64(drawn[i, 0] * count_bets(hand[i])))


@kernel
def write_shortest(out, drawn, phase, hand, bet, public, gamble, by_suit):  # type: ignore[no-untyped-def]
    """Fills out (n, 1): a card of the hand by drawn (n, 1) in [0, 1), or the winning save."""
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET:
            out[i, 0] = nth_card(hand[i], np.int64(drawn[i, 0] * size_of(hand[i])))


@kernel
def write_face_card(out, phase, hand, bet, public, gamble, by_suit):  # type: ignore[no-untyped-def]
    """Fills out (n, 1): a card worth 1 of the shortest suit that has one, or the winning save."""
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET:
            shortest = RANKS + 1
            for suit in range(SUITS):
                held = hand[i] & SUIT_SET[RANKS * suit]
                if held & ALL_ONES != 0 and size_of(held) < shortest:
                    shortest = size_of(held)
                    out[i, 0] = lowest(held & ALL_ONES)
            if shortest > RANKS:
                out[i, 0] = lowest_value(hand[i])


@inline_kernel
def lowest_value(hand):  # type: ignore[no-untyped-def]
    """The set of the card of the lowest value in a hand without cards worth 1."""
    for rank in range(RANKS):
        for suit in range(SUITS):
            if hand & bit_of(RANKS * suit + rank) != 0:
                return bit_of(RANKS * suit + rank)
    return NO_CARDS
