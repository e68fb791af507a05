"""Questions in SQL to a tournament's folder. Nothing is written, and nothing outside the folder is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ...games.errors import BrokenFile, InvalidSettings
from .manifest import read_manifest
from .parquet import literal, quoted, scan
from .tables import TYPES

TABLES = tuple(TYPES)  # the views
ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows as they are found."""

    columns: list[str]
    rows: Iterator[tuple[Any, ...]]


class Reader:
    """The finished blocks of a folder as the views `TABLES`; used in a ``with``.

    A runner may be at work in the folder: what it has finished by now is what is seen.

    Raises:
        InvalidSettings: there is no tournament in the folder.
        BrokenFile: its manifest cannot be read or has been changed.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "manifest.json").exists():
            raise InvalidSettings(
                f"{folder} holds no tournament; railbird tournament … --out {folder} keeps one there"
            )
        self.folder = folder.resolve()
        self.manifest = read_manifest(folder / "manifest.json")
        self._connection = duckdb.connect(config={"threads": 1})  # so that sums and groups keep their order
        try:
            for name in TABLES:
                self._connection.execute(f"create view {name} as {self._view(name)}")
        except duckdb.Error as error:
            self._connection.close()
            raise BrokenFile(f"a block cannot be read: {_complaint(error)}") from error
        self._lock_up()

    def _lock_up(self) -> None:
        """From here on DuckDB reads nothing outside the folder, and this cannot be changed."""
        allowed = ", ".join(quoted(f"{path}/") for path in (self.folder, literal(self.folder)))
        for setting in (
            f"allowed_directories = [{allowed}]",
            "enable_external_access = false",
            "lock_configuration = true",
        ):
            self._connection.execute(f"set {setting}")

    def _view(self, name: str) -> str:
        """A table over all blocks; a table that no block has rows of is empty."""
        blocks = self.folder / "blocks"
        if any(blocks.glob(f"[0-9]*/{name}.parquet")):
            columns = ", ".join(TYPES[name])
            return f"select {columns} from {scan(blocks, f'/[0-9]*/{name}.parquet')}"
        columns = ", ".join(f"null::{kind} as {column}" for column, kind in TYPES[name].items())
        return f"select {columns} where false"

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self._connection.close()

    @property
    def finished(self) -> bool:
        """Whether the tournament has been played to its end."""
        return (self.folder / "result.json").exists()

    def ask(self, sql: str) -> Answer:
        """What one SELECT finds. It is read from the files as the rows are taken.

        Raises:
            InvalidSettings: this is no SELECT, or DuckDB says why it cannot be answered.
        """
        try:
            statements = self._connection.extract_statements(sql)
            if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
                raise InvalidSettings("a question is one SELECT; nothing can be changed this way")
            found = self._connection.execute(statements[0])
        except duckdb.Error as error:
            raise _unanswered(error) from error
        return Answer([name for name, *_ in found.description or ()], self._rows(found))

    def _rows(self, found: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
        try:
            while rows := found.fetchmany(ROWS_AT_ONCE):
                yield from rows
        except duckdb.Error as error:
            raise _unanswered(error) from error


def _unanswered(error: duckdb.Error) -> InvalidSettings:
    return InvalidSettings(f"the question cannot be answered: {_complaint(error)}")


def _complaint(error: duckdb.Error) -> str:
    """The first line of what DuckDB says; the rest draws arrows under the question."""
    return str(error).splitlines()[0]
