"""Agents in the place of an environment's learner: their decisions, spelled as the actions that write them.

An agent is asked whenever the learner is, sees and draws what a player of its seat does, and its decision
goes to the table action by action. What comes of it is what an environment shows a learner that takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..envs.learner_table import LearnerTable
from ..games.contract import LEGAL
from ..games.errors import RailbirdError
from ..games.kernels import Chips, Features, Flags, Floats, Rows
from ..games.registry import load
from ..games.spelling import NO_ACTION
from .asking import Unusable, as_array, reason_of, whole_numbers


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps of episodes, a row each."""

    deal: Rows  # (n,) int64, number of the lane
    seat: Rows  # (n,) int64, the learner's
    step: Rows  # (n,) int64, of the episode, from 0
    observation: Features  # (n, features) float32
    action: Rows  # (n,) int64
    action_mask: NDArray[np.int8]  # (n, actions)
    reward: Floats  # (n,) float64
    terminal: Flags  # (n,) bool, the last step of its episode
    profit: Chips  # (n,) int64, change of the learner's chips in this step

    def __len__(self) -> int:
        return len(self.deal)

    def rows(self, part: slice | Rows) -> Steps:
        """Some of the steps."""
        return Steps(*(getattr(self, field.name)[part] for field in fields(self)))

    def in_order(self) -> Steps:
        """The same, by deal, then seat, then step."""
        return self.rows(np.lexsort((self.step, self.seat, self.deal)))


def joined(parts: Sequence[Steps]) -> Steps:
    """Steps one behind the other; ``parts`` are one or more."""
    return Steps(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Steps)))


def play_episodes(table: LearnerTable, agent: Agent[Any], name: str, seed: int) -> Steps:
    """All steps of one episode in each lane of a table, an agent in the learner's place.

    Args:
        table: fresh; an action at a time.
        agent: fresh.
        name: what it is called in an error.
        seed: root seed.

    Raises:
        RailbirdError: the agent fails, decides illegally, or decides what no legal actions write; so does a
            rival.
    """
    table.reset(seeds=seed)
    agent.begin(np.ones(table.lanes, bool))
    script = _Script(table, agent, name)
    parts: list[Steps] = []
    while not table.done.all():
        live = ~table.done
        actions = script.actions(live)
        seen, masks = table.observe()[live], table.masks()[live]
        outcome = table.step(actions, live)
        number = np.full(len(seen), len(parts))
        deals, seats = table.game.state.number[live], table.seat[live]
        brought = outcome.rewards[live], outcome.ended[live], outcome.profits[live]
        parts.append(Steps(deals, seats, number, seen, actions[live], masks, *brought))
    return joined(parts).in_order()


class _Script:
    """What the learner of each lane is to do next, as its agent has decided."""

    def __init__(self, table: LearnerTable, agent: Agent[Any], name: str) -> None:
        self._table, self._agent, self._name = table, agent, name
        self._written: Rows = np.full((table.lanes, 1), NO_ACTION)  # actions of the decision, padded
        self._place: Rows = np.zeros(table.lanes, np.int64)  # of the next one

    def actions(self, live: Flags) -> Rows:
        """(lanes,): the next action in each of these lanes; the agent is asked where none is left."""
        every = np.arange(self._table.lanes)
        self._ask(live & (self._next() == NO_ACTION))
        actions: Rows = np.where(live, self._next(), 0)
        self._place[every[live]] += 1
        return actions

    def _next(self) -> Rows:
        inside = self._place < self._written.shape[1]
        place = np.where(inside, self._place, 0)
        return np.where(inside, self._written[np.arange(len(place)), place], NO_ACTION)

    def _ask(self, lanes: Flags) -> None:
        """Has the agent decide in these lanes; action 0 where its seat has nothing to decide."""
        table, every = self._table, np.arange(self._table.lanes)
        self._written[lanes] = NO_ACTION
        self._written[lanes, 0] = 0
        self._place[lanes] = 0
        asked = lanes & table.game.to_act[every, table.seat]
        if not asked.any():
            return
        view = table.game.view(table.seat[asked], asked)
        decisions = self._decisions(view, asked)
        spelled = table.encoding.spell(view, decisions)
        wrong = np.flatnonzero(spelled[:, 0] == NO_ACTION)
        if wrong.size:
            raise self._failed(asked, int(wrong[0]), self._unwritten(asked, decisions, int(wrong[0])))
        wider = spelled.shape[1] - self._written.shape[1]
        if wider > 0:
            self._written = np.pad(self._written, ((0, 0), (0, wider)), constant_values=NO_ACTION)
        self._written[asked, : spelled.shape[1]] = spelled

    def _decisions(self, view: Any, lanes: Flags) -> NDArray[Any]:
        """(n, *decision_shape): legal decisions of the agent for the rows of a view of these lanes."""
        game, seats = self._table.game, self._table.seat[lanes]
        shape = (len(seats), *game.decision_shape)
        try:
            answer = as_array(self._agent.act(view, game.draws(seats, lanes)))
            if answer.dtype.kind not in "biuf" or answer.shape != shape:
                raise Unusable(
                    f"answered {answer.dtype} of shape {answer.shape}; numbers of shape {shape} are due"
                )
        except Exception as error:
            raise RailbirdError(f"agent {self._name!r} {reason_of(error)}") from error
        decisions, broken = whole_numbers(answer, game.decision_dtype)
        if broken.any():
            row = int(np.flatnonzero(broken)[0])
            raise self._failed(lanes, row, f"answered {answer[row].tolist()}; whole numbers are due")
        table = game.fallback()
        rows = np.flatnonzero(lanes)
        table[rows, seats] = decisions
        codes = game.faults(table, lanes)[np.arange(len(rows)), seats]
        if (codes != LEGAL).any():
            row = int(np.flatnonzero(codes != LEGAL)[0])
            lane, seat = int(rows[row]), int(seats[row])
            rule = game.explain(int(codes[row]), decisions[row], lane, seat)
            told = rule.removeprefix(f"lane {lane}, seat {seat}: ")
            raise self._failed(lanes, row, f"decided illegally: {told}")
        return decisions

    def _unwritten(self, lanes: Flags, decisions: NDArray[Any], row: int) -> str:
        """What a decision is that no actions write, and what to do."""
        table = self._table
        phase = int(table.game.phase[np.flatnonzero(lanes)[row]])
        text = load(table.options.game).decision_text(decisions[row], phase)
        sizes = getattr(table.encoding, "stakes", ())
        offered = f" (the sizes on offer are {', '.join(map(str, sizes))})" if sizes else ""
        return (
            f"decided {'; '.join(text.splitlines())!r}, which an environment's actions cannot write{offered}:"
            " it stakes another size or more than its chips; offer other stakes, or choose another agent"
        )

    def _failed(self, lanes: Flags, row: int, told: str) -> RailbirdError:
        lane = int(np.flatnonzero(lanes)[row])
        deal, seat = int(self._table.game.state.number[lane]), int(self._table.seat[lane])
        return RailbirdError(f"agent {self._name!r}, deal {deal}, seat {seat}: {told}")
