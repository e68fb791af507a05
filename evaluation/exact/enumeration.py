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

from dataclasses import dataclass, field, fields, replace
from typing import Final

import numpy as np

from ...games.contract import State
from ...games.errors import InvalidSettings
from ...games.kernels import Floats, Rows
from ...games.save_the_bet.sets import ONE, CardSets, cards_in
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import Phase
from ...games.save_the_bet.table import SaveTheBet
from .forms import Endings, Side, SmallGame
from .tables import (
    all_deals,
    distinct,
    keys_of_gambles,
    legal_decisions,
    number_of_deals,
    table_of,
    tables_in,
    take,
)

MOST_HISTORIES: Final = 2_000_000  # of one phase; they take about 1.5 GB
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
    decisions: tuple[CardSets, CardSets]  # (sequences,) of a seat: what each ends with, ascending in a set
    moments: tuple[tuple[Moment, ...], tuple[Moment, ...]]  # of a seat, phase by phase


def play_out(settings: SaveTheBetSettings, most: int = MOST_HISTORIES) -> SmallSaveTheBet:
    """Every history of a game with these settings.

    Raises:
        InvalidSettings: some phase has more than ``most`` histories.
    """
    growth = _Growth(settings, most)
    front = growth.deal()
    while len(front.chance):
        front = growth.play_phase(front)
    return growth.result()


@dataclass(frozen=True, slots=True)
class _Front:
    """The histories of one phase, a lane each."""

    tables: State
    chance: Floats  # (n,) product of the chances so far
    sequences: Rows  # (n, 2) what either seat has chosen so far
    known: Rows  # (n, 2) the row of either seat's latest `Moment`

    def take(self, rows: Rows) -> _Front:
        """Some of the lanes, any number of times each."""
        return _Front(take(self.tables, rows), self.chance[rows], self.sequences[rows], self.known[rows])


@dataclass(frozen=True, slots=True)
class _Choices:
    """What a seat can choose in each row of its latest `Moment`."""

    first: Rows  # (rows + 1,) row i has the choices first[i] to first[i + 1] - 1
    decisions: CardSets  # (choices,)
    sequences: Rows  # (choices,) the sequence each leads to


@dataclass(slots=True)
class _Seat:
    """One seat's information sets as they are found."""

    parent: list[Rows] = field(default_factory=list)
    choices: list[Rows] = field(default_factory=list)
    decisions: list[CardSets] = field(default_factory=lambda: [np.zeros(1, np.uint64)])
    moments: list[Moment] = field(default_factory=list)
    sets: int = 0
    sequences: int = 1

    def note(self, tables: State, before: Rows, sequences: Rows, rows: Rows, decisions: CardSets) -> _Choices:
        """Makes the next moment, and an information set of each of its rows that has several choices.

        Args:
            tables: a table for each row.
            before: (rows,) the row of the moment before.
            sequences: (rows,) what the seat has chosen so far.
            rows: (choices,) the row of each choice, ascending.
            decisions: (choices,) cards.
        """
        counts = np.bincount(rows, minlength=len(before))
        several = counts > 1
        sets = np.where(several, self.sets + np.cumsum(several) - 1, -1)
        self.moments.append(Moment(tables, before, sets))
        free = several[rows]
        after = np.where(free, self.sequences + np.cumsum(free) - 1, sequences[rows])
        self.parent.append(sequences[several])
        self.choices.append(counts[several])
        self.decisions.append(decisions[free])
        self.sets += int(several.sum())
        self.sequences += int(free.sum())
        return _Choices(np.concatenate([[0], np.cumsum(counts)]), decisions, after)

    def side(self) -> Side:
        """The seat's sets and sequences."""
        first = np.concatenate([[1], 1 + np.cumsum(np.concatenate(self.choices))])
        return Side(np.concatenate(self.parent), first)


class _Growth:
    """The game so far: what the seats can come to know, and how it has ended."""

    def __init__(self, settings: SaveTheBetSettings, most: int) -> None:
        self.settings, self.most = settings, most
        self.deck = np.array(cards_in(settings.deck), np.uint64)
        self.seats = (_Seat(), _Seat())
        self.endings: list[Endings] = []

    def deal(self) -> _Front:
        """All deals."""
        deals = number_of_deals(self.settings)
        self._check(deals)
        start = np.zeros((deals, 2), np.int64)
        return _Front(all_deals(self.settings), np.full(deals, 1 / deals), start, start)

    def play_phase(self, front: _Front) -> _Front:
        """Plays one phase in every way at all tables, and hands over those that go on."""
        game = table_of(self.settings, front.tables)
        known, choices = zip(*(self._look(front, game, seat) for seat in (0, 1)), strict=True)
        front = replace(front, known=np.column_stack(known))
        decisions = game.blank()
        for seat in (0, 1):
            front, decisions = self._choose(front, decisions, seat, choices[seat])
        betting = bool(game.phase[0] == Phase.BET)  # as at all tables: every turn has both phases
        front, game = (self._turn_up if betting else self._reveal)(front, decisions)
        over, on = np.flatnonzero(game.over), np.flatnonzero(~game.over)
        winnings = game.profit[over, 0].astype(np.float64)  # no turn but the last brings any
        self.endings.append(Endings(front.sequences[over], front.chance[over], winnings))
        return _Front(tables_in(game, on), front.chance[on], front.sequences[on], front.known[on])

    def result(self) -> SmallSaveTheBet:
        """The game played out."""
        first, second = self.seats
        parts = [[getattr(part, item.name) for part in self.endings] for item in fields(Endings)]
        return SmallSaveTheBet(
            self.settings,
            SmallGame((first.side(), second.side()), Endings(*map(np.concatenate, parts))),
            (np.concatenate(first.decisions), np.concatenate(second.decisions)),
            (tuple(first.moments), tuple(second.moments)),
        )

    def _look(self, front: _Front, game: SaveTheBet, seat: int) -> tuple[Rows, _Choices]:
        """The row of the seat's next moment at each table, and what can be chosen in each row."""
        view = game.view(seat)
        seen = [getattr(view, item.name) for item in fields(view) if item.name not in ("lane", "seat")]
        before, sequences = front.known[:, seat], front.sequences[:, seat]
        known, lanes = distinct([before, sequences, *seen, *(front.tables[name] for name in RECORD)])
        tables = take(front.tables, lanes)
        rows, decisions = legal_decisions(table_of(self.settings, tables), seat)
        return known, self.seats[seat].note(tables, before[lanes], sequences[lanes], rows, decisions)

    def _choose(
        self, front: _Front, decisions: CardSets, seat: int, choices: _Choices
    ) -> tuple[_Front, CardSets]:
        """Every table once for each choice the seat has there."""
        row = front.known[:, seat]
        counts = np.diff(choices.first)[row]
        self._check(int(counts.sum()))
        lanes = np.repeat(np.arange(len(row)), counts)
        place = np.arange(len(lanes)) - np.repeat(np.cumsum(counts) - counts, counts)
        chosen = choices.first[row[lanes]] + place
        front, decisions = front.take(lanes), decisions[lanes]
        decisions[:, seat, 0] = choices.decisions[chosen]
        front.sequences[:, seat] = choices.sequences[chosen]
        return front, decisions

    def _turn_up(self, front: _Front, decisions: CardSets) -> tuple[_Front, SaveTheBet]:
        """The bets are made; every table once for each gamble that can follow."""
        stack = front.tables["stack"]
        counts = np.bitwise_count(stack).astype(np.int64)
        self._check(int(counts.sum()))
        lanes, place = np.nonzero(stack[:, None] >> self.deck & ONE)
        gambles = self.deck[place].astype(np.int64)
        front = replace(front, chance=front.chance / counts).take(lanes)
        front.tables["key"][:] = keys_of_gambles(self.settings, int(front.tables["turn"][0]) // 2)[gambles]
        front, game = self._reveal(front, decisions[lanes])
        assert (game.state.gamble == gambles).all()
        return front, game

    def _reveal(self, front: _Front, decisions: CardSets) -> tuple[_Front, SaveTheBet]:
        """Plays the phase with these decisions."""
        game = table_of(self.settings, front.tables)
        game.submit(decisions)
        return front, game

    def _check(self, histories: int) -> None:
        if histories > self.most:
            raise InvalidSettings(
                f"a deck of {self.settings.cards} cards with hands of {self.settings.hand_size} and at most"
                f" {self.settings.max_turns} turn(s) is too large to play out: {histories:,} histories in one"
                f" phase, {self.most:,} are allowed; take fewer cards, smaller hands or fewer turns"
            )
