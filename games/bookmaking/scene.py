"""What there is to see at a bookmaker's table: the board before the bets, and the race card by card.

Everybody sees the same, whoever looks. Every scene of a table has the same grids with the same number of
rows, so pictures of it have one size.

Rule: RULES.md §3 and §4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

import numpy as np

from ..cards import SUIT_LETTERS, SUIT_SYMBOLS, card_text
from ..kernels import Counts, Stakes
from ..race_scene import Progress, card_note, card_rows, course_of, progress
from ..scene import Grid, Scene, check_moment, seat_text, several
from .prices import BOARD, NO_PRICE, price_text
from .state import Phase
from .table import BookmakerTable
from .tickets import print_ticket

TITLES: Final = {
    "horse-race": "Horse Race",
    "scarne-horse-race": "Scarne's Horse Race",
    "racing-aces": "Racing Aces",
}  # by the name of the table
RACED_FOR: Final = 1  # places


def frames(game: BookmakerTable, lane: int) -> int:
    """Frames of the lane's last race, one before the first stock card and one after each.

    0 without one, and where it was run before the table was made from a view: its cards are not known.
    """
    state = game.state
    if state.last_winner[lane] < 0 or state.last_swaps[lane, 0] < 0:
        return 0
    return len(game.dealt(lane)) - game.settings.course.rail + 1


def rounds(game: BookmakerTable, lane: int) -> int:
    """Races run in this game."""
    return int(game.races_run[lane])


def drawn(game: BookmakerTable, lane: int) -> dict[str, list[str]]:
    """The winner of the lane's last race, its odds, the rail and the stock cards that were dealt."""
    state, rail = game.state, game.settings.course.rail
    cards = [card_text(card) for card in game.dealt(lane).tolist()]
    winner = int(state.last_winner[lane])
    odds = price_text(int(state.last_quotes[lane, winner]))
    return {"order": [SUIT_LETTERS[winner]], "odds": [odds], "rail": cards[:rail], "stock": cards[rail:]}


def scene(game: BookmakerTable, lane: int, frame: int | None, seat: int | None = None) -> Scene:
    """The table before the next quote or bets (None), or its last race after ``frame`` stock cards.

    Everybody sees the same: quotes and tickets lie open as soon as all are in, and no scene is made between.

    Raises:
        InvalidSettings: the lane has not been started, or there is no such frame or seat.
    """
    count = frames(game, lane)
    check_moment(game, lane, frame, seat, count)
    if frame is not None:
        return _race(game, lane, frame)
    if not game.over[lane]:
        return _open(game, lane)
    last = _race(game, lane, count - 1) if count else _open(game, lane)
    return replace(last, subtitle=f"The game is over after {several(game.settings.races, 'race')}")


def _open(game: BookmakerTable, lane: int) -> Scene:
    """The table that waits for the bank's quote or for bets."""
    state = game.state
    race = int(game.races_run[lane])
    quoting = game.phase[lane] == Phase.QUOTE
    now = progress(game.settings.course, RACED_FOR, state.rail[lane])
    quotes = state.quotes[lane]
    return Scene(
        title=TITLES[game.name],
        subtitle=f"Race {race + 1:,} of {game.settings.races:,} · "
        + ("the bank quotes" if quoting else "open for bets"),
        cards=card_rows(now),
        course=course_of(now, state.rail_cards[lane], _prices(quotes)),
        grids=(
            _odds(now, now, quotes, np.minimum(state.limits[lane], game.settings.stakes[-1])),
            _result(game, lane, shown=race > 0),
            _players(game, lane, settled=True, title="Players and their last bets"),
        ),
        note=_open_note(game, lane, quoting),
    )


def _race(game: BookmakerTable, lane: int, frame: int) -> Scene:
    """The last race after so many stock cards."""
    state, course = game.state, game.settings.course
    cards = [int(card) for card in game.dealt(lane)]
    rail, stock = cards[: course.rail], cards[course.rail :]
    start = progress(course, RACED_FOR, state.last_rail[lane])
    now = progress(course, RACED_FOR, state.last_rail[lane], stock[:frame])
    quotes = state.last_quotes[lane]
    return Scene(
        title=TITLES[game.name],
        subtitle=f"Race {int(game.races_run[lane]):,} of {game.settings.races:,} · {now.stage}",
        cards=card_rows(now),
        course=course_of(now, rail, _prices(quotes)),
        grids=(
            _odds(start, now, quotes, None),
            _result(game, lane, shown=now.decided),
            _players(game, lane, settled=now.decided, title="Players and their bets"),
        ),
        note=card_note(now) if now.stock else "The bets are in, the race begins.",
    )


def _prices(quotes: Counts) -> list[str]:
    """The odds of H, D, C, S as text, empty before they are known."""
    return ["" if price == NO_PRICE else price_text(int(price)) for price in quotes]


def _odds(start: Progress, now: Progress, quotes: Counts, limits: Stakes | None) -> Grid:
    """Each horse's exact chance now, its odds, what a chip on it was worth at the start, and its limit."""
    rows = []
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        chance = now.place(suit) or ("beaten" if now.decided else str(now.chances[suit]))
        worth = _worth(start.chances[suit], int(quotes[suit]))
        limit = "" if limits is None or quotes[suit] == NO_PRICE else f"{int(limits[suit]):,}"
        price = _prices(quotes)[suit]
        rows.append((symbol, f"{now.rail[suit]}", chance, price, worth, "closed" if limit == "0" else limit))
    columns = ("Horse", "Rail", "Finish" if now.decided else "Chance", "Odds", "Per chip", "Limit")
    return Grid("Result" if now.decided else "Odds", columns, tuple(rows))


def _worth(chance: Fraction, price: int) -> str:
    """The expected profit of a chip, before payouts are rounded down."""
    if price == NO_PRICE:
        return ""
    net, per = BOARD[price]
    return f"{float(chance * Fraction(net + per, per) - 1):+.4f}"


def _result(game: BookmakerTable, lane: int, shown: bool) -> Grid:
    """What the last race came to for the bank."""
    state = game.state
    labels = ("Winner", "Odds", "Staked", "Paid out", "Bank's profit")
    values: Sequence[str] = ("",) * len(labels)
    title = "The book"
    if shown:
        winner = int(state.last_winner[lane])
        staked, paid = int(state.last_stakes[lane].sum()), int(state.last_payouts[lane].sum())
        title = f"The book of race {int(game.races_run[lane]):,}"
        odds = price_text(int(state.last_quotes[lane, winner]))
        profit = f"{staked - paid:+,}" if staked != paid else "0"
        values = (SUIT_SYMBOLS[winner], odds, f"{staked:,}", f"{paid:,}", profit)
    return Grid(title, ("", ""), tuple(zip(labels, values, strict=True)))


def _players(game: BookmakerTable, lane: int, settled: bool, title: str) -> Grid:
    """A row for each seat, the house's too: its chips, its bets in the last race and what they brought."""
    state = game.state
    costs = state.last_stakes[lane].sum(axis=1, dtype=int)
    profits = state.last_payouts[lane] - costs
    rows = []
    for seat in range(game.seats):
        bank = seat == state.last_bank[lane]
        profit = -int(profits.sum()) if bank else int(profits[seat])
        chips, cost = int(state.bankrolls[lane, seat]), int(costs[seat])
        if not settled:  # stakes are on the table, payouts are not known
            chips -= profit + cost
        bets = "; ".join(print_ticket(state.last_stakes[lane, seat]).split("\n")) or "no bet"
        if bank:
            bets = "keeps the bank"
        elif state.last_refused[lane, seat]:
            bets = "refused: dearer than its chips"
        payout = "" if bank else f"{int(state.last_payouts[lane, seat]):,}"
        result = (payout, f"{profit:+,}" if profit else "0") if settled else ("", "")
        shown = (bets, "" if bank else f"{cost:,}", *result)
        rows.append(
            (seat_text(seat), f"{chips:,}", *(shown if state.last_winner[lane] >= 0 else ("", "", "", "")))
        )
    columns = ("Player", "Chips", "Bets", "Cost", "Payout", "Profit")
    return Grid(title, columns, tuple(rows), left=(0, 2), wide=True)


def _open_note(game: BookmakerTable, lane: int, quoting: bool) -> str:
    """Who quotes, and how the last race ended."""
    state = game.state
    bank, winner = seat_text(int(state.bank[lane])), int(state.last_winner[lane])
    before = "" if winner < 0 else f"{SUIT_SYMBOLS[winner]} won race {int(game.races_run[lane]):,}. "
    if quoting:
        return f"{before}The rail lies, the odds are to be quoted by {bank}."
    if game.settings.quoted:
        return f"{before}The odds are quoted by {bank}, bets are taken."
    rotating = f", the bank is kept by {bank}" if game.settings.rotates else ""
    return f"{before}The odds are published by the cards on the rail{rotating}, bets are taken."
