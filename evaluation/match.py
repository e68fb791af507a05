"""Match play: a batch of tables of any game, played to the end, and what every seat made of it.

A *table* is a deal with somebody in every seat. A *deal* is a root seed and a lane number, episode 0; all
tables of a deal have the same lane number, so the same cards, and a seat's random choices are keyed by deal,
seat and turn, whoever sits there. Two identical agents in the same seat against the same rivals therefore
differ by exactly nothing.

A player is one instance of an agent. It sits at any number of tables of the batch, in whatever seat, but at
each table once at most, and is asked once a turn for all its tables: an agent that sits twice at a table is
two players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.contract import Game
from ..games.errors import InvalidSettings
from ..games.kernels import Chips, Flags, Floats, Rows
from ..games.spec import GameSpec
from .asking import Asking, Incident


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What every seat of every table made of its game, all (tables, seats)."""

    cash: Chips  # int64: profit in chips, the final division included
    adjusted: Floats  # float64: the same without the luck of the payouts (DESIGN §6)
    staked: Chips  # int64: chips staked in all turns; refused tickets stake nothing
    lowest: Chips  # int64 ≤ 0: the lowest its profit ever stood
    ruined: Flags  # bool: it came to a turn without the chips for another bet
    refused: Rows  # int64: tickets refused because they cost more than the chips at hand
    faults: Rows  # int64: decisions replaced by the empty one
    turns: Rows  # (tables,) int64: turns of the rules, whatever the phases of one
    incidents: tuple[Incident, ...]  # the first fault of each player and kind


class Observer(Protocol):
    """Watches the tables of a batch from the side, and keeps what it wants of them.

    It must leave the game as it is, and use no chance of its own: the match is the same without it.
    """

    def begin(self, game: Game[Any, Any], seating: Rows) -> None:
        """The tables have been set up; nobody has decided anything yet."""

    def after(self, game: Game[Any, Any], decisions: NDArray[Any], active: Flags) -> None:
        """A turn has been played in the lanes ``active`` with these legal decisions (tables, seats, …).

        ``game.profit``, ``game.staked`` and the like are of that turn; everything else is what the next
        decision will be made from.
        """


def play(
    spec: GameSpec,
    settings: Any,
    seed: int,
    deals: Rows,
    players: Sequence[Agent[Any]],
    seating: Rows,
    observers: Sequence[Observer] = (),
) -> MatchResult:
    """Plays one game at every table.

    Luck-adjusted profit is cash minus, turn by turn, the luck of the payouts and of what they leave in the
    middle: each less its exact expectation given the closed bets (`Game.adjusted_profit`). It has the mean of
    cash, and less noise.

    Args:
        spec: the game.
        settings: its rules.
        seed: root seed of all deals.
        deals: (tables,) lane numbers; tables of the same number get the same cards.
        players: fresh instances.
        seating: (tables, seats), which of the players sits there; a house is a seat too.
        observers: told of every turn.

    Raises:
        InvalidSettings: the seating has the wrong shape, names a player that is not there, or one twice at
            a table.
    """
    game = spec.game(settings, seed, deals)
    _check_seating(seating, len(players), (len(deals), game.seats))
    game.start()
    asking = Asking(game, players, seating)
    asking.begin()
    ledger = _Ledger(game)
    for observer in observers:
        observer.begin(game, seating)
    turn, turns, opening = 0, np.zeros(game.lanes, np.int64), game.phase.copy()
    while not game.over.all():
        ledger.look()
        active = ~game.over
        turns += active & (game.phase == opening)
        decisions = asking.decisions(turn)
        game.submit(decisions, active)
        ledger.enter(active)
        for observer in observers:
            observer.after(game, decisions, active)
        turn += 1
    return MatchResult(
        ledger.cash, ledger.adjusted, ledger.staked, ledger.lowest, ledger.ruined,
        ledger.refused, asking.faults, turns, tuple(asking.incidents),
    )  # fmt: skip


class _Ledger:
    """The running accounts of a batch, all (tables, seats)."""

    def __init__(self, game: Game[Any, Any]) -> None:
        shape = (game.lanes, game.seats)
        self.game = game
        self.cash: Chips = np.zeros(shape, np.int64)
        self.adjusted: Floats = np.zeros(shape)
        self.staked: Chips = np.zeros(shape, np.int64)
        self.lowest: Chips = np.zeros(shape, np.int64)
        self.refused: Rows = np.zeros(shape, np.int64)
        self.ruined: Flags = np.zeros(shape, bool)

    def look(self) -> None:
        """Before a turn: who can no longer bet, though the game goes on. The final division saves nobody."""
        self.ruined |= self.game.out & ~self.game.over[:, None]

    def enter(self, active: Flags) -> None:
        """After a turn that was played in these lanes."""
        game = self.game
        rows = np.flatnonzero(active)
        self.cash[rows] += game.profit[rows]
        self.adjusted[rows] += game.adjusted_profit(active)
        self.staked[rows] += game.staked[rows]
        self.refused[rows] += game.refused[rows]
        np.minimum(self.lowest, self.cash, out=self.lowest)


def _check_seating(seating: Rows, players: int, shape: tuple[int, int]) -> None:
    if seating.shape != shape or seating.dtype.kind not in "iu":
        raise InvalidSettings(
            f"a seating is integers of shape {shape}, not {seating.dtype} of {seating.shape}"
        )
    if seating.size and not 0 <= seating.min() <= seating.max() < players:
        raise InvalidSettings(
            f"a seating names players 0 to {players - 1}, not {seating.min()} to {seating.max()}"
        )
    ordered = np.sort(seating, axis=1)
    twice = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    if twice.size:
        raise InvalidSettings(f"at table {twice[0]} one player sits twice; seat two instances of the agent")
