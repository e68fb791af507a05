"""Counting odds: what a seat can say of the next gamble from counting cards alone. Rule: RULES.md §6."""

from __future__ import annotations

import numpy as np

from ..cards import CARDS
from ..kernels import Floats, kernel
from .kernels import BET, SAVE
from .sets import NO_CARDS, ONE, CardSets, size_of
from .settings import SaveTheBetSettings
from .state import SaveTheBetView


def unknown_cards(settings: SaveTheBetSettings, view: SaveTheBetView) -> CardSets:
    """(n,) uint64: the cards that may be with the other or in the stack, for all the seat knows."""
    shown = view.gamble >= 0
    gamble = np.where(shown, ONE << np.where(shown, view.gamble, 0).astype(np.uint64), NO_CARDS)
    placed = view.hand | view.bet | view.other_public | view.returned | gamble
    unknown: CardSets = np.uint64(settings.deck) & ~placed
    return unknown


def counting_odds(settings: SaveTheBetSettings, view: SaveTheBetView) -> Floats:
    """(n, 52) float64: the chance of each card to be the gamble, with nothing read into the other's play.

    Before a bet: of u unknown cards s are in the stack, the rest are the other's; which ones is open, and
    every way to part them is equally likely. So an unknown card is in the stack with chance s / u. In the
    stack of t cards each place is equally likely for each card, the ones known to be there included: 1 / t to
    be on top. When the gamble is shown it has 1; after the end all are 0.
    """
    out = np.zeros((len(view.lane), CARDS))
    write_odds(out, unknown_cards(settings, view), view.returned, view.gamble, view.phase, view.stacked)
    return out


@kernel
def write_odds(out, unknown, returned, gamble, phase, stacked):  # type: ignore[no-untyped-def]
    """Fills out (n, 52), zero before, with the counting odds."""
    for i in range(out.shape[0]):
        if phase[i] == SAVE:
            out[i, gamble[i]] = 1.0
        elif phase[i] == BET:
            known = 1.0 / stacked[i]
            several = size_of(unknown[i])
            part = (stacked[i] - size_of(returned[i])) / several * known if several > 0 else 0.0
            for card in range(CARDS):
                here = np.uint64(card)
                if (unknown[i] >> here) & ONE != 0:
                    out[i, card] = part
                elif (returned[i] >> here) & ONE != 0:
                    out[i, card] = known
