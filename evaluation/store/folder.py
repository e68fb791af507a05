"""The runner's side of a tournament's folder: what is finished, and adding to it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...games.errors import BrokenFile, InvalidSettings, RailbirdError
from ..blocks import BlockResult, Plan
from ..results import TournamentResult
from .lock import Lock
from .manifest import check_same, read_manifest
from .parquet import Columns, Parquet
from .tables import from_tables, to_tables

UNFINISHED = ".unfinished-"  # begins the name of what is being written


class Store:
    """One tournament in a folder; used in a ``with``, which holds the folder against other runners.

    Args:
        folder: made if it is not there.
        plan: what is played.
        manifest: as `describe` gives it.

    Raises:
        InvalidSettings: the folder cannot be written to, holds another tournament, or is in use.
        BrokenFile: its manifest cannot be read or has been changed.
    """

    def __init__(self, folder: Path, plan: Plan, manifest: dict[str, Any]) -> None:
        self.folder, self.plan = folder, plan
        self._blocks = folder / "blocks"
        self._digest = manifest["digest"]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder / "lock")
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidSettings(f"cannot write to {folder}: {reason}; choose another folder") from error
        try:
            self._open(manifest)
        except BaseException:
            self._lock.release()
            raise
        self._parquet = Parquet()

    def _open(self, manifest: dict[str, Any]) -> None:
        """Compares the manifest, or writes it; looks what is finished, clears away what is not."""
        path = self.folder / "manifest.json"
        if path.exists():
            found = read_manifest(path)
            check_same(self.folder, found, manifest)
            self._digest = found["digest"]
        elif self._blocks.exists() or (self.folder / "result.json").exists():
            raise BrokenFile(f"{path} is missing, though there are results beside it; choose another folder")
        else:
            with _writing(path):
                _write_whole(path, json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
        with _writing(self._blocks):
            self._blocks.mkdir(exist_ok=True)
            for left in (*self._blocks.glob(f"{UNFINISHED}*"), *self.folder.glob(f"{UNFINISHED}*")):
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        self._finished = {int(path.name) for path in self._blocks.iterdir() if path.name.isdecimal()}

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._parquet.close()
        self._lock.release()

    def __contains__(self, number: int) -> bool:
        """Whether a block is finished."""
        return number in self._finished

    def read(self, number: int) -> BlockResult:
        """A finished block.

        Raises:
            BrokenFile: a file of it is missing, cut off or changed.
        """
        folder = self._place(number)
        try:
            return from_tables(self.plan, number, self._tables(folder))
        except (BrokenFile, OSError) as error:
            raise BrokenFile(
                f"{error}; remove the folder {folder} and run the same command again to have it played anew"
            ) from error

    def _tables(self, folder: Path) -> dict[str, Columns]:
        """The tables of a block, as they were written."""
        path = folder / "block.json"
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            tables = {name: (table["bytes"], table["sha256"]) for name, table in content["tables"].items()}
            ours = (content["block"], content["manifest"]) == (int(folder.name), self._digest)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BrokenFile(f"{path} is not as it was written") from error
        if not ours:
            raise BrokenFile(f"{folder} is a block of another tournament")
        return {name: self._table(folder / f"{name}.parquet", *told) for name, told in tables.items()}

    def _table(self, path: Path, size: int, told: str) -> Columns:
        content = path.read_bytes()
        if len(content) < size:
            raise BrokenFile(f"{path} is cut off: it has {len(content):,} of {size:,} bytes")
        if hashlib.sha256(content).hexdigest() != told:
            raise BrokenFile(f"{path} has been changed since it was written")
        return self._parquet.read(path)

    def add(self, number: int, block: BlockResult) -> None:
        """Keeps a block that has been played.

        Raises:
            RailbirdError: the disk is full or gone; what was finished before stays.
        """
        folder = self._place(number)
        unfinished = self._blocks / f"{UNFINISHED}{folder.name}"
        with _writing(folder):
            try:
                unfinished.mkdir()
                self._fill(unfinished, number, block)
                unfinished.rename(folder)
            except BaseException:
                shutil.rmtree(unfinished, ignore_errors=True)
                raise
        self._finished.add(number)

    def _fill(self, folder: Path, number: int, block: BlockResult) -> None:
        told = {}
        for name, columns in to_tables(self.plan, block).items():
            path = folder / f"{name}.parquet"
            self._parquet.write(path, columns)
            content = path.read_bytes()
            told[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        described = {
            "block": number,
            "first_deal": int(block.deals[0]),
            "deals": len(block.deals),
            "manifest": self._digest,
            "tables": told,
        }
        (folder / "block.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")

    def finish(self, result: TournamentResult) -> None:
        """Writes the result.

        Raises:
            BrokenFile: there is another one, that the blocks do not give; it stays as it is.
            RailbirdError: the disk is full or gone.
        """
        path, text = self.folder / "result.json", result.to_json() + "\n"
        if path.exists():
            if path.read_bytes() != text.encode():
                raise BrokenFile(
                    f"{path} is not what the blocks beside it give; remove it and run the same command again"
                )
            return
        with _writing(path):
            _write_whole(path, text)

    def _place(self, number: int) -> Path:
        return self._blocks / f"{number:08}"


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Names what could not be written, and what to do.

    Raises:
        RailbirdError: instead of an OSError.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise RailbirdError(
            f"cannot write {path}: {reason};"
            " finished blocks are kept: make room and run the same command again"
        ) from error


def _write_whole(path: Path, text: str) -> None:
    """Writes a file under another name and renames it."""
    unfinished = path.with_name(f"{UNFINISHED}{path.name}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
