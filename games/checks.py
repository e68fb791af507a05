"""Checks of values people hand in: one clear error that says what came and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from .errors import InvalidSettings

LARGEST_BANKROLL = 2**40
LARGEST_WAGER = 32_767  # a wager travels as int16


def whole(name: str, value: object, low: int, high: int) -> int:
    """``value`` as an int within low … high; a bool or a fraction is no whole number.

    Raises:
        InvalidSettings: it is not.
    """
    number = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not number or not low <= value <= high:  # type: ignore[operator]
        raise InvalidSettings(f"{name} is a whole number from {low:,} to {high:,}, not {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]


def one_of(name: str, value: object, allowed: Sequence[str]) -> str:
    """``value`` if it is one of the words allowed.

    Raises:
        InvalidSettings: it is not.
    """
    if value not in allowed:
        raise InvalidSettings(f"{name} is one of {', '.join(map(repr, allowed))}, not {value!r}")
    return str(value)


def share(name: str, value: object) -> Fraction:
    """A rate from 0 to 1 as an exact fraction; a float means the decimal it prints as (0.2 is 1/5).

    Raises:
        InvalidSettings: it is not a number, out of range, or its denominator exceeds 1,000,000.
    """
    try:
        exact = Fraction(str(value))
    except (TypeError, ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1 or exact.denominator > 1_000_000:
        raise InvalidSettings(f"{name} is a number from 0 to 1 with at most six decimals, not {value!r}")
    return exact
