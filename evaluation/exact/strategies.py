"""How an agent plays a small game: asked in all information sets at once, as a strategy the solver can judge.

An agent that never draws is a pure strategy, known exactly. One that draws is known exactly where it has a
method ``chances`` (see `OffersChances`), and else estimated from many draws.

Each set is asked at a table of its own. An agent that remembers is first shown, at that table, what leads
there, phase by phase. Its draws in different phases are taken to be independent: an agent that draws once a
game and keeps to it is not told from one that draws anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ...agents.contract import Agent
from ...games.checks import whole
from ...games.errors import InvalidSettings
from ...games.kernels import Flags, Floats, Rows
from ...games.save_the_bet.sets import ONE, CardSets
from ...games.save_the_bet.state import Phase, SaveTheBetView
from ...games.save_the_bet.table import SaveTheBet
from ...games.streams import Draws
from ..asking import Asking
from ..blocks import AgentFactory
from .enumeration import Moment, SmallSaveTheBet
from .forms import TOLERANCE, even_behaviour, plan_of
from .tables import table_of, take

TABLES_AT_ONCE: Final = 65_536
MOST_DRAWS: Final = 1_000_000
OWN: Final = ("number", "root", "key", "episode")  # arrays of the state that name a table's draws


class OffersChances(Protocol):
    """An agent that can say how it would draw, from what it sees at the moment alone."""

    def chances(self, view: SaveTheBetView, decisions: CardSets) -> Floats:
        """(n, k) the chance of each of the decisions (n, k, 1), which are all legal ones; a row sums to 1."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """What an agent does in one seat."""

    behaviour: Floats  # (sequences,) as in `forms.plan_of`
    halves: tuple[Floats, Floats]  # the same by every other draw; where it is exact, the same
    exact: bool
    faults: int  # sets it comes to, in which a decision of it was at fault and the game's fallback stands
    reason: str  # of one of the faults


def strategy_of(small: SmallSaveTheBet, seat: int, agent: AgentFactory, draws: int, seed: int) -> Strategy:
    """The strategy of an agent in a seat.

    Args:
        small: the game.
        seat: where it sits.
        agent: makes fresh instances.
        draws: how often it is asked in each information set if it draws and offers no chances.
        seed: root seed of the draws.

    Raises:
        InvalidSettings: the agent cannot be made, draws is not 2 or more, or the chances offered are none.
    """
    whole("draws", draws, 2, MOST_DRAWS)
    side = small.form.sides[seat]
    offers: Any = getattr(agent.make(small.settings), "chances", None)
    if not side.sets or offers is not None:
        behaviour = _offered(small, seat, offers, agent.text) if side.sets else even_behaviour(side)
        return Strategy(behaviour, (behaviour, behaviour), True, 0, "")
    asked = _Asked(small, seat, agent, 1, seed)
    if asked.drew:
        asked = _Asked(small, seat, agent, draws, seed)
    behaviour = asked.behaviour(asked.tally.sum(axis=0))
    halves = (behaviour, behaviour)
    if asked.drew:
        halves = (asked.behaviour(asked.tally[0]), asked.behaviour(asked.tally[1]))
    reached = plan_of(side, behaviour)[side.parent] > 0
    return Strategy(behaviour, halves, not asked.drew, int((asked.faulty & reached).sum()), asked.reason)


def _offered(
    small: SmallSaveTheBet, seat: int, offers: Callable[[SaveTheBetView, CardSets], Floats], text: str
) -> Floats:
    """The chances an agent offers, (sequences,)."""
    side = small.form.sides[seat]
    behaviour = np.ones(side.sequences)
    for moment in small.moments[seat]:
        for count in np.unique(side.choices[moment.sets[moment.sets >= 0]]):
            asked = (moment.sets >= 0) & (side.choices[moment.sets] == count)
            sequences = side.first[moment.sets[asked], None] + np.arange(count)  # (n, k)
            view = table_of(small.settings, moment.tables).view(seat, asked)
            offered = np.asarray(offers(view, small.decisions[seat][sequences][:, :, None]), np.float64)
            fine = offered.shape == sequences.shape and (offered >= 0).all()
            if not fine or (abs(offered.sum(axis=1) - 1) > TOLERANCE).any():
                raise InvalidSettings(
                    f"agent {text!r} offers no chances of its decisions: they are 0 or more, of shape"
                    f" {sequences.shape} here, and sum to 1 in each row"
                )
            behaviour[sequences] = offered
    return behaviour


class _Asked:
    """The answers of an agent in every information set of a seat, so many in each."""

    def __init__(
        self, small: SmallSaveTheBet, seat: int, agent: AgentFactory, answers: int, seed: int
    ) -> None:
        self.small, self.seat, self.seed = small, seat, seed
        self.side, self.moments = small.form.sides[seat], small.moments[seat]
        self.tally: Rows = np.zeros((2, self.side.sequences), np.int64)  # of the even and the odd answers
        self.faulty: Flags = np.zeros(self.side.sets, bool)
        self.drew, self.reason = False, ""
        paths = _paths(self.moments, self.side.sets)
        tables = self.side.sets * answers  # set by set, so that those asked together are of few phases
        for start in range(0, tables, TABLES_AT_ONCE):
            witness = _Witness(agent.make(small.settings))
            numbers = np.arange(start, min(start + TABLES_AT_ONCE, tables))
            self._ask(witness, paths[:, numbers // answers], numbers, numbers % answers % 2)
            self.drew |= witness.drew

    def behaviour(self, tally: Rows) -> Floats:
        """Shares of the answers counted, (sequences,)."""
        total = np.add.reduceat(tally, self.side.first[:-1])
        return np.concatenate([[1.0], tally[1:] / np.repeat(total, self.side.choices)])

    def _ask(self, agent: _Witness, paths: Rows, numbers: Rows, half: Rows) -> None:
        """Takes in the answers at tables of these numbers.

        Args:
            agent: a fresh instance.
            paths: (phases, tables) the rows of `_paths` for the set of each table.
            numbers: (tables,) by which the draws are named.
            half: (tables,) the half of the tally they go to, 0 or 1.
        """
        game = SaveTheBet(self.small.settings, self.seed, numbers)
        game.start()
        own = {name: getattr(game.state, name).copy() for name in OWN}
        seating = np.tile([self.seat, 1 - self.seat], (len(numbers), 1))  # the agent is player 0
        asking = Asking(game, [agent, _Bystander(None)], seating)
        asking.begin()
        for phase, moment in enumerate(self.moments):
            rows = paths[phase]
            last = (rows >= 0) & (phase == len(paths) - 1 or paths[phase + 1] < 0)
            shown = (rows >= 0) & (last | agent.remembers)
            if not shown.any():
                continue
            game.load(take(moment.tables, np.maximum(rows, 0)) | own | {"over": ~shown})
            faults = asking.faults[:, self.seat].copy()
            decisions = asking.decisions(phase)[:, self.seat, 0]
            sets = moment.sets[rows]
            self._count(sets[last], half[last], decisions[last])
            self.faulty[sets[last & (asking.faults[:, self.seat] > faults)]] = True
        self.reason = self.reason or next((it.reason for it in asking.incidents if it.player == 0), "")

    def _count(self, sets: Rows, half: Rows, decisions: CardSets) -> None:
        """Enters decisions into the tally, each under the sequence that it ends."""
        known = self.small.decisions[self.seat]
        first, choices = self.side.first[sets], self.side.choices[sets]
        place = np.zeros(len(sets), np.int64)
        for choice in range(int(choices.max(initial=0))):
            place += known[first + np.minimum(choice, choices - 1)] < decisions  # they ascend
        sequences = first + place
        assert (known[sequences] == decisions).all()
        np.add.at(self.tally, (half, sequences), 1)


def _paths(moments: tuple[Moment, ...], sets: int) -> Rows:
    """(phases, sets): the row of each phase's moment that leads to a set or is it; -1 after it."""
    paths = np.full((len(moments), sets), -1, np.int64)
    for phase in range(len(moments) - 1, -1, -1):
        if phase + 1 < len(moments):
            on = np.flatnonzero(paths[phase + 1] >= 0)
            paths[phase, on] = moments[phase + 1].before[paths[phase + 1, on]]
        rows = np.flatnonzero(moments[phase].sets >= 0)
        paths[phase, moments[phase].sets[rows]] = rows
    return paths


class _Witness(Agent[SaveTheBetView]):
    """The agent itself, watched for whether it draws."""

    def __init__(self, agent: Agent[SaveTheBetView]) -> None:
        super().__init__(None)  # never read
        self.agent = agent
        self.remembers = type(agent).begin is not Agent.begin  # who never forgets has nothing to remember
        self.drew = False

    def begin(self, lanes: Flags) -> None:
        """Handed on."""
        self.agent.begin(lanes)

    def act(self, view: SaveTheBetView, draws: Draws) -> NDArray[Any]:
        """The agent's answer."""
        watched = _WatchedDraws(draws)
        try:
            return self.agent.act(view, watched)
        finally:
            self.drew |= watched.used


class _WatchedDraws(Draws):
    """Draws handed on, and whether one has been taken."""

    __slots__ = ("_draws", "used")

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self.used = False

    def __len__(self) -> int:
        return len(self._draws)

    def uniform(self, columns: int) -> Floats:
        """As of the draws."""
        self.used = True
        return self._draws.uniform(columns)

    def integers(self, high: int | Rows, columns: int) -> Rows:
        """As of the draws."""
        self.used = True
        return self._draws.integers(high, columns)

    def rows(self, index: Rows) -> Draws:
        """As of the draws; what is drawn from these rows is not watched, so it counts as drawn."""
        self.used = True
        return self._draws.rows(index)


class _Bystander(Agent[SaveTheBetView]):
    """Sits in the other seat, where nothing is asked for: the lowest card is bet, none saved."""

    def act(self, view: SaveTheBetView, draws: Draws) -> NDArray[Any]:
        """(n, 1) uint64, the game's fallback."""
        lowest: CardSets = view.hand & (~view.hand + ONE)
        return np.where(view.phase == Phase.BET, lowest, 0)[:, None].astype(np.uint64)
