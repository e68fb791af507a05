"""A bookmaker's table for learners: a view as a row of numbers, a ticket or a quote written step by step.

Action 0 hands a ticket in, and is all there is for a seat with nothing to decide. Then come the wagers,
``1 + suit * sizes + size`` for the size-th stake on a suit that has none yet, and then the 33 board prices:
each writes the odds of the next suit in the order H, D, C, S. A bettor's encoding has the wagers only, a
banker's the prices only, and that of a rotating bank both. The last wager the rules allow hands the ticket
in at once, so does the fourth price. The index table of the observation is `BookmakerEncoding.layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cards import SUIT_LETTERS, parse_suit
from ..checks import one_of, whole
from ..errors import InvalidSettings
from ..kernels import Chips, Features, Flags, Rows, Stakes, kernel
from ..spelling import NO_ACTION, spelled
from .observation import layout_of, scale_of, write_tables, write_views
from .prices import PRICES, parse_price, price_text
from .settings import BookmakerSettings
from .state import BookmakerState, BookmakerView, Phase

SIZES: Final = (
    1,
    2,
    5,
    10,
    20,
)  # stake sizes on offer, in minimum stakes, where the rules allow every multiple
ROLES: Final = ("bettor", "banker", "both")


@dataclass(slots=True)
class Slip:
    """Tickets and quotes being written, a row for each row of the view."""

    quoting: Flags  # (n,) the row is a quote
    values: Stakes  # (n, 4) int16 chips on each suit, or board prices of the first suits
    written: Rows  # (n,) int64 wagers or prices so far
    cost: Chips  # (n,) int64 chips of the ticket


class BookmakerEncoding:
    """Observations and actions of a seat at a bookmaker's table.

    Args:
        settings: the rules of the table.
        stakes: stake sizes on offer, in minimum stakes, ascending, all allowed by the rules; None: all that
            the rules list or, where they allow every multiple, 1, 2, 5, 10 and 20 as far as allowed.
        role: what the seat decides, "bettor", "banker" or "both"; None: both where the odds are quoted by a
            rotating bank, else bettor.

    Raises:
        InvalidSettings: the stake sizes are not ascending or not allowed, or nobody quotes in this game.
    """

    version = 1

    def __init__(
        self, settings: BookmakerSettings, stakes: Sequence[int] | None = None, role: str | None = None
    ) -> None:
        both = settings.quoted and settings.rotates
        self.role = one_of("role", role or ("both" if both else "bettor"), ROLES)
        if self.role != "bettor" and not settings.quoted:
            raise InvalidSettings("the odds of this game are published, so role is 'bettor'")
        offered = _offered(settings, stakes)
        self.settings = settings
        self.stakes = () if self.role == "banker" else offered
        self.layout = layout_of(settings)
        self.features = self.layout.size
        self._chips = np.array(self.stakes, np.int64)
        self._first_price = 1 + 4 * len(self.stakes)
        prices = 0 if self.role == "bettor" else PRICES
        self.actions = self._first_price + prices
        self.nvec: NDArray[np.int64] = np.full(4, max(len(self.stakes) + 1, prices))
        self._scale = scale_of(settings, offered[-1])

    def begin(self, view: BookmakerView) -> Slip:
        """An empty ticket for each row, or an empty quote where the seat is the bank that has to quote."""
        quotes = (view.phase == Phase.QUOTE) & (view.seat == view.bank) & (view.race < self.settings.races)
        count = len(view.lane)
        return Slip(
            quotes, np.zeros((count, 4), np.int16), np.zeros(count, np.int64), np.zeros(count, np.int64)
        )

    def mask(self, view: BookmakerView, draft: Slip) -> NDArray[np.int8]:
        """(n, actions) int8: to a bettor handing in and every stake within the suit's limit and its chips, to
        the bank that quotes the prices, to the others action 0 alone.
        """
        out = np.empty((len(draft.cost), self.actions), np.int8)
        bets = (view.phase == Phase.BET) & (view.seat != view.bank) & (view.seat < self.settings.seats)
        left = np.where(bets & (draft.written < self.settings.max_wagers), view.bankroll - draft.cost, 0)
        write_masks(out, draft.quoting, draft.values, left, view.limits, self._chips, self._first_price)
        return out

    def observe(self, view: BookmakerView, draft: Slip, out: Features | None = None) -> Features:
        """(n, features) float32 in the order of `layout`, a fresh array or ``out``."""
        out = np.empty((len(draft.cost), self.features), np.float32) if out is None else out
        write_views(
            out, view.seat, view.race, view.phase, view.bank, view.rail, view.quotes, view.limits,
            view.bankrolls, view.last_winner, view.last_quotes, view.last_stakes,
            draft.quoting, draft.values, draft.written, draft.cost, self._scale,
        )  # fmt: skip
        return out

    def observe_all(self, state: BookmakerState, out: Features) -> None:
        """Fills out (lanes, seats, features) with what every seat sees before it writes anything."""
        write_tables(
            out, state.turn, state.bank, state.rail, state.quotes, state.limits, state.bankrolls,
            state.last_winner, state.last_quotes, state.last_stakes, self._scale,
        )  # fmt: skip

    def write(self, draft: Slip, actions: Rows, rows: Flags) -> Flags:
        """Writes a legal action into each draft of the mask; (n,) bool: whether it is now handed in."""
        priced = np.flatnonzero(rows & (actions > 0) & draft.quoting)
        draft.values[priced, draft.written[priced]] = actions[priced] - self._first_price
        wagers = np.flatnonzero(rows & (actions > 0) & ~draft.quoting)
        if len(wagers):
            suit, size = np.divmod(actions[wagers] - 1, len(self.stakes))
            draft.values[wagers, suit] = self._chips[size]
            draft.cost[wagers] += self._chips[size]
        draft.written[rows & (actions > 0)] += 1
        full = draft.written >= np.where(draft.quoting, 4, self.settings.max_wagers)
        done: Flags = rows & ((actions == 0) | full)
        return done

    def whole(self, draft: Slip, choices: Rows, rows: Flags) -> None:
        """Writes whole decisions (n, 4) into the drafts of the mask: in a quote the board price of each suit,
        in a ticket 0 for none or the number 1, 2, … of a stake size.

        A number beyond the sizes on offer becomes the stake -1, which like more wagers than allowed or a
        stake above its limit is a fault of the decision (`Game.faults`); a ticket beyond the player's chips
        is refused by the game.
        """
        priced = np.full(int(self.nvec[0]), -1, np.int64)
        priced[: len(self.stakes) + 1] = (0, *self.stakes)
        quoting = draft.quoting[rows]
        stakes = np.where(quoting[:, None], 0, priced[choices[rows]])  # (rows, 4)
        draft.values[rows] = np.where(quoting[:, None], choices[rows], stakes)
        draft.written[rows] = np.where(quoting, 4, np.count_nonzero(stakes, axis=1))
        draft.cost[rows] = stakes.sum(1)

    def decision(self, draft: Slip) -> Stakes:
        """(n, 4) int16: the stakes or board prices of each draft."""
        return draft.values.copy()

    def spell(self, view: BookmakerView, decisions: Stakes) -> Rows:
        """(n, k) int64: the actions that write these legal decisions (n, 4), suit by suit, see
        `Encoding.spell`. None do where a stake is not on offer, the ticket is dearer than the player's chips,
        or the role does not decide such a thing.
        """
        values = decisions.astype(np.int64)
        quoting = self.begin(view).quoting
        offered = self._chips == values[:, :, None]  # (n, 4, sizes)
        wagered = values != 0
        size = offered.argmax(2) if len(self.stakes) else np.zeros_like(values)
        wagers = np.where(wagered, 1 + np.arange(4) * len(self.stakes) + size, NO_ACTION)
        written = np.where(quoting[:, None], self._first_price + values, wagers)
        dear = (wagered & ~offered.any(2)).any(1) | (values.sum(1) > view.bankroll)
        full = np.count_nonzero(wagered, axis=1) == self.settings.max_wagers
        return spelled(
            written, ~quoting & ~full, np.where(quoting, self.role == "bettor", dear & wagered.any(1))
        )

    def encode(self, *parts: str | int) -> int:
        """The action that writes a wager, ``encode("H", 10)``, or the next suit's odds, ``encode("3/1")``; 0
        for neither.

        Raises:
            InvalidSettings: no such suit or price, or it is not on offer.
        """
        if not parts:
            return 0
        if len(parts) == 1 and self.role != "bettor":
            return self._first_price + parse_price(str(parts[0]))
        if len(parts) != 2 or self.role == "banker":
            wanted = {
                "bettor": "a suit and chips",
                "banker": "a price",
                "both": "a suit and chips, or a price",
            }
            raise InvalidSettings(f"an action is {wanted[self.role]}, or nothing, not {parts}")
        if parts[1] not in self.stakes:
            raise InvalidSettings(f"a stake is one of {list(self.stakes)} chips, not {parts[1]!r}")
        return 1 + parse_suit(str(parts[0])) * len(self.stakes) + self.stakes.index(int(parts[1]))

    def decode(self, action: int) -> tuple[str | int, ...]:
        """Suit and chips, or the price of an action, the inverse of `encode`: ``("H", 10)``, ``("3/1",)``."""
        whole("action", action, 0, self.actions - 1)
        if action == 0:
            return ()
        if action >= self._first_price:
            return (price_text(int(action) - self._first_price),)
        suit, size = divmod(int(action) - 1, len(self.stakes))
        return SUIT_LETTERS[suit], self.stakes[size]

    def action_text(self, action: int) -> str:
        """An action in words: ``"hand in"``, ``"$10 H"`` or ``"3/1"``."""
        parts = self.decode(action)
        if not parts:
            return "hand in"
        return f"${parts[1]} {parts[0]}" if len(parts) == 2 else str(parts[0])


def _offered(settings: BookmakerSettings, stakes: Sequence[int] | None) -> tuple[int, ...]:
    """The stake sizes on offer in chips, checked."""
    least = settings.minimum
    if stakes is None:
        listed = settings.stakes if isinstance(settings.stakes, tuple) else [least * size for size in SIZES]
        return tuple(size for size in listed if size <= settings.largest)
    sizes = tuple(
        whole("a stake size in minimum stakes", size, 1, settings.largest // least) for size in stakes
    )
    if not sizes or list(sizes) != sorted(set(sizes)):
        raise InvalidSettings(f"stakes are ascending sizes in minimum stakes, at least one, not {stakes!r}")
    for size in sizes:
        if size * least not in settings.stakes:
            raise InvalidSettings(f"a stake of {size} is not allowed; a stake is {settings.stakes_text}")
    return tuple(size * least for size in sizes)


@kernel
def write_masks(out, quoting, values, left, limits, chips, first_price):  # type: ignore[no-untyped-def]
    """Fills out (n, actions) int8: left (n,) chips to bet with, limits (n, 4), chips (sizes,)."""
    sizes = chips.shape[0]
    for i in range(out.shape[0]):
        quotes = quoting[i] and first_price < out.shape[1]
        out[i, 0] = not quotes
        for suit in range(4):
            most = min(left[i], np.int64(limits[i, suit])) if values[i, suit] == 0 and not quoting[i] else 0
            for size in range(sizes):
                out[i, 1 + suit * sizes + size] = chips[size] <= most
        for action in range(first_price, out.shape[1]):
            out[i, action] = quotes
