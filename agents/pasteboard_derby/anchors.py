"""The plainest backers, by which the others are measured."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.cards import parse_suit
from ...games.kernels import Flags, Floats
from ...games.pasteboard_derby.race import HORSES
from ...games.pasteboard_derby.settings import PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from .backer import Backer

ANY: Final = "any"


class Random(Backer):
    """Likes all horses alike, so that each is drawn with chance 1/4."""

    idea: ClassVar[str] = "Draws a horse anew in every race."
    source: ClassVar[str] = "the zero of every comparison"

    def liking(self, view: PasteboardDerbyView) -> Floats:
        return np.zeros((len(view.lane), HORSES))


class Loyal(Backer):
    """Keeps to the horse its seat named last; the first of a game is drawn, unless one is set.

    Options:
        horse: the horse of every game, H, D, C or S; "any" is drawn in its first race.
    """

    idea: ClassVar[str] = "Draws a horse in the first race of a game and stays with it."
    source: ClassVar[str] = "the player with a lucky horse; lottery players keep to their numbers"

    def __init__(self, settings: PasteboardDerbySettings, *, horse: str = ANY) -> None:
        super().__init__(settings)
        self._own = 0 if horse == ANY else parse_suit(horse) + 1  # 0: the one named last

    def liking(self, view: PasteboardDerbyView) -> Floats:
        rows = np.arange(len(view.lane))
        kept = view.last_named[rows, view.seat] if self._own == 0 else np.full(len(rows), self._own)
        own: Flags = kept[:, None] == np.arange(1, HORSES + 1)
        return own.astype(np.float64)
