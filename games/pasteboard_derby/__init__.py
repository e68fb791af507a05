"""Pasteboard Derby: everybody antes and names a horse, and the winner's backers share the bank.

Rule: RULES.md §5.
"""

from __future__ import annotations

from typing import Final

from ..spec import GameSpec, Prompt
from .encoding import PasteboardDerbyEncoding
from .scene import drawn, frames, rounds, scene
from .settings import PasteboardDerbySettings
from .table import PasteboardDerby
from .tickets import parse_horse, print_horse

HORSE: Final = Prompt(
    word="horse",
    help="Name one horse by its suit: H, D, C or S. Those who named the winner share the bank.",
    parse=parse_horse,
    text=print_horse,
)
SPEC: Final = GameSpec(
    name="pasteboard-derby",
    title="Pasteboard Derby",
    settings=PasteboardDerbySettings,
    game=PasteboardDerby,
    encoding=PasteboardDerbyEncoding,
    encoding_options=(),
    scene=scene,
    frames=frames,
    rounds=rounds,
    drawn=drawn,
    prompts=(HORSE,),
)
