"""The errors Railbird raises on purpose. Each says what came, what is allowed and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RailbirdError(Exception):
    """Base of every error that is the caller's to mend; the command line prints it as one line."""


class InvalidSettings(RailbirdError, ValueError):
    """A setting, or a value handed to a public function, is outside what is allowed."""


class IllegalDecision(RailbirdError, ValueError):
    """A seat decided something its rules forbid. Nothing has been played."""


class BadTicket(RailbirdError, ValueError):
    """The text of a ticket cannot be read; the message names the line."""


class UnknownName(RailbirdError, LookupError):
    """A game, agent or environment of that name does not exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = sorted(known)
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
        hint = f"did you mean {nearest[0]!r}? " if nearest else ""
        super().__init__(f"there is no {kind} {name!r}; {hint}known: {', '.join(known)}")
        self.kind, self.name, self.known = kind, name, known

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, list[str]]]:
        return UnknownName, (self.kind, self.name, self.known)


class BrokenFile(RailbirdError, ValueError):
    """A file is truncated, altered or not what it says it is."""
