"""The player that searches a tree of its own information sets."""

from __future__ import annotations

from dataclasses import fields
from typing import ClassVar, Final

import numpy as np

from ...games.checks import whole
from ...games.errors import InvalidSettings
from ...games.kernels import Keys, Rows
from ...games.save_the_bet.counting import SHORTEST
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import CardSets
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import Phase, SaveTheBetView
from ...games.save_the_bet.table import SaveTheBet
from ...games.streams import Draws
from .cards import WORTH
from .player import Player, stream_keys
from .search import deal_worlds, grow_trees, room_for, rules_of, tables_of, write_saves

TABLES: Final = 1 << 15  # played at once; each takes about 250 bytes


class Tree(Player):
    """Monte Carlo tree search over information sets, with hands drawn from what its seat does not know.

    Each simulation draws the other's hand by the counting odds, sets up a table with it (`from_view`) and
    plays some turns. The own bet is chosen by PUCT: the mean result so far, plus a bonus for bets `thrifty`
    thinks well of and that were tried little. Nodes are the hands it may hold after so many turns; each
    simulation adds the first one it meets that is new. The other bets as `likeliest-save` does with the hand
    it was dealt and what it would know; both save when that wins. The position reached is worth the chance to
    win the game from there, by both hands (`railbird.agents.save_the_bet.search`). The bet tried most often
    is made. Takes one call of the draws.

    Options:
        simulations: how many games are begun for each bet, 1-100000.
        turns: how many turns of each are played, 1-50.
        exploration: weight of the bonus, in chances to win the game, 0-10.
    """

    idea: ClassVar[str] = (
        "Plays out many games with hands the other may hold and makes the bet that did best."
    )
    source: ClassVar[str] = "information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012)"

    def __init__(
        self,
        settings: SaveTheBetSettings,
        *,
        simulations: int = 1_000,
        turns: int = 2,
        exploration: float = 1.0,
    ) -> None:
        super().__init__(settings)
        self.simulations = whole("simulations", simulations, 1, 100_000)
        self.turns = whole("turns", turns, 1, 50)
        if not 0 <= exploration <= 10:
            raise InvalidSettings(f"exploration is a number from 0 to 10, not {exploration!r}")
        self.exploration = float(exploration)

    def act(self, view: SaveTheBetView, draws: Draws) -> CardSets:
        out = np.zeros((len(view.lane), 1), np.uint64)
        write_saves(out, view.phase, view.hand, view.bet, view.own_public, view.gamble, self.by_suit)
        keys = stream_keys(draws)
        betting = np.flatnonzero((view.phase == Phase.BET) & (view.hand != 0))
        step = max(1, TABLES // self.simulations)
        for start in range(0, len(betting), step):
            rows = betting[start : start + step]
            out[rows, 0] = self._search(_rows_of(view, rows), keys[rows])
        return out

    def _search(self, view: SaveTheBetView, keys: Keys) -> CardSets:
        """The bets (n,) uint64 of rows that have cards to bet."""
        each = np.repeat(np.arange(len(view.lane)), self.simulations)
        many = _rows_of(view, each)
        hidden = np.zeros((len(each), 2), np.uint64)
        streams = np.empty(len(each), np.uint64)
        deal_worlds(
            hidden, streams, keys, self.simulations, unknown_cards(self.settings, many), many.other_public,
            many.held,
        )  # fmt: skip
        table = SaveTheBet.from_view(self.settings, many, hidden)
        table.state.key[:] = streams  # the gambles to come hang on the row's own draws, not on its place
        board = SaveTheBet(self.settings)
        chosen = np.empty(len(view.lane), np.uint64)
        grow_trees(
            chosen, view.seat, tables_of(table.state), tables_of(board.state), room_for(self.simulations + 1),
            self.simulations, self.turns, self.exploration, SHORTEST, WORTH,
            rules_of(self.settings),
        )  # fmt: skip
        return chosen


def _rows_of(view: SaveTheBetView, rows: Rows) -> SaveTheBetView:
    """The view of some rows, in this order, repeated where they are."""
    return SaveTheBetView(**{field.name: getattr(view, field.name)[rows] for field in fields(view)})
