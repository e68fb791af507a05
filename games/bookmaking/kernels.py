"""The kernels of the bookmaker's table: one pass over a lane for a whole turn. Rule: RULES.md §1, §3, §4.

What is inlined takes numbers where it can: around an inlined kernel that branches on what is in arrays Numba
may count references to them in every lane, and those atomic additions were two fifths of a turn.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import Chips, dividing_kernel, inline_kernel, kernel
from ..race import EACH_SUIT, EACH_TOP, LOW_16, deal_rail, deal_rail_from, run_race, win_race
from ..streams import LOW_32, Role, fold, gamma_of, stream_of
from .ledger import limit_at, payout_of, winnings
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
FIRST_ATTEMPT: Final = np.uint64(0)
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


@kernel
def fill_to_act(acts, turn, bank, over, rules):  # type: ignore[no-untyped-def]
    """Fills acts (lanes, seats) bool: the bank while it quotes, then every player but the bank."""
    quoted, players = rules[QUOTED], rules[PLAYERS]
    for lane in range(acts.shape[0]):
        quotes = quoted != 0 and turn[lane] & 1 == 0
        plays = not over[lane]
        banker = bank[lane]
        for seat in range(acts.shape[1]):
            bets = (seat != banker) & (seat < players)
            acts[lane, seat] = plays & ((seat == banker) if quotes else bets)


@kernel
def fill_staked(staked, last_stakes, last_winner, turn, rules):  # type: ignore[no-untyped-def]
    """Fills staked (lanes, seats) int64 from the last stakes (lanes, seats, 4); 0 where the last turn was no
    race.
    """
    quoted = rules[QUOTED]
    for lane in range(staked.shape[0]):
        raced = last_winner[lane] >= 0 and not (quoted and turn[lane] & 1)
        for seat in range(staked.shape[1]):
            cost = np.int64(0)
            for suit in range(4):
                cost += last_stakes[lane, seat, suit]
            staked[lane, seat] = cost if raced else 0


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
    codes, decisions, tickets, rows, turn, bank, limits, ceilings, allowed, rules
):
    """Writes into codes (n, seats) int8, which are 0, the rules broken by decisions that are asked for.

    ``tickets`` (lanes, seats) and ``ceilings`` (lanes,) uint64 are the decisions (lanes, seats, 4) and limits
    (lanes, 4) int16 as words: that a ticket is legal is seen of four stakes at once, and only one that is not
    is looked at stake by stake. ``allowed`` (largest + 1,) says that no stake is on offer too.
    """
    quoted, players, max_wagers = rules[QUOTED], rules[PLAYERS], rules[MAX_WAGERS]
    most = np.uint64(max_wagers)
    for i in range(rows.shape[0]):
        lane = np.uint64(rows[i])
        banker = bank[lane]
        if quoted and turn[lane] & 1 == 0:
            for suit in range(4):
                price = decisions[lane, banker, suit]
                if price < 0 or price >= PRICES:
                    codes[i, banker] = NOT_A_PRICE
            continue
        for seat in range(players):
            if seat == banker:  # it is not asked
                continue
            ticket = tickets[lane, seat]
            # a suit's top bit stays where its stake is 0 or more and not above its limit
            within = ((ceilings[lane] | EACH_TOP) - ticket) & ~ticket & EACH_TOP == EACH_TOP
            # and is set here where its stake is above 0
            staked = (ticket + ~EACH_TOP) & EACH_TOP
            wagers = (staked >> np.uint64(15)) * EACH_SUIT >> np.uint64(48)
            if (
                not within
                or wagers > most
                or not (
                    allowed[ticket & LOW_16]
                    & allowed[(ticket >> np.uint64(16)) & LOW_16]
                    & allowed[(ticket >> np.uint64(32)) & LOW_16]
                    & allowed[ticket >> np.uint64(48)]
                )
            ):
                codes[i, seat] = fault_of(decisions[lane, seat], limits[lane], allowed, max_wagers)


@inline_kernel
def limit_of(price, share, bettors, minimum, cap):  # type: ignore[no-untyped-def]
    """The limit at a price of a bank with so many chips for each bettor; the cap by the house, bettors 0."""
    return limit_at(price, share, minimum, cap) if bettors else cap


@inline_kernel
def next_bank(bankrolls, lane, bank):  # type: ignore[no-untyped-def]
    """The next seat with chips, the bank itself last; there always is one, no chips leave the table."""
    seats = bankrolls.shape[1]
    heir = bank
    for step in range(1, seats + 1):
        heir = (bank + step) % seats
        if bankrolls[lane, heir] > 0:
            break
    return heir


@inline_kernel
def close_book(quotes, limits, lane):  # type: ignore[no-untyped-def]
    """No prices and no bets in a lane of quotes and limits (lanes, 4)."""
    for suit in range(4):
        quotes[lane, suit] = NO_PRICE
        limits[lane, suit] = 0


@kernel
def open_tables(  # type: ignore[no-untyped-def]
    bankrolls, bank, quotes, limits, refused, rail_cards, rail_swaps, rail, last_swaps, last_rail,
    last_winner, last_bank, last_quotes, last_tickets, last_refused, last_payouts, deck, rows, key, chips,
    rules,
):  # fmt: skip
    """The first race in these lanes: players have their chips, seat 0 banks, or the house behind them."""
    quoted, players, minimum, cap = rules[QUOTED], rules[PLAYERS], rules[MINIMUM], rules[LARGEST]
    bettors = players - 1 if rules[ROTATES] else 0
    share = chips // bettors if bettors else 0
    for lane in rows:
        for seat in range(bankrolls.shape[1]):
            bankrolls[lane, seat] = chips if seat < players else 0
            refused[lane, seat] = 0
            last_tickets[lane, seat] = NO_BET
            last_refused[lane, seat] = False
            last_payouts[lane, seat] = 0
        for place in range(last_swaps.shape[1]):
            last_swaps[lane, place] = 0
        for suit in range(4):
            last_rail[lane, suit] = 0
            last_quotes[lane, suit] = NO_PRICE
        last_winner[lane] = -1
        last_bank[lane] = -1
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
            close_book(quotes, limits, lane)
        else:
            for suit in range(4):
                price = PUBLISHED[rail[lane, suit]]
                quotes[lane, suit] = price
                limits[lane, suit] = limit_of(price, share, bettors, minimum, cap)


@dividing_kernel
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
    for row in rows:
        lane = np.uint64(row)
        banker = bank[lane]
        if quoted and turn[lane] & 1 == 0:
            share = bankrolls[lane, banker] // bettors if bettors else 0
            for suit in range(4):
                price = decisions[lane, banker, suit]
                quotes[lane, suit] = price
                limits[lane, suit] = limit_of(price, share, bettors, minimum, cap)
            for seat in range(seats):
                profit[lane, seat] = 0
            continue
        race = turn[lane] >> quoted
        stock = stream_of(key[lane], STOCK, race)
        # the stream of the next rail is found by the time it is needed
        stream = stream_of(key[lane], RAIL, race + 1)
        state = fold(stream, FIRST_ATTEMPT)
        gamma = gamma_of(state)
        # tickets are paid for, or refused whole
        for seat in range(seats):
            ticket = tickets[lane, seat] if seat != banker else NO_BET
            refuses = (cost_of(ticket) > bankrolls[lane, seat]) & (ticket != NO_BET)
            last_refused[lane, seat] = refuses
            refused[lane, seat] += refuses
            last_tickets[lane, seat] = NO_BET if refuses else ticket
        # the race
        for suit in range(4):
            last_rail[lane, suit] = rail[lane, suit]
            last_quotes[lane, suit] = quotes[lane, suit]
        last_bank[lane] = banker
        winner = win_race(deck, last_swaps, rail_swaps, lane, stock, finish)
        if winner < 0:
            order, _ = run_race(deck, last_swaps[lane], stock, finish, 1)
            winner = order // 6
        last_winner[lane] = winner
        # the winners are paid, the rest goes to the bank
        lost = np.int64(0)
        price = last_quotes[lane, winner]
        for seat in range(seats):
            paid = payout_of(np.int64(last_stakes[lane, seat, winner]), price)
            gained = paid - cost_of(last_tickets[lane, seat])
            last_payouts[lane, seat] = paid
            profit[lane, seat] = gained
            bankrolls[lane, seat] += gained
            lost += gained
        profit[lane, banker] = -lost
        bankrolls[lane, banker] -= lost
        # the next race, perhaps under the next bank, or the end
        race += 1
        if race == races:
            over[lane] = True
            close_book(quotes, limits, lane)
            continue
        if rotates and race % rotate_every == 0:
            banker = next_bank(bankrolls, lane, banker)
            bank[lane] = banker
        deal_rail_from(
            deck, rail_cards[lane], rail_swaps[lane], rail[lane], stream, state, gamma, reshuffle_at
        )
        if quoted:
            close_book(quotes, limits, lane)
        else:
            share = bankrolls[lane, banker] // bettors if bettors else 0
            for suit in range(4):
                price = PUBLISHED[rail[lane, suit]]
                quotes[lane, suit] = price
                limits[lane, suit] = limit_of(price, share, bettors, minimum, cap)


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
