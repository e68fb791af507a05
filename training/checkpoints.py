"""Checkpoints: everything a run's future depends on, as a folder of JSON and safetensors. No pickle.

A checkpoint is written whole or not at all, and names the hashes of its parts, so that a damaged one is told
from a good one before anything of it is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from safetensors.numpy import save

from ..agents.learned.folder import read_tensors
from ..games.errors import BrokenFile
from .durable import UNFINISHED, clear, write_folder
from .models import Tensors

FORMAT: Final = 1  # rises when older checkpoints can no longer be read
KEPT: Final = 3  # the last so many
STATE: Final = "state.json"
TENSORS: Final = "state.safetensors"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What was saved."""

    step: int
    tensors: Tensors
    data: Mapping[str, Any]  # JSON


class Checkpoints:
    """The checkpoints of a run, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def steps(self) -> list[int]:
        """The steps at which one was saved, ascending."""
        if not self.folder.is_dir():
            return []
        return sorted(int(path.name) for path in self.folder.iterdir() if path.name.isdecimal())

    def place(self, step: int) -> Path:
        """The folder of the checkpoint at a step."""
        return self.folder / f"{step:012}"

    def add(self, step: int, tensors: Tensors, data: Mapping[str, Any]) -> None:
        """Saves a checkpoint, then removes those that are no longer kept.

        Raises:
            RailbirdError: it cannot be written; earlier ones are as they were.
        """
        content = save(tensors)
        state = json.dumps(data).encode()
        told = {
            "format": FORMAT,
            "step": step,
            "sha256": {name: hashlib.sha256(part).hexdigest() for name, part in
                       ((STATE, state), (TENSORS, content))},
        }  # fmt: skip
        head = (json.dumps(told, indent=2) + "\n").encode()
        write_folder(self.place(step), {STATE: state, TENSORS: content, "checkpoint.json": head})
        for old in self.steps[:-KEPT]:
            clear(self.place(old))
        for left in self.folder.glob(f"{UNFINISHED}*"):
            clear(left)

    def last(self) -> Checkpoint | None:
        """The latest checkpoint; None where there is none.

        Raises:
            BrokenFile: it is damaged; the message says how to go on from the one before.
        """
        steps = self.steps
        if not steps:
            return None
        try:
            return self.read(steps[-1])
        except BrokenFile as error:
            before = f"the one at step {steps[-2]:,}" if len(steps) > 1 else "the start"
            raise BrokenFile(
                f"{error}; remove {self.place(steps[-1])} and run the same command again to go on from"
                f" {before}"
            ) from error

    def read(self, step: int) -> Checkpoint:
        """The checkpoint at a step.

        Raises:
            BrokenFile: it is damaged.
        """
        folder = self.place(step)
        try:
            told = json.loads((folder / "checkpoint.json").read_bytes())
            hashes = dict(told["sha256"])
            wrong = (told["format"], told["step"]) != (FORMAT, step)
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise BrokenFile(f"{folder / 'checkpoint.json'} cannot be read") from error
        if wrong:
            raise BrokenFile(f"{folder} is no checkpoint of step {step:,} in format {FORMAT}")
        state, content = (self._part(folder / name, hashes.get(name)) for name in (STATE, TENSORS))
        try:
            return Checkpoint(step, read_tensors(content), json.loads(state))
        except (BrokenFile, ValueError) as error:
            raise BrokenFile(f"{folder} cannot be read: {error}") from error

    def _part(self, path: Path, told: Any) -> bytes:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise BrokenFile(f"{path} cannot be read: {error.strerror or error}") from error
        if hashlib.sha256(content).hexdigest() != told:
            raise BrokenFile(f"{path} has been cut off or changed since it was written")
        return content
