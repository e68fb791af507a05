"""Superfecta for learners: a view as about 100 numbers, a ticket written wager by wager.

Action 0 hands the ticket in; action ``1 + line * sizes + size`` writes the size-th stake on a line that has
none yet. The index table of the observation is `SuperfectaEncoding.layout`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..cards import parse_suit
from ..checks import LARGEST_WAGER, whole
from ..errors import InvalidSettings
from ..kernels import Chips, Features, Flags, Rows, Stakes, inline_kernel, kernel
from ..layout import Layout
from ..spelling import NO_ACTION, spelled
from .lines import HORSES, LINE_OF, LINES, POOL_OF, POOL_START, POOLS, Pool, horses_text
from .settings import SuperfectaSettings
from .state import SuperfectaState, SuperfectaView


@dataclass(slots=True)
class Ticket:
    """Tickets being written, a row for each row of the view."""

    stakes: Stakes  # (n, 40) int16 chips on each line
    cost: Chips  # (n,) int64 their sum


class SuperfectaEncoding:
    """Observations and actions of a seat at Superfecta.

    Args:
        settings: the rules of the table.
        stakes: stake sizes on offer, in minimum bets, ascending; None: (1,) for an equal split, where more
            buys nothing, and (1, 5, 20) pro rata.

    Raises:
        InvalidSettings: the stake sizes are not ascending, or one exceeds the largest wager.
    """

    version = 1

    def __init__(self, settings: SuperfectaSettings, stakes: Sequence[int] | None = None) -> None:
        offered = ((1,) if settings.split == "equal" else (1, 5, 20)) if stakes is None else tuple(stakes)
        most = settings.max_wager // max(settings.minimums)
        sizes = tuple(whole("a stake size in minimum bets", size, 1, most) for size in offered)
        if not sizes or list(sizes) != sorted(set(sizes)):
            raise InvalidSettings(f"stakes are ascending sizes in minimum bets, at least one, not {stakes!r}")
        self.settings = settings
        self.stakes = sizes
        self.actions = 1 + LINES * len(sizes)
        self.layout = _layout(settings.seats)
        self.features = self.layout.size
        self.nvec: NDArray[np.int64] = np.full(LINES, len(sizes) + 1)
        least = np.array(settings.minimums, np.int64)[POOL_OF]
        self._chips = (least[:, None] * np.array(sizes)).astype(np.int32)  # (40, sizes)
        self._scale = (1.0 / self._chips[:, -1]).astype(np.float32)  # (40,)
        total = settings.chips * settings.seats
        self._unit = 1.0 / total if total else 0.0
        self._equal = settings.split == "equal"

    def begin(self, view: SuperfectaView) -> Ticket:
        """An empty ticket for each row."""
        count = len(view.lane)
        return Ticket(np.zeros((count, LINES), np.int16), np.zeros(count, np.int64))

    def mask(self, view: SuperfectaView, draft: Ticket) -> NDArray[np.int8]:
        """(n, actions) int8: handing in, and every affordable stake on a line without one."""
        out = np.empty((len(draft.cost), self.actions), np.int8)
        write_masks(out, draft.stakes, view.bankroll - draft.cost, self._chips)
        return out

    def observe(self, view: SuperfectaView, draft: Ticket, out: Features | None = None) -> Features:
        """(n, features) float32 in the order of `layout`, a fresh array or ``out``."""
        out = np.empty((len(draft.cost), self.features), np.float32) if out is None else out
        write_views(
            out, view.seat, view.race, view.rail, view.pools, view.bankrolls,
            view.last_order, view.last_stakes, draft.stakes, draft.cost,
            self._scale, self._unit, self.settings.races, self._equal,
        )  # fmt: skip
        return out

    def observe_all(self, state: SuperfectaState, out: Features) -> None:
        """Fills out (lanes, seats, features) with what every seat sees before it writes anything."""
        write_tables(
            out, state.turn, state.rail, state.pools, state.bankrolls, state.last_order, state.last_stakes,
            self._unit, self.settings.races, self._equal,
        )  # fmt: skip

    def write(self, draft: Ticket, actions: Rows, rows: Flags) -> Flags:
        """Writes a legal action into each draft of the mask; (n,) bool: whether it is now handed in."""
        done = np.empty(len(rows), bool)
        write_wagers(done, draft.stakes, draft.cost, actions, rows, self._chips)
        return done

    def whole(self, draft: Ticket, choices: Rows, rows: Flags) -> None:
        """Writes whole tickets (n, 40) into the drafts of the mask: on each line 0 for none or the number
        1, 2, … of a stake size. A ticket beyond the player's chips is refused by the game.
        """
        priced = np.concatenate([np.zeros((LINES, 1), np.int64), self._chips], axis=1)
        stakes = priced[np.arange(LINES), choices[rows]]  # (rows, 40)
        draft.stakes[rows] = stakes
        draft.cost[rows] = stakes.sum(1)

    def decision(self, draft: Ticket) -> Stakes:
        """(n, 40) int16: the stakes of each ticket."""
        return draft.stakes.copy()

    def spell(self, view: SuperfectaView, decisions: Stakes) -> Rows:
        """(n, k) int64: the actions that write these legal decisions (n, 40), line by line, see
        `Encoding.spell`. None do where a stake is not on offer or the ticket is dearer than the player's
        chips.
        """
        stakes = decisions.astype(np.int64)
        offered = self._chips == stakes[:, :, None]  # (n, 40, sizes)
        wagered = stakes != 0
        first = 1 + np.arange(LINES) * len(self.stakes)
        written = np.where(wagered, first + offered.argmax(2), NO_ACTION)
        wrong = (wagered & ~offered.any(2)).any(1) | (stakes.sum(1) > view.bankroll)
        return spelled(written, np.ones(len(stakes), bool), wrong)

    def encode(self, pool: str = "", horses: str = "", stake: int = 0) -> int:
        """The action that writes a wager: ``encode("EXA", "D/C", 1)``; 0 for no wager.

        Raises:
            InvalidSettings: no such line, or the stake is not on offer.
        """
        if not pool:
            return 0
        suits = tuple(parse_suit(horse) for horse in horses.split("/"))
        line = LINE_OF.get(suits)
        if line is None or Pool(int(POOL_OF[line])).name != pool:
            raise InvalidSettings(
                f"there is no line {pool} {horses}; WIN names 1 horse, EXA 2, SFC 4, none twice"
            )
        offered = [int(chips) for chips in self._chips[line]]
        if stake not in offered:
            raise InvalidSettings(f"a stake in {pool} is one of {offered} chips, not {stake!r}")
        return 1 + line * len(self.stakes) + offered.index(stake)

    def decode(self, action: int) -> tuple[str, str, int]:
        """Pool, horses and chips of an action, the inverse of `encode`: ``("EXA", "D/C", 1)``."""
        whole("action", action, 0, self.actions - 1)
        if action == 0:
            return "", "", 0
        line, size = divmod(int(action) - 1, len(self.stakes))
        return Pool(int(POOL_OF[line])).name, horses_text(line), int(self._chips[line, size])

    def action_text(self, action: int) -> str:
        """An action in words: ``"hand in"`` or ``"$1 EXA D/C"``."""
        pool, horses, stake = self.decode(action)
        return f"${stake} {pool} {horses}" if pool else "hand in"


def _layout(seats: int) -> Layout:
    total = "of all chips at the table"
    return Layout.of(
        [
            ("rail", 4, 0, 1, "rail cards of H, D, C, S, each / 6"),
            ("pools", POOLS, 0, 1, f"chips carried in WIN, EXA, SFC as a share {total}"),
            ("bankrolls", seats, 0, 1, f"own chips, then each following seat's, as a share {total}"),
            ("race", 1, 0, 1, "races run / races of the game"),
            ("spent", 1, 0, 1, "cost of the ticket being written / own chips"),
            ("draft", LINES, 0, 1, "stake written on each line / largest stake on offer there"),
            ("last_order", 4, 0, 1, "last race: 1, 2/3, 1/3, 0 for the suit that came 1st to 4th; 0 before"),
            (
                "coverage", LINES, 0, 1,
                "last race: share of the other players holding the line (equal split),"
                " or of the others' money in its pool (pro rata)",
            ),
        ]
    )  # fmt: skip


ORDERS_HOME: Final = [horses for horses in HORSES if len(horses) == 4]
PLACE_SCORE: Final = np.array(
    [[1 - order.index(suit) / 3 for suit in range(4)] for order in ORDERS_HOME] + [[0.0] * 4], np.float32
)  # (25, 4): order of finish -> score of each suit; the last row, found at -1, stands for no race yet
RAIL_SHARE: Final = np.array([shown / 6 for shown in range(7)], np.float32)


@kernel
def write_wagers(done, stakes, cost, actions, rows, chips):  # type: ignore[no-untyped-def]
    """Writes wagers, actions (n,), into the drafts of these rows, chips (40, sizes) int32; done (n,) bool is
    where an action hands in.
    """
    sizes = chips.shape[1]
    for i in range(rows.shape[0]):
        done[i] = rows[i] and actions[i] == 0
        if rows[i] and actions[i] > 0:
            line = (actions[i] - 1) // sizes
            wager = chips[line, actions[i] - 1 - line * sizes]
            stakes[i, line] = wager
            cost[i] += wager


@kernel
def write_masks(out, stakes, affordable, chips):  # type: ignore[no-untyped-def]
    """Fills out (n, 1 + 40 * sizes) int8: affordable (n,) chips left, chips (40, sizes) int32.

    Plain int8 arithmetic, and a loop of its own for the usual single size, so that lines go eight at a time.
    """
    sizes = chips.shape[1]
    for i in range(out.shape[0]):
        limit = np.int32(min(affordable[i], LARGEST_WAGER))
        out[i, 0] = 1
        if sizes == 1:
            for line in range(LINES):
                out[i, 1 + line] = np.int8(stakes[i, line] == 0) & np.int8(chips[line, 0] <= limit)
        else:
            for line in range(LINES):
                free = np.int8(stakes[i, line] == 0)
                for size in range(sizes):
                    out[i, 1 + line * sizes + size] = free & np.int8(chips[line, size] <= limit)


@inline_kernel
def write_public(out, race, rail, pools, last_order, unit, races, seats):  # type: ignore[no-untyped-def]
    """The features that are the same for every seat; returns where the draft starts."""
    for suit in range(4):
        out[suit] = RAIL_SHARE[rail[suit]]
    for pool in range(POOLS):
        out[4 + pool] = pools[pool] * unit
    out[7 + seats] = race / races
    start = 9 + seats
    for suit in range(4):
        out[start + LINES + suit] = PLACE_SCORE[last_order, suit]
    return start


@inline_kernel
def weigh(weights, totals, stakes, equal):  # type: ignore[no-untyped-def]
    """Fills weights (seats, 40) with 1 for a line held (equal) or the chips on it, totals (40,) with sums.

    Chips on a line stay below 2^19, so float32 holds them exactly.
    """
    totals[:] = 0
    for seat in range(stakes.shape[0]):
        if equal:
            for line in range(LINES):
                weight = np.float32(1) if stakes[seat, line] > 0 else np.float32(0)
                weights[seat, line] = weight
                totals[line] += weight
        else:
            for line in range(LINES):
                weight = np.float32(stakes[seat, line])
                weights[seat, line] = weight
                totals[line] += weight


@inline_kernel
def write_coverage(out, totals, own, seats, equal):  # type: ignore[no-untyped-def]
    """Fills out (40,) with the others' share of each line, own (40,) being the seat's own weights."""
    if equal:
        part = np.float32(1 / (seats - 1))
        for line in range(LINES):
            out[line] = (totals[line] - own[line]) * part
    else:
        for pool in range(POOLS):
            others = np.float32(0)
            for line in range(POOL_START[pool], POOL_START[pool + 1]):
                others += totals[line] - own[line]
            part = np.float32(1) / others if others > 0 else np.float32(0)
            for line in range(POOL_START[pool], POOL_START[pool + 1]):
                out[line] = (totals[line] - own[line]) * part


@kernel
def write_views(  # type: ignore[no-untyped-def]
    out, seat, race, rail, pools, bankrolls, last_order, last_stakes, drafts, costs, scale, unit, races, equal
):
    """Fills out (n, features), a row for each row of a view."""
    seats = bankrolls.shape[1]
    weights = np.empty((seats, LINES), np.float32)
    totals = np.empty(LINES, np.float32)
    held = np.empty(LINES, np.int16)
    for i in range(out.shape[0]):
        looking = seat[i]
        start = write_public(out[i], race[i], rail[i], pools[i], last_order[i], unit, races, seats)
        for step in range(seats):
            out[i, 7 + step] = bankrolls[i, (looking + step) % seats] * unit
        own = bankrolls[i, looking]
        out[i, start - 1] = min(1.0, costs[i] / own) if own > 0 else 0.0
        for line in range(LINES):
            out[i, start + line] = np.float32(drafts[i, line]) * scale[line]
        coverage = out[i, start + LINES + 4 :]
        if equal:  # as `weigh` and `write_coverage` do, in small integers, sixteen lines at a time
            held[:] = 0
            for other in range(seats):
                if other != looking:
                    for line in range(LINES):
                        held[line] += np.int16(last_stakes[i, other, line] > 0)
            part = np.float32(1 / (seats - 1))
            for line in range(LINES):
                coverage[line] = np.float32(held[line]) * part
        else:
            weigh(weights, totals, last_stakes[i], equal)
            write_coverage(coverage, totals, weights[looking], seats, equal)


@kernel
def write_tables(  # type: ignore[no-untyped-def]
    out, race, rail, pools, bankrolls, last_order, last_stakes, unit, races, equal
):
    """Fills out (lanes, seats, features) with every seat's view before anything is written."""
    seats = bankrolls.shape[1]
    weights = np.empty((seats, LINES), np.float32)
    totals = np.empty(LINES, np.float32)
    public = np.zeros(out.shape[2], np.float32)
    money = np.empty(2 * seats, np.float32)  # each seat's share, twice round the table
    coverage = 9 + seats + LINES + 4
    for lane in range(out.shape[0]):
        write_public(public, race[lane], rail[lane], pools[lane], last_order[lane], unit, races, seats)
        for seat in range(seats):
            money[seat] = money[seat + seats] = bankrolls[lane, seat] * unit
        weigh(weights, totals, last_stakes[lane], equal)
        for seat in range(seats):
            row = out[lane, seat]
            for feature in range(coverage):
                row[feature] = public[feature]
            for step in range(seats):
                row[7 + step] = money[seat + step]
            write_coverage(row[coverage:], totals, weights[seat], seats, equal)
