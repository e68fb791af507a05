"""Who is paid what out of the three pools: pure functions. Rule: RULES.md §2, examples A–F.

The kernels work on one table and are shared by the game, by its exact expectations and by judging.
``rules`` is `rules_of(settings)`; a *pool* is everything in it: what it carried plus this race's stakes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..kernels import Chips, Stakes, inline_kernel, kernel
from .lines import POOL_START, POOLS, WINNING
from .settings import SPLITS, SuperfectaSettings

# places in the rules array (10,) int64
SPLIT: Final = 0
MINIMUM: Final = 1  # three of them
RATE: Final = 4
RATE_PER: Final = 5
BREAKAGE: Final = 6
MINIMUM_DIVIDEND: Final = 7
EQUAL: Final = SPLITS.index("equal")


@dataclass(frozen=True, slots=True)
class Settlement:
    """What a race pays. All in chips."""

    payouts: Chips  # (tables, seats) int64, stake included
    pools: Chips  # (tables, 3) int64, carried to the next race
    takeout: Chips  # (tables,) int64, taken by the house


def rules_of(settings: SuperfectaSettings) -> Chips:
    """The settings that settlement needs as (8,) int64, for the kernels."""
    return np.array(
        [
            SPLITS.index(settings.split),
            *settings.minimums,
            settings.takeout_rate.numerator,
            settings.takeout_rate.denominator,
            settings.breakage,
            settings.minimum_dividend or 0,
        ],
        np.int64,
    )


@inline_kernel
def pool_takeout(rules, staked):  # type: ignore[no-untyped-def]
    """The house's share of the money staked in one pool in this race, in chips."""
    return staked * rules[RATE] // rules[RATE_PER] if rules[RATE] > 0 else np.int64(0)


@inline_kernel
def pay_line(payouts, rules, stakes, line, pool_number, pool):  # type: ignore[no-untyped-def]
    """Adds to ``payouts`` (seats,) what a pool of ``pool`` chips pays if ``line`` wins; returns what is left.

    ``stakes`` is (seats, 40). Equal split: a share for each player who holds the line. Pro rata: the dividend
    per minimum bet, rounded down to breakage, times the stake.
    """
    seats = stakes.shape[0]
    winning = np.int64(0)
    holders = np.int64(0)
    for seat in range(seats):
        winning += stakes[seat, line]
        holders += stakes[seat, line] > 0
    if holders == 0:
        return pool
    if rules[SPLIT] == EQUAL:
        part = pool // holders
        for seat in range(seats):
            payouts[seat] += part * (stakes[seat, line] > 0)
        return pool - part * holders
    least = rules[MINIMUM + pool_number]
    affordable = pool * least // winning
    dividend = affordable // rules[BREAKAGE] * rules[BREAKAGE]
    if dividend < rules[MINIMUM_DIVIDEND]:
        dividend = min(rules[MINIMUM_DIVIDEND], affordable)
    for seat in range(seats):
        payouts[seat] += dividend * (stakes[seat, line] // least)
    return pool - dividend * (winning // least)


@inline_kernel
def settle_table(payouts, pools, rules, stakes, order):  # type: ignore[no-untyped-def]
    """Settles one table: ``payouts`` (seats,) is filled, ``pools`` (3,) goes from the chips carried in to
    the chips carried on. Returns the takeout. Stakes must be paid for and legal.
    """
    payouts[:] = 0
    takeout = np.int64(0)
    for pool_number in range(POOLS):
        staked = np.int64(0)
        for seat in range(stakes.shape[0]):
            for line in range(POOL_START[pool_number], POOL_START[pool_number + 1]):
                staked += stakes[seat, line]
        taken = pool_takeout(rules, staked)
        pool = pools[pool_number] + staked - taken
        pools[pool_number] = pay_line(payouts, rules, stakes, WINNING[order, pool_number], pool_number, pool)
        takeout += taken
    return takeout


@kernel
def settle_tables(payouts, pools, takeout, rules, stakes, orders):  # type: ignore[no-untyped-def]
    """`settle_table` for each of many tables: stakes (tables, seats, 40), orders (tables,)."""
    for table in range(stakes.shape[0]):
        takeout[table] = settle_table(payouts[table], pools[table], rules, stakes[table], orders[table])


def settle(stakes: Stakes, pools: Chips, order: Chips, settings: SuperfectaSettings) -> Settlement:
    """What each seat is paid and what the pools carry on, for any number of tables.

    Args:
        stakes: (tables, seats, 40), chips paid in this race on each line.
        pools: (tables, 3), chips carried into this race.
        order: (tables,), the order of finish as its number 0–23.
        settings: the rules of the tables.
    """
    stakes = np.ascontiguousarray(stakes, np.int16)
    carried = np.array(pools, np.int64)  # a copy: the arguments are never written to
    payouts = np.empty(stakes.shape[:2], np.int64)
    takeout = np.empty(len(stakes), np.int64)
    settle_tables(payouts, carried, takeout, rules_of(settings), stakes, np.asarray(order, np.int64))
    return Settlement(payouts, carried, takeout)
