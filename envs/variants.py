"""All environments, one declaration each: what is listed here is registered, documented and tested.

Nothing is loaded by importing this; an entry point names the class that Gymnasium loads on `make`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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
VARIANTS: Final = (SUPERFECTA,)
