"""Save The Bet, many tables at once. Rule: RULES.md §6.

A turn of the rules is two of the contract's: both seats bet, then every seat that has bet may save. A
decision is one set of cards, (1,) uint64: the cards bet, or the one card saved (0 for none).
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..cards import CARDS, card_text
from ..contract import Game
from ..errors import InvalidSettings
from ..kernels import Chips, Flags, Floats, Rows, read_only
from .bets import print_cards
from .kernels import (
    BET,
    MIXED_SUITS,
    NOT_HELD,
    NOTHING_BET,
    OVER,
    SAVE,
    SEVERAL_SAVED,
    WRONG_SUIT,
    deal_hands,
    find_faults,
    look,
    play_phases,
)
from .luck import gamble_luck, value_hash
from .odds import unknown_cards
from .sets import NO_CARDS, ONE, SUIT_SET, CardSets
from .settings import SaveTheBetSettings
from .state import NO_CARD, SaveTheBetState, SaveTheBetView, blank_state


class SaveTheBet(Game[SaveTheBetState, SaveTheBetView]):
    """A batch of Save The Bet tables; see `railbird.games.contract.Game`.

    Profit is +1 and -1 on the turn that decides the game and 0 otherwise, so 0 for a draw by ``max_turns``.
    """

    name: ClassVar[str] = "save-the-bet"
    settings: SaveTheBetSettings
    decision_shape = (1,)
    decision_dtype = np.uint64

    def __init__(
        self, settings: SaveTheBetSettings | None = None, seed: int = 0, lanes: int | list[int] | Rows = 1
    ) -> None:
        super().__init__(settings or SaveTheBetSettings(), seed, lanes)
        self._deck = np.uint64(self.settings.deck)

    @property
    def phase(self) -> NDArray[np.int8]:
        """(lanes,) int8: the `Phase` each lane is in."""
        return np.where(self.state.over, OVER, self.state.turn & 1).astype(np.int8)

    @property
    def to_act(self) -> Flags:
        """Both seats for a bet (0 is an empty hand's only one), then every seat that has bet for a save."""
        phase = self.phase[:, None]
        asked: Flags = (phase == BET) | ((phase == SAVE) & (self.state.bets != 0))
        return asked

    @property
    def out(self) -> Flags:
        """Nobody: a player with an empty hand may still collect on a blank."""
        return np.zeros((self.lanes, 2), bool)

    @property
    def staked(self) -> Chips:
        """No chips: what is bet here are cards."""
        return np.zeros((self.lanes, 2), np.int64)

    def fallback(self) -> CardSets:
        """Decisions (lanes, 2, 1) uint64 that are legal now: the lowest card in hand is bet, none saved."""
        hands = self.state.hands
        lowest = hands & (~hands + ONE)
        return np.where(self.phase[:, None] == BET, lowest, NO_CARDS)[:, :, None]

    def faults(self, decisions: NDArray[Any], lanes: Flags | None = None) -> NDArray[np.int8]:
        rows, state = self.rows(lanes), self.state
        codes = np.empty((len(rows), 2), np.int8)
        find_faults(codes, decisions, rows, state.turn, state.hands, state.bets, state.gamble)
        return codes

    def explain(self, code: int, decision: CardSets, lane: int, seat: int) -> str:
        state, saving = self.state, self.state.turn[lane] & 1 == SAVE
        hand, gamble = state.hands[lane, seat], state.gamble[lane]
        if saving:
            hand &= SUIT_SET[gamble]
        rule = {
            NOTHING_BET: "a player with cards in hand bets one or more",
            NOT_HELD: "only cards in hand are played",
            MIXED_SUITS: "cards bet together share a suit",
            SEVERAL_SAVED: "at most one card is saved",
            WRONG_SUIT: "a saved card has the gamble's suit",
        }[code]
        asked = f"for the gamble {card_text(gamble)}: none or one" if saving else "cards of one suit"
        allowed = f"allowed are {asked} of {print_cards(hand)}"
        return f"lane {lane}, seat {seat}: {_named(decision[0])}; {rule}; {allowed}"

    def expected_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, 2) float64: the profit itself. A turn's chance moves cards, not chips, and what cards are worth
        is no fact of the rules.
        """
        return self.state.profit[self.rows(lanes)].astype(np.float64)

    def adjusted_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, 2) float64: see `Game.adjusted_profit`. After the bets it is the luck of the gamble with its
        sign turned, by a frozen value of the hands it leads to (`luck`); after the saves the profit itself.
        """
        rows, state, settings = self.rows(lanes), self.state, self.settings
        adjusted = state.profit[rows].astype(np.float64)
        turned = (state.gamble[rows] != NO_CARD) & ~state.over[rows]
        luck = np.empty(int(turned.sum()))
        gamble_luck(
            luck, rows[turned], state.hands, state.bets, state.stack, state.gamble,
            settings.wins_by == "suit_or_value", settings.draw_returns == "swap", settings.target,
        )  # fmt: skip
        adjusted[turned] -= np.column_stack([luck, -luck])
        return adjusted

    @classmethod
    def value_hash(cls, settings: SaveTheBetSettings) -> str | None:
        return value_hash(settings)

    def check(self, lanes: Flags | None = None) -> None:
        """Asserts that every card is in exactly one place, and public cards where they are said to be."""
        rows, state = self.rows(lanes), self.state
        shown = state.gamble[rows] != NO_CARD
        gamble = np.where(shown, ONE << np.maximum(state.gamble[rows], 0).astype(np.uint64), NO_CARDS)
        places = np.column_stack([state.hands[rows], state.bets[rows], state.stack[rows], gamble])  # (n, 6)
        assert (np.bitwise_or.reduce(places, axis=1) == self._deck).all()
        assert (np.bitwise_count(places).sum(axis=1) == self.settings.cards).all()
        assert not (state.public[rows] & ~(state.hands[rows] | state.bets[rows])).any()
        assert not (state.returned[rows] & ~state.stack[rows]).any()

    @classmethod
    def from_view(
        cls,
        settings: SaveTheBetSettings,
        view: SaveTheBetView,
        hidden: NDArray[Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """Tables in the position a seat sees, with the other's cards as sampled by the caller.

        Args:
            settings: the rules of the table the view is of.
            view: what the seat knows.
            hidden: (n, 2) uint64, the cards in the other's hand and the cards it has bet (0 before the bets).
            seed: root seed of the gambles to come.

        Raises:
            InvalidSettings: hidden cards are missing or contradict what the seat knows.
        """
        _check_hidden(settings, view, hidden)
        assert hidden is not None
        table = cls(settings, seed, len(view.lane))
        table.start()
        state, each, own, other = table.state, np.arange(len(view.lane)), view.seat, 1 - view.seat
        state.hands[each, own], state.hands[each, other] = view.hand, hidden[:, 0]
        state.bets[each, own], state.bets[each, other] = view.bet, hidden[:, 1]
        state.public[each, own], state.public[each, other] = view.own_public, view.other_public
        state.returned[:] = view.returned
        state.gamble[:] = view.gamble
        state.stack[:] = (unknown_cards(settings, view) | view.returned) & ~(hidden[:, 0] | hidden[:, 1])
        state.turn[:] = 2 * view.turn + (view.phase == SAVE)
        state.over[:] = view.phase == OVER
        return table

    def _blank_state(self, lanes: int) -> SaveTheBetState:
        return blank_state(lanes)

    def _open(self, rows: Rows) -> None:
        state = self.state
        for name in ("bets", "last_bets", "last_saves", "last_won"):
            getattr(state, name)[rows] = 0
        state.gamble[rows] = state.last_gamble[rows] = NO_CARD
        deal_hands(
            state.hands, state.public, state.stack, state.returned, rows, state.key, self._deck,
            self.settings.hand_size,
        )  # fmt: skip

    def _play(self, decisions: CardSets, rows: Rows) -> None:
        state, settings = self.state, self.settings
        play_phases(
            state.hands, state.bets, state.public, state.stack, state.returned, state.gamble,
            state.last_gamble, state.last_bets, state.last_saves, state.last_won, state.profit, state.over,
            decisions, rows, state.key, state.turn, settings.wins_by == "suit_or_value",
            settings.draw_returns == "swap", settings.target, settings.max_turns,
        )  # fmt: skip

    def _view(self, seats: Rows, rows: Rows) -> SaveTheBetView:
        count, state = len(rows), self.state

        def empty(dtype: type[np.generic], *columns: int) -> NDArray[Any]:
            return np.empty((count, *columns), dtype)

        turn, phase, gamble, stacked = empty(np.int64), empty(np.int8), empty(np.int8), empty(np.int8)
        hand, bet, returned = empty(np.uint64), empty(np.uint64), empty(np.uint64)
        own_public, other_public = empty(np.uint64), empty(np.uint64)
        held, wagered = empty(np.int8, 2), empty(np.int8, 2)
        look(
            turn, phase, hand, bet, own_public, other_public, returned, gamble, held, wagered, stacked,
            rows, seats, state.turn, state.over, state.hands, state.bets, state.public, state.stack,
            state.returned, state.gamble,
        )  # fmt: skip
        return SaveTheBetView(
            lane=read_only(rows.copy()),
            seat=read_only(seats.copy()),
            turn=read_only(turn),
            phase=read_only(phase),
            hand=read_only(hand),
            bet=read_only(bet),
            own_public=read_only(own_public),
            other_public=read_only(other_public),
            returned=read_only(returned),
            gamble=read_only(gamble),
            held=read_only(held),
            wagered=read_only(wagered),
            stacked=read_only(stacked),
        )


def _named(chosen: np.uint64) -> str:
    """The cards of a decision, or its number where it names no cards."""
    return print_cards(chosen) if int(chosen) < 1 << CARDS else f"the number {int(chosen)}"


def _check_hidden(settings: SaveTheBetSettings, view: SaveTheBetView, hidden: NDArray[Any] | None) -> None:
    """Raises InvalidSettings unless these hidden cards fit all that the seat knows."""
    count = len(view.lane)
    if hidden is None or hidden.shape != (count, 2) or hidden.dtype != np.uint64:
        came = "None" if hidden is None else f"{hidden.dtype} of shape {hidden.shape}"
        raise InvalidSettings(
            f"hidden is the other's hand and bet in each row, uint64 of shape ({count}, 2), not {came}"
        )
    hand, bet = hidden[:, 0], hidden[:, 1]
    possible = unknown_cards(settings, view) | view.other_public
    rules = {
        "a hidden card is where the seat knows it is not": (hand | bet) & ~possible != 0,
        "a card is in the other's hand and bet at once": hand & bet != 0,
        "a card known to be the other's is missing": view.other_public & ~(hand | bet) != 0,
        "the other's hand has the wrong number of cards": np.bitwise_count(hand) != view.held[:, 1],
        "the other's bet has the wrong number of cards": np.bitwise_count(bet) != view.wagered[:, 1],
        "the other's bet mixes suits": sum((bet & suit != 0).astype(int) for suit in np.unique(SUIT_SET)) > 1,
    }
    for rule, broken in rules.items():
        if broken.any():
            row = int(np.flatnonzero(broken)[0])
            came = f"hidden are {print_cards(hand[row])} in hand and {print_cards(bet[row])} bet"
            raise InvalidSettings(f"row {row}: {rule}; {came}")
