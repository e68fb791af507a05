"""Faults of every kind are recorded with their reason, cost the empty decision, and touch nobody else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation.asking import LONGEST_REASON, Fault, reason_of, whole_numbers
from railbird.evaluation.match import play
from railbird.games.registry import load
from railbird.games.superfecta.settings import SuperfectaSettings

SUPERFECTA = load("superfecta")
SETTINGS = SuperfectaSettings(seats=2, races=2)
DEALS = 40


class Steady(Agent[Any]):
    """A chip on each horse."""

    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 40), np.int64)
        stakes[:, :4] = 1
        return stakes


class Faulty(Steady):
    """Steady, but for what `spoil` does with its ticket."""

    def __init__(self, settings, spoil):
        super().__init__(settings)
        self.spoil = spoil

    def act(self, view, draws):
        return self.spoil(super().act(view, draws), view)


class Silent(Steady):
    """Steady, but with an empty ticket where told: what a fault should come to."""

    def __init__(self, settings, where):
        super().__init__(settings)
        self.where = where

    def act(self, view, draws):
        stakes = super().act(view, draws)
        stakes[self.where(view)] = 0
        return stakes


def meet(first, deals=DEALS):
    """Two tables a deal, the agent in seat 0 of one and seat 1 of the other."""
    rival, seating = Steady(SETTINGS), np.tile([[0, 1], [1, 0]], (deals, 1))
    return play(SUPERFECTA, SETTINGS, 6, np.repeat(np.arange(deals), 2), [first, rival], seating)


def with_heart(view):
    """Rows of a rail on which hearts show three cards or more, about a sixth."""
    return view.rail[:, 0] >= 3


def raise_for_heart(stakes, view):
    if with_heart(view).any():
        raise ArithmeticError("three hearts")
    return stakes


def put(value, dtype=np.int64):
    """Writes a value on line 17 of the tickets on those rails."""

    def spoil(stakes, view):
        stakes = stakes.astype(dtype)
        stakes[with_heart(view), 17] = value
        return stakes

    return spoil


@pytest.mark.parametrize(
    ("spoil", "fault", "reason"),
    [
        (raise_for_heart, Fault.RAISED, "raised ArithmeticError: three hearts (test_asking.py, line "),
        (
            lambda stakes, view: stakes[:, :39] if with_heart(view).any() else stakes,
            Fault.SHAPE, "answered int64 of shape (2, 39); numbers of shape (2, 40) are due",
        ),
        (
            lambda stakes, view: None if with_heart(view).any() else stakes,
            Fault.SHAPE, "answered object of shape ()",
        ),
        (
            lambda stakes, view: [[1], [1, 2]] if with_heart(view).any() else stakes,
            Fault.SHAPE, "answered a list that is no array",
        ),
        (put(np.nan, np.float64), Fault.NUMBERS, "answered nan; whole numbers from -32,768 to 32,767"),
        (put(np.inf, np.float64), Fault.NUMBERS, "answered inf; "),
        (put(0.5, np.float32), Fault.NUMBERS, "answered 0.5; "),
        (put(65_537), Fault.NUMBERS, "answered 65537; "),  # would wrap round to 1
        (put(-1), Fault.ILLEGAL, "-1 chips on SFC H/D/S/C; a stake is never negative"),
    ],
)  # fmt: skip
def test_a_fault_is_recorded_and_costs_the_empty_ticket_where_it_happened(spoil, fault, reason):
    result = meet(Faulty(SETTINGS, spoil))
    fair = meet(Silent(SETTINGS, with_heart))
    for name in ("cash", "adjusted", "staked", "ruined", "refused"):
        np.testing.assert_array_equal(getattr(result, name), getattr(fair, name), err_msg=name)
    # Its own stakes show in which races it was silent: 4 chips in each of the two others.
    seat = np.tile([0, 1], DEALS)
    tables = np.arange(2 * DEALS)
    np.testing.assert_array_equal(result.faults[tables, seat], 2 - result.staked[tables, seat] // 4)
    assert result.faults.sum() > 10 and not result.faults[tables, 1 - seat].any()
    (incident,) = result.incidents
    first = int(np.flatnonzero(result.faults.any(axis=1))[0])
    assert (incident.player, incident.fault, incident.deal, incident.table) == (0, fault, first // 2, first)
    assert incident.seat == 0
    assert incident.reason.startswith(reason)


def test_a_fault_does_not_depend_on_the_deals_in_the_batch():
    whole = meet(Faulty(SETTINGS, raise_for_heart))
    part = meet(Faulty(SETTINGS, raise_for_heart), deals=7)
    np.testing.assert_array_equal(part.faults, whole.faults[:14])
    np.testing.assert_array_equal(part.cash, whole.cash[:14])
    assert part.incidents == whole.incidents


def always_raise(stakes, view):
    raise SystemExit(1)


def test_an_agent_that_always_raises_loses_every_decision_and_nothing_else():
    result = meet(Faulty(SETTINGS, always_raise))
    # two races a game; the rival alone in the pools gets its four chips back each time
    assert (result.faults == np.tile([[2, 0], [0, 2]], (DEALS, 1))).all()
    assert not result.cash.any()
    assert result.incidents[0].reason.startswith("raised SystemExit: 1")


def test_raising_at_the_start_is_a_fault_and_the_tickets_still_count():
    class Stumbling(Steady):
        def begin(self, lanes):
            raise ValueError

    result = meet(Stumbling(SETTINGS))
    assert (result.faults == np.tile([[1, 0], [0, 1]], (DEALS, 1))).all()
    assert (result.staked == 8).all()
    assert result.incidents[0].reason.startswith("raised ValueError (test_asking.py, line ")


def test_the_first_of_each_kind_is_kept():
    def spoil(stakes, view):
        stakes[view.race == 0, 5] = -3
        stakes[view.race == 1, 5] = 40_000
        return stakes

    result = meet(Faulty(SETTINGS, spoil))
    found = [(it.fault, it.deal, it.turn, it.seat) for it in result.incidents]
    assert found == [(Fault.NUMBERS, 0, 1, 0), (Fault.ILLEGAL, 0, 0, 0)]


def test_the_first_fault_is_that_of_the_lowest_deal_however_late_in_the_game():
    def spoil(stakes, view):
        stakes[(view.race == 0) & (view.lane >= 4), 5] = -3  # two tables a deal: from deal 2 on
        stakes[(view.race == 1) & (view.lane == 3), 5] = -4  # deal 1
        return stakes

    (found,) = meet(Faulty(SETTINGS, spoil)).incidents
    assert (found.deal, found.table, found.turn, found.seat) == (1, 3, 1, 1)
    assert found.reason.startswith("-4 chips on EXA H/C")


def test_an_agent_that_writes_into_its_view_does_not_change_the_game():
    def meddle(stakes, view):
        view.bankrolls.flags.writeable = True
        view.bankrolls[:] = 10**6
        stakes[:, 0] = 100  # 103 chips: more than it has
        return stakes

    result = meet(Faulty(SETTINGS, meddle))
    assert (result.refused == np.tile([[2, 0], [0, 2]], (DEALS, 1))).all()
    assert not result.faults.any()


def test_whole_numbers_in_floats_are_fine():
    whole, broken = whole_numbers(np.array([[2.0, -0.0], [1e9, 0.0], [1.0, 3.0]]), np.int16)
    assert whole.dtype == np.int16 and whole.tolist() == [[2, 0], [0, 0], [1, 3]]
    assert broken.tolist() == [False, True, False]


def test_unsigned_decisions_keep_their_highest_bit():
    whole, broken = whole_numbers(np.array([[5], [-5]]), np.uint64)
    assert whole.tolist() == [[5], [0]] and broken.tolist() == [False, True]
    most = np.array([[2**64 - 1]], np.uint64)
    assert whole_numbers(most, np.uint64)[0].tolist() == [[2**64 - 1]]
    assert whole_numbers(most, np.int64)[1].tolist() == [True]


def test_a_reason_is_one_line_without_addresses():
    error = ValueError(f"<Bot at 0x7f12ab>\n is {'very ' * 100}wrong")
    text = reason_of(error)
    assert text.startswith("raised ValueError: <Bot at 0x…> is very very")
    assert "\n" not in text and len(text) <= LONGEST_REASON + len("raised ValueError: …")
