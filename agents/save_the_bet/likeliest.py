"""The players that bet what wins oftenest, with and without a look at what they could save."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.kernels import kernel
from ...games.save_the_bet.counting import SHORTEST, count_stock, likeliest_bet
from ...games.save_the_bet.kernels import BET, SAVE
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import NO_CARDS, CardSets
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from .player import Player, winning_save


class Likeliest(Player):
    """Bets what wins oftenest as it lies, by the counting odds of suit and value; saves when that wins.

    Of equal bets it takes the one with the fewest cards, then the lowest sum, then the first suit. Remembers
    nothing and draws nothing.
    """

    idea: ClassVar[str] = "Counts the cards and bets what wins oftenest by suit or value."
    source: ClassVar[str] = "counting odds (RULES.md §6), as card counters use them (Thorp 1962)"
    looks_at_saves: ClassVar[bool] = False

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_likeliest(
            out, SHORTEST, view.phase, view.hand, view.bet, view.own_public, view.gamble,
            unknown_cards(self.settings, view), view.returned, view.stacked, self.by_suit,
            self.looks_at_saves,
        )  # fmt: skip
        return out


class LikeliestSave(Likeliest):
    """Bets what wins oftenest when the cards left in hand are there to save it.

    Between equal bets it decides as `likeliest` does. Remembers nothing and draws nothing.
    """

    idea: ClassVar[str] = "Bets what wins oftenest by suit, by value or with a card of its own to save it."
    source: ClassVar[str] = "counting odds (RULES.md §6) of the bet and its save together"
    looks_at_saves: ClassVar[bool] = True


@kernel
def write_likeliest(  # type: ignore[no-untyped-def]
    out, sets, phase, hand, bet, public, gamble, unknown, returned, stacked, by_suit, saves
):
    """Fills out (n, 1) with the likeliest bet or the winning save."""
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET:
            stock = count_stock(unknown[i], returned[i], stacked[i])
            out[i, 0], _ = likeliest_bet(sets, hand[i], stock, by_suit, saves)
