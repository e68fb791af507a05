"""Means with intervals, clustered by deal, from deals that come in blocks.

Deals are independent of each other; what happens at the tables of one deal is not. So a deal enters as one
number, its mean over its tables, and n deals give mean ± width · sd / √n: a width of Student's t(n − 1) where
n was fixed in advance (`verdicts`), that of a confidence sequence where it was not (`sequences`). Memory does
not grow with the number of deals: blocks are merged by the update of Chan, Golub and LeVeque, "Updating
formulae and a pairwise algorithm for computing sample variances", 1979, in the order of their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.kernels import Floats

CONFIDENCE = 0.95


class Widths(Protocol):
    """How wide intervals are: for a number of deals fixed in advance, or at any time of looking."""

    @property
    def fewest(self) -> int:
        """Deals below which nothing is concluded from them."""

    @property
    def name(self) -> str:
        """What the intervals are called in a result."""

    def single(self, count: int) -> float:
        """Half the width of the interval of one quantity seen in ``count`` deals, in standard errors."""

    def joint(self, pairs: Moments) -> float:
        """The same for all pairwise differences (entries, entries) together."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """Means and the ends of their intervals, three arrays of one shape."""

    mean: Floats
    low: Floats  # NaN with fewer than two deals
    high: Floats


@dataclass(slots=True)
class Moments:
    """Running mean and scatter of a quantity of any shape, a value for each deal."""

    shape: tuple[int, ...]
    count: int = 0
    mean: Floats = field(init=False)
    scatter: Floats = field(init=False)  # sum of squared distances from the mean

    def __post_init__(self) -> None:
        self.mean = np.zeros(self.shape)
        self.scatter = np.zeros(self.shape)

    def add(self, values: NDArray[Any]) -> None:
        """Takes in the values (deals, *shape) of a block."""
        count = len(values)
        if count == 0:
            return
        mean = values.mean(axis=0)
        total = self.count + count
        shift = mean - self.mean
        self.mean = self.mean + shift * (count / total)
        self.scatter = self.scatter + ((values - mean) ** 2).sum(axis=0)
        self.scatter += shift**2 * (self.count * count / total)
        self.count = total

    @property
    def error(self) -> Floats:
        """The standard error of each mean; NaN with fewer than two deals."""
        if self.count < 2:
            return np.full(self.shape, np.nan)
        error: Floats = np.sqrt(self.scatter / (self.count - 1)) / sqrt(self.count)
        return error

    def estimates(self, width: float) -> Estimates:
        """The means with intervals of so many standard errors to each side."""
        half = width * self.error
        return Estimates(self.mean.copy(), self.mean - half, self.mean + half)


@cache
def student(freedom: int, confidence: float) -> float:
    """The two-sided critical value of Student's t: 2.262 for 9 degrees of freedom at 95 %."""
    from scipy.special import stdtrit  # a third of a second to load: not before a tournament has been played

    return float(stdtrit(freedom, (1 + confidence) / 2))
