"""The settings of Racing Aces. Rule: RULES.md §4."""

from __future__ import annotations

from dataclasses import dataclass

from ..bookmaking.settings import BookmakerSettings, check_book
from ..checks import whole
from ..errors import InvalidSettings
from ..track import RACING_ACES, Track


@dataclass(frozen=True, slots=True)
class RacingAcesSettings(BookmakerSettings):
    """The rules a table of Racing Aces is played by. Money is in chips.

    Raises:
        InvalidSettings: a value is out of range.
    """

    seats: int = 1
    """Players, 1–12 against the house, 2–12 where the bank rotates; the house is not counted."""
    bankroll: int = 100
    """Chips each player brings, 0–2^40; at least 1 where the bank rotates."""
    rotate_every: int = 1
    """Races after which a rotating bank moves on to the next player with chips, 1–1,000."""
    max_wagers: int = 1
    """On how many suits a player may bet in one race, 1–4."""
    stakes: tuple[int, ...] = (1,)
    """The stakes a player may place on a suit, ascending; against the house the cap does not bind them."""

    def __post_init__(self) -> None:
        check_book(self)
        object.__setattr__(self, "max_wagers", whole("max_wagers", self.max_wagers, 1, 4))
        if not isinstance(self.stakes, tuple | list) or not self.stakes:
            raise InvalidSettings(
                f"stakes are ascending whole numbers of chips, at least one, not {self.stakes!r}"
            )
        stakes = tuple(whole("a stake", stake, 1, self.largest) for stake in self.stakes)
        if list(stakes) != sorted(set(stakes)):
            raise InvalidSettings(f"stakes are ascending and each is named once, not {self.stakes!r}")
        object.__setattr__(self, "stakes", stakes)

    @property
    def course(self) -> Track:
        """The track the horses run on."""
        return RACING_ACES

    @property
    def quoted(self) -> bool:
        """The odds are published."""
        return False

    @property
    def minimum(self) -> int:
        """Limits are whole chips."""
        return 1

    @property
    def largest(self) -> int:
        """The largest wager, and where the bank rotates no more than the cap."""
        return min(self.cap, self.max_wager) if self.rotates else self.max_wager

    @property
    def stakes_text(self) -> str:
        """The stakes allowed, in words."""
        if len(self.stakes) == 1:
            return f"{self.stakes[0]} chip{'s' if self.stakes[0] > 1 else ''}"
        return f"one of {', '.join(map(str, self.stakes))} chips"
