"""Settings of a game as they are written on the command line: ``--set key=value``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..games.errors import InvalidSettings

WORDS = {"true": True, "false": False, "none": None}


def read_settings(pairs: Sequence[str], **given: Any) -> dict[str, Any]:
    """The settings that ``key=value`` pairs spell, and those ``given`` that are not None.

    A value is a whole number, a word, or several of them parted by commas; a rate stays text, to be exact.

    Raises:
        InvalidSettings: a pair has no ``=``, or a setting is named twice.
    """
    settings = {key: value for key, value in given.items() if value is not None}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key or not text.strip():
            raise InvalidSettings(f"a setting is written key=value, as in split=pro_rata, not {pair!r}")
        if key in settings:
            raise InvalidSettings(f"the setting {key} is given twice")
        parts = [_value(part.strip()) for part in text.split(",")]
        settings[key] = parts[0] if len(parts) == 1 else tuple(parts)
    return settings


def _value(text: str) -> Any:
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    return WORDS.get(text.lower(), text)
