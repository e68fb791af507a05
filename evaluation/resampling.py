"""Tournaments drawn anew from their deals, for intervals of what has no formula: the Poisson bootstrap.

In each *replicate* a deal and all its tables count Poisson(1) times (Hanley and MacGibbon, "Creating
non-parametric bootstrap samples using Poisson frequencies", 2006). Drawing with replacement (Efron 1979) is
the same but for the number of deals, which varies here; in return, how often a deal counts is a pure function
of seed, deal number and replicate, so the order of deals makes no difference, and sums over blocks can be
added.
"""

from __future__ import annotations

from math import exp, factorial

import numpy as np

from ..games.kernels import Floats, Rows
from ..games.streams import Draws, extend, root_key

REPLICATES = 1000
RESAMPLING = -2  # in a stream's name where games have their lane number, which is never negative
POISSON = np.cumsum([exp(-1) / factorial(count) for count in range(20)])  # chances of at most 0, 1, 2, …
CELLS = 2**22  # numbers held at once, a few times over: 32 MiB each time


def deal_weights(seed: int, deals: Rows, replicates: int) -> Floats:
    """How often each deal counts in each replicate, (deals, replicates) float64 of whole numbers: Poisson
    with mean 1, a pure function of seed, deal number and replicate.
    """
    root = extend(np.full(len(deals), root_key(seed)), RESAMPLING)
    uniform = Draws(extend(root, deals)).uniform(replicates)
    return np.searchsorted(POISSON, uniform, side="right").astype(np.float64)


def resampled_sums(
    deals: Rows, row: Rows, column: Rows, amount: Rows, width: int, seed: int, replicates: int
) -> Rows:
    """Sums of amounts by column, (1 + replicates, width) int64: row 0 counts every deal once, the others are
    replicates.

    Args:
        deals: (deals,) their numbers, each once.
        row: (n,) which of the deals an amount belongs to.
        column: (n,) below ``width``.
        amount: (n,) whole numbers.
        width: number of columns.
        seed: of the resampling.
        replicates: how many.
    """
    total = np.zeros((1 + replicates, width))  # floats hold whole numbers exactly up to 2^53
    order = np.argsort(row, kind="stable")
    row, column, amount = row[order], column[order], amount[order]
    step = max(1, CELLS // max(width, replicates, 1))
    for start in range(0, len(deals), step):
        chunk = deals[start : start + step]
        part = slice(*np.searchsorted(row, (start, start + len(chunk))))
        place = (row[part] - start) * width + column[part]
        sums = np.bincount(place, amount[part], len(chunk) * width).reshape(len(chunk), width)
        total[0] += sums.sum(axis=0)
        total[1:] += deal_weights(seed, chunk, replicates).T @ sums
    return total.astype(np.int64)
