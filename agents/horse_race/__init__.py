"""The bettors of Horse Race and Scarne's Horse Race, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "null": ".bookmaking.anchors:Null",
    "random": ".bookmaking.anchors:Random",
    "favourite": ".bookmaking.anchors:Favourite",
    "longshot": ".bookmaking.anchors:Longshot",
    "value": ".bookmaking.value:Value",
    "kelly": ".bookmaking.kelly:Kelly",
    "biased": ".bookmaking.people:Biased",
    "hunch": ".bookmaking.people:Hunch",
    "chaser": ".bookmaking.people:Chaser",
}  # name -> module, seen from this folder : class
