"""Pasteboard Derby, many tables at once. Rule: RULES.md §5.

A turn is a race: every seat that can pay the ante names its horse, (1,) int8: 1, 2, 3, 4 for H, D, C, S.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..contract import Game
from ..errors import InvalidSettings
from ..kernels import Chips, Counts, Flags, Floats, Rows, picked, read_only
from ..race import DECK_SIZE
from .kernels import NO_HORSE, expect_races, find_faults, run_races
from .law import pair_chances, win_chances
from .race import HORSES, NOBODY, STOCK_CARDS, TRACK_CARDS, show_race, show_track, steps_of
from .settings import PasteboardDerbySettings
from .state import PasteboardDerbyState, PasteboardDerbyView, RaceRecord, blank_state

CHOICES = "1 (hearts), 2 (diamonds), 3 (clubs) or 4 (spades)"


class PasteboardDerby(Game[PasteboardDerbyState, PasteboardDerbyView]):
    """A batch of Pasteboard Derby tables; see `railbird.games.contract.Game`.

    A seat with fewer chips than the ante sits out and is not to act; its decision is 0. A payer cannot pass:
    its `fallback` is the lowest horse, hearts.
    """

    name: ClassVar[str] = "pasteboard-derby"
    settings: PasteboardDerbySettings
    decision_shape = (1,)
    decision_dtype = np.int8

    def __init__(
        self,
        settings: PasteboardDerbySettings | None = None,
        seed: int = 0,
        lanes: int | list[int] | Rows = 1,
    ) -> None:
        super().__init__(settings or PasteboardDerbySettings(), seed, lanes)
        self._steps = steps_of(self.settings.advance)
        self._deck = np.empty(DECK_SIZE, np.int8)
        self._positions = np.empty(HORSES, np.int64)
        self._unseen = np.empty(0, np.int8)

    @property
    def to_act(self) -> Flags:
        """The seats that can pay the ante, while the game lasts."""
        return self._payers(np.arange(self.lanes))

    @property
    def out(self) -> Flags:
        """Seats with fewer chips than the ante: only the final division still pays them."""
        broke: Flags = self.state.bankrolls < self.settings.ante
        return broke

    @property
    def staked(self) -> Chips:
        """(lanes, seats) int64: the ante, from each seat that paid it in the last race."""
        return self.settings.ante * (self.state.last_named > 0).astype(np.int64)

    def fallback(self) -> Counts:
        """Decisions (lanes, seats, 1) int8 that are legal now: hearts from every seat that is to act."""
        return self.to_act.astype(np.int8)[:, :, None]

    def faults(self, decisions: NDArray[Any], lanes: Flags | None = None) -> NDArray[np.int8]:
        rows, state = self.rows(lanes), self.state
        codes = np.empty((len(rows), self.seats), np.int8)
        find_faults(codes, decisions, rows, state.bankrolls, state.over, self.settings.ante)
        return codes

    def explain(self, code: int, decision: Counts, lane: int, seat: int) -> str:
        if code == NO_HORSE:
            return f"lane {lane}, seat {seat}: no horse named; a seat that pays the ante names one: {CHOICES}"
        return f"lane {lane}, seat {seat}: {int(decision[0])} is no horse; name {CHOICES}"

    def expected_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, seats) float64: the expectation of the last race's ``profit`` given the horses named.

        It rests on the chances in `law.py`, which are exact but for races that outlast the stock.
        """
        return self._expect(lanes)[0]

    def adjusted_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, seats) float64: see `Game.adjusted_profit`.

        A chip in the bank is worth to those who paid the last ante an equal part of it, as far as it will be
        won if all name such horses again, and to everybody an equal part of what is left to be divided.
        """
        profit, luck = self._expect(lanes)
        return profit - luck

    def _expect(self, lanes: Flags | None) -> tuple[Floats, Floats]:
        """(n, seats) twice: the expected profit of the last race, and the luck it left in the bank."""
        rows, state = self.rows(lanes), self.state
        out, luck = np.empty((len(rows), self.seats)), np.empty((len(rows), self.seats))
        expect_races(
            out, luck, np.empty(self.seats, np.int64), rows, state.turn, state.profit, state.over,
            state.bankrolls, state.bank, state.last_named, state.last_winner, state.last_second,
            state.last_bank, win_chances(), pair_chances(self.settings.advance), self.settings.ante,
            self.settings.races,
        )  # fmt: skip
        return out, luck

    def record(self, lane: int) -> RaceRecord:
        """A lane's last race card by card, dealt again from its streams.

        Raises:
            InvalidSettings: no race has been run in that lane.
        """
        state, race = self.state, int(self.state.dealt_race[lane])
        if race < 0:
            raise InvalidSettings(f"no race has been run in lane {lane} yet")
        places = 1 if state.last_second[lane] == NOBODY else 2
        count = STOCK_CARDS
        while True:
            cards, horses = np.empty(count, np.int8), np.empty(count, np.int8)
            dealt = show_race(
                cards, horses, self._positions, self._deck, state.key[lane], race, self._steps, places
            )
            if dealt <= count:
                break
            count = dealt  # the race outlasted the stock
        track = np.empty(TRACK_CARDS, np.int8)
        show_track(track, self._deck, state.key[lane], race)
        cards, horses = cards[:dealt], horses[:dealt]
        return RaceRecord(*(read_only(array) for array in (track, cards, horses, self._steps[horses, cards])))

    @classmethod
    def from_view(
        cls,
        settings: PasteboardDerbySettings,
        view: PasteboardDerbyView,
        hidden: NDArray[Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """Tables in the position a seat sees; nothing is hidden from it but the cards and horses to come."""
        if hidden is not None:
            raise InvalidSettings("in Pasteboard Derby a seat lacks nothing but chance; hidden must be None")
        table = cls(settings, seed, len(view.lane))
        table.start()
        state = table.state
        for name in ("bank", "bankrolls", "tally"):
            getattr(state, name)[:] = getattr(view, name)
        for name in ("last_named", "last_winner", "last_second", "last_bank", "last_payouts"):
            getattr(state, name)[:] = getattr(view, name)
        state.turn[:] = view.race
        state.profit[:] = view.last_payouts - settings.ante * (view.last_named > 0)
        state.over[:] = ~view.payers.any(1)
        state.undivided[:] = settings.bankroll * settings.seats - view.bankrolls.sum(1) - view.bank
        return table

    def _payers(self, rows: Rows) -> Flags:
        """(n, seats) bool: who pays the ante in the coming race."""
        state = self.state
        able: Flags = (state.bankrolls[rows] >= self.settings.ante) & ~state.over[rows, None]
        return able

    def _blank_state(self, lanes: int) -> PasteboardDerbyState:
        return blank_state(lanes, self.seats)

    def _open(self, rows: Rows) -> None:
        state = self.state
        state.bankrolls[rows] = self.settings.bankroll
        for name in ("bank", "undivided", "tally", "last_named", "last_bank", "last_payouts"):
            getattr(state, name)[rows] = 0
        for name in ("dealt_race", "last_winner", "last_second"):
            getattr(state, name)[rows] = -1

    def _play(self, decisions: Counts, rows: Rows) -> None:
        state, settings = self.state, self.settings
        run_races(
            state.turn, state.profit, state.over, state.bankrolls, state.bank, state.undivided, state.tally,
            state.dealt_race, state.last_named, state.last_winner, state.last_second, state.last_bank,
            state.last_payouts, self._positions, self._deck, self._unseen, decisions, rows, state.key,
            self._steps, settings.ante, settings.races, settings.places,
        )  # fmt: skip

    def _view(self, seats: Rows, rows: Rows) -> PasteboardDerbyView:
        state = self.state
        return PasteboardDerbyView(
            lane=read_only(rows.copy()),
            seat=read_only(seats.copy()),
            race=read_only(picked(state.turn, rows)),
            bank=read_only(picked(state.bank, rows)),
            bankrolls=read_only(picked(state.bankrolls, rows)),
            payers=read_only(self._payers(rows)),
            tally=read_only(picked(state.tally, rows)),
            last_named=read_only(picked(state.last_named, rows)),
            last_winner=read_only(picked(state.last_winner, rows)),
            last_second=read_only(picked(state.last_second, rows)),
            last_bank=read_only(picked(state.last_bank, rows)),
            last_payouts=read_only(picked(state.last_payouts, rows)),
        )
