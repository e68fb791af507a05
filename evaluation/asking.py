"""Asking agents for their decisions so that a match goes on whatever they answer.

A *fault* is a decision that could not be used: the agent raised, answered no array of the right shape, or
for some tables no whole numbers or a decision the rules forbid. Each such decision is replaced by the empty
one (`Game.fallback`) and counted at its table and seat; the first of each kind is kept with its reason.

A call that raises, or comes back in the wrong shape, says nothing about which tables are to blame. The agent
is then asked again, deal by deal, and is at fault in the deals whose own call fails. Deals are the unit of
judging, so what an agent scores does not depend on which deals share a batch with it. An agent that changes
what it remembers and then raises lives with having been asked twice. Raising when a game begins is a fault as
well.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.contract import Game
from ..games.kernels import Flags, Rows

LONGEST_REASON = 240  # characters of an agent's own error message that are kept


class Fault(IntEnum):
    """What was wrong with a decision."""

    RAISED = 1  # the agent raised
    SHAPE = 2  # it answered something else than an array of numbers of the right shape
    NUMBERS = 3  # not whole numbers, or too large for the game's decisions
    ILLEGAL = 4  # the rules forbid it
    STOPPED = 5  # it was not asked: an earlier call took too long or took its process down (`supervision`)


@dataclass(frozen=True, slots=True)
class Incident:
    """A fault at one table, with its reason."""

    player: int  # the instance asked
    fault: Fault
    deal: int  # lane number
    table: int  # position in the batch
    turn: int  # turns played before it
    seat: int
    reason: str


class Unusable(Exception):
    """An answer that is no array of numbers of the right shape."""


class Stopped(Exception):
    """An agent that is not to be asked; the text says why."""


class Asking:
    """The players of a batch of tables, and a record of their faults.

    Args:
        game: the tables.
        players: the instances that play; each sits at a table once at most.
        seating: (tables, seats), which of the players sits there.
    """

    def __init__(self, game: Game[Any, Any], players: Sequence[Agent[Any]], seating: Rows) -> None:
        self.game = game
        self.players = players
        self.seating = seating
        self.faults: Rows = np.zeros(seating.shape, np.int64)  # (tables, seats) decisions replaced
        self._deal: Rows = game.state.number
        self._first: dict[tuple[int, Fault], Incident] = {}
        self._seat = _seat_of(seating, len(players))  # (players, tables)
        self._view: Any = None  # the last one of this turn, for the next player to share

    @property
    def incidents(self) -> list[Incident]:
        """The first fault of each player and kind: of the lowest deal number, then table, then turn."""
        return [self._first[key] for key in sorted(self._first)]

    def begin(self) -> None:
        """Tells every player that its tables start."""
        for player, agent in enumerate(self.players):
            self._call(player, self._seat[player] >= 0, 0, agent.begin)

    def decisions(self, turn: int) -> NDArray[Any]:
        """Legal decisions (tables, seats, …) of all seats; where a player is at fault, or its seat is not to
        act, the game's fallback.
        """
        game = self.game
        decisions = game.fallback()
        waiting = game.to_act & ~game.over[:, None]
        tables = np.arange(game.lanes)
        for player in range(len(self.players)):
            seats = self._seat[player]
            lanes = (seats >= 0) & waiting[tables, seats]
            if lanes.any():
                self._call(player, lanes, turn, partial(self._act, player, turn, decisions))
        self._view = None
        self._strike_illegal(decisions, turn)
        return decisions

    def _call(self, player: int, lanes: Flags, turn: int, task: Callable[[Flags], None]) -> None:
        """Runs a task that asks a player at these lanes; where that fails, deal by deal."""
        if self._try(lanes, task) is None:
            return
        for deal in np.unique(self._deal[lanes]):
            part = lanes & (self._deal == deal)
            error = self._try(part, task)
            if error is not None:
                self._note(player, fault_of(error), np.flatnonzero(part), turn, partial(reason_of, error))

    def _try(self, lanes: Flags, task: Callable[[Flags], None]) -> BaseException | None:
        """What the task raised, if it did. An agent that calls for the end of the program has raised."""
        try:
            task(lanes)
        except (Exception, SystemExit) as error:
            return error
        return None

    def _act(self, player: int, turn: int, decisions: NDArray[Any], lanes: Flags) -> None:
        """Writes a player's decisions at these lanes, but for those that are no whole numbers."""
        game = self.game
        seats = self._seat[player, lanes]
        self._view = game.view(seats, lanes, like=self._view)
        answer = as_array(self.players[player].act(self._view, game.draws(seats, lanes)))
        expected = (len(seats), *game.decision_shape)
        if answer.dtype.kind not in "biuf" or answer.shape != expected:
            raise Unusable(
                f"answered {answer.dtype} of shape {answer.shape}; numbers of shape {expected} are due"
            )
        whole, broken = whole_numbers(answer, game.decision_dtype)
        tables = np.flatnonzero(lanes)
        decisions[tables[~broken], seats[~broken]] = whole[~broken]
        if broken.any():
            struck = np.flatnonzero(broken)
            told = partial(not_whole, answer[struck], game.decision_dtype)
            self._note(player, Fault.NUMBERS, tables[struck], turn, told)

    def _strike_illegal(self, decisions: NDArray[Any], turn: int) -> None:
        """Replaces and notes the decisions that the rules forbid."""
        game = self.game
        active = ~game.over
        codes = game.faults(decisions, active)  # (tables not over, seats)
        if not codes.any():
            return
        places, seats = np.nonzero(codes)
        tables, codes = np.flatnonzero(active)[places], codes[places, seats]
        for player in np.unique(self.seating[tables, seats]):
            own = np.flatnonzero(self.seating[tables, seats] == player)
            explain = partial(self._explain, decisions, tables[own], seats[own], codes[own])
            self._note(int(player), Fault.ILLEGAL, tables[own], turn, explain)
        decisions[tables, seats] = game.fallback()[tables, seats]

    def _explain(
        self, decisions: NDArray[Any], tables: Rows, seats: Rows, codes: NDArray[np.int8], place: int
    ) -> str:
        """The rule broken at one of these tables; the lane is left out, it says nothing outside the batch."""
        table, seat = int(tables[place]), int(seats[place])
        text = self.game.explain(int(codes[place]), decisions[table, seat], table, seat)
        return text.removeprefix(f"lane {table}, seat {seat}: ")

    def _note(self, player: int, fault: Fault, tables: Rows, turn: int, reason: Callable[[int], str]) -> None:
        """Counts a fault of a player at tables (ascending); ``reason`` tells it for the one at a place."""
        self.faults[tables, self._seat[player, tables]] += 1
        first = int(np.argmin(self._deal[tables]))
        table = int(tables[first])
        deal, known = int(self._deal[table]), self._first.get((player, fault))
        if known is None or (deal, table) < (known.deal, known.table):
            seat = int(self._seat[player, table])
            self._first[player, fault] = Incident(player, fault, deal, table, turn, seat, reason(first))


def fault_of(error: BaseException) -> Fault:
    """The kind of fault of a call that failed."""
    if isinstance(error, Stopped):
        return Fault.STOPPED
    return Fault.SHAPE if isinstance(error, Unusable) else Fault.RAISED


def _seat_of(seating: Rows, players: int) -> Rows:
    """(players, tables): the seat of each player at each table, -1 where it does not sit."""
    seats: Rows = np.full((players, len(seating)), -1, np.int64)
    tables = np.arange(len(seating))
    for seat in range(seating.shape[1]):
        seats[seating[:, seat], tables] = seat
    return seats


def as_array(answer: object) -> NDArray[Any]:
    """What an agent handed over, as an array."""
    try:
        return np.asarray(answer)
    except Exception as error:
        raise Unusable(f"answered a {type(answer).__name__} that is no array: {error}") from error


def whole_numbers(answer: NDArray[Any], dtype: type[np.generic]) -> tuple[NDArray[Any], Flags]:
    """The answer (n, …) in the game's integer dtype, and which rows (n,) do not fit it and became zeros.

    Floats that are whole numbers will do: a table of zeros is a table of zeros.
    """
    fine: Flags = np.zeros(len(answer), bool)
    if answer.dtype == dtype:
        return answer, fine
    limits = np.iinfo(dtype)  # type: ignore[type-var]
    if answer.dtype.kind != "f" and limits.min <= answer.min() and answer.max() <= limits.max:
        return answer.astype(dtype), fine
    fits = (answer >= limits.min) & (answer <= limits.max) & (answer == np.floor(answer))
    broken: Flags = ~fits.reshape(len(answer), -1).all(axis=1)
    whole = answer.copy()
    whole[broken] = 0
    return whole.astype(dtype), broken


def not_whole(answers: NDArray[Any], dtype: type[np.generic], place: int) -> str:
    """What is wrong with the numbers of one of these decisions (n, …)."""
    limits = np.iinfo(dtype)  # type: ignore[type-var]
    flat = answers[place].reshape(-1)
    fits = (flat >= limits.min) & (flat <= limits.max) & (flat == np.floor(flat))
    value = flat[~fits][0]
    return f"answered {value}; whole numbers from {limits.min:,} to {limits.max:,} are due"


def reason_of(error: BaseException, _: int = 0) -> str:
    """An agent's error in one line, the same in every run: without addresses in memory and folders."""
    if isinstance(error, Unusable | Stopped):
        return str(error)
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(str(error).split()))
    text = text if len(text) <= LONGEST_REASON else text[:LONGEST_REASON] + "…"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"raised {type(error).__name__}{': ' if text else ''}{text}{place}"
