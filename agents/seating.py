"""Who may sit where: players, a house that an agent quotes for, players who keep the bank by turns."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from ..games.contract import house_seat
from ..games.errors import InvalidSettings
from ..games.spec import GameSpec
from .registry import AgentSpec, is_learned, parse_agent, zoo

PAIR: Final = "+"  # banker+bettor: an agent for a seat that both quotes and bets


def usual_agents(game: str, settings: Any) -> list[str]:
    """Who plays a tournament for which nobody is named: the game's zoo, and behind it the trained agents that
    come with the package and can play at tables with these settings.

    Raises:
        UnknownName: there is no such game.
        BrokenFile: a trained agent is damaged.
    """
    from .learned.folder import pretrained

    found = zoo(game)
    for name in pretrained(game):
        with suppress(InvalidSettings):  # it learned with other features or actions
            parse_agent(name, game).make(settings)
            found.append(name)
    return found


def parse_player(text: str, spec: GameSpec, settings: Any, banker: str = "") -> AgentSpec:
    """An agent for a player's seat.

    Where players keep the bank by turns and quote, an agent that is no pair quotes as ``banker`` does (the
    game's own where none is named); a learned one has learned to do both.

    Raises:
        UnknownName, InvalidSettings: what `parse_agent` raises.
    """
    game = spec.players or spec.name
    if spec.banker and house_seat(settings) is None and PAIR not in text and not is_learned(text, game):
        text = f"{banker or spec.banker}{PAIR}{text}"
    return parse_agent(text, game)


def parse_banker(text: str, spec: GameSpec, settings: Any) -> AgentSpec | None:
    """The agent that quotes for the house, the game's own where none is named; None where nobody does.

    Raises:
        InvalidSettings: a banker is named in a game in which nobody quotes.
        UnknownName: what `parse_agent` raises.
    """
    if not spec.banker:
        if text:
            raise InvalidSettings(f"nobody quotes in {spec.name}; leave the banker {text!r} out")
        return None
    return None if house_seat(settings) is None else parse_agent(text or spec.banker, "bookmaker")


def check_house(spec: GameSpec, settings: Any) -> None:
    """Whether there is a house, where the game is about what its banker does.

    Raises:
        InvalidSettings: there is none.
    """
    if spec.players and house_seat(settings) is None:
        raise InvalidSettings(f"in {spec.name} the house keeps the bank; leave bank at 'house'")
