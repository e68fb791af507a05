"""Scenes made visible, as text and as pictures. A drawing takes a scene and knows no game.

Nothing is loaded before it is asked for, so that text alone needs no Pillow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .pictures import picture
    from .text import scene_text

__all__ = ["picture", "scene_text"]
_HOMES: Final = {"picture": ".pictures", "scene_text": ".text"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
