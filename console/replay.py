"""Recorded games in the terminal: every frame as it was, compared with the rules on the way."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from ..games.checks import whole
from ..games.errors import InvalidSettings
from ..games.replay import Playback, plain_settings
from ..games.replay_reader import ReplayReader
from ..games.scene import Scene
from .screen import Screen, check_speed
from .sitting import standings_scene


def replay(
    path: Path,
    speed: float = 3.0,
    race: int | None = None,
    frame: int | None = None,
    seat: int | None = None,
    as_json: bool = False,
    console: Console | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Shows a recorded game. Where its file is cut off, what is whole is shown, and stderr is told.

    Args:
        path: the file.
        speed: cards a second on a terminal.
        race: the number of the only race to show, or of whatever a round of the game is; None: all of them,
            and the standings.
        frame: the only frame of it to show, from 0.
        seat: who looks at the table; None: who did when it was recorded.
        as_json: shows nothing and prints one JSON object: what was played, and what came of it.
        console: where to; None: standard output.
        pause: waits so many seconds.

    Raises:
        InvalidSettings: there is no such file, race, frame or seat.
        BrokenFile: the file is no replay, or says something that the rules do not give.
    """
    check_speed(speed)
    if frame is not None and race is None:
        raise InvalidSettings("a frame is one of a race; name the race as well")
    screen, found = Screen(console), False
    with ReplayReader(path, seat) as reader:
        playback = reader.playback
        try:
            for turn in reader.turns():
                if as_json:
                    continue
                for notice in turn.notices if race is None else ():
                    screen.say(notice)
                if turn.round_over and race in (None, playback.rounds):
                    screen.film(_frames(playback, frame), speed, pause)
                    found = True
        except KeyboardInterrupt:  # seen enough
            screen.say()
    if reader.notice:
        sys.stderr.write(f"railbird: {reader.notice}\n")
    if as_json:
        screen.console.file.write(json.dumps(_summary(reader)) + "\n")
    elif race is None:
        start = playback.start
        screen.show(
            standings_scene(playback.spec, start.players, playback.totals, playback.rounds, playback.over)
        )
    elif not found:
        raise InvalidSettings(f"{playback.spec.round}s of this replay are 1 to {playback.rounds}, not {race}")


def _frames(playback: Playback, frame: int | None) -> list[Scene]:
    """The frames of the last round, or one of them."""
    frames = list(playback.frames())
    return frames if frame is None else [frames[whole("frame", frame, 0, len(frames) - 1)]]


def _summary(reader: ReplayReader) -> dict[str, Any]:
    start, playback = reader.start, reader.playback
    return {
        "game": start.game,
        "settings": plain_settings(start.settings),
        "seed": start.seed,
        "lane": start.lane,
        "episode": start.episode,
        "players": list(start.players),
        "railbird": reader.railbird,
        "turns": int(playback.game.state.turn[0]),
        "rounds": playback.rounds,
        "over": playback.over,
        "profit": playback.totals.tolist(),
        "whole": not reader.notice,
    }
