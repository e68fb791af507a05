"""The zoo of Racing Aces, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "null": ".bookmaking.anchors:Null",
    "random": ".bookmaking.anchors:Random",
    "favourite": ".bookmaking.anchors:Favourite",
    "optimal": "optimal:Optimal",
    "cover": "optimal:Cover",
    "kelly": ".bookmaking.kelly:Kelly",
    "biased": ".bookmaking.people:Biased",
    "chaser": ".bookmaking.people:Chaser",
}  # name -> module, seen from this folder : class
