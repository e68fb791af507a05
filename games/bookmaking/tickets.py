"""Tickets and quotes as text: ``$10 H`` a wager a line, and ``H 3/1 D 5/2 C 1/1 S 10/1``.

Rule: RULES.md §3 and §4. Printing is canonical, in the order H, D, C, S, so ``parse(print(t))`` is ``t``.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ..cards import SUIT_LETTERS
from ..errors import BadTicket, InvalidSettings
from ..kernels import Stakes
from .prices import parse_price, price_text
from .settings import BookmakerSettings

WAGER: Final = re.compile(r"^\$?\s*(?P<amount>\S+)\s+(?P<suit>\S+)$")
AMOUNT: Final = re.compile(r"[0-9]{1,9}")


def parse_ticket(text: str, settings: BookmakerSettings) -> Stakes:
    """The stakes (4,) int16 in chips that a ticket's text says; wagers on one suit add up.

    Wagers stand on lines of their own or behind semicolons; case, ``$`` and blank lines do not matter.

    Raises:
        BadTicket: a line cannot be read or asks for more than the rules offer; the message has its number
            and what is allowed.
    """
    stakes = np.zeros(4, np.int64)
    for number, written in enumerate(re.split(r"[\n;]", text), start=1):
        if written.strip():
            suit, amount = _parse_wager(written.strip(), number)
            stakes[suit] += amount
            _check_stake(int(stakes[suit]), suit, number, settings)
            if np.count_nonzero(stakes) > settings.max_wagers:
                most = settings.max_wagers
                raise BadTicket(f"line {number}: one suit too many; at most {most} is allowed in a race")
    return stakes.astype(np.int16)


def print_ticket(stakes: Stakes) -> str:
    """The canonical text of stakes (4,), a wager a line; the empty ticket is the empty text."""
    return "\n".join(f"${int(stakes[suit])} {SUIT_LETTERS[suit]}" for suit in range(4) if stakes[suit])


def parse_quote(text: str) -> Stakes:
    """The board prices (4,) int16 that the text of a quote says: each suit once with its odds, in any order.

    Suits and odds are parted by spaces, commas, semicolons or line ends; case does not matter.

    Raises:
        BadTicket: a line cannot be read, or a suit is missing or named twice; the message has the line's
            number and what is allowed.
    """
    prices: dict[int, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        words = re.split(r"[\s,;]+", line.strip(" \t\r,;"))
        for place in range(0, len(words) if words != [""] else 0, 2):
            suit = _suit(words[place], number)
            if suit in prices:
                raise BadTicket(f"line {number}: {SUIT_LETTERS[suit]} is quoted twice; quote each suit once")
            if place + 1 == len(words):
                raise BadTicket(
                    f"line {number}: {words[place]} has no odds; write them behind it, as in 'H 3/1'"
                )
            try:
                prices[suit] = parse_price(words[place + 1])
            except InvalidSettings as error:
                raise BadTicket(f"line {number}: {error}") from None
    missing = [letter for suit, letter in enumerate(SUIT_LETTERS) if suit not in prices]
    if missing:
        last = text.count("\n") + 1
        raise BadTicket(f"line {last}: no odds for {', '.join(missing)}; quote all of H, D, C and S")
    return np.array([prices[suit] for suit in range(4)], np.int16)


def print_quote(quote: Stakes) -> str:
    """The canonical text of a quote (4,): ``"H 3/1 D 5/2 C 1/1 S 10/1"``."""
    return " ".join(f"{SUIT_LETTERS[suit]} {price_text(int(quote[suit]))}" for suit in range(4))


def _suit(written: str, number: int) -> int:
    """The suit of a letter in any case."""
    letter = written.upper()
    if len(letter) != 1 or letter not in SUIT_LETTERS:
        raise BadTicket(f"line {number}: {written!r} is no suit; the suits are H, D, C and S")
    return SUIT_LETTERS.index(letter)


def _parse_wager(written: str, number: int) -> tuple[int, int]:
    """The suit and chips of one wager."""
    found = WAGER.match(written)
    if found is None:
        raise BadTicket(f"line {number}: {written!r} is no wager; write an amount and a suit, as in '$10 H'")
    suit = _suit(found["suit"], number)
    if AMOUNT.fullmatch(found["amount"]) is None or int(found["amount"]) == 0:
        raise BadTicket(
            f"line {number}: {found['amount']!r} is no amount; write a whole number of chips, 1 or more"
        )
    return suit, int(found["amount"])


def _check_stake(stake: int, suit: int, number: int, settings: BookmakerSettings) -> None:
    """Raises where the rules do not offer the stake a suit has after a line."""
    if stake not in settings.stakes:
        most = settings.largest
        allowed = f"at most {most} are allowed" if stake > most else f"a stake is {settings.stakes_text}"
        raise BadTicket(f"line {number}: {stake} chips on {SUIT_LETTERS[suit]}; {allowed}")
