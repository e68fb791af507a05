"""What a user may set on an environment: the game's rules, the learner's encoding, the door itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, TypeAlias

from ..agents.registry import AgentSpec, split_agents
from ..agents.seating import check_house, parse_banker, parse_player
from ..games.checks import one_of, whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings, UnknownName
from ..games.registry import load
from ..games.spec import GameSpec
from .variants import Variant

ACTIONS: Final = ("wager", "ticket")
ILLEGAL: Final = ("pass", "raise")
REWARDS: Final = ("cash", "expected", "adjusted")
RENDER_MODES: Final = ("ansi", "rgb_array")
ROTATE: Final = "rotate"
DOOR: Final = ("action", "banker", "illegal", "lane", "opponents", "render_mode", "reward", "seat", "threads")
AUTO: Final = "auto"
MOST_THREADS: Final = 1024
LARGEST_LANE: Final = 2**62
Opponents: TypeAlias = str | Sequence[str | AgentSpec]


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """The settings of one environment, checked and complete."""

    game: str  # name on the command line
    settings: Any  # the game's rules
    encoding: Any  # what the learner sees and does
    opponents: tuple[AgentSpec, ...]  # the other players, clockwise from the learner
    banker: AgentSpec | None  # who quotes for the house, if an agent does
    seat: int | None  # the learner's seat; None: the episode's number modulo players
    reward: str
    illegal: str
    action: str
    lane: int  # number of the first lane
    render_mode: str | None
    threads: int | None  # that step the lanes of a batch; None: as many as pay

    @property
    def agents(self) -> tuple[AgentSpec, ...]:
        """Everybody but the learner, the one that quotes for the house behind the others."""
        return self.opponents if self.banker is None else (*self.opponents, self.banker)

    @property
    def summary(self) -> str:
        """All that two environments must share for one to carry on the other's game."""
        encoding = (self.encoding.version, self.encoding.actions, self.encoding.features)
        opponents = [agent.text for agent in self.agents]
        door = (self.seat, self.reward, self.illegal, self.action)
        return f"{self.game} {self.settings} encoding {encoding} opponents {opponents} door {door}"


def read_options(variant: Variant, given: Mapping[str, Any]) -> Options:
    """The settings of an environment from a constructor's keywords; what is not given has its default.

    Raises:
        UnknownName: a keyword nobody reads, or an agent that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    spec = load(variant.game)
    rules = [field.name for field in fields(spec.settings)]
    known = {*rules, *spec.encoding_options, *_door(spec)}
    for name in given:
        if name not in known:
            raise UnknownName(f"setting of {variant.id}", name, known)
    settings = spec.make_settings(**{name: given[name] for name in rules if name in given})
    sight = {name: given[name] for name in spec.encoding_options if name in given}
    encoding = spec.encoding(settings, **sight)
    action = one_of("action", given.get("action", "wager"), ACTIONS)
    if action == "ticket" and not hasattr(encoding, "nvec"):
        raise InvalidSettings(f"{variant.id} has no whole tickets; leave action at 'wager'")
    mode = given.get("render_mode")
    return Options(
        game=variant.game,
        settings=settings,
        encoding=encoding,
        opponents=_opponents(variant, spec, given, settings),
        banker=parse_banker(given.get("banker") or "", spec, settings),
        seat=house_seat(settings) if spec.players else _seat(given.get("seat", 0), settings.seats),
        reward=one_of("reward", given.get("reward", "cash"), REWARDS),
        illegal=one_of("illegal", given.get("illegal", "pass"), ILLEGAL),
        action=action,
        lane=whole("lane", given.get("lane", 0), 0, LARGEST_LANE),
        render_mode=None if mode is None else one_of("render_mode", mode, RENDER_MODES),
        threads=_threads(given.get("threads", AUTO)),
    )


def _threads(value: object) -> int | None:
    """How many threads step the lanes, None where that is found out."""
    if isinstance(value, str):
        one_of("threads (if it is no number)", value, (AUTO,))
        return None
    return whole("threads", value, 1, MOST_THREADS)


def _seat(value: object, seats: int) -> int | None:
    """The learner's seat, None where it rotates."""
    if isinstance(value, str):
        one_of("seat (if it is no number)", value, (ROTATE,))
        return None
    return whole("seat", value, 0, seats - 1)


def _door(spec: GameSpec) -> list[str]:
    """The keywords of the door that an environment of this game has."""
    absent = {"seat", "banker"} if spec.players else set() if spec.banker else {"banker"}
    return [name for name in DOOR if name not in absent]


def _opponents(
    variant: Variant, spec: GameSpec, given: Mapping[str, Any], settings: Any
) -> tuple[AgentSpec, ...]:
    """An agent for each player but a playing learner, the list repeated as often as it takes."""
    check_house(spec, settings)
    players = int(settings.seats)
    others = players if spec.players else players - 1
    asked: Opponents | None = given.get("opponents")
    if asked is None:
        asked = variant.opponents[:others]
    agents = split_agents(asked) if isinstance(asked, str) else list(asked)
    if len(agents) > others or (others and not agents):
        allowed = f"1 to {others} agents" if others else "none"
        raise InvalidSettings(f"opponents are {allowed} at a table of {players}, not {len(agents)}")
    banker = given.get("banker") or ""
    specs = [
        parse_player(agent, spec, settings, banker) if isinstance(agent, str) else agent for agent in agents
    ]
    return tuple(specs[place % len(specs)] for place in range(others))
