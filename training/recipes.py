"""How each game is learned by default: what was tried and found to work, see ``training/README.md``.

A recipe holds for its algorithm and its way of acting alone. Who names another algorithm, or another action,
gets that algorithm's plain defaults; who sets one of the settings changes that one.

Where an action is a whole decision of a race, as here, and its reward is the exact expectation of the closed
bets, nothing later says more about it: races are learned one by one, with a discount of 0. Where one line-up
of rivals would teach who sits where, the recipe is to learn among the whole zoo.

Save The Bet is won or lost at the end of some sixty actions. There the luck of the gambles is taken out of
the reward, what counting says is put into the observation, and a run begins with what `thrifty` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from .opponents import DEFAULT, ZOO

WAGER: Final = "wager"
TICKET: Final = "ticket"
RACE_BY_RACE: Final = {"gamma": 0.0, "gae_lambda": 0.0, "schedule": "linear", "ent_coef_end": 0.0}


@dataclass(frozen=True, slots=True)
class Recipe:
    """Defaults of a game."""

    algorithm: str
    steps: int  # actions in all
    action: str  # what one action is: a wager, or a whole ticket or quote
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the algorithm
    opponents: str = DEFAULT  # who else sits there
    door: Mapping[str, Any] = field(default_factory=dict)  # settings of the environment

    def holds(self, algorithm: str, action: str | None) -> bool:
        """Whether it is the recipe for what was asked; None: nothing was said of actions."""
        return algorithm == self.algorithm and action in (None, self.action)


HORSE_RACE: Final = Recipe(
    "maskable-ppo", 300_000, TICKET,
    RACE_BY_RACE | {
        "lanes": 1_024, "n_steps": 4, "batch_size": 2_048, "learning_rate": 3e-3, "ent_coef": 0.5,
    },
    ZOO,
)  # fmt: skip
RECIPES: Final = {
    "racing-aces": Recipe(
        "maskable-ppo", 1_000_000, WAGER,
        RACE_BY_RACE | {
            "lanes": 512, "n_steps": 8, "learning_rate": 3e-3, "ent_coef": 1.0,
        },
    ),
    "superfecta": Recipe(
        "ppo", 1_250_000, TICKET,
        RACE_BY_RACE | {
            "lanes": 2_048, "n_steps": 4, "batch_size": 2_048, "learning_rate": 3e-3, "ent_coef": 0.1,
            "hidden": (128, 128),
        },
    ),
    "pasteboard-derby": Recipe(
        "maskable-ppo", 600_000, WAGER,
        RACE_BY_RACE | {
            "lanes": 1_024, "n_steps": 4, "batch_size": 2_048, "learning_rate": 3e-3, "ent_coef": 0.3,
        },
        ZOO,
    ),
    "horse-race": HORSE_RACE,
    "scarne-horse-race": HORSE_RACE,
    "bookmaker": Recipe(
        "maskable-ppo", 1_000_000, TICKET,
        RACE_BY_RACE | {
            "lanes": 1_024, "n_steps": 4, "batch_size": 2_048, "learning_rate": 3e-3, "ent_coef": 0.05,
            "hidden": (128, 128), "activation": "relu",
        },
    ),
    "save-the-bet": Recipe(
        "maskable-ppo", 4_000_000, WAGER,
        {
            "imitate": "thrifty", "lanes": 1_024, "n_steps": 64, "batch_size": 8_192, "learning_rate": 5e-4,
            "schedule": "linear", "gamma": 1.0, "gae_lambda": 1.0, "ent_coef": 0.0, "hidden": (128, 128),
            "normalize_rewards": False,
        },
        door={"chances": True, "reward": "adjusted"},
    ),
}  # fmt: skip


def recipe_of(game: str, algorithm: str, action: str | None) -> Recipe | None:
    """The recipe that holds for what was asked, if any."""
    recipe = RECIPES.get(game)
    return recipe if recipe is not None and recipe.holds(algorithm, action) else None


def default_algorithm(game: str, action: str | None = None) -> str:
    """The algorithm of a game's recipe for this action, any for None; empty where there is none."""
    recipe = RECIPES.get(game)
    return recipe.algorithm if recipe is not None and action in (None, recipe.action) else ""


def whole_decisions(encoding: Any) -> str:
    """What a learner says at once that is paid for a whole decision: "wagers", "quotes", or "" where there is
    no such thing: seats that bet as well as quote, and games without tickets.
    """
    sizes = np.asarray(getattr(encoding, "nvec", ()), np.int64)
    if not len(sizes):
        return ""
    if int((sizes - 1).sum()) + 1 == encoding.actions:
        return "wagers"
    return "quotes" if encoding.actions == 1 + int(sizes[0]) else ""
