from __future__ import annotations
from typing import ClassVar
import numpy as np
from ...games.cards import RANKS
from ...games.kernels import inline_kernel, kernel
from ...games.save_the_bet.kernels import BET, SAVE
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import NO_CARDS, CardSets, size_of, bit_of, SUIT_SET
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from .counting import count_cards, won_in_suit
from .player import HIGHEST, SHORTEST, SUITS, Player, ranks_in, values_in, winning_save


class Likeliest(Player):
    idea: ClassVar[str] = (
        "Bets what wins oftenest by suit or value as the cards are counted, and saves when that wins."
    )
    source: ClassVar[str] = "counting odds"
    saves = False

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.empty((len(view.lane), 1), np.uint64)
        write_likeliest(
            out,
            SHORTEST,
            view.phase,
            view.hand,
            view.bet,
            view.own_public,
            view.gamble,
            self.by_suit,
            unknown_cards(self.settings, view),
            view.returned,
            view.stacked,
            self.saves,
        )
        return out


class LikeliestSave(Likeliest):
    saves = True


@kernel
def write_likeliest(out, sets, phase, hand, bet, public, gamble, by_suit, unknown, returned, stacked, saves):
    weights = np.empty((SUITS, HIGHEST + 1), np.int64)
    for i in range(out.shape[0]):
        out[i, 0] = NO_CARDS
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)
        elif phase[i] == BET:
            count_cards(weights, unknown[i], returned[i], stacked[i])
            best = np.int64(-1)
            fewest = 99
            for total in range(1, HIGHEST + 1):
                allw = np.int64(0)
                for suit in range(SUITS):
                    allw += won_in_suit(weights, suit, total, values_in(hand[i], suit) if saves else 0)
                for suit in range(SUITS):
                    held = ranks_in(hand[i], suit)
                    ranks = np.int64(sets[held, total])
                    if ranks == 0:
                        continue
                    won = allw - won_in_suit(weights, suit, total, values_in(hand[i], suit) if saves else 0)
                    if by_suit:
                        won += weights[suit, 0]
                    else:
                        won += won_in_suit(
                            weights, suit, total, values_in(np.uint64(held & ~ranks), 0) if saves else 0
                        )
                    size = size_of(np.uint64(ranks))
                    if won > best or (won == best and size < fewest):
                        best = won
                        fewest = size
                        out[i, 0] = np.uint64(ranks) << np.uint64(RANKS * suit)
