"""By which code a tournament is played: versions, the commit, and hashes of source files."""

from __future__ import annotations

import hashlib
import inspect
import platform
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .. import __version__
from ..agents.contract import Agent

ROOT = Path(__file__).resolve().parents[1]  # of the package
DECIDES = ("games", "agents", "evaluation")  # the folders whose code a result depends on


@cache
def versions() -> dict[str, str]:
    """Versions of what computes, and the hash of our own code: who differs in any may play differently."""
    files = (file for folder in DECIDES for file in (ROOT / folder).rglob("*.py"))
    return {
        "railbird": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "code": _hash((file.relative_to(ROOT).as_posix(), file) for file in files),
    }


def commit() -> str | None:
    """The commit that is checked out where the package lies; None where it is installed."""
    if not (ROOT / ".git").exists():
        return None
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return asked.stdout.strip()


def source_of(agent: Agent[Any]) -> dict[str, Any]:
    """The names of the files an agent consists of and one hash of them all, None where there are none.

    The files of its class and of those this one is made from; the same of agents it holds; and files it
    names in an attribute ``files``, such as learned weights.
    """
    files = sorted(set(_files(agent)))
    named = [(file.name, file) for file in files]
    return {"files": sorted({name for name, _ in named}), "sha256": _hash(named) if named else None}


def _files(agent: object) -> Iterator[Path]:
    for made in type(agent).__mro__:
        if made.__module__ in ("builtins", "abc", "typing"):
            continue
        try:
            yield Path(inspect.getfile(made))
        except (TypeError, OSError):  # written at a prompt
            continue
    yield from map(Path, getattr(agent, "files", ()))
    for part in _attributes(agent):
        if isinstance(part, Agent):
            yield from _files(part)


def _attributes(agent: object) -> list[object]:
    slots = [getattr(agent, name) for name in getattr(agent, "__slots__", ()) if hasattr(agent, name)]
    return [*getattr(agent, "__dict__", {}).values(), *slots]


def _hash(files: Iterable[tuple[str, Path]]) -> str:
    """SHA-256 over the names and contents of files, in the order of their names."""
    total = hashlib.sha256()
    for name, file in sorted(files):
        total.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
