"""What agents remember lane by lane, cut and joined where tables are grouped otherwise than they were saved.

An agent remembers by lane (`railbird.agents.contract`), so an array or list that has come to have
a row for each lane of its table can be cut between lanes and joined again. An array as large as the agent was
made with is room to work in or the same for all lanes: one group's will do. All else must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..games.errors import BrokenFile, RailbirdError
from .memory import part_at
from .snapshot import pack, unpack

Memory = list[list[Any]]  # [path, value] pairs of JSON data, as `memory.remembered` writes them


def join_memory(parts: Sequence[Memory], lanes: Sequence[int], fresh: object) -> Memory:
    """What one agent at all these tables would remember; ``fresh`` is one that remembers nothing.

    Raises:
        RailbirdError: something that is neither kept by lane nor the same in all parts.
    """
    if len(parts) == 1:
        return parts[0]
    known = [{tuple(path): unpack(value) for path, value in part} for part in parts]
    paths = list(dict.fromkeys(path for part in known for path in part))
    joined: Memory = []
    for path in paths:
        before = _before(fresh, path)
        values = [part.get(path, before) for part in known]
        try:
            joined.append([list(path), pack(_join(values, lanes, before))])
        except ValueError:
            name = ".".join(map(str, path))
            raise RailbirdError(
                f"{name} differs between groups of lanes and has no row for each lane; an agent remembers by"
                " lane, or its environment is made with threads=1"
            ) from None
    return joined


def cut_memory(memory: Memory, lanes: int, spans: Sequence[slice], fresh: object) -> list[Memory]:
    """What agents at each of these runs of lanes remember, given what one at all ``lanes`` remembered.

    Raises:
        BrokenFile: this is no memory of such an agent.
    """
    pieces: list[Memory] = [[] for _ in spans]
    try:
        for path, value in memory:
            whole, before = unpack(value), _before(fresh, path)
            by_lane = _rows(whole) == lanes and not _alike(whole, before)
            for piece, span in zip(pieces, spans, strict=True):
                piece.append([path, pack(whole[span]) if by_lane else value])
    except (TypeError, ValueError) as cause:
        raise BrokenFile(f"a saved memory is not one of a {type(fresh).__name__}: {cause}") from cause
    return pieces


def _before(fresh: object, path: Sequence[Any]) -> Any:
    """What an agent has at a path when it is made; None where it has nothing."""
    try:
        return part_at(fresh, path)
    except LookupError:
        return None


def _join(values: list[Any], lanes: Sequence[int], before: Any) -> Any:
    """One value of those of all parts.

    Raises:
        ValueError: they do not go together.
    """
    if all(_alike(value, before) for value in values):
        return values[0]
    if [_rows(value) for value in values] == list(lanes):
        arrays = isinstance(values[0], np.ndarray)
        return np.concatenate(values) if arrays else [item for value in values for item in value]
    first = pack(values[0])
    if any(pack(value) != first for value in values[1:]):
        raise ValueError("no rows by lane")
    return values[0]


def _rows(value: Any) -> int | None:
    """How many rows a value has, None where it has none."""
    return len(value) if isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim) else None


def _alike(value: Any, before: Any) -> bool:
    """Whether both are arrays of one shape, with room for something."""
    arrays = isinstance(value, np.ndarray) and isinstance(before, np.ndarray)
    return arrays and value.shape == before.shape and value.size > 0
