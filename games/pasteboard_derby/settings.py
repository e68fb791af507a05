"""The settings of Pasteboard Derby. Rule: RULES.md §5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..checks import LARGEST_BANKROLL, LARGEST_WAGER, one_of, whole

ADVANCES = ("affinity", "pips")
FEWEST_PAYERS: Final = 3  # with fewer the game ends
PAYERS_FOR_TWO_PLACES: Final = 6  # with fewer a race is for first only


@dataclass(frozen=True, slots=True)
class PasteboardDerbySettings:
    """The rules a table of Pasteboard Derby is played by. Money is in chips.

    Raises:
        InvalidSettings: a value is out of range; a bankroll below the ante, so that no race could be run.
    """

    seats: int = 6
    """Players at the table, 3–12."""
    races: int = 12
    """Races in a game, 1–1,000; it ends earlier when fewer than three can pay the ante."""
    bankroll: int = 100
    """Chips each player brings, from the ante to 2^40."""
    ante: int = 2
    """Chips each player pays into the bank before a race, 1–32,767."""
    advance: str = "affinity"
    """How a card moves a horse: "affinity" (own suit 3, own colour 2, the other 1) or "pips" (2–13)."""
    places: int = 1
    """Places that pay, 1 or 2; a race with fewer than six payers is for first only."""

    def __post_init__(self) -> None:
        whole("seats", self.seats, 3, 12)
        whole("races", self.races, 1, 1_000)
        ante = whole("ante", self.ante, 1, LARGEST_WAGER)
        whole("bankroll (the ante at least)", self.bankroll, ante, LARGEST_BANKROLL)
        one_of("advance", self.advance, ADVANCES)
        whole("places", self.places, 1, 2)
