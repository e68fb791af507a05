"""What the settings of all games with a bookmaker have in common. Rule: RULES.md §3 and §4."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ..checks import LARGEST_BANKROLL, LARGEST_WAGER, one_of, whole
from ..track import Track

BANKS = ("house", "rotate")


@dataclass(frozen=True, slots=True)
class BookmakerSettings(ABC):
    """Who banks, for how long and with what limits; a game adds its track, its prices and its stakes.

    Money is in chips.
    """

    seats: int = 6
    """Players, 1–12 against the house, 2–12 where the bank rotates; the house is not counted."""
    races: int = 12
    """Races in a game, 1–1,000."""
    bankroll: int = 1_000
    """Chips each player brings, 0–2^40; at least 1 where the bank rotates."""
    bank: str = "house"
    """Who keeps the book: "house" (unlimited chips, every player bets) or "rotate" (the players in turn)."""
    rotate_every: int = 4
    """Races after which a rotating bank moves on to the next player with chips, 1–1,000."""
    cap: int = 1_000
    """Largest limit of a suit, whatever the bank could cover, from the smallest limit to 32,767."""
    max_wager: int = LARGEST_WAGER
    """Largest single wager, from the smallest limit to 32,767."""

    @property
    @abstractmethod
    def course(self) -> Track:
        """The track the horses run on."""

    @property
    @abstractmethod
    def quoted(self) -> bool:
        """Whether the bank quotes the odds; they are published otherwise."""

    @property
    @abstractmethod
    def minimum(self) -> int:
        """Every limit is a multiple of this many chips."""

    @property
    @abstractmethod
    def largest(self) -> int:
        """The most the rules allow on one suit, whatever the bank can cover, in chips."""

    @property
    @abstractmethod
    def stakes(self) -> Sequence[int]:
        """Every stake the rules allow on one suit, ascending, in chips."""

    @property
    @abstractmethod
    def stakes_text(self) -> str:
        """The stakes allowed, in words: "a multiple of 10 chips"."""

    @property
    @abstractmethod
    def max_wagers(self) -> int:
        """On how many suits a player may bet in one race."""

    @property
    def rotates(self) -> bool:
        """Whether the players keep the bank in turn."""
        return self.bank == "rotate"

    @property
    def house_seat(self) -> int | None:
        """The seat of the house, behind the players; None where the bank rotates."""
        return None if self.rotates else self.seats


def check_book(settings: BookmakerSettings) -> None:
    """Checks what all games with a bookmaker share, ``minimum`` being checked before.

    Raises:
        InvalidSettings: a value is out of range.
    """
    rotates = one_of("bank", settings.bank, BANKS) == "rotate"
    where = " where the bank rotates" if rotates else ""
    checked = {
        "seats": whole(f"seats{where}", settings.seats, 2 if rotates else 1, 12),
        "races": whole("races", settings.races, 1, 1_000),
        "bankroll": whole(f"bankroll{where}", settings.bankroll, int(rotates), LARGEST_BANKROLL),
        "rotate_every": whole("rotate_every", settings.rotate_every, 1, 1_000),
        "cap": whole("cap", settings.cap, settings.minimum, LARGEST_WAGER),
        "max_wager": whole("max_wager", settings.max_wager, settings.minimum, LARGEST_WAGER),
    }
    for name, value in checked.items():
        object.__setattr__(settings, name, value)
