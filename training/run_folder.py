"""Whose a run's folder is: ``run.json``, all its settings, by which the same command is known again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..games.errors import BrokenFile, InvalidSettings
from .durable import write_file
from .run_settings import RunSettings

RUN: Final = "run.json"
FORMAT: Final = 1  # of run.json
MAY_CHANGE: Final = ("steps", "checkpoint_every", "deals")  # of a run that is gone on with


def open_run(run: RunSettings, folder: Path) -> None:
    """Writes ``run.json``, or makes sure that the one there is of the same run; steps may have become more.

    Raises:
        InvalidSettings: the folder holds another run.
        BrokenFile: ``run.json`` cannot be read.
        RailbirdError: the folder cannot be written to.
    """
    path = folder / RUN
    written = {"format": FORMAT, **run.to_dict(), "version": __version__}
    if path.exists():
        found = read_run_file(path)
        for name, value in json.loads(json.dumps(written)).items():
            if name not in (*MAY_CHANGE, "version") and found.get(name) != value:
                what = _first_difference(name, found.get(name), value)
                raise InvalidSettings(f"{folder} holds a run with {what}; choose another folder")
        if int(found["steps"]) > run.steps:
            raise InvalidSettings(
                f"{folder} holds a run of {found['steps']:,} steps, not {run.steps:,}; ask for no fewer"
            )
    write_file(path, (json.dumps(written, indent=2) + "\n").encode())


def read_run_file(path: Path) -> dict[str, Any]:
    """What a ``run.json`` holds.

    Raises:
        BrokenFile: it cannot be read.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        wrong = found["format"] != FORMAT or type(found["steps"]) is not int
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise BrokenFile(f"{path} cannot be read; choose another folder") from error
    if wrong:
        raise BrokenFile(f"{path} has format {found['format']}, not {FORMAT}; choose another folder")
    return found


def _first_difference(name: str, old: Any, new: Any) -> str:
    """What differs between two settings, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**new, **old}:
            if old.get(key) != new.get(key):
                return f"{key} {old.get(key)!r}, not {new.get(key)!r}"
    if name == "self_play":
        return "self-play, not one without it" if new is None else "no self-play, not one with it"
    return f"{name} {old!r}, not {new!r}"
