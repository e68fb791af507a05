"""Results that a version stands for, and settings that last.

Needs: N4 (ids whose versions move when play changes; options survive a seeded reset).
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.errors import UnknownName
from ...games.kernels import Rows
from ..options import read_options
from .doors import Doors, table_of
from .verdicts import CheckFailed

LANES: Final = 20
GAMES: Final = 200


def in_turns(masks: NDArray[Any], step: int) -> Rows:
    """(n,) int64, legal: every fourth step 0 is taken where it can be, else the actions take turns."""
    actions = np.zeros(len(masks), np.int64)
    for lane, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        hands_in = (step + lane) % 4 == 3 and mask[0]
        actions[lane] = 0 if hands_in else legal[(7 * step + 3 * lane) % len(legal)]
    return actions


def fingerprint(doors: Doors, games: int = GAMES) -> str:
    """A hash of all that an environment returns in its first games."""
    envs = doors.open_vector(LANES, autoreset_mode="SameStep")
    told = hashlib.sha256()
    seen, infos = envs.reset(seed=2024)
    played = step = 0
    while played < games:
        masks = infos["action_mask"]
        told.update(seen.tobytes() + masks.tobytes())
        seen, rewards, ended, _, infos = envs.step(in_turns(masks, step))
        told.update(rewards.tobytes() + ended.tobytes())
        played += int(ended.sum())
        step += 1
    return told.hexdigest()[:16]


def results_are_those_recorded(doors: Doors, recorded: str) -> str:
    """The first games are those that were recorded for this version of the id."""
    found = fingerprint(doors)
    if found != recorded:
        raise CheckFailed(
            f"{doors.name} plays other games than those recorded for its version ({found}, not {recorded})",
            "raise the id's version, then record anew",
        )
    return f"plays the {GAMES} games recorded for its version"


def settings_survive_a_seeded_reset(doors: Doors) -> str:
    """What the constructor was given holds after every reset, with a seed or without."""
    env = doors.open_table()
    due = _due(doors, table_of(env).options.summary)
    for seed in (1, None, 2):
        env.reset(seed=seed)
        table = table_of(env)
        for told, where in ((table.options.summary, "options"), (str(table.game.settings), "game")):
            if told != due if where == "options" else told not in due:
                raise CheckFailed(
                    f"after reset(seed={seed}) its {where} are {told}, not {due}",
                    "keep the settings that the constructor was given",
                )
    return "the constructor's settings last through seeded resets"


def _due(doors: Doors, constructed: str) -> str:
    """The settings there should be: those that were given, or, where others read them too, those at first."""
    if doors.variant is None:
        return constructed
    try:
        return read_options(doors.variant, doors.settings).summary
    except UnknownName:
        return constructed
