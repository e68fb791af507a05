"""What an agent has come to remember, as JSON: how it differs from a freshly made one.

An agent's memory is data it can be reached by: attributes, and items of lists and dicts, of it and of the
objects it holds. What has no such parts (a function, a tensor, frozen settings) is fixed at construction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..games.errors import BrokenFile, RailbirdError
from .snapshot import is_plain, pack, unpack

Path = tuple[str | int, ...]


def remembered(agent: object, fresh: object) -> list[list[Any]]:
    """The differences as ``[path, value]`` pairs of JSON data.

    Raises:
        RailbirdError: an object that is not plain data has come or gone since the agent was made.
    """
    return [[list(path), pack(value)] for path, value in _differences(agent, fresh, (), set())]


def recall(fresh: object, memory: Sequence[Any]) -> None:
    """Makes a fresh agent remember what `remembered` wrote down.

    Raises:
        BrokenFile: the memory is not one of such an agent.
    """
    try:
        for path, value in memory:
            *way, last = path
            place = fresh
            for step in way:
                place = _parts(place)[step]
            if isinstance(place, list | dict):
                place[last] = unpack(value)
            else:
                setattr(place, last, unpack(value))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as cause:
        raise BrokenFile(f"a saved memory is not one of a {type(fresh).__name__}: {cause}") from cause


def part_at(agent: object, path: Sequence[Any]) -> Any:
    """What stands at a path that `remembered` named."""
    for step in path:
        agent = _parts(agent)[step]
    return agent


def _differences(now: Any, fresh: Any, path: Path, seen: set[int]) -> Iterator[tuple[Path, Any]]:
    """Paths to plain values that a fresh agent has otherwise, with those values."""
    if id(now) in seen:
        return
    seen.add(id(now))
    before = _parts(fresh)
    for name, value in _parts(now).items():
        if is_plain(value):
            if name not in before or not is_plain(before[name]) or pack(value) != pack(before[name]):
                yield (*path, name), value
        elif name not in before or type(before[name]) is not type(value):
            raise RailbirdError(
                f"{'.'.join(map(str, (*path, name)))} has become a {type(value).__name__}; what an agent"
                " comes to remember is plain data, or part of an object it was made with"
            )
        else:
            yield from _differences(value, before[name], (*path, name), seen)


def _parts(thing: Any) -> Mapping[Any, Any]:
    """The named parts of an object, by attribute, index or key."""
    if isinstance(thing, dict):
        return thing
    if isinstance(thing, list):
        return dict(enumerate(thing))
    return getattr(thing, "__dict__", {})
