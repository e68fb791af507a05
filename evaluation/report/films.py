"""A sample of games to be watched in the report, card by card with the live chances.

They are played again from seed and rules, with fresh agents; the decisions of a game are the same in any
company, so these are games of the tournament. Frames repeat most of what they show: parts are kept once and
named by their number.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.cards import RANK_TEXTS, SUIT_SYMBOLS
from ...games.contract import Game
from ...games.kernels import Flags, Rows
from ...games.registry import load
from ...games.replay import Start, show_rounds
from ...games.scene import Scene
from ..blocks import Plan, make_agents, make_fixed
from ..match import play

DEALS: Final = 3  # games that are shown
LARGEST: Final = 800_000  # characters of all frames together; later rounds are left out


class DecisionRecorder:
    """Keeps the decisions of every turn; an observer of `match.play`."""

    def __init__(self, tables: int) -> None:
        self.turns: list[list[NDArray[Any]]] = [[] for _ in range(tables)]

    def begin(self, game: Game[Any, Any], seating: Rows) -> None:
        """Nothing has been decided yet."""

    def after(self, game: Game[Any, Any], decisions: NDArray[Any], active: Flags) -> None:
        """A turn has been played."""
        for table in np.flatnonzero(active):
            self.turns[table].append(decisions[table].copy())


def films_of(plan: Plan) -> dict[str, Any]:
    """The sample as JSON data: ``parts``, and ``films`` of ``rounds`` of frames that name parts by number."""
    parts = _Parts()
    films = [_film(plan, parts, *sampled) for sampled in _sample(plan)]
    return {
        "suits": list(SUIT_SYMBOLS),
        "ranks": list(RANK_TEXTS),
        "parts": parts.texts,
        "films": [film for film in films if film["rounds"]],
    }


def _sample(plan: Plan) -> Iterator[tuple[int, list[str], list[NDArray[Any]]]]:
    """Some deals, who sat where, and all decisions of the game."""
    deals = np.arange(min(DEALS, plan.deals))
    entries = len(plan.labels)
    seating = plan.seated(plan.seating[deals % len(plan.seating)], entries)
    recorder = DecisionRecorder(len(deals))
    players = [*make_agents(plan), *make_fixed(plan)]
    play(load(plan.game), plan.rules, plan.seed, deals, players, seating, [recorder])
    names = [*plan.labels, *(factory.text for factory in plan.fixed)]
    for deal in deals:
        yield int(deal), [names[player] for player in seating[deal]], recorder.turns[deal]


def _film(
    plan: Plan, parts: _Parts, deal: int, players: list[str], turns: list[NDArray[Any]]
) -> dict[str, Any]:
    """A game as far as there is room for it."""
    rounds: list[dict[str, Any]] = []
    start = Start(plan.game, plan.rules, plan.seed, lane=deal, players=tuple(players))
    for shown in show_rounds(start, turns):
        if parts.size > LARGEST * (deal + 1) // DEALS:
            break
        frames = [parts.scene(scene) for scene in shown.scenes]
        rounds.append({"number": shown.number, "frames": frames, "profit": list(shown.profit)})
    return {"deal": deal, "players": players, "rounds": rounds}


class _Parts:
    """Pieces of scenes, each kept once."""

    def __init__(self) -> None:
        self.texts: list[Any] = []
        self.size = 0  # characters, the frames' too
        self._numbers: dict[str, int] = {}

    def number(self, part: Any) -> int:
        """The number of a part."""
        text = json.dumps(part, ensure_ascii=False, separators=(",", ":"))
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(part)
            self.size += len(text)
        return self._numbers[text]

    def scene(self, scene: Scene) -> dict[str, Any]:
        """A frame."""
        course = None
        if scene.course is not None:
            rail = scene.course.rail
            course = {
                "length": scene.course.length,
                "rail": None if rail is None else self.number(asdict(rail)),
                "runners": [self.number(asdict(runner)) for runner in scene.course.runners],
            }
        frame = {
            "title": self.number(scene.title),
            "subtitle": self.number(scene.subtitle),
            "note": self.number(scene.note),
            "cards": [self.number(asdict(row)) for row in scene.cards],
            "table": [[self.number(asdict(row)) for row in line] for line in scene.table],
            "course": course,
            "grids": [self.number(asdict(grid)) for grid in scene.grids],
        }
        self.size += len(json.dumps(frame, separators=(",", ":")))
        return frame
