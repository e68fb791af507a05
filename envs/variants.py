"""All environments, one declaration each: what is listed here is registered, documented and tested.

Nothing is loaded by importing this; an entry point names the class that Gymnasium loads on `make`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..games.errors import UnknownName


@dataclass(frozen=True, slots=True)
class Variant:
    """One environment: a game, the classes that open it and who sits at the table when nobody says."""

    id: str  # as given to gymnasium.make
    game: str  # name of the game on the command line
    module: str  # file in this folder that declares the classes
    env: str  # the single environment's class
    vector_env: str  # the vector environment's class
    opponents: tuple[str, ...]  # agents of the other players, repeated where there are more seats

    @property
    def entry_point(self) -> str:
        """Where Gymnasium finds the single environment."""
        return f"{__package__}.{self.module}:{self.env}"

    @property
    def vector_entry_point(self) -> str:
        """Where Gymnasium finds the vector environment."""
        return f"{__package__}.{self.module}:{self.vector_env}"


SUPERFECTA: Final = Variant(
    id="railbird/Superfecta-v0",
    game="superfecta",
    module="superfecta",
    env="SuperfectaEnv",
    vector_env="SuperfectaVectorEnv",
    opponents=("favourite", "longshot", "box", "wheel", "random"),
)
HORSE_RACE: Final = Variant(
    id="railbird/HorseRace-v0",
    game="horse-race",
    module="horse_race",
    env="HorseRaceEnv",
    vector_env="HorseRaceVectorEnv",
    opponents=("favourite", "longshot", "random", "value", "chaser"),
)
SCARNE_HORSE_RACE: Final = Variant(
    id="railbird/ScarneHorseRace-v0",
    game="scarne-horse-race",
    module="horse_race",
    env="ScarneHorseRaceEnv",
    vector_env="ScarneHorseRaceVectorEnv",
    opponents=("favourite", "longshot", "random", "value", "chaser"),
)
BOOKMAKER: Final = Variant(
    id="railbird/Bookmaker-v0",
    game="bookmaker",
    module="horse_race",
    env="BookmakerEnv",
    vector_env="BookmakerVectorEnv",
    opponents=("favourite", "longshot", "random", "value", "biased", "hunch"),
)
RACING_ACES: Final = Variant(
    id="railbird/RacingAces-v0",
    game="racing-aces",
    module="racing_aces",
    env="RacingAcesEnv",
    vector_env="RacingAcesVectorEnv",
    opponents=("favourite", "random", "optimal"),
)
PASTEBOARD_DERBY: Final = Variant(
    id="railbird/PasteboardDerby-v0",
    game="pasteboard-derby",
    module="pasteboard_derby",
    env="PasteboardDerbyEnv",
    vector_env="PasteboardDerbyVectorEnv",
    opponents=("random", "loyal", "crowd", "contrarian", "avoider"),
)
SAVE_THE_BET: Final = Variant(
    id="railbird/SaveTheBet-v0",
    game="save-the-bet",
    module="save_the_bet",
    env="SaveTheBetEnv",
    vector_env="SaveTheBetVectorEnv",
    opponents=("likeliest",),
)
VARIANTS: Final = (
    SUPERFECTA,
    HORSE_RACE,
    SCARNE_HORSE_RACE,
    BOOKMAKER,
    RACING_ACES,
    PASTEBOARD_DERBY,
    SAVE_THE_BET,
)


def variant_of(name: str) -> Variant:
    """The environment of a game's name, "superfecta", or of an id, "railbird/Superfecta-v0".

    Raises:
        UnknownName: there is none; the nearest is suggested.
    """
    known = {variant.game: variant for variant in VARIANTS} | {variant.id: variant for variant in VARIANTS}
    asked = name.removeprefix("railbird:")  # as `gymnasium.make` takes it where railbird is not imported
    if asked not in known:
        raise UnknownName("environment", name, known)
    return known[asked]
