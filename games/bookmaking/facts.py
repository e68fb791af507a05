"""What a wager on each suit is worth, exactly. Rule: RULES.md §1, §3 and §4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ..checks import LARGEST_WAGER, whole
from ..errors import InvalidSettings
from ..order_law import win_law
from .prices import BOARD, PRICES, PUBLISHED
from .settings import BookmakerSettings


@dataclass(frozen=True, slots=True)
class SuitOdds:
    """One suit before a race."""

    suit: int
    shown: int  # its cards on the rail
    chance: Fraction  # to win
    price: int  # its board price 0–32
    expected: Fraction  # expected profit of the stake in chips, the payout rounded down


def suit_odds(
    settings: BookmakerSettings,
    rail: Iterable[int],
    quote: Iterable[int] | None = None,
    stake: int | None = None,
) -> tuple[SuitOdds, ...]:
    """Chance, odds and expected profit of H, D, C, S for a rail.

    Args:
        settings: the game's rules; published odds are looked up.
        rail: rail cards of H, D, C, S.
        quote: board prices 0–32 of H, D, C, S; None: the published ones.
        stake: chips the expectation is for; None: the smallest stake.

    Raises:
        InvalidSettings: the rail cannot occur, there is no such price or stake, or the bank quotes and no
            quote is given.
    """
    shown = tuple(rail)
    chances = win_law(settings.course, shown)
    chips = whole("stake", settings.stakes[0] if stake is None else stake, 1, LARGEST_WAGER)
    if quote is None and settings.quoted:
        raise InvalidSettings("the bank quotes the odds of this game; name four board prices for H, D, C, S")
    prices = [int(PUBLISHED[count]) for count in shown] if quote is None else [int(price) for price in quote]
    if len(prices) != 4 or not all(0 <= price < PRICES for price in prices):
        raise InvalidSettings(f"a quote is four board prices 0 to {PRICES - 1}, not {prices}")
    return tuple(
        SuitOdds(suit, shown[suit], chance, price, _expected(chance, price, chips))
        for suit, (chance, price) in enumerate(zip(chances, prices, strict=True))
    )


def _expected(chance: Fraction, price: int, stake: int) -> Fraction:
    """Expected profit of a stake: p · floor(s·n/d) − (1 − p) · s."""
    net, per = BOARD[price]
    return chance * (stake * net // per) - (1 - chance) * stake
