"""The players that count what a bet brings and costs in cards.

A turn moves three things. The own bet of k cards goes to the other exactly when it does not win, on a blank
as well as when the other wins; the other's bet comes over exactly when that does not win, whatever the own
one does; and whoever wins alone takes the gamble. With p and p' the chances that the own bet wins, saved if
need be, and that the other's does, the own cards less the other's change by

    - 2 k (1 - p) + 2 E[the other's cards that do not win] + P(only I win) - P(only the other wins),

and the last two differ by p - p', for what is common to p and p' is a draw. So whatever the other does, the
bet that is best in cards has the largest

    p - 2 k (1 - p).

A card is not only one of 26. The cards in hand are the bets and saves to come, and the one that is lost goes
to the other. `worth_of` says what a hand is good for: the chance of its best bet, of the best without that,
and so on, five bets deep, as many cards as each chance is worth. A bet that is lost costs what the hand is
worth less without it:

    p - (1 - p) (2 k + worth(hand) - worth(hand without the bet)).

Where a draw swaps the bets, the own one is kept only if it wins alone. There a model of the other is needed:
it is taken to win as often as the own likeliest bet would, whatever the gamble.
"""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.kernels import Floats, inline_kernel, kernel
from ...games.save_the_bet.counting import MOST_BETS, SHORTEST, count_stock, likeliest_bet, weigh_bets
from ...games.save_the_bet.kernels import BET, SAVE
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import NO_CARDS, CardSets, size_of
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from .player import Player, winning_save

NOTHING: Final = 1e-9  # cards of difference that rounding can feign
WORTH: Final = np.array([12.0, 9.0, 9.0, 6.0, 3.0])
"""(5,) cards that a chance of 1 is worth, of the best bet in hand, of the next best, and so on.

Found by trial: of a dozen such rows this one did best against `likeliest-save`, `face-card` and the row
10, 7, 7, 7, over 3,000 deals each, every one played twice with hands exchanged.
"""


class Cards(Player):
    """Bets for the most cards at the end of the turn, its own less the other's.

    Of equal bets it takes the lowest sum, then the first suit. Remembers nothing and draws nothing.
    """

    idea: ClassVar[str] = "Bets what leaves it the most cards, own less the other's, at the end of the turn."
    source: ClassVar[str] = "expected value: what a bet wins, loses and swaps (RULES.md §6)"
    worth: ClassVar[Floats] = WORTH[:0]

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_best_in_cards(
            out, SHORTEST, self.worth, view.phase, view.hand, view.bet, view.own_public, view.gamble,
            unknown_cards(self.settings, view), view.returned, view.stacked, self.by_suit, self.swaps_draws,
        )  # fmt: skip
        return out


class Thrifty(Cards):
    """Bets for cards as `cards` does, and counts the bets and saves to come that would be lost with a bet.

    It parts with a ten, which can seldom be saved and saves nothing, where others risk their only ace. Of
    equal bets it takes the lowest sum, then the first suit. The worth of cards was found for the default
    rules; where draws swap the bets `likeliest-save` is better. Remembers nothing and draws nothing.
    """

    idea: ClassVar[str] = "Bets for cards, but keeps the cards that its next bets and saves are made of."
    source: ClassVar[str] = "one step of lookahead with a hand-made value of the cards kept"
    worth: ClassVar[Floats] = WORTH


@kernel
def worth_of(sets, worth, hand, stock, stacked, by_suit):  # type: ignore[no-untyped-def]
    """What a hand is good for, in cards: the chances of its best bets one after the other, by ``worth``."""
    total = 0.0
    for place in range(worth.shape[0]):
        bet, weight = likeliest_bet(sets, hand, stock, by_suit, True)
        total += worth[place] * weight
        hand &= ~bet
    return total / (stock[3] * np.int64(stacked))


@inline_kernel
def gain_of(chance, kept, size, missed):  # type: ignore[no-untyped-def]
    """What a bet brings in cards, own less the other's, but for what does not depend on it.

    Args:
        chance: that it wins; kept: that it is not lost; size: its cards; missed: what the hand is worth less.
    """
    return chance - (1.0 - kept) * (2.0 * size + missed)


@kernel
def score_bets(  # type: ignore[no-untyped-def]
    scores, bets, won, weights, sets, worth, hand, stock, stacked, by_suit, swaps_draws
):
    """Lists the bets of a hand as `weigh_bets` does, with their gains in scores (40,); returns how many."""
    count = weigh_bets(bets, won, weights, sets, hand, stock, by_suit, True)
    unit = stock[3] * np.int64(stacked)
    other = 0.0  # the chance that the other wins, where that matters
    if swaps_draws:
        _, weight = likeliest_bet(sets, hand, stock, by_suit, True)
        other = weight / unit
    whole = worth_of(sets, worth, hand, stock, stacked, by_suit)
    for k in range(count):
        chance = weights[k] / unit
        missed = whole - worth_of(sets, worth, hand & ~bets[k], stock, stacked, by_suit)
        scores[k] = gain_of(chance, chance * (1.0 - other), size_of(bets[k]), missed)
    return count


@inline_kernel
def first_best(scores, count):  # type: ignore[no-untyped-def]
    """The place of the best of so many scores, the first of equals."""
    best = 0
    for k in range(1, count):
        if scores[k] > scores[best] + NOTHING:
            best = k
    return best


@kernel
def write_best_in_cards(  # type: ignore[no-untyped-def]
    out, sets, worth, phase, hand, bet, public, gamble, unknown, returned, stacked, by_suit, swaps_draws
):
    """Fills out (n, 1) with the bet that brings the most cards, or the winning save."""
    scores = np.empty(MOST_BETS)
    bets = np.empty(MOST_BETS, np.uint64)
    won = np.empty(MOST_BETS, np.uint64)
    weights = np.empty(MOST_BETS, np.int64)
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET and hand[i] != 0:
            stock = count_stock(unknown[i], returned[i], stacked[i])
            count = score_bets(
                scores, bets, won, weights, sets, worth, hand[i], stock, stacked[i], by_suit, swaps_draws
            )
            out[i, 0] = bets[first_best(scores, count)]
