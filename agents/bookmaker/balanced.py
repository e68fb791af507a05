"""A banker that leans against the money it has seen.

Suits mean nothing from race to race, but who backed the favourite last time may do it again: money is
remembered by rank, rank 0 being the likeliest suit of its race, equal ones in suit order. A book is balanced,
the bank paying the same whoever wins, where each suit's share of the money is its chance. So over the races
of this game each rank has a surplus, the share of all money it drew less the share it should have drawn, the
mean of its chances weighted by the money of the race. The surpluses of the ranks add up to 0.
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
from ..bookmaking.banker import Banker, board_prices, forget
from ..bookmaking.memory import with_room
from ..bookmaking.options import number


class Balanced(Banker):
    """Quotes (1 + share) · (p + lean · surplus of the suit's rank), so what was overbet is shortened and what
    was neglected lengthened, but never beyond the fair odds: no bet is given an edge.

    Options:
        share: what the chances of the book add up to beyond 1 before the board, 0-1.
        lean: how much of a surplus is answered, 0-1.
    """

    idea: ClassVar[str] = "Leans against the money: shortens the ranks that drew more than their share."
    source: ClassVar[str] = "the balanced book of the trade; Levitt 2004 on whether it is kept"

    def __init__(self, settings: BookmakerSettings, *, share: float = 0.1, lean: float = 0.5) -> None:
        super().__init__(settings)
        self.share = number("share", share, 0, 1)
        self.lean = number("lean", lean, 0, 1)
        # (rails, 4): the suit of each rank, and the rank of each suit
        self._suits = np.argsort(-self.chances, axis=1, kind="stable")
        self._ranks = np.argsort(self._suits, axis=1)
        self._surplus: Floats = np.zeros((0, SUITS))  # (lanes, 4) chips a rank drew beyond its share
        self._money: Rows = np.zeros(0, np.int64)  # (lanes,) chips staked in the races counted
        self._latest: Rows = np.zeros(0, np.int64)  # (lanes,) the race counted last, in races run after it

    def begin(self, lanes: Flags) -> None:
        self._grow(len(lanes))
        for memory in (self._surplus, self._money, self._latest):
            forget(memory, lanes)

    def watch(self, view: BookmakerView) -> None:
        if len(view.lane) == 0:
            return
        self._grow(int(view.lane.max()) + 1)
        past = np.flatnonzero(view.race > 0)
        last = rail_index(self.course, view.last_rail[past])
        count_surplus(
            self._surplus, self._money, self._latest, past, view.lane, view.seat, view.race,
            view.last_stakes, last, self.chances, self._ranks,
        )  # fmt: skip

    def act(self, view: BookmakerView, draws: Draws) -> Counts:
        self.watch(view)
        rails = self.rails(view)
        drawn = self._surplus[view.lane] / np.maximum(self._money[view.lane], 1)[:, None]  # (n, rank)
        surplus = np.take_along_axis(drawn, self._ranks[rails], axis=1)  # (n, suit)
        fair = self.chances[rails]
        return board_prices(np.maximum(fair, (1 + self.share) * (fair + self.lean * surplus)))

    def _grow(self, lanes: int) -> None:
        self._surplus = with_room(self._surplus, lanes, 0)
        self._money = with_room(self._money, lanes, 0)
        self._latest = with_room(self._latest, lanes, 0)


@kernel
def count_surplus(  # type: ignore[no-untyped-def]
    surplus, money, latest, past, lane, seat, race, last_stakes, rails, chances, ranks
):
    """Adds the last race of the rows ``past`` to their lanes, once a race; the looking seat's own stakes are
    not counted, it does not bet against itself. ``rails`` are the last races' rails in the order of ``past``.
    """
    for k in range(past.shape[0]):
        i = past[k]
        at = lane[i]
        if race[i] == latest[at]:
            continue
        latest[at] = race[i]
        total = np.int64(0)
        for suit in range(SUITS):
            drawn = np.int64(0)
            for other in range(last_stakes.shape[1]):
                if other != seat[i]:
                    drawn += last_stakes[i, other, suit]
            surplus[at, ranks[rails[k], suit]] += drawn
            total += drawn
        for suit in range(SUITS):
            surplus[at, ranks[rails[k], suit]] -= total * chances[rails[k], suit]
        money[at] += total
