"""The best reply to a closed book: what the last to bet could have earned, knowing all tickets of the others.

A clairvoyant last mover knows the tickets and the chances, not the order of finish. Its ticket maximises the
expected payouts of this race less its own cost; what the race leaves in the pools, and with it the final
division, belongs to nobody yet and is left out. The maximum is exact, over every ticket it could pay for.

Within a pool the payouts of lines do not depend on one another once it is known how many chips go into the
pool in all. So the best ticket of k units is found line by line, and the best k by pool under one budget.

- Equal split: a second unit on a line buys nothing, so k units hold k lines: those that pay most.
- Pro rata: the best k units are a knapsack of small size, by dynamic programming over lines. It is worked out
  only for such k as could still be best by a bound: the payouts without rounding down are concave in the
  units of a line, so that the greedy choice maximises them (Fox, "Discrete optimization via marginal
  analysis", Management Science 1966), and no rounded ticket of k units pays more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..games.kernels import Floats, inline_kernel, kernel
from ..games.order_law import line_table, rail_index
from ..games.pasteboard_derby.bank import pay_backers
from ..games.pasteboard_derby.law import pair_chances, win_chances
from ..games.pasteboard_derby.race import HORSES
from ..games.superfecta.lines import LINES, POOL_START, POOLS
from ..games.superfecta.pools import (
    BREAKAGE,
    EQUAL,
    MINIMUM,
    MINIMUM_DIVIDEND,
    SPLIT,
    pay_line,
    pool_takeout,
    rules_of,
)
from ..games.track import SUPERFECTA


@inline_kernel
def dividend_of(rules, pool_number, net, winning):  # type: ignore[no-untyped-def]
    """The pro rata dividend per minimum bet of a line with ``winning`` chips on it, as `pay_line` has it."""
    affordable = net * rules[MINIMUM + pool_number] // winning
    dividend = affordable // rules[BREAKAGE] * rules[BREAKAGE]
    if dividend < rules[MINIMUM_DIVIDEND]:
        dividend = min(rules[MINIMUM_DIVIDEND], affordable)
    return dividend


@kernel
def reply_equally(best, others, chances, rules, pool_number, carried, budget):  # type: ignore[no-untyped-def]
    """Fills best (k + 1,) with the expected profit of the best k lines of a pool of equal shares, k as far as
    the pool has lines and the budget pays; returns the greatest such k. ``others`` is (seats, 40).
    """
    first, last = POOL_START[pool_number], POOL_START[pool_number + 1]
    least = rules[MINIMUM + pool_number]
    staked = np.int64(0)
    for seat in range(others.shape[0]):
        for line in range(first, last):
            staked += others[seat, line]
    worth = np.empty(last - first)
    most = min(last - first, budget // least)
    best[0] = 0.0
    for units in range(1, most + 1):
        pool = carried + staked + units * least
        for line in range(first, last):
            holders = 1
            for seat in range(others.shape[0]):
                holders += others[seat, line] > 0
            worth[line - first] = chances[line] * (pool // holders)
        worth.sort()
        best[units] = worth[last - first - units :].sum() - units * least
    return most


@kernel
def bound_by_units(bound, money, chances, rules, pool_number, carried, most, largest):  # type: ignore[no-untyped-def]
    """Fills bound (most + 1,) with more than any k units of a pro rata pool are expected to earn.

    ``money`` (lines of the pool,) are the others' chips, ``largest`` the units a line may carry.
    """
    least = rules[MINIMUM + pool_number]
    lines = money.shape[0]
    units_on = np.empty(lines, np.int64)
    bound[0] = 0.0
    for units in range(1, most + 1):
        staked = money.sum() + units * least
        net = carried + staked - pool_takeout(rules, staked)
        units_on[:] = 0
        paid = 0.0
        for _ in range(units):
            chosen, gain = -1, 0.0
            for line in range(lines):
                if units_on[line] < largest:
                    own = least * units_on[line]
                    # P · net · (growth of own / (money + own) by one more unit)
                    share = (own + least) / (money[line] + own + least)
                    if own > 0:
                        share -= own / (money[line] + own)
                    more = chances[line] * net * share
                    if more > gain:
                        chosen, gain = line, more
            if chosen < 0:
                break
            units_on[chosen] += 1
            paid += gain
        bound[units] = paid - units * least


@kernel
def reply_by_units(units, money, chances, rules, pool_number, carried, largest):  # type: ignore[no-untyped-def]
    """The most that exactly so many units of a pro rata pool are expected to earn, by dynamic programming."""
    least = rules[MINIMUM + pool_number]
    staked = money.sum() + units * least
    net = carried + staked - pool_takeout(rules, staked)
    best = np.full(units + 1, -np.inf)  # by units spent on the lines so far
    best[0] = 0.0
    for line in range(money.shape[0]):
        for spent in range(units, 0, -1):
            for own in range(1, min(spent, largest) + 1):
                if best[spent - own] > -np.inf:
                    dividend = dividend_of(rules, pool_number, net, money[line] + own * least)
                    value = best[spent - own] + chances[line] * dividend * own
                    if value > best[spent]:
                        best[spent] = value
    return best[units] - units * least


@kernel
def spread(values, counts, costs, budget):  # type: ignore[no-untyped-def]
    """The units of the three pools, (3,), of the greatest sum of values (3, …) that the budget pays.

    ``counts`` (3,) are the most units of each pool, ``costs`` (3,) chips for a unit.
    """
    chosen = np.zeros(POOLS, np.int64)
    greatest = -np.inf
    # the best of the third pool for each number of units left to it
    tail = np.empty(counts[2] + 1, np.int64)
    tail[0] = 0
    for units in range(1, counts[2] + 1):
        tail[units] = units if values[2, units] > values[2, tail[units - 1]] else tail[units - 1]
    for one in range(counts[0] + 1):
        for two in range(counts[1] + 1):
            left = budget - one * costs[0] - two * costs[1]
            if left < 0:
                break
            three = tail[min(counts[2], left // costs[2])]
            value = values[0, one] + values[1, two] + values[2, three]
            if value > greatest:
                greatest = value
                chosen[0], chosen[1], chosen[2] = one, two, three
    return chosen


@kernel
def best_reply(others, chances, rules, carried, budget, largest):  # type: ignore[no-untyped-def]
    """The expected profit of the best ticket against the others' (seats, 40), within a budget of chips.

    ``chances`` (40,), ``carried`` (3,) chips, ``largest`` chips on a line. At least 0, the empty ticket's.
    """
    costs = rules[MINIMUM : MINIMUM + POOLS]
    counts = np.empty(POOLS, np.int64)
    if rules[SPLIT] == EQUAL:
        values = np.zeros((POOLS, LINES + 1))
        for pool in range(POOLS):
            counts[pool] = reply_equally(values[pool], others, chances, rules, pool, carried[pool], budget)
        chosen = spread(values, counts, costs, budget)
        return values[0, chosen[0]] + values[1, chosen[1]] + values[2, chosen[2]]
    most = np.int64(0)
    for pool in range(POOLS):
        lines = POOL_START[pool + 1] - POOL_START[pool]
        counts[pool] = min(budget // costs[pool], lines * (largest // costs[pool]))
        most = max(most, counts[pool])
    values = np.zeros((POOLS, most + 1))
    exact = np.zeros((POOLS, most + 1), np.bool_)
    exact[:, 0] = True
    money = np.zeros(LINES, np.int64)
    for seat in range(others.shape[0]):
        for line in range(LINES):
            money[line] += others[seat, line]
    for pool in range(POOLS):
        first, last = POOL_START[pool], POOL_START[pool + 1]
        bound_by_units(
            values[pool], money[first:last], chances[first:last], rules, pool, carried[pool], counts[pool],
            largest // costs[pool],
        )  # fmt: skip
    while True:
        chosen = spread(values, counts, costs, budget)
        settled = True
        for pool in range(POOLS):
            units = chosen[pool]
            if not exact[pool, units]:
                first, last = POOL_START[pool], POOL_START[pool + 1]
                values[pool, units] = reply_by_units(
                    units, money[first:last], chances[first:last], rules, pool, carried[pool],
                    largest // costs[pool],
                )  # fmt: skip
                exact[pool, units] = True
                settled = False
        if settled:
            return values[0, chosen[0]] + values[1, chosen[1]] + values[2, chosen[2]]


@kernel
def ticket_profit(seat, stakes, chances, rules, carried):  # type: ignore[no-untyped-def]
    """The expected payouts of a seat's own ticket less its cost; stakes (seats, 40)."""
    payouts = np.empty(stakes.shape[0], np.int64)
    earned = 0.0
    for pool in range(POOLS):
        staked = np.int64(0)
        for line in range(POOL_START[pool], POOL_START[pool + 1]):
            for each in range(stakes.shape[0]):
                staked += stakes[each, line]
        net = carried[pool] + staked - pool_takeout(rules, staked)
        for line in range(POOL_START[pool], POOL_START[pool + 1]):
            if stakes[seat, line] > 0:
                payouts[:] = 0
                pay_line(payouts, rules, stakes, line, pool, net)
                earned += chances[line] * payouts[seat] - stakes[seat, line]
    return earned


@kernel
def compare_tickets(own, best, stakes, chances, rules, carried, bankrolls, largest):  # type: ignore[no-untyped-def]
    """Fills own and best, both (tables, seats); see `superfecta_replies`."""
    others = np.empty(stakes.shape[1:], np.int64)
    for table in range(stakes.shape[0]):
        for seat in range(stakes.shape[1]):
            for each in range(stakes.shape[1]):
                for line in range(LINES):
                    others[each, line] = stakes[table, each, line] if each != seat else 0
            own[table, seat] = ticket_profit(seat, stakes[table], chances[table], rules, carried[table])
            best[table, seat] = best_reply(
                others, chances[table], rules, carried[table], bankrolls[table, seat], largest
            )


def superfecta_replies(
    settings: Any, rail: Any, stakes: Any, carried: Any, bankrolls: Any
) -> tuple[Floats, Floats]:
    """What every seat's ticket, and what the best ticket in its place, is expected to earn; (tables, seats).

    Args:
        settings: the rules of the tables.
        rail: (tables, 4) int8, rail cards of each suit.
        stakes: (tables, seats, 40), chips each seat staked in this race; refused tickets are empty.
        carried: (tables, 3) chips in the pools before the race.
        bankrolls: (tables, seats) chips of each seat before the race.
    """
    own, best = np.empty(stakes.shape[:2]), np.empty(stakes.shape[:2])
    if len(stakes):
        chances = line_table(SUPERFECTA)[rail_index(SUPERFECTA, rail)]  # (tables, 40)
        compare_tickets(
            own, best, np.ascontiguousarray(stakes, np.int64), chances, rules_of(settings),
            np.ascontiguousarray(carried, np.int64), np.ascontiguousarray(bankrolls, np.int64),
            settings.max_wager,
        )  # fmt: skip
    return own, best


@kernel
def compare_horses(own, best, named, bank, ante, second, singles, pairs):  # type: ignore[no-untyped-def]
    """Fills own and best, both (tables, seats); see `derby_replies`."""
    seats = named.shape[1]
    payouts = np.empty(seats, np.int64)
    tried = np.empty(seats, named.dtype)
    for table in range(named.shape[0]):
        for seat in range(seats):
            own[table, seat] = best[table, seat] = 0.0
            if named[table, seat] == 0:
                continue
            greatest = -np.inf
            for horse in range(1, HORSES + 1):
                for each in range(seats):
                    tried[each] = named[table, each]
                tried[seat] = horse
                earned = -1.0 * ante
                for winner in range(HORSES):
                    if not second[table]:
                        pay_backers(payouts, tried, bank[table], ante, winner, -1)
                        earned += singles[winner] * payouts[seat]
                        continue
                    for placed in range(HORSES):
                        if placed != winner:
                            pay_backers(payouts, tried, bank[table], ante, winner, placed)
                            earned += pairs[winner, placed] * payouts[seat]
                greatest = max(greatest, earned)
                if horse == named[table, seat]:
                    own[table, seat] = earned
            best[table, seat] = greatest


def derby_replies(settings: Any, named: Any, bank: Any, second: Any) -> tuple[Floats, Floats]:
    """What every seat's horse, and what the best horse in its place, is expected to earn; (tables, seats).

    Seats that did not pay the ante have 0 in both.

    Args:
        settings: the rules of the tables.
        named: (tables, seats) the horse each named, 1–4, 0 where it did not pay.
        bank: (tables,) chips to be won, antes included.
        second: (tables,) bool, whether the second horse was paid too.
    """
    named = np.ascontiguousarray(named, np.int8)
    own, best = np.empty(named.shape), np.empty(named.shape)
    compare_horses(
        own, best, named, np.asarray(bank, np.int64), settings.ante, np.asarray(second, bool), win_chances(),
        pair_chances(settings.advance),
    )  # fmt: skip
    return own, best
