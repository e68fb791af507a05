"""Superfecta: parimutuel WIN, EXACTA and SUPERFECTA pools on a four-horse card race. Rule: RULES.md §2."""

from __future__ import annotations

from typing import Final

from ..spec import GameSpec
from .encoding import SuperfectaEncoding
from .scene import frames, scene
from .settings import SuperfectaSettings
from .table import Superfecta
from .tickets import parse_ticket, print_ticket

SPEC: Final = GameSpec(
    name="superfecta",
    title="Superfecta",
    settings=SuperfectaSettings,
    game=Superfecta,
    encoding=SuperfectaEncoding,
    encoding_options=("stakes",),
    scene=scene,
    frames=frames,
    decision_text=print_ticket,
    parse_decision=parse_ticket,
)
