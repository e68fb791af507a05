"""The kernels of Pasteboard Derby: one pass over a lane for a whole race. Rule: RULES.md §5."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import inline_kernel, kernel
from .bank import pay_backers
from .race import HORSES, NOBODY, STOCK, run_race, stream_of
from .settings import FEWEST_PAYERS, PAYERS_FOR_TWO_PLACES

NO_HORSE: Final = 1
UNKNOWN_HORSE: Final = 2


@inline_kernel
def game_ends(races_run, races, able):  # type: ignore[no-untyped-def]
    """Whether no race follows, with ``able`` seats that could pay for one."""
    return races_run >= races or able < FEWEST_PAYERS


@kernel
def find_faults(codes, decisions, rows, bankrolls, over, ante):  # type: ignore[no-untyped-def]
    """Fills codes (n, seats) int8: 1 a payer that names no horse, 2 one that names an unknown horse."""
    for i in range(rows.shape[0]):
        lane = rows[i]
        for seat in range(codes.shape[1]):
            horse = decisions[lane, seat, 0]
            code = 0
            if bankrolls[lane, seat] >= ante and not over[lane]:
                if horse == 0:
                    code = NO_HORSE
                elif horse < 0 or horse > HORSES:
                    code = UNKNOWN_HORSE
            codes[i, seat] = code


@kernel
def run_races(  # type: ignore[no-untyped-def]
    turn, profit, over, bankrolls, bank, undivided, tally, dealt_race, last_named, last_winner, last_second,
    last_bank, last_payouts, positions, deck, unseen, decisions, rows, key, steps, ante, races, places,
):  # fmt: skip
    """A race in each of these lanes: antes, race, settlement and, after the last, the final division.

    ``decisions`` (lanes, seats, 1) int8 are the horses named; those of seats that cannot pay are not read.
    ``unseen`` (0,) int8 keeps no record of the cards.
    """
    seats = bankrolls.shape[1]
    for lane in rows:
        race = turn[lane]
        # antes are paid, horses named
        payers = np.int64(0)
        for seat in range(seats):
            if bankrolls[lane, seat] >= ante:
                horse = decisions[lane, seat, 0]
                last_named[lane, seat] = horse
                tally[lane, seat, horse - 1] += 1
                profit[lane, seat] = -ante
                payers += 1
            else:
                last_named[lane, seat] = 0
                profit[lane, seat] = 0
        last_bank[lane] = bank[lane] + payers * ante
        # the race
        asked = places if payers >= PAYERS_FOR_TWO_PLACES else 1
        stream = stream_of(key[lane], STOCK, race)
        first, second, _ = run_race(positions, unseen, unseen, deck, stream, steps, asked)
        dealt_race[lane] = race
        last_winner[lane] = first
        last_second[lane] = second
        # the bank is settled
        bank[lane] = pay_backers(last_payouts[lane], last_named[lane], last_bank[lane], ante, first, second)
        able = np.int64(0)
        for seat in range(seats):
            profit[lane, seat] += last_payouts[lane, seat]
            bankrolls[lane, seat] += profit[lane, seat]
            able += bankrolls[lane, seat] >= ante
        # the final division
        if game_ends(race + 1, races, able):
            over[lane] = True
            part = bank[lane] // seats
            for seat in range(seats):
                profit[lane, seat] += part
                bankrolls[lane, seat] += part
            undivided[lane] = bank[lane] - part * seats
            bank[lane] = 0


@kernel
def expect_races(  # type: ignore[no-untyped-def]
    out, luck, payouts, rows, turn, profit, over, bankrolls, bank, last_named, last_winner, last_second,
    last_bank, win_chances, pair_chances, ante, races,
):  # fmt: skip
    """Fills out (n, seats) with each seat's expected profit in the last race of these lanes, and luck
    (n, seats) with how much more than expected that race left in the bank for it (see `adjusted_profit`).

    A sum over what the race could have decided: the winner, or the first two (``pair_chances`` (4, 4)). Each
    result settles the bank and tells whether the game ends there, so whether the rest is divided.
    ``payouts`` (seats,) is overwritten.
    """
    seats = bankrolls.shape[1]
    for i in range(rows.shape[0]):
        lane = rows[i]
        out[i, :] = 0.0
        luck[i, :] = 0.0
        if last_winner[lane] == NOBODY:
            continue
        stays = hit = 0.0
        two_places = last_second[lane] != NOBODY
        for first in range(HORSES):
            for other in range(HORSES if two_places else 1):
                if two_places and other == first:
                    continue
                second = other if two_places else NOBODY
                chance = pair_chances[first, other] if two_places else win_chances[first]
                left = pay_backers(payouts, last_named[lane], last_bank[lane], ante, first, second)
                able = np.int64(0)
                named = False
                for seat in range(seats):
                    named = named or last_named[lane, seat] == first + 1
                    payouts[seat] -= ante * (last_named[lane, seat] > 0)
                    able += bankrolls[lane, seat] - profit[lane, seat] + payouts[seat] >= ante
                ends = game_ends(turn[lane], races, able)
                part = left // seats if ends else 0
                stays += 0.0 if ends else chance * left
                hit += chance * named
                for seat in range(seats):
                    out[i, seat] += chance * (payouts[seat] + part)
        surplus = (0 if over[lane] else bank[lane]) - stays
        lasts = max(1.0 - hit, 0.0) ** (races - turn[lane])
        payers = (last_named[lane] > 0).sum()
        for seat in range(seats):
            to_payers = (1.0 - lasts) / payers if last_named[lane, seat] > 0 else 0.0
            luck[i, seat] = surplus * (lasts / seats + to_payers)
