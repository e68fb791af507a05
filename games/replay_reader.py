"""Reading a replay: the game is played again from its seed, and all that the file says is compared with it.

What is read may come from anywhere: nothing in it is executed, and signs that a terminal would obey are
refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .errors import BrokenFile, InvalidSettings, RailbirdError
from .registry import load
from .replay import Clerk, Playback, Start
from .replay_writer import FORMAT, HEADER, VERSION, result_of

LONGEST_LINE: Final = 2**20  # bytes
LONGEST_QUOTE: Final = 80  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class ReplayedTurn:
    """A turn that has been played again and agrees with the file."""

    round_over: bool  # a round has ended with it, whose frames can be shown
    notices: tuple[str, ...]
    decisions: NDArray[Any]  # (seats, *decision_shape)


class ReplayReader:
    """A recorded game, played again as it is read; used in a ``with``.

    Everything the file says is compared with what the rules give.

    Args:
        path: the file. Reading it executes nothing.
        eye: the seat that looks at the table, in place of the one recorded; None: that one.

    Raises:
        InvalidSettings: there is no such file, or no such seat.
        BrokenFile: it is no replay, or its first line is not as it was written.
    """

    def __init__(self, path: Path, eye: int | None = None) -> None:
        self.path = path
        self.notice = ""  # told when the game has been played again: that and where the file is cut off
        self._number = 0  # of the line that is being read
        self._hash = hashlib.sha256()
        try:
            self._file = path.open("rb")
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidSettings(f"cannot read {path}: {reason}; name a replay that --save wrote") from error
        try:
            header = self._line()
            if header is None:
                raise BrokenFile(f"{path}, line 1 is not whole; there is nothing to show")
            self.railbird = ""  # the version that wrote it
            self.start = self._read_header(header, eye)
        except BaseException:
            self._file.close()
            raise
        self.playback = Playback(self.start)

    def __enter__(self) -> ReplayReader:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def turns(self) -> Iterator[ReplayedTurn]:
        """Plays the game again in `playback`, turn by turn. Where the file is cut off this ends, and `notice`
        says so.

        Raises:
            BrokenFile: the file and the rules do not agree; the message names line and field.
        """
        clerk = Clerk(self.playback.spec, self.playback.game)
        with self._file:
            while (line := self._line()) is not None:
                if "result" in line:
                    self._close(line, clerk)
                    return
                yield self._turn(line, clerk)
        lost = f"line {self._number} of {self.path} is cut off" if self._torn else f"{self.path} is cut off"
        self.notice = f"{lost}; what is whole was shown."

    def _line(self) -> dict[str, Any] | None:
        """The next line; None where the file ends, in the middle of it or before."""
        text = self._file.readline(LONGEST_LINE)
        self._torn = bool(text) and not text.endswith(b"\n")
        self._number += 1
        if len(text) == LONGEST_LINE:
            raise self._broken(f"is longer than {LONGEST_LINE:,} bytes")
        if not text or self._torn:
            return None
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self._broken("is no JSON") from error
        if not isinstance(line, dict):
            raise self._broken("is no JSON object")
        if "result" not in line:
            self._hash.update(text)
        return line

    def _read_header(self, line: dict[str, Any], eye: int | None) -> Start:
        if line.get("format") != FORMAT:
            raise self._broken(
                f"is {_quote(line.get('format'))}, not {FORMAT!r}; this is no replay", "format"
            )
        if line.get("version") != VERSION:
            told = f"is {_quote(line.get('version'))}; this Railbird reads version {VERSION}"
            raise self._broken(told, "version")
        self._check_names(line, HEADER)
        self.railbird = self._text(line["railbird"], "railbird")
        try:
            spec = load(str(line["game"]))
        except RailbirdError as error:
            raise self._broken(f": {error}", "game") from error
        names = self._texts(line["players"], "players")
        settings = self._settings(line["settings"], spec.make_settings, spec.settings)
        try:
            start = Start(
                spec.name, settings, line["seed"], line["lane"], line["episode"], names, line["eye"]
            )
        except RailbirdError as error:
            raise self._broken(f": {error}") from error
        return start if eye is None else replace(start, eye=eye)

    def _settings(self, given: Any, make: Any, kind: type[Any]) -> Any:
        if not isinstance(given, dict):
            raise self._broken(f"are an object, not {_quote(given)}", "settings")
        missing = [name for name in kind.__dataclass_fields__ if name not in given]
        if missing:
            raise self._broken(f"lack {missing[0]!r}", "settings")
        try:
            return make(**{name: _tuples(value) for name, value in given.items()})
        except (RailbirdError, TypeError, ValueError) as error:
            raise self._broken(f": {error}", "settings") from error

    def _turn(self, line: dict[str, Any], clerk: Clerk) -> ReplayedTurn:
        """Plays a turn and compares what the line says of it."""
        playback = self.playback
        if playback.over:
            raise self._broken("is a turn, though the game is over")
        head = clerk.head()
        for name, value in head.items():
            self._compare(name, line.get(name), value)
        decisions = self._decisions(line.get("decisions"), clerk)
        spelled = clerk.spell(decisions)
        self._compare("decisions", line["decisions"], spelled)
        round_over = playback.turn(decisions)
        outcome = clerk.outcome()
        for name, value in outcome.items():
            self._compare(name, line.get(name), value)
        expected = [*head, "decisions", *outcome]
        notices = self._texts(line["notices"], "notices") if "notices" in line else ()
        self._check_names(line, [*expected, *(["notices"] if notices else [])])
        return ReplayedTurn(round_over, notices, decisions)

    def _decisions(self, texts: Any, clerk: Clerk) -> NDArray[Any]:
        """(seats, *decision_shape): what the texts of a turn say, checked."""
        game, spec = self.playback.game, self.playback.spec
        if not isinstance(texts, list) or len(texts) != game.seats:
            raise self._broken(f"are {game.seats} texts, one a seat, not {_quote(texts)}", "decisions")
        decisions = game.fallback()
        for seat, (text, asked) in enumerate(zip(texts, clerk.asked, strict=True)):
            field = f"decisions[{seat}]"
            if (text is not None) != asked:
                whom = "is asked" if asked else "is not asked"
                raise self._broken(f"is {_quote(text)}, though that seat {whom}", field)
            if asked:
                try:
                    written = spec.parse_decision(self._text(text, field), game.settings, clerk.phase)
                except BrokenFile:
                    raise
                except RailbirdError as error:
                    raise self._broken(f": {error}", field) from error
                decisions[0, seat] = written
        codes = game.faults(decisions)[0]
        for seat in np.flatnonzero(codes).tolist():
            told = game.explain(int(codes[seat]), decisions[0, seat], 0, seat)
            rule = told.removeprefix(f"lane 0, seat {seat}: ")
            raise self._broken(f": {rule}", f"decisions[{seat}]")
        return decisions[0]  # type: ignore[no-any-return]

    def _close(self, line: dict[str, Any], clerk: Clerk) -> None:
        """Compares the last line, and makes sure that it is the last."""
        self._check_names(line, ("result", "sha256"))
        played = self.playback
        self._compare("result", line["result"], result_of(played.game, 0, clerk.rounds, played.totals))
        if line["sha256"] != self._hash.hexdigest():
            told = "is not the hash of the lines before it; one has been changed since it was written"
            raise self._broken(told, "sha256")
        if self._file.read(1):
            self._number += 1
            raise self._broken("comes after the result")

    def _compare(self, field: str, told: Any, expected: Any) -> None:
        """Refuses a value that is not the one the rules give."""
        if json.dumps(told) == json.dumps(expected):
            return
        if isinstance(told, list) and isinstance(expected, list) and len(told) == len(expected):
            for place, pair in enumerate(zip(told, expected, strict=True)):
                self._compare(f"{field}[{place}]", *pair)
        if isinstance(told, dict) and isinstance(expected, dict) and list(told) == list(expected):
            for name in expected:
                self._compare(f"{field}.{name}", told[name], expected[name])
        by = f" (written by railbird {self.railbird}, this is {__version__})"
        told_by = by if self.railbird != __version__ else ""
        raise self._broken(f"is {_quote(told)}, the rules give {_quote(expected)}{told_by}", field)

    def _check_names(self, line: dict[str, Any], names: Sequence[str]) -> None:
        for name in names:
            if name not in line:
                raise self._broken("is missing", name)
        for name in line:
            if name not in names:
                raise self._broken("does not belong there", name)

    def _texts(self, value: Any, field: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self._broken(f"is a list of texts, not {_quote(value)}", field)
        return tuple(self._text(part, f"{field}[{place}]") for place, part in enumerate(value))

    def _text(self, value: Any, field: str) -> str:
        """A text without signs that a terminal would obey."""
        if not isinstance(value, str) or not value.isprintable():
            raise self._broken(f"is {_quote(value)}, not a line of plain text", field)
        return value

    def _broken(self, told: str, field: str = "") -> BrokenFile:
        where = f"{self.path}, line {self._number}" + (f", {_printable(field)}" if field else "")
        return BrokenFile(f"{where}{'' if told.startswith(':') else ' '}{told}")


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _quote(value: Any) -> str:
    """A value from a file, short and without signs that a terminal would obey."""
    return _printable(json.dumps(value))


def _printable(text: str) -> str:
    shown = text if text.isprintable() else ascii(text)
    return shown if len(shown) <= LONGEST_QUOTE else f"{shown[:LONGEST_QUOTE]}…"
