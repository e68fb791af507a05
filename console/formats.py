"""How a command prints what it found: for people, or for a program, a table calculation, a paper."""

from __future__ import annotations

from typing import Final

from ..games.errors import InvalidSettings, UnknownName

FORMATS: Final = ("text", "json", "csv", "md")


def choose_format(asked: str | None, as_json: bool = False, as_csv: bool = False) -> str:
    """The format that ``--format`` names or that ``--json`` and ``--csv`` are short for.

    Raises:
        UnknownName: there is no such format.
        InvalidSettings: two of them are asked for.
    """
    if asked is not None and asked not in FORMATS:
        raise UnknownName("format", asked, FORMATS)
    wanted = {asked} - {None} | ({"json"} if as_json else set()) | ({"csv"} if as_csv else set())
    if len(wanted) > 1:
        raise InvalidSettings(f"{' and '.join(sorted(map(str, wanted)))} are different formats; choose one")
    return str(wanted.pop()) if wanted else "text"
