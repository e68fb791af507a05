"""Superfecta: parimutuel WIN, EXACTA and SUPERFECTA pools on a four-horse card race. Rule: RULES.md §2."""

from __future__ import annotations

from typing import Final

from ..spec import GameSpec, Prompt
from .encoding import SuperfectaEncoding
from .scene import drawn, frames, rounds, scene
from .settings import SuperfectaSettings
from .table import Superfecta
from .tickets import parse_ticket, print_ticket

TICKET: Final = Prompt(
    word="ticket",
    help=(
        "A wager is an amount, a type and horses: $2 WIN D (diamonds first), $1 EXA D/C (first and second),\n"
        "$1 SFC D/C/H/S (all four). Write one a line, or several with semicolons between them."
    ),
    parse=parse_ticket,
    text=print_ticket,
    nothing="none, you sit this race out",
    adds_up=True,
)
SPEC: Final = GameSpec(
    name="superfecta",
    title="Superfecta",
    settings=SuperfectaSettings,
    game=Superfecta,
    encoding=SuperfectaEncoding,
    encoding_options=("stakes",),
    scene=scene,
    frames=frames,
    rounds=rounds,
    drawn=drawn,
    prompts=(TICKET,),
)
