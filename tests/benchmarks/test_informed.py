"""The banker that is told who bets, against sums by hand."""

import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.benchmarks.informed import Informed, best_quotes, income, overrounds, quoted
from railbird.games.bookmaking.prices import parse_price
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.order_law import rails

RULES = HorseRaceSettings()
PLACE = rails(RULES.course).index((3, 1, 1, 1))  # D wins with 0.3014, RULES.md §1


def test_income_is_stakes_kept_less_winnings_paid():
    # the favourite is D, the first of three equals, with 10 chips whatever the price
    found = income(RULES, "favourite")[PLACE]
    assert found[1, parse_price("1/2")] == pytest.approx(0.6986 * 10 - 0.3014 * 5, abs=5e-3)
    assert found[1, parse_price("3/1")] == pytest.approx(0.6986 * 10 - 0.3014 * 30, abs=5e-3)
    assert (found[[0, 2, 3]] == 0).all()


def test_bettors_add_up():
    both = income(RULES, "favourite+favourite")
    np.testing.assert_allclose(both, 2 * income(RULES, "favourite"))


def test_who_bets_whatever_the_price_gets_the_shortest():
    assert best_quotes(RULES, "favourite")[PLACE, 1] == parse_price("1/2")


def test_who_looks_at_the_price_gets_none_worth_a_bet():
    # a value bettor bets where odds are longer than the chance deserves, which costs the bank
    found = income(RULES, "value")
    assert (found <= 1e-9).all()
    assert (found[PLACE, 1, parse_price("3/1") :] < 0).all()  # 3/1 is fair at 0.25


def test_quote_of_a_banker_is_read_at_every_rail():
    informed = Informed(RULES, population="favourite+value")
    np.testing.assert_array_equal(quoted(informed, RULES), informed.quotes)
    even = quoted(parse_agent("even-money", "bookmaker").make(RULES), RULES)
    assert overrounds(even) == pytest.approx(1)  # four chances of 1/2, less 1
