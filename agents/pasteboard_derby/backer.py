"""What every Pasteboard Derby agent starts from: it likes some horses better than others and names the best.

Before a race all horses are equal, so an agent is told apart by what it makes of the others' earlier races.
Rule: RULES.md §5.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

import numpy as np

from ...games.checks import one_of
from ...games.kernels import Counts, Flags, Floats, Rows, kernel
from ...games.pasteboard_derby.race import HORSES
from ...games.pasteboard_derby.settings import PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from ...games.streams import Draws
from ..contract import Agent

SAME: Final = 1e-9  # likings that differ by less than this share of the greater are equal
EVEN: Final = 1 / HORSES
MEMORIES: Final = ("last", "all")


class Backer(Agent[PasteboardDerbyView]):
    """A seat at Pasteboard Derby: names the horse it likes best, one of the best by draws where several are.

    Returns (n, 1) int8: 1-4 for H, D, C, S, and 0 for a seat that cannot pay. Draws one number a decision,
    also where nothing is to be drawn.
    """

    settings: PasteboardDerbySettings

    @abstractmethod
    def liking(self, view: PasteboardDerbyView) -> Floats:
        """(n, 4) how much each horse is liked. Rows of seats that cannot pay are not read."""

    def act(self, view: PasteboardDerbyView, draws: Draws) -> Counts:
        named = np.zeros((len(view.lane), 1), np.int8)
        name_best(named, self.liking(view), draws.uniform(1), view.pays)
        return named


def rivals(view: PasteboardDerbyView) -> Flags:
    """(n, seats) bool: the other seats that name a horse in this race."""
    others = view.payers.copy()
    others[np.arange(len(others)), view.seat] = False
    return others


def times_named(view: PasteboardDerbyView, memory: str) -> Rows:
    """(n, seats, 4) how often each seat has named each horse: in all races of the game, or in the last."""
    if memory == "all":
        return view.tally.astype(np.int64)
    last: Flags = view.last_named[:, :, None] == np.arange(1, HORSES + 1)
    return last.astype(np.int64)


def habits(times: Rows, prior: float = 0.0) -> Floats:
    """(n, seats, 4) the chance with which each seat names each horse if it goes on as before.

    A horse named k times in n races has the chance (k + prior/4) / (n + prior); a seat of which nothing is
    known, 1/4 each.
    """
    races = times.sum(2, keepdims=True)
    return np.where(races > 0, (times + prior * EVEN) / np.maximum(races + prior, 1), EVEN)


def memory_of(memory: str) -> str:
    """``memory`` if it is "last" or "all".

    Raises:
        InvalidSettings: it is not.
    """
    return one_of("memory", memory, MEMORIES)


@kernel
def name_best(named, liking, drawn, pays):  # type: ignore[no-untyped-def]
    """Fills named (n, 1) with the best of liking (n, 4) where ``pays``; drawn (n, 1) picks among equals."""
    for i in range(named.shape[0]):
        named[i, 0] = 0
        if not pays[i]:
            continue
        best = np.max(liking[i])
        floor = best - SAME * abs(best)
        equals = np.int64(0)
        for horse in range(HORSES):
            equals += liking[i, horse] >= floor
        picked = np.int64(drawn[i, 0] * equals)
        for horse in range(HORSES):
            if liking[i, horse] >= floor:
                if picked == 0:
                    named[i, 0] = horse + 1
                picked -= 1
