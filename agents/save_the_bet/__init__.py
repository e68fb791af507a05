"""The Save The Bet zoo, by name. The classes are loaded when they are needed."""

from __future__ import annotations

from typing import Final

ZOO: Final = {
    "random": "anchors:Random",
    "shortest": "anchors:Shortest",
    "face-card": "anchors:FaceCard",
    "likeliest": "likeliest:Likeliest",
    "likeliest-save": "likeliest:LikeliestSave",
}  # name -> module of this folder : class
