"""Bettors with the habits of people."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from ...games.bookmaking.prices import IMPLIED
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.checks import whole
from ...games.kernels import Counts, Flags, Stakes
from ...games.streams import Draws
from ...games.track import SUITS
from .bettor import Bettor
from .memory import with_room
from .options import number

NONE: Final = -1  # no hunch yet


class Biased(Bettor):
    """Takes a chance p for w(p) = p^γ / (p^γ + (1 − p)^γ)^(1/γ), more than it is where p is small.

    Backs, with the smallest stake, every open suit whose odds n/d look worth it, w(p) · (n + d) / d being
    above 1, the best-looking first.

    Options:
        gamma: how much small chances are overrated, 0.3-1; 1 sees chances as they are.
    """

    idea: ClassVar[str] = "Backs all that looks worth its odds to eyes that overrate small chances."
    source: ClassVar[str] = "Tversky and Kahneman 1992 (γ = 0.61); favourite-longshot bias: Griffith 1949"

    def __init__(self, settings: BookmakerSettings, *, gamma: float = 0.61) -> None:
        super().__init__(settings)
        self.gamma = number("gamma", gamma, 0.3, 1)  # below 0.28 the weight falls as the chance rises
        won, lost = self.chances**self.gamma, (1 - self.chances) ** self.gamma
        self._weight = won / (won + lost) ** (1 / self.gamma)  # (rails, 4)

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        looks = self._weight[self.rails(view)] / IMPLIED[view.quotes]  # (n, 4) believed return of a chip
        return self.cover(view, looks > 1, -looks)


class Hunch(Bettor):
    """Backs one suit with the smallest stake from the first race of a game to the last, whatever the rail.

    The suit is drawn at its first decision in a game. Draws a number a decision.
    """

    idea: ClassVar[str] = "Has a lucky suit for the game and backs it in every race."
    source: ClassVar[str] = "the hunch bettor of every racecourse"

    def __init__(self, settings: BookmakerSettings) -> None:
        super().__init__(settings)
        self._lucky: Counts = np.zeros(0, np.int8)  # (lanes,) suit, -1 before the first decision

    def begin(self, lanes: Flags) -> None:
        self._lucky = with_room(self._lucky, len(lanes), NONE)
        self._lucky[: len(lanes)][lanes] = NONE

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        if len(view.lane):
            self._lucky = with_room(self._lucky, int(view.lane.max()) + 1, NONE)
        known = self._lucky[view.lane]
        suits = np.where(known == NONE, draws.integers(SUITS, 1)[:, 0], known)
        self._lucky[view.lane] = suits
        return self.back(view, suits, self.least)


class Chaser(Bettor):
    """Backs the likeliest suit; after a race that lost it its stake, with twice that stake.

    After a win, a race without a bet, or when it has doubled as often as it will, it starts again with the
    smallest stake. Where the rules list the stakes it takes the next one that is at least double; where
    limits or chips do not reach it bets what they allow.

    Options:
        doublings: how often it doubles before it starts again, 0-14.
    """

    idea: ClassVar[str] = "Backs the favourite and doubles its stake after every loss."
    source: ClassVar[str] = "the martingale"

    def __init__(self, settings: BookmakerSettings, *, doublings: int = 6) -> None:
        super().__init__(settings)
        self.doublings = whole("doublings", doublings, 0, 14)
        self._favourite = self.chances.argmax(1)  # (rails,)
        within = self.offers[self.offers <= self.least * 2**self.doublings]
        self._raised = np.append(within, self.least)  # beyond the last it starts again

    def act(self, view: BookmakerView, draws: Draws) -> Stakes:
        rows = np.arange(len(view.lane))
        last = view.last_stakes[rows, view.seat].max(1).astype(np.int64)
        last[view.last_payouts[rows, view.seat] > 0] = 0  # won: as if it had not bet
        wanted = self._raised[np.searchsorted(self._raised[:-1], 2 * last)]
        return self.back(view, self._favourite[self.rails(view)], wanted)
