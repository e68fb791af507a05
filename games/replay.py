"""A game to be seen again: rules, seed and the decisions of its turns give every frame of it.

`show_rounds` gives the frames, `Playback` plays turn by turn, and `Clerk` puts what a turn was into plain
JSON, in the game's own terms. `replay_writer` and `replay_reader` keep them in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .checks import whole
from .contract import Game, house_seat
from .errors import InvalidSettings
from .kernels import Chips
from .registry import load
from .scene import Scene, named
from .spec import GameSpec
from .streams import root_key

LARGEST_NUMBER = 2**62  # of a lane or an episode


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game begins: all that is seen of it depends on this and on what is decided.

    Raises:
        InvalidSettings: there are no such seats, or a number is out of range.
        UnknownName: there is no such game.
    """

    game: str
    """Name of the game, on the command line."""
    settings: Any
    """Its rules."""
    seed: int
    """Root seed."""
    lane: int = 0
    """Number of the lane; in a tournament, the number of the deal."""
    episode: int = 0
    """Number of the episode of that lane."""
    players: tuple[str, ...] = ()
    """Who sits where, seat 0 first, a house last; empty: seats are called by their numbers."""
    eye: int | None = None
    """The seat that looks at the table; None: a spectator, who sees what all players know."""

    def __post_init__(self) -> None:
        load(self.game)
        root_key(self.seed)
        whole("lane", self.lane, 0, LARGEST_NUMBER)
        whole("episode", self.episode, 0, LARGEST_NUMBER)
        if self.players and len(self.players) != self.seats:
            raise InvalidSettings(f"players are {self.seats} names, one a seat, not {len(self.players)}")
        if self.eye is not None:
            whole("eye (the seat that looks)", self.eye, 0, self.seats - 1)

    @property
    def seats(self) -> int:
        """Players, and the house where there is one."""
        return int(self.settings.seats) + (house_seat(self.settings) is not None)


@dataclass(frozen=True, slots=True)
class Round:
    """A race card by card, or whatever a round of the game is."""

    number: int  # from 1
    scenes: tuple[Scene, ...]  # its frames, first to last
    profit: tuple[int, ...]  # of each seat in it, chips


class Playback:
    """A game that is played again, a batch of one table.

    Args:
        start: where it begins.
    """

    def __init__(self, start: Start) -> None:
        self.start = start
        self.spec: GameSpec = load(start.game)
        self.game: Game[Any, Any] = self.spec.game(start.settings, start.seed, [start.lane])
        self.game.state.episode[:] = start.episode - 1
        self.game.start()
        self.totals: Chips = np.zeros(self.game.seats, np.int64)  # profit so far

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over[0])

    @property
    def rounds(self) -> int:
        """Races run, or whatever a round of the game is."""
        return self.spec.rounds(self.game, 0)

    def turn(self, decisions: NDArray[Any]) -> bool:
        """Plays a turn of decisions (seats, *decision_shape); whether a round has ended with it.

        Raises:
            IllegalDecision: a decision breaks a rule, or the game is over; nothing has been played.
        """
        before = self.rounds
        self.game.submit(decisions[None], np.ones(1, bool))
        self.totals += self.game.profit[0]
        return self.rounds > before

    def scene(self, frame: int | None = None) -> Scene:
        """A frame of the last round, or the table as it stands (None), with the players' names."""
        seen = self.spec.scene(self.game, 0, frame, self.start.eye)
        return named(seen, self.start.players) if self.start.players else seen

    def frames(self) -> tuple[Scene, ...]:
        """The frames of the last round, none before the first."""
        return tuple(self.scene(frame) for frame in range(self.spec.frames(self.game, 0)))


def show_rounds(start: Start, turns: Iterable[NDArray[Any]]) -> Iterator[Round]:
    """Every round of a game with its frames, as soon as the turns (seats, *decision_shape) have ended it.

    Raises:
        IllegalDecision: a decision breaks a rule, or the game is over before the turns are.
    """
    playback = Playback(start)
    before = playback.totals.copy()
    for decisions in turns:
        if playback.turn(decisions):
            profit = tuple((playback.totals - before).tolist())
            before = playback.totals.copy()
            yield Round(playback.rounds, playback.frames(), profit)


class Clerk:
    """Puts the turns of one lane into plain JSON data: ints, texts, lists and dicts of these.

    Args:
        spec: the game.
        game: its tables; the clerk is there before the turn is played.
        row: position of the lane in the batch.
    """

    def __init__(self, spec: GameSpec, game: Game[Any, Any], row: int = 0) -> None:
        self._spec, self._game, self._row = spec, game, row
        self._look()

    def _look(self) -> None:
        """What a turn no longer tells once it has been played."""
        self.number = int(self._game.state.turn[self._row]) + 1  # of the turn to come
        self.phase = int(self._game.phase[self._row])
        self.asked: list[bool] = self._game.to_act[self._row].tolist()
        self.rounds = self._spec.rounds(self._game, self._row)

    def head(self) -> dict[str, Any]:
        """The number of the turn to come, from 1, and what is decided in it."""
        return {"turn": self.number, "phase": self._spec.prompts[self.phase].word}

    def spell(self, decisions: NDArray[Any]) -> list[str | None]:
        """The decisions (seats, *decision_shape) of the turn to come as texts, None for a seat not asked."""
        return [
            "; ".join(self._spec.decision_text(decision, self.phase).split("\n")) if asked else None
            for decision, asked in zip(decisions, self.asked, strict=True)
        ]

    def outcome(self) -> dict[str, Any]:
        """What the turn that has just been played brought: each seat's profit and bankroll, and where a
        round has ended its number and what it turned up.
        """
        game, row = self._game, self._row
        told: dict[str, Any] = {"profit": game.profit[row].tolist()}
        bankrolls = getattr(game.state, "bankrolls", None)  # a game without chips has none
        if bankrolls is not None:
            told["bankrolls"] = bankrolls[row].tolist()
        before = self.rounds
        self._look()
        if self.rounds > before:
            told["round"] = self.rounds
            told["drawn"] = self._spec.drawn(game, row)
        return told


def plain_settings(settings: Any) -> dict[str, Any]:
    """All settings of a game as JSON data; a fraction is a text, ``"1/5"``."""
    return {field.name: _plain(getattr(settings, field.name)) for field in fields(settings)}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
