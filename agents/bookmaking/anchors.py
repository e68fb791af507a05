"""The plainest bettors, by which the others are measured."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Floats, Stakes
from ...games.streams import Draws
from ...games.track import SUITS
from .bettor import Backer, Bettor
from .options import number


class Null(Bettor):
    """Bets nothing in any race."""

    idea: ClassVar[str] = "Never bets."
    source: ClassVar[str] = "the zero of every comparison"

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        return np.zeros((len(view.lane), SUITS), np.int16)


class Random(Bettor):
    """Takes each open suit by a throw of its own. Draws 4 numbers a decision.

    Of more suits than it may bet on or can pay for, those with the lowest draws are kept.

    Options:
        probability: chance of the smallest stake on each suit, 0-1.
    """

    idea: ClassVar[str] = "Puts the smallest stake on each suit with the same chance."
    source: ClassVar[str] = "level 0 of the level-k models (Stahl and Wilson 1995)"

    def __init__(self, settings: BookmakerSettings, *, probability: float = 0.25) -> None:
        super().__init__(settings)
        self.probability = number("probability", probability, 0, 1)

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        drawn = draws.uniform(SUITS)
        return self.cover(view, drawn < self.probability, drawn)


class Favourite(Backer):
    """Backs the suit with the fewest cards on the rail, the first among equals, with the smallest stake."""

    idea: ClassVar[str] = "Backs the likeliest horse, every race."
    source: ClassVar[str] = "the public's commonest bet"

    def choice(self, chances: Floats) -> int:
        return int(np.argmax(chances))


class Longshot(Backer):
    """Backs the suit with the smallest chance that is not zero, the first among equals, with the smallest
    stake.
    """

    idea: ClassVar[str] = "Backs the least likely horse that can still win, for its long odds."
    source: ClassVar[str] = "the favourite-longshot bias of real bettors (Griffith 1949)"

    def choice(self, chances: Floats) -> int:
        return int(np.argmin(np.where(chances > 0, chances, np.inf)))
