"""The Save The Bet zoo, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "random": "anchors:Random",
    "shortest": "anchors:Shortest",
    "face-card": "anchors:FaceCard",
    "likeliest": "likeliest:Likeliest",
    "likeliest-save": "likeliest:LikeliestSave",
    "cards": "cards:Cards",
    "thrifty": "cards:Thrifty",
    "hoarder": "hoarder:Hoarder",
    "one-turn": "one_turn:OneTurn",
    "tree": "tree:Tree",
}  # name -> module of this folder : class
