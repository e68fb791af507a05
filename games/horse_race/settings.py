"""The settings of Horse Race and of Scarne's Horse Race. Rule: RULES.md §3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..bookmaking.settings import BookmakerSettings, check_book
from ..checks import LARGEST_WAGER, one_of, whole
from ..track import HORSE_RACE, SCARNE, Track

COURSES: Final = {"horse-race": HORSE_RACE, "scarne": SCARNE}


@dataclass(frozen=True, slots=True)
class HorseRaceSettings(BookmakerSettings):
    """The rules a table of Horse Race is played by. Money is in chips.

    Raises:
        InvalidSettings: a value is out of range.
    """

    minimum: int = 10
    """Smallest stake on a suit; every stake is a multiple."""
    track: str = "horse-race"
    """What the horses run on: "horse-race" (seven cards bring a horse home) or "scarne" (six)."""

    def __post_init__(self) -> None:
        one_of("track", self.track, tuple(COURSES))
        object.__setattr__(self, "minimum", whole("minimum", self.minimum, 1, LARGEST_WAGER))
        check_book(self)

    @property
    def course(self) -> Track:
        """The track the horses run on."""
        return COURSES[self.track]

    @property
    def quoted(self) -> bool:
        """The bank quotes the odds of every race."""
        return True

    @property
    def largest(self) -> int:
        """The cap, or the largest wager where that is less."""
        return min(self.cap, self.max_wager)

    @property
    def stakes(self) -> range:
        """Every multiple of the minimum up to the cap and the largest wager."""
        return range(self.minimum, self.largest + 1, self.minimum)

    @property
    def stakes_text(self) -> str:
        """The stakes allowed, in words."""
        return f"a multiple of {self.minimum} chips"

    @property
    def max_wagers(self) -> int:
        """A player may bet on every suit."""
        return 4


@dataclass(frozen=True, slots=True)
class ScarneHorseRaceSettings(HorseRaceSettings):
    """The rules a table of Scarne's Horse Race is played by: Horse Race on Scarne's track.

    Raises:
        InvalidSettings: a value is out of range.
    """

    track: str = "scarne"
    """What the horses run on: "horse-race" (seven cards bring a horse home) or "scarne" (six)."""
