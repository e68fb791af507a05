"""The player that answers one turn of an opponent whose every choice is by lot."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.cards import CARDS, RANKS
from ...games.checks import whole
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.counting import MOST_BETS, SHORTEST, WIDTH, count_stock, weigh_bets
from ...games.save_the_bet.kernels import BET, SAVE, draw_card
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import NO_CARDS, ONE, SUIT_SET, VALUE, CardSets, bit_of, size_of, sum_of
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws, bounded, fold, gamma_of
from .anchors import count_bets, nth_bet
from .cards import WORTH, first_best, worth_of
from .player import Player, cards_worth, stream_keys, winning_save

MOST_PUT_IN: Final = RANKS + 1  # the other's bet and a saved card
RATE: Final = 0.11
"""Log odds of winning the game for each card one is ahead, hands being equally good: a logistic regression on
10,000 games of `thrifty` against itself.
"""


class OneTurn(Player):
    """Best response, for one turn, to an opponent that draws its bet and its save from all legal ones.

    The other's hand is drawn from what its seat does not know, and a bet for it, several times; for each
    gamble and each of its saves the turn is then worked out. A position at the end of the turn is worth the
    chance to win the game from there: 1 or 0 at the target, else 1 / (1 + exp(-RATE lead)), where the lead is
    the own cards less the other's, less what the hand is worth less without a bet that was lost (`cards`).
    Of equal bets it takes the lowest sum, then the first suit.

    Options:
        samples: how many hands and bets of the other are drawn, 1-10000.
    """

    idea: ClassVar[str] = "Best response, a turn deep, to an opponent that bets and saves by lot."
    source: ClassVar[str] = "level-k reasoning, level 1 (Stahl and Wilson 1995)"

    def __init__(self, settings: SaveTheBetSettings, *, samples: int = 32) -> None:
        super().__init__(settings)
        self.samples = whole("samples", samples, 1, 10_000)

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_one_turn(
            out, SHORTEST, WORTH, stream_keys(draws), self.samples, self.settings.target, view.phase,
            view.hand, view.bet, view.own_public, view.other_public, view.gamble,
            unknown_cards(self.settings, view), view.returned, view.held, view.stacked, self.by_suit,
            self.swaps_draws,
        )  # fmt: skip
        return out


@kernel
def draw_hand(unknown, other_public, held, state, gamma):  # type: ignore[no-untyped-def]
    """A hand the other may have, uniform among those the seat cannot tell apart, and the next state."""
    hand = other_public
    for _ in range(np.int64(held) - size_of(other_public)):
        card, state = draw_card(unknown & ~hand, state, gamma)
        hand |= bit_of(card)
    return hand, state


@kernel
def imagine_turns(  # type: ignore[no-untyped-def]
    mass, key, samples, unknown, other_public, returned, held, stock, stacked, by_suit
):
    """Fills mass (52, 2, 15): the chance that a card is the gamble, that the other then wins (1) or not (0),
    and that it has put in so many cards, its saved one included.

    Its hand and bet are drawn ``samples`` times, from the stream with this key; its save, by lot too, is
    worked out. Chances of a gamble add up to its counting odds, whatever was drawn.
    """
    mass[:] = 0.0
    gamma = gamma_of(key)
    state = key
    for _ in range(samples):
        hand, state = draw_hand(unknown, other_public, held, state, gamma)
        bet = NO_CARDS
        if hand != 0:
            number, state = bounded(state, gamma, np.uint64(count_bets(hand)))
            bet = nth_bet(hand, np.int64(number))
        left, size, total = hand & ~bet, size_of(bet), sum_of(bet)
        stack = (unknown & ~hand) | returned
        for card in range(CARDS):
            if (stack >> np.uint64(card)) & ONE == 0:
                continue
            saves = size_of(left & SUIT_SET[card]) if bet != 0 else 0
            part = 1.0 / (saves + 1)
            if by_suit and bet & SUIT_SET[card] != 0:
                mass[card, 1, size] += part
                mass[card, 1, size + 1] += part * saves
                continue
            missing = VALUE[card] - total
            winning = size_of(cards_worth(left, card // RANKS, missing)) if missing > 0 else 0
            mass[card, 1 if missing == 0 and bet != 0 else 0, size] += part
            mass[card, 1, size + 1] += part * winning
            mass[card, 0, size + 1] += part * (saves - winning)
    unit = stock[3] * np.int64(stacked)
    for card in range(CARDS):
        odds = 0.0
        if (unknown >> np.uint64(card)) & ONE != 0:
            odds = stock[2] / unit
        elif (returned >> np.uint64(card)) & ONE != 0:
            odds = stock[3] / unit
        seen = mass[card].sum()
        if seen > 0.0:
            mass[card] *= odds / seen
        else:  # it was in every hand drawn
            mass[card, 0, 1 if held > 0 else 0] = odds


@inline_kernel
def promise(own, other, missed, target):  # type: ignore[no-untyped-def]
    """The chance to win the game with so many cards, having lost cards worth ``missed`` to the hand."""
    if own >= target:
        return 1.0
    if other >= target:
        return 0.0
    return 1.0 / (1.0 + np.exp(-RATE * (own - other - missed)))


@kernel
def promise_of_bet(mass, won, size, missed, own, other, target, swaps_draws):  # type: ignore[no-untyped-def]
    """The chance to win the game after betting ``size`` cards that win the gambles of a sheet."""
    total = 0.0
    for put_in in range(MOST_PUT_IN + 1):
        alone = both = neither = beaten = 0.0
        for card in range(CARDS):
            if (won >> np.uint64(card + (WIDTH - RANKS) * (card // RANKS) + 1)) & ONE != 0:
                alone += mass[card, 0, put_in]
                both += mass[card, 1, put_in]
            else:
                neither += mass[card, 0, put_in]
                beaten += mass[card, 1, put_in]
        moved = put_in - size
        exchanged = promise(own + moved, other - moved, missed, target)
        total += alone * promise(own + put_in + 1, other - put_in, 0.0, target)
        total += both * (exchanged if swaps_draws else promise(own, other, 0.0, target))
        total += neither * exchanged
        total += beaten * promise(own - size, other + size + 1, missed, target)
    return total


@kernel
def write_one_turn(  # type: ignore[no-untyped-def]
    out, sets, worth, keys, samples, target, phase, hand, bet, public, other_public, gamble, unknown,
    returned, held, stacked, by_suit, swaps_draws,
):  # fmt: skip
    """Fills out (n, 1) with the best response to a turn by lot, or the winning save."""
    mass = np.empty((CARDS, 2, MOST_PUT_IN + 1))
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
            imagine_turns(
                mass, fold(keys[i], np.uint64(0)), samples, unknown[i], other_public[i], returned[i],
                held[i, 1], stock, stacked[i], by_suit,
            )  # fmt: skip
            whole = worth_of(sets, worth, hand[i], stock, stacked[i], by_suit)
            count = weigh_bets(bets, won, weights, sets, hand[i], stock, by_suit, True)
            for k in range(count):
                missed = whole - worth_of(sets, worth, hand[i] & ~bets[k], stock, stacked[i], by_suit)
                scores[k] = promise_of_bet(
                    mass, won[k], size_of(bets[k]), missed, held[i, 0], held[i, 1], target, swaps_draws
                )
            out[i, 0] = bets[first_best(scores, count)]
