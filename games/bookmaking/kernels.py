"""The kernels of the bookmaker's table: one pass over a lane for a whole turn. Rule: RULES.md §1, §3, §4."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import Chips, inline_kernel, kernel
from ..race import deal_rail, run_race
from ..streams import LOW_32, Role, stream_of
from .ledger import limit_at, settle_table, winnings
from .prices import NO_PRICE, PRICES, PUBLISHED
from .settings import BookmakerSettings

# places in the rules array (10,) int64
QUOTED: Final = 0  # 1 where a race has a turn in which the bank quotes
PLAYERS: Final = 1
ROTATES: Final = 2
ROTATE_EVERY: Final = 3
MINIMUM: Final = 4
LARGEST: Final = 5
MAX_WAGERS: Final = 6
RACES: Final = 7
FINISH: Final = 8
RESHUFFLE_AT: Final = 9

NEVER: Final = 127  # no rail shows a suit that often
RAIL: Final = np.uint64(Role.RAIL)
STOCK: Final = np.uint64(Role.STOCK)
NO_BET: Final = np.uint64(0)
EVEN_STAKES: Final = np.uint64(0x0000FFFF0000FFFF)


# the rule a decision breaks
NOT_A_PRICE: Final = 1
NEGATIVE: Final = 2
CLOSED: Final = 3
ABOVE_LIMIT: Final = 4
NOT_ON_OFFER: Final = 5
TOO_MANY_WAGERS: Final = 6


def rules_of(settings: BookmakerSettings) -> Chips:
    """The settings the kernels need, as (10,) int64."""
    again = settings.course.reshuffle_at
    return np.array(
        [
            settings.quoted,
            settings.seats,
            settings.rotates,
            settings.rotate_every,
            settings.minimum,
            settings.largest // settings.minimum * settings.minimum,
            settings.max_wagers,
            settings.races,
            settings.course.finish,
            NEVER if again is None else again,
        ],
        np.int64,
    )


@inline_kernel
def cost_of(ticket):  # type: ignore[no-untyped-def]
    """The sum of the four stakes (0–32,767) in the 64 bits of a ticket."""
    pairs = (ticket & EVEN_STAKES) + ((ticket >> np.uint64(16)) & EVEN_STAKES)
    return np.int64((pairs >> np.uint64(32)) + (pairs & LOW_32))


@inline_kernel
def fault_of(stakes, limits, allowed, max_wagers):  # type: ignore[no-untyped-def]
    """The first rule that stakes (4,) break, 0 if none: allowed (largest + 1,) tells the stakes on offer."""
    code = 0
    wagers = 0
    for suit in range(4):
        stake = stakes[suit]
        if stake != 0 and code == 0:
            wagers += 1
            if stake < 0:
                code = NEGATIVE
            elif limits[suit] == 0:
                code = CLOSED
            elif stake > limits[suit]:
                code = ABOVE_LIMIT
            elif not allowed[stake]:
                code = NOT_ON_OFFER
            elif wagers > max_wagers:
                code = TOO_MANY_WAGERS
    return code


@kernel
def find_faults(  # type: ignore[no-untyped-def]
    codes, decisions, tickets, rows, turn, bank, limits, allowed, rules
):
    """Fills codes (n, seats) int8 with the rules broken, 0 where a decision is legal or not asked for.

    ``tickets`` (lanes, seats) uint64 are the decisions (lanes, seats, 4) int16 as words: no bet is 0.
    """
    quoted, players, max_wagers = rules[QUOTED], rules[PLAYERS], rules[MAX_WAGERS]
    for i in range(rows.shape[0]):
        lane = rows[i]
        banker = bank[lane]
        if quoted and turn[lane] & 1 == 0:
            for seat in range(codes.shape[1]):
                codes[i, seat] = 0
            for suit in range(4):
                price = decisions[lane, banker, suit]
                if price < 0 or price >= PRICES:
                    codes[i, banker] = NOT_A_PRICE
            continue
        codes[i, codes.shape[1] - 1] = 0  # the house, if there is one
        for seat in range(players):
            code = 0
            if tickets[lane, seat] != 0 and seat != banker:
                code = fault_of(decisions[lane, seat], limits[lane], allowed, max_wagers)
            codes[i, seat] = code


@inline_kernel
def set_limits(limits, quotes, chips, bettors, minimum, cap):  # type: ignore[no-untyped-def]
    """Fills limits (4,) for quotes (4,) by a bank of so many chips, or by the house where bettors is 0."""
    if bettors == 0:
        for suit in range(4):
            limits[suit] = cap
    else:
        share = chips // bettors
        for suit in range(4):
            limits[suit] = limit_at(quotes[suit], share, minimum, cap)


@inline_kernel
def next_bank(bankrolls, bank):  # type: ignore[no-untyped-def]
    """The next seat with chips, the bank itself last; there always is one, no chips leave the table."""
    seats = bankrolls.shape[0]
    heir = bank
    for step in range(1, seats + 1):
        heir = (bank + step) % seats
        if bankrolls[heir] > 0:
            break
    return heir


@inline_kernel
def close_book(quotes, limits):  # type: ignore[no-untyped-def]
    """No prices (4,) and no bets: limits (4,) of 0."""
    for suit in range(4):
        quotes[suit] = NO_PRICE
        limits[suit] = 0


@inline_kernel
def hang_out(quotes, limits, rail, chips, bettors, minimum, cap):  # type: ignore[no-untyped-def]
    """The published prices (4,) of a rail (4,) and their limits (4,)."""
    for suit in range(4):
        quotes[suit] = PUBLISHED[rail[suit]]
    set_limits(limits, quotes, chips, bettors, minimum, cap)


@kernel
def open_tables(  # type: ignore[no-untyped-def]
    bankrolls, bank, quotes, limits, rail_cards, rail_swaps, rail, deck, rows, key, chips, rules
):
    """The first race in these lanes: players have their chips, seat 0 banks, or the house behind them."""
    quoted, players, minimum, cap = rules[QUOTED], rules[PLAYERS], rules[MINIMUM], rules[LARGEST]
    bettors = players - 1 if rules[ROTATES] else 0
    for lane in rows:
        for seat in range(bankrolls.shape[1]):
            bankrolls[lane, seat] = chips if seat < players else 0
        bank[lane] = 0 if rules[ROTATES] else players
        deal_rail(
            deck,
            rail_cards[lane],
            rail_swaps[lane],
            rail[lane],
            stream_of(key[lane], RAIL, 0),
            rules[RESHUFFLE_AT],
        )
        if quoted:
            close_book(quotes[lane], limits[lane])
        else:
            hang_out(quotes[lane], limits[lane], rail[lane], chips, bettors, minimum, cap)


@kernel
def play_turns(  # type: ignore[no-untyped-def]
    profit, over, bankrolls, bank, quotes, limits, refused, rail_cards, rail_swaps, rail,
    last_swaps, last_rail, last_winner, last_bank, last_quotes, last_stakes, last_tickets, last_refused,
    last_payouts, deck, decisions, tickets, rows, key, turn, rules,
):  # fmt: skip
    """A turn in each of these lanes: the quote of the bank, or the bets, the race and the settlement.

    ``tickets`` (lanes, seats) uint64 are the decisions (lanes, seats, 4) int16 as words, ``last_tickets`` are
    the last stakes so.
    """
    seats = bankrolls.shape[1]
    quoted, rotates, rotate_every = rules[QUOTED], rules[ROTATES], rules[ROTATE_EVERY]
    minimum, cap, finish, reshuffle_at = rules[MINIMUM], rules[LARGEST], rules[FINISH], rules[RESHUFFLE_AT]
    bettors = rules[PLAYERS] - 1 if rotates else 0
    races = rules[RACES]
    for lane in rows:
        banker = bank[lane]
        if quoted and turn[lane] & 1 == 0:
            for suit in range(4):
                quotes[lane, suit] = decisions[lane, banker, suit]
            set_limits(limits[lane], quotes[lane], bankrolls[lane, banker], bettors, minimum, cap)
            for seat in range(seats):
                profit[lane, seat] = 0
            continue
        race = turn[lane] >> quoted
        # tickets are paid for, or refused whole
        for seat in range(seats):
            ticket = tickets[lane, seat] if seat != banker else NO_BET
            refuses = ticket != NO_BET and cost_of(ticket) > bankrolls[lane, seat]
            last_refused[lane, seat] = refuses
            refused[lane, seat] += refuses
            last_tickets[lane, seat] = NO_BET if refuses else ticket
        # the race
        for place in range(rail_swaps.shape[1]):
            last_swaps[lane, place] = rail_swaps[lane, place]
        for suit in range(4):
            last_rail[lane, suit] = rail[lane, suit]
            last_quotes[lane, suit] = quotes[lane, suit]
        last_bank[lane] = banker
        order, _ = run_race(deck, last_swaps[lane], stream_of(key[lane], STOCK, race), finish, 1)
        winner = order // 6
        last_winner[lane] = winner
        # the winners are paid, the rest goes to the bank
        settle_table(last_payouts[lane], profit[lane], last_stakes[lane], last_quotes[lane], winner, banker)
        for seat in range(seats):
            bankrolls[lane, seat] += profit[lane, seat]
        # the next race, perhaps under the next bank, or the end
        race += 1
        if race == races:
            over[lane] = True
            close_book(quotes[lane], limits[lane])
            continue
        if rotates and race % rotate_every == 0:
            banker = next_bank(bankrolls[lane], banker)
            bank[lane] = banker
        stream = stream_of(key[lane], RAIL, race)
        deal_rail(deck, rail_cards[lane], rail_swaps[lane], rail[lane], stream, reshuffle_at)
        if quoted:
            close_book(quotes[lane], limits[lane])
        else:
            hang_out(quotes[lane], limits[lane], rail[lane], bankrolls[lane, banker], bettors, minimum, cap)


@kernel
def show_race(deck, swaps, key, race, finish, places):  # type: ignore[no-untyped-def]
    """Deals a race again into ``deck`` and returns how many cards it took, rail included."""
    _, dealt = run_race(deck, swaps, stream_of(key, STOCK, race), finish, places)
    return dealt


@kernel
def expect_races(out, stakes, quotes, banks, chances):  # type: ignore[no-untyped-def]
    """Fills out (n, seats) with the expected profit of stakes (n, seats, 4) at chances (n, 4)."""
    for i in range(out.shape[0]):
        total = 0.0
        for seat in range(out.shape[1]):
            cost = np.int64(0)
            expected = 0.0
            for suit in range(4):
                stake = np.int64(stakes[i, seat, suit])
                cost += stake
                expected += chances[i, suit] * (stake + winnings(stake, quotes[i, suit]))
            out[i, seat] = expected - cost
            total += expected - cost
        out[i, banks[i]] = -total
