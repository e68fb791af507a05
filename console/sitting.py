"""One table with named players, played turn by turn. An agent that fails has the game's stand-in decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..agents.registry import parse_agent, zoo
from ..agents.seating import check_house, parse_banker, parse_player
from ..evaluation.asking import Asking
from ..evaluation.blocks import NeverAsked
from ..evaluation.lineups import label_entries
from ..games.checks import whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings
from ..games.kernels import Chips
from ..games.registry import load
from ..games.replay import Start
from ..games.replay_writer import ReplayWriter
from ..games.scene import Grid, Scene, named, several
from ..games.spec import GameSpec

MOST_SEATS: Final = 12  # of players, in any game
SITS_OUT: Final = "null"  # the agent of the zoos that never bets


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
    """A game at one table, from its start to its end; used in a ``with``, at whose end its replay is closed.

    Args:
        spec: the game.
        settings: its rules.
        seed: root seed.
        players: who sits where, seat 0 first, a house last.
        eye: the seat that looks at the table; None: a spectator, who sees what all players know.
        save: a new file for its replay; None: there is none.

    Raises:
        InvalidSettings: the file exists, or cannot be made.
        RailbirdError: it cannot be written.
    """

    def __init__(
        self,
        spec: GameSpec,
        settings: Any,
        seed: int,
        players: Sequence[Player],
        eye: int | None = None,
        save: Path | None = None,
    ) -> None:
        self.spec = spec
        self.players = players
        self.game = spec.game(settings, seed, 1)
        self.totals = np.zeros(len(players), np.int64)  # profit so far
        seating = np.arange(len(players), dtype=np.int64)[None]
        self._asking = Asking(self.game, [player.agent for player in players], seating)
        self._eye = eye
        self._told = 0
        self._untold: list[str] = []
        self.game.start()
        start = Start(spec.name, settings, seed, players=tuple(player.name for player in players), eye=eye)
        self._replay = None if save is None else ReplayWriter(save, start, self.game)
        self._asking.begin()

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if self._replay is not None:
            self._replay.finish() if kind is None else self._replay.close()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over[0])

    @property
    def rounds(self) -> int:
        """Races run, or whatever a round of the game is."""
        return self.spec.rounds(self.game, 0)

    def turn(self) -> bool:
        """Plays one turn; whether a round has ended with it."""
        before = self.rounds
        decisions = self._asking.decisions(int(self.game.state.turn[0]))
        self.game.submit(decisions)
        self.totals += self.game.profit[0]
        news = self._news()
        self._untold += news
        if self._replay is not None:
            self._replay.turn(decisions[0], news)
        return self.rounds > before

    def table(self) -> Scene:
        """The table before the next decisions."""
        return self._seen(None)

    def replay(self) -> Iterator[Scene]:
        """The last round, frame by frame."""
        for frame in range(self.spec.frames(self.game, 0)):
            yield self._seen(frame)

    def result(self) -> Scene:
        """The last frame of the last round."""
        return self._seen(self.spec.frames(self.game, 0) - 1)

    def standings(self) -> Scene:
        """The players by what they have won so far, equals sharing a place."""
        names = [player.name for player in self.players]
        return standings_scene(self.spec, names, self.totals, self.rounds, self.over)

    def mishaps(self) -> list[str]:
        """What has gone wrong with agents since this was last asked; the first time of each kind is told."""
        untold, self._untold = self._untold, []
        return untold

    def _news(self) -> list[str]:
        new = self._asking.incidents[self._told :]
        self._told += len(new)
        return [
            f"{self.players[incident.player].name} {incident.reason}; the table decides for it."
            for incident in new
        ]

    def _seen(self, frame: int | None) -> Scene:
        scene = self.spec.scene(self.game, 0, frame, self._eye)
        return named(scene, [player.name for player in self.players])


def standings_scene(spec: GameSpec, names: Sequence[str], totals: Chips, rounds: int, over: bool) -> Scene:
    """The players by what they have won in so many rounds, equals sharing a place."""
    rows = []
    for seat in sorted(range(len(names)), key=lambda seat: -totals[seat]):
        place = 1 + int(np.count_nonzero(totals > totals[seat]))
        profit = int(totals[seat])
        rows.append((f"{place}.", names[seat], f"{profit:+,}" if profit else "0"))
    stage = "the game is over" if over else "so far"
    title = f"Standings after {several(rounds, spec.round)}"
    grid = Grid(title, ("", "Player", spec.score.capitalize()), tuple(rows), left=(0, 1))
    return Scene(spec.title, stage, grids=(grid,))


def make_rules(spec: GameSpec, seats: int | None, company: int, options: Mapping[str, Any]) -> Any:
    """The settings of a table.

    Args:
        spec: the game.
        seats: players at the table; None: where ``company`` is named the fewest that hold it, else as many as
            the game has.
        company: how many players are named, 0 for nobody.
        options: fields of the game's settings.

    Raises:
        UnknownName: a setting that does not exist.
        InvalidSettings: a value that is not allowed.
    """
    sized = any(field.name == "seats" for field in fields(spec.settings))
    if seats is not None:
        return spec.make_settings(**{**options, "seats": seats})
    if not company or not sized or "seats" in options:
        return spec.make_settings(**options)
    for fewest in range(company, MOST_SEATS):  # a game may ask for more, whose agents are then seated again
        try:
            return spec.make_settings(**options, seats=fewest)
        except InvalidSettings:
            continue
    return spec.make_settings(**options, seats=max(company, MOST_SEATS))


def seat_players(
    spec: GameSpec,
    rules: Any,
    agents: Sequence[str] = (),
    banker: str = "",
    bettors: Sequence[str] = (),
    person: Player | None = None,
    seat: int = 0,
) -> list[Player]:
    """Who sits where, the players first and then the house, if there is one.

    Args:
        spec: the game.
        rules: its settings.
        agents: how the game's agents are written, such as ``kelly:fraction=0.25``; too few are seated again
            in turn. Empty: the zoo's.
        banker: who quotes for the house, or with every agent that keeps the bank by turns; empty: the game's.
        bettors: the players, in a game whose agents quote; empty: the game's own.
        person: somebody who takes the place of one of the agents.
        seat: where, among the players.

    Raises:
        UnknownName: an agent that does not exist.
        InvalidSettings: more agents than seats, or somebody for whom there is no seat.
    """
    check_house(spec, rules)
    own = 1 if spec.players else int(rules.seats)
    free = own - (person is not None)
    _fit(agents, free)
    texts = agents or usual_agents(spec)[:free]
    specs = [
        parse_agent(text, spec.name) if spec.players else parse_player(text, spec, rules, banker)
        for text in texts
    ]
    labels = label_entries([agent.text for agent in specs], free)
    seated = [Player(name, specs[place].make(rules)) for name, place in labels]
    if person is not None:
        seated.insert(whole("seat", seat, 0, own - 1), person)
    return _with_others(spec, rules, seated, banker, bettors)


def _fit(agents: Sequence[str], seats: int) -> None:
    if len(agents) > seats:
        raise InvalidSettings(
            f"there are {len(agents)} agents for {seats} seats; leave some out or add seats"
        )


def usual_agents(spec: GameSpec) -> list[str]:
    """The agents that sit in a game's seats when none are named."""
    if spec.players:
        return [load(spec.players).banker]
    return [name for name in zoo(spec.name) if name != SITS_OUT]


def _with_others(
    spec: GameSpec, rules: Any, seated: list[Player], banker: str, bettors: Sequence[str]
) -> list[Player]:
    """The whole table: the house behind the players, or the players before the house."""
    if spec.players:
        if banker:
            raise InvalidSettings(f"the agents of {spec.name} are bankers; name them as agents")
        players = int(rules.seats)
        _fit(bettors, players)
        specs = [parse_player(text, spec, rules) for text in bettors or spec.bettors[:players]]
        labels = label_entries([agent.text for agent in specs], players)
        return [Player(name, specs[place].make(rules)) for name, place in labels] + seated
    if bettors:
        raise InvalidSettings(f"the agents of {spec.name} are its players; name them as agents")
    quoting = parse_banker(banker, spec, rules)
    if house_seat(rules) is None:
        return seated
    if quoting is None:
        return [*seated, Player("house", NeverAsked(rules))]
    return [*seated, Player(f"house ({quoting.text})", quoting.make(rules))]
