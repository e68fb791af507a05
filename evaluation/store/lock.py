"""One runner a folder: a lock that goes with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ...games.errors import InvalidSettings

if sys.platform == "win32":
    import msvcrt

    def _seize(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Holds a lock file from construction to `release`. The file stays: removing it would race.

    Raises:
        InvalidSettings: another process holds it.
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            _seize(self._descriptor)
            os.truncate(self._descriptor, 0)
            os.write(self._descriptor, str(os.getpid()).encode())
        except (BlockingIOError, PermissionError) as error:  # the latter on Windows
            os.close(self._descriptor)
            raise InvalidSettings(
                f"another runner{_holder(path)} is writing to {path.parent}; wait until it is done,"
                " or choose another folder"
            ) from error
        except OSError:
            os.close(self._descriptor)
            raise

    def release(self) -> None:
        """Gives the folder free."""
        os.truncate(self._descriptor, 0)
        os.close(self._descriptor)


def _holder(path: Path) -> str:
    """Which process says that it holds the lock."""
    try:
        return f" (process {int(path.read_text(encoding='ascii'))})"
    except (OSError, ValueError):  # it has not said so yet
        return ""
