"""Nash averages against equilibria worked out by hand, and deviation gains by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.evaluation.nash import cyclic_share, deviation_gains, nash_average
from railbird.games.errors import InvalidSettings

RPS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
CLOSE = 1e-6  # the loss an equilibrium may have, a few times over


def antisymmetric(size, entries):
    """(size, size) with these entries above the diagonal, row by row."""
    payoff = np.zeros((size, size))
    payoff[np.triu_indices(size, 1)] = entries
    return payoff - payoff.T


def test_rock_paper_and_scissors_are_all_as_good():
    found = nash_average(RPS)
    assert found.weight == pytest.approx([1 / 3] * 3, abs=CLOSE)
    assert found.skill == pytest.approx([0, 0, 0], abs=CLOSE)
    assert found.cyclic_share == pytest.approx(1)


def test_what_is_at_stake_weighs_the_cycle():
    # 0 wins 1 of 1, 1 wins 2 of 2, 2 wins 3 of 0. Level at p: p1 = 3 p2, 2 p2 = p0 → p = (2, 3, 1) / 6
    found = nash_average(antisymmetric(3, [1, -3, 2]))
    assert found.weight == pytest.approx([2 / 6, 3 / 6, 1 / 6], abs=CLOSE)


@pytest.mark.parametrize("noise", [0, 1e-12])
def test_copies_share_the_weight_of_the_original(noise):
    copied = np.array([0, 1, 2, 1, 1])
    payoff = RPS[np.ix_(copied, copied)] + noise * antisymmetric(5, np.arange(10) % 3 - 1)
    found = nash_average(payoff)
    assert found.weight == pytest.approx([1 / 3, 1 / 9, 1 / 3, 1 / 9, 1 / 9], abs=CLOSE)


def test_who_beats_everybody_has_all_the_weight():
    found = nash_average(antisymmetric(3, [10, 20, 10]))
    assert found.weight == pytest.approx([1, 0, 0], abs=CLOSE)
    assert found.skill == pytest.approx([0, -10, -20], abs=20 * CLOSE)
    assert found.cyclic_share == pytest.approx(0)


def test_the_beaten_do_not_change_the_weights_of_the_others():
    payoff = np.full((4, 4), 1.0)
    payoff[3], payoff[:3, :3] = -1, RPS
    payoff[3, 3] = 0
    found = nash_average(payoff)
    assert found.weight == pytest.approx([1 / 3] * 3 + [0], abs=CLOSE)
    assert found.skill == pytest.approx([0, 0, 0, -1], abs=CLOSE)


def test_of_many_equilibria_the_one_of_greatest_entropy():
    # 0, 1 and 2 draw with each other; 3 loses 1 to 0, wins 3 of 1, draws with 2. So −p0 + 3 p1 ≤ 0 is all
    # that is asked, and p0 : p1 = 3 : 1. The pair has entropy h = log 4 − 3/4 log 3 = 0.562335 and weight w,
    # and h w − w log w − (1 − w) log(1 − w) is greatest at 1 − w = 1 / (1 + exp h) = 0.363007
    found = nash_average(antisymmetric(4, [0, 0, 1, 0, -3, 0]))
    assert found.weight == pytest.approx([0.75 * 0.636993, 0.25 * 0.636993, 0.363007, 0], abs=2e-6)


def test_nobody_has_an_edge():
    assert nash_average(np.zeros((4, 4))).weight == pytest.approx([0.25] * 4)
    assert nash_average(np.zeros((1, 1))).weight.tolist() == [1]


@given(st.integers(2, 7).flatmap(lambda n: st.lists(st.integers(-3, 3), min_size=n * (n - 1) // 2,
                                                    max_size=n * (n - 1) // 2)))  # fmt: skip
def test_no_reply_gains_and_no_order_matters(entries):
    size = round((1 + np.sqrt(1 + 8 * len(entries))) / 2)
    payoff = antisymmetric(size, entries)
    found = nash_average(payoff)
    assert found.weight.sum() == pytest.approx(1) and found.weight.min() >= 0
    assert found.skill == pytest.approx(payoff @ found.weight)
    assert found.skill.max() <= CLOSE * max(1, np.abs(payoff).max())
    order = np.random.default_rng(0).permutation(size)
    turned = nash_average(payoff[np.ix_(order, order)])
    np.testing.assert_allclose(turned.weight, found.weight[order], rtol=0, atol=1e-9)
    # another equilibrium, by linear programming, has no greater entropy
    other = _some_equilibrium(payoff)
    assert _entropy(found.weight) >= _entropy(other) - 1e-5


def _some_equilibrium(payoff):
    from scipy.optimize import linprog

    size = len(payoff)
    found = linprog(
        np.append(np.zeros(size), 1.0),
        A_ub=np.hstack([payoff, -np.ones((size, 1))]),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * size + [(None, None)],
    )
    return found.x[:size].clip(0)


def _entropy(weight):
    some = weight[weight > 0]
    return -(some * np.log(some)).sum()


def test_the_share_of_cycles_by_hand():
    # strengths 1, 0, −1 make 1, 2, 1; a cycle of 1 on top makes 2, 1, 2. Squares: 4 + 1 + 4 = 9, of which the
    # cycle is 1 + 1 + 1 = 3
    assert cyclic_share(antisymmetric(3, [2, 1, 2])) == pytest.approx(3 / 9)
    assert cyclic_share(np.zeros((2, 2))) == 0


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        (np.zeros((2, 3)), r"\(agents, agents\), not \(2, 3\)"),
        (np.zeros((0, 0)), r"\(agents, agents\), not \(0, 0\)"),
        (np.array([[0, np.nan], [np.nan, 0]]), "every two agents have to meet"),
        (np.array([[0, 1.0], [-0.9, 0]]), "agents 0 and 1 win 1.0 and -0.9 of each other"),
    ],
)
def test_payoffs_that_make_no_sense_are_refused(payoff, message):
    with pytest.raises(InvalidSettings, match=message):
        nash_average(payoff)


def test_deviation_gains_by_hand():
    # places of 0: itself 1, 3, 2, 2 (mean 2), agent 1 3, 4, 5, 4 (mean 4), agent 2 0, 9, 0, 9 (mean 4.5):
    # gain 2.5 by 2. The first half (1, 3 against 3, 4 and 0, 9) prefers 2, mean gain 2.5 against 1.5; in the
    # second half 2 gains −2 and 7. The second half prefers 1 and 2 (2.5 each; the first named, 1); in the
    # first half that gains 2 and 1. Tested: (2 + 1 − 2 + 7) / 4 = 2; sd² = (0 + 1 + 16 + 25) / 3 = 14, t(3) =
    # 3.182: ± 3.182 √14 / 2 places of 1: itself 5, agents 0 and 2 less: nothing to gain
    held = np.array([0, 1, 0, 0, 0])
    earned = np.array([[1, 3, 0], [4, 5, 1], [3, 4, 9], [2, 5, 0], [2, 4, 9]])
    found = deviation_gains(held, earned)
    assert found.places.tolist() == [4, 1, 0]
    assert found.gain[:2].tolist() == [2.5, 0] and np.isnan(found.gain[2])
    assert found.reply.tolist() == [2, 1, -1]
    assert found.tested[0] == 2 and np.isnan(found.tested[1:]).all()
    assert found.high[0] - 2 == pytest.approx(3.18245 * np.sqrt(14) / 2, abs=1e-4)
    assert 2 - found.low[0] == pytest.approx(3.18245 * np.sqrt(14) / 2, abs=1e-4)


def test_identical_agents_gain_exactly_nothing():
    earned = np.repeat(np.random.default_rng(2).integers(-9, 9, (40, 1)), 3, axis=1)
    found = deviation_gains(np.arange(40) % 3, earned)
    assert found.reply.tolist() == [0, 1, 2]
    for values in (found.gain, found.tested, found.low, found.high):
        assert values.tolist() == [0, 0, 0]


def test_the_luck_of_choosing_the_best_is_taken_off():
    # ten replies that are worth nothing but noise of sd 10: the best of ten means looks 1.54 standard errors
    # good
    noise = np.random.default_rng(3).normal(0, 10, (4000, 10))
    noise[:, 0] = 0
    found = deviation_gains(np.zeros(4000, np.int64), noise)
    assert found.gain[0] > 10 / np.sqrt(4000)
    assert found.low[0] < 0 < found.high[0]


@pytest.mark.parametrize(
    ("held", "earned", "message"),
    [
        ([0, 1], [[1, 2]], r"not \(2,\) and \(1, 2\)"),
        ([2], [[1, 2]], "agents 0 to 1, not 2 to 2"),
    ],
)
def test_contexts_that_make_no_sense_are_refused(held, earned, message):
    with pytest.raises(InvalidSettings, match=message):
        deviation_gains(np.array(held), np.array(earned))
