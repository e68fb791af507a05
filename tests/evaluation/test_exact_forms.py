"""Small games with known answers: best responses, exploitability and CFR+ on matrix games and Kuhn poker."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from railbird.evaluation.exact.cfr import find_equilibrium
from railbird.evaluation.exact.forms import (
    Endings,
    Side,
    SmallGame,
    behaviour_of,
    even_behaviour,
    even_plan,
    plan_of,
)
from railbird.evaluation.exact.growing import CHANCE, END, grow
from railbird.evaluation.exact.kuhn import BET, PASS, VALUE, Hand, KuhnPoker
from railbird.evaluation.exact.responses import best_response, exploitability, gains
from railbird.games.errors import InvalidSettings


class MatrixGame:
    """Both choose at once: seat 0 a row, seat 1 a column."""

    def __init__(self, winnings):
        self.table = winnings

    def start(self):
        return ()

    def mover(self, history):
        return len(history) if len(history) < 2 else END

    def chances(self, history):
        raise AssertionError("there is no chance here")

    def moves(self, history):
        return len(self.table) if not history else len(self.table[0])

    def after(self, history, move):
        return (*history, move)

    def seen(self, history):
        return "nothing"

    def winnings(self, history):
        return self.table[history[0]][history[1]]


PENNIES = [[1, -1], [-1, 1]]
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


def matrix(winnings):
    return grow(MatrixGame(winnings)).form


def mixed(*chances):
    """The plan of a seat with one information set."""
    return np.array([1.0, *chances])


KUHN: Any = grow(KuhnPoker())


def kuhn_plan(seat, bets):
    """The plan of a seat from the chance of its bets and calls, by (card, moves so far)."""
    side, behaviour = KUHN.form.sides[seat], np.ones(KUHN.form.sides[seat].sequences)
    for number, seen in enumerate(KUHN.seen[seat]):
        first = side.first[number]
        behaviour[first + PASS], behaviour[first + BET] = 1 - bets[seen], bets[seen]
    return plan_of(side, behaviour)


def kuhn_first(alpha):
    """Kuhn's equilibria of seat 0: bluffs the lowest card with alpha, bets the highest with 3 alpha."""
    check_bet = (PASS, BET)
    return kuhn_plan(
        0,
        {
            (0, ()): alpha, (1, ()): 0, (2, ()): 3 * alpha,
            (0, check_bet): 0, (1, check_bet): alpha + 1 / 3, (2, check_bet): 1,
        },
    )  # fmt: skip


def kuhn_second(bluff=1 / 3, call=1 / 3):
    """Kuhn's equilibrium of seat 1: bluffs with the lowest and calls with the middle card at times."""
    check, bet = (PASS,), (BET,)
    return kuhn_plan(
        1, {(0, check): bluff, (1, check): 0, (2, check): 1, (0, bet): 0, (1, bet): call, (2, bet): 1}
    )


def test_even_pennies_cannot_be_exploited():
    game = matrix(PENNIES)
    assert exploitability(game, (mixed(0.5, 0.5), mixed(0.5, 0.5))) == pytest.approx(0, abs=1e-15)


def test_best_response_to_a_bent_penny():
    # Seat 1 shows heads with 3/4: seat 0 shows heads and wins 3/4 - 1/4 = 1/2.
    response = best_response(matrix(PENNIES), 0, mixed(0.75, 0.25))
    assert response.value == pytest.approx(0.5)
    assert response.plan.tolist() == [1, 1, 0]
    # Seat 1 wants to differ: tails against heads with 3/4 brings it 1/2 as well.
    response = best_response(matrix(PENNIES), 1, mixed(0.75, 0.25))
    assert response.value == pytest.approx(0.5)
    assert response.plan.tolist() == [1, 0, 1]


def test_exploitability_of_always_rock_is_one():
    # Paper beats it for 1 from either seat: (1 + 1) / 2.
    game = matrix(ROCK_PAPER_SCISSORS)
    rock = mixed(1, 0, 0)
    assert exploitability(game, (rock, rock)) == pytest.approx(1)
    assert gains(game, (rock, rock)) == pytest.approx((1, 1))


def test_exploitability_is_half_of_what_both_gain():
    # Rock against paper is worth -1. Scissors gain seat 0 2, seat 1 has the best answer already: (2 + 0) / 2.
    game = matrix(ROCK_PAPER_SCISSORS)
    assert gains(game, (mixed(1, 0, 0), mixed(0, 1, 0))) == pytest.approx((2, 0))
    assert exploitability(game, (mixed(1, 0, 0), mixed(0, 1, 0))) == pytest.approx(1)


def test_cfr_solves_unequal_pennies():
    # Seat 0 plays heads with p: 2p - (1 - p) = -p + (1 - p) gives p = 2/5, and 3p - 1 = 1/5 is the value.
    solution = find_equilibrium(matrix([[2, -1], [-1, 1]]), 2000)
    assert solution.exploitability < 1e-3
    assert solution.plans[0][1:] == pytest.approx([0.4, 0.6], abs=2e-3)
    assert matrix([[2, -1], [-1, 1]]).value(solution.plans) == pytest.approx(0.2, abs=1e-3)


def test_cfr_solves_bent_rock_paper_scissors():
    # Rock beats scissors for 2. Fair by symmetry, so each reply to (r, p, s) earns 0: rock 2s - p = 0,
    # paper r - s = 0, scissors p - 2r = 0. So (1/4, 1/2, 1/4).
    bent = matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
    solution = find_equilibrium(bent, 2000)
    assert solution.exploitability < 1e-3
    assert solution.plans[0][1:] == pytest.approx([0.25, 0.5, 0.25], abs=5e-3)


def test_an_iteration_count_below_one_is_refused():
    with pytest.raises(InvalidSettings, match="iterations is a whole number from 1"):
        find_equilibrium(matrix(PENNIES), 0)


def test_kuhn_has_six_information_sets_a_seat_and_thirty_endings():
    # 3 cards in 2 situations each; 6 deals with 5 endings each.
    assert [side.sets for side in KUHN.form.sides] == [6, 6]
    assert len(KUHN.form.endings.chance) == 30
    assert KUHN.form.endings.chance.tolist() == [1 / 6] * 30


@pytest.mark.parametrize("alpha", [0, 0.1, 1 / 3])
def test_kuhns_equilibria_are_worth_minus_an_eighteenth_and_cannot_be_exploited(alpha):
    plans = (kuhn_first(alpha), kuhn_second())
    assert KUHN.form.value(plans) == pytest.approx(float(VALUE), abs=1e-15)
    assert exploitability(KUHN.form, plans) == pytest.approx(0, abs=1e-15)
    assert best_response(KUHN.form, 1, plans[0]).value == pytest.approx(1 / 18, abs=1e-15)
    assert best_response(KUHN.form, 0, plans[1]).value == pytest.approx(-1 / 18, abs=1e-15)


def test_best_response_to_a_second_seat_that_never_bluffs():
    # Seat 1 never bluffs and calls with K, with Q a third of the time. Seat 0 folds J and Q to bets (only K
    # bets), so checking costs 1 at most.
    # J: a check loses 1. A bet wins 1 from Q's 2/3 folds, loses 2 to Q's calls: mean over Q, K of
    #    (2/3 - 2/3 = 0, -2) = -1: as good. -1.
    # Q: a check wins 1 from J, loses 1 to K: 0. A bet: (1 - 2) / 2 is worse. 0.
    # K: a bet wins 1 from J, 1 · 2/3 + 2 · 1/3 = 4/3 from Q; a check wins 1: 7/6.
    # Mean of -1, 0, 7/6: 1/18.
    assert best_response(KUHN.form, 0, kuhn_second(bluff=0)).value == pytest.approx(1 / 18)


def test_even_play_in_kuhn():
    # Seat 0 against even play, its best by card:
    # J: a check loses 1, shown down or folded. A bet: 1/2 · 1 - 1/2 · 2 = -1/2 against either card. -1/2.
    # Q: a bet against J (1 + 2)/2, against K (1 - 2)/2: 1/2. A check is 0, as J and K cancel out. 1/2.
    # K: a bet (1 + 2)/2, and a check is shown down for 1 or bet at, and called, for 2: 3/2.
    # Mean of -1/2, 1/2, 3/2: 1/2.
    even: Any = tuple(map(even_plan, KUHN.form.sides))
    assert best_response(KUHN.form, 0, even[1]).value == pytest.approx(1 / 2)
    # Seat 1 comes to a check or a bet half of the time each:
    # J: after a check a pass is -1, a bet (1 - 2)/2. After a bet a fold is -1. (-1/2 - 1)/2 = -3/4.
    # Q: after a check a pass is 0, a bet against J 3/2, against K -1/2: 1/2. After a bet a call is 0. 1/4.
    # K: after a check a bet is 3/2. After a bet a call is 2. 7/4.
    # Mean of -3/4, 1/4, 7/4: 5/12.
    assert best_response(KUHN.form, 1, even[0]).value == pytest.approx(5 / 12)
    # NashConv 1/2 + 5/12 = 11/12.
    assert exploitability(KUHN.form, even) == pytest.approx(11 / 24)


def test_cfr_finds_kuhns_value():
    solution = find_equilibrium(KUHN.form, 1000)
    assert solution.exploitability < 1e-4
    assert KUHN.form.value(solution.plans) == pytest.approx(-1 / 18, abs=1e-4)
    assert solution.trace[0] == (1, exploitability(KUHN.form, find_equilibrium(KUHN.form, 1).plans))
    at = dict(solution.trace)
    assert at[1] > at[16] > at[128] > at[1000] == solution.exploitability


def test_kuhn_by_brute_force_over_all_pure_strategies():
    # 2^6 pure strategies a seat, played out hand by hand by the rules alone; the matrix solved as a linear
    # programme: the most that seat 0 can be sure of.
    rules = KuhnPoker()
    keys = [sorted(KUHN.seen[seat]) for seat in (0, 1)]
    pure = [
        [dict(zip(keys[seat], moves, strict=True)) for moves in product((PASS, BET), repeat=6)]
        for seat in (0, 1)
    ]

    def play(first, second):
        total = Fraction(0)
        for deal, chance in enumerate(rules.chances(Hand())):
            hand = rules.after(Hand(), deal)
            while rules.mover(hand) != END:
                hand = rules.after(hand, (first, second)[rules.mover(hand)][rules.seen(hand)])
            total += chance * Fraction(rules.winnings(hand))
        return float(total)

    table = np.array([[play(first, second) for second in pure[1]] for first in pure[0]])
    rows, columns = table.shape
    found = linprog(
        [0] * rows + [-1],
        A_ub=np.column_stack([-table.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    assert -found.fun == pytest.approx(-1 / 18)
    # and the best pure reply to a mixed strategy is what the solver says it is
    side = KUHN.form.sides[1]
    behaviour = bent_behaviour(side)
    chance = {seen: behaviour[side.first[number] :][:2] for number, seen in enumerate(KUHN.seen[1])}
    weights = [np.prod([chance[seen][move] for seen, move in strategy.items()]) for strategy in pure[1]]
    best = best_response(KUHN.form, 0, plan_of(side, behaviour)).value
    assert best == pytest.approx((table @ weights).max())


def bent_behaviour(side):
    """Chances that differ from set to set."""
    weights = 1 + np.arange(side.sequences) ** 2 % 7
    sums = np.add.reduceat(weights, side.first[:-1])
    return np.concatenate([[1.0], weights[1:] / np.repeat(sums, side.choices)])


@given(st.lists(st.floats(0, 1), min_size=12, max_size=12))
def test_gains_are_never_negative(chances):
    plans = []
    for seat, part in enumerate((chances[:6], chances[6:])):
        plans.append(kuhn_plan(seat, dict(zip(KUHN.seen[seat], part, strict=True))))
    assert min(gains(KUHN.form, tuple(plans))) >= -1e-12
    assert exploitability(KUHN.form, tuple(plans)) >= 0


def test_a_plan_and_its_behaviour_say_the_same_where_it_comes():
    side = KUHN.form.sides[0]
    behaviour = bent_behaviour(side)
    assert behaviour_of(side, plan_of(side, behaviour)) == pytest.approx(behaviour)
    # Seat 0 that always bets never comes to the sets behind its checks: even there.
    always = kuhn_plan(0, {seen: float(not seen[1]) for seen in KUHN.seen[0]})
    behind = [number for number, seen in enumerate(KUHN.seen[0]) if seen[1]]
    for number in behind:
        assert always[side.parent[number]] == 0
        assert behaviour_of(side, always)[side.first[number]] == 0.5


def test_chances_that_are_none_are_refused():
    side = matrix(PENNIES).sides[0]
    with pytest.raises(InvalidSettings, match=r"information set 0 sum to 0\.75"):
        plan_of(side, mixed(0.5, 0.25))
    with pytest.raises(InvalidSettings, match="in a set are negative"):
        plan_of(side, mixed(1.5, -0.5))
    with pytest.raises(InvalidSettings, match=r"a number for each of 3 sequences, not shape \(2,\)"):
        plan_of(side, np.ones(2))


def test_endings_that_miss_a_chance_are_refused():
    side = Side(np.zeros(0, np.int64), np.array([1]))
    endings = Endings(np.zeros((1, 2), np.int64), np.array([0.5]), np.array([1.0]))
    with pytest.raises(InvalidSettings, match=r"the chances of the endings sum to 0\.5 instead of 1"):
        SmallGame((side, side), endings)


class Forgetful(MatrixGame):
    """Seat 0 chooses twice and does not remember the first choice."""

    def mover(self, history):
        return 0 if len(history) < 2 else END

    def seen(self, history):
        return len(history) and "forgotten"


class Unsure(MatrixGame):
    """Two coins of chance that do not add up."""

    def mover(self, history):
        return CHANCE if not history else END

    def chances(self, history):
        return [Fraction(1, 2), Fraction(1, 3)]


class Stuck(MatrixGame):
    def moves(self, history):
        return 0


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Forgetful(PENNIES), "differ in the seat's past or moves: 'forgotten'"),
        (Unsure(PENNIES), r"the chances after \(\) are .* they sum to 1"),
        (Stuck(PENNIES), "a seat that knows 'nothing' is to move and has no move"),
    ],
)
def test_rules_that_are_no_game_with_perfect_recall_are_refused(rules, message):
    with pytest.raises(InvalidSettings, match=message):
        grow(rules)


def test_even_behaviour_of_a_seat_without_a_choice():
    side = Side(np.zeros(0, np.int64), np.array([1]))
    assert even_behaviour(side).tolist() == [1.0]
    assert plan_of(side, np.ones(1)).tolist() == [1.0]
