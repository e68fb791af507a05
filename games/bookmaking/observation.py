"""What a seat at a bookmaker's table sees, as numbers: the index table and the kernels that fill it."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels import dividing_kernel, inline_kernel
from ..layout import Layout
from .prices import IMPLIED
from .settings import BookmakerSettings

FAIR_AT: Final = IMPLIED.astype(np.float32)  # (33,)

# places in the scale array (7,) float64
PLAYERS: Final = 0
RAIL: Final = 1  # cards of a rail
RACES: Final = 2
TOTAL: Final = 3  # chips brought in, at least 1
LARGEST: Final = 4  # largest stake on offer
ROTATES: Final = 5
QUOTED: Final = 6


def layout_of(settings: BookmakerSettings) -> Layout:
    """The index table for a table of these rules."""
    implied = "1 / (1 + net odds) on H, D, C, S"
    house = [("house", 1, -1.0, 1.0, "account of the house, signed, a / (|a| + chips brought in)")]
    banks = [
        ("bank", settings.seats, 0.0, 1.0, "1 for the seat that keeps the bank, in the order of bankrolls")
    ]
    quoting = [("quoting", 1, 0.0, 1.0, "1 while the bank quotes, 0 while the others bet")]
    return Layout.of(
        [
            ("rail", 4, 0, 1, "rail cards of H, D, C, S, each / cards on the rail"),
            ("quotes", 4, 0, 1, f"{implied}; 0 before they are known"),
            ("limits", 4, 0, 1, "most that may be staked on H, D, C, S / largest stake on offer, at most 1"),
            (
                "bankrolls", settings.seats, 0, 1,
                "own chips, then each following player's (the house: from seat 0), b / (b + all brought in)",
            ),
            *(banks if settings.rotates else house),
            ("race", 1, 0, 1, "races run / races of the game"),
            *(quoting if settings.quoted else []),
            ("spent", 1, 0, 1, "cost of the ticket being written / own chips"),
            ("draft", 4, 0, 1, "stakes written on H, D, C, S / largest on offer; in a quote as in quotes"),
            ("last_winner", 4, 0, 1, "last race: 1 for the suit that won"),
            ("last_quotes", 4, 0, 1, f"last race: {implied}"),
            ("last_money", 4, 0, 1, "last race: share of all chips staked that stood on H, D, C, S"),
        ]
    )  # fmt: skip


def scale_of(settings: BookmakerSettings, largest: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """What the kernels divide by and choose with, (7,) float64."""
    total = max(1, settings.bankroll * settings.seats)
    return np.array(
        [
            settings.seats,
            settings.course.rail,
            settings.races,
            total,
            largest,
            settings.rotates,
            settings.quoted,
        ],
        np.float64,
    )


@inline_kernel
def write_prices(out, quotes):  # type: ignore[no-untyped-def]
    """Fills out (4,) with the chances at which quotes (4,) are fair."""
    for suit in range(4):
        out[suit] = FAIR_AT[quotes[suit]] if quotes[suit] >= 0 else np.float32(0)


@inline_kernel
def write_money(out, stakes):  # type: ignore[no-untyped-def]
    """Fills out (4,) with each suit's share of all stakes (seats, 4)."""
    total = np.int64(0)
    for suit in range(4):
        staked = np.int64(0)
        for seat in range(stakes.shape[0]):
            staked += stakes[seat, suit]
        out[suit] = staked
        total += staked
    if total > 0:
        for suit in range(4):
            out[suit] = out[suit] / total


@inline_kernel
def write_row(  # type: ignore[no-untyped-def]
    out,
    seat,
    race,
    quoting,
    bank,
    rail,
    quotes,
    limits,
    bankrolls,
    last_winner,
    last_quotes,
    last_stakes,
    scale,
):
    """The features of one seat before it has written anything; returns where ``spent`` stands."""
    players = np.int64(scale[PLAYERS])
    for suit in range(4):
        out[suit] = rail[suit] / scale[RAIL]
        out[8 + suit] = min(1.0, limits[suit] / scale[LARGEST])
    write_prices(out[4:8], quotes)
    for step in range(players):
        other = seat + step if seat + step < players else seat + step - players
        out[12 + step] = bankrolls[other] / (bankrolls[other] + scale[TOTAL])
        if scale[ROTATES]:
            out[12 + players + step] = other == bank
    place = 12 + 2 * players
    if not scale[ROTATES]:
        account = bankrolls[players]
        out[12 + players] = account / (abs(account) + scale[TOTAL])
        place = 13 + players
    out[place] = race / scale[RACES]
    place += 1
    if scale[QUOTED]:
        out[place] = quoting
        place += 1
    for step in range(5):
        out[place + step] = 0
    for suit in range(4):
        out[place + 5 + suit] = suit == last_winner
    write_prices(out[place + 9 : place + 13], last_quotes)
    write_money(out[place + 13 : place + 17], last_stakes)
    return place


@dividing_kernel
def write_views(  # type: ignore[no-untyped-def]
    out, seat, race, phase, bank, rail, quotes, limits, bankrolls, last_winner, last_quotes, last_stakes,
    quoting, values, written, cost, scale,
):  # fmt: skip
    """Fills out (n, features), a row for each row of a view and its draft."""
    for i in range(out.shape[0]):
        place = write_row(
            out[i], seat[i], race[i], phase[i] == 0, bank[i], rail[i], quotes[i], limits[i], bankrolls[i],
            last_winner[i], last_quotes[i], last_stakes[i], scale,
        )  # fmt: skip
        own = bankrolls[i, seat[i]]
        if own > 0:
            out[i, place] = min(1.0, cost[i] / own)
        for suit in range(4):
            if not quoting[i]:
                out[i, place + 1 + suit] = values[i, suit] / scale[LARGEST]
            elif suit < written[i]:
                out[i, place + 1 + suit] = FAIR_AT[values[i, suit]]


@dividing_kernel
def write_tables(  # type: ignore[no-untyped-def]
    out, turn, bank, rail, quotes, limits, bankrolls, last_winner, last_quotes, last_stakes, scale
):
    """Fills out (lanes, seats, features) with every seat's view before anything is written."""
    for lane in range(out.shape[0]):
        race = turn[lane] >> 1 if scale[QUOTED] else turn[lane]
        quoting = scale[QUOTED] > 0 and turn[lane] & 1 == 0
        for seat in range(out.shape[1]):
            write_row(
                out[lane, seat], seat, race, quoting, bank[lane], rail[lane], quotes[lane], limits[lane],
                bankrolls[lane], last_winner[lane], last_quotes[lane], last_stakes[lane], scale,
            )  # fmt: skip
