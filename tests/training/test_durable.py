"""Files and folders that are whole or not there."""

import errno
import os
from pathlib import Path

import pytest

from railbird.games.errors import RailbirdError
from railbird.training.durable import write_file, write_folder


def fail_at(monkeypatch, count, code):
    """The count-th flush to disk fails, as on a disk that is full."""
    left = [count]
    flush = os.fsync

    def failing(descriptor):
        left[0] -= 1
        if left[0] == 0:
            raise OSError(code, os.strerror(code))
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", failing)


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_file_is_written_and_replaced(tmp_path):
    write_file(tmp_path / "deep" / "a", b"one")
    write_file(tmp_path / "deep" / "a", b"two")
    assert contents(tmp_path) == {"deep/a": b"two"}


def test_folder_is_written_and_replaced(tmp_path):
    write_folder(tmp_path / "a", {"x": b"1", "y": b"2"})
    write_folder(tmp_path / "a", {"x": b"3"})
    assert contents(tmp_path) == {"a/x": b"3"}


@pytest.mark.parametrize("at", [1, 2])
def test_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, at):
    write_file(tmp_path / "a", b"one")
    fail_at(monkeypatch, at, errno.ENOSPC)
    if at == 1:  # while the new content is written; at 2 it has been renamed already
        with pytest.raises(
            RailbirdError, match=r"cannot write .*/a: No space left on device; what was saved"
        ):
            write_file(tmp_path / "a", b"two")
        assert contents(tmp_path) == {"a": b"one"}
    else:
        with pytest.raises(RailbirdError, match="No space left on device"):
            write_file(tmp_path / "a", b"two")
        assert contents(tmp_path) == {"a": b"two"}


@pytest.mark.parametrize("at", [1, 2, 3])
def test_full_disk_leaves_the_folder_as_it_was(tmp_path, monkeypatch, at):
    write_folder(tmp_path / "a", {"x": b"1", "y": b"2"})
    fail_at(monkeypatch, at, errno.ENOSPC)
    with pytest.raises(RailbirdError, match=r"cannot write .*/a: No space left on device"):
        write_folder(tmp_path / "a", {"x": b"3", "y": b"4"})
    assert contents(tmp_path) == {"a/x": b"1", "a/y": b"2"}


def test_folder_whose_name_cannot_be_taken_is_put_back(tmp_path, monkeypatch):
    write_folder(tmp_path / "a", {"x": b"1"})
    rename = Path.rename

    def failing(path, target):
        if path.name == ".unfinished-a":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(RailbirdError, match="Input/output error"):
        write_folder(tmp_path / "a", {"x": b"2"})
    assert contents(tmp_path) == {"a/x": b"1"}


def test_place_that_is_no_folder_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RailbirdError, match=r"cannot write .*/file/a: (Not a directory|File exists)"):
        write_file(tmp_path / "file" / "a", b"")
