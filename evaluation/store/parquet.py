"""Tables of numpy columns to and from Parquet, through DuckDB."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import numpy as np
from numpy.typing import NDArray

from ...games.errors import BrokenFile

Columns: TypeAlias = dict[str, NDArray[Any]]  # name -> (rows,) int64, float64, or object: text


class Parquet:
    """Writes and reads whole files. On one thread, so that the same table is the same bytes."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(config={"threads": 1})

    def close(self) -> None:
        """Lets go of DuckDB."""
        self._connection.close()

    def write(self, path: Path, columns: Columns) -> None:
        """Writes a table, compressed with Zstandard.

        Raises:
            OSError: the file cannot be written.
        """
        self._connection.register("written", columns)
        try:
            self._connection.execute(
                f"copy (select * from written) to {quoted(path)} (format parquet, compression zstd)"
            )
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
        finally:
            self._connection.unregister("written")

    def read(self, path: Path) -> Columns:
        """All columns of a file, its rows in the order in which they were written.

        Raises:
            BrokenFile: it is no Parquet file.
        """
        try:
            return self._connection.execute(f"select * from {scan(path)}").fetchnumpy()
        except duckdb.Error as error:
            raise BrokenFile(f"{path} cannot be read: {error}") from error


def quoted(text: object) -> str:
    """A text as SQL has it."""
    return "'" + str(text).replace("'", "''") + "'"


def literal(path: Path) -> str:
    """A path as DuckDB's patterns have it, so that it stands for itself."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def scan(path: Path, pattern: str = "") -> str:
    """The table of a file, or of all files of a folder that match a pattern; as SQL.

    A name such as ``share=0.5`` of a folder is no column.
    """
    return f"read_parquet({quoted(literal(path) + pattern)}, hive_partitioning = false)"


def texts(values: list[str]) -> NDArray[Any]:
    """A column of texts."""
    column: NDArray[Any] = np.empty(len(values), object)
    column[:] = values
    return column
