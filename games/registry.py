"""The games by name. Importing this loads no game; `load` does.

To add a game: write its folder with a `GameSpec` in its ``__init__``, and a line here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from .errors import UnknownName

if TYPE_CHECKING:
    from .spec import GameSpec

SPECS: Final = {
    "superfecta": "superfecta:SPEC",
    "horse-race": "horse_race:SPEC",
    "scarne-horse-race": "horse_race:SCARNE",
    "bookmaker": "horse_race:BOOKMAKER",
    "racing-aces": "racing_aces:SPEC",
    "pasteboard-derby": "pasteboard_derby:SPEC",
    "save-the-bet": "save_the_bet:SPEC",
}  # name on the command line -> folder of rules and the name of the record in its __init__


def names() -> list[str]:
    """The names of all games, as used on the command line."""
    return list(SPECS)


@cache
def load(name: str) -> GameSpec:
    """The parts of a game by its name.

    Raises:
        UnknownName: there is no such game; the nearest name is suggested.
    """
    if name not in SPECS:
        raise UnknownName("game", name, SPECS)
    folder, record = SPECS[name].split(":")
    spec: GameSpec = getattr(import_module(f".{folder}", __package__), record)
    return spec
