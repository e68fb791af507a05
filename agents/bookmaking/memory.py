"""Room for what an agent remembers lane by lane."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

A = TypeVar("A", bound=np.ndarray[Any, Any])


def with_room(memory: A, lanes: int, blank: int) -> A:
    """The memory (lanes before, …), grown to so many lanes where it has fewer; new lanes hold ``blank``."""
    missing = lanes - len(memory)
    if missing <= 0:
        return memory
    more = np.full((missing, *memory.shape[1:]), blank, memory.dtype)
    return np.concatenate([memory, more])  # type: ignore[return-value]
