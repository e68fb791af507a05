"""Racing Aces: a four-horse card race at published odds. Rule: RULES.md §4."""

from __future__ import annotations

from typing import Final

from ..bookmaking.encoding import BookmakerEncoding
from ..bookmaking.prompts import QUOTE, bets_of
from ..bookmaking.scene import drawn, frames, rounds, scene
from ..spec import GameSpec
from .settings import RacingAcesSettings
from .table import RacingAces

SPEC: Final = GameSpec(
    name="racing-aces",
    title="Racing Aces",
    settings=RacingAcesSettings,
    game=RacingAces,
    encoding=BookmakerEncoding,
    encoding_options=("stakes",),
    scene=scene,
    frames=frames,
    rounds=rounds,
    drawn=drawn,
    prompts=(QUOTE, bets_of(1)),  # nobody is ever asked for a quote: every turn is in the second phase
)
