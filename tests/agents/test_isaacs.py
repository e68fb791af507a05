"""Isaacs' closed form, worked out by hand on rail 6,0,0,0, where D, C and S each win by 1/3 and H never.

With s of the others' money on a line, x = k √(P s) - s and k² = (carried + kept · s outside) / (1 - kept · P
inside) for the lines inside.
"""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from railbird.agents.superfecta.isaacs import Isaacs
from railbird.games.superfecta.settings import SuperfectaSettings

RULES: dict[str, Any] = {"seats": 2, "split": "pro_rata", "minimum_bets": (1, 1, 1), "breakage": 1}
PRO_RATA = SuperfectaSettings(**RULES)
CROWD = ["", "$100 WIN D\n$400 WIN C\n$400 WIN S"]


def test_the_underbet_horse_is_backed_up_to_the_optimum(look, ticket):
    # D alone: k² = 800 / (1 - 1/3) = 1,200, k √(100/3) = 200, x = 100; C too: k² = 400 / (1/3) = 1,200,
    # k √(400/3) = 400, x = 0: not worth backing. 100 on D return 1,000 · 100 / 200 / 3 = 166.67.
    view = look("HHHHHH", bankrolls=(1_000, 1_000), last_tickets=CROWD)
    assert ticket(Isaacs(PRO_RATA, margin=0.0), view) == "$100 WIN D"


def test_money_carried_over_raises_the_optimum(look, ticket):
    # 675 carried, D, C and S backed: nothing is left outside and all chances are inside, k has no bound and
    # all 2,000 chips are spread: y goes by √s, 10 : 20 : 20 of 900 + 2,000: 580, 1,160, 1,160,
    # less 100, 400, 400: x = 480, 760, 760
    view = look("HHHHHH", pools=(675, 0, 0), bankrolls=(2_000, 1_000), last_tickets=CROWD)
    assert ticket(Isaacs(PRO_RATA, margin=0.0), view) == "$480 WIN D; $760 WIN C; $760 WIN S"


def test_takeout_lowers_the_optimum(look, ticket):
    # kept 3/4, D alone: k² = 0.75 · 800 / (1 - 0.25) = 800, k √(100/3) = 163.3, x = 63.3
    taxed = SuperfectaSettings(**RULES, rate=Fraction(1, 4))
    view = look("HHHHHH", bankrolls=(1_000, 1_000), last_tickets=CROWD)
    assert ticket(Isaacs(taxed, margin=0.0), view) == "$63 WIN D"


def test_stakes_are_cut_to_the_chips_and_to_whole_minimum_bets(look, ticket):
    view = look("HHHHHH", bankrolls=(55, 1_000), last_tickets=CROWD)
    assert ticket(Isaacs(PRO_RATA, margin=0.0), view) == "$55 WIN D"
    tens = SuperfectaSettings(**RULES | {"minimum_bets": (10, 10, 10)})
    assert ticket(Isaacs(tens, margin=0.0), view) == "$50 WIN D"


def test_the_stakes_of_all_pools_are_cut_together(look, ticket):
    # EXA: 100 on D/C and 400 on each of the five others, P = 1/6: k² = 2,000 / (5/6) = 2,400,
    # k √(100/6) = 200, x = 100, and k √(400/6) = 400, x = 0. With 100 on WIN D that is 200; 150 buy 3/4.
    exactas = "\n$100 EXA D/C" + "".join(f"\n$400 EXA {pair}" for pair in ("D/S", "C/D", "C/S", "S/D", "S/C"))
    view = look("HHHHHH", bankrolls=(150, 9), last_tickets=["", CROWD[1] + exactas])
    assert ticket(Isaacs(PRO_RATA, margin=0.0), view) == "$75 WIN D; $75 EXA D/C"


def test_a_line_without_money_gets_one_unit_where_it_pays(look, ticket):
    # EXA carries 6: each of the six exactas among D, C, S comes by 1/6, and 1/6 · (6 + 1) > 1
    written = ticket(Isaacs(PRO_RATA, margin=0.0), look("HHHHHH", pools=(0, 6, 0)))
    assert written == "$1 EXA D/C; $1 EXA D/S; $1 EXA C/D; $1 EXA C/S; $1 EXA S/D; $1 EXA S/C"
    assert ticket(Isaacs(PRO_RATA, margin=0.0), look("HHHHHH", pools=(0, 5, 0))) == ""  # 1/6 · (5 + 1) = 1


def test_units_count_as_chance_inside_and_money_outside(look, ticket):
    # kept 3/4. Nobody backs D: 1/3 · 0.75 · (200 + 20) = 55 > 20, one unit. S, with 35 of the others, and D
    # inside: k² = 0.75 · (165 + 20) / (1 - 0.75 · 2/3) = 277.5, k √(35/3) = 56.9, x = 21.9: one unit (without
    # the 20 it would be 18.7). C, with 165: all are inside, k² = 0.75 · 20 / (1 - 0.75) = 60, far too little.
    taxed = SuperfectaSettings(**RULES | {"minimum_bets": (20, 20, 20)}, rate=Fraction(1, 4))
    view = look("HHHHHH", bankrolls=(999, 999), last_tickets=["", "$165 WIN C\n$35 WIN S"])
    assert ticket(Isaacs(taxed, margin=0.0), view) == "$20 WIN D; $20 WIN S"


def test_a_margin_bounds_what_is_staked_for_the_last_crumb(look, ticket):
    # C = 675 and no takeout, all three inside: k² = 675 / margin; at 0.03 k = 150 and y = 150 √(s / 3) =
    # 866.03, 1,732.05, 1,732.05, less 100, 400, 400
    view = look("HHHHHH", pools=(675, 0, 0), bankrolls=(9_000, 9), last_tickets=CROWD)
    assert ticket(Isaacs(PRO_RATA, margin=0.03), view) == "$766 WIN D; $1332 WIN C; $1332 WIN S"
    # D alone, 0.2 more than a chip for each: k² = 800 / (1.2 - 1/3) = 923.1, k √(100/3) = 175.4, x = 75.4
    view = look("HHHHHH", bankrolls=(9_000, 9), last_tickets=CROWD)
    assert ticket(Isaacs(PRO_RATA, margin=0.2), view) == "$75 WIN D"


def test_the_forecast_is_the_mean_of_the_races_seen(look, ticket, draws):
    # 200 on the favourite in one race and nothing in the next: 100 a race; C and S likewise
    agent = Isaacs(PRO_RATA, margin=0.0)
    tickets = ["", "$200 WIN D\n$800 WIN C\n$800 WIN S"]
    agent.begin(np.ones(1, bool))
    agent.act(look("HHHHHH", bankrolls=(1_000, 1_000), last_tickets=tickets), draws)
    view = look("HHHHHH", bankrolls=(1_000, 1_000), race=2, last_tickets=["", ""])
    assert np.flatnonzero(agent.act(view, draws)[0]).tolist() == [1]
    assert agent.act(view, draws)[0, 1] == 100


def test_before_the_first_race_only_carried_money_tempts(look, ticket):
    assert ticket(Isaacs(PRO_RATA, margin=0.0), look("HHHHHH")) == ""


def test_an_equal_split_is_bet_flat(look, ticket):
    view = look("HHHHHH", bankrolls=(1_000, 1_000), last_tickets=CROWD)
    assert ticket(Isaacs(SuperfectaSettings(seats=2)), view) == "$1 WIN D"


def test_no_grid_of_stakes_does_better(look, draws):
    # rail 3,2,1,0: P = 0.0928 0.1775 0.2926 0.4371 (RULES.md §1), money 90, 20, 200, 100 on H, D, C, S
    agent = Isaacs(SuperfectaSettings(**RULES, rate=Fraction(1, 10)), margin=0.0)
    tickets = ["", "$90 WIN H\n$20 WIN D\n$200 WIN C\n$100 WIN S"]
    view = look("HHHDDC", pools=(40, 0, 0), bankrolls=(5_000, 9), last_tickets=tickets)
    agent.begin(np.ones(1, bool))
    found = agent.act(view, draws)[0, :4].astype(float)
    P, s = np.array([0.0928, 0.1775, 0.2926, 0.4371]), np.array([90.0, 20.0, 200.0, 100.0])

    def profit(x):
        return (40 + 0.9 * (s.sum() + x.sum())) * (P * x / (s + x)).sum() - x.sum()

    grid = max(profit(np.array(x)) for x in product(range(0, 240, 12), repeat=4))
    assert profit(found) == pytest.approx(grid, rel=0.01)
    assert profit(found) > grid - 0.5
