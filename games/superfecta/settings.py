"""The settings of Superfecta. Rule: RULES.md §2."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..checks import LARGEST_BANKROLL, LARGEST_WAGER, one_of, share, whole
from ..errors import InvalidSettings

SPLITS = ("equal", "pro_rata")


@dataclass(frozen=True, slots=True)
class SuperfectaSettings:
    """The rules a table of Superfecta is played by.

    Money is in chips. With ``split="pro_rata"`` a chip is a cent and the defaults are 10,000 chips each, a
    minimum bet of 100 and breakage 10; with ``"equal"`` they are 100 chips and a minimum bet of 1.

    Raises:
        InvalidSettings: a value is out of range, or belongs to the other split.
    """

    seats: int = 6
    """Players at the table, 2–12."""
    races: int = 12
    """Races in a game, 1–1,000."""
    bankroll: int | None = None
    """Chips each player brings, 0–2^40; None: 100 (equal) or 10,000 (pro rata)."""
    minimum_bets: tuple[int, int, int] | None = None
    """Smallest wager in the WIN, EXA and SFC pool; every wager is a multiple. None: 1 or 100."""
    split: str = "equal"
    """How winners share a pool: "equal" (by player) or "pro_rata" (by stake)."""
    rate: Fraction | float | str = Fraction(0)
    """Share of the money staked in a race that is taken out of each pool, 0–1 (pro rata only)."""
    breakage: int | None = None
    """The dividend is rounded down to a multiple of this (pro rata only); None: 10."""
    minimum_dividend: int | None = None
    """Smallest dividend per minimum bet as far as the pool reaches (pro rata only)."""
    max_wager: int = LARGEST_WAGER
    """Largest single wager, 1–32,767."""

    def __post_init__(self) -> None:
        pro_rata = one_of("split", self.split, SPLITS) == "pro_rata"
        bankroll = (10_000 if pro_rata else 100) if self.bankroll is None else self.bankroll
        minimum_bets = (
            ((100,) * 3 if pro_rata else (1,) * 3) if self.minimum_bets is None else self.minimum_bets
        )
        breakage = (10 if pro_rata else 1) if self.breakage is None else self.breakage
        rate = share("rate", self.rate)
        largest = whole("max_wager", self.max_wager, 1, LARGEST_WAGER)
        whole("seats", self.seats, 2, 12)
        whole("races", self.races, 1, 1_000)
        whole("bankroll", bankroll, 0, LARGEST_BANKROLL)
        whole("breakage", breakage, 1, LARGEST_WAGER)
        if self.minimum_dividend is not None:
            whole("minimum_dividend", self.minimum_dividend, 1, LARGEST_BANKROLL)
        if not isinstance(minimum_bets, tuple | list) or len(minimum_bets) != 3:
            raise InvalidSettings(
                f"minimum_bets are three whole numbers (WIN, EXA, SFC), not {minimum_bets!r}"
            )
        for name, least in zip(("WIN", "EXA", "SFC"), minimum_bets, strict=True):
            whole(f"minimum bet of {name}", least, 1, largest)
        if not pro_rata and (rate or self.minimum_dividend is not None or breakage != 1):
            raise InvalidSettings("rate, breakage and minimum_dividend belong to split='pro_rata'")
        object.__setattr__(self, "bankroll", int(bankroll))
        object.__setattr__(self, "minimum_bets", tuple(int(least) for least in minimum_bets))
        object.__setattr__(self, "breakage", int(breakage))
        object.__setattr__(self, "rate", rate)

    @property
    def takeout_rate(self) -> Fraction:
        """The rate, exact."""
        assert isinstance(self.rate, Fraction)
        return self.rate

    @property
    def chips(self) -> int:
        """Chips each player brings."""
        assert self.bankroll is not None
        return self.bankroll

    @property
    def minimums(self) -> tuple[int, int, int]:
        """Smallest wager in each pool: WIN, EXA, SFC."""
        assert self.minimum_bets is not None
        return self.minimum_bets
