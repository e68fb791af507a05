"""What a user may set on a table whose seats are all played from outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from ..agents.registry import AgentSpec
from ..agents.seating import check_house, parse_banker
from ..games.checks import one_of, whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings, UnknownName
from ..games.registry import load
from ..games.spec import GameSpec
from .options import ILLEGAL, LARGEST_LANE, REWARDS
from .variants import Variant

DOOR: Final = ("illegal", "lane", "reward")


@dataclass(frozen=True, slots=True, eq=False)
class SeatsOptions:
    """The settings of one table, checked and complete."""

    game: str  # name on the command line
    settings: Any  # the game's rules
    players: Any  # encoding of a player's seat
    house: Any  # encoding of the house's seat; None where the house is nobody's to play
    banker: AgentSpec | None  # the agent that quotes for the house, if one does
    reward: str
    illegal: str
    lane: int

    @property
    def summary(self) -> str:
        """All that two tables must share for one to carry on the other's game."""
        encodings = [self.players] if self.house is None else [self.players, self.house]
        seen = [(one.version, one.actions, one.features) for one in encodings]
        banker = "" if self.banker is None else self.banker.text
        door = (self.reward, self.illegal)
        return f"{self.game} {self.settings} encodings {seen} banker {banker!r} door {door}"


def read_seats(variant: Variant, given: Mapping[str, Any], others: Iterable[str] = ()) -> SeatsOptions:
    """The settings of a table from keywords; what is not given has its default, ``others`` are not read.

    Raises:
        UnknownName: a keyword nobody reads, or an agent that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    spec = load(variant.game)
    bettors = load(spec.players) if spec.players else spec
    rules = [rule.name for rule in fields(spec.settings)]
    known = {*rules, *bettors.encoding_options, *DOOR, *others, *(["banker"] if spec.banker else [])}
    for name in given:
        if name not in known:
            raise UnknownName(f"setting of {variant.game}'s table", name, known)
    settings = spec.make_settings(**{name: given[name] for name in rules if name in given})
    check_house(spec, settings)
    sight = {name: given[name] for name in bettors.encoding_options if name in given}
    return SeatsOptions(
        game=variant.game,
        settings=settings,
        players=bettors.encoding(settings, **sight),
        house=spec.encoding(settings) if spec.players else None,
        banker=_banker(given.get("banker") or "", spec, settings),
        reward=one_of("reward", given.get("reward", "cash"), REWARDS),
        illegal=one_of("illegal", given.get("illegal", "pass"), ILLEGAL),
        lane=whole("lane", given.get("lane", 0), 0, LARGEST_LANE),
    )


def _banker(text: str, spec: GameSpec, settings: Any) -> AgentSpec | None:
    """The agent that quotes for the house."""
    if text and house_seat(settings) is None:
        raise InvalidSettings(f"the players keep the bank and quote; leave the banker {text!r} out")
    return parse_banker(text, spec, settings)
