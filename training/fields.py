"""Fields of settings: reading them from text, checking them, and the line of help under each."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from typing import Any, Final

from ..games.checks import share
from ..games.errors import InvalidSettings
from ..games.spec import GameSpec

WORDS: Final = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False,
                "0": False}  # fmt: skip


def read_value(name: str, value: Any, kind: str) -> Any:
    """A value that was written as text, or came from a file, as its field has it.

    Raises:
        InvalidSettings: it is of another kind.
    """
    if kind.endswith("| None") and (value is None or value == "none"):
        return None
    kind = kind.removesuffix(" | None")
    try:
        if kind == "bool":
            return WORDS[str(value).lower()]
        if kind == "int" and not isinstance(value, bool):
            return int(str(value).replace("_", ""))
        if kind == "float" and not isinstance(value, bool):
            return float(value)
        if kind.startswith(("tuple", "Sequence")):
            return tuple(int(str(part)) for part in (value if isinstance(value, tuple | list) else (value,)))
        if kind == "str" and isinstance(value, str | int | float) and not isinstance(value, bool):
            return str(value)
    except (KeyError, TypeError, ValueError):
        pass
    words = {"bool": "true or false", "int": "a whole number", "float": "a number", "str": "a word"}
    raise InvalidSettings(f"{name} is {words.get(kind, 'whole numbers parted by commas')}, not {value!r}")


def read_sight(spec: GameSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    """What is given, the options of the game's encoding among it as the encoding takes them.

    Raises:
        InvalidSettings: such an option is of another kind.
    """
    taken = inspect.signature(spec.encoding).parameters
    sight = {name: given[name] for name in spec.encoding_options if name in given}
    return {**given, **{name: read_value(name, sight[name], taken[name].annotation) for name in sight}}


def most_text(text: str) -> str:
    """A share of the bankroll as it is written down: 1/20, or in millionths.

    Raises:
        InvalidSettings: it is no share above 0.
    """
    most = share("most", text)
    if most == 0:
        raise InvalidSettings("most is a share of the bankroll above 0; with 0 nothing could be staked")
    return str(most) if most.numerator == 1 else f"{most.numerator * 1_000_000 // most.denominator}/1000000"


def help_of(made: type[Any]) -> dict[str, str]:
    """The line of help of each field, as it stands under it."""
    found: dict[str, str] = {}
    for part in reversed(made.__mro__[:-1]):
        name = ""
        for line in inspect.getsource(part).splitlines():
            text = line.strip()
            if line.startswith("    ") and line[4:5].isalpha() and ": " in text:
                name = text.partition(":")[0]
            elif name and text.startswith('"""') and line.startswith('    """'):
                found[name], name = text.strip('"'), ""
    return {field.name: found[field.name] for field in fields(made)}


def check_range(settings: object, name: str, low: float, high: float) -> None:
    """Whether a number lies in a range.

    Raises:
        InvalidSettings: it does not.
    """
    value = getattr(settings, name)
    if not (isfinite(value) and low <= value <= high):
        raise InvalidSettings(f"{name} is a number from {low:g} to {high:g}, not {value}")


def check_word(settings: object, name: str, allowed: tuple[str, ...]) -> None:
    """Whether a setting is one of some words.

    Raises:
        InvalidSettings: it is not.
    """
    if getattr(settings, name) not in allowed:
        raise InvalidSettings(f"{name} is {' or '.join(allowed)}, not {getattr(settings, name)!r}")
