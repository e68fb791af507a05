"""Two ways of acting that hand in a whole ticket a step: by its number, and by shares of the bankroll."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ...agents.learned.books import MILLION, Book, budget_of, stakes_of
from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Counts, Flags, Rows
from ..actions import Mask, read_integers
from .catalogue import Catalogue


class CatalogueActions:
    """The number of a ticket of a catalogue; 0 is the empty one. Only what can be paid for is legal."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.choices = catalogue.actions
        self.space: spaces.Space[Any] = spaces.Discrete(self.choices)
        self.nothing: Mask = (np.arange(self.choices) == 0).astype(np.int8)
        self._rails: Counts = np.zeros(
            (0, 4), np.int8
        )  # of the races to be bet on, as the last mask saw them

    @property
    def summary(self) -> str:
        own = self.catalogue
        kinds = sorted({pattern.kind for pattern in own.patterns})
        return f"TicketCatalogue by {own.horses} kinds {kinds} stakes {own.stakes}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {}

    def mask(self, view: Any, draft: Any) -> Mask:
        self._rails = view.rail
        mask: Mask = (self.catalogue.costs <= view.bankroll[:, None]).astype(np.int8)
        return mask

    def read(self, actions: Any, lanes: int) -> Rows:
        return read_integers(actions, (lanes,))

    def legal(self, mask: Mask, actions: Rows) -> Flags:
        inside = (actions >= 0) & (actions < self.choices)
        allowed: Flags = mask[np.arange(len(mask)), np.where(inside, actions, 0)] == 1
        return inside & allowed

    def passing(self, mask: Mask) -> Rows:
        return np.zeros(len(mask), np.int64)

    def write(self, draft: Any, actions: Rows, lanes: Flags) -> Flags:
        stakes = self.catalogue.tickets(actions[lanes], self._rails[lanes])
        draft.stakes[lanes] = stakes
        draft.cost[lanes] = stakes.sum(1, dtype=np.int64)
        return lanes.copy()

    def describe(self, mask: Mask, action: Rows) -> str:
        if not 0 <= action < self.choices:
            return f"action {action} is none of 0 to {self.choices - 1}"
        cost = int(self.catalogue.costs[action])
        return f"action {action} ({self.catalogue.action_text(int(action))}) costs {cost}, which is too dear"


class FractionActions:
    """Shares of the bankroll, one a line of the book, as millionths; any from 0 to 1 are a legal ticket."""

    def __init__(self, book: Book, most: Fraction) -> None:
        self.book = book
        self.most = most
        self.choices = book.lines
        self.space: spaces.Space[Any] = spaces.Box(0.0, 1.0, (book.lines,), np.float32)
        self.nothing: Mask = np.zeros(book.lines, np.int8)
        self._budget: Chips = np.zeros(0, np.int64)  # (lanes,) and (lanes, lines), as the last mask saw them
        self._room: Chips = np.zeros((0, book.lines), np.int64)

    @property
    def summary(self) -> str:
        return f"StakeFractions most {self.most}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {}

    def mask(self, view: Any, draft: Any) -> Mask:
        self._budget = budget_of(view.bankroll, self.most)
        self._room = self.book.room(view)
        most = np.minimum(self._budget[:, None], self._room)
        return (self.book.floor(most) > 0).astype(np.int8)

    def read(self, actions: Any, lanes: int) -> Rows:
        given, shape = np.asarray(actions), (lanes, self.book.lines)
        if given.shape != shape or given.dtype.kind not in "fiu":
            came = f"{given.dtype} of shape {given.shape}"
            raise InvalidSettings(f"actions are fractions of the bankroll of shape {shape}, not {came}")
        known = np.where(np.isfinite(given), given, -1).astype(np.float64)
        return np.rint(np.clip(known, -1, 2) * MILLION).astype(np.int64)

    def legal(self, mask: Mask, actions: Rows) -> Flags:
        legal: Flags = np.all((actions >= 0) & (actions <= MILLION), axis=1)
        return legal

    def passing(self, mask: Mask) -> Rows:
        return np.zeros((len(mask), self.book.lines), np.int64)

    def write(self, draft: Any, actions: Rows, lanes: Flags) -> Flags:
        stakes = stakes_of(self.book, actions[lanes], self._budget[lanes], self._room[lanes])
        self.book.write(draft, stakes, lanes)
        return lanes.copy()

    def describe(self, mask: Mask, action: Rows) -> str:
        line = int(np.flatnonzero((action < 0) | (action > MILLION))[0])
        return f"a fraction of the bankroll is a number from 0 to 1; that of {self.book.name(line)} is not"
