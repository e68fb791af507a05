"""Every environment with settings under which its games are short, so that all that can happen does soon.

Who has few chips is soon ruined, who needs few cards has them soon, and the learner has rivals, so that games
end at different times. A new variant plays by its defaults until it has its own here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import gymnasium as gym

from ...games.registry import load
from ..variants import VARIANTS, Variant

SHORT: Final[dict[str, dict[str, Any]]] = {
    "railbird/Superfecta-v0": {"races": 4, "bankroll": 6},
    "railbird/HorseRace-v0": {"races": 4, "bankroll": 40, "seats": 3},
    "railbird/ScarneHorseRace-v0": {"races": 4, "bankroll": 40, "seats": 3},
    "railbird/Bookmaker-v0": {"races": 2, "bankroll": 200, "seats": 3},
    "railbird/RacingAces-v0": {"races": 5, "bankroll": 3, "seats": 2},
    "railbird/PasteboardDerby-v0": {"races": 4, "bankroll": 5, "seats": 4},
    "railbird/SaveTheBet-v0": {"max_turns": 3, "target": 8},
}
# What else is played in other ways than by default, whichever door: whole tickets are checked for themselves.
FURTHER: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "pro-rata": ("railbird/Superfecta-v0", {"split": "pro_rata", "races": 2, "bankroll": 600, "seats": 3}),
    "quoting-in-turn": (
        "railbird/HorseRace-v0",
        {
            "bank": "rotate", "rotate_every": 1, "races": 4, "bankroll": 30, "seats": 3, "seat": "rotate",
            "opponents": "margin+kelly,favourite",
        },
    ),
    "banking-in-turn": (
        "railbird/RacingAces-v0", {"bank": "rotate", "races": 4, "bankroll": 4, "seats": 3, "seat": "rotate"},
    ),
    "two-wagers": (
        "railbird/RacingAces-v0", {"max_wagers": 2, "stakes": (1, 2), "races": 3, "bankroll": 8, "seats": 2},
    ),
    "two-places": (
        "railbird/PasteboardDerby-v0",
        {
            "places": 2, "advance": "pips", "races": 3, "bankroll": 4, "seats": 6,
            "opponents": "loyal,crowd,contrarian",
        },
    ),
    "few-cards": (
        "railbird/SaveTheBet-v0",
        {"suits": 2, "ranks": 3, "hand_size": 1, "target": 3, "max_turns": 3, "draw_returns": "swap"},
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """An environment with settings under which its games are short."""

    variant: Variant
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def rotates(self) -> dict[str, Any]:
        """The setting under which the learner changes its seat from game to game, if it has the choice."""
        return {} if load(self.variant.game).players else {"seat": "rotate"}

    def make(self, **more: Any) -> Any:
        """The single environment, without Gymnasium's wrappers."""
        return gym.make(self.variant.id, **{**self.settings, **more}).unwrapped

    def make_vec(self, lanes: int, **more: Any) -> Any:
        """The native vector environment."""
        settings = {**self.settings, **more}
        return gym.make_vec(self.variant.id, lanes, vectorization_mode="vector_entry_point", **settings)


BY_ID: Final = {variant.id: variant for variant in VARIANTS}
SHORT_CASES: Final = {variant.id: Case(variant, SHORT.get(variant.id, {})) for variant in VARIANTS}
CASES: Final = SHORT_CASES | {
    f"{variant_id}-{name}": Case(BY_ID[variant_id], settings)
    for name, (variant_id, settings) in FURTHER.items()
}
