"""One table with named players, played turn by turn. An agent that fails gets the empty decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..evaluation.asking import Asking
from ..evaluation.lineups import label_entries
from ..games.errors import InvalidSettings
from ..games.scene import Grid, Scene, named
from ..games.spec import GameSpec


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at the table."""

    name: str
    agent: Agent[Any]


class Person(Agent[Any]):
    """A seat whose decisions are written by a person and put into ``written`` before each turn."""

    idea = "decides what a person writes"
    source = "whoever sits at the terminal"
    written: NDArray[Any]

    def act(self, view: Any, draws: Any) -> NDArray[Any]:
        return self.written[None]


class Sitting:
    """A game at one table, from its start to its end.

    Args:
        spec: the game.
        settings: its rules; the number of seats is the number of players.
        seed: root seed.
        players: who sits where, seat 0 first.
    """

    def __init__(self, spec: GameSpec, settings: Any, seed: int, players: Sequence[Player]) -> None:
        self.spec = spec
        self.players = players
        self.game = spec.game(settings, seed, 1)
        self.totals = np.zeros(len(players), np.int64)  # profit so far
        self.races = 0
        seating = np.arange(len(players), dtype=np.int64)[None]
        self._asking = Asking(self.game, [player.agent for player in players], seating)
        self._told = 0
        self.game.start()
        self._asking.begin()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over[0])

    def turn(self) -> bool:
        """Plays one turn; whether a race was run in it."""
        before = self._last()
        self.game.submit(self._asking.decisions(int(self.game.state.turn[0])))
        self.totals += self.game.profit[0]
        run = self._last() != before
        self.races += run
        return run

    def table(self) -> Scene:
        """The table before the next decisions."""
        return self._named(None)

    def race(self) -> Iterator[Scene]:
        """The last race, frame by frame."""
        for frame in range(self.spec.frames(self.game, 0)):
            yield self._named(frame)

    def result(self) -> Scene:
        """The last frame of the last race."""
        return self._named(self.spec.frames(self.game, 0) - 1)

    def standings(self) -> Scene:
        """The players by what they have won so far, equals sharing a place."""
        rows = []
        for seat in sorted(range(len(self.players)), key=lambda seat: -self.totals[seat]):
            place = 1 + int(np.count_nonzero(self.totals > self.totals[seat]))
            profit = int(self.totals[seat])
            rows.append((f"{place}.", self.players[seat].name, f"{profit:+,}" if profit else "0"))
        stage = "the game is over" if self.over else "so far"
        races = f"{self.races} race{'' if self.races == 1 else 's'}"
        grid = Grid(f"Standings after {races}", ("", "Player", "Profit"), tuple(rows), left=(0, 1))
        return Scene(self.spec.title, stage, grids=(grid,))

    def mishaps(self) -> list[str]:
        """What has gone wrong with agents since this was last asked; the first time of each kind is told."""
        new = self._asking.incidents[self._told :]
        self._told += len(new)
        return [
            f"{self.players[incident.player].name} {incident.reason}; it decides nothing instead."
            for incident in new
        ]

    def _last(self) -> Scene | None:
        """The last frame of the last race, which no other race has."""
        count = self.spec.frames(self.game, 0)
        return self.spec.scene(self.game, 0, count - 1) if count else None

    def _named(self, frame: int | None) -> Scene:
        return named(self.spec.scene(self.game, 0, frame), [player.name for player in self.players])


def seat_agents(
    spec: GameSpec, agents: Sequence[str], seats: int | None, options: Mapping[str, Any], persons: int = 0
) -> tuple[Any, list[Player]]:
    """The settings of a table, and its agents; seats for persons are counted and left to the caller.

    Args:
        spec: the game.
        agents: how the agents are written, such as ``kelly:fraction=0.25``; too few are seated again in turn.
            Empty: the first of the zoo that bet.
        seats: how many sit at the table; None: one for each agent written, else as many as the game has.
        options: fields of the game's settings.
        persons: seats no agent is for.

    Raises:
        UnknownName: a setting or an agent that does not exist.
        InvalidSettings: a value that is not allowed, or more agents than seats.
    """
    from ..agents.registry import parse_agent, zoo

    options = dict(options)
    if seats is not None:
        options["seats"] = seats
    elif agents and "seats" not in options:
        options["seats"] = max(2, len(agents) + persons)  # a single agent plays itself
    settings = spec.make_settings(**options)
    free = int(settings.seats) - persons
    if len(agents) > free:
        raise InvalidSettings(f"there are {len(agents)} agents for {free} seats; leave some out or add seats")
    texts = agents or [name for name in zoo(spec.name) if name != "null"][:free]  # null never bets
    specs = [parse_agent(text, spec.name) for text in texts]
    entries = label_entries([agent.text for agent in specs], free)
    return settings, [Player(name, specs[index].make(settings)) for name, index in entries]
