"""A banker that leans against the money it has seen.

A book is balanced, the bank paying the same whoever wins, where each suit's share of the money is its chance.
Suits mean nothing from race to race, but who backed the favourite last time may do it again: money is
remembered by rank, rank 0 being the likeliest suit of its race, equal ones in suit order. Over the races of
this game a rank has *drawn* the chips staked on it, and was *due*, race by race, its chance of all chips.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView
from ...games.kernels import Counts, Flags, Floats, Rows, kernel
from ...games.order_law import rail_index
from ...games.streams import Draws
from ...games.track import SUITS
from ..bookmaking.banker import Banker, board_prices
from ..bookmaking.memory import with_room
from ..bookmaking.options import number


class Balanced(Banker):
    """Weighs a suit of chance p with p · (1 − lean + lean · drawn / due of its rank), scales the weights so
    that they add up to 1 + share, and quotes the longest board prices not above these odds.

    So ranks that drew more than their due are shortened and the others lengthened. A lean above
    share / (1 + share) can take a neglected suit beyond its fair odds, where value bettors wait for it.

    Options:
        share: what the chances of the book add up to beyond 1 before the board, 0-1.
        lean: how much of an imbalance is answered, 0-1.
    """

    idea: ClassVar[str] = "Leans against the money: shortens what was overbet, lengthens the rest."
    source: ClassVar[str] = "the balanced book of the trade; Levitt 2004 on whether it is kept"

    def __init__(self, settings: BookmakerSettings, *, share: float = 0.1, lean: float = 0.2) -> None:
        super().__init__(settings)
        self.share = number("share", share, 0, 1)
        self.lean = number("lean", lean, 0, 1)
        ranked = np.argsort(-self.chances, axis=1, kind="stable")  # (rails, 4) the suit of each rank
        self._ranks = np.argsort(ranked, axis=1)  # (rails, 4) the rank of each suit
        self._drawn: Rows = np.zeros((0, SUITS), np.int64)  # (lanes, 4) chips by rank
        self._due: Floats = np.zeros((0, SUITS))  # (lanes, 4)
        self._latest: Rows = np.zeros(0, np.int64)  # (lanes,) the race counted last, in races run after it

    def begin(self, lanes: Flags) -> None:
        self._grow(len(lanes))
        for memory in (self._drawn, self._due, self._latest):
            memory[: len(lanes)][lanes] = 0

    def watch(self, view: BookmakerView) -> None:
        past = np.flatnonzero(view.race > 0)
        if len(past) == 0:
            return
        self._grow(int(view.lane.max()) + 1)
        last = rail_index(self.course, view.last_rail[past])
        count_money(
            self._drawn, self._due, self._latest, past, view.lane, view.seat, view.race, view.last_stakes,
            last, self.chances, self._ranks,
        )  # fmt: skip

    def act(self, view: BookmakerView, draws: Draws) -> Counts:
        if len(view.lane):
            self._grow(int(view.lane.max()) + 1)
        self.watch(view)
        rails = self.rails(view)
        drawn, due = self._drawn[view.lane], self._due[view.lane]
        ratio = np.divide(drawn, due, out=np.ones(due.shape), where=due > 0)  # (n, rank)
        ratio = np.take_along_axis(ratio, self._ranks[rails], axis=1)  # (n, suit)
        fair = self.chances[rails]
        weights = fair * (1 - self.lean + self.lean * ratio)
        # with a lean of 1 nothing is left where all money was on a rank that cannot win now
        weights = np.where(weights.any(1, keepdims=True), weights, fair)
        return board_prices((1 + self.share) * weights / weights.sum(1, keepdims=True))

    def _grow(self, lanes: int) -> None:
        self._drawn = with_room(self._drawn, lanes, 0)
        self._due = with_room(self._due, lanes, 0)
        self._latest = with_room(self._latest, lanes, 0)


@kernel
def count_money(  # type: ignore[no-untyped-def]
    drawn, due, latest, past, lane, seat, race, last_stakes, rails, chances, ranks
):
    """Adds the last race of the rows ``past`` (k,) to their lanes, once a race; ``rails`` (k,) are those of
    the last races. The looking seat's own stakes do not count: it does not bet against itself.
    """
    for k in range(past.shape[0]):
        i = past[k]
        at = lane[i]
        if race[i] == latest[at]:
            continue
        latest[at] = race[i]
        total = np.int64(0)
        for other in range(last_stakes.shape[1]):
            if other != seat[i]:
                for suit in range(SUITS):
                    drawn[at, ranks[rails[k], suit]] += last_stakes[i, other, suit]
                    total += last_stakes[i, other, suit]
        for suit in range(SUITS):
            due[at, ranks[rails[k], suit]] += total * chances[rails[k], suit]
