"""The bookmaker's table, many at once: the game behind Horse Race, Scarne's Horse Race and Racing Aces.

Where the odds are quoted a race is two turns: the bank names four board prices (`Phase.QUOTE`), then all
players but the bank name four stakes (`Phase.BET`). Where they are published it is the second turn alone. A
decision is four int16 in the order H, D, C, S: board prices 0–32 in the first phase, chips in the second.

``bank="house"``: the house is a seat of its own behind the players, the last column of every array, so
``game.seats`` is ``settings.seats + 1``. A banker agent sits there like any other agent; it is asked in the
quote phase only, and never at published odds. Its account starts at 0 and may be negative: it belongs to
the books, so bankrolls always add up to the chips the players brought. It covers every stake the rules allow.

``bank="rotate"``: the bank is one of the players, seat 0 first; a player's agent quotes when its seat keeps
the bank and bets otherwise, the phase tells which. After every ``rotate_every`` races the bank moves on to
the next seat with chips, round the table to itself where no other has any: chips never leave the table, so
there always is one. A bank that loses its last chip before keeps it until then, but its suits are closed.
It covers the worst case of all other players, broke ones included.

No seat knows more than another: what is hidden is the stock, and the decisions of the turn being played.

Rule: RULES.md §1, §3 and §4.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..cards import SUIT_LETTERS
from ..contract import Game
from ..errors import InvalidSettings
from ..kernels import Chips, Counts, Flags, Floats, Keys, Rows, Stakes, picked, read_only
from ..order_law import rail_index, win_table
from ..race import DECK_SIZE, swaps_that_lay
from .kernels import (
    ABOVE_LIMIT,
    CLOSED,
    NEGATIVE,
    NOT_A_PRICE,
    NOT_ON_OFFER,
    TOO_MANY_WAGERS,
    expect_races,
    fill_staked,
    fill_to_act,
    find_faults,
    open_tables,
    play_turns,
    rules_of,
    show_race,
)
from .prices import PRICES, price_text
from .settings import BookmakerSettings
from .state import BookmakerState, BookmakerView, Phase, blank_state

SEEN = (
    "bank", "quotes", "limits", "rail_cards", "rail", "bankrolls", "refused", "last_rail", "last_winner",
    "last_bank", "last_quotes", "last_stakes", "last_payouts",
)  # fmt: skip
"""The arrays of the state that a view shows as they are."""


class BookmakerTable(Game[BookmakerState, BookmakerView]):
    """A batch of tables with a bookmaker; see `railbird.games.contract.Game`.

    A ticket that costs more than the player's chips is refused whole: the seat has no wager in that race. A
    stake above the suit's limit, or one the rules do not offer, is illegal.
    """

    name: ClassVar[str]
    settings: BookmakerSettings
    decision_shape = (4,)
    decision_dtype = np.int16
    views_differ = False

    def __init__(self, settings: BookmakerSettings, seed: int, lanes: int | list[int] | Rows) -> None:
        super().__init__(settings, seed, lanes)
        self._rules = rules_of(settings)
        self._deck = np.empty(DECK_SIZE, np.int8)
        self._allowed = np.zeros(settings.largest + 1, bool)
        self._allowed[[0, *settings.stakes]] = True

    @property
    def phase(self) -> Counts:
        """(lanes,) int8: the `Phase` each lane is in."""
        if self.settings.quoted:
            phase: Counts = (self.state.turn & 1).astype(np.int8)
            return phase
        return np.full(self.lanes, Phase.BET, np.int8)

    @property
    def races_run(self) -> Rows:
        """(lanes,) int64: races run in this game."""
        races: Rows = self.state.turn >> int(self.settings.quoted)
        return races

    @property
    def to_act(self) -> Flags:
        """The bank while it quotes; then every player but the bank, broke ones with an empty ticket."""
        acts = np.empty((self.lanes, self.seats), bool)
        fill_to_act(acts, self.state.turn, self.state.bank, self.state.over, self._rules)
        return acts

    @property
    def out(self) -> Flags:
        """Players who cannot pay for the smallest stake and never will: a rotating bank may still come to a
        seat with a few chips, the house to nobody.
        """
        least = 1 if self.settings.rotates else self.settings.stakes[0]
        broke: Flags = self.state.bankrolls < least
        broke[:, self.settings.seats :] = False  # the house
        return broke

    @property
    def staked(self) -> Chips:
        state, staked = self.state, np.empty((self.lanes, self.seats), np.int64)
        fill_staked(staked, state.last_stakes, state.last_winner, state.turn, self._rules)
        return staked

    @property
    def refused(self) -> Flags:
        return self.state.last_refused & self._raced[:, None]

    @property
    def _raced(self) -> Flags:
        """(lanes,) bool: whether the last turn was a race, not a quote."""
        waits = self.phase == Phase.QUOTE if self.settings.quoted else True
        return (self.state.last_winner >= 0) & waits

    def faults(self, decisions: NDArray[Any], lanes: Flags | None = None) -> NDArray[np.int8]:
        rows, state = self.rows(lanes), self.state
        codes = np.zeros((len(rows), self.seats), np.int8)
        decisions = np.ascontiguousarray(decisions)
        find_faults(
            codes, decisions, _words(decisions), rows, state.turn, state.bank, state.limits,
            _words(state.limits), self._allowed, self._rules,
        )  # fmt: skip
        return codes

    def explain(self, code: int, decision: Stakes, lane: int, seat: int) -> str:
        where = f"lane {lane}, seat {seat}"
        if code == NOT_A_PRICE:
            return (
                f"{where}: a quote of {decision.tolist()}; it is four board prices for H, D, C, S,"
                f" each from 0 ({price_text(0)}) to {PRICES - 1} ({price_text(PRICES - 1)})"
            )
        if code == TOO_MANY_WAGERS:
            most = self.settings.max_wagers
            return (
                f"{where}: wagers on {np.count_nonzero(decision)} suits; at most {most} is allowed in a race"
            )
        limits = self.state.limits[lane]
        broken = {
            NEGATIVE: decision < 0,
            CLOSED: (decision > 0) & (limits == 0),
            ABOVE_LIMIT: (decision > limits) & (limits > 0),
            NOT_ON_OFFER: ~self._allowed[np.clip(decision, 0, self.settings.largest)] & (decision != 0),
        }
        suit = int(np.flatnonzero(broken[code])[0])
        return f"{where}: {int(decision[suit])} chips on {SUIT_LETTERS[suit]}; {self._rule(code, lane, suit)}"

    def _rule(self, code: int, lane: int, suit: int) -> str:
        """What is allowed on a suit, as the end of an error message."""
        price = price_text(int(self.state.quotes[lane, suit]))
        return {
            NEGATIVE: "a stake is never negative",
            CLOSED: f"the suit is closed, the bank cannot cover {self.settings.minimum} at {price}",
            ABOVE_LIMIT: f"at most {int(self.state.limits[lane, suit])} at {price}",
            NOT_ON_OFFER: f"a stake is {self.settings.stakes_text}",
        }[code]

    def expected_profit(self, lanes: Flags | None = None) -> Floats:
        rows, state = self.rows(lanes), self.state
        out = np.zeros((len(rows), self.seats))
        ran = np.flatnonzero(self._raced[rows])
        if len(ran):
            lane, course = rows[ran], self.settings.course
            chances = win_table(course)[rail_index(course, state.last_rail[lane])]  # (ran, 4)
            expected = np.empty((len(ran), self.seats))
            expect_races(
                expected, state.last_stakes[lane], state.last_quotes[lane], state.last_bank[lane], chances
            )
            out[ran] = expected
        return out

    def dealt(self, lane: int, places: int = 1) -> Counts:
        """The cards of a lane's last race, rail first, then the stock in the order dealt, (n,) int8.

        The race ends with the winner; with ``places`` 2 or 3 the cards that would have followed are dealt
        until so many horses are home.

        Raises:
            InvalidSettings: no race has been run in that lane, or it was run before the table was made from
                a view.
        """
        state = self.state
        if state.last_winner[lane] < 0:
            raise InvalidSettings(f"no race has been run in lane {lane} yet")
        if state.last_swaps[lane, 0] < 0:
            raise InvalidSettings(
                f"the last race of lane {lane} was run elsewhere; a view does not show its cards"
            )
        race = int(self.races_run[lane]) - 1
        finish = self.settings.course.finish
        count = show_race(self._deck, state.last_swaps[lane], state.key[lane], race, finish, places)
        return self._deck[:count].copy()

    @classmethod
    def from_view(
        cls,
        settings: BookmakerSettings,
        view: BookmakerView,
        hidden: NDArray[Any] | None = None,
        seed: int = 0,
    ) -> Self:
        """Tables in the position a seat sees; it lacks nothing but the stock and decisions to come."""
        if hidden is not None:
            raise InvalidSettings(f"at {cls.name} a seat lacks nothing but chance; hidden must be None")
        table = cls(settings, seed, len(view.lane))
        table.start()
        state = table.state
        for name in SEEN:
            getattr(state, name)[:] = getattr(view, name)
        quoted = settings.quoted
        state.turn[:] = view.race * (1 + quoted) + (view.phase == Phase.BET) * quoted
        state.over[:] = view.race >= settings.races
        state.last_swaps[:] = -1  # the last race was not dealt here
        state.rail_swaps[:] = [swaps_that_lay(cards) for cards in view.rail_cards]
        return table

    def _blank_state(self, lanes: int) -> BookmakerState:
        return blank_state(lanes, self.seats, self.settings.course.rail)

    def _open(self, rows: Rows) -> None:
        state = self.state
        open_tables(
            state.bankrolls, state.bank, state.quotes, state.limits, state.refused, state.rail_cards,
            state.rail_swaps, state.rail, state.last_swaps, state.last_rail, state.last_winner,
            state.last_bank, state.last_quotes, _words(state.last_stakes), state.last_refused,
            state.last_payouts, self._deck, rows, state.key, self.settings.bankroll, self._rules,
        )  # fmt: skip

    def _play(self, decisions: Stakes, rows: Rows) -> None:
        state = self.state
        play_turns(
            state.profit, state.over, state.bankrolls, state.bank, state.quotes, state.limits, state.refused,
            state.rail_cards, state.rail_swaps, state.rail, state.last_swaps, state.last_rail,
            state.last_winner, state.last_bank, state.last_quotes, state.last_stakes,
            _words(state.last_stakes), state.last_refused, state.last_payouts, self._deck, decisions,
            _words(decisions), rows, state.key, state.turn, self._rules,
        )  # fmt: skip

    def _view(self, seats: Rows, rows: Rows) -> BookmakerView:
        return BookmakerView(
            lane=read_only(rows.copy()),
            seat=read_only(seats.copy()),
            race=read_only(self.races_run[rows]),
            phase=read_only(self.phase[rows]),
            **{name: read_only(picked(getattr(self.state, name), rows)) for name in SEEN},
        )


def _words(stakes: Stakes) -> Keys:
    """The same memory (lanes, seats, 4) int16 with the four numbers of a seat as one word, (lanes, seats)."""
    words: Keys = stakes.view(np.uint64)[..., 0]
    return words
