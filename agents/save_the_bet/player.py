"""What every Save The Bet agent starts from: the bets worth a thought, and the save that wins.

**Bets.** What a bet can win is the other's cards and the gamble; its own cards it can only lose. By suit a
bet wins whatever its size, and by value only with a sum of 10 or less. So of all bets of one suit and one sum
the one with the fewest cards is as good as any on the day, and a sum above 10 is worse than a single card.
That leaves at most 40 bets of the Σ (2ⁿ - 1) legal ones: `SHORTEST` has them by suit and sum.

**Saves.** When a save is asked the gamble is known. Let k cards be bet and m be what the other has put in.

- The bet is won without a save: one more card cannot win it again, and can spoil it. None is saved.
- It is lost and no card makes it win: a card given goes to the other, if it loses alone or on a blank.
- It is lost and a card d of the gamble's suit makes the sum: with it m + 1 cards are won instead of m - k on
  a blank, or, where the other wins, the k cards come back (a swap: m - k - 1) instead of being lost.

So the winning save is best whatever the other does, in cards held at the end of the turn, and where there is
none nothing is saved. Of several winning cards (an ace, J, Q or K) one the other knows of is shown.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...games.cards import RANKS
from ...games.kernels import Keys, inline_kernel
from ...games.save_the_bet.counting import ONES, SUITS
from ...games.save_the_bet.sets import NO_CARDS, ONE, ONE_SUIT, SUIT_SET, VALUE, bit_of, sum_of
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import SaveTheBetView
from ...games.streams import Draws
from ..contract import Agent

ALL_ONES: Final = np.uint64(sum(ONES << (RANKS * suit) for suit in range(SUITS)))  # the cards worth 1


class Player(Agent[SaveTheBetView]):
    """A seat at Save The Bet: returns sets of cards (n, 1) uint64, a bet or a save as the phase asks."""

    settings: SaveTheBetSettings

    def __init__(self, settings: SaveTheBetSettings) -> None:
        super().__init__(settings)
        self.by_suit = settings.wins_by == "suit_or_value"
        self.swaps_draws = settings.draw_returns == "swap"


def stream_keys(draws: Draws) -> Keys:
    """(n,) uint64: a key for each row, for kernels that draw as they go. Takes one call of the draws."""
    halves = draws.integers(1 << 32, 2).astype(np.uint64)
    keys: Keys = (halves[:, 0] << np.uint64(32)) | halves[:, 1]
    return keys


@inline_kernel
def lowest(cards):  # type: ignore[no-untyped-def]
    """The set of the lowest card of a set, empty if that is."""
    return cards & (~cards + ONE)


@inline_kernel
def cards_worth(cards, suit, value):  # type: ignore[no-untyped-def]
    """Those cards of a set that are of this suit and worth 1-10."""
    if value == 1:
        return cards & ALL_ONES & (ONE_SUIT << np.uint64(RANKS * suit))
    return cards & bit_of(RANKS * suit + value - 1)


@inline_kernel
def discreet(cards, public):  # type: ignore[no-untyped-def]
    """The set of one card of a set of equals: the lowest of those the other knows of, else the lowest."""
    known = cards & public
    return lowest(known) if known != 0 else lowest(cards)


@inline_kernel
def winning_save(hand, bet, public, gamble, by_suit):  # type: ignore[no-untyped-def]
    """The one card (a set) that turns this lost bet into a won one; no card if it is won or there is none."""
    if by_suit and bet & SUIT_SET[gamble] != 0:
        return NO_CARDS
    missing = VALUE[gamble] - sum_of(bet)
    if missing < 1:
        return NO_CARDS
    return discreet(cards_worth(hand, gamble // RANKS, missing), public)
