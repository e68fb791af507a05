"""Dutching on rail 3,2,1,0: H 0.0928, D 0.1775, C 0.2926, S 0.4371 (RULES.md §1)."""

import numpy as np
import pytest

from railbird.agents.superfecta.dutch import Dutch
from railbird.games.errors import InvalidSettings
from railbird.games.superfecta.settings import SuperfectaSettings

PRO_RATA = SuperfectaSettings(seats=2, split="pro_rata")
RICH = (10_000, 10_000)


def test_an_equal_split_takes_a_minimum_bet_on_each_horse(look, ticket):
    equal = SuperfectaSettings(seats=2)
    assert ticket(Dutch(equal), look("HHHDDC")) == "$1 WIN D; $1 WIN C; $1 WIN S"
    assert ticket(Dutch(equal, horses=2), look("HHHDDC")) == "$1 WIN C; $1 WIN S"
    assert ticket(Dutch(equal), look("HHHDDC", bankrolls=(1, 9))) == "$1 WIN S"


def test_a_horse_that_cannot_win_is_left_out(look, ticket):
    assert (
        ticket(Dutch(SuperfectaSettings(seats=2), horses=4), look("HHHHHH")) == "$1 WIN D; $1 WIN C; $1 WIN S"
    )


def test_with_no_money_expected_the_stakes_go_by_chance(look, ticket):
    # ten units, one each for D, C, S, and 7 shared by 0.1775 : 0.2926 : 0.4371 of 0.9072: 1.37, 2.26, 3.37
    assert ticket(Dutch(PRO_RATA), look("HHHDDC", bankrolls=RICH)) == "$200 WIN D; $300 WIN C; $400 WIN S"


def test_stakes_follow_the_money_of_the_others(look, ticket):
    # 7 shared by 300 : 100 : 100: 4.2, 1.4, 1.4; what lies on H, which is not backed, does not matter
    tickets = ["", "$900 WIN H\n$300 WIN D\n$100 WIN C\n$100 WIN S"]
    view = look("HHHDDC", bankrolls=RICH, last_tickets=tickets)
    assert ticket(Dutch(PRO_RATA), view) == "$500 WIN D; $200 WIN C; $200 WIN S"


def test_large_stakes_return_the_same_whichever_wins(look, draws):
    tickets = ["", "$3000 WIN D\n$1000 WIN C\n$2000 WIN S"]
    agent = Dutch(PRO_RATA, units=300)
    agent.begin(np.ones(1, bool))
    view = look("HHHDDC", bankrolls=(40_000, 0), last_tickets=tickets)
    own = agent.act(view, draws)[0, 1:4].astype(float)
    crowd = np.array([3000.0, 1000.0, 2000.0])
    returns = (own.sum() + crowd.sum()) * own / (own + crowd)
    # one unit each, 297 by 1/2, 1/6, 1/3: 148.5, 49.5, 99, rounded down
    assert own.tolist() == [14_900, 5_000, 10_000]
    assert returns == pytest.approx([returns[0]] * 3, rel=0.01)


def test_stakes_are_cut_to_the_chips(look, ticket):
    # 450 chips are four units: one each and one more, of which S gets 0.48, no whole one
    assert ticket(Dutch(PRO_RATA), look("HHHDDC", bankrolls=(450, 0))) == "$100 WIN D; $100 WIN C; $100 WIN S"
    assert ticket(Dutch(PRO_RATA), look("HHHDDC", bankrolls=(250, 0))) == "$100 WIN C; $100 WIN S"


def test_horses_out_of_range_are_refused():
    with pytest.raises(InvalidSettings, match="horses is a whole number from 1 to 4, not 5"):
        Dutch(PRO_RATA, horses=5)
