"""Exact chances, and what a chip is worth where that is known, as features.

Rule: RULES.md §1 for the chances, §3 and §4 for the odds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.bookmaking.prices import BOARD, NET, NO_PRICE, PER
from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.errors import InvalidSettings
from ...games.kernels import Features
from ...games.order_law import line_table, rail_index, win_table
from ...games.superfecta.lines import POOL_SLICES, Pool
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUPERFECTA
from ..learner_table import LearnerTable
from .extended import Part

LONGEST: Final = max(net / per for net, per in BOARD)
SUITS: Final = "on H, D, C, S"


class Odds(ABC):
    """The features of one game. Nothing has to be remembered for them."""

    parts: Sequence[Part]

    @abstractmethod
    def features(self, view: Any) -> Features:
        """(n, sum of sizes) float32 for the rows of a view."""

    @property
    def summary(self) -> str:
        return f"ExactOdds {[name for name, *_ in self.parts]}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {}


class LineOdds(Odds):
    """The chance of each of the 40 lines of Superfecta; the others' tickets decide what a chip is worth."""

    def __init__(self) -> None:
        self.parts = [
            (
                f"chance_{pool.name.lower()}", POOL_SLICES[pool].stop - POOL_SLICES[pool].start, 0, 1,
                f"exact chance of each {pool.name} line to win, in the order of lines",
            )
            for pool in Pool
        ]  # fmt: skip

    def features(self, view: SuperfectaView) -> Features:
        return line_table(SUPERFECTA)[rail_index(SUPERFECTA, view.rail)].astype(np.float32)


class SuitOdds(Odds):
    """The chance of each suit at a bookmaker's, and to a bettor the exact expected profit of the smallest
    stake there, in chips for each chip staked: p · floor(s·n/d)/s − (1 − p), 0 before the odds are known.
    """

    def __init__(self, settings: BookmakerSettings, bets: bool) -> None:
        self._track = settings.course
        self._bets = bets
        stake = settings.stakes[0]
        self._wins = np.append(
            stake * NET // PER / stake, 0.0
        )  # (34,) net gain of a chip; the last is NO_PRICE
        self.parts = [("chance", 4, 0, 1, "exact chance of H, D, C, S to win")]
        if bets:
            meaning = (
                f"exact expected profit per chip of the smallest stake {SUITS}; 0 before the odds are known"
            )
            self.parts.append(("value", 4, -1, LONGEST, meaning))

    def features(self, view: BookmakerView) -> Features:
        chances = win_table(self._track)[rail_index(self._track, view.rail)]  # (n, 4)
        if not self._bets:
            return chances.astype(np.float32)
        values = np.where(view.quotes == NO_PRICE, 0.0, chances * self._wins[view.quotes] - (1 - chances))
        return np.concatenate([chances, values], axis=1).astype(np.float32)


def odds_of(table: LearnerTable) -> Odds:
    """The odds of a learner's game.

    Raises:
        InvalidSettings: the game has none that change from race to race.
    """
    options = table.options
    if isinstance(options.settings, SuperfectaSettings):
        return LineOdds()
    if isinstance(options.settings, BookmakerSettings):
        return SuitOdds(options.settings, bets=options.encoding.role != "banker")
    raise InvalidSettings(
        f"ExactOdds is for races with a rail of cards; in {options.game} nothing is known before that would"
        " change the chances"
    )
