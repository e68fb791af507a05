"""Equality to the last bit of whatever environments return, told as the first place that differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

STEP: Final = ("observation", "reward", "terminated", "truncated", "info")
RESET: Final = ("observation", "info")


def difference(one: Any, other: Any, where: str = "") -> str:
    """Where two things differ in type, keys, dtype, shape or value, and how; empty where they do not."""
    if type(one) is not type(other):
        return f"{where or 'it'} is a {type(one).__name__} and a {type(other).__name__}"
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return f"{where or 'it'} has the keys {sorted(map(str, one))} and {sorted(map(str, other))}"
        return _first(one.values(), [other[key] for key in one], [f"{where}[{key!r}]" for key in one])
    if isinstance(one, tuple | list):
        if len(one) != len(other):
            return f"{where or 'it'} has {len(one)} and {len(other)} parts"
        return _first(one, other, [f"{where}[{place}]" for place in range(len(one))])
    if isinstance(one, np.ndarray):
        return _arrays(one, other, where or "it")
    same = one == other or (one != one and other != other)
    return "" if same else f"{where or 'it'} is {one!r} and {other!r}"


def step_difference(one: Sequence[Any], other: Sequence[Any]) -> str:
    """The same for what `step` or `reset` returned, parts named."""
    if len(one) != len(other):
        return f"{len(one)} and {len(other)} things were returned"
    return _first(one, other, STEP if len(one) == len(STEP) else RESET)


def story_difference(one: Sequence[Any], other: Sequence[Any]) -> str:
    """The same for all that `step` and `reset` returned in some games, a result after another."""
    if len(one) != len(other):
        return f"there are {len(one)} and {len(other)} results"
    for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        differs = step_difference(mine, theirs)
        if differs:
            return f"in result {place} {differs}"
    return ""


def _first(ones: Any, others: Any, names: Sequence[str]) -> str:
    """The first difference of things that belong together."""
    told = (difference(one, other, name) for one, other, name in zip(ones, others, names, strict=True))
    return next((difference for difference in told if difference), "")


def _arrays(one: NDArray[Any], other: NDArray[Any], where: str) -> str:
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return f"{where} is {one.dtype} of shape {one.shape} and {other.dtype} of shape {other.shape}"
    if one.dtype == object:
        return difference(list(one), list(other), where)
    if np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
        return ""
    place = tuple(int(index[0]) for index in np.nonzero(one != other))
    return f"{where}[{', '.join(map(str, place))}] is {one[place]} and {other[place]}"
