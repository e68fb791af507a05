"""What is remembered of earlier tickets: lane by lane, by the horses' parts in their race, each race once."""

import numpy as np
import pytest

from railbird.agents.superfecta.memory import ROLES, Coverage, Crowd
from railbird.games.order_law import rail_index
from railbird.games.superfecta.lines import LINE_OF
from railbird.games.track import SUPERFECTA


def role_of(rail, *horses):
    return int(ROLES[int(rail_index(SUPERFECTA, np.array(rail))), LINE_OF[horses]])


def test_a_role_is_the_line_with_horses_ranked_by_chance():
    H, D, C, S = range(4)
    # H shows 3, D 2, C 1, S 0: ranks 3, 2, 1, 0
    assert role_of((3, 2, 1, 0), S) == LINE_OF[0,]
    assert role_of((3, 2, 1, 0), H) == LINE_OF[3,]
    assert role_of((3, 2, 1, 0), C, D) == LINE_OF[1, 2]
    assert role_of((3, 2, 1, 0), H, S, D, C) == LINE_OF[3, 0, 2, 1]


def test_equal_horses_are_ranked_by_suit():
    H, D, C, S = range(4)
    # C and S show one each: C is rank 0, S rank 1, then H, D
    assert [role_of((2, 2, 1, 1), suit) for suit in (C, S, H, D)] == [0, 1, 2, 3]


def test_roles_rename_lines_and_lose_none():
    assert all(sorted(row) == list(range(40)) for row in ROLES.tolist())


def test_coverage_counts_who_held_what_by_role(look):
    seen = Coverage(2)
    # spades are the favourite (role 0) of this race, diamonds the third (role 2)
    seen.read(look("HHHDDC", last_tickets=["$2 WIN S", "$1 WIN D"]))
    assert seen.races.tolist() == [1]
    assert np.flatnonzero(seen.held[0, 0]).tolist() == [0]
    assert np.flatnonzero(seen.held[0, 1]).tolist() == [2]
    # now hearts are the favourite: the same role
    seen.read(look("SSSDDC", race=2, last_tickets=["$1 WIN H", ""]))
    assert seen.races.tolist() == [2]
    assert seen.held[0, 0, 0] == 2


def test_roles_are_those_of_the_race_the_tickets_were_written_for(look):
    seen = Coverage(2)
    seen.read(look("SSSDDC", last_rail="HHHDDC", last_tickets=["$1 WIN S", ""]))
    assert np.flatnonzero(seen.held[0, 0]).tolist() == [0]  # spades were the favourite then, and are last now


def test_crowd_adds_the_money_of_the_others_only(look):
    seen = Crowd()
    tickets = ["$5 WIN S", "$2 WIN S", "$3 WIN S\n$4 WIN H"]
    seen.read(look("HHHDDC", bankrolls=(50, 50, 50), seat=1, last_tickets=tickets))
    assert (seen.money[0, 0], seen.money[0, 3]) == (8, 4)  # 5 + 3 on the favourite, 4 on the last
    assert seen.money.sum() == 12


@pytest.mark.parametrize("make", [lambda: Coverage(2), Crowd])
def test_a_race_is_counted_once_however_often_it_is_seen(look, make):
    seen = make()
    for _ in range(3):
        seen.read(look(race=1, last_tickets=["$1 WIN S", "$1 WIN S"]))
    assert seen.races.tolist() == [1]


@pytest.mark.parametrize("make", [lambda: Coverage(2), Crowd])
def test_a_lane_that_begins_is_forgotten_and_the_others_are_not(look, make):
    seen = make()
    for lane in (0, 2):
        seen.read(look(lane=lane, last_tickets=["$1 WIN S", "$1 WIN S"]))
    seen.forget(np.array([True, False, False, True]))
    assert seen.races.tolist() == [0, 0, 1, 0]
    money = seen.held.sum((1, 2)) if isinstance(seen, Coverage) else seen.money.sum(1)
    assert (money > 0).tolist() == [False, False, True, False]


@pytest.mark.parametrize("make", [lambda: Coverage(2), Crowd])
def test_an_earlier_race_than_the_latest_belongs_to_a_new_game(look, make):
    seen = make()
    for race in (1, 2, 3):
        seen.read(look(race=race, last_tickets=["$1 WIN S", "$1 WIN S"]))
    assert seen.races.tolist() == [3]
    seen.read(look(race=1, last_tickets=["$1 WIN D", "$1 WIN D"]))
    assert seen.races.tolist() == [1]
    seen.read(look(race=0))
    assert seen.races.tolist() == [0]
