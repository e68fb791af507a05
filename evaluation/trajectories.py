"""What agents do, as data to learn from: every step of an environment with them in the learner's place.

Each recorded seat of a deal is an episode of its own: the agent of that seat plays the environment of the
root seed, the deal's number as its ``lane``, with the other agents as the opponents. Taking the recorded
actions there gives the same observations, masks and rewards again.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from .. import __version__
from ..agents.registry import AgentSpec, parse_agent
from ..agents.seating import check_house, parse_player
from ..envs.learner_table import LearnerTable
from ..envs.options import Options, read_options
from ..envs.variants import variant_of
from ..games.checks import whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings, RailbirdError
from ..games.registry import load
from ..games.replay import plain_settings
from .blocks import make_agent
from .episodes import Steps, joined, play_episodes
from .lineups import label_entries
from .step_file import StepFile

DEALS: Final = 64  # that are played at once: few enough for their steps to fit into memory
MOST_DEALS: Final = 10**9
MOST_WORKERS: Final = 256


@dataclass(frozen=True, slots=True)
class TrajectorySettings:
    """Who plays what, and whose steps are kept.

    Raises:
        InvalidSettings: a value is not allowed, or there are more agents than seats.
        UnknownName: no such game, agent, rule or option of the encoding; the nearest name is suggested.
    """

    game: str
    """Name of the game."""
    agents: tuple[str, ...]
    """Who sits in seats 0, 1, …, repeated in turn; where bankers are ranked, the one that keeps the bank."""
    deals: int
    """Deals to play: lanes 0, 1, … of the root seed, their first episodes."""
    seed: int = 0
    """Root seed."""
    seats: tuple[int, ...] = ()
    """Whose steps are kept; empty: every agent's."""
    rules: tuple[tuple[str, Any], ...] = ()
    """Settings of the game that are not as usual."""
    encoding: tuple[tuple[str, Any], ...] = ()
    """Options of the encoding, such as ``stakes``, by which observations and actions are written."""
    reward: str = "cash"
    """The environment's reward: "cash", "expected" or "adjusted"."""
    banker: str = ""
    """Who quotes for the house; empty: the game's own."""
    bettors: tuple[str, ...] = ()
    """The players, where bankers are ranked; empty: the game's own."""

    def __post_init__(self) -> None:
        whole("deals", self.deals, 1, MOST_DEALS)
        whole("seed", self.seed, 0, 2**256)
        spec = load(self.game)
        if not self.agents:
            raise InvalidSettings("trajectories are those of agents; name one or more")
        if self.bettors and not spec.players:
            raise InvalidSettings(f"the agents of {spec.name} are its players; name them as agents")
        free = 1 if spec.players else int(self.settings.seats)
        if len(self.agents) > free:
            raise InvalidSettings(
                f"there are {len(self.agents)} agents for {free} seats; leave some out or add seats"
            )
        for seat in self.recorded:
            if seat not in self._own_seats:
                own = ", ".join(map(str, self._own_seats))
                raise InvalidSettings(f"seats with agents to record are {own}, not {seat}")
            self.options(seat, 0)

    @property
    def settings(self) -> Any:
        """The rules of the table."""
        spec = load(self.game)
        settings = spec.make_settings(**dict(self.rules))
        check_house(spec, settings)
        return settings

    @property
    def recorded(self) -> tuple[int, ...]:
        """The seats whose steps are kept, ascending."""
        return tuple(sorted(set(self.seats))) or self._own_seats

    @property
    def _own_seats(self) -> tuple[int, ...]:
        """The seats of the agents: the players', or the house's."""
        if load(self.game).players:
            return (int(house_seat(self.settings) or 0),)
        return tuple(range(int(self.settings.seats)))

    @property
    def _players(self) -> tuple[AgentSpec, ...]:
        """Who sits in each of the players' seats."""
        spec, count = load(self.game), int(self.settings.seats)
        names = (self.bettors or spec.bettors) if spec.players else self.agents
        return tuple(
            parse_player(names[seat % len(names)], spec, self.settings, self.banker) for seat in range(count)
        )

    def agent(self, seat: int) -> AgentSpec:
        """Who sits there."""
        if load(self.game).players:
            return parse_agent(self.agents[0], self.game)
        return self._players[seat]

    def options(self, seat: int, first: int) -> Options:
        """The environment in which a seat's agent is the learner, its lanes counted from ``first``."""
        spec = load(self.game)
        given: dict[str, Any] = {**dict(self.rules), "reward": self.reward, "illegal": "raise", "lane": first}
        players = self._players
        if spec.players:
            given["opponents"] = players
        else:
            given["seat"] = seat
            given["opponents"] = players[seat + 1 :] + players[:seat]
        if self.banker:
            given["banker"] = self.banker
        for name, value in self.encoding:
            if name in spec.settings.__dataclass_fields__:
                raise InvalidSettings(
                    f"{name} is a rule of {spec.name}, which its encoding follows; set it there"
                )
            if name not in spec.encoding_options:
                known = ", ".join(spec.encoding_options) or "none"
                raise InvalidSettings(f"options of the encoding of {spec.name} are {known}, not {name!r}")
            given[name] = value
        if not given["opponents"]:
            del given["opponents"]
        return read_options(variant_of(self.game), given)

    @property
    def labels(self) -> list[str]:
        """Who sits in each seat, the second of a name as ``name#2``; the house is one too."""
        players = [spec.text for spec in self._players]
        names = [name for name, _ in label_entries(players, len(players))]
        house = house_seat(self.settings)
        if house is None:
            return names
        if load(self.game).players:
            return [*names, self.agent(house).text]
        banker = self.options(self.recorded[0], 0).banker
        return [*names, "house" if banker is None else banker.text]

    def describe(self) -> dict[str, Any]:
        """All that decides what the rows are, as JSON data, and what their columns mean."""
        encoding = self.options(self.recorded[0], 0).encoding
        return {
            "railbird": __version__,
            "game": self.game,
            "environment": variant_of(self.game).id,
            "settings": plain_settings(self.settings),
            "seed": self.seed,
            "deals": self.deals,
            "players": self.labels,
            "recorded": list(self.recorded),
            "reward": self.reward,
            "encoding": {
                "version": encoding.version,
                **{name: list(value) if isinstance(value, tuple) else value for name, value in self.encoding},
                "actions": encoding.actions,
                "features": encoding.features,
                "layout": [[block.name, block.start, block.size] for block in encoding.layout.blocks],
            },
        }


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds."""

    rows: int
    episodes: int


def write_trajectories(
    settings: TrajectorySettings, path: Path, workers: int = 1, deals_at_once: int = DEALS
) -> Written:
    """Plays the deals and writes every step of the recorded seats into a Parquet file.

    Columns: ``deal``, ``seat``, ``agent``, ``step`` (of the episode, from 0), ``observation`` (list of
    float32), ``action``, ``action_mask`` (list of int8), ``reward``, ``terminal``, ``profit`` (chips). Rows
    are ordered by deal, seat and step; the file is the same for any number of workers and of deals at once.

    Args:
        settings: what is played.
        path: a new file, which appears when it is whole.
        workers: processes that play.
        deals_at_once: deals that a process plays together; memory grows with it.

    Raises:
        InvalidSettings: the file exists or cannot be written to, or an agent cannot be made.
        RailbirdError: an agent fails, or decides what the environment's actions cannot write; the disk is
            full; a worker died.
    """
    whole("workers", workers, 1, MOST_WORKERS)
    whole("deals_at_once", deals_at_once, 1, 2**20)
    firsts = range(0, settings.deals, deals_at_once)
    lots = [(first, min(deals_at_once, settings.deals - first)) for first in firsts]
    with StepFile(path, settings.labels, settings.describe()) as file:
        for steps in _played(settings, lots, workers):
            file.add(steps)
    return Written(file.rows, settings.deals * len(settings.recorded))


def _played(settings: TrajectorySettings, lots: Sequence[tuple[int, int]], workers: int) -> Iterator[Steps]:
    """The steps of lots of deals in their order; so few are waiting that memory does not grow."""
    if workers == 1:
        for lot in lots:
            yield play_lot(settings, *lot)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting: deque[Future[Steps]] = deque()
        try:
            for lot in lots:
                waiting.append(pool.submit(play_lot, settings, *lot))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            told = "a worker process died, perhaps for want of memory; try fewer workers"
            raise RailbirdError(told) from error
        finally:
            pool.shutdown(cancel_futures=True)


def play_lot(settings: TrajectorySettings, first: int, deals: int) -> Steps:
    """All steps of the recorded seats in these deals. What agents print goes to stderr."""
    parts = []
    with redirect_stdout(sys.stderr):
        for seat in settings.recorded:
            table = LearnerTable(settings.options(seat, first), deals)
            spec = settings.agent(seat)
            parts.append(play_episodes(table, make_agent(spec, settings.settings), spec.text, settings.seed))
    return joined(parts).in_order()
