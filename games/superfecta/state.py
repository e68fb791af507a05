"""What a Superfecta table remembers, and what a seat sees of it. Rule: RULES.md §2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import Chips, Counts, Flags, Keys, Rows, Stakes
from .lines import LINES, POOLS


@dataclass(slots=True)
class SuperfectaState:
    """The whole state of many tables, lane first. ``turn`` counts the races run."""

    number: Rows  # (lanes,) lane number
    root: Keys  # (lanes,) key of the root seed
    key: Keys  # (lanes,) key of the episode
    episode: Rows  # (lanes,)
    turn: Rows  # (lanes,) races run in this game
    profit: Chips  # (lanes, seats) of the last race
    over: Flags  # (lanes,)
    bankrolls: Chips  # (lanes, seats)
    pools: Chips  # (lanes, 3) carried into the coming race
    takeout: Chips  # (lanes,) taken by the house in this game
    undivided: Chips  # (lanes,) indivisible rest of the final division
    refused: Rows  # (lanes, seats) tickets refused in this game
    rail_cards: Counts  # (lanes, 6) card codes, in the order laid
    rail_swaps: Counts  # (lanes, 6) where each was taken from (see games/race.py)
    rail: Counts  # (lanes, 4) rail cards of each suit
    last_swaps: Counts  # (lanes, 6) the same of the last race
    last_rail: Counts  # (lanes, 4)
    last_order: Counts  # (lanes,) order of finish 0–23, -1 before the first race
    last_stakes: Stakes  # (lanes, seats, 40) chips paid; refused tickets are empty
    last_refused: Flags  # (lanes, seats)
    last_pools: Chips  # (lanes, 3) chips that were to be won: carried + staked - takeout
    last_payouts: Chips  # (lanes, seats)


def blank_state(lanes: int, seats: int, rail: int) -> SuperfectaState:
    """Tables that have not been started."""

    def cards() -> Counts:
        return np.zeros((lanes, rail), np.int8)

    return SuperfectaState(
        number=np.zeros(lanes, np.int64),
        root=np.zeros(lanes, np.uint64),
        key=np.zeros(lanes, np.uint64),
        episode=np.full(lanes, -1, np.int64),
        turn=np.zeros(lanes, np.int64),
        profit=np.zeros((lanes, seats), np.int64),
        over=np.ones(lanes, bool),
        bankrolls=np.zeros((lanes, seats), np.int64),
        pools=np.zeros((lanes, POOLS), np.int64),
        takeout=np.zeros(lanes, np.int64),
        undivided=np.zeros(lanes, np.int64),
        refused=np.zeros((lanes, seats), np.int64),
        rail_cards=cards(),
        rail_swaps=cards(),
        rail=np.zeros((lanes, 4), np.int8),
        last_swaps=cards(),
        last_rail=np.zeros((lanes, 4), np.int8),
        last_order=np.full(lanes, -1, np.int8),
        last_stakes=np.zeros((lanes, seats, LINES), np.int16),
        last_refused=np.zeros((lanes, seats), bool),
        last_pools=np.zeros((lanes, POOLS), np.int64),
        last_payouts=np.zeros((lanes, seats), np.int64),
    )


@dataclass(frozen=True, slots=True)
class SuperfectaView:
    """All that a seat knows before it writes its ticket, a row for each lane asked: public facts only.

    Arrays are read-only and own their memory. In the last-race fields a row is empty (``last_order`` -1)
    before the first race of a game.
    """

    lane: Rows  # (n,) int64 position in the batch
    seat: Rows  # (n,) int64 the seat that looks
    race: Rows  # (n,) int64 races run, so 0 before the first
    rail_cards: Counts  # (n, 6) int8 card codes
    rail: Counts  # (n, 4) int8 rail cards of H, D, C, S
    pools: Chips  # (n, 3) int64 chips carried into this race: WIN, EXA, SFC
    bankrolls: Chips  # (n, seats) int64
    refused: Rows  # (n, seats) int64 tickets refused so far
    last_rail: Counts  # (n, 4) int8
    last_order: Counts  # (n,) int8 order of finish 0–23
    last_stakes: Stakes  # (n, seats, 40) int16 chips each seat paid on each line
    last_pools: Chips  # (n, 3) int64 chips that were to be won in each pool
    last_payouts: Chips  # (n, seats) int64

    @property
    def bankroll(self) -> Chips:
        """(n,) int64: the looking seat's own chips."""
        own: Chips = self.bankrolls[np.arange(len(self.seat)), self.seat]
        return own
