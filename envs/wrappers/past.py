"""The last settled races as features, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.bookmaking.prices import IMPLIED
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.checks import whole
from ...games.errors import InvalidSettings
from ...games.kernels import Features, Flags, Floats, Rows
from ...games.pasteboard_derby.settings import PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from ...games.superfecta.encoding import PLACE_SCORE
from ...games.superfecta.lines import LINES, POOL_SLICES, POOLS
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUPERFECTA
from ..learner_table import LearnerTable
from .extended import Part

LONGEST_MEMORY: Final = 64
Parts: TypeAlias = tuple[tuple[str, int, str], ...]  # name, size, meaning; all within 0..1
SUITS: Final = np.arange(4)
RAIL: Final = ("rail", 4, "rail cards of H, D, C, S, each / cards on the rail")
WINNER: Final = ("winner", 4, "1 for the horse of H, D, C, S that won")


class Record(Protocol):
    """What is kept of a race."""

    parts: ClassVar[Parts]

    def columns(self, view: Any) -> list[NDArray[Any]]:
        """An array (n, size) for each part, of the last race that a view shows."""


class PastRaces:
    """The last ``races`` settled races of every lane's episode; 0 where so many have not been run.

    It watches the table turn by turn, so that races which the learner was not asked about are in it too.

    Raises:
        InvalidSettings: a game without races, or a number of races out of range.
    """

    def __init__(self, table: LearnerTable, races: int) -> None:
        self._record = record_of(table)
        self._count = whole("races", races, 1, LONGEST_MEMORY)
        self._table = table
        self._size = sum(size for _, size, _ in self._record.parts)
        self._past: Features = np.zeros((table.lanes, self._count, self._size), np.float32)
        self._run: Rows = np.array(table.game.view(0).race)  # (lanes,) races of the episode that were seen
        self.parts: Sequence[Part] = [
            (f"{name}_{ago}", size, 0, 1, f"{_ago(ago)}: {meaning}")
            for ago in range(1, self._count + 1)
            for name, size, meaning in self._record.parts
        ]

    @property
    def summary(self) -> str:
        return f"PastRaces races {self._count}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {"past": self._past, "run": self._run}

    def began(self, lanes: Flags) -> None:
        self._past[lanes] = 0
        self._run[lanes] = 0

    def played(self, lanes: Flags) -> None:
        view = self._table.game.view(0, lanes)  # what is settled all seats see alike
        rows = view.lane
        raced = view.race > self._run[rows]
        settled = np.concatenate(self._record.columns(view), axis=1)[raced]
        rows = rows[raced]
        self._past[rows, 1:] = self._past[rows, :-1]
        self._past[rows, 0] = settled
        self._run[rows] = view.race[raced]

    def features(self, view: Any) -> Features:
        past: Features = self._past[view.lane]
        return past.reshape(len(past), -1)


class SuperfectaRecord:
    """A race of Superfecta."""

    parts: ClassVar[Parts] = (
        RAIL,
        ("order", 4, "1, 2/3, 1/3, 0 for the suit that came 1st to 4th"),
        ("pools", POOLS, "chips that were to be won in WIN, EXA, SFC as a share of all chips at the table"),
        ("money", LINES, "share of the chips staked in its pool that stood on each line"),
    )

    def __init__(self, settings: SuperfectaSettings) -> None:
        self._total = max(1, settings.chips * settings.seats)

    def columns(self, view: SuperfectaView) -> list[NDArray[Any]]:
        staked = view.last_stakes.sum(1, dtype=np.int64)  # (n, seats, 40) -> (n, 40)
        order, pools = PLACE_SCORE[view.last_order], view.last_pools / self._total
        return [
            view.last_rail / SUPERFECTA.rail,
            order,
            pools,
            *(_shares(staked[:, pool]) for pool in POOL_SLICES),
        ]


class BookmakerRecord:
    """A race at a bookmaker's."""

    parts: ClassVar[Parts] = (
        RAIL,
        WINNER,
        ("quotes", 4, "1 / (1 + net odds) on H, D, C, S"),
        ("money", 4, "share of all chips staked that stood on H, D, C, S"),
    )

    def __init__(self, settings: BookmakerSettings) -> None:
        self._cards = settings.course.rail

    def columns(self, view: BookmakerView) -> list[NDArray[Any]]:
        money = _shares(view.last_stakes.sum(1, dtype=np.int64))  # (n, seats, 4) -> (n, 4)
        winner = view.last_winner[:, None] == SUITS
        return [view.last_rail / self._cards, winner, IMPLIED[view.last_quotes], money]


class PasteboardDerbyRecord:
    """A race of Pasteboard Derby."""

    parts: ClassVar[Parts] = (
        WINNER,
        ("second", 4, "1 for the second horse; 0 where it was for first only"),
        ("named", 4, "share of those who paid that named H, D, C, S"),
        ("bank", 1, "chips that were to be won as a share of all chips at the table"),
    )

    def __init__(self, settings: PasteboardDerbySettings) -> None:
        self._total = settings.bankroll * settings.seats

    def columns(self, view: PasteboardDerbyView) -> list[NDArray[Any]]:
        winner, second = view.last_winner[:, None] == SUITS, view.last_second[:, None] == SUITS
        named = (view.last_named[:, :, None] == 1 + SUITS).sum(1)  # (n, seats, 4) -> (n, 4)
        return [winner, second, _shares(named), view.last_bank[:, None] / self._total]


def record_of(table: LearnerTable) -> Record:
    """What is kept of a race of the learner's game.

    Raises:
        InvalidSettings: it has no races.
    """
    settings = table.options.settings
    if isinstance(settings, SuperfectaSettings):
        return SuperfectaRecord(settings)
    if isinstance(settings, BookmakerSettings):
        return BookmakerRecord(settings)
    if isinstance(settings, PasteboardDerbySettings):
        return PasteboardDerbyRecord(settings)
    raise InvalidSettings(f"PastRaces is for games with races; {table.options.game} has none")


def _shares(amounts: NDArray[np.int64]) -> Floats:
    """Each amount (n, k) as a share of its row; 0 where there is nothing."""
    shares: Floats = amounts / np.maximum(1, amounts.sum(1, keepdims=True))
    return shares


def _ago(races: int) -> str:
    return "last race" if races == 1 else f"{races} races ago"
