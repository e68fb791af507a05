"""Checks of options that are numbers."""

from __future__ import annotations

import math

from ...games.errors import InvalidSettings


def number(name: str, value: float, low: float, high: float = math.inf) -> float:
    """``value`` as a float within low … high.

    Raises:
        InvalidSettings: it is not, or it is infinite.
    """
    if not low <= value <= high or math.isinf(value):
        allowed = f"of {low:g} or more" if math.isinf(high) else f"from {low:g} to {high:g}"
        raise InvalidSettings(f"{name} is a number {allowed}, not {value!r}")
    return float(value)
