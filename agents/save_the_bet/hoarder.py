"""The player that holds what it has once the target is near."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.checks import whole
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.counting import MOST_BETS, SHORTEST, count_stock, likeliest_bet, weigh_bets
from ...games.save_the_bet.kernels import BET, SAVE
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import NO_CARDS, CardSets, size_of
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from .cards import NOTHING
from .player import Player, winning_save
from .rival import BITS, chance_to_lose, expect_card_by_lot


class Hoarder(Player):
    """Bets as `likeliest-save` does, until it is near the target; from there it keeps its cards.

    With the target near a bet is judged by the cards that are missing at the end of the turn. The other is
    taken to bet a card by lot and not to save it. A bet of k cards is lost when only the other wins, and
    exchanged for one card when neither does: k P(only the other wins) + (k - 1) P(neither wins). So it likes
    to win what the other may win too. Of equal bets it takes the lowest sum, then the first suit. Remembers
    nothing and draws nothing.

    Options:
        margin: how many cards short of the target is near, 0-26.
    """

    idea: ClassVar[str] = "Bets what wins oftenest, and near the target what loses it the fewest cards."
    source: ClassVar[str] = "safety first near an aspiration level (Roy 1952)"

    def __init__(self, settings: SaveTheBetSettings, *, margin: int = 6) -> None:
        super().__init__(settings)
        self.margin = whole("margin", margin, 0, 26)

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_hoarder(
            out, SHORTEST, self.settings.target - self.margin, view.phase, view.hand, view.bet,
            view.own_public, view.other_public, view.gamble, unknown_cards(self.settings, view),
            view.returned, view.held, view.stacked, self.by_suit,
        )  # fmt: skip
        return out


@kernel
def write_hoarder(  # type: ignore[no-untyped-def]
    out, sets, near, phase, hand, bet, public, other_public, gamble, unknown, returned, held, stacked, by_suit
):
    """Fills out (n, 1); from ``near`` cards in hand on with the bet that loses the fewest cards."""
    bets = np.empty(MOST_BETS, np.uint64)
    won = np.empty(MOST_BETS, np.uint64)
    weights = np.empty(MOST_BETS, np.int64)
    odds = np.empty(BITS)
    beaten = np.empty(BITS)
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET:
            stock = count_stock(unknown[i], returned[i], stacked[i])
            if held[i, 0] < near:
                out[i, 0], _ = likeliest_bet(sets, hand[i], stock, by_suit, True)
                continue
            expect_card_by_lot(
                odds, beaten, unknown[i], other_public[i], held[i, 1], stock, stacked[i], by_suit
            )
            least = np.inf
            for k in range(weigh_bets(bets, won, weights, sets, hand[i], stock, by_suit, True)):
                chance = weights[k] / (stock[3] * np.int64(stacked[i]))
                lost = cards_lost(size_of(bets[k]), chance, chance_to_lose(won[k], odds, beaten))
                if lost < least - NOTHING:
                    least = lost
                    out[i, 0] = bets[k]


@inline_kernel
def cards_lost(size, chance, beaten):  # type: ignore[no-untyped-def]
    """How many cards a bet is expected to leave missing, that wins and is beaten with these chances."""
    return size * beaten + (size - 1) * (1.0 - chance - beaten)
