"""What a Save The Bet table remembers, and what a seat sees of it. Rule: RULES.md §6."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from ..kernels import Chips, Counts, Flags, Keys, Rows
from .sets import CardSets

NO_CARD: Final = -1


class Phase(IntEnum):
    """What the seats of a lane are asked for."""

    BET = 0
    SAVE = 1
    OVER = 2


@dataclass(slots=True)
class SaveTheBetState:
    """The whole state of many tables, lane first. ``turn`` counts phases, two to a turn of the rules.

    Every card of the deck is in exactly one of ``hands``, ``bets``, ``stack`` and the gamble. The order of
    the stack is not kept: nobody may know it, so the card on top is drawn when it is turned up.
    """

    number: Rows  # (lanes,) lane number
    root: Keys  # (lanes,) key of the root seed
    key: Keys  # (lanes,) key of the episode
    episode: Rows  # (lanes,)
    turn: Rows  # (lanes,) phases played: even before a bet, odd before the saves
    profit: Chips  # (lanes, 2) +1, -1 or 0
    over: Flags  # (lanes,)
    hands: CardSets  # (lanes, 2) the cards in hand, without those bet
    bets: CardSets  # (lanes, 2) face down; empty before the bets
    public: CardSets  # (lanes, 2) the cards in a player's hand or bet that the other knows of
    stack: CardSets  # (lanes,)
    returned: CardSets  # (lanes,) the cards of the stack that both know to be there
    gamble: Counts  # (lanes,) card code, -1 before the bets
    last_gamble: Counts  # (lanes,) of the last whole turn, -1 before the first
    last_bets: CardSets  # (lanes, 2)
    last_saves: CardSets  # (lanes, 2)
    last_won: Flags  # (lanes, 2) whether the bet was won: both in a draw, neither on a blank


def blank_state(lanes: int) -> SaveTheBetState:
    """Tables that have not been started."""

    def pairs() -> CardSets:
        return np.zeros((lanes, 2), np.uint64)

    return SaveTheBetState(
        number=np.zeros(lanes, np.int64),
        root=np.zeros(lanes, np.uint64),
        key=np.zeros(lanes, np.uint64),
        episode=np.full(lanes, -1, np.int64),
        turn=np.zeros(lanes, np.int64),
        profit=np.zeros((lanes, 2), np.int64),
        over=np.ones(lanes, bool),
        hands=pairs(),
        bets=pairs(),
        public=pairs(),
        stack=np.zeros(lanes, np.uint64),
        returned=np.zeros(lanes, np.uint64),
        gamble=np.full(lanes, NO_CARD, np.int8),
        last_gamble=np.full(lanes, NO_CARD, np.int8),
        last_bets=pairs(),
        last_saves=pairs(),
        last_won=np.zeros((lanes, 2), bool),
    )


@dataclass(frozen=True, slots=True)
class SaveTheBetView:
    """All that a seat knows before it bets or saves, a row for each lane asked.

    Arrays are read-only and own their memory. Sets of cards are bit masks, ``1 << code``. What is neither in
    the own hand or bet, nor in ``other_public``, ``returned`` or the gamble, may be with the other or in the
    stack.
    """

    lane: Rows  # (n,) int64 position in the batch
    seat: Rows  # (n,) int64 the seat that looks
    turn: Rows  # (n,) int64 whole turns played, so 0 before and in the first
    phase: Counts  # (n,) int8 a `Phase`
    hand: CardSets  # (n,) uint64 own cards in hand, without those bet
    bet: CardSets  # (n,) uint64 own bet; empty before the bets
    own_public: CardSets  # (n,) uint64 own cards, in hand or bet, that the other knows of
    other_public: CardSets  # (n,) uint64 cards known to be in the other's hand or bet
    returned: CardSets  # (n,) uint64 cards known to be back in the stack
    gamble: Counts  # (n,) int8 card code, -1 before the bets
    held: Counts  # (n, 2) int8 cards in hand: own, the other's
    wagered: Counts  # (n, 2) int8 cards bet: own, the other's
    stacked: Counts  # (n,) int8 cards in the stack, without the gamble
