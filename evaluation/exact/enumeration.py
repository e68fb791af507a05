"""The whole game of Save The Bet on a small deck, played out on the real tables. Rule: RULES.md §6.

All deals, all decisions and all gambles are played at once, phase by phase, a lane for each history. No rule
of the game is written here again: the deals are those the game deals, legal is what the game finds no fault
with, and a gamble is turned up by giving the lane the key of an episode in which the game turns up that card.
What is added is that all deals are equally likely, and so are all cards of a stack.

The seats decide at once, so seat 0 is asked first and seat 1 does not see what it chose. A seat knows
everything it has seen and done since the deal (perfect recall): in each phase its view and the record of the
turn before, which is public, beside what it knew in the phase before. Where it has one choice only, or is not
asked, it has no information set.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from math import ceil, comb, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.contract import State
from ...games.errors import InvalidSettings
from ...games.kernels import Floats, Keys, Rows
from ...games.save_the_bet.sets import NO_CARDS, ONE, CardSets
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import Phase, SaveTheBetView
from ...games.save_the_bet.table import SaveTheBet
from .forms import Endings, Side, SmallGame

MOST_TABLES: Final = 2_000_000  # histories of one phase, about 1 GB
RECORD: Final = ("last_gamble", "last_bets", "last_saves", "last_won")  # of the state: both have seen it


@dataclass(frozen=True, slots=True)
class Moment:
    """All that a seat can know in one phase, a row for each thing it can have seen and done so far."""

    tables: State  # a table for each row, at which the seat knows just that
    before: Rows  # (n,) the row of the phase before from which it came here
    sets: Rows  # (n,) the information set, -1 where the seat has nothing to choose


@dataclass(frozen=True, slots=True)
class SmallSaveTheBet:
    """A game of Save The Bet, played out."""

    settings: SaveTheBetSettings
    form: SmallGame
    decisions: tuple[CardSets, CardSets]  # (sequences,) of a seat: the last choice of each; ascending in a set
    moments: tuple[tuple[Moment, ...], tuple[Moment, ...]]  # of a seat, phase by phase
    deals: int


def play_out(settings: SaveTheBetSettings, most: int = MOST_TABLES) -> SmallSaveTheBet:
    """Every history of a game with these settings.

    Raises:
        InvalidSettings: more than ``most`` tables are needed in some phase.
    """
    growth = _Growth(settings, most)
    front = growth.deal()
    deals = len(front.chance)
    while len(front.chance):
        front = growth.turn(front)
    return growth.result(deals)


@dataclass(frozen=True, slots=True)
class _Front:
    """The histories of one phase, a lane each."""

    tables: State
    chance: Floats  # (n,) product of the chances so far
    sequences: Rows  # (n, 2) what either seat has chosen so far
    known: Rows  # (n, 2) the row of either seat's last `Moment`

    def take(self, rows: Rows) -> _Front:
        """Some of the lanes, any number of times each."""
        return _Front(take(self.tables, rows), self.chance[rows], self.sequences[rows], self.known[rows])


@dataclass(slots=True)
class _Sets:
    """One seat's information sets as they are found."""

    parent: list[Rows] = field(default_factory=list)
    choices: list[Rows] = field(default_factory=list)
    decisions: list[CardSets] = field(default_factory=lambda: [np.zeros(1, np.uint64)])
    moments: list[Moment] = field(default_factory=list)
    sets: int = 0
    sequences: int = 1

    def side(self) -> Side:
        """The seat's sets, all of them found."""
        choices = np.concatenate([np.zeros(0, np.int64), *self.choices])
        return Side(
            np.concatenate([np.zeros(0, np.int64), *self.parent]),
            np.concatenate([[1], 1 + np.cumsum(choices)]).astype(np.int64),
        )


class _Growth:
    """The game so far: what seats have come to know, and how it has ended."""

    def __init__(self, settings: SaveTheBetSettings, most: int) -> None:
        self.settings, self.most = settings, most
        self.seats = (_Sets(), _Sets())
        self.endings: list[Endings] = []

    def deal(self) -> _Front:
        """All deals, as the game deals them."""
        settings = self.settings
        deals = comb(settings.cards, settings.hand_size) * comb(
            settings.cards - settings.hand_size, settings.hand_size
        )
        self._check(deals)
        lanes = deals * (8 + ceil(log(deals)))  # of which few miss one of the deals
        game, seed = SaveTheBet(settings, 0, lanes), 0
        rows: Rows = np.zeros(0, np.int64)
        while len(rows) < deals:
            game.start(seeds=[seed] * lanes)
            rows, seed = distinct(list(game.state.hands.T))[1], seed + 1
        none = np.zeros((deals, 2), np.int64)
        return _Front(take(game.save(), rows), np.full(deals, 1 / deals), none, none.copy())

    def turn(self, front: _Front) -> _Front:
        """Plays one phase at all tables in every way and leaves those that go on."""
        game = table_of(self.settings, front.tables)
        looks = [self._look(front, game, seat) for seat in (0, 1)]
        front = _Front(front.tables, front.chance, front.sequences, np.column_stack([look.known for look in looks]))
        chosen = []
        betting = bool(game.phase[0] == Phase.BET)  # of all: a turn has two phases at every table
        ...
