"""A virtual environment for each peer: made when it is needed, used again when it is complete."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ...games.errors import RailbirdError

COMPLETE: Final = "complete"  # a file with the requirements, written when all are installed


class NotInstalled(RailbirdError):
    """A peer that is not to be had here; the message is the installer's last word."""


def cache_folder() -> Path:
    """Where environments are kept unless somebody says otherwise."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "railbird" / "peers"


def interpreter(folder: Path, requirements: Sequence[str]) -> Path:
    """The Python of an environment that has these requirements and what they need.

    An environment of other requirements, or one that was not finished, is made anew.

    Raises:
        NotInstalled: pip could not install one, or there is no `venv` here.
    """
    python, complete = folder / "bin" / "python", folder / COMPLETE
    wanted = f"{sys.version_info.major}.{sys.version_info.minor} {' '.join(requirements)}\n"
    if complete.is_file() and complete.read_text(encoding="utf-8") == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _run(sys.executable, "-m", "venv", str(folder))
    _run(str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", *requirements)
    complete.write_text(wanted, encoding="utf-8")
    return python


def _run(*command: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise NotInstalled(last_word(done.stdout))


def last_word(output: str) -> str:
    """The last error an installer reports, or its last line where none is marked as one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or ["nothing was said"])[-1]
