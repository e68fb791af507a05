"""The global random generators that Stable-Baselines3 draws from, as data: random, numpy and torch.

Nothing of Railbird's own reads or writes them (`games.streams`); a training run sets, saves and restores
them, and leaves the process's own as they were.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from ..envs.snapshot import pack, unpack
from ..games.errors import BrokenFile


def generator_states() -> dict[str, Any]:
    """The states of the three generators as JSON data."""
    return {
        "random": pack(random.getstate()),
        "numpy": pack(np.random.get_state(legacy=False)),  # noqa: NPY002 - saved, not drawn from
        "torch": pack(torch.get_rng_state().numpy()),
    }


def set_generators(states: Mapping[str, Any]) -> None:
    """Goes on from states that `generator_states` gave.

    Raises:
        BrokenFile: they are no such states.
    """
    try:
        random.setstate(unpack(states["random"]))
        np.random.set_state(unpack(states["numpy"]))  # noqa: NPY002 - restored, not drawn from
        torch.set_rng_state(torch.from_numpy(unpack(states["torch"])))
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise BrokenFile(f"saved random generators cannot be read: {error}") from error


@contextmanager
def kept_process(threads: int) -> Iterator[None]:
    """Lets torch use so many threads; afterwards that and the global generators are as they were before."""
    states, before = generator_states(), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        set_generators(states)
