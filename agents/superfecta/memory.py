"""What an agent remembers of a game's tickets, lane by lane, told by the part a horse plays in its race.

Suits mean nothing from race to race: who backed hearts last time backed, say, the second favourite. So a line
is remembered by its *role*, the line it would be if the horses were renamed by their chance to win: role 0 is
"the favourite wins", role 4 "the favourite before the second favourite". Equal horses are ranked by suit.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...games.kernels import Counts, Flags, Rows, kernel
from ...games.order_law import rail_index, rails
from ...games.superfecta.lines import HORSES, LINE_OF, LINES
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUPERFECTA


def _roles() -> Counts:
    roles = np.empty((len(rails(SUPERFECTA)), LINES), np.int8)
    for rail, shown in enumerate(rails(SUPERFECTA)):
        ranked = sorted(range(len(shown)), key=lambda suit: shown[suit])  # fewest cards shown: likeliest
        rank = [ranked.index(suit) for suit in range(len(shown))]
        roles[rail] = [LINE_OF[tuple(rank[suit] for suit in horses)] for horses in HORSES]
    return roles


ROLES: Final = _roles()  # (84, 40): rail, line -> role


class _Memory:
    """Races counted so far in each lane; what is remembered of them is the subclass's."""

    def __init__(self) -> None:
        self.races: Rows = np.zeros(0, np.int64)  # (lanes,) races counted
        self._latest: Rows = np.zeros(0, np.int64)  # (lanes,) the race counted last, in races run after it

    def _arrays(self) -> list[str]:
        return ["races", "_latest"]

    def forget(self, lanes: Flags) -> None:
        """Clears these lanes (lanes,) bool; the memory grows to as many lanes as the mask has."""
        self._grow(len(lanes))
        for name in self._arrays():
            getattr(self, name)[: len(lanes)][lanes] = 0

    def _grow(self, lanes: int) -> None:
        for name in self._arrays():
            old = getattr(self, name)
            if len(old) < lanes:
                new = np.zeros((lanes, *old.shape[1:]), old.dtype)
                new[: len(old)] = old
                setattr(self, name, new)

    def _prepare(self, view: SuperfectaView) -> Rows:
        """Makes room for the view's lanes; the number of each row's last rail (0 before the first race)."""
        if len(view.lane):
            self._grow(int(view.lane.max()) + 1)
        past = view.race > 0
        last = np.zeros(len(past), np.int64)
        last[past] = rail_index(SUPERFECTA, view.last_rail[past])
        return last


class Coverage(_Memory):
    """How often each seat has held each role. 480 bytes a lane at six seats."""

    def __init__(self, seats: int) -> None:
        super().__init__()
        self.held: NDArray[np.int16] = np.zeros((0, seats, LINES), np.int16)  # (lanes, seats, 40)

    def _arrays(self) -> list[str]:
        return [*super()._arrays(), "held"]

    def read(self, view: SuperfectaView) -> None:
        """Counts the last race's tickets of every row whose race is not counted yet."""
        last = self._prepare(view)
        count_tickets(
            self.held, self.races, self._latest, view.lane, view.race, view.last_stakes, ROLES, last
        )  # fmt: skip


class Crowd(_Memory):
    """How much money the others have put on each role. 320 bytes a lane."""

    def __init__(self) -> None:
        super().__init__()
        self.money: Rows = np.zeros((0, LINES), np.int64)  # (lanes, 40) chips

    def _arrays(self) -> list[str]:
        return [*super()._arrays(), "money"]

    def read(self, view: SuperfectaView) -> None:
        """Adds the last race's stakes of all but the looking seat, in rows whose race is not counted yet."""
        last = self._prepare(view)
        count_money(
            self.money, self.races, self._latest, view.lane, view.seat, view.race, view.last_stakes, ROLES,
            last,
        )  # fmt: skip


@kernel
def count_tickets(held, races, latest, lane, race, last_stakes, roles, rails):  # type: ignore[no-untyped-def]
    """Adds each row's last tickets (n, seats, 40) to held[lane], once a race; a race seen earlier than the
    latest one belongs to a new game.
    """
    for i in range(lane.shape[0]):
        at = lane[i]
        if race[i] < latest[at]:
            held[at] = 0
            races[at] = 0
        if race[i] != latest[at] and race[i] > 0:
            for seat in range(held.shape[1]):
                for line in range(LINES):
                    held[at, seat, roles[rails[i], line]] += last_stakes[i, seat, line] > 0
            races[at] += 1
        latest[at] = race[i]


@kernel
def count_money(money, races, latest, lane, seat, race, last_stakes, roles, rails):  # type: ignore[no-untyped-def]
    """The same for the chips of all but the row's own seat, money (lanes, 40)."""
    for i in range(lane.shape[0]):
        at = lane[i]
        if race[i] < latest[at]:
            money[at] = 0
            races[at] = 0
        if race[i] != latest[at] and race[i] > 0:
            for other in range(last_stakes.shape[1]):
                if other != seat[i]:
                    for line in range(LINES):
                        money[at, roles[rails[i], line]] += last_stakes[i, other, line]
            races[at] += 1
        latest[at] = race[i]
