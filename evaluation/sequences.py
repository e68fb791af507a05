"""Confidence sequences: intervals that hold at every number of deals at once, so that one may look and stop.

An interval for a fixed number of deals misses the truth once in twenty times; one who looks at it after every
block and stops when it pleases misses it far oftener. The asymptotic confidence sequence of Waudby-Smith,
Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences",
Annals of Statistics 52, 2024, theorem 2.2,

    mean ± sd · √( 2 (t r² + 1) / (t² r²) · ln( √(t r² + 1) / α ) ),

holds at all t together. The number r > 0 says where it is narrowest; it is chosen for the deals planned, and
never changes the guarantee. Like every theorem of its kind it speaks of large t: nothing is read off before
`FIRST_LOOK` deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb, log, sqrt

from .estimates import CONFIDENCE, Moments

FIRST_LOOK = 100  # deals


@dataclass(frozen=True, slots=True)
class AnyTime:
    """Widths of intervals that hold at any time of looking; see `estimates.Widths`."""

    planned: int
    """Deals for which the intervals are made narrowest: the most that will be played."""

    fewest = FIRST_LOOK
    name = "sequence"

    def single(self, count: int) -> float:
        """In standard errors, for one quantity on its own."""
        return widening(count, self.planned, CONFIDENCE)

    def joint(self, pairs: Moments) -> float:
        """In standard errors, for all pairwise differences together, by Bonferroni's rule.

        Sharper rules look at the data at one number of deals and do not hold at all of them.
        """
        return widening(pairs.count, self.planned, 1 - (1 - CONFIDENCE) / max(comb(pairs.shape[0], 2), 1))


def widening(count: int, planned: int, confidence: float) -> float:
    """Half the width of the sequence after ``count`` deals, in standard errors (sd / √count)."""
    grown = count * _narrowest(confidence) / max(planned, FIRST_LOOK)  # t r²
    return sqrt(2 * (grown + 1) / grown * log(sqrt(grown + 1) / (1 - confidence)))


@cache
def _narrowest(confidence: float) -> float:
    """The t r² at which the sequence is narrowest for its t.

    Setting the derivative of (v / (v − 1)) · ln(v / α²), v = t r² + 1, to zero gives v = 1 + ln(v / α²),
    whose right side is a contraction for v > 1.
    """
    constant = 1 - 2 * log(1 - confidence)
    found = constant
    for _ in range(100):
        found = constant + log(found)
    return found - 1
