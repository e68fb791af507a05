"""The Superfecta zoo, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "null": "anchors:Null",
    "random": "anchors:Random",
    "favourite": "anchors:Favourite",
    "longshot": "anchors:Longshot",
    "win-cover": "anchors:WinCover",
    "straight": "structurers:Straight",
    "box": "structurers:Box",
    "wheel": "structurers:Wheel",
    "carryover": "structurers:Carryover",
    "dutch": "dutch:Dutch",
    "value": "pricers:Value",
    "level-1": "pricers:LevelOne",
    "level-2": "pricers:LevelTwo",
    "equilibrium": "equilibrium:Equilibrium",
    "follower": "followers:Follower",
    "chaser": "followers:Chaser",
    "isaacs": "isaacs:Isaacs",
    "kelly": "kelly:Kelly",
}  # name -> module of this folder : class
