"""The contract every game keeps: a batch of tables, played in turns of simultaneous decisions.

A `Game` runs ``lanes`` independent tables at once; a single table is a batch of one. Its whole state is one
dataclass of arrays, lane first. A turn: ask ``to_act`` who must decide, give each such seat its ``view``,
collect a decision array from each, ``submit`` them. A decision is one array per seat, of the game's
``decision_shape`` and ``decision_dtype``; what it means is told by the phase the lane is in (a bookmaker's
quotes and a bettor's stakes are both four small integers).

Lanes are named by a bool mask ``(lanes,)`` or None for all. Views and draws hold only the rows asked for, in
lane order; ``view.lane`` says which lanes these are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from .errors import BrokenFile, IllegalDecision, InvalidSettings
from .kernels import Chips, Flags, Floats, Keys, Rows, read_only
from .layout import Layout
from .streams import Draws, Role, extend, root_key

State = dict[str, NDArray[Any]]
LEGAL = 0  # the code of a decision nothing is wrong with


class View(Protocol):
    """What every view has: which lanes and seats its rows are of."""

    @property
    def lane(self) -> Rows: ...  # (n,) int64, position in the batch: an agent's memory is indexed by it

    @property
    def seat(self) -> Rows: ...  # (n,) int64, the seat that looks


class TableState(Protocol):
    """The arrays every game's state has; the rest is the game's own."""

    number: Rows  # (lanes,) int64, the lane number its chance is named by
    root: Keys  # (lanes,) uint64, key of the root seed
    key: Keys  # (lanes,) uint64, key of the episode being played
    episode: Rows  # (lanes,) int64, -1 before the first
    turn: Rows  # (lanes,) int64, turns played in this episode
    profit: Chips  # (lanes, seats) int64, of the last turn
    over: Flags  # (lanes,) bool


def house_seat(settings: Any) -> int | None:
    """The seat of a house that keeps the bank, behind the players; None in a game without one."""
    return getattr(settings, "house_seat", None)


V = TypeVar("V", bound=View)
S = TypeVar("S", bound=Any)


class Game(ABC, Generic[S, V]):
    """A batch of tables of one game.

    Args:
        settings: the rules.
        seed: root seed of all lanes, an integer ≥ 0.
        lanes: how many tables (numbered 0, 1, …), or the numbers of the lanes to play.

    Nothing is dealt before `start`.
    """

    name: ClassVar[str]
    settings: Any
    seats: int  # players, and the house where there is one
    state: S
    decision_shape: tuple[int, ...]
    decision_dtype: type[np.generic]
    views_differ: ClassVar[bool] = True  # False: all seats see the same, so that a view can be shared

    def __init__(self, settings: Any, seed: int, lanes: int | Sequence[int] | Rows) -> None:
        numbers = np.arange(lanes) if isinstance(lanes, int | np.integer) else np.asarray(lanes)
        if numbers.ndim != 1 or numbers.size == 0 or numbers.dtype.kind not in "iu" or numbers.min() < 0:
            raise InvalidSettings(f"lanes is a number of 1 or more, or a list of lane numbers, not {lanes!r}")
        self.settings = settings
        self.seats = int(settings.seats) + (house_seat(settings) is not None)
        self.lanes = int(numbers.size)
        self.state = self._blank_state(self.lanes)
        self.state.number[:] = numbers
        self.state.root[:] = root_key(seed)

    # ---- what a game defines

    @abstractmethod
    def _blank_state(self, lanes: int) -> S:
        """The state of so many tables that have not started: ``episode`` -1, ``over`` True."""

    @abstractmethod
    def _open(self, rows: Rows) -> None:
        """Sets up the first turn of the episode whose key these lanes have."""

    @abstractmethod
    def _play(self, decisions: NDArray[Any], rows: Rows) -> None:
        """Plays one turn of legal decisions (lanes, seats, …) in these lanes."""

    @abstractmethod
    def _view(self, seats: Rows, rows: Rows) -> V:
        """What seats (n,) know at the lanes ``rows`` (n,)."""

    @property
    @abstractmethod
    def to_act(self) -> Flags:
        """(lanes, seats) bool: who must decide now. Public; no row of a lane that is not over is empty."""

    @property
    @abstractmethod
    def out(self) -> Flags:
        """(lanes, seats) bool: seats that can never again make a paid decision in this episode."""

    @property
    def phase(self) -> NDArray[np.int8]:
        """(lanes,) int8: which kind of decision each lane waits for; 0 in games that know one kind."""
        return np.zeros(self.lanes, np.int8)

    @property
    @abstractmethod
    def staked(self) -> Chips:
        """(lanes, seats) int64: chips each seat staked in the last turn."""

    @property
    def refused(self) -> Flags:
        """(lanes, seats) bool: tickets of the last turn that cost more than the player's chips."""
        return np.zeros((self.lanes, self.seats), bool)

    @abstractmethod
    def faults(self, decisions: NDArray[Any], lanes: Flags | None = None) -> NDArray[np.int8]:
        """(n, seats) int8: 0 where a decision (lanes, seats, …) is legal, else the code of the rule broken.

        Seats that are not to act are never at fault: their decision is not read.
        """

    @abstractmethod
    def explain(self, code: int, decision: NDArray[Any], lane: int, seat: int) -> str:
        """The rule behind a fault code: what came, what is allowed and what to do."""

    @abstractmethod
    def expected_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, seats) float64: the exact expectation of the last turn's ``profit``, given its closed bets
        and everything a bettor could act on, over the chance that followed them.
        """

    def adjusted_profit(self, lanes: Flags | None = None) -> Floats:
        """(n, seats) float64: the last turn's profit without its luck. Added up over a game it has the mean
        of the profit itself, with far less noise.

        It is `expected_profit`, less what luck has left lying in the middle for the seat: a value of the
        chips that belong to nobody yet, as it came, minus its expectation given the closed bets. That
        difference is 0 on average whatever the value says (White and Bowling, "Learning a value analysis tool
        for agent evaluation", IJCAI 2009); each game with a pool says what a chip in it is worth to whom.
        """
        return self.expected_profit(lanes)

    @classmethod
    def value_hash(cls, settings: Any) -> str | None:
        """SHA-256 of the value function that `adjusted_profit` leans on, where it is a judgement and not a
        fact of the rules; None where there is none.
        """
        return None

    @classmethod
    @abstractmethod
    def from_view(cls, settings: Any, view: V, hidden: NDArray[Any] | None, seed: int) -> Self:
        """Tables that agree with all a seat knows, a table for each row of the view, for search.

        ``hidden`` is what the seat does not know, sampled by the caller (None where chance alone is hidden);
        the future is dealt from the root seed ``seed``.
        """

    # ---- what all games share

    @property
    def profit(self) -> Chips:
        """(lanes, seats) int64: change of each bankroll in the last turn, the final division included."""
        return self.state.profit  # type: ignore[no-any-return]

    @property
    def over(self) -> Flags:
        """(lanes,) bool: whether the episode has ended (True before the first)."""
        return self.state.over  # type: ignore[no-any-return]

    def start(self, lanes: Flags | None = None, seeds: int | Sequence[int] | None = None) -> None:
        """Begins the next episode in these lanes; with ``seeds`` (one, or one for each lane named) the first
        episode of those root seeds.
        """
        rows, state = self.rows(lanes), self.state
        if seeds is None:
            state.episode[rows] += 1
        else:
            many = [seeds] if isinstance(seeds, int | np.integer) else list(seeds)
            state.root[rows] = np.array([root_key(seed) for seed in many], np.uint64)
            state.episode[rows] = 0
        state.key[rows] = extend(extend(state.root[rows], state.number[rows]), state.episode[rows])
        state.turn[rows] = 0
        state.profit[rows] = 0
        state.over[rows] = False
        self._open(rows)

    def view(self, seat: int | Rows, lanes: Flags | None = None, like: V | None = None) -> V:
        """What a seat may know and nothing else, a row for each lane named.

        Args:
            seat: the seat, or one for each row.
            lanes: (lanes,) bool, or None for all.
            like: a view of this same moment; its arrays are shared where all seats see the same.

        Returns:
            A frozen dataclass of read-only arrays that own their memory.
        """
        rows = self.rows(lanes)
        seats = np.full(len(rows), seat, np.int64)
        if self.views_differ or like is None or not np.array_equal(like.lane, rows):
            return self._view(seats, rows)
        return replace(like, seat=read_only(seats))  # type: ignore[type-var]

    def draws(self, seat: int | Rows, lanes: Flags | None = None) -> Draws:
        """The random choices of a seat for the decision it now has, a row for each lane named."""
        rows = self.rows(lanes)
        role = np.full(len(rows), int(Role.SEAT), np.int64) + seat
        return Draws(self.state.key[rows], role, self.state.turn[rows])

    def blank(self) -> NDArray[Any]:
        """Decisions (lanes, seats, …) of a turn in which everybody passes."""
        return np.zeros((self.lanes, self.seats, *self.decision_shape), self.decision_dtype)

    def fallback(self) -> NDArray[Any]:
        """Decisions (lanes, seats, …) that are legal now: a pass, or where the rules know none the lowest
        legal choice. They stand in for a decision that is at fault.
        """
        return self.blank()

    def submit(self, decisions: NDArray[Any], lanes: Flags | None = None) -> None:
        """Plays one turn in these lanes and leaves the others untouched.

        Args:
            decisions: (lanes, seats, *decision_shape); rows of other lanes and of seats that are not to act
                are not read.
            lanes: (lanes,) bool, or None for all lanes that are not over.

        Raises:
            IllegalDecision: a decision breaks a rule, or a lane is over; nothing has been played.
        """
        if lanes is None:
            lanes = ~self.over
        rows = self.rows(lanes)
        expected = (self.lanes, self.seats, *self.decision_shape)
        if decisions.shape != expected or decisions.dtype != self.decision_dtype:
            raise IllegalDecision(
                f"decisions are {np.dtype(self.decision_dtype)} of shape {expected},"
                f" not {decisions.dtype} of shape {decisions.shape}"
            )
        if self.over[rows].any():
            raise IllegalDecision(
                f"lane {int(rows[self.over[rows]][0])} is over; start it again before a decision"
            )
        codes = self.faults(decisions, lanes)
        if codes.any():
            row, seat = (int(found[0]) for found in np.nonzero(codes))
            lane = int(rows[row])
            raise IllegalDecision(self.explain(int(codes[row, seat]), decisions[lane, seat], lane, seat))
        self._play(np.ascontiguousarray(decisions), rows)
        self.state.turn[rows] += 1

    def rows(self, lanes: Flags | None) -> Rows:
        """The lane positions a mask names, ascending.

        Raises:
            InvalidSettings: the mask has the wrong shape or is no mask.
        """
        if lanes is None:
            return np.arange(self.lanes)
        mask = np.asarray(lanes)
        if mask.shape != (self.lanes,) or mask.dtype != bool:
            raise InvalidSettings(
                f"lanes is a bool mask of shape ({self.lanes},) or None,"
                f" not {mask.dtype} of shape {mask.shape}"
            )
        return np.flatnonzero(mask)

    def save(self) -> State:
        """A copy of the whole state by array name; a table loaded from it plays the same future."""
        return {field.name: getattr(self.state, field.name).copy() for field in fields(self.state)}

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Takes over a state saved by a game of the same settings and number of lanes.

        Raises:
            BrokenFile: an array is missing, unknown, or has another shape or dtype; nothing has changed.
        """
        names = {field.name for field in fields(self.state)}
        if names != set(state):
            raise BrokenFile(f"a saved {self.name} state has the arrays {sorted(names)}, not {sorted(state)}")
        for name in names:
            own, saved = getattr(self.state, name), np.asarray(state[name])
            if own.shape != saved.shape or own.dtype != saved.dtype:
                raise BrokenFile(
                    f"array {name!r} of a saved {self.name} state is {own.dtype} of shape {own.shape},"
                    f" not {saved.dtype} of shape {saved.shape};"
                    " load it into a game of the settings it was saved with"
                )
        for name in names:
            getattr(self.state, name)[:] = state[name]


Seen = TypeVar("Seen", contravariant=True)
D = TypeVar("D")


class Encoding(Protocol[Seen, D]):
    """Views as vectors and decisions as flat actions, batched; what learners see and do.

    A *draft* is the decision a seat is still writing: a dataclass of plain arrays, a row for each row of the
    view. Action 0 means done in every game.
    """

    actions: int  # Discrete(actions)
    nvec: Rows  # (k,) int64: a whole decision as one MultiDiscrete(nvec)
    features: int  # observation (features,) float32
    layout: Layout  # the index table of an observation

    def begin(self, view: Seen) -> D:
        """An empty draft for each row."""

    def mask(self, view: Seen, draft: D) -> NDArray[np.int8]:
        """(n, actions) int8: 1 where an action is legal; never all zero."""

    def observe(self, view: Seen, draft: D, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """(n, features) float32, ``out`` or a fresh array, every value within the index table's bounds."""

    def write(self, draft: D, actions: Rows, rows: Flags) -> Flags:
        """Writes a legal action into each draft of the mask; (n,) bool: whether it is now handed in."""

    def whole(self, draft: D, choices: Rows, rows: Flags) -> None:
        """Writes whole decisions, (n, len(nvec)) choices, into the drafts of the mask."""

    def decision(self, draft: D) -> NDArray[Any]:
        """(n, *decision_shape): the decisions the drafts spell."""

    def spell(self, view: Seen, decisions: NDArray[Any]) -> Rows:
        """(n, k) int64: the actions that write these legal decisions (n, *decision_shape) into empty drafts,
        the one that hands in included and -1 behind it; -1 throughout where no legal actions do.
        """

    def encode(self, *parts: Any) -> int:
        """The action that spells a wager (or whatever the game's actions mean)."""

    def decode(self, action: int) -> tuple[Any, ...]:
        """What an action spells."""
