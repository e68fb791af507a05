"""Means with intervals, clustered by deal, from deals that come in blocks.

Deals are independent of each other; what happens at the tables of one deal is not. So a deal enters as one
number, its mean over its tables, and n deals give mean ± t(n − 1) · sd / √n (Student 1908). Memory does not
grow with the number of deals: blocks are merged by the update of Chan, Golub and LeVeque, "Updating formulae
and a pairwise algorithm for computing sample variances", 1979, in the order of their numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.kernels import Floats

CONFIDENCE = 0.95


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

    def estimates(self, confidence: float = CONFIDENCE) -> Estimates:
        """The means with intervals that hold for each value on its own."""
        if self.count < 2:
            unknown = np.full(self.shape, np.nan)
            return Estimates(self.mean.copy(), unknown, unknown.copy())
        error = np.sqrt(self.scatter / (self.count - 1)) / sqrt(self.count)
        half = student(self.count - 1, confidence) * error
        return Estimates(self.mean.copy(), self.mean - half, self.mean + half)


@cache
def student(freedom: int, confidence: float) -> float:
    """The two-sided critical value of Student's t: 2.262 for 9 degrees of freedom at 95 %."""
    from scipy.special import stdtrit  # a third of a second to load: not before a tournament has been played

    return float(stdtrit(freedom, (1 + confidence) / 2))
