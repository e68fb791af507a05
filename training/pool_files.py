"""The pool of a run as files: ``pool.json``, how things stand, and ``pool.csv``, how they went."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from ..evaluation.results import figure, plain
from ..games.errors import BrokenFile, RailbirdError
from .durable import write_file
from .pool import Kind, Pool

FORMAT: Final = 1  # of pool.json
STANDS: Final = "pool.json"
WENT: Final = "pool.csv"


@dataclass(frozen=True, slots=True)
class Line:
    """An opponent and the learner's games against it."""

    member: str
    kind: str  # latest, snapshot or named
    drawn_now: bool  # whether it may be met in new games
    chance: float  # of a seat beside the learner to be its, when a game begins
    games: int  # finished, of the whole run
    won: int
    drawn: int
    lost: int
    win_rate: float | None  # games won and half of those drawn; None before the first
    recent: float  # the same of the games sampling goes by, half a game won of none


def lines(pool: Pool) -> list[Line]:
    """How things stand, by member."""
    shares, chances = seat_shares(pool), pool.chances()
    return [
        Line(
            member.name, member.kind.name.lower(), member.active,
            figure(shares[member.kind] * float(chances[number])), member.games, member.won, member.drawn,
            member.games - member.won - member.drawn,
            None if member.win_rate is None else figure(member.win_rate), figure(member.chance),
        )
        for number, member in enumerate(pool.members)
    ]  # fmt: skip


def seat_shares(pool: Pool) -> dict[Kind, float]:
    """What share of the seats beside the learner each kind has now."""
    given = dict(zip(Kind, pool.settings.shares, strict=True))
    if not pool.of(Kind.SNAPSHOT):
        given[Kind.LATEST] += given[Kind.SNAPSHOT]
        given[Kind.SNAPSHOT] = 0.0
    return {kind: share / sum(pool.settings.shares) for kind, share in given.items()}


def write_pool(folder: Path, step: int, pool: Pool) -> None:
    """Writes ``pool.json``, and adds a row for each member to ``pool.csv``.

    Raises:
        RailbirdError: the disk is full.
    """
    found = lines(pool)
    hashes = {member.name: member.sha256 for member in pool.members if member.sha256}
    written = {
        "format": FORMAT, "step": step, "settings": plain(pool.settings),
        "members": [asdict(line) | {"sha256": hashes.get(line.member)} for line in found],
    }  # fmt: skip
    write_file(folder / STANDS, (json.dumps(written, indent=2) + "\n").encode())
    path = folder / WENT
    text = _text([{"step": step, **asdict(line)} for line in found], head=not path.exists())
    try:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise RailbirdError(f"cannot write {path}: {error.strerror or error}; make room") from error


def drop_later(folder: Path, step: int) -> None:
    """Takes the rows of later steps out of ``pool.csv``, written after the checkpoint a run goes on from.

    Raises:
        BrokenFile: it cannot be read.
        RailbirdError: it cannot be written.
    """
    path = folder / WENT
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if None not in row.values()]
        kept = [row for row in rows if int(row["step"]) <= step]
        text = _text(kept, head=True)
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise BrokenFile(f"{path} cannot be read: {error}; remove it to begin a new one") from error
    write_file(path, text.encode())


COLUMNS: Final = ("step", *(part.name for part in fields(Line)))


def _text(rows: Sequence[dict[str, Any]], head: bool) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    if head:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
