"""Many comparisons at once: simultaneous intervals, rank sets, and what may be said of a pair.

*Simultaneous intervals.* The differences of all pairs of agents are seen on the same deals, so their errors
go together. They are resampled together: every deal gets one random weight, standard normal, for all pairs,
and each pair's weighted sum is divided by its own standard error (the multiplier bootstrap: Chernozhukov,
Chetverikov and Kato, "Gaussian approximations and multiplier bootstrap for maxima of sums of high-dimensional
random vectors", Annals of Statistics 41, 2013). The width is the 95 % point of the largest of them, max-T
(Romano and Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing", JASA 100, 2005).
Given the deals such weighted sums are jointly normal with the covariance of the deals, so they are drawn from
that: the deals need not be kept. The covariance is estimated; dividing each draw by √(χ²/freedom) allows for
that as Student's t does, and with two agents it gives Student's t itself.

*Rank sets.* An agent's rank is at least 1 + the number of agents surely better, at most the number of all
less those surely worse; by simultaneous intervals all these sets hold together (Mogstad, Romano, Shaikh and
Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024).

*Verdicts.* Equivalent, if the whole interval lies within a margin; better or worse, if it lies to one side of
zero; else undecided.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil, sqrt
from typing import Final

import numpy as np

from ..games.kernels import Floats, Rows
from ..games.streams import Draws, root_key
from .estimates import CONFIDENCE, Moments, student

DECIMALS = 9  # of figures; far below any interval, far above rounding errors
FEWEST = 30  # deals below which the tails of a payoff have hardly been seen
RESAMPLES = 10_000
BOOTSTRAP: Final = -1  # names the stream of the resamples; no lane has this number
NEGLIGIBLE: Final = 1e-12  # of the largest variance: rounding errors


class Judgement(StrEnum):
    """What the deals say of a pair: the first is … the second."""

    BETTER = "better"
    WORSE = "worse"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class FixedNumber:
    """Widths of intervals for a number of deals fixed in advance; see `estimates.Widths`."""

    seed: int
    """Root seed of the resamples."""

    fewest = FEWEST
    name = "fixed"

    def single(self, count: int) -> float:
        """In standard errors, for one quantity on its own."""
        return student(count - 1, CONFIDENCE) if count > 1 else float("nan")

    def joint(self, pairs: Moments) -> float:
        """In standard errors, for all pairwise differences together, by max-T."""
        if pairs.count < 2:
            return float("nan")
        alone = self.single(pairs.count)
        return alone if pairs.shape[0] <= 2 else max(alone, largest_t(pairs.scatter, pairs.count, self.seed))


def largest_t(scatter: Floats, count: int, seed: int) -> float:
    """The 95 % point of the largest |t| of all pairs, from the scatter (n, n) of their differences over
    ``count`` deals. Pairs that do not vary are left out.
    """
    from scipy.special import chdtri, ndtri  # slow to load, see `estimates.student`

    entries, spread = len(scatter), scatter.max()
    if spread == 0:
        return 0.0
    scatter = scatter / spread
    # the entries' distances from the first have the covariance (s_a0 + s_0b − s_ab) / 2
    root = _root((scatter[1:, :1] + scatter[:1, 1:] - scatter[1:, 1:]) / 2)
    uniform = _resamples(seed).uniform(entries)  # (resamples, entries), one more for the χ²
    distances = np.zeros((RESAMPLES, entries))
    # einsum adds up in one order on any number of processors, a BLAS product need not
    distances[:, 1:] = np.einsum("bk,ak->ba", ndtri(uniform[:, 1:] + 2.0**-54), root)
    largest = np.zeros(RESAMPLES)
    for a in range(entries):
        others = np.flatnonzero(scatter[a] > NEGLIGIBLE)
        others = others[others > a]
        t = np.abs(distances[:, others] - distances[:, [a]]) / np.sqrt(scatter[a, others])
        largest = np.maximum(largest, t.max(axis=1, initial=0.0))
    largest /= np.sqrt(chdtri(count - 1, uniform[:, 0] + 2.0**-54) / (count - 1))
    return float(np.sort(largest)[ceil(CONFIDENCE * (RESAMPLES + 1)) - 1])


def _resamples(seed: int) -> Draws:
    """A row for each resample."""
    keys = np.full(RESAMPLES, root_key(seed), np.uint64)
    return Draws(keys, np.full(RESAMPLES, BOOTSTRAP), np.arange(RESAMPLES))


def _root(covariance: Floats) -> Floats:
    """The lower triangular R with R Rᵀ = covariance (Cholesky); what does not vary gets columns of zeros."""
    left, root = covariance.copy(), np.zeros_like(covariance)
    for column in range(len(covariance)):
        pivot = left[column, column]
        if pivot > NEGLIGIBLE:
            root[column:, column] = left[column:, column] / sqrt(pivot)
            left -= np.outer(root[:, column], root[:, column])
    return root


@dataclass(frozen=True, slots=True)
class Joint:
    """Pairwise differences with intervals that hold for all pairs together, all (entries, entries)."""

    mean: Floats
    low: Floats  # NaN with fewer than two deals
    high: Floats
    enough: bool  # deals to conclude anything

    def ranks(self) -> Rows:
        """(entries, 2): the best and the worst rank each entry may have, 1 the best."""
        entries = len(self.mean)
        sure = (self.low > 0) & self.enough  # [a, b]: a is better than b
        return np.column_stack([1 + sure.sum(axis=0), entries - sure.sum(axis=1)])

    def judge(self, a: int, b: int, margin: float) -> Judgement:
        """What may be said of a pair; differences up to the margin count as none."""
        low, high = self.low[a, b], self.high[a, b]
        if not self.enough:
            return Judgement.UNDECIDED
        if -margin <= low and high <= margin:
            return Judgement.EQUIVALENT
        if low > 0:
            return Judgement.BETTER
        return Judgement.WORSE if high < 0 else Judgement.UNDECIDED


def together(pairs: Moments, width: float, fewest: int) -> Joint:
    """The differences with intervals of so many standard errors, free of rounding errors."""
    found = pairs.estimates(width)
    mean, low, high = (np.round(values, DECIMALS) + 0.0 for values in (found.mean, found.low, found.high))
    return Joint(mean, low, high, pairs.count >= max(fewest, 2))
