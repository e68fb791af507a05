"""Superfecta, many tables at once. Rule: RULES.md §1 and §2.

A turn is a race: every seat hands in its stakes (40,) int16, chips on each line.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from ..contract import Game
from ..errors import InvalidSettings
from ..kernels import Chips, Counts, Flags, Floats, Rows, Stakes, picked, read_only
from ..order_law import line_table, order_table, rail_index
from ..race import DECK_SIZE, swaps_that_lay
from ..track import SUPERFECTA
from .kernels import expect_races, find_faults, open_tables, run_races, show_race
from .lines import LINES, POOL_OF, Pool, line_text
from .pools import rules_of
from .settings import SuperfectaSettings
from .state import SuperfectaState, SuperfectaView, blank_state

NEGATIVE: Final = 1
NOT_A_MULTIPLE: Final = 2
TOO_LARGE: Final = 3
PLACES: Final = 3  # the fourth is decided by elimination


class Superfecta(Game[SuperfectaState, SuperfectaView]):
    """A batch of Superfecta tables; see `railbird.games.contract.Game`.

    A ticket that costs more than the player's chips is refused whole: the seat has no wager in that race.
    """

    name: ClassVar[str] = "superfecta"
    settings: SuperfectaSettings
    decision_shape = (LINES,)
    decision_dtype = np.int16
    views_differ = False

    def __init__(
        self, settings: SuperfectaSettings | None = None, seed: int = 0, lanes: int | list[int] | Rows = 1
    ) -> None:
        super().__init__(settings or SuperfectaSettings(), seed, lanes)
        self._rules = rules_of(self.settings)
        self._deck = np.empty(DECK_SIZE, np.int8)

    @property
    def to_act(self) -> Flags:
        """Every seat, broke ones included, while the game lasts: their ticket is then the empty one."""
        return np.broadcast_to(~self.state.over[:, None], self.state.profit.shape).copy()

    @property
    def out(self) -> Flags:
        """Seats with fewer chips than the smallest minimum bet: only the final division still pays them."""
        broke: Flags = self.state.bankrolls < min(self.settings.minimums)
        return broke

    @property
    def staked(self) -> Chips:
        # a ticket of 40 wagers of at most 2^15 chips fits 32 bits, and is added faster there
        staked: Chips = self.state.last_stakes.sum(axis=2, dtype=np.int32).astype(np.int64)
        return staked

    @property
    def refused(self) -> Flags:
        return self.state.last_refused

    def faults(self, decisions: NDArray[Any], lanes: Flags | None = None) -> NDArray[np.int8]:
        rows = self.rows(lanes)
        codes = np.empty((len(rows), self.seats), np.int8)
        find_faults(codes, _words(decisions), decisions, rows, self._rules, self.settings.max_wager)
        return codes

    def explain(self, code: int, decision: Stakes, lane: int, seat: int) -> str:
        least = np.array(self.settings.minimums)[POOL_OF]
        largest = self.settings.max_wager
        broken = {
            NEGATIVE: decision < 0,
            NOT_A_MULTIPLE: decision % least != 0,
            TOO_LARGE: decision > largest,
        }
        line = int(np.flatnonzero(broken[code])[0])
        rule = {
            NEGATIVE: "a stake is never negative",
            NOT_A_MULTIPLE: f"a stake in {Pool(int(POOL_OF[line])).name} is a multiple of {least[line]}",
            TOO_LARGE: f"a stake is at most {largest} chips",
        }[code]
        return f"lane {lane}, seat {seat}: {int(decision[line])} chips on {line_text(line)}; {rule}"

    def expected_profit(self, lanes: Flags | None = None) -> Floats:
        return self._expect(lanes)[0]

    def adjusted_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, seats) float64: see `Game.adjusted_profit`.

        A chip in a pool is worth to a seat its part of what that pool was expected to pay in the last race,
        as far as it will be won if all bet on like this, and an equal part of what is left to be divided.
        """
        profit, luck = self._expect(lanes)
        return profit - luck

    def _expect(self, lanes: Flags | None) -> tuple[Floats, Floats]:
        """(n, seats) twice: the expected profit of the last race, and the luck it left in the pools."""
        rows, state = self.rows(lanes), self.state
        out, luck = np.empty((len(rows), self.seats)), np.empty((len(rows), self.seats))
        rail = rail_index(SUPERFECTA, state.last_rail[rows]) if len(rows) else rows
        expect_races(
            out, luck, rows, self._rules, self.settings.races, state.turn, state.last_stakes,
            state.last_pools, state.over, state.last_order, rail, line_table(SUPERFECTA),
            order_table(SUPERFECTA),
        )  # fmt: skip
        return out, luck

    def dealt(self, lane: int) -> Counts:
        """The cards of a lane's last race, rail first, then the stock in the order dealt, (n,) int8.

        Raises:
            InvalidSettings: no race has been run in that lane.
        """
        state = self.state
        if state.last_order[lane] < 0:
            raise InvalidSettings(f"no race has been run in lane {lane} yet")
        count = show_race(self._deck, state.last_swaps[lane], state.key[lane], state.turn[lane] - 1)
        return self._deck[:count].copy()

    @classmethod
    def from_view(
        cls,
        settings: SuperfectaSettings,
        view: SuperfectaView,
        hidden: NDArray[Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """Tables in the position a seat sees; nothing is hidden from it but the stock and tickets to come."""
        if hidden is not None:
            raise InvalidSettings("in Superfecta a seat lacks nothing but chance; hidden must be None")
        table = cls(settings, seed, len(view.lane))
        table.start()
        state = table.state
        for name in ("rail_cards", "rail", "pools", "bankrolls", "refused", "last_rail", "last_order"):
            getattr(state, name)[:] = getattr(view, name)
        for name in ("last_stakes", "last_pools", "last_payouts"):
            getattr(state, name)[:] = getattr(view, name)
        state.turn[:] = view.race
        state.takeout[:] = settings.chips * settings.seats - view.bankrolls.sum(1) - view.pools.sum(1)
        state.rail_swaps[:] = [swaps_that_lay(cards) for cards in view.rail_cards]
        return table

    def _blank_state(self, lanes: int) -> SuperfectaState:
        return blank_state(lanes, self.seats, SUPERFECTA.rail)

    def _open(self, rows: Rows) -> None:
        state = self.state
        state.bankrolls[rows] = self.settings.chips
        for name in ("pools", "takeout", "undivided", "refused", "last_swaps", "last_rail"):
            getattr(state, name)[rows] = 0
        for name in ("last_stakes", "last_refused", "last_pools", "last_payouts"):
            getattr(state, name)[rows] = 0
        state.last_order[rows] = -1
        open_tables(state.rail_cards, state.rail_swaps, state.rail, self._deck, rows, state.key)

    def _play(self, decisions: Stakes, rows: Rows) -> None:
        state = self.state
        run_races(
            state.turn, state.profit, state.over, state.bankrolls, state.pools, state.takeout,
            state.undivided, state.refused, state.rail_cards, state.rail_swaps, state.rail,
            state.last_swaps, state.last_rail, state.last_order, state.last_stakes,
            _words(state.last_stakes), state.last_refused, state.last_pools, state.last_payouts,
            self._deck, _words(decisions), rows, state.key, self._rules, self.settings.races,
        )  # fmt: skip

    def _view(self, seats: Rows, rows: Rows) -> SuperfectaView:
        state = self.state
        return SuperfectaView(
            lane=read_only(rows.copy()),
            seat=read_only(seats.copy()),
            race=read_only(picked(state.turn, rows)),
            rail_cards=read_only(picked(state.rail_cards, rows)),
            rail=read_only(picked(state.rail, rows)),
            pools=read_only(picked(state.pools, rows)),
            bankrolls=read_only(picked(state.bankrolls, rows)),
            refused=read_only(picked(state.refused, rows)),
            last_rail=read_only(picked(state.last_rail, rows)),
            last_order=read_only(picked(state.last_order, rows)),
            last_stakes=read_only(picked(state.last_stakes, rows)),
            last_pools=read_only(picked(state.last_pools, rows)),
            last_payouts=read_only(picked(state.last_payouts, rows)),
        )


def _words(stakes: Stakes) -> NDArray[np.uint64]:
    """Stakes (lanes, seats, 40) int16, read four at a time: (lanes, seats, 10) uint64."""
    return stakes.view(np.uint64)
