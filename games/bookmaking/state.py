"""What a bookmaker's table remembers, and what a seat sees of it. Rule: RULES.md §3 and §4.

Columns of seats are the players and, against the house, one more for the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ..kernels import Chips, Counts, Flags, Keys, Rows, Stakes
from .prices import NO_PRICE


class Phase(IntEnum):
    """What is decided in a turn."""

    QUOTE = 0  # the bank names four prices
    BET = 1  # the others name four stakes


@dataclass(slots=True)
class BookmakerState:
    """The whole state of many tables, lane first."""

    number: Rows  # (lanes,) lane number
    root: Keys  # (lanes,) key of the root seed
    key: Keys  # (lanes,) key of the episode
    episode: Rows  # (lanes,)
    turn: Rows  # (lanes,) turns played: two a race where the bank quotes, else one
    profit: Chips  # (lanes, seats) of the last turn
    over: Flags  # (lanes,)
    bankrolls: Chips  # (lanes, seats) the account of the house, if any, last: it starts at 0
    bank: Rows  # (lanes,) the seat that keeps the book
    quotes: Counts  # (lanes, 4) board prices of H, D, C, S; -1 before they are known
    limits: Stakes  # (lanes, 4) largest stake on each suit; 0 where it is closed or nothing is quoted
    refused: Rows  # (lanes, seats) tickets refused in this game
    rail_cards: Counts  # (lanes, rail) card codes, in the order laid
    rail_swaps: Counts  # (lanes, rail) where each was taken from (see games/race.py)
    rail: Counts  # (lanes, 4) rail cards of each suit
    last_swaps: Counts  # (lanes, rail) the same of the last race
    last_rail: Counts  # (lanes, 4)
    last_winner: Counts  # (lanes,) suit, -1 before the first race
    last_bank: Rows  # (lanes,) seat, -1 before the first race
    last_quotes: Counts  # (lanes, 4)
    last_stakes: Stakes  # (lanes, seats, 4) chips paid; refused tickets and the bank's row are empty
    last_refused: Flags  # (lanes, seats)
    last_payouts: Chips  # (lanes, seats)


def blank_state(lanes: int, seats: int, rail: int) -> BookmakerState:
    """Tables that have not been started."""

    def of_suits() -> Counts:
        return np.zeros((lanes, 4), np.int8)

    def of_cards() -> Counts:
        return np.zeros((lanes, rail), np.int8)

    def of_seats() -> Chips:
        return np.zeros((lanes, seats), np.int64)

    return BookmakerState(
        number=np.zeros(lanes, np.int64),
        root=np.zeros(lanes, np.uint64),
        key=np.zeros(lanes, np.uint64),
        episode=np.full(lanes, -1, np.int64),
        turn=np.zeros(lanes, np.int64),
        profit=of_seats(),
        over=np.ones(lanes, bool),
        bankrolls=of_seats(),
        bank=np.zeros(lanes, np.int64),
        quotes=of_suits() + np.int8(NO_PRICE),
        limits=np.zeros((lanes, 4), np.int16),
        refused=of_seats(),
        rail_cards=of_cards(),
        rail_swaps=of_cards(),
        rail=of_suits(),
        last_swaps=of_cards(),
        last_rail=of_suits(),
        last_winner=np.full(lanes, -1, np.int8),
        last_bank=np.full(lanes, -1, np.int64),
        last_quotes=of_suits() + np.int8(NO_PRICE),
        last_stakes=np.zeros((lanes, seats, 4), np.int16),
        last_refused=np.zeros((lanes, seats), bool),
        last_payouts=of_seats(),
    )


@dataclass(frozen=True, slots=True)
class BookmakerView:
    """All that a seat knows before it decides, a row for each lane asked: public facts only.

    Arrays are read-only and own their memory. In the last-race fields a row is empty (``last_winner`` and
    the like -1) before the first race of a game. ``seats`` counts the house where there is one.
    """

    lane: Rows  # (n,) int64 position in the batch
    seat: Rows  # (n,) int64 the seat that looks
    race: Rows  # (n,) int64 races run, so 0 before the first
    phase: Counts  # (n,) int8 `Phase`
    bank: Rows  # (n,) int64 the seat that keeps the book
    quotes: Counts  # (n, 4) int8 board prices of H, D, C, S; -1 before they are known
    limits: Stakes  # (n, 4) int16 largest stake on each suit in chips; 0: none may be placed
    rail_cards: Counts  # (n, rail) int8 card codes
    rail: Counts  # (n, 4) int8 rail cards of H, D, C, S
    bankrolls: Chips  # (n, seats) int64; the account of the house may be negative
    refused: Rows  # (n, seats) int64 tickets refused so far
    last_rail: Counts  # (n, 4) int8
    last_winner: Counts  # (n,) int8 the suit that won
    last_bank: Rows  # (n,) int64 the seat that kept the book
    last_quotes: Counts  # (n, 4) int8
    last_stakes: Stakes  # (n, seats, 4) int16 chips each seat paid on H, D, C, S
    last_payouts: Chips  # (n, seats) int64

    @property
    def bankroll(self) -> Chips:
        """(n,) int64: the looking seat's own chips."""
        own: Chips = self.bankrolls[np.arange(len(self.seat)), self.seat]
        return own
