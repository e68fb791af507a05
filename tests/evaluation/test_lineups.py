"""Who meets whom: every agent equally often, pairs evenly, all rotations, contexts in turn."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.evaluation.lineups import (
    balanced_line_ups,
    contexts_of,
    count_meetings,
    exchange_agents,
    label_entries,
    rotate,
)


def meetings(agents, seats):
    """How often each pair meets, a number a pair."""
    met = count_meetings(balanced_line_ups(agents, seats), agents)
    return met[np.triu_indices(agents, 1)]


@pytest.mark.parametrize(
    ("agents", "seats"), [(7, 6), (8, 6), (10, 6), (12, 6), (16, 6), (18, 6), (5, 2), (20, 12)]
)
def test_every_agent_sits_in_equally_many_line_ups_and_never_twice_in_one(agents, seats):
    line_ups = balanced_line_ups(agents, seats)
    assert (np.bincount(line_ups.ravel(), minlength=agents) == line_ups.size / agents).all()
    assert all(len(set(line_up)) == seats for line_up in line_ups.tolist())


@pytest.mark.parametrize(
    ("agents", "seats", "times"),
    [
        (16, 6, 2),  # 16 line-ups of 15 pairs are 240, of 120 pairs: the biplane
        (11, 6, 3),  # 11 of 15 are 165 = 3 · 55
        (7, 6, 5),  # all but one, seven times: 105 = 5 · 21
        (13, 4, 1),  # 13 of 6 are 78: the projective plane of order 3
        (6, 2, 1),  # a round robin
    ],
)
def test_every_pair_meets_equally_often_where_that_can_be(agents, seats, times):
    assert (meetings(agents, seats) == times).all()


@pytest.mark.parametrize(("agents", "seats"), [(8, 6), (10, 6), (14, 6), (17, 6), (20, 6), (9, 4)])
def test_pairs_differ_by_at_most_one_meeting(agents, seats):
    met = meetings(agents, seats)
    assert met.min() >= 1 and met.max() - met.min() == 1


@pytest.mark.parametrize(("agents", "seats"), [(12, 6), (18, 6), (28, 6), (30, 12)])
def test_every_pair_meets_even_where_balance_is_not_found(agents, seats):
    assert meetings(agents, seats).min() >= 1


def test_as_many_agents_as_seats_are_one_line_up():
    assert balanced_line_ups(6, 6).tolist() == [[0, 1, 2, 3, 4, 5]]


def test_an_exchange_keeps_the_books_on_who_has_met():
    line_ups = np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4], [2, 3, 4], [2, 3, 4]])
    met = count_meetings(line_ups, 5)
    assert met[0, 1] == 3 and met[2, 3] == 2 and met[0, 2] == 1
    before = int((met**2).sum())
    exchange_agents(line_ups, met, np.random.default_rng(1).integers(0, 15, (500, 2)))
    np.testing.assert_array_equal(met, count_meetings(line_ups, 5))
    assert int((met**2).sum()) < before


def test_a_line_up_moves_round_the_table():
    assert rotate(np.array([[4, 7, 9]])).tolist() == [[4, 7, 9], [9, 4, 7], [7, 9, 4]]


def test_too_few_agents_are_repeated_in_turn_and_numbered():
    assert label_entries(["box", "null"], 5) == [
        ("box", 0),
        ("null", 1),
        ("box#2", 0),
        ("null#2", 1),
        ("box#3", 0),
    ]


def test_a_name_given_twice_is_two_entries():
    assert label_entries(["box", "box", "null"], 2) == [("box", 0), ("box#2", 1), ("null", 2)]


def test_the_first_contexts_by_hand():
    line_ups = np.array([[0, 1], [2, 3]])
    found = contexts_of(np.arange(6), line_ups)
    # deals 0, 1: the first agent of each line-up, in seat 0; 2, 3: the second, in seat 1;
    # 4, 5: the first again, now in seat 1, so the line-up has moved one seat on
    assert found.rivals.tolist() == [[0, 1], [2, 3], [0, 1], [2, 3], [1, 0], [3, 2]]
    assert found.seat.tolist() == [0, 0, 1, 1, 1, 1]


def test_each_agent_gives_up_each_seat_equally_often():
    line_ups = balanced_line_ups(8, 6)  # 4 line-ups; 4 · 6 · 6 contexts until each has been once
    found = contexts_of(np.arange(144), line_ups)
    left = found.rivals[np.arange(144), found.seat]
    given = np.zeros((8, 6), int)
    np.add.at(given, (left, found.seat), 1)
    assert (given == 3).all()  # 144 / 48
    assert {tuple(sorted(line_up)) for line_up in found.rivals.tolist()} == {
        tuple(sorted(line_up)) for line_up in line_ups.tolist()
    }


def test_at_tables_of_two_every_pair_meets_once():
    assert balanced_line_ups(4, 2).tolist() == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


def test_with_one_ranked_seat_every_agent_sits_alone():
    assert balanced_line_ups(3, 1).tolist() == [[0], [1], [2]]
    assert rotate(balanced_line_ups(3, 1)).tolist() == [[0], [1], [2]]
