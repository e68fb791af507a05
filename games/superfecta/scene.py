"""What there is to see at a Superfecta table: before the tickets are written, and card by card in a race.

Every scene of a table has the same grids with the same number of rows, so pictures of it have one size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from ..cards import CARDS, RANK_TEXTS, RANKS, SUIT_SYMBOLS
from ..checks import whole
from ..errors import InvalidSettings
from ..kernels import Chips
from ..order_law import ORDERS, order_law
from ..scene import CardRow, Course, Grid, Runner, Scene, seat_text
from ..track import SUITS, SUPERFECTA
from .lines import POOL_SLICES, POOLS, WINNING, Pool, horses_text
from .pools import settle
from .table import Superfecta
from .tickets import print_ticket

TITLE: Final = "Superfecta"
PLACES: Final = ("1st", "2nd", "3rd", "4th")
SHOWN: Final = 5  # stock cards left in sight behind the last one dealt
STOCK: Final = CARDS - SUITS - SUPERFECTA.rail  # cards behind the rail


def frames(game: Superfecta, lane: int) -> int:
    """Frames of the lane's last race, one before the first stock card and one after each; 0 without one."""
    if game.state.last_order[lane] < 0:
        return 0
    return len(game.dealt(lane)) - SUPERFECTA.rail + 1


def scene(game: Superfecta, lane: int, frame: int | None) -> Scene:
    """The table before the next tickets (None), or its last race after ``frame`` stock cards.

    Raises:
        InvalidSettings: the lane has not been started, or its last race has no such frame.
    """
    if game.state.episode[lane] < 0:
        raise InvalidSettings(f"lane {lane} has not been started; start it before it is drawn")
    if frame is None:
        return _closed(game, lane) if game.over[lane] else _open(game, lane)
    count = frames(game, lane)
    if count == 0:
        raise InvalidSettings(f"no race has been run in lane {lane} yet; frame None is the table before it")
    return _race(game, lane, whole("frame", frame, 0, count - 1))


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far a race has come, from the cards themselves."""

    stock: tuple[int, ...]  # cards dealt from the stock, first to last
    dealt: tuple[int, ...]  # (4,) stock cards of each suit
    finished: tuple[int, ...]  # horses home, first to last
    chances: tuple[Fraction, ...]  # (4,) of being the next horse home, 0 for those that are

    @property
    def decided(self) -> bool:
        """Whether all places are known, the last one by elimination."""
        return len(self.finished) == SUITS - 1


def _progress(rail: Sequence[int], stock: Sequence[int]) -> _Progress:
    dealt = [0] * SUITS
    finished = []
    for card in stock:
        suit = card // RANKS
        dealt[suit] += 1
        if dealt[suit] == SUPERFECTA.finish:
            finished.append(suit)
    place = len(finished)
    chances = [Fraction(0)] * SUITS
    for order, chance in zip(ORDERS, order_law(SUPERFECTA, rail, dealt, finished), strict=True):
        chances[order[place]] += chance
    return _Progress(tuple(stock), tuple(dealt), tuple(finished), tuple(chances))


def _open(game: Superfecta, lane: int) -> Scene:
    """The table that waits for tickets."""
    state = game.state
    race = int(state.turn[lane])
    now = _progress(state.rail[lane], ())
    order = _order_text(game, lane)
    return Scene(
        title=TITLE,
        subtitle=f"Race {race + 1:,} of {game.settings.races:,} · open for tickets",
        cards=_cards(now),
        course=_course(state.rail_cards[lane], now),
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
    return replace(last, subtitle=f"The game is over after {game.settings.races:,} races")


def _race(game: Superfecta, lane: int, frame: int) -> Scene:
    """The last race after so many stock cards."""
    state = game.state
    race = int(state.turn[lane])
    cards = [int(card) for card in game.dealt(lane)]
    rail, stock = cards[: SUPERFECTA.rail], cards[SUPERFECTA.rail :]
    now = _progress(state.last_rail[lane], stock[:frame])
    settled = frame == len(stock)
    stage = "finished" if settled else f"{frame} of {STOCK} stock cards dealt"
    return Scene(
        title=TITLE,
        subtitle=f"Race {race:,} of {game.settings.races:,} · {stage}",
        cards=_cards(now),
        course=_course(rail, now),
        grids=(
            _pools("Pools to be won", state.last_pools[lane]),
            _chances(now),
            _result(game, lane, shown=settled),
            _players(game, lane, settled=settled, title="Players and their tickets"),
        ),
        note=_settled_note(game, lane) if settled else _card_note(now),
    )


def _cards(now: _Progress) -> tuple[CardRow, ...]:
    """The newest card lies beside the stock."""
    return CardRow("Dealt", now.stock[-SHOWN:]), CardRow(f"Stock {STOCK - len(now.stock)}", (None,))


def _course(rail: Sequence[int], now: _Progress) -> Course:
    runners = [
        Runner(
            suit,
            min(now.dealt[suit], SUPERFECTA.finish),
            note=_place(now, suit) or f"{100 * float(now.chances[suit]):.2f} %",
            home=suit in now.finished,
            chance=None if _place(now, suit) else float(now.chances[suit]),
        )
        for suit in range(SUITS)
    ]
    cards = CardRow("Rail", tuple(int(card) for card in rail))
    return Course(SUPERFECTA.finish, tuple(runners), cards)


def _place(now: _Progress, suit: int) -> str:
    """The place of a horse, empty while it has none."""
    if suit in now.finished:
        return PLACES[now.finished.index(suit)]
    return PLACES[-1] if now.decided else ""


def _chances(now: _Progress) -> Grid:
    """The exact chance of each horse to be the next one home, or the place it has."""
    if now.decided:
        title = "Order of finish"
    elif now.finished:
        title = f"Chances to be {PLACES[len(now.finished)]}"
    else:
        title = "Win chances"
    rows = []
    for suit, symbol in enumerate(SUIT_SYMBOLS):
        place = _place(now, suit)
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
    return Grid(title, columns, tuple(rows), left=(0, 2))


def _order_text(game: Superfecta, lane: int) -> str:
    return " ".join(SUIT_SYMBOLS[suit] for suit in ORDERS[game.state.last_order[lane]])


def _card_note(now: _Progress) -> str:
    """What the last card did."""
    if not now.stock:
        return "The tickets are in, the rail is laid, the race begins."
    card = now.stock[-1]
    suit = card // RANKS
    count = now.dealt[suit]
    shown = RANK_TEXTS[card % RANKS] + SUIT_SYMBOLS[suit]
    if count > SUPERFECTA.finish:
        return f"{shown} is ignored: {SUIT_SYMBOLS[suit]} is home already."
    if count == SUPERFECTA.finish:
        return f"{shown} brings {SUIT_SYMBOLS[suit]} home {PLACES[now.finished.index(suit)]}."
    return f"{shown} moves {SUIT_SYMBOLS[suit]} on to space {count}."


def _settled_note(game: Superfecta, lane: int) -> str:
    """The order of finish, and the final division where the game is over."""
    text = f"Order of finish {_order_text(game, lane)}."
    if game.over[lane]:
        left = sum(done.left for done in _settlement(game, lane))
        text += f" The pools' last chips ({left:,}) are divided: {left // game.seats:,} to each player"
        text += f", {left % game.seats} to nobody." if left % game.seats else "."
    return text
