"""What there is to see at a Superfecta table: before the tickets are written, and card by card in a race.

Every scene of a table has the same grids with the same number of rows, so pictures of it have one size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..cards import SUIT_LETTERS, SUIT_SYMBOLS, card_text
from ..kernels import Chips
from ..order_law import ORDERS
from ..race_scene import PLACES, Progress, card_note, card_rows, course_of, progress
from ..scene import Grid, Scene, check_moment, seat_text, several
from ..track import SUITS, SUPERFECTA
from .lines import POOL_SLICES, POOLS, WINNING, Pool, horses_text
from .pools import settle
from .table import Superfecta
from .tickets import print_ticket

TITLE: Final = "Superfecta"
RACED_FOR: Final = SUITS - 1  # places; the last is left over


def frames(game: Superfecta, lane: int) -> int:
    """Frames of the lane's last race, one before the first stock card and one after each; 0 without one."""
    if game.state.last_order[lane] < 0:
        return 0
    return len(game.dealt(lane)) - SUPERFECTA.rail + 1


def rounds(game: Superfecta, lane: int) -> int:
    """Races run in this game."""
    return int(game.state.turn[lane])


def drawn(game: Superfecta, lane: int) -> dict[str, list[str]]:
    """The order of finish of the lane's last race, the rail and the stock cards that were dealt."""
    cards = [card_text(card) for card in game.dealt(lane).tolist()]
    order = [SUIT_LETTERS[suit] for suit in ORDERS[game.state.last_order[lane]]]
    return {"order": order, "rail": cards[: SUPERFECTA.rail], "stock": cards[SUPERFECTA.rail :]}


def scene(game: Superfecta, lane: int, frame: int | None, seat: int | None = None) -> Scene:
    """The table before the next tickets (None), or its last race after ``frame`` stock cards.

    Everybody sees the same: tickets lie open as soon as they are handed in, and no scene is made between.

    Raises:
        InvalidSettings: the lane has not been started, or there is no such frame or seat.
    """
    check_moment(game, lane, frame, seat, 0 if frame is None else frames(game, lane))
    if frame is None:
        return _closed(game, lane) if game.over[lane] else _open(game, lane)
    return _race(game, lane, frame)


def _open(game: Superfecta, lane: int) -> Scene:
    """The table that waits for tickets."""
    state = game.state
    race = int(state.turn[lane])
    now = progress(SUPERFECTA, RACED_FOR, state.rail[lane])
    order = _order_text(game, lane)
    return Scene(
        title=TITLE,
        subtitle=f"Race {race + 1:,} of {game.settings.races:,} · open for tickets",
        cards=card_rows(now),
        course=course_of(now, state.rail_cards[lane]),
        grids=(
            _pools("Pools carried over", state.pools[lane]),
            _chances(now),
            _result(game, lane, shown=race > 0),
            _players(game, lane, settled=True, title="Players and their last tickets"),
        ),
        note=f"Race {race:,} finished {order}." if race else "The first race is about to be run.",
    )


def _closed(game: Superfecta, lane: int) -> Scene:
    """The table after the last race, which stays in sight."""
    last = _race(game, lane, frames(game, lane) - 1)
    return replace(last, subtitle=f"The game is over after {several(game.settings.races, 'race')}")


def _race(game: Superfecta, lane: int, frame: int) -> Scene:
    """The last race after so many stock cards."""
    state = game.state
    race = int(state.turn[lane])
    cards = [int(card) for card in game.dealt(lane)]
    rail, stock = cards[: SUPERFECTA.rail], cards[SUPERFECTA.rail :]
    now = progress(SUPERFECTA, RACED_FOR, state.last_rail[lane], stock[:frame])
    settled = now.decided
    return Scene(
        title=TITLE,
        subtitle=f"Race {race:,} of {game.settings.races:,} · {now.stage}",
        cards=card_rows(now),
        course=course_of(now, rail),
        grids=(
            _pools("Pools to be won", state.last_pools[lane]),
            _chances(now),
            _result(game, lane, shown=settled),
            _players(game, lane, settled=settled, title="Players and their tickets"),
        ),
        note=_settled_note(game, lane) if settled else _note(now),
    )


def _chances(now: Progress) -> Grid:
    """The exact chance of each horse to be the next one home, or the place it has."""
    if now.decided:
        title = "Order of finish"
    elif now.finished:
        title = f"Chances to be {PLACES[len(now.finished)]}"
    else:
        title = "Win chances"
    rows = []
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        place = now.place(suit)
        rows.append((symbol, place or str(now.chances[suit])))
    return Grid(title, ("Horse", "Place" if now.decided else "Exact"), tuple(rows))


def _pools(title: str, pools: Chips) -> Grid:
    return Grid(title, ("Pool", "Chips"), tuple((pool.name, f"{int(pools[pool]):,}") for pool in Pool))


@dataclass(frozen=True, slots=True)
class _Paid:
    """What the last race did to one pool."""

    line: str
    holders: int
    paid: int  # chips
    left: int  # chips


def _settlement(game: Superfecta, lane: int) -> list[_Paid]:
    """The last race's pools, settled again one by one."""
    state, settings = game.state, game.settings
    order = int(state.last_order[lane])
    settlements = []
    for pool in range(POOLS):
        line = int(WINNING[order, pool])
        alone = np.zeros_like(state.last_stakes[lane : lane + 1])  # (1, seats, 40): this pool's stakes only
        alone[..., POOL_SLICES[pool]] = state.last_stakes[lane, :, POOL_SLICES[pool]]
        staked = int(alone.sum())
        total = int(state.last_pools[lane, pool])
        carried = np.zeros((1, POOLS), np.int64)
        carried[0, pool] = (
            total - staked + staked * settings.takeout_rate.numerator // settings.takeout_rate.denominator
        )
        done = settle(alone, carried, np.array([order]), settings)
        holders = int(np.count_nonzero(alone[0, :, line]))
        paid, left = int(done.payouts.sum()), int(done.pools[0, pool])
        settlements.append(_Paid(horses_text(line), holders, paid, left))
    return settlements


def _result(game: Superfecta, lane: int, shown: bool) -> Grid:
    columns = ("Pool", "Line", "Winners", "Paid", "Left")
    if not shown:
        return Grid("Result", columns, tuple((pool.name, "", "", "", "") for pool in Pool), left=(0, 1))
    rows = [
        (pool.name, done.line, f"{done.holders}", f"{done.paid:,}", f"{done.left:,}")
        for pool, done in zip(Pool, _settlement(game, lane), strict=True)
    ]
    return Grid(f"Result of race {int(game.state.turn[lane]):,}", columns, tuple(rows), left=(0, 1))


def _players(game: Superfecta, lane: int, settled: bool, title: str) -> Grid:
    """A row for each seat: its chips, its ticket in the last race and what that brought."""
    state = game.state
    run = bool(state.last_order[lane] >= 0)
    rows = []
    for seat in range(game.seats):
        stakes = state.last_stakes[lane, seat]
        cost, profit = int(stakes.sum()), int(state.profit[lane, seat])
        chips = int(state.bankrolls[lane, seat])
        ticket = "; ".join(print_ticket(stakes).split("\n")) or "no wager"
        if state.last_refused[lane, seat]:
            ticket = "refused: dearer than its chips"
        money = (f"{cost:,}", f"{int(state.last_payouts[lane, seat]):,}", f"{profit:+,}" if profit else "0")
        if not settled:  # stakes are on the table, payouts are not known
            chips -= profit + cost
            money = (f"{cost:,}", "", "")
        shown = (ticket, *money) if run else ("", "", "", "")
        rows.append((seat_text(seat), f"{chips:,}", *shown))
    columns = ("Player", "Chips", "Ticket", "Cost", "Payout", "Profit")
    return Grid(title, columns, tuple(rows), left=(0, 2), wide=True)


def _order_text(game: Superfecta, lane: int) -> str:
    return " ".join(SUIT_SYMBOLS[suit] for suit in ORDERS[game.state.last_order[lane]])


def _note(now: Progress) -> str:
    return card_note(now) if now.stock else "The tickets are in, the rail is laid, the race begins."


def _settled_note(game: Superfecta, lane: int) -> str:
    """The order of finish, and the final division where the game is over."""
    text = f"Order of finish {_order_text(game, lane)}."
    if game.over[lane]:
        left = sum(done.left for done in _settlement(game, lane))
        text += f" The pools' last chips ({left:,}) are divided: {left // game.seats:,} to each player"
        text += f", {left % game.seats} to nobody." if left % game.seats else "."
    return text
