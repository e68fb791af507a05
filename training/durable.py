"""Files and folders that are whole or not there: written under another name, flushed to disk, renamed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..games.errors import RailbirdError

UNFINISHED: Final = ".unfinished-"  # begins the name of what is being written


def write_file(path: Path, content: bytes) -> None:
    """Writes a file, or leaves the one that is there as it was.

    Raises:
        RailbirdError: the disk is full, or the folder cannot be written to.
    """
    with _naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{UNFINISHED}{path.name}")
        try:
            _flush(unfinished, content)
            unfinished.replace(path)
            _flush_folder(path.parent)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def write_folder(path: Path, files: Mapping[str, bytes]) -> None:
    """Writes a folder of files; one that is there is replaced.

    Raises:
        RailbirdError: the disk is full, or the folder cannot be written to; what was there stays.
    """
    with _naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{UNFINISHED}{path.name}")
        former = path.with_name(f"{UNFINISHED}former-{path.name}")
        clear(unfinished)
        try:
            unfinished.mkdir()
            for name, content in files.items():
                _flush(unfinished / name, content)
            _flush_folder(unfinished)
            if path.exists():
                clear(former)
                path.rename(former)
            unfinished.rename(path)
            _flush_folder(path.parent)
            clear(former)
        except BaseException:
            clear(unfinished)
            if former.exists() and not path.exists():
                former.rename(path)
            raise


def clear(path: Path) -> None:
    """Removes a folder, if it is there."""
    if path.exists():
        shutil.rmtree(path)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Names what could not be written, and what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise RailbirdError(
            f"cannot write {path}: {reason}; what was saved before is kept: make room, or choose another"
            " folder, and run the same command again"
        ) from error


def _flush(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _flush_folder(path: Path) -> None:
    """Makes names in a folder last, where the system can."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
