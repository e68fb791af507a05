"""The chance of each horse to come first, and of each pair to come first and second. Rule: RULES.md §5.

Before a race the suits differ by colour alone, and with pips not even by that: every ordered pair has the
chance 1/12. With affinity two horses of one colour come in together less often: a card of their colour that
carried one of them forward is gone from the stock for the other.

The chances are exact as long as the stock lasts. Where it runs out within a round, the horse that takes the
last card and the one that takes the first of the new stock draw from different cards, and symmetry no longer
holds. Under affinity that befalls 4.0 of a million races for first and 10.4 of a million for two places; they
are counted in evenly here, so no chance is wrong by more than that. Under pips it practically never happens.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from ..cards import Suit
from ..kernels import Floats, read_only
from .race import HORSES, RED
from .settings import ADVANCES

# Affinity: the chance of an ordered pair of one colour; four such pairs and eight others make 1. Source: path
# counts weighted for dealing without replacement, worked out in tests/games/test_pasteboard_derby_law.py.
SAME_COLOUR: Final = 0.0667207537041
OTHER_COLOUR: Final = (1 - 4 * SAME_COLOUR) / 8


@cache
def win_chances() -> Floats:
    """(4,) float64: the chance of each horse to win, with either advance."""
    return read_only(np.full(HORSES, 1 / HORSES))


@cache
def pair_chances(advance: str) -> Floats:
    """(4, 4) float64: the chance of each horse (row) to win with each other (column) second."""
    colour = np.array([suit in RED for suit in Suit])
    same, other = (SAME_COLOUR, OTHER_COLOUR) if advance == ADVANCES[0] else (1 / 12, 1 / 12)
    chances = np.where(colour[:, None] == colour, same, other)
    np.fill_diagonal(chances, 0)
    return read_only(chances)
