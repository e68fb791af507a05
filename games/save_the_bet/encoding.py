"""Save The Bet for learners: card sets as zeros and ones, a bet written card by card.

Action 0 means enough (the bet is handed in), no save or nothing to decide; action ``1 + code`` is a card, in
suit-then-rank order. A bet is written in ascending order, so each set of cards has one spelling; a saved card
is handed in at once. The index table of the observation is `SaveTheBetEncoding.layout`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..cards import CARDS, RANKS, card_text, parse_card
from ..checks import whole
from ..errors import InvalidSettings
from ..kernels import Features, Flags, Rows, inline_kernel, kernel
from ..layout import Layout
from ..spelling import NO_ACTION, spelled
from .chances import BLOCKS, write_chances
from .kernels import BET, SAVE
from .odds import unknown_cards
from .sets import NO_CARDS, ONE, ONE_SUIT, SUIT_SET, CardSets, bit_of
from .settings import SaveTheBetSettings
from .state import Phase, SaveTheBetView


@dataclass(slots=True)
class Draft:
    """Bets and saves being written, a row for each row of the view."""

    cards: CardSets  # (n,) uint64 the cards written
    saving: Flags  # (n,) bool whether the row is asked for a save: one card, handed in as it is written


class SaveTheBetEncoding:
    """Observations and actions of a seat at Save The Bet.

    Args:
        settings: the rules of the table.
        chances: whether an observation says what counting makes of the hand, too (`chances.BLOCKS`).

    Raises:
        InvalidSettings: ``chances`` is no bool.
    """

    version = 1

    def __init__(self, settings: SaveTheBetSettings, *, chances: bool = False) -> None:
        if not isinstance(chances, bool):
            raise InvalidSettings(f"chances is True or False, not {chances!r}")
        self.settings = settings
        self.chances = chances
        self.actions = 1 + CARDS
        self.layout = _layout(settings, chances)
        self.features = self.layout.size
        shares = np.arange(CARDS + 1) / settings.cards
        self._count_share = shares.astype(np.float32)  # (53,) number of cards -> share of the deck

    def begin(self, view: SaveTheBetView) -> Draft:
        """An empty draft for each row."""
        return Draft(np.zeros(len(view.lane), np.uint64), view.phase == Phase.SAVE)

    def mask(self, view: SaveTheBetView, draft: Draft) -> NDArray[np.int8]:
        """(n, 53) int8: the cards that may be written next, and 0 where the bet may be handed in as it is."""
        out = np.empty((len(view.lane), self.actions), np.int8)
        write_masks(out, view.phase, view.hand, draft.cards, view.gamble)
        return out

    def observe(self, view: SaveTheBetView, draft: Draft, out: Features | None = None) -> Features:
        """(n, features) float32 in the order of `layout`, a fresh array or ``out``."""
        out = np.empty((len(view.lane), self.features), np.float32) if out is None else out
        write_shares(out, self._count_share, np.float32(1 / self.settings.max_turns), *_seen(view, draft))
        if self.chances:
            legal = np.empty(len(view.lane), np.uint64)
            find_next(legal, view.phase, view.hand, draft.cards, view.gamble)
            write_chances(
                out[:, PLAIN:], view.phase, view.hand, view.bet, draft.cards, legal, view.gamble,
                unknown_cards(self.settings, view), view.returned, view.stacked,
                self.settings.wins_by == "suit_or_value",
            )  # fmt: skip
        return out

    def observe_compact(self, view: SaveTheBetView, draft: Draft) -> NDArray[np.uint8]:
        """(n, 267) uint8 in the order of `layout` but for the chances, a quarter of the memory: counts are
        numbers of cards and the turn is its share of 255, rounded down.
        """
        out = np.empty((len(view.lane), PLAIN), np.uint8)
        write_counts(out, COUNTS, np.float32(255 / self.settings.max_turns), *_seen(view, draft))
        return out

    def write(self, draft: Draft, actions: Rows, rows: Flags) -> Flags:
        """Writes a legal action into each draft of the mask; (n,) bool: whether it is now handed in."""
        done = np.empty(len(rows), bool)
        write_cards(done, draft.cards, draft.saving, actions, rows)
        return done

    def decision(self, draft: Draft) -> CardSets:
        """(n, 1) uint64: the sets of cards written."""
        return draft.cards.copy()[:, None]

    def spell(self, view: SaveTheBetView, decisions: CardSets) -> Rows:
        """(n, k) int64: the actions that write these legal decisions (n, 1), cards in ascending order, see
        `Encoding.spell`.
        """
        held = decisions >> np.arange(CARDS, dtype=np.uint64) & ONE  # (n, 52)
        written = np.where(held == ONE, 1 + np.arange(CARDS), NO_ACTION)
        closed = (view.phase != Phase.SAVE) | (decisions[:, 0] == NO_CARDS)
        return spelled(written, closed, np.zeros(len(decisions), bool))

    def encode(self, card: str = "") -> int:
        """The action that writes a card: ``encode("5H")``; 0 for no card.

        Raises:
            InvalidSettings: the text is no card.
        """
        return 1 + parse_card(card) if card else 0

    def decode(self, action: int) -> tuple[str]:
        """The card of an action, the inverse of `encode`: ``("5H",)``, or ``("",)`` for 0."""
        whole("action", action, 0, self.actions - 1)
        return (card_text(int(action) - 1) if action else "",)

    def action_text(self, action: int) -> str:
        """An action in words: ``"enough"`` or ``"5H"``."""
        return self.decode(action)[0] or "enough"


def _seen(view: SaveTheBetView, draft: Draft) -> tuple[NDArray[Any], ...]:
    """What an observation is made of."""
    return (
        view.turn, view.phase, view.hand, view.bet, view.other_public, view.returned, view.gamble, view.held,
        view.wagered, view.stacked, draft.cards,
    )  # fmt: skip


def _layout(settings: SaveTheBetSettings, chances: bool) -> Layout:
    share = f"each / {settings.cards}"
    return Layout.of(
        [
            ("hand", CARDS, 0, 1, "own cards in hand, those being written included"),
            ("other", CARDS, 0, 1, "cards known to be in the other's hand or bet"),
            ("returned", CARDS, 0, 1, "cards known to be back in the stack"),
            ("bet", CARDS, 0, 1, "own bet, or the cards of it written so far"),
            ("gamble", CARDS, 0, 1, "the gamble, once it is shown"),
            (
                "counts",
                5,
                0,
                1,
                f"cards in hand (own, other's), bet (own, other's) and in the stack, {share}",
            ),
            ("saving", 1, 0, 1, "1 when a save is asked for, 0 for a bet"),
            ("turn", 1, 0, 1, "whole turns played / turns until the game is a draw"),
            *(BLOCKS if chances else ()),
        ]
    )


PLAIN: Final = 5 * CARDS + 7  # features without the chances
NIBBLES: Final = CARDS // 4  # 13 for a set of 52
ZERO_ONE: Final = np.array([[n >> k & 1 for k in range(4)] for n in range(16)], np.float32)  # (16, 4)
ZERO_ONE_BYTES: Final = ZERO_ONE.astype(np.uint8)
COUNTS: Final = np.arange(CARDS + 1, dtype=np.uint8)


@inline_kernel
def spread(out, start, cards, bits):  # type: ignore[no-untyped-def]
    """Writes a set of cards as 52 zeros and ones, four at a time; ``bits`` (16, 4) has those of any four."""
    for nibble in range(NIBBLES):
        found = np.int64((cards >> np.uint64(4 * nibble)) & np.uint64(15))
        for k in range(4):
            out[start + 4 * nibble + k] = bits[found, k]


@inline_kernel
def next_cards(phase, hand, written, gamble):  # type: ignore[no-untyped-def]
    """The cards of the hand that may be written after those written."""
    if phase == SAVE:
        return hand & SUIT_SET[gamble]
    if phase != BET:
        return NO_CARDS
    if written == 0:
        return hand
    # everything up to the highest card written is behind
    behind = written
    for shift in (1, 2, 4, 8):
        behind |= behind >> np.uint64(shift)
    suit = NO_CARDS
    for first in (0, RANKS, 2 * RANKS, 3 * RANKS):
        if written & (ONE_SUIT << np.uint64(first)) != 0:
            suit = ONE_SUIT << np.uint64(first)
    return hand & suit & ~behind


@kernel
def find_next(out, phase, hand, written, gamble):  # type: ignore[no-untyped-def]
    """Fills out (n,) uint64 with the cards that may be written next."""
    for i in range(out.shape[0]):
        out[i] = next_cards(phase[i], hand[i], written[i], gamble[i])


@kernel
def write_masks(out, phase, hand, written, gamble):  # type: ignore[no-untyped-def]
    """Fills out (n, 53) int8."""
    for i in range(out.shape[0]):
        legal = next_cards(phase[i], hand[i], written[i], gamble[i])
        out[i, 0] = phase[i] != BET or written[i] != 0 or hand[i] == 0
        spread(out[i], 1, legal, ZERO_ONE_BYTES)


@inline_kernel
def write_seen(  # type: ignore[no-untyped-def]
    row, bits, counts, turn_unit, turn, phase, hand, bet, other, returned, gamble, held, wagered, stacked,
    draft,
):  # fmt: skip
    """Fills row (features,): sets through ``bits`` (16, 4), numbers of cards through ``counts`` (53,)."""
    saving = phase == SAVE
    spread(row, 0, hand, bits)
    spread(row, CARDS, other, bits)
    spread(row, 2 * CARDS, returned, bits)
    spread(row, 3 * CARDS, bet if saving else draft, bits)
    spread(row, 4 * CARDS, bit_of(gamble) if gamble >= 0 else NO_CARDS, bits)
    row[5 * CARDS] = counts[held[0]]
    row[5 * CARDS + 1] = counts[held[1]]
    row[5 * CARDS + 2] = counts[wagered[0]]
    row[5 * CARDS + 3] = counts[wagered[1]]
    row[5 * CARDS + 4] = counts[stacked]
    row[5 * CARDS + 5] = saving
    row[5 * CARDS + 6] = np.float32(turn) * turn_unit


@kernel
def write_shares(  # type: ignore[no-untyped-def]
    out, counts, turn_unit, turn, phase, hand, bet, other, returned, gamble, held, wagered, stacked, drafts
):
    """Fills out (n, features) float32."""
    for i in range(out.shape[0]):
        write_seen(
            out[i], ZERO_ONE, counts, turn_unit, turn[i], phase[i], hand[i], bet[i], other[i],
            returned[i], gamble[i], held[i], wagered[i], stacked[i], drafts[i],
        )  # fmt: skip


@kernel
def write_counts(  # type: ignore[no-untyped-def]
    out, counts, turn_unit, turn, phase, hand, bet, other, returned, gamble, held, wagered, stacked, drafts
):
    """Fills out (n, features) uint8; a kernel of its own, since a table the compiler knows is read faster."""
    for i in range(out.shape[0]):
        write_seen(
            out[i], ZERO_ONE_BYTES, counts, turn_unit, turn[i], phase[i], hand[i], bet[i], other[i],
            returned[i], gamble[i], held[i], wagered[i], stacked[i], drafts[i],
        )  # fmt: skip


@kernel
def write_cards(done, cards, saving, actions, rows):  # type: ignore[no-untyped-def]
    """Writes actions into the drafts of the mask and fills done (n,) bool."""
    for i in range(done.shape[0]):
        done[i] = rows[i] and (actions[i] == 0 or saving[i])
        if rows[i] and actions[i] > 0:
            cards[i] |= ONE << np.uint64(actions[i] - 1)
