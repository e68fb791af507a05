"""Steps of episodes as one Parquet file, through DuckDB, in memory that does not grow with the file.

Rows are gathered into parts of a fixed number, so the file does not depend on the lots they came in. The
parts lie in a folder beside the file; the file itself appears whole or not at all.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import duckdb
import numpy as np
from numpy.typing import NDArray

from ..games.errors import InvalidSettings, RailbirdError
from .episodes import Steps, joined
from .store.parquet import literal, quoted, texts

PART: Final = 16_384  # rows of a part, and of a row group of the file: what a reader must hold at once
FORMAT: Final = "railbird-trajectories"
VERSION: Final = 1  # of the columns and of what is told about them


class StepFile:
    """Writes a new file; used in a ``with``, at whose end it is there, or not if something was raised.

    Args:
        path: the file; one that exists is left alone.
        agents: who sits where, by seat.
        told: what is kept with the rows, as JSON under the key ``railbird``.

    Raises:
        InvalidSettings: the file exists, or its folder cannot be written to.
        RailbirdError: the disk is full or gone.
    """

    def __init__(self, path: Path, agents: Sequence[str], told: Mapping[str, Any]) -> None:
        if path.exists():
            raise InvalidSettings(f"{path} exists; remove it, or choose another file")
        try:
            self._folder = Path(tempfile.mkdtemp(prefix=f".unfinished-{path.name}-", dir=path.parent))
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidSettings(f"cannot write {path}: {reason}; choose another file") from error
        self.path = path
        self.rows = 0  # written so far
        self._agents = texts(list(agents))
        self._told = {"format": FORMAT, "version": VERSION, **told}
        self._waiting: list[Steps] = []
        self._parts: list[Path] = []
        self._connection = duckdb.connect(config={"threads": 1})  # the same rows are the same bytes

    def __enter__(self) -> StepFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._connection.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def add(self, steps: Steps) -> None:
        """Puts steps behind those that are there.

        Raises:
            RailbirdError: the disk is full or gone.
        """
        self._waiting.append(steps)
        if sum(map(len, self._waiting)) < PART:
            return
        lot = joined(self._waiting)
        whole = len(lot) // PART * PART
        for first in range(0, whole, PART):
            self._write_part(lot.rows(slice(first, first + PART)))
        self._waiting = [lot.rows(np.arange(whole, len(lot)))]  # a copy, so that the rest is let go

    def _write_part(self, steps: Steps) -> None:
        path = self._folder / f"{len(self._parts):08}.parquet"
        columns = {
            "deal": steps.deal, "seat": steps.seat, "agent": self._agents[steps.seat], "step": steps.step,
            **_columns("o", steps.observation), "action": steps.action, **_columns("m", steps.action_mask),
            "reward": steps.reward, "terminal": steps.terminal, "profit": steps.profit,
        }  # fmt: skip
        self._connection.register("steps", columns)
        seen, masked = _listed("o", steps.observation), _listed("m", steps.action_mask)
        rows = (
            f"select deal, seat::smallint as seat, agent, step::integer as step, {seen} as observation,"
            f" action::integer as action, {masked} as action_mask, reward, terminal, profit from steps"
        )
        self._copy(rows, path, "")
        self._connection.unregister("steps")
        self._parts.append(path)
        self.rows += len(steps)

    def _finish(self) -> None:
        """Writes the rest, and all parts into one file."""
        if any(map(len, self._waiting)):
            self._write_part(joined(self._waiting))
        parts = ", ".join(quoted(literal(part)) for part in self._parts)
        unfinished = self._folder / "whole.parquet"
        told = f", kv_metadata {{railbird: {quoted(json.dumps(self._told))}}}"
        self._copy(f"select * from read_parquet([{parts}], hive_partitioning = false)", unfinished, told)
        try:
            unfinished.replace(self.path)
        except OSError as error:
            raise _unwritten(self.path, error.strerror or str(error)) from error

    def _copy(self, rows: str, path: Path, more: str) -> None:
        """Writes the rows of a SELECT into a Parquet file."""
        options = f"format parquet, compression zstd, row_group_size {PART}{more}"
        try:
            self._connection.execute(f"copy ({rows}) to {quoted(path)} ({options})")
        except duckdb.IOException as error:
            raise _unwritten(self.path, str(error).splitlines()[0]) from error


def _columns(letter: str, table: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """A table (n, k) as k columns."""
    turned = np.ascontiguousarray(table.T)
    return {f"{letter}{place}": column for place, column in enumerate(turned)}


def _listed(letter: str, table: NDArray[Any]) -> str:
    """These columns as one of lists, as SQL."""
    return f"[{', '.join(f'{letter}{place}' for place in range(table.shape[1]))}]"


def _unwritten(path: Path, reason: str) -> RailbirdError:
    return RailbirdError(f"cannot write {path}: {reason}; make room or choose another place")
