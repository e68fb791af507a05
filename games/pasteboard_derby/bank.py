"""Who is paid what out of the bank: pure functions. Rule: RULES.md §5.

The kernel works on one table and is shared by the game, by its expectations and by judging. A horse named is
1–4 (its suit index + 1), 0 for a seat that did not pay the ante.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..kernels import Chips, Counts, inline_kernel, kernel
from .settings import PasteboardDerbySettings


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a race pays. All in chips."""

    payouts: Chips  # (tables, seats) int64
    bank: Chips  # (tables,) int64, what stays for the next race


@inline_kernel
def pay_backers(payouts, named, bank, ante, first, second):  # type: ignore[no-untyped-def]
    """Fills ``payouts`` (seats,) from a bank of ``bank`` chips, antes included; returns what stays in it.

    ``named`` (seats,) are the horses named, ``first`` and ``second`` suit indices, ``second`` below 0 in a
    race for first only. The second's backers get their antes back first.
    """
    seats = named.shape[0]
    on_first = on_second = np.int64(0)
    for seat in range(seats):
        on_first += named[seat] == first + 1
        on_second += named[seat] == second + 1 and second >= 0
    left = bank - on_second * ante
    part = left // max(on_first, 1)
    for seat in range(seats):
        payouts[seat] = part * (named[seat] == first + 1) + ante * (named[seat] == second + 1 and second >= 0)
    return left - part * on_first


@kernel
def pay_tables(payouts, bank, named, ante, first, second):  # type: ignore[no-untyped-def]
    """`pay_backers` for each of many tables; ``bank`` (tables,) goes from what is to be won to what stays."""
    for table in range(named.shape[0]):
        bank[table] = pay_backers(
            payouts[table], named[table], bank[table], ante, first[table], second[table]
        )


def settle(
    named: Counts, bank: Chips, first: Counts, second: Counts, settings: PasteboardDerbySettings
) -> Settlement:
    """What each seat is paid and what stays in the bank, for any number of tables.

    Args:
        named: (tables, seats), the horse each seat named: 1–4, or 0 where it did not pay.
        bank: (tables,), chips to be won: what was carried and the antes of this race.
        first: (tables,), suit index of the winner.
        second: (tables,), suit index of the second horse, -1 in a race for first only.
        settings: the rules of the tables.
    """
    left = np.array(bank, np.int64)  # a copy: the arguments are never written to
    payouts = np.empty(np.shape(named), np.int64)
    pay_tables(
        payouts, left, np.asarray(named, np.int8), settings.ante,
        np.asarray(first, np.int64), np.asarray(second, np.int64),
    )  # fmt: skip
    return Settlement(payouts, left)
