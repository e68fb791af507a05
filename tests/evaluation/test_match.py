"""Match play: sums worked out by hand, and nothing that depends on which tables share a batch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation.match import MatchResult, play
from railbird.games.contract import Game
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket

SUPERFECTA = load("superfecta")
EVERY_HORSE = "$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S"
ONE_TOO_MANY = "$2 WIN H; $1 WIN D; $1 WIN C; $1 WIN S"
ACCOUNTS = [field.name for field in fields(MatchResult) if field.name != "incidents"]


class Planned(Agent[Any]):
    """The same ticket in every race."""

    def __init__(self, settings, text=""):
        super().__init__(settings)
        self.ticket = parse_ticket(text, settings)

    def act(self, view, draws):
        return np.tile(self.ticket, (len(view.lane), 1))


class Thrower(Agent[Any]):
    """Takes each line with chance 1/8; what it takes depends on its draws alone."""

    def act(self, view, draws):
        return (draws.uniform(40) < 0.125).astype(np.int16)


class Copier(Agent[Any]):
    """Repeats, from its own memory, the ticket its left neighbour paid for in the race before the last."""

    def begin(self, lanes):
        self.seen = np.zeros((len(lanes), 40), np.int16)

    def act(self, view, draws):
        rows, left = np.arange(len(view.lane)), (view.seat + 1) % view.bankrolls.shape[1]
        ticket = self.seen[view.lane]
        self.seen[view.lane] = view.last_stakes[rows, left]
        return ticket


def two_seats(races, **options):
    return SuperfectaSettings(seats=2, races=races, **options)


def meet(settings, first, second, deals=5, seed=3):
    """Two agents at one table of each deal, the first in seat 0."""
    seating = np.tile([0, 1], (deals, 1))
    return play(SUPERFECTA, settings, seed, np.arange(deals), [first, second], seating)


def test_two_planned_tickets_come_to_the_sums_done_by_hand():
    # Both hold every horse, so whoever wins, they share the WIN pool equally.
    # Race 1: 5 + 4 = 9 chips, 4 each, 1 carried on: profits -1 and 0.
    # Race 2: 1 + 9 = 10 chips, 5 each, none left to divide: profits 0 and +1.
    settings = two_seats(2)
    result = meet(settings, Planned(settings, ONE_TOO_MANY), Planned(settings, EVERY_HORSE))
    assert (result.cash == [-1, 1]).all()
    assert (result.staked == [10, 8]).all()
    assert (result.lowest == [-1, 0]).all()
    assert result.adjusted == pytest.approx(np.array([[-1.0, 1.0]] * 5), abs=1e-12)  # no luck was in it
    assert not result.ruined.any() and not result.refused.any() and not result.faults.any()


# RULES.md §1: by the rail counts, highest first, the chance to win of a suit with so many cards on the rail
WIN_CHANCES = {
    (2, 2, 1, 1): {2: 0.1892, 1: 0.3108},
    (3, 1, 1, 1): {3: 0.0959, 1: 0.3014},
    (3, 2, 1, 0): {3: 0.0928, 2: 0.1775, 1: 0.2926, 0: 0.4371},
}


def test_luck_adjusted_profit_is_the_exact_expectation_of_the_ticket():
    # Seat 0 stakes a chip on H and is alone in the pool: it gets it back if H wins; if not, the chip stays
    # and is divided after this only race: 1 // 2 = 0 each. So it expects P(H) - 1.
    settings = two_seats(1)
    result = meet(settings, Planned(settings, "$1 WIN H"), Planned(settings), deals=40)
    game = SUPERFECTA.game(settings, 3, np.arange(40))
    game.start()
    rails = [tuple(int(count) for count in rail) for rail in game.state.rail]
    listed: dict[int, Any] = {deal: tuple(sorted(rail, reverse=True)) for deal, rail in enumerate(rails)}
    listed = {deal: rail for deal, rail in listed.items() if rail in WIN_CHANCES}
    assert set(listed.values()) == set(WIN_CHANCES)  # each of the three is among these deals
    for deal, rail in listed.items():
        assert result.adjusted[deal, 0] == pytest.approx(WIN_CHANCES[rail][rails[deal][0]] - 1, abs=5e-5)
    assert set(result.cash[:, 0].tolist()) == {0, -1}


def test_ruin_is_coming_to_a_race_without_the_chips_for_a_bet():
    # All that is staked is taken out (rate 1). Two chips, one a race: broke before race 3, whose ticket is
    # refused; with two races the chips end with the game and nobody was ruined.
    options = {"split": "pro_rata", "rate": 1, "bankroll": 2, "minimum_bets": (1, 1, 1), "breakage": 1}
    for races, ruined, refused in ((3, True, 1), (2, False, 0)):
        settings = two_seats(races, **options)
        result = meet(settings, Planned(settings, "$1 WIN H"), Planned(settings))
        assert (result.cash == [-2, 0]).all() and (result.staked == [2, 0]).all()
        assert (result.lowest == [-2, 0]).all()
        assert (result.ruined == [ruined, False]).all()
        assert (result.refused == [refused, 0]).all()


def test_broke_from_the_start_is_ruined():
    settings = two_seats(1, bankroll=0)
    assert meet(settings, Planned(settings), Planned(settings)).ruined.all()


def test_a_table_does_not_depend_on_the_tables_beside_it():
    settings = SuperfectaSettings(seats=3, races=4)
    turns = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1], [3, 1, 2]])
    deals, seating = np.repeat(np.arange(6), 4), np.tile(turns, (6, 1))

    def field():
        return [Thrower(settings), Copier(settings), Planned(settings, EVERY_HORSE), Copier(settings)]

    whole = play(SUPERFECTA, settings, 9, deals, field(), seating)
    for part in (np.arange(24) < 4, np.arange(24) % 5 == 2, np.arange(24) == 23):
        alone = play(SUPERFECTA, settings, 9, deals[part], field(), seating[part])
        for name in ACCOUNTS:
            np.testing.assert_array_equal(getattr(alone, name), getattr(whole, name)[part], err_msg=name)


def test_an_agent_in_another_seat_draws_other_numbers_but_its_twin_in_the_same_seat_the_same():
    settings = two_seats(6)
    agents = [Thrower(settings), Planned(settings), Thrower(settings)]
    seating = np.array([[0, 1], [2, 1], [1, 0]])
    result = play(SUPERFECTA, settings, 0, np.full(3, 5), agents, seating)
    assert result.staked[0, 0] == result.staked[1, 0] and result.cash[0, 0] == result.cash[1, 0]
    assert result.staked[2, 1] != result.staked[0, 0]


@pytest.mark.parametrize(
    ("seating", "message"),
    [
        ([[0, 0]], "at table 0 one player sits twice"),
        ([[0, 2]], "names players 0 to 1, not 0 to 2"),
        ([[0, 1, 1]], r"integers of shape \(1, 2\), not int64 of \(1, 3\)"),
        ([[0.0, 1.0]], "not float64"),
    ],
)
def test_a_seating_that_cannot_be_is_named(seating, message):
    settings = two_seats(1)
    with pytest.raises(InvalidSettings, match=message):
        play(SUPERFECTA, settings, 0, np.arange(1), [Planned(settings)] * 2, np.array(seating))


@dataclass
class CountdownState:
    number: np.ndarray
    root: np.ndarray
    key: np.ndarray
    episode: np.ndarray
    turn: np.ndarray
    profit: np.ndarray
    over: np.ndarray


@dataclass(frozen=True)
class CountdownView:
    lane: np.ndarray
    seat: np.ndarray
    left: np.ndarray


@dataclass(frozen=True)
class CountdownSettings:
    seats: int = 2


class Countdown(Game[Any, Any]):
    """Lane k lasts k + 1 turns; the seats decide in turn, seat 0 first, and earn what they say."""

    name = "countdown"
    decision_shape = ()
    decision_dtype = np.int32

    def _blank_state(self, lanes):
        return CountdownState(
            number=np.zeros(lanes, np.int64),
            root=np.zeros(lanes, np.uint64),
            key=np.zeros(lanes, np.uint64),
            episode=np.full(lanes, -1),
            turn=np.zeros(lanes, np.int64),
            profit=np.zeros((lanes, 2), np.int64),
            over=np.ones(lanes, bool),
        )

    def _open(self, rows):
        pass

    def _play(self, decisions, rows):
        state = self.state
        state.profit[rows] = np.where(self.to_act[rows], decisions[rows], 0)
        state.over[rows] = state.turn[rows] >= state.number[rows]

    def _view(self, seats, rows):
        return CountdownView(rows, seats, (self.state.number - self.state.turn)[rows])

    @property
    def to_act(self):
        return ~self.state.over[:, None] & (self.state.turn[:, None] % 2 == np.arange(2))

    @property
    def out(self):
        return np.zeros((self.lanes, 2), bool)

    @property
    def staked(self):
        return np.full((self.lanes, 2), 3)

    @property
    def refused(self):
        return ~self.to_act & ~self.over[:, None]  # after the turn it is the other seat's to act

    def faults(self, decisions, lanes=None):
        return (self.to_act & (decisions < 0))[self.rows(lanes)].astype(np.int8)

    def explain(self, code, decision, lane, seat):
        return f"lane {lane}, seat {seat}: {decision} is below zero"

    def expected_profit(self, lanes=None):
        return self.state.profit[self.rows(lanes)].astype(float)

    @classmethod
    def from_view(cls, settings, view, hidden, seed):
        raise NotImplementedError


class Tens(Agent[Any]):
    """Says 10 and the turns that are left."""

    def act(self, view, draws):
        return 10 + view.left


def test_any_game_is_played_to_the_end_of_its_longest_table_asking_only_who_is_to_act():
    spec: Any = SimpleNamespace(game=Countdown)
    settings = CountdownSettings()
    seating = np.tile([0, 1], (4, 1))
    result = play(spec, settings, 0, np.array([0, 1, 2, 3]), [Tens(settings), Tens(settings)], seating)
    # Deal 3 has turns 0 to 3 with 3, 2, 1, 0 left: seat 0 says 13 and 11, seat 1 says 12 and 10.
    assert result.cash.tolist() == [[10, 0], [11, 10], [22, 11], [24, 22]]
    assert result.adjusted.tolist() == result.cash.tolist()
    assert result.staked[:, 0].tolist() == [3, 6, 9, 12]  # three a turn
    # refused after each turn but the last, to the seat that has just decided
    assert result.refused.tolist() == [[0, 0], [1, 0], [1, 1], [2, 1]]


class Notes:
    """An observer that writes down what it is told."""

    def __init__(self):
        self.begun, self.turns = None, []

    def begin(self, game, seating):
        self.begun = game.state.turn.tolist(), seating.tolist()

    def after(self, game, decisions, active):
        self.turns.append((decisions.copy(), active.copy(), game.profit.copy()))


def test_an_observer_is_told_of_every_turn_and_changes_nothing():
    rules, seating = two_seats(3), np.array([[0, 1], [1, 0]])
    players = [Planned(rules, EVERY_HORSE), Planned(rules, ONE_TOO_MANY)]
    plain = play(SUPERFECTA, rules, 5, np.arange(2), players, seating)
    notes, others = Notes(), Notes()
    watched = play(SUPERFECTA, rules, 5, np.arange(2), players, seating, [notes, others])
    for name in ACCOUNTS:
        np.testing.assert_array_equal(getattr(plain, name), getattr(watched, name))
    assert notes.begun == ([0, 0], [[0, 1], [1, 0]])
    assert len(notes.turns) == len(others.turns) == 3
    tickets = np.array([parse_ticket(EVERY_HORSE, rules), parse_ticket(ONE_TOO_MANY, rules)])
    for decisions, active, _ in notes.turns:
        np.testing.assert_array_equal(decisions, tickets[seating])
        assert active.all()
    np.testing.assert_array_equal(sum(profit for _, _, profit in notes.turns), watched.cash)
