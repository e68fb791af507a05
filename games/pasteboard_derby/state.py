"""What a Pasteboard Derby table remembers, what a seat sees of it, and the record of a race.

Rule: RULES.md §5.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import Chips, Counts, Flags, Keys, Rows, Stakes
from .race import HORSES, NOBODY, START


@dataclass(slots=True)
class PasteboardDerbyState:
    """The whole state of many tables, lane first. ``turn`` counts the races run."""

    number: Rows  # (lanes,) lane number
    root: Keys  # (lanes,) key of the root seed
    key: Keys  # (lanes,) key of the episode
    episode: Rows  # (lanes,)
    turn: Rows  # (lanes,) races run in this game
    profit: Chips  # (lanes, seats) of the last race
    over: Flags  # (lanes,)
    bankrolls: Chips  # (lanes, seats)
    bank: Chips  # (lanes,) carried into the coming race
    undivided: Chips  # (lanes,) indivisible rest of the final division
    tally: Stakes  # (lanes, seats, 4) races in which each seat has named each horse
    dealt_race: Rows  # (lanes,) the race whose cards can be shown, -1 for none
    last_named: Counts  # (lanes, seats) horse 1–4 named in the last race, 0 by a seat that did not pay
    last_winner: Counts  # (lanes,) suit index, -1 before the first race
    last_second: Counts  # (lanes,) suit index, -1 where the last race was for first only
    last_bank: Chips  # (lanes,) chips that were to be won: carried + antes
    last_payouts: Chips  # (lanes, seats)


def blank_state(lanes: int, seats: int) -> PasteboardDerbyState:
    """Tables that have not been started."""
    return PasteboardDerbyState(
        number=np.zeros(lanes, np.int64),
        root=np.zeros(lanes, np.uint64),
        key=np.zeros(lanes, np.uint64),
        episode=np.full(lanes, -1, np.int64),
        turn=np.zeros(lanes, np.int64),
        profit=np.zeros((lanes, seats), np.int64),
        over=np.ones(lanes, bool),
        bankrolls=np.zeros((lanes, seats), np.int64),
        bank=np.zeros(lanes, np.int64),
        undivided=np.zeros(lanes, np.int64),
        tally=np.zeros((lanes, seats, HORSES), np.int16),
        dealt_race=np.full(lanes, -1, np.int64),
        last_named=np.zeros((lanes, seats), np.int8),
        last_winner=np.full(lanes, NOBODY, np.int8),
        last_second=np.full(lanes, NOBODY, np.int8),
        last_bank=np.zeros(lanes, np.int64),
        last_payouts=np.zeros((lanes, seats), np.int64),
    )


@dataclass(frozen=True, slots=True)
class PasteboardDerbyView:
    """All that a seat knows before it names a horse, a row for each lane asked: public facts only.

    Arrays are read-only and own their memory. In the last-race fields a row is empty (``last_winner`` -1)
    before the first race of a game.
    """

    lane: Rows  # (n,) int64 position in the batch
    seat: Rows  # (n,) int64 the seat that looks
    race: Rows  # (n,) int64 races run, so 0 before the first
    bank: Chips  # (n,) int64 chips carried into this race
    bankrolls: Chips  # (n, seats) int64
    payers: Flags  # (n, seats) bool: who pays the ante in this race; nobody once a game is over
    tally: Stakes  # (n, seats, 4) int16 earlier races in which each seat named H, D, C, S
    last_named: Counts  # (n, seats) int8 horse 1–4 each seat named, 0 if it did not pay
    last_winner: Counts  # (n,) int8 suit index
    last_second: Counts  # (n,) int8 suit index, -1 where the race was for first only
    last_bank: Chips  # (n,) int64 chips that were to be won
    last_payouts: Chips  # (n, seats) int64

    @property
    def bankroll(self) -> Chips:
        """(n,) int64: the looking seat's own chips."""
        own: Chips = self.bankrolls[np.arange(len(self.seat)), self.seat]
        return own

    @property
    def pays(self) -> Flags:
        """(n,) bool: whether the looking seat pays the ante in this race."""
        own: Flags = self.payers[np.arange(len(self.seat)), self.seat]
        return own


@dataclass(frozen=True, slots=True)
class RaceRecord:
    """A race card by card, to be shown once it has been run."""

    track: Counts  # (7,) int8 the cards that lay face down
    cards: Counts  # (n,) int8 the cards dealt, in order
    horses: Counts  # (n,) int8 the horse (suit index) each card went to
    steps: Counts  # (n,) int8 the spaces each card moved it

    @property
    def positions(self) -> Rows:
        """(n + 1, 4) int64: where the horses stand before the first card and after each."""
        moves = np.zeros((len(self.cards) + 1, HORSES), np.int64)
        moves[0] = START
        moves[np.arange(1, len(moves)), self.horses] = self.steps
        return moves.cumsum(0)
