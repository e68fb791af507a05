"""The kernels of Superfecta: one pass over a lane for a whole race. Rule: RULES.md §1 and §2."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..checks import LARGEST_WAGER
from ..kernels import inline_kernel, kernel
from ..race import deal_rail, run_race
from ..streams import LOW_32, Role, stream_of
from .lines import LINES, POOL_START, POOLS, WINNING
from .pools import MINIMUM, pay_line, pool_takeout

FINISH: Final = 7
PLACES: Final = 3  # the fourth is decided by elimination
NEVER: Final = 127  # Superfecta's rail is never dealt again
RAIL: Final = np.uint64(Role.RAIL)
STOCK: Final = np.uint64(Role.STOCK)
EVEN_STAKES: Final = np.uint64(0x0000FFFF0000FFFF)
EACH_SIGN: Final = np.uint64(0x8000800080008000)


@inline_kernel
def pair_up(word):  # type: ignore[no-untyped-def]
    """The four stakes (0–32,767) in a word of 64 bits, added in pairs into its two 32-bit halves."""
    return (word & EVEN_STAKES) + ((word >> np.uint64(16)) & EVEN_STAKES)


@inline_kernel
def add_halves(word):  # type: ignore[no-untyped-def]
    """The two 32-bit halves of a word, added."""
    return np.int64((word >> np.uint64(32)) + (word & LOW_32))


@kernel
def find_faults(codes, words, decisions, rows, rules, largest):  # type: ignore[no-untyped-def]
    """Fills codes (n, seats) int8: 1 a negative stake, 2 no multiple of the minimum, 3 above the largest.

    ``words`` are the decisions (lanes, seats, 40) int16 read as (lanes, seats, 10) uint64.
    """
    for i in range(rows.shape[0]):
        for seat in range(decisions.shape[1]):
            code = 0
            stakes = decisions[rows[i], seat]
            if largest < LARGEST_WAGER:
                for line in range(LINES):
                    if stakes[line] > largest:
                        code = 3
            for pool in range(POOLS):
                least = np.int32(rules[MINIMUM + pool])
                if least > 1:
                    for line in range(POOL_START[pool], POOL_START[pool + 1]):
                        if np.int32(stakes[line]) % least != 0:
                            code = 2
            signs = np.uint64(0)
            for word in words[rows[i], seat]:
                signs |= word
            if signs & EACH_SIGN != 0:
                code = 1
            codes[i, seat] = code


@kernel
def open_tables(rail_cards, rail_swaps, rail, deck, rows, key):  # type: ignore[no-untyped-def]
    """Lays the rail of the first race in these lanes."""
    for lane in rows:
        stream = stream_of(key[lane], RAIL, 0)
        deal_rail(deck, rail_cards[lane], rail_swaps[lane], rail[lane], stream, NEVER)


@kernel
def run_races(  # type: ignore[no-untyped-def]
    turn, profit, over, bankrolls, pools, takeout, undivided, refused, rail_cards, rail_swaps, rail,
    last_swaps, last_rail, last_order, last_stakes, last_words, last_refused, last_pools, last_payouts,
    deck, words, rows, key, rules, races,
):  # fmt: skip
    """A race in each of these lanes: tickets, race, settlement, then the next rail or the final division.

    ``words`` are the stakes (lanes, seats, 40) int16 handed in, ``last_words`` those of ``last_stakes``, read
    four at a time as (lanes, seats, 10) uint64.
    """
    seats = bankrolls.shape[1]
    for lane in rows:
        race = turn[lane]
        # tickets are paid for, or refused whole
        on_win = on_exacta = on_superfecta = np.int64(0)
        for seat in range(seats):
            ticket = words[lane, seat]
            win = add_halves(pair_up(ticket[0]))  # lines 0–3
            pairs = np.uint64(0)
            for word in range(1, 4):  # lines 4–15
                pairs += pair_up(ticket[word])
            exacta = add_halves(pairs)
            pairs = np.uint64(0)
            for word in range(4, 10):  # lines 16–39
                pairs += pair_up(ticket[word])
            superfecta = add_halves(pairs)
            cost = win + exacta + superfecta
            accepted = np.int64(cost <= bankrolls[lane, seat])
            for word in range(10):
                last_words[lane, seat, word] = ticket[word] & -np.uint64(accepted)
            on_win += win * accepted
            on_exacta += exacta * accepted
            on_superfecta += superfecta * accepted
            profit[lane, seat] = -cost * accepted
            last_refused[lane, seat] = accepted == 0
            refused[lane, seat] += 1 - accepted
            last_payouts[lane, seat] = 0
        last_pools[lane, 0], last_pools[lane, 1], last_pools[lane, 2] = on_win, on_exacta, on_superfecta
        # the race
        for place in range(rail_swaps.shape[1]):
            last_swaps[lane, place] = rail_swaps[lane, place]
        for suit in range(4):
            last_rail[lane, suit] = rail[lane, suit]
        order, _ = run_race(deck, last_swaps[lane], stream_of(key[lane], STOCK, race), FINISH, PLACES)
        last_order[lane] = order
        # the pools are settled
        for pool in range(POOLS):
            taken = pool_takeout(rules, last_pools[lane, pool])
            takeout[lane] += taken
            last_pools[lane, pool] += pools[lane, pool] - taken
            pools[lane, pool] = pay_line(
                last_payouts[lane],
                rules,
                last_stakes[lane],
                WINNING[order, pool],
                pool,
                last_pools[lane, pool],
            )
        for seat in range(seats):
            profit[lane, seat] += last_payouts[lane, seat]
            bankrolls[lane, seat] += profit[lane, seat]
        # the next race, or the final division
        if race + 1 < races:
            stream = stream_of(key[lane], RAIL, race + 1)
            deal_rail(deck, rail_cards[lane], rail_swaps[lane], rail[lane], stream, NEVER)
        else:
            over[lane] = True
            left = pools[lane, 0] + pools[lane, 1] + pools[lane, 2]
            part = left // seats
            for seat in range(seats):
                profit[lane, seat] += part
                bankrolls[lane, seat] += part
            undivided[lane] = left - part * seats
            for pool in range(POOLS):
                pools[lane, pool] = 0


@kernel
def show_race(deck, swaps, key, race):  # type: ignore[no-untyped-def]
    """Deals a race again into ``deck`` and returns how many cards it took, rail included."""
    _, dealt = run_race(deck, swaps, stream_of(key, STOCK, race), FINISH, PLACES)
    return dealt


@kernel
def expect_races(  # type: ignore[no-untyped-def]
    out, luck, rows, rules, races, turn, last_stakes, last_pools, over, last_order, rail, line_chances,
    order_chances,
):  # fmt: skip
    """Fills out (n, seats) with each seat's expected profit in the last race of these lanes, and luck
    (n, seats) with how much more than expected that race left in the pools for it (see `adjusted_profit`).

    Each pool pays by one line alone, so its expectation is a sum over its lines; the final division depends
    on what all three pools leave, so on the whole order of finish. ``rail`` (n,) is the rail's number.
    """
    seats = last_stakes.shape[1]
    payouts = np.empty(seats, np.int64)
    earned = np.empty(seats)
    left = np.empty(LINES, np.int64)
    for i in range(rows.shape[0]):
        lane = rows[i]
        out[i, :] = 0.0
        luck[i, :] = 0.0
        if last_order[lane] < 0:
            continue
        for pool in range(POOLS):
            stays = hit = total = 0.0
            earned[:] = 0.0
            for line in range(POOL_START[pool], POOL_START[pool + 1]):
                chance = line_chances[rail[i], line]
                held = False
                for seat in range(seats):
                    payouts[seat] = 0
                    held = held or last_stakes[lane, seat, line] > 0
                if not held:
                    left[line] = last_pools[lane, pool]
                    stays += chance * left[line]
                    continue
                left[line] = pay_line(payouts, rules, last_stakes[lane], line, pool, last_pools[lane, pool])
                stays += chance * left[line]
                hit += chance * (left[line] < last_pools[lane, pool])
                for seat in range(seats):
                    stake = last_stakes[lane, seat, line]
                    if stake > 0:  # nobody is paid without
                        gain = chance * payouts[seat]
                        earned[seat] += gain
                        total += gain
                        out[i, seat] += gain
                        out[i, seat] -= stake
            if not over[lane]:
                surplus = left[WINNING[last_order[lane], pool]] - stays
                lasts = (1.0 - hit) ** (races - turn[lane]) if total > 0.0 else 1.0
                for seat in range(seats):
                    luck[i, seat] += surplus * lasts / seats
                    if total > 0.0:
                        luck[i, seat] += surplus * (1.0 - lasts) * earned[seat] / total
        if over[lane]:
            division = 0.0
            for order in range(24):
                total_left = np.int64(0)
                for pool in range(POOLS):
                    total_left += left[WINNING[order, pool]]
                division += order_chances[rail[i], order] * (total_left // seats)
            for seat in range(seats):
                out[i, seat] += division
