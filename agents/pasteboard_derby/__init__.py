"""The Pasteboard Derby zoo, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "random": "anchors:Random",
    "loyal": "anchors:Loyal",
    "crowd": "followers:Crowd",
    "contrarian": "followers:Contrarian",
    "level-1": "repliers:LevelOne",
    "level-2": "repliers:LevelTwo",
    "equilibrium": "equilibrium:Equilibrium",
    "avoider": "repliers:Avoider",
}  # name -> module of this folder : class
