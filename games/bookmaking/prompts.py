"""How people write quotes and bets at a bookmaker's table. Rule: RULES.md §3 and §4."""

from __future__ import annotations

from typing import Final

from ..kernels import Stakes
from ..spec import Prompt
from .settings import BookmakerSettings
from .tickets import parse_quote, parse_ticket, print_quote, print_ticket


def read_quote(text: str, settings: BookmakerSettings) -> Stakes:
    """The board prices (4,) int16 of a quote; the settings allow every board price.

    Raises:
        BadTicket: the text cannot be read.
    """
    return parse_quote(text)


QUOTE: Final = Prompt(
    word="quote",
    help=(
        "A quote gives each suit its odds on one line: H 3/1 D 5/2 C 1/1 S 10/1. They are net odds: a stake\n"
        "of 10 at 5/2 that wins brings 25 and comes back. Any price of the board will do, 1/2 to 150/1."
    ),
    parse=read_quote,
    text=print_quote,
)


def bets_of(amount: int) -> Prompt:
    """How bets are written, with an amount that is allowed as the example."""
    return Prompt(
        word="bets",
        help=(
            f"A bet is an amount and a suit: ${amount} D (diamonds win). Write one a line, or several with\n"
            "semicolons between them."
        ),
        parse=parse_ticket,
        text=print_ticket,
        nothing="none, you sit this race out",
        adds_up=True,
    )
