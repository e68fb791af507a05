"""Pasteboard Derby for learners: a view as about 80 numbers, a horse named in one action.

Actions 1–4 name H, D, C, S and hand the choice in at once; action 0, nothing to decide, is the only one of a
seat that sits out and is not open to a payer. The index table of the observation is
`PasteboardDerbyEncoding.layout`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cards import SUIT_LETTERS, parse_suit
from ..checks import whole
from ..kernels import Counts, Features, Flags, Rows, inline_kernel, kernel
from ..layout import Layout
from .race import HORSES, NOBODY
from .settings import PasteboardDerbySettings
from .state import PasteboardDerbyState, PasteboardDerbyView


@dataclass(slots=True)
class HorseSlip:
    """The horses being named, a row for each row of the view."""

    horse: Counts  # (n,) int8, 1–4, 0 while none is named


class PasteboardDerbyEncoding:
    """Observations and actions of a seat at Pasteboard Derby.

    Args:
        settings: the rules of the table.
    """

    version = 1

    def __init__(self, settings: PasteboardDerbySettings) -> None:
        self.settings = settings
        self.actions = 1 + HORSES
        self.layout = _layout(settings.seats)
        self.features = self.layout.size
        total = settings.bankroll * settings.seats
        self._unit = 1.0 / total if total else 0.0

    def begin(self, view: PasteboardDerbyView) -> HorseSlip:
        """An empty slip for each row."""
        return HorseSlip(np.zeros(len(view.lane), np.int8))

    def mask(self, view: PasteboardDerbyView, draft: HorseSlip) -> NDArray[np.int8]:
        """(n, 5) int8: the four horses for a payer, action 0 alone for a seat that sits out."""
        pays = view.pays.astype(np.int8)
        return np.repeat(np.stack([1 - pays, pays], axis=1), (1, HORSES), axis=1)

    def observe(self, view: PasteboardDerbyView, draft: HorseSlip, out: Features | None = None) -> Features:
        """(n, features) float32 in the order of `layout`, a fresh array or ``out``."""
        out = np.empty((len(view.lane), self.features), np.float32) if out is None else out
        write_views(
            out, view.seat, view.race, view.bank, view.bankrolls, view.payers, view.tally, view.last_named,
            view.last_winner, view.last_second, self._unit, self.settings.races,
        )  # fmt: skip
        return out

    def observe_all(self, state: PasteboardDerbyState, out: Features) -> None:
        """Fills out (lanes, seats, features) with what every seat sees before it names a horse."""
        payers = (state.bankrolls >= self.settings.ante) & ~state.over[:, None]
        write_tables(
            out, state.turn, state.bank, state.bankrolls, payers, state.tally, state.last_named,
            state.last_winner, state.last_second, self._unit, self.settings.races,
        )  # fmt: skip

    def write(self, draft: HorseSlip, actions: Rows, rows: Flags) -> Flags:
        """Writes a legal action into each draft of the mask; (n,) bool: all of these are now handed in."""
        draft.horse[rows] = actions[rows]
        return rows.copy()

    def decision(self, draft: HorseSlip) -> Counts:
        """(n, 1) int8: the horse each draft names."""
        return draft.horse[:, None].copy()

    def spell(self, view: PasteboardDerbyView, decisions: Counts) -> Rows:
        """(n, 1) int64: the actions that write these legal decisions (n, 1), see `Encoding.spell`."""
        return decisions.astype(np.int64)

    def encode(self, horse: str = "") -> int:
        """The action that names a horse by its suit: ``encode("C")`` is 3; 0 for no horse.

        Raises:
            InvalidSettings: there is no such suit.
        """
        return parse_suit(horse) + 1 if horse else 0

    def decode(self, action: int) -> tuple[str]:
        """The horse of an action, the inverse of `encode`: ``("C",)``, or ``("",)`` for action 0.

        Raises:
            InvalidSettings: there is no such action.
        """
        number = whole("action", action, 0, HORSES)
        return (SUIT_LETTERS[number - 1] if number else "",)

    def action_text(self, action: int) -> str:
        """An action in words: ``"nothing to decide"`` or ``"C"``."""
        return self.decode(action)[0] or "nothing to decide"


def _layout(seats: int) -> Layout:
    total = "as a share of all chips at the table"
    return Layout.of(
        [
            ("race", 1, 0, 1, "races run / races of the game"),
            ("bank", 1, 0, 1, f"chips carried in the bank {total}"),
            ("bankrolls", seats, 0, 1, f"own chips, then each following seat's, {total}"),
            ("payers", seats, 0, 1, "1 for a seat that pays the ante in this race, own first"),
            ("winner", HORSES, 0, 1, "last race: 1 for the horse of H, D, C, S that won; 0 before the first"),
            ("second", HORSES, 0, 1, "last race: 1 for the second horse; 0 where it was for first only"),
            ("named", HORSES * seats, 0, 1, "last race: 1 for the horse each seat named, own seat first"),
            ("habits", HORSES * seats, 0, 1, "share of the races run in which each seat named each horse"),
            ("company", HORSES, 0, 1, "last race: share of the other seats that named each horse"),
        ]
    )


@inline_kernel
def write_seat(  # type: ignore[no-untyped-def]
    out, seat, race, bank, bankrolls, payers, tally, last_named, last_winner, last_second, unit, races
):
    """Fills out (features,) with what one seat sees; the other arguments are those of its table."""
    seats = bankrolls.shape[0]
    out[:] = 0
    out[0] = race / races
    out[1] = bank * unit
    winner = 2 + 2 * seats
    named = winner + 2 * HORSES
    habits = named + HORSES * seats
    company = habits + HORSES * seats
    if last_winner != NOBODY:
        out[winner + last_winner] = 1
    if last_second != NOBODY:
        out[winner + HORSES + last_second] = 1
    per_race = np.float32(1 / max(race, 1))
    per_seat = np.float32(1 / (seats - 1))
    for step in range(seats):
        other = seat + step
        if other >= seats:
            other -= seats
        out[2 + step] = bankrolls[other] * unit
        out[2 + seats + step] = payers[other]
        for horse in range(HORSES):
            out[habits + HORSES * step + horse] = np.float32(tally[other, horse]) * per_race
        horse = last_named[other] - 1
        if horse >= 0:
            out[named + HORSES * step + horse] = 1
            if step > 0:
                out[company + horse] += per_seat


@kernel
def write_views(  # type: ignore[no-untyped-def]
    out, seat, race, bank, bankrolls, payers, tally, last_named, last_winner, last_second, unit, races
):
    """Fills out (n, features), a row for each row of a view."""
    for i in range(out.shape[0]):
        write_seat(
            out[i], seat[i], race[i], bank[i], bankrolls[i], payers[i], tally[i], last_named[i],
            last_winner[i], last_second[i], unit, races,
        )  # fmt: skip


@kernel
def write_tables(  # type: ignore[no-untyped-def]
    out, race, bank, bankrolls, payers, tally, last_named, last_winner, last_second, unit, races
):
    """Fills out (lanes, seats, features) with every seat's view of its table."""
    for lane in range(out.shape[0]):
        for seat in range(out.shape[1]):
            write_seat(
                out[lane, seat], seat, race[lane], bank[lane], bankrolls[lane], payers[lane], tally[lane],
                last_named[lane], last_winner[lane], last_second[lane], unit, races,
            )  # fmt: skip
