"""The 40 lines a wager can be written on. Rule: RULES.md §2.

WIN has lines 0–3, EXA 4–15 and SFC 16–39, each in lexicographic order of suit indices.
"""

from __future__ import annotations

from enum import IntEnum
from itertools import permutations
from typing import Final

import numpy as np

from ..cards import SUIT_LETTERS


class Pool(IntEnum):
    """A pool, in the order in which money and dividends are listed."""

    WIN = 0
    EXA = 1
    SFC = 2


LINES: Final = 40
POOLS: Final = 3
HORSES: Final = tuple(
    horses for length in (1, 2, 4) for horses in permutations(range(4), length)
)  # line -> the suits it names, first to last
POOL_OF: Final = np.array([{1: 0, 2: 1, 4: 2}[len(horses)] for horses in HORSES], np.int8)  # (40,)
POOL_START: Final = np.array([0, 4, 16, 40], np.int64)  # lines of pool p: START[p] … START[p + 1] - 1
POOL_SLICES: Final = (slice(0, 4), slice(4, 16), slice(16, 40))
LINE_OF: Final = {horses: line for line, horses in enumerate(HORSES)}
WINNING: Final = np.array(
    [[LINE_OF[order[:1]], LINE_OF[order[:2]], LINE_OF[order]] for order in permutations(range(4))], np.int64
)  # (24, 3): order of finish -> the winning line of each pool


def line_text(line: int) -> str:
    """The type and horses of a line: ``"EXA D/C"``."""
    return f"{Pool(int(POOL_OF[line])).name} {horses_text(line)}"


def horses_text(line: int) -> str:
    """The horses of a line, first to last: ``"D/C"``."""
    return "/".join(SUIT_LETTERS[suit] for suit in HORSES[line])
