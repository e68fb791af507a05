"""What OpenSpiel asks of a game beside its table: which cards chance can bring, and how likely each is.

A deal is laid by `from_view`. What a turn brings, a gamble or an order of finish, is brought about by giving
the lane the key of an episode in which the table itself brings it, so no rule is written here again.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...games.contract import Game
from ...games.kernels import Features, Keys, Rows
from ...games.streams import Draws, extend, root_key

Table: TypeAlias = Game[Any, Any]
Chances: TypeAlias = tuple[tuple[int, float], ...]  # (outcome, its chance), ascending; the chances sum to 1
MOST_KEPT: Final = 10_000  # causes whose keys are remembered at once

T = TypeVar("T", bound=Table)


class Law(Protocol[T]):
    """The chance of one game, and how it is told to people."""

    settings: Any
    encoding: Any  # what the seats see and do; see `railbird.games.contract.Encoding`
    recorded: int  # numbers in a `record`

    def to_deal(self, table: T, dealt: tuple[int, ...]) -> Chances:
        """What can be dealt next before the seats decide; nothing when all lies on the table."""

    def lay(self, table: T, dealt: tuple[int, ...]) -> T:
        """A table with this deal."""

    def to_turn(self, table: T) -> Chances:
        """What can come when the decisions have been made; nothing where no chance follows them."""

    def cause(self, table: T) -> Hashable:
        """All that the outcome of this turn depends on, beside the key of the episode."""

    def came(self, table: T) -> Rows:
        """(lanes,) the outcome of the turn each lane has just played."""

    def resample(self, table: T, seat: int, draws: Draws) -> T:
        """A table that the seat cannot tell from this one, its hidden cards drawn anew, each set of them that
        fits being equally likely.
        """

    def seen(self, table: T, seat: int) -> str:
        """All that the seat sees as it is to decide, in a line."""

    def record(self, table: T) -> Features:
        """(recorded,) float32: what all know of the turn before, as far as observations do not say it."""

    def deal_text(self, outcome: int, dealt: tuple[int, ...]) -> str:
        """A deal in words."""

    def turn_text(self, outcome: int) -> str:
        """What a turn has brought in words."""


def copies(table: Table, lanes: int) -> Table:
    """The first lane of a table, so many times."""
    many = type(table)(table.settings, 0, lanes)
    many.load({name: np.repeat(array[:1], lanes, axis=0) for name, array in table.save().items()})
    return many


class Turns:
    """Plays turns to the outcome that is asked for.

    Args:
        law: of the game.
    """

    def __init__(self, law: Law[Any]) -> None:
        self.law = law
        self._keys: dict[Hashable, dict[int, np.uint64]] = {}

    def play(self, table: Table, decisions: NDArray[Any], outcome: int | None) -> Table:
        """The table after a turn of these decisions (1, seats, …), None standing for no chance at all."""
        after = copies(table, 1)
        if outcome is not None:
            after.state.key[:] = self._key(table, decisions, outcome)
        after.submit(decisions)
        assert outcome is None or self.law.came(after)[0] == outcome
        return after

    def _key(self, table: Table, decisions: NDArray[Any], outcome: int) -> np.uint64:
        cause = self.law.cause(table)
        if cause not in self._keys:
            if len(self._keys) >= MOST_KEPT:
                self._keys.clear()
            self._keys[cause] = self._find(table, decisions)
        return self._keys[cause][outcome]

    def _find(self, table: Table, decisions: NDArray[Any]) -> dict[int, np.uint64]:
        """For each outcome the key of an episode that has it: episodes are tried until all have come."""
        wanted = {outcome for outcome, _ in self.law.to_turn(table)}
        found: dict[int, np.uint64] = {}
        tried, lanes = 0, 16 * len(wanted)
        while not wanted <= found.keys():
            many = copies(table, lanes)
            keys: Keys = extend(np.full(lanes, root_key(0)), np.arange(tried, tried + lanes))
            many.state.key[:] = keys
            many.submit(np.repeat(decisions, lanes, axis=0))
            found |= dict(zip(self.law.came(many).tolist(), keys, strict=True))
            tried, lanes = tried + lanes, min(2 * lanes, 8_192)
        return found
