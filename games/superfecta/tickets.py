"""Tickets as text, one wager a line: ``$2 WIN D``, ``$1 EXA D/C``, ``$1 SFC D/C/H/S``.

Rule: RULES.md §2. Printing is canonical: line order, one wager a line, so ``parse(print(t))`` is ``t``.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ..cards import SUIT_LETTERS
from ..errors import BadTicket
from ..kernels import Stakes
from .lines import LINE_OF, LINES, Pool, line_text
from .settings import SuperfectaSettings

WAGER: Final = re.compile(r"^\$?\s*(?P<amount>\S+)\s+(?P<pool>[A-Za-z]+)\s+(?P<horses>\S.*)$")
EXAMPLE: Final = "write an amount, a type and horses, as in '$1 EXA D/C'"
LENGTHS: Final = {"WIN": 1, "EXA": 2, "SFC": 4}


def parse_ticket(text: str, settings: SuperfectaSettings) -> Stakes:
    """The stakes (40,) int16 in chips that a ticket's text says; wagers on one line add up.

    Wagers stand on lines of their own or behind semicolons; case, ``$`` and blank lines do not matter.

    Raises:
        BadTicket: a line cannot be read; the message has its number and what is allowed.
    """
    stakes = np.zeros(LINES, np.int64)
    for number, written in enumerate(re.split(r"[\n;]", text), start=1):
        if written.strip():
            line, amount = _parse_wager(written.strip(), number, settings)
            stakes[line] += amount
            if stakes[line] > settings.max_wager:
                raise BadTicket(
                    f"line {number}: {stakes[line]} chips on {line_text(line)};"
                    f" at most {settings.max_wager} are allowed"
                )
    return stakes.astype(np.int16)


def _parse_wager(written: str, number: int, settings: SuperfectaSettings) -> tuple[int, int]:
    """The line number and chips of one wager."""
    found = WAGER.match(written)
    if found is None:
        raise BadTicket(f"line {number}: {written!r} is no wager; {EXAMPLE}")
    pool = found["pool"].upper()
    if pool not in LENGTHS:
        raise BadTicket(f"line {number}: unknown type {found['pool']!r}; the types are WIN, EXA and SFC")
    horses = re.split(r"\s*/\s*", found["horses"].strip().upper())
    for horse in horses:
        if len(horse) != 1 or horse not in SUIT_LETTERS:
            raise BadTicket(
                f"line {number}: {horse!r} is no horse; the horses are H, D, C and S, parted by /"
            )
    if len(horses) != LENGTHS[pool]:
        raise BadTicket(f"line {number}: {pool} names {LENGTHS[pool]} horse(s), not {len(horses)}")
    if len(set(horses)) != len(horses):
        raise BadTicket(f"line {number}: {'/'.join(horses)} names a horse twice")
    least = settings.minimums[Pool[pool]]
    amount = int(found["amount"]) if re.fullmatch(r"[0-9]{1,9}", found["amount"]) else 0
    if amount <= 0 or amount % least:
        raise BadTicket(
            f"line {number}: {found['amount']!r} is no amount for {pool};"
            f" allowed are positive multiples of {least}"
        )
    return LINE_OF[tuple(SUIT_LETTERS.index(horse) for horse in horses)], amount


def print_ticket(stakes: Stakes, phase: int = 0) -> str:
    """The canonical text of stakes (40,), a wager a line; the empty ticket is the empty text.

    ``phase`` is not read: Superfecta knows one kind of decision.
    """
    return "\n".join(f"${int(stakes[line])} {line_text(line)}" for line in range(LINES) if stakes[line])
