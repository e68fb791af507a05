"""What a game hands to the doors: its classes and its texts, in one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from numpy.typing import NDArray

from .contract import Game
from .errors import UnknownName
from .scene import Scene


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game, as environments, agents, tournaments and the command line use it."""

    name: str  # on the command line: "superfecta"
    title: str  # for people: "Superfecta"
    settings: type[Any]  # frozen dataclass of the rules
    game: type[Game[Any, Any]]
    encoding: type[Any]  # called as encoding(settings, **options)
    encoding_options: tuple[str, ...]  # keyword arguments of the encoding that a user may set
    scene: Callable[
        [Any, int, int | None], Scene
    ]  # (game, lane, frame) -> the table; a frame of the last race
    frames: Callable[[Any, int], int]  # (game, lane) -> frames of the last race, 0 before the first
    decision_text: Callable[[NDArray[Any], int], str]  # one seat's decision, the lane's phase -> its text
    parse_decision: Callable[[str, Any], NDArray[Any]]  # (text, settings) -> one seat's decision
    banker: str = ""  # agent of "bookmaker" that quotes for the house; empty where nobody quotes
    bettors: tuple[str, ...] = ()  # where the house itself is ranked and learns: agents of the players' game
    players: str = ""  # and the name of that game

    def make_settings(self, **options: Any) -> Any:
        """The settings with these fields.

        Raises:
            UnknownName: a field the game does not have.
            InvalidSettings: a value that is not allowed.
        """
        known = [field.name for field in fields(self.settings)]
        for option in options:
            if option not in known:
                raise UnknownName(f"setting of {self.name}", option, known)
        return self.settings(**options)
