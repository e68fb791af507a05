"""The games by name. Importing this loads no game; `load` does.

To add a game: write its folder with a ``SPEC`` in its ``__init__``, and a line here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from .errors import UnknownName

if TYPE_CHECKING:
    from .spec import GameSpec

FOLDERS: Final = {"superfecta": "superfecta"}  # name on the command line -> folder of rules


def names() -> list[str]:
    """The names of all games, as used on the command line."""
    return list(FOLDERS)


@cache
def load(name: str) -> GameSpec:
    """The parts of a game by its name.

    Raises:
        UnknownName: there is no such game; the nearest name is suggested.
    """
    if name not in FOLDERS:
        raise UnknownName("game", name, FOLDERS)
    spec: GameSpec = import_module(f".{FOLDERS[name]}", __package__).SPEC
    return spec
