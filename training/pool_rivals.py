"""Opponents from a pool, lane by lane: who sits beside a learner is drawn when a game begins.

A game is played to its end with those who began it, also with one that leaves the pool meanwhile, so no game
is lost, and each counts once, for who was really met. Whatever the lanes and seats of a member, it is asked
once a turn for all of them together; only if it sits twice at one table are there two instances.
"""

from __future__ import annotations

from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from ..envs.learner_table import LearnerTable
from ..envs.memory import recall, remembered
from ..envs.options import Options
from ..envs.rivals import LEARNER, AnyGame, Rivals
from ..envs.snapshot import pack, unpack
from ..games.contract import house_seat
from ..games.errors import BrokenFile, IllegalDecision, RailbirdError
from ..games.kernels import Chips, Flags, Rows
from ..games.streams import Draws, extend, root_key
from .pool import Kind, Pool

DRAWN: Final = -4  # in a stream's name where games have their lane number, which is never negative
NOBODY: Final = -1
Who = tuple[int, int]  # a member's number, and which of its instances


class PoolRivals(Rivals):
    """Members of a pool at every seat but the learner's, a house that an agent quotes for apart.

    Args:
        options: the settings of the environment.
        game: the tables.
        pool: who may sit there.
        seed: of the draws; they depend on nothing else but lane, episode, seat and the pool's chances.
    """

    def __init__(self, options: Options, game: AnyGame, pool: Pool, seed: int) -> None:
        super().__init__(() if options.banker is None else (options.banker,), options.settings)
        self._options, self._game, self.pool, self._seed = options, game, pool, seed
        self._others = len(options.opponents)
        self.kinds = share_kinds(game.lanes * self._others, pool.settings.shares, seed).reshape(
            game.lanes, self._others
        )
        self.seated: Rows = np.full((game.lanes, self._others), NOBODY, np.int64)  # numbers of members
        self._copy: Rows = np.zeros_like(self.seated)  # which of its instances
        self._playing: dict[Who, Any] = {}

    def begin(self, lanes: Flags) -> None:
        """Draws who sits there in the new episodes of these lanes."""
        rows, state = np.flatnonzero(lanes), self._game.state
        keys = np.full(len(rows), root_key(self._seed), np.uint64)
        for word in (np.full(len(rows), DRAWN), state.number[rows], state.episode[rows]):
            keys = extend(keys, word)
        drawn = Draws(keys).uniform(self._others)
        self.seated[rows] = self.pool.draw(self.kinds[rows].ravel(), drawn.ravel()).reshape(drawn.shape)
        self._copy[rows] = count_copies(self.seated[rows])
        for agent in self._agents:
            agent.begin(lanes.copy())
        codes = self._codes()[rows]
        for code in np.unique(codes).tolist():
            who, begun = divmod(code, self._others), np.zeros(len(lanes), bool)
            begun[rows[(codes == code).any(axis=1)]] = True
            if who not in self._playing:
                self._playing[who] = self.pool.members[who[0]].make()
                begun[:] = True  # so that it knows how many lanes there are
            self._playing[who].begin(begun)
        self._leave()

    def _codes(self) -> Rows:
        """(lanes, others): a number for each instance; `divmod` by the number of others gives `Who`."""
        return self.seated * self._others + self._copy

    def _leave(self) -> None:
        """Lets go of instances of members that are drawn no more and have played their games."""
        for member, copy in list(self._playing):
            if not self.pool.members[member].active and not (self.seated == member).any():
                del self._playing[member, copy]

    def decide(self, game: AnyGame, learner: Rows, lanes: Flags, decisions: NDArray[Any]) -> None:
        """As `Rivals.decide`."""
        to_act, view = game.to_act, None
        codes = np.where(lanes[:, None], self._codes(), NOBODY)
        every = np.arange(len(lanes))
        for code in np.unique(codes[codes != NOBODY]).tolist():
            who = divmod(code, self._others)
            place = (codes == code).argmax(axis=1)
            seats = self._seats_at(place, learner)
            asked = (codes[every, place] == code) & to_act[every, seats]
            rows = np.flatnonzero(asked)
            if rows.size:
                view = game.view(seats[rows], asked, like=view)
                decided = self._answer(who, game, view, game.draws(seats[rows], asked))
                decisions[rows, seats[rows]] = decided
        self._quote(game, lanes, decisions)

    def _quote(self, game: AnyGame, lanes: Flags, decisions: NDArray[Any]) -> None:
        """Asks who quotes for the house."""
        house = house_seat(self._settings)
        if not self._agents or house is None:
            return
        asked = lanes & game.to_act[:, house]
        rows = np.flatnonzero(asked)
        if rows.size:
            draws = game.draws(house, asked)
            decisions[rows, house] = self._ask(0, self._agents[0], game, game.view(house, asked), draws)

    def _answer(self, who: Who, game: AnyGame, view: Any, draws: Draws) -> NDArray[Any]:
        agent, kept = self._playing[who], self.names
        self.names = [self.pool.members[who[0]].name]  # of whom an error tells
        try:
            return self._ask(0, agent, game, view, draws)
        finally:
            self.names = kept

    def _seats_at(self, place: Rows, learner: Rows) -> Rows:
        """(lanes,): where the rivals of these places (lanes,) sit when the learner has these seats."""
        turned = (learner + 1 + place) % self._players
        return turned if self._house is None else np.where(learner == self._house, place, turned)

    def blame(self, game: AnyGame, learner: Rows, lanes: Flags, decisions: NDArray[Any]) -> IllegalDecision:
        """The error that names the member behind the first illegal decision in these lanes."""
        codes = game.faults(decisions, lanes)
        row, seat = (int(found[0]) for found in np.nonzero(codes))
        lane = int(np.flatnonzero(lanes)[row])
        rule = game.explain(int(codes[row, seat]), decisions[lane, seat], lane, seat)
        return IllegalDecision(f"{self._told(lane, seat, learner)} decided illegally: {rule}")

    def _told(self, lane: int, seat: int, learner: Rows) -> str:
        """Who sits on a seat, for an error."""
        if seat == learner[lane]:
            return "the learner"
        for place, member in enumerate(self.seated[lane].tolist()):
            if self._seats_at(np.array([place]), learner[lane : lane + 1])[0] == seat:
                return f"opponent {self.pool.members[member].name!r}"
        return f"opponent {self.names[0]!r}"

    def around(self, learner: int) -> list[str]:
        """Who sits where when the learner has this seat; of the pool it may be anybody."""
        names = ["pool"] * self._players + (["house"] if self._house is not None else [])
        if self.names:
            names[-1] = self.names[0]
        names[learner] = LEARNER
        return names

    def memory(self) -> list[Any]:
        """Who sits where, and what each remembers, as JSON data.

        Raises:
            RailbirdError: an agent remembers something that cannot be written down.
        """
        known = []
        for (member, copy), agent in self._playing.items():
            fresh = self.pool.members[member]
            try:
                known.append([member, copy, remembered(agent, fresh.make())])
            except RailbirdError as cause:
                raise RailbirdError(
                    f"the memory of opponent {fresh.name!r} cannot be saved: {cause}"
                ) from cause
        return [pack(self.seated), known, super().memory()]

    def recalled(self, memory: Any) -> Self:
        """Members of the same pool, seated as `memory` wrote down and with what they remembered.

        Raises:
            BrokenFile: it cannot be read.
        """
        found = type(self)(self._options, self._game, self.pool, self._seed)
        try:
            seated, known, house = memory
            numbers = np.asarray(unpack(seated))
            if numbers.shape != self.seated.shape or not (numbers < len(self.pool.members)).all():
                raise BrokenFile("a saved pool sits at other tables")
            found.seated[:] = numbers
            found._copy[:] = count_copies(found.seated)
            for member, copy, remembers in known:
                agent = self.pool.members[member].make()
                recall(agent, remembers)
                found._playing[member, copy] = agent
        except (TypeError, ValueError, IndexError) as error:
            raise BrokenFile(f"the opponents of a saved state cannot be read: {error}") from error
        for agent, remembers in zip(found._agents, house, strict=True):
            recall(agent, remembers)
        return found


class Results:
    """A watcher that counts every game of a table for who was met in it."""

    def __init__(self, table: LearnerTable, pool: Pool) -> None:
        self._table, self._pool = table, pool
        self.running: Chips = np.zeros(table.lanes, np.int64)  # the learner's profit in games that go on

    def began(self, lanes: Flags) -> None:
        """An episode begins in these lanes."""
        self.running[lanes] = 0

    def played(self, lanes: Flags) -> None:
        """A turn has been played in these lanes."""
        table = self._table
        rows = np.flatnonzero(lanes)
        self.running[rows] += table.game.profit[rows, table.seat[rows]]
        over = rows[table.game.over[rows]]
        rivals = table.rivals
        if over.size and isinstance(rivals, PoolRivals):
            met = np.sort(rivals.seated[over], axis=1)
            first = np.ones(met.shape, bool)
            first[:, 1:] = met[:, 1:] != met[:, :-1]  # one game, however often a member sits there
            profits = np.broadcast_to(self.running[over][:, None], met.shape)
            self._pool.count(met[first], profits[first])


def share_kinds(cells: int, shares: tuple[float, float, float], seed: int) -> NDArray[np.int8]:
    """(cells,) int8: a `Kind` for each seat beside a learner, as nearly in these shares as whole seats allow,
    in an order drawn by ``seed``.
    """
    ends = np.rint(np.cumsum(shares) / sum(shares) * cells).astype(np.int64)
    kinds = np.repeat(np.array(list(Kind), np.int8), np.diff(ends, prepend=0))
    keys = extend(np.full(cells, root_key(seed), np.uint64), DRAWN)
    order = np.argsort(Draws(keys, np.arange(cells)).uniform(1)[:, 0], kind="stable")
    return kinds[order]


def count_copies(seated: Rows) -> Rows:
    """(n, others) int64: how many seats before this one of a row (n, others) have the same member."""
    copies = np.zeros_like(seated)
    for place in range(1, seated.shape[1]):
        copies[:, place] = (seated[:, :place] == seated[:, [place]]).sum(axis=1)
    return copies
