"""Rendering: every mode works without a display, and showing changes nothing."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from .doors import Doors
from .play import Player
from .sameness import step_difference
from .verdicts import CheckFailed, NotApplicable

STEPS = 12


def showing_changes_nothing(doors: Doors, steps: int = STEPS) -> str:
    """Each render mode of the metadata gives text or a picture, and the game goes on as without."""
    env = doors.open_single()
    modes = [mode for mode in env.metadata.get("render_modes", []) if mode != "human"]
    shown = [mode for mode in modes if doors.takes(render_mode=mode)]
    if not shown:
        raise NotApplicable("it has no render mode")
    for mode in shown:
        _play(doors, mode, steps)
    return f"{' and '.join(shown)} show the table and change nothing"


def _play(doors: Doors, mode: str, steps: int) -> None:
    seen, quiet = doors.open_single(render_mode=mode), doors.open_single(render_mode=mode)
    players = Player(1), Player(1)
    seen.reset(seed=1)
    quiet.reset(seed=1)
    for step in range(steps):
        _right(seen.render(), mode, f"step {step}")
        result, other = seen.step(players[0].action(seen)), quiet.step(players[1].action(quiet))
        differs = step_difference(result, copy.deepcopy(other))
        if differs:
            raise CheckFailed(
                f"showing it changes the game: {differs}", "draw from a state only", f"step {step}"
            )
        if result[2] or result[3]:
            seen.reset()
            quiet.reset()


def _right(frame: Any, mode: str, where: str) -> None:
    """Fails unless a frame is what its mode promises."""
    if mode == "ansi" and not (isinstance(frame, str) and frame.strip()):
        raise CheckFailed(f"mode ansi gives {type(frame).__name__}", "return text", where)
    if mode == "rgb_array":
        picture = isinstance(frame, np.ndarray) and frame.dtype == np.uint8 and frame.ndim == 3
        if not picture or frame.shape[2] != 3:
            came = f"{getattr(frame, 'dtype', type(frame).__name__)} of shape {np.shape(frame)}"
            raise CheckFailed(f"mode rgb_array gives {came}", "return uint8 (height, width, 3)", where)
