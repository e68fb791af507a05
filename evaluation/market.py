"""How well the pools knew the horses, and how well each agent used what they did not know.

A pool's *implied* chance of a line is its share of the money that was staked there in the race (of the
players, in Pasteboard Derby); the exact chance is that of the law of the race. Over many races they make the
favourite–longshot curve: Griffith, "Odds adjustments by American horse-race bettors" (1949), was the first to
draw it. Scores are expectations under the exact chances, so the luck of the finish is not in them.

Watched is a fixed sample, whatever the number of deals: one table of each of the first `WATCHED` deals. Of
these, the first that make up `TICKETS` tickets are compared with the best reply to the others (`replies`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.contract import Game
from ..games.kernels import Chips, Flags, Floats, Rows
from ..games.order_law import line_table, rail_index
from ..games.pasteboard_derby.law import win_chances
from ..games.pasteboard_derby.race import HORSES
from ..games.superfecta.lines import POOL_SLICES, Pool
from ..games.track import SUPERFECTA
from .replies import derby_replies, superfecta_replies

AnyGame = Game[Any, Any]

WATCHED: Final = 2_000  # deals of which a table is watched: some 10^5 lines, a curve to about 0.005
TICKETS: Final = 20_000  # compared with the best reply: about a second's work, or half a minute's pro rata
BINS: Final = 20  # of implied chances; bin k goes from (k / 20)² to ((k + 1) / 20)², finer for longshots
SCORES: Final = ("log", "brier")
FORECASTS: Final = ("money", "even", "exact")  # whose chances are scored: the pool's, 1 / lines, the law's


class Market(Protocol):
    """The pools of a game, read after a race."""

    @property
    def pools(self) -> tuple[str, ...]:
        """Their names."""

    @property
    def slices(self) -> tuple[slice, ...]:
        """The lines of each pool."""

    def money(self, game: AnyGame, rows: Rows) -> tuple[Chips, Floats, Chips]:
        """What was staked on each line (n, lines), its exact chance (n, lines), and the chips each pool had
        carried in (n, pools).
        """

    def replies(self, game: AnyGame, rows: Rows) -> tuple[Floats, Floats]:
        """What each seat's ticket and the best reply in its place is expected to earn, both (n, seats)."""


class SuperfectaMarket:
    """WIN, EXA and SFC."""

    pools = tuple(pool.name for pool in Pool)
    slices = POOL_SLICES

    def money(self, game: AnyGame, rows: Rows) -> tuple[Chips, Floats, Chips]:
        state = game.state
        staked: Chips = state.last_stakes[rows].sum(axis=1, dtype=np.int64)
        chances = line_table(SUPERFECTA)[rail_index(SUPERFECTA, state.last_rail[rows])]
        return staked, chances, self._carried(game, rows, staked)

    def replies(self, game: AnyGame, rows: Rows) -> tuple[Floats, Floats]:
        state = game.state
        stakes = state.last_stakes[rows].astype(np.int64)
        before = state.bankrolls[rows] - state.profit[rows]
        carried = self._carried(game, rows, stakes.sum(axis=1))
        return superfecta_replies(game.settings, state.last_rail[rows], stakes, carried, before)

    def _carried(self, game: AnyGame, rows: Rows, staked: Chips) -> Chips:
        """(n, 3): what was to be won, less what this race's stakes put in."""
        rate = game.settings.takeout_rate
        put_in = np.stack([staked[:, lines].sum(axis=1) for lines in self.slices], axis=1)
        carried: Chips = game.state.last_pools[rows] - put_in + put_in * rate.numerator // rate.denominator
        return carried


class DerbyMarket:
    """The bank, in which every payer has the ante on one horse."""

    pools = ("BANK",)
    slices = (slice(0, HORSES),)

    def money(self, game: AnyGame, rows: Rows) -> tuple[Chips, Floats, Chips]:
        state, ante = game.state, game.settings.ante
        horses = np.arange(1, HORSES + 1)
        staked: Chips = ante * (state.last_named[rows][:, :, None] == horses).sum(axis=1)
        chances = np.broadcast_to(win_chances(), staked.shape)
        return staked, chances, state.last_bank[rows][:, None] - staked.sum(axis=1, keepdims=True)

    def replies(self, game: AnyGame, rows: Rows) -> tuple[Floats, Floats]:
        state = game.state
        second = state.last_second[rows] >= 0
        return derby_replies(game.settings, state.last_named[rows], state.last_bank[rows], second)


MARKETS: Final[dict[str, Market]] = {"superfecta": SuperfectaMarket(), "pasteboard-derby": DerbyMarket()}


def pools_of(game: str) -> tuple[str, ...]:
    """The pools of a game by name; none in one without."""
    return MARKETS[game].pools if game in MARKETS else ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """What was seen at the watched tables of some deals, w of them; v of these had tickets compared."""

    watched: Rows  # (w,) deals
    staked: Chips  # (w, races · pools) int64; 0 in races that were not run
    carried: Chips  # (w, races · pools) int64
    scored: Rows  # (w, pools) int64: races in which the pool had money
    log_money: Floats  # (w, pools) the money's log score, summed over these races
    log_even: Floats  # of a book that gives every line the same chance
    log_exact: Floats  # of the law of the race
    brier_money: Floats  # the same for the Brier score
    brier_even: Floats
    brier_exact: Floats
    lines: Rows  # (w, pools · bins) int64: lines whose implied chance lay in the bin, in those races
    implied: Floats  # the sum of their implied chances
    exact: Floats  # the sum of their exact ones
    compared: Rows  # (v,) deals
    tickets: Rows  # (v, entries) int64: tickets compared with the best reply
    own: Floats  # (v, entries) what they are expected to earn, summed
    best: Floats  # (v, entries) what the best replies are


def watched_deals(game: str, deals: Rows) -> Rows:
    """Those of the deals of which a table is watched; none in a game without pools."""
    chosen: Rows = deals[deals < (WATCHED if game in MARKETS else 0)]
    return chosen


def compared_deals(watched: Rows, tickets_of_a_table: int) -> Rows:
    """Those of the watched deals whose tickets are compared with the best reply."""
    chosen: Rows = watched[watched < max(1, TICKETS // tickets_of_a_table)]
    return chosen


class MarketWatch:
    """Watches one table of each of some deals while a batch is played; an observer of `match.play`.

    Args:
        game: its name; nothing is watched in one without pools.
        deals: (w,) the deals watched.
        tables: (w,) the table of the batch that is watched for each.
        compared: (v,) those of them, the first ones, whose tickets are compared.
        races: races in a game.
        entries: players that are ranked; players with higher numbers are not counted.
    """

    def __init__(
        self, game: str, deals: Rows, tables: Rows, compared: Rows, races: int, entries: int
    ) -> None:
        self.market = MARKETS.get(game)
        self._deals, self._tables, self._compared = deals, tables, compared
        self._entries = entries
        self._seating: Rows = np.zeros((0, 0), np.int64)
        pools = len(pools_of(game))
        shape = (len(deals), pools, BINS)
        self._staked: Chips = np.zeros((len(deals), races, pools), np.int64)
        self._carried: Chips = np.zeros_like(self._staked)
        self._scores: Floats = np.zeros((*shape[:2], len(SCORES), len(FORECASTS)))
        self._scored: Rows = np.zeros(shape[:2], np.int64)
        self._lines: Rows = np.zeros(shape, np.int64)
        self._implied, self._exact = np.zeros(shape), np.zeros(shape)
        self._tickets: Rows = np.zeros((len(compared), entries), np.int64)
        self._own, self._best = np.zeros((len(compared), entries)), np.zeros((len(compared), entries))

    @property
    def watches(self) -> bool:
        """Whether there is anything to watch."""
        return len(self._deals) > 0

    def begin(self, game: AnyGame, seating: Rows) -> None:
        """The batch has started."""
        self._seating = seating

    def after(self, game: AnyGame, decisions: NDArray[Any], active: Flags) -> None:
        """A race has been run in the active lanes."""
        place = np.flatnonzero(active[self._tables])  # of the watched
        rows = self._tables[place]
        if not rows.size or self.market is None:
            return
        race = game.state.turn[rows] - 1
        staked, chances, carried = self.market.money(game, rows)
        self._carried[place, race] = carried
        for pool, lines in enumerate(self.market.slices):
            self._staked[place, race, pool] = staked[:, lines].sum(axis=1)
            self._score(pool, place, staked[:, lines], chances[:, lines])
        place = place[place < len(self._compared)]
        if place.size:
            self._compare(self.market, game, place)

    def sheet(self) -> Sheet:
        """What was seen."""
        scores = {
            f"{score}_{forecast}": np.ascontiguousarray(self._scores[:, :, row, column])
            for row, score in enumerate(SCORES)
            for column, forecast in enumerate(FORECASTS)
        }
        return Sheet(
            watched=self._deals, staked=_flat(self._staked), carried=_flat(self._carried),
            scored=self._scored, **scores, lines=_flat(self._lines), implied=_flat(self._implied),
            exact=_flat(self._exact), compared=self._compared, tickets=self._tickets, own=self._own,
            best=self._best,
        )  # fmt: skip

    def _score(self, pool: int, place: Rows, staked: Chips, chances: Floats) -> None:
        """Enters a race of a pool, rows (n, lines of the pool), where anybody staked anything."""
        money = staked.sum(axis=1)
        some = money > 0
        place, staked, chances, total = place[some], staked[some], chances[some], money[some][:, None]
        lines = staked.shape[1]
        share = staked / total
        bins = np.minimum((np.sqrt(share) * BINS).astype(np.int64), BINS - 1)
        rows = np.broadcast_to(place[:, None], bins.shape)
        np.add.at(self._lines[:, pool], (rows, bins), 1)
        np.add.at(self._implied[:, pool], (rows, bins), share)
        np.add.at(self._exact[:, pool], (rows, bins), chances)
        self._scored[place, pool] += 1
        even = np.full_like(share, 1 / lines)
        smooth = (share + even / lines) / (1 + 1 / lines)
        for column, (sharp, soft) in enumerate(((share, smooth), (even, even), (chances, chances))):
            self._scores[place, pool, 0, column] += log_score(soft, chances)
            self._scores[place, pool, 1, column] += brier_score(sharp, chances)

    def _compare(self, market: Market, game: AnyGame, place: Rows) -> None:
        """Enters the tickets of the last race of some watched tables beside the best replies."""
        rows = self._tables[place]
        own, best = market.replies(game, rows)
        players = self._seating[rows]
        counted = players < self._entries
        deals = np.broadcast_to(place[:, None], players.shape)[counted]
        at = (deals, players[counted])
        np.add.at(self._tickets, at, 1)
        np.add.at(self._own, at, own[counted])
        np.add.at(self._best, at, best[counted])


def _flat(values: NDArray[Any]) -> NDArray[Any]:
    """(deals, …) -> (deals, all others)."""
    return values.reshape(len(values), math.prod(values.shape[1:]))


def log_score(forecast: Floats, chances: Floats) -> Floats:
    """(n,) the expected logarithm of the chance a forecast (n, lines) gave to what came; 0 is the best.

    Lines without any chance count for nothing. A forecast of 0 for a possible line is no forecast at all: the
    pools' shares are smoothed first, as if an even book of 1 / lines of the money had been added.
    """
    possible = chances > 0
    logs = np.log(np.where(possible, forecast, 1.0))
    score: Floats = np.where(possible, chances * logs, 0.0).sum(axis=1)
    return score


def brier_score(forecast: Floats, chances: Floats) -> Floats:
    """(n,) the expected sum over lines of (forecast − 1 if it came, else 0)²; 0 is the best (Brier 1950)."""
    score: Floats = (chances * (1 - 2 * forecast) + forecast**2).sum(axis=1)
    return score
