"""Bankrolls race by race, written down beside a match."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.bookmaking.state import Phase
from ..games.contract import Game
from ..games.kernels import Chips, Flags, Floats, Rows


class PathRecorder:
    """An observer (`match.Observer`) that keeps the bankrolls of a batch's first tables.

    A race is over when its table waits for the same kind of decision as at the start, or for none. A game
    that ends early stays as it is for the races that are not run.

    Args:
        tables: how many, from the first.
        races: in a game.
        kelly: an agent that stakes what the Kelly bettor would; None: that is not known.
    """

    def __init__(self, tables: int, races: int, kelly: Agent[Any] | None = None) -> None:
        self.tables, self.races, self.kelly = tables, races, kelly
        self._arrays(0)

    def _arrays(self, seats: int) -> None:
        shape = (self.tables, seats, self.races + 1)
        self.bankrolls: Chips = np.zeros(shape, np.int64)
        self.stakes: Chips = np.zeros(shape, np.int64)
        self.out: Rows = np.zeros(shape, np.int64)
        self.wanted: Floats = np.full(shape, np.nan)

    def begin(self, game: Game[Any, Any], seating: Rows) -> None:
        """Notes the chips that are brought."""
        self._arrays(game.seats)
        self._race: Rows = np.zeros(self.tables, np.int64)  # the race being run, from 1
        self._race += 1
        self._opening = game.phase[: self.tables].copy()
        self._spent: Chips = np.zeros((self.tables, game.seats), np.int64)
        self.bankrolls[:, :, 0] = game.settings.bankroll
        self._now = self.bankrolls[:, :, 0].copy()
        self.out[:, :, 0] = game.out[: self.tables]
        self._ask(game)

    def after(self, game: Game[Any, Any], decisions: NDArray[Any], active: Flags) -> None:
        """Notes the bankrolls where a race is over."""
        part, over = active[: self.tables], game.over[: self.tables]
        self._now[part] += game.profit[: self.tables][part]
        self._spent[part] += game.staked[: self.tables][part]
        rows = np.flatnonzero(part & ((game.phase[: self.tables] == self._opening) | over))
        race = self._race[rows]
        self.bankrolls[rows, :, race] = self._now[rows]
        self.stakes[rows, :, race] = self._spent[rows]
        self.out[rows, :, race] = game.out[rows]
        self._spent[rows] = 0
        self._race[rows] += 1
        for row in np.flatnonzero(part & over & (self._race <= self.races)):
            rest = slice(self._race[row], None)
            self.bankrolls[row, :, rest] = self._now[row][:, None]
            self.out[row, :, rest] = game.out[row][:, None]
        self._ask(game)

    def _ask(self, game: Game[Any, Any]) -> None:
        """Notes what the Kelly bettor would stake where bets are due."""
        if self.kelly is None:
            return
        waiting = game.to_act & (game.phase == Phase.BET)[:, None]
        waiting[self.tables :] = False
        for seat in range(game.seats):
            lanes = waiting[:, seat]
            if lanes.any():
                rows = np.flatnonzero(lanes)
                stakes = self.kelly.act(game.view(seat, lanes), game.draws(seat, lanes))
                self.wanted[rows, seat, self._race[rows]] = stakes.sum(axis=1)

    def kept(self, seats: Rows, shape: tuple[int, int]) -> tuple[Chips, Chips, Rows, Floats]:
        """Bankrolls, stakes, who is out, Kelly stakes of these seats, each brought into the shape."""

        def brought(array: NDArray[Any]) -> NDArray[Any]:
            return np.ascontiguousarray(array[:, seats] if array.size else array).reshape(shape)

        return brought(self.bankrolls), brought(self.stakes), brought(self.out), brought(self.wanted)


def kelly_of(rules: Any) -> Agent[Any] | None:
    """The full Kelly bettor of a game in which its stake is known: odds that stand before the bets.

    Where the odds come from the bets themselves, it depends on what the others are thought to bet. None.
    """
    from ..agents.bookmaking.kelly import Kelly
    from ..games.bookmaking.settings import BookmakerSettings

    return Kelly(rules, fraction=1.0) if isinstance(rules, BookmakerSettings) else None
