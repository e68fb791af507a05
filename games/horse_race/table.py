"""Horse Race and Scarne's Horse Race, many tables at once. Rule: RULES.md §1 and §3."""

from __future__ import annotations

from typing import ClassVar

from ..bookmaking.table import BookmakerTable
from ..kernels import Rows
from .settings import HorseRaceSettings, ScarneHorseRaceSettings


class HorseRace(BookmakerTable):
    """A batch of Horse Race tables; turns, seats and decisions are those of `BookmakerTable`."""

    name: ClassVar[str] = "horse-race"
    settings: HorseRaceSettings

    def __init__(
        self, settings: HorseRaceSettings | None = None, seed: int = 0, lanes: int | list[int] | Rows = 1
    ) -> None:
        super().__init__(settings or HorseRaceSettings(), seed, lanes)


class ScarneHorseRace(HorseRace):
    """A batch of tables of Scarne's Horse Race: Horse Race on Scarne's track."""

    name: ClassVar[str] = "scarne-horse-race"

    def __init__(
        self, settings: HorseRaceSettings | None = None, seed: int = 0, lanes: int | list[int] | Rows = 1
    ) -> None:
        super().__init__(settings or ScarneHorseRaceSettings(), seed, lanes)
