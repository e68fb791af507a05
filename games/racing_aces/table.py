"""Racing Aces, many tables at once. Rule: RULES.md §1 and §4."""

from __future__ import annotations

from typing import ClassVar

from ..bookmaking.table import BookmakerTable
from ..kernels import Rows
from .settings import RacingAcesSettings


class RacingAces(BookmakerTable):
    """A batch of Racing Aces tables: a race is one turn, nobody quotes. See `BookmakerTable`."""

    name: ClassVar[str] = "racing-aces"
    settings: RacingAcesSettings

    def __init__(
        self, settings: RacingAcesSettings | None = None, seed: int = 0, lanes: int | list[int] | Rows = 1
    ) -> None:
        super().__init__(settings or RacingAcesSettings(), seed, lanes)
