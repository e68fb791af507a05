"""Horse Race and Scarne's Horse Race: a bookmaker quotes the odds of a four-horse card race.

Rule: RULES.md §3.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from ..bookmaking.encoding import BookmakerEncoding
from ..bookmaking.prompts import QUOTE, bets_of
from ..bookmaking.scene import drawn, frames, rounds, scene
from ..spec import GameSpec
from .settings import HorseRaceSettings, ScarneHorseRaceSettings
from .table import HorseRace, ScarneHorseRace

SPEC: Final = GameSpec(
    name="horse-race",
    title="Horse Race",
    settings=HorseRaceSettings,
    game=HorseRace,
    encoding=BookmakerEncoding,
    encoding_options=("stakes",),
    scene=scene,
    frames=frames,
    rounds=rounds,
    drawn=drawn,
    prompts=(QUOTE, bets_of(10)),
    banker="margin",
)
SCARNE: Final = replace(
    SPEC,
    name="scarne-horse-race",
    title="Scarne's Horse Race",
    settings=ScarneHorseRaceSettings,
    game=ScarneHorseRace,
)
BOOKMAKER: Final = replace(
    SPEC,
    name="bookmaker",
    title="Bookmaker",
    encoding=partial(BookmakerEncoding, role="banker"),
    encoding_options=(),
    banker="",
    players="horse-race",
    bettors=("favourite", "longshot", "random", "value", "biased", "hunch"),
)
