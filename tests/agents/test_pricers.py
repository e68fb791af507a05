"""Exact prices and best replies, worked out by hand.

Rail 3,2,1,0 wins with P = H 0.0928, D 0.1775, C 0.2926, S 0.4371 (RULES.md §1). With C carried, M expected of
the others in the pool, h expected holders of the line and c own wagers, all in minimum bets,
price = P · ((C + M - h + c - 1) · R + 1), R = E[1 / (1 + K)].
"""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from railbird.agents.superfecta.pricers import LevelOne, LevelTwo, Value
from railbird.agents.superfecta.pricing import quadrature
from railbird.games.errors import InvalidSettings
from railbird.games.order_law import win_law
from railbird.games.streams import Draws
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.track import SUPERFECTA

TWO = SuperfectaSettings(seats=2)
ALL_WIN = "$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S"


@given(st.lists(st.fractions(0, 1, max_denominator=20), min_size=1, max_size=11))
def test_sharing_is_the_exact_mean_over_all_sets_of_holders(holds):
    exact = Fraction(0)
    if len(holds) <= 6:
        for held in product((0, 1), repeat=len(holds)):
            weight = Fraction(1)
            for hold, has in zip(holds, held, strict=True):
                weight *= hold if has else 1 - hold
            exact += weight / (1 + sum(held))
    else:  # by number of holders
        number = [Fraction(1)]
        for hold in holds:
            more = [Fraction(0), *(chance * hold for chance in number)]
            number = [a + b * (1 - hold) for a, b in zip(more, [*number, Fraction(0)], strict=True)]
        exact = sum((chance / (1 + k) for k, chance in enumerate(number)), Fraction(0))
    nodes, weights = quadrature(len(holds) + 1)
    shares = [np.prod([1 - float(hold) * (1 - node) for hold in holds]) for node in nodes]
    assert float(exact) == pytest.approx(float(weights @ np.array(shares)), abs=1e-13)


def wins(written):
    """The WIN wagers of a ticket."""
    return "; ".join(wager for wager in written.split("; ") if "WIN" in wager)


def test_value_covers_a_carried_pool_it_must_share(look, ticket):
    # prior 1: the other holds every line, K = 1, R = 1/2, M = 4, h = 1. WIN carries 4:
    # c wagers of chance Σ P: Σ P · ((4 + 4 - 1 + c - 1) / 2 + 1) - c
    # c = 1: 0.4371 · 4.5 - 1 = 0.967   c = 2: 0.7297 · 5 - 2 = 1.649   c = 3: 0.9072 · 5.5 - 3 = 1.990
    # c = 4: 6 - 4 = 2, half of what was carried
    agent = Value(TWO, prior=1.0, margin=0.0)
    assert wins(ticket(agent, look("HHHDDC", pools=(4, 0, 0)))) == ALL_WIN


def test_value_leaves_the_longshots_to_one_who_covers_everything(look, ticket):
    # as above with nothing carried: c = 1: 0.4371 · 2.5 - 1 = 0.093   c = 2: 0.7297 · 3 - 2 = 0.189
    # c = 3: 0.9072 · 3.5 - 3 = 0.175   c = 4: 4 - 4 = 0
    agent = Value(TWO, prior=1.0, margin=0.0)
    assert wins(ticket(agent, look("HHHDDC"))) == "$1 WIN C; $1 WIN S"


def test_value_does_not_bet_for_nothing(look, ticket):
    # nobody else bets: covering an empty pool gives back the stake and no more, whatever rounding says
    assert ticket(Value(TWO, prior=0.0, margin=0.0), look("HHDDCS")) == ""


def test_value_expects_what_a_seat_held_before_in_the_same_role(look, ticket):
    # The other backed the favourite S. Now H is the favourite: with prior 0 and weight 1 it holds H by 1/2.
    # WIN carries 3; chances H 0.4371, C 0.2926, D 0.1775, S 0.0928; M = 0.5.
    # H: R = 3/4, (3 + 0.5 - 0.5) · 3/4 + 1 = 3.25, worth 1.4206, and 0.3278 more for each further own wager
    # others: R = 1, 3.5 + 1 = 4.5, worth 1.3167, 0.7988, 0.4176, and P more for each further own wager
    # less half a chip a wager (the margin): c = 1: 1.4206 - 1.5 = -0.079
    # c = 2: 2.7373 + 0.6204 - 3 = 0.358   c = 3: 3.5361 + 2 · 0.7979 - 4.5 = 0.632
    # c = 4: 3.9537 + 3 · 0.8907 - 6 = 0.626: three are best
    agent = Value(TWO, prior=0.0, weight=1.0, margin=0.5)
    view = look("SSSDDC", pools=(3, 0, 0), last_rail="HHHDDC", last_tickets=["", "$1 WIN S"])
    assert ticket(agent, view) == "$1 WIN H; $1 WIN D; $1 WIN C"


def test_value_expects_nothing_of_a_seat_that_cannot_pay(look, ticket):
    # with the other broke K = 0 and M = 0; less a margin of 1/2, c = 4 gives 4 + 4 - 6 = 2,
    # c = 3: 0.9072 · 7 - 4.5 = 1.85
    agent = Value(TWO, prior=1.0, margin=0.5)
    assert ticket(agent, look("HHHDDC", pools=(4, 0, 0), bankrolls=(100, 0))) == ALL_WIN
    # with a chip it may hold any line, K = 1: c = 2: 0.7297 · 5 - 3 = 0.65, c = 3: 0.9072 · 5.5 - 4.5 = 0.49
    assert wins(ticket(agent, look("HHHDDC", pools=(4, 0, 0), bankrolls=(100, 1)))) == "$1 WIN C; $1 WIN S"


def test_value_short_of_chips_buys_the_best_for_their_stake(look, ticket):
    # the other broke: all four WIN lines are wanted, each worth P · 8: S and C are the best of them
    agent = Value(TWO, prior=1.0, margin=0.5)
    view = look("HHHDDC", pools=(4, 0, 0), bankrolls=(2, 0))
    assert ticket(agent, view) == "$1 WIN C; $1 WIN S"


def test_a_dear_line_must_be_worth_more_to_be_kept(look, ticket):
    # rail 6,0,0,0, the other broke: three WIN lines at 2 chips, each worth (6 + 6) / 3 = 4, twice its stake;
    # six exactas at 3 chips, each worth (12 + 18) / 6 = 5, 1.67 times. Three chips buy the WIN line.
    rules = SuperfectaSettings(seats=2, minimum_bets=(2, 3, 5))
    view = look("HHHHHH", pools=(6, 12, 0), bankrolls=(3, 0))
    assert ticket(Value(rules, margin=0.0), view) == "$2 WIN D"


def test_value_counts_only_what_is_left_after_takeout(look, ticket):
    # K = 0 and 1 carried: c = 4 gives 1 + 4 - 4 = 1; with half of the stakes taken out, 1 + 2 - 4 = -1
    # (c = 1: 0.4371 · 1.5 - 1 < 0)
    rules: dict[str, Any] = {"seats": 2, "split": "pro_rata", "minimum_bets": (1, 1, 1)}
    view = look("HHHDDC", pools=(1, 0, 0))
    assert ticket(Value(SuperfectaSettings(**rules), prior=0.0, margin=0.0), view) == ALL_WIN
    taxed = SuperfectaSettings(**rules, rate=Fraction(1, 2))
    assert ticket(Value(taxed, prior=0.0, margin=0.0), view) == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.permutations("HHHDDC").map("".join),
    st.integers(0, 30),
    st.lists(st.sets(st.sampled_from("HDCS")), min_size=3, max_size=3),
)
def test_value_finds_the_best_set_of_win_lines(look, rail, carried, others):
    # weight near 0: the three others are known to hold what they held on the same rail
    agent = Value(SuperfectaSettings(seats=4), prior=0.0, weight=1e-9, margin=0.0)
    tickets = ["", *("\n".join(f"$1 WIN {suit}" for suit in sorted(held)) for held in others)]
    view = look(rail, pools=(carried, 0, 0), bankrolls=(100,) * 4, last_tickets=tickets)
    held = np.flatnonzero(agent.act(view, Draws(np.zeros(1, np.uint64)))[0, :4])
    chances = [float(chance) for chance in win_law(SUPERFECTA, [rail.count(suit) for suit in "HDCS"])]
    holders = [sum(suit in held for held in others) for suit in "HDCS"]

    def profit(lines):
        pool = carried + sum(holders) + len(lines)
        return sum(chances[line] * pool / (1 + holders[line]) for line in lines) - len(lines)

    best = max(profit(lines) for size in range(5) for lines in combinations(range(4), size))
    assert profit(held.tolist()) == pytest.approx(best, abs=1e-6)


def test_level_1_covers_where_random_bettors_leave_a_gain(look, ticket):
    # six seats, each other holds a line by 0.1: M = 2, h = 0.5, R = (1 - 0.9^6) / 0.6 = 0.781
    # WIN: c = 4: (2 - 0.5 + 3) · 0.781 + 1 - 4 = 0.51; c = 3: 0.9072 · (3.5 · 0.781 + 1) - 3 = 0.39;
    # c = 2: 0.7297 · (2.5 · 0.781 + 1) - 2 = 0.15; c = 1: 0.4371 · (1.5 · 0.781 + 1) - 1 < 0
    written = ticket(LevelOne(SuperfectaSettings()), look("HHHDDC", bankrolls=(100,) * 6))
    assert written.startswith(ALL_WIN)


def test_level_1_believes_in_as_much_coverage_as_it_is_told(look, ticket):
    # the other surely holds everything: as for value, the two best are worth having
    assert wins(ticket(LevelOne(TWO, coverage=1.0), look("HHHDDC"))) == "$1 WIN C; $1 WIN S"
    # the other surely holds nothing: a carried pool is had for certain, an empty one gives the stake back
    assert ticket(LevelOne(TWO, coverage=0.0), look("HHHDDC", pools=(3, 0, 0))) == ALL_WIN


def test_level_2_answers_a_level_1_that_covers_everything(look, ticket):
    # level 1 (coverage 0) covers WIN for its 3 chips, so K = 1, R = 1/2, M = 4, h = 1 on each line:
    # c = 1: 0.4371 · 4 - 1 = 0.748   c = 2: 0.7297 · 4.5 - 2 = 1.284
    # c = 3: 0.9072 · 5 - 3 = 1.536   c = 4: 5.5 - 4 = 1.5: all but the longshot H
    agent = LevelTwo(TWO, coverage=0.0)
    assert ticket(agent, look("HHHDDC", pools=(3, 0, 0))) == "$1 WIN D; $1 WIN C; $1 WIN S"


def test_level_2_expects_others_to_bet_only_what_they_have(look, ticket):
    agent = LevelTwo(TWO, coverage=0.0)
    assert ticket(agent, look("HHHDDC", pools=(3, 0, 0), bankrolls=(100, 0))) == ALL_WIN
    # With one chip it can only take S: K = 1 there, R = 1/2, M = 1. S: P · ((3 + 1 - 1 + c - 1) / 2 + 1),
    # others P · (3 + 1 + c - 1 + 1). c = 4: 0.4371 · 4 + 0.5629 · 8 - 4 = 2.25; c = 3 without H:
    # 0.4371 · 3.5 + 0.4701 · 7 - 3 = 1.82: all four
    assert ticket(agent, look("HHHDDC", pools=(3, 0, 0), bankrolls=(100, 1))) == ALL_WIN


def test_level_2_reckons_with_each_of_the_others(look, ticket):
    # the second seat has a chip and takes S, the third covers WIN: K = 2 on S, 1 elsewhere, M = 5.
    # The pool is 3 + 5 + c, a share of it worth C 0.1463, S 0.1457, D 0.0888, H 0.0464:
    # c = 2: 0.2920 · 10 - 2 = 0.92   c = 3: 0.3808 · 11 - 3 = 1.19   c = 4: 0.4272 · 12 - 4 = 1.13
    agent = LevelTwo(SuperfectaSettings(seats=3), coverage=0.0)
    view = look("HHHDDC", pools=(3, 0, 0), bankrolls=(100, 1, 100))
    assert ticket(agent, view) == "$1 WIN D; $1 WIN C; $1 WIN S"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": 1.5}, "prior is a number from 0 to 1"),
        ({"weight": 0.0}, "weight is a number of races above 0"),
        ({"margin": -1.0}, "margin is a number of 0 or more"),
    ],
)
def test_value_refuses_options_that_make_no_sense(options, message):
    with pytest.raises(InvalidSettings, match=message):
        Value(TWO, **options)
