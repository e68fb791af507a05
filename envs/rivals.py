"""The agents at the other seats of a learner's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..agents.registry import AgentSpec, label
from ..games.contract import Game, house_seat
from ..games.errors import BrokenFile, IllegalDecision, RailbirdError
from ..games.kernels import Flags, Rows
from ..games.streams import Draws
from .memory import recall, remembered

AnyGame = Game[Any, Any]
LEARNER = "learner"


class Rivals:
    """One agent instance for each seat but the learner's.

    Rival k sits k + 1 players behind the learner, or on seat k where the learner is the house; an agent that
    quotes for the house is the last rival.
    """

    def __init__(self, specs: Sequence[AgentSpec], settings: Any) -> None:
        self._specs = tuple(specs)
        self._settings = settings
        self._players = int(settings.seats)
        self._house = house_seat(settings)
        self._agents: list[Agent[Any]] = [spec.make(settings) for spec in specs]
        self.names = label([spec.text for spec in specs])

    def begin(self, lanes: Flags) -> None:
        """Tells every agent that a new episode starts in these lanes."""
        for agent in self._agents:
            agent.begin(lanes.copy())

    def decide(self, game: AnyGame, learner: Rows, lanes: Flags, decisions: NDArray[Any]) -> None:
        """Asks each agent once for the lanes of the mask in which its seat is to act and writes its answers
        into ``decisions`` (lanes, seats, …). ``learner`` (lanes,) is the learner's seat.

        Raises:
            RailbirdError: an agent raised.
            IllegalDecision: an answer has the wrong shape or holds no integers of the game's range.
        """
        to_act = game.to_act
        every = np.arange(game.lanes)
        view = None
        same = bool((learner == learner[0]).all())  # every lane asks the same seat: a column is a block
        for place, agent in enumerate(self._agents):
            seats = self._seats(place, learner[:1] if same else learner)
            asked = lanes & (to_act[:, seats[0]] if same else to_act[every, seats])
            rows = np.flatnonzero(asked)
            if rows.size:
                who = int(seats[0]) if same else seats[rows]
                view = game.view(who, asked, like=view)
                decided = self._ask(place, agent, game, view, game.draws(who, asked))
                if same and rows.size == game.lanes:
                    decisions[:, who] = decided
                else:
                    decisions[rows, who] = decided

    def _ask(self, place: int, agent: Agent[Any], game: AnyGame, view: Any, draws: Draws) -> NDArray[Any]:
        """One agent's decisions (n, …) for the rows of the view, in the game's dtype."""
        try:
            answer = np.asarray(agent.act(view, draws))
        except Exception as cause:
            kind = type(cause).__name__
            raise RailbirdError(f"opponent {self.names[place]!r} raised {kind}: {cause}") from cause
        wanted, shape = np.dtype(game.decision_dtype), (len(draws), *game.decision_shape)
        fits = answer.dtype == wanted or (
            answer.dtype.kind in "iu" and answer.size and _holds(wanted, int(answer.min()), int(answer.max()))
        )
        if answer.shape != shape or not fits:
            raise IllegalDecision(
                f"opponent {self.names[place]!r} decided {answer.dtype} of shape {answer.shape};"
                f" decisions are integers of shape {shape} within {wanted}"
            )
        return answer

    def blame(self, game: AnyGame, learner: Rows, lanes: Flags, decisions: NDArray[Any]) -> IllegalDecision:
        """The error that names the agent behind the first illegal decision in these lanes."""
        codes = game.faults(decisions, lanes)
        row, seat = (int(found[0]) for found in np.nonzero(codes))
        lane = int(np.flatnonzero(lanes)[row])
        rule = game.explain(int(codes[row, seat]), decisions[lane, seat], lane, seat)
        who = self.around(int(learner[lane]))[seat]
        told = "the learner" if who == LEARNER else f"opponent {who!r}"
        return IllegalDecision(f"{told} decided illegally: {rule}")

    def around(self, learner: int) -> list[str]:
        """Who sits where when the learner has this seat, names by seat; the house is one too."""
        names = ["house"] * (self._players + (self._house is not None))
        names[learner] = LEARNER
        for place, name in enumerate(self.names):
            names[int(self._seats(place, np.array([learner]))[0])] = name
        return names

    def _seats(self, place: int, learner: Rows) -> Rows:
        """(lanes,): where a rival sits when the learner has these seats."""
        if self._house is None:
            return (learner + 1 + place) % self._players
        if place == self._players - 1:  # players - 1 opponents come before the house's banker
            return np.where(learner == self._house, place, self._house)
        return np.where(learner == self._house, place, (learner + 1 + place) % self._players)

    def memory(self) -> list[Any]:
        """What each agent remembers, as JSON data (see `remembered`).

        Raises:
            RailbirdError: an agent remembers something that cannot be written down.
        """
        written = []
        for name, spec, agent in zip(self.names, self._specs, self._agents, strict=True):
            try:
                written.append(remembered(agent, spec.make(self._settings)))
            except RailbirdError as cause:
                raise RailbirdError(f"the memory of opponent {name!r} cannot be saved: {cause}") from cause
        return written

    def recalled(self, memory: Any) -> Self:
        """The same agents at the same seats, with what `memory` wrote down.

        Raises:
            BrokenFile: it is of another number of agents, or cannot be read.
        """
        if not isinstance(memory, list) or len(memory) != len(self._specs):
            raise BrokenFile(f"a saved state has a list of memories for {len(self._specs)} opponents")
        rivals = type(self)(self._specs, self._settings)
        for agent, known in zip(rivals._agents, memory, strict=True):
            recall(agent, known)
        return rivals


def _holds(dtype: np.dtype[Any], lowest: int, highest: int) -> bool:
    """Whether an integer dtype holds all numbers of a range."""
    limits = np.iinfo(dtype)
    return int(limits.min) <= lowest and highest <= int(limits.max)
