"""A learner's table as it is shown, as text or as a picture: what the learner may know, and no more.

Showing it changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from gymnasium import logger
from numpy.typing import NDArray

from ..games.registry import load
from ..games.scene import Scene, named
from .learner_table import LearnerTable

Frame: TypeAlias = str | NDArray[np.uint8]


def show(table: LearnerTable, lane: int) -> Frame | None:
    """A lane as it stands, in the render mode of the environment; None, with Gymnasium's usual warning,
    where it has none.
    """
    if not _can_show(table):
        return None
    scene = load(table.options.game).scene(table.game, lane, None, int(table.seat[lane]))
    if not table.done[lane]:
        draft = "; ".join(table.draft_text(lane).splitlines()) or "nothing yet"
        scene = replace(scene, note=f"{scene.note} The learner has written: {draft}.".strip())
    return _drawn(table, lane, scene)


def show_race(table: LearnerTable, lane: int) -> list[Frame]:
    """The last race of a lane, or whatever a round of the game is, a frame for each card; empty before the
    first.
    """
    if not _can_show(table):
        return []
    spec, seat = load(table.options.game), int(table.seat[lane])
    scenes = [spec.scene(table.game, lane, frame, seat) for frame in range(spec.frames(table.game, lane))]
    return [_drawn(table, lane, scene) for scene in scenes]


def _can_show(table: LearnerTable) -> bool:
    if table.options.render_mode is None:
        logger.warn("without a render mode nothing is shown; make the environment with render_mode='ansi'")
        return False
    return True


def _drawn(table: LearnerTable, lane: int, scene: Scene) -> Frame:
    from ..drawing import picture, scene_text  # only who renders pays for loading them

    scene = named(scene, table.around(lane))
    return picture(scene) if table.options.render_mode == "rgb_array" else scene_text(scene) + "\n"
