"""The track of the four-horse card race: how long the rail is and how many stock cards a horse needs.

Rule: RULES.md §1.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import InvalidSettings

SUITS = 4
CARDS_PER_SUIT = 12  # the ace is the horse


@dataclass(frozen=True, slots=True)
class Track:
    """The setting that tells the card races apart.

    Raises:
        InvalidSettings: where no rail could be kept, or a rail could leave no horse able to finish.
    """

    rail: int  # cards laid face up before the race
    finish: int  # stock cards of its suit that bring a horse home
    reshuffle_at: int | None  # the rail is dealt again while a suit shows this many; None: never

    def __post_init__(self) -> None:
        if not 1 <= self.finish <= CARDS_PER_SUIT:
            raise InvalidSettings(f"finish is {self.finish}; allowed are 1 to {CARDS_PER_SUIT} cards")
        # One card more than this could show each suit so often that no horse has enough cards left.
        longest = SUITS * (CARDS_PER_SUIT - self.finish) + SUITS - 1
        if not 0 <= self.rail <= longest:
            raise InvalidSettings(
                f"rail is {self.rail}; with finish {self.finish} allowed are 0 to {longest} cards"
            )
        if self.rail > SUITS * self.most_shown:
            raise InvalidSettings(
                f"reshuffle_at is {self.reshuffle_at}, so no rail of {self.rail} is ever kept;"
                f" allowed are {(self.rail - 1) // SUITS + 2} or more, or None"
            )

    @property
    def most_shown(self) -> int:
        """The most rail cards one suit can show."""
        most = min(self.rail, CARDS_PER_SUIT)
        return most if self.reshuffle_at is None else min(most, self.reshuffle_at - 1)


SUPERFECTA = Track(6, 7, None)
HORSE_RACE = Track(6, 7, None)
SCARNE = Track(6, 6, None)
RACING_ACES = Track(7, 8, 5)
TRACKS = (SUPERFECTA, HORSE_RACE, SCARNE, RACING_ACES)
