"""Random numbers for the probes, drawn before the clock starts and used over and over."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import numpy as np

ROUNDS = 64  # batches of numbers before they come round again
FACES = 60  # a multiple of 1 to 6: `number % choices` is uniform for so many choices
THROWS = 1 << 16


def throws(seed: int = 0) -> Iterator[int]:
    """Integers of 0 … 59 without end, as Python's own."""
    return cycle(np.random.default_rng(seed).integers(0, FACES, THROWS).tolist())
