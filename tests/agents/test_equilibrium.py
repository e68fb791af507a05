"""The logit equilibrium: a fixed point, the smallest, and what it means at the table."""

from math import exp

import numpy as np
import pytest

from railbird.agents.superfecta.equilibrium import WHOLE, Equilibrium, solve
from railbird.games.errors import InvalidSettings
from railbird.games.order_law import line_table, rail_index
from railbird.games.streams import Draws
from railbird.games.superfecta.lines import POOL_SLICES
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.track import SUPERFECTA

TWO = SuperfectaSettings(seats=2)


def rail_number(*shown):
    return int(rail_index(SUPERFECTA, np.array(shown)))


def test_three_equal_horses_worked_out_by_hand():
    # Rail 6,0,0,0: H never wins, price 0, so q_H = 1 / (1 + e^(1/T)) = 0.268941 at T = 1. D, C, S win by 1/3.
    # q = 1/2 when the price is 1: with two seats R = 1 - q/2 = 3/4 and
    # (C + 2 · (1/2 + 1/2 + q_H)) · 3/4 + 1 = 3, so C = 8/3 - 2 - 2 q_H = 0.128784
    hearts = 1 / (1 + exp(1))
    carried = 8 / 3 - 2 - 2 * hearts
    found = solve(np.array([carried, 0, 0]), rail_number(6, 0, 0, 0), seats=2, temperature=1.0)
    assert found[:4] == pytest.approx([hearts, 0.5, 0.5, 0.5], abs=1e-8)


@pytest.mark.parametrize("temperature", [0.02, 0.1, 0.5])
@pytest.mark.parametrize("shown", [(2, 2, 1, 1), (0, 1, 2, 3), (0, 6, 0, 0)])
@pytest.mark.parametrize("carried", [0, 3, 40, 700])
def test_every_line_is_held_by_the_logit_of_its_price(temperature, shown, carried):
    seats, rail = 6, rail_number(*shown)
    found = solve(np.full(3, float(carried)), rail, seats, temperature)
    chances = line_table(SUPERFECTA)[rail]
    for pool in POOL_SLICES:
        for line in range(40)[pool]:
            hold = found[line]
            others = found[pool].sum() - hold
            sharing = (1 - (1 - hold) ** seats) / (seats * hold) if hold > 1e-6 else 1.0
            price = chances[line] * ((carried + seats * others) * sharing + 1)
            gap = max(-700.0, min(700.0, (price - 1) / temperature))
            assert hold == pytest.approx(1 / (1 + exp(-gap)), abs=1e-6)


def test_nobody_bets_into_an_empty_pool_at_a_low_temperature():
    # a lone wager gets back its chance at best; the smallest equilibrium starts from nobody betting:
    # WIN at P = 0.3108 and T = 0.05: e^(-0.689/0.05) = 1e-6, which hardly moves the prices of the rest
    found = solve(np.zeros(3), rail_number(2, 2, 1, 1), 6, 0.05)
    assert found.max() == pytest.approx(exp(-(1 - 0.31083) / 0.05), rel=0.01)


def test_a_pool_worth_having_is_covered_by_all():
    # 6 seats share 1,000 units: the least likely of 24 orders, 0.0186, is worth 0.0186 · 1,000 / 6 = 3 units
    found = solve(np.full(3, 1_000.0), rail_number(2, 2, 1, 1), 6, 0.1)
    assert found.min() > 0.999


def test_the_table_reads_whole_pools_exactly_and_others_between(look):
    agent = Equilibrium(SuperfectaSettings(seats=2, minimum_bets=(2, 1, 1)), temperature=0.3)
    rail = rail_number(3, 2, 1, 0)
    whole = agent.holding(look("HHHDDC", pools=(8, 5, 31)))[0]
    assert whole == pytest.approx(solve(np.array([4.0, 5.0, 31.0]), rail, 2, 0.3), abs=1e-8)
    between = agent.holding(look("HHHDDC", pools=(9, 5, 31)))[0]  # 4.5 minimum bets in WIN
    fives = solve(np.array([5.0, 5.0, 31.0]), rail, 2, 0.3)
    assert between[:4] == pytest.approx((whole[:4] + fives[:4]) / 2)
    large = agent.holding(look("HHHDDC", pools=(2 * WHOLE + 100, WHOLE, 2**40)))[0]
    exact = solve(np.array([WHOLE + 50.0, WHOLE, 2.0**40]), rail, 2, 0.3)
    assert large == pytest.approx(exact, abs=1e-3)


def test_horses_that_swap_cards_swap_chances(look):
    agent = Equilibrium(TWO, temperature=0.3)
    one = agent.holding(look("HHHDDC", pools=(3, 9, 9)))[0]  # best first: S, C, D, H
    other = agent.holding(look("SSSCCD", pools=(3, 9, 9)))[0]  # H, D, C, S
    assert one[:4] == pytest.approx(other[:4][::-1])
    # RULES.md §1: line 4 + … are exactas H/D H/C H/S D/H …; S/C there is H/D here
    assert one[4 + 11] == other[4]


def test_each_line_is_held_by_a_throw_against_its_chance(look):
    agent = Equilibrium(TWO, temperature=0.3)
    view = look("HHHDDC", pools=(3, 9, 9))
    drawn = Draws(np.array([5], np.uint64)).uniform(40)
    assert np.array_equal(agent.act(view, Draws(np.array([5], np.uint64))) > 0, drawn < agent.holding(view))


def test_the_temperature_has_a_floor():
    with pytest.raises(InvalidSettings, match=r"temperature is a number of 0.02 or more, not 0.0"):
        Equilibrium(TWO, temperature=0.0)


def test_a_hotter_table_bets_closer_to_a_coin():
    # as T grows every logit nears 1/2: |price - 1| / T < 0.02 here, so within 0.005
    found = solve(np.zeros(3), rail_number(2, 2, 1, 1), 2, 100.0)
    assert np.abs(found - 0.5).max() < 0.005
