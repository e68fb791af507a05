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
class Prompt:
    """One kind of decision as people write it."""

    word: str  # "ticket", "quote", "horse", "bet"
    help: str  # how it is written, with an example
    parse: Callable[[str, Any], NDArray[Any]]  # (text, settings) -> one seat's decision
    text: Callable[[NDArray[Any]], str]  # one seat's decision -> its text
    nothing: str = ""  # the empty decision in words; empty where handing in none would be a mistake
    adds_up: bool = False  # written line by line and handed in with an empty one, else a line is a decision


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game, as environments, agents, tournaments and the command line use it."""

    name: str  # on the command line: "superfecta"
    title: str  # for people: "Superfecta"
    settings: type[Any]  # frozen dataclass of the rules
    game: type[Game[Any, Any]]
    encoding: Callable[..., Any]  # called as encoding(settings, **options)
    encoding_options: tuple[str, ...]  # keyword arguments of the encoding that a user may set
    # (game, lane, frame, seat) -> what the seat, or a spectator (None), sees of the table as it stands
    # (None) or of a frame of the last race, or whatever a round of the game is
    scene: Callable[[Any, int, int | None, int | None], Scene]
    frames: Callable[[Any, int], int]  # (game, lane) -> frames of the last round, 0 before the first
    rounds: Callable[[Any, int], int]  # (game, lane) -> rounds played in this episode
    # (game, lane) -> how the last round came out and the cards it turned up, as texts by name
    drawn: Callable[[Any, int], dict[str, list[str]]]
    prompts: tuple[Prompt, ...]  # by phase
    round: str = "race"  # what a round is called
    score: str = "profit"  # what is added up over a game
    watched: int = 1  # rounds shown to somebody who does not say how many
    contest: bool = False  # won, lost or drawn rather than played for chips
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

    def decision_text(self, decision: NDArray[Any], phase: int) -> str:
        """One seat's decision in a phase as its text."""
        return self.prompts[phase].text(decision)

    def parse_decision(self, text: str, settings: Any, phase: int) -> NDArray[Any]:
        """The decision of one seat that a text says in a phase.

        Raises:
            BadTicket: the text cannot be read.
        """
        return self.prompts[phase].parse(text, settings)
