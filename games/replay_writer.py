"""Replays: a recorded game as a file of JSON lines, written a line a turn. `replay_reader` plays it again.

::

    {"format": "railbird-replay", "version": 1, "railbird": "0.1.0", "game": "superfecta", "settings": {…},
     "seed": 7, "lane": 0, "episode": 0, "players": ["favourite", "box"], "eye": null}
    {"turn": 1, "phase": "ticket", "decisions": ["$1 WIN D; $1 EXA D/C", ""], "profit": [-2, 0],
     "bankrolls": [98, 100], "round": 1, "drawn": {"order": ["H", "D", "C", "S"], …}}
    …
    {"result": {"over": true, "turns": 12, "rounds": 12, "profit": [-5, 5]}, "sha256": "…"}

``settings`` are complete. A decision is a text as people write it, null for a seat that is not asked.
``round`` and ``drawn`` are there where a round has ended, ``bankrolls`` where there are chips, ``notices``
where an agent failed. The hash is SHA-256 of all bytes before the last line. Each line is handed to the
system whole, so a writer that is killed loses the line it was at and no more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .contract import Game
from .errors import InvalidSettings, RailbirdError
from .registry import load
from .replay import Clerk, Start, plain_settings

FORMAT: Final = "railbird-replay"
VERSION: Final = 1  # of the format; rises when older readers can no longer read it
HEADER: Final = (
    "format", "version", "railbird", "game", "settings", "seed", "lane", "episode", "players", "eye",
)  # fmt: skip


class ReplayWriter:
    """Writes one lane's game down while it is played; used in a ``with``, or closed by hand.

    Args:
        path: a new file; one that exists is left alone.
        start: where the game began, as it is to be seen again.
        game: its tables, that lane started and its first turn still to be played.
        row: position of the lane in the batch.

    Raises:
        InvalidSettings: the file exists, or cannot be made.
        RailbirdError: it cannot be written.
    """

    def __init__(self, path: Path, start: Start, game: Game[Any, Any], row: int = 0) -> None:
        self.path = path
        self._game, self._row = game, row
        self._clerk = Clerk(load(start.game), game, row)
        self._key = int(game.state.key[row])  # of the episode
        self._totals = np.zeros(game.seats, np.int64)
        self._hash = hashlib.sha256()
        self._result = self._reached()
        self._torn = False  # whether a turn was not written to its end
        self._file = _create(path)
        names = start.players or tuple(f"seat {seat}" for seat in range(start.seats))
        values = (
            FORMAT, VERSION, __version__, start.game, plain_settings(start.settings), int(start.seed),
            int(start.lane), int(start.episode), list(map(_printable, names)), start.eye,
        )  # fmt: skip
        self._write(dict(zip(HEADER, values, strict=True)))

    def __enter__(self) -> ReplayWriter:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def follows(self) -> bool:
        """Whether the turn that has just been played is the next one of the game being written down."""
        state = self._game.state
        return self._key == int(state.key[self._row]) and self._clerk.number == int(state.turn[self._row])

    def turn(self, decisions: NDArray[Any], notices: Sequence[str] = ()) -> None:
        """Writes the turn down that has just been played.

        Args:
            decisions: (seats, *decision_shape), those that were submitted.
            notices: what else is to be told before its frames are shown.

        Raises:
            RailbirdError: the disk is full or gone; what was written before stays.
        """
        self._torn = True  # until it is written: whoever interrupts this gets a file that is cut off
        line = {**self._clerk.head(), "decisions": self._clerk.spell(decisions)}
        line |= self._clerk.outcome()
        if notices:
            line["notices"] = list(map(_printable, notices))
        self._totals += self._game.profit[self._row]
        self._write(line)
        self._result, self._torn = self._reached(), False

    def finish(self) -> None:
        """Writes the last line; the game may have been left before its end.

        Raises:
            RailbirdError: the disk is full or gone.
        """
        if not self._file.closed and not self._torn:
            self._write({"result": self._result, "sha256": self._hash.hexdigest()})
        self.close()

    def close(self) -> None:
        """Lets go of the file; without its last line it counts as cut off."""
        self._file.close()

    def _reached(self) -> dict[str, Any]:
        return result_of(self._game, self._row, self._clerk.rounds, self._totals)

    def _write(self, line: dict[str, Any]) -> None:
        text = (json.dumps(line) + "\n").encode("ascii")
        left = memoryview(text)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self.close()
            reason = error.strerror or str(error)
            raise RailbirdError(
                f"cannot write {self.path}: {reason}; the replay ends there, choose another place for it"
            ) from error
        self._hash.update(text)


def _create(path: Path) -> BinaryIO:
    """A new file, written to without a buffer; what is no file but a device is taken as it is."""
    try:
        kept = path.exists() and (path.is_file() or path.is_dir())
        if not kept:
            return path.open("wb" if path.exists() else "xb", buffering=0)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidSettings(f"cannot write {path}: {reason}; choose another file") from error
    raise InvalidSettings(f"{path} exists; remove it, or choose another file")


def _printable(text: str) -> str:
    """A text as the reader takes it: signs that a terminal would obey are replaced."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def result_of(game: Game[Any, Any], row: int, rounds: int, totals: NDArray[np.int64]) -> dict[str, Any]:
    """How far a lane has come, and what each seat has won so far, as JSON data."""
    return {
        "over": bool(game.over[row]),
        "turns": int(game.state.turn[row]),
        "rounds": rounds,
        "profit": totals.tolist(),
    }
