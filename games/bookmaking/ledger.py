"""How much a bank takes on a suit, and who is paid what: pure functions. Rule: RULES.md §3.

The kernels are shared by the game, by its exact expectations and by judging. A quote is four indices into the
board prices.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..checks import LARGEST_WAGER, whole
from ..errors import InvalidSettings
from ..kernels import Chips, inline_kernel, kernel
from .prices import NET, PER, PRICES


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a race pays. All in chips."""

    payouts: Chips  # (tables, seats) int64, stake included; the bank's own is 0
    profit: Chips  # (tables, seats) int64, the bank's included: each row adds up to 0


@inline_kernel
def winnings(stake, price):  # type: ignore[no-untyped-def]
    """What a winning stake brings on top of itself, rounded down for the bank."""
    return np.int64(stake) * NET[price] // PER[price]


@inline_kernel
def limit_at(price, share, minimum, cap):  # type: ignore[no-untyped-def]
    """The largest multiple of the minimum, up to the cap, that wins at most ``share`` chips at a price.

    floor(s·n/d) ≤ share exactly where s·n < (share + 1)·d, so where s ≤ ((share + 1)·d − 1) // n.
    """
    affordable = ((share + 1) * PER[price] - 1) // NET[price]
    return min(affordable, cap) // minimum * minimum


@inline_kernel
def payout_of(won, price):  # type: ignore[no-untyped-def]
    """What a stake on the winner is paid, itself included; 0 for 0."""
    return won + winnings(won, price) if won else won


@kernel
def settle_tables(payouts, profit, stakes, quotes, winners, banks):  # type: ignore[no-untyped-def]
    """Fills payouts and profit (tables, seats) from paid stakes (tables, seats, 4), the bank's all 0."""
    for table in range(stakes.shape[0]):
        winner = winners[table]
        lost = np.int64(0)
        for seat in range(stakes.shape[1]):
            paid = payout_of(np.int64(stakes[table, seat, winner]), quotes[table, winner])
            gained = paid
            for suit in range(4):
                gained -= stakes[table, seat, suit]
            payouts[table, seat] = paid
            profit[table, seat] = gained
            lost += gained
        profit[table, banks[table]] = -lost


@kernel
def fill_limits(out, quotes, shares, minimum, cap):  # type: ignore[no-untyped-def]
    """Fills out (tables, 4) with the limits of quotes (tables, 4) at shares (tables,)."""
    for table in range(out.shape[0]):
        for suit in range(4):
            out[table, suit] = limit_at(quotes[table, suit], shares[table], minimum, cap)


def settle(stakes: ArrayLike, quotes: ArrayLike, winner: ArrayLike, bank: ArrayLike) -> Settlement:
    """What each seat is paid and wins or loses, for any number of tables.

    Args:
        stakes: (tables, seats, 4), chips paid on H, D, C, S; the bank's row is not read.
        quotes: (tables, 4), board prices of H, D, C, S.
        winner: (tables,), the suit that came home first.
        bank: (tables,), the seat that pays and collects.
    """
    paid = np.array(stakes, np.int16)  # a copy: the arguments are never written to
    banks = np.asarray(bank, np.int64)
    paid[np.arange(len(paid)), banks] = 0
    payouts, profit = np.empty(paid.shape[:2], np.int64), np.empty(paid.shape[:2], np.int64)
    settle_tables(payouts, profit, paid, np.asarray(quotes, np.int8), np.asarray(winner, np.int64), banks)
    return Settlement(payouts, profit)


def limits(quotes: ArrayLike, bank: ArrayLike, bettors: int, minimum: int, cap: int) -> Chips:
    """The most a bettor may stake on each suit so that the bank can pay whatever happens; 0: closed.

    Args:
        quotes: (tables, 4), board prices of H, D, C, S.
        bank: (tables,), chips of the bank when it quotes, 0 or more.
        bettors: how many seats may bet, 1 or more: the worst case is that all do, on the winner alone.
        minimum: limits are multiples of this.
        cap: no limit is above this, ``minimum`` to 32,767.

    Returns:
        (tables, 4) int64, in chips.

    Raises:
        InvalidSettings: there is no such price, or an argument is out of range.
    """
    whole("minimum", minimum, 1, LARGEST_WAGER)
    whole("cap", cap, minimum, LARGEST_WAGER)
    whole("bettors", bettors, 1, LARGEST_WAGER)
    prices, chips = np.asarray(quotes, np.int64), np.asarray(bank, np.int64)
    if prices.size and not 0 <= prices.min() <= prices.max() < PRICES:
        raise InvalidSettings(f"a quote is four board prices 0 to {PRICES - 1}, not {quotes!r}")
    if chips.size and chips.min() < 0:
        raise InvalidSettings(f"a bank that covers bets has 0 chips or more, not {int(chips.min())}")
    out = np.empty(prices.shape, np.int64)
    fill_limits(out, prices, chips // bettors, minimum, cap)
    return out
