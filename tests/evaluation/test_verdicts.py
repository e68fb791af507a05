"""Many comparisons at once: widths against printed tables and an explicit bootstrap, ranks, verdicts."""

from __future__ import annotations

from math import comb, sqrt

import numpy as np
import pytest

from railbird.evaluation.estimates import Moments, student
from railbird.evaluation.verdicts import FixedNumber, Joint, Judgement, largest_t, together


def pairs_of(values):
    """Moments of all pairwise differences of values (deals, entries)."""
    moments = Moments((values.shape[1],) * 2)
    moments.add(values[:, :, None] - values[:, None, :])
    return moments


@pytest.mark.parametrize(
    ("entries", "deals", "studentized_range"),
    [
        # 95 % points of the studentized range, as every statistics book prints them; the largest |t| of all
        # pairs of independent means with one variance is that over √2
        (3, 10**6, 3.314),
        (6, 10**6, 4.030),
        (20, 10**6, 5.012),
        (3, 11, 3.877),
        (6, 11, 4.912),
        (10, 21, 5.008),
    ],
)
def test_of_independent_means_the_width_is_that_of_tukeys_table(entries, deals, studentized_range):
    found = np.mean([largest_t(2 * (1 - np.eye(entries)), deals, seed) for seed in range(4)])
    assert found == pytest.approx(studentized_range / sqrt(2), rel=0.008)


def test_two_agents_need_no_allowance():
    values = np.random.default_rng(1).normal(size=(12, 2))
    assert FixedNumber(0).joint(pairs_of(values)) == student(11, 0.95)


def test_the_width_is_that_of_an_explicit_bootstrap_over_deals():
    rng = np.random.default_rng(3)
    common = rng.exponential(1.0, (400, 1))  # strong and skewed: the pairs' errors go together
    values = common * [0.0, 1.0, 2.0, 2.0, -1.0] + rng.exponential(0.3, (400, 5)) * [1, 1, 1, 3, 1]
    pairs = pairs_of(values)
    draws = rng.multinomial(400, np.full(400, 1 / 400), 20_000) / 400  # (resamples, deals)
    means = draws @ values - values.mean(axis=0)
    first, second = np.triu_indices(5, 1)
    t = np.abs(means[:, first] - means[:, second]) / pairs.error[first, second]
    explicit = np.quantile(t.max(axis=1), 0.95)
    assert FixedNumber(0).joint(pairs) == pytest.approx(explicit, rel=0.015)
    # the pairs are so alike that Bonferroni's rule would be far wider
    assert FixedNumber(0).joint(pairs) < 0.97 * student(399, 1 - 0.05 / comb(5, 2))


def test_pairs_that_never_differ_do_not_widen_the_others():
    values = np.random.default_rng(5).normal(size=(200, 3))
    twins = values[:, [0, 0, 1, 1, 2]]
    assert FixedNumber(0).joint(pairs_of(twins)) == pytest.approx(
        FixedNumber(0).joint(pairs_of(values)), rel=0.02
    )
    assert FixedNumber(0).joint(pairs_of(values[:, [0, 0, 0]])) == student(199, 0.95)


def test_the_width_is_the_same_every_time_and_follows_the_seed():
    pairs = pairs_of(np.random.default_rng(6).normal(size=(100, 4)))
    assert FixedNumber(7).joint(pairs) == FixedNumber(7).joint(pairs) != FixedNumber(8).joint(pairs)


def test_one_deal_gives_no_intervals_and_no_verdict():
    joint = together(
        pairs_of(np.array([[1.0, 2.0, 3.0]])), FixedNumber(0).joint(pairs_of(np.ones((1, 3)))), 30
    )
    assert np.isnan(joint.low).all()
    assert joint.judge(2, 0, 0.1) is Judgement.UNDECIDED
    assert joint.ranks().tolist() == [[1, 3]] * 3


def joint_of(low, high, enough=True):
    low, high = np.array(low, float), np.array(high, float)
    return Joint((low + high) / 2, low, high, enough)


def test_ranks_count_those_surely_better_and_surely_worse():
    # a beats c and d surely, b beats d surely; the rest is open
    low = np.full((4, 4), -1.0)
    for better, worse in ((0, 2), (0, 3), (1, 3)):
        low[better, worse] = 0.5
    joint = joint_of(low, -low.T)
    assert joint.ranks().tolist() == [[1, 2], [1, 3], [2, 4], [3, 4]]
    assert joint_of(low, -low.T, enough=False).ranks().tolist() == [[1, 4]] * 4


@pytest.mark.parametrize(
    ("low", "high", "margin", "verdict"),
    [
        (0.2, 0.6, 0.1, "better"),
        (-0.6, -0.2, 0.1, "worse"),
        (-0.05, 0.05, 0.1, "equivalent"),
        (0.02, 0.08, 0.1, "equivalent"),  # sure, but too small to count
        (-0.1, 0.1, 0.1, "equivalent"),
        (-0.05, 0.2, 0.1, "undecided"),
        (0.05, 0.2, 0.1, "better"),
        (0.0, 0.2, 0.1, "undecided"),
        (0.0, 0.0, 0.0, "equivalent"),
    ],
)
def test_what_an_interval_says(low, high, margin, verdict):
    joint = joint_of([[0, low], [-high, 0]], [[0, high], [-low, 0]])
    assert joint.judge(0, 1, margin).value == verdict
    mirrored = {"better": "worse", "worse": "better"}.get(verdict, verdict)
    assert joint.judge(1, 0, margin).value == mirrored


def test_rounding_errors_are_no_difference():
    values = np.random.default_rng(2).normal(size=(50, 1)) + np.array([0.0, 1e-15])
    joint = together(pairs_of(values), 2.0, 30)
    assert joint.low.tolist() == joint.high.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert joint.ranks().tolist() == [[1, 2], [1, 2]]


@pytest.mark.slow
def test_all_intervals_of_a_tournament_hold_the_truth_in_ninety_five_of_a_hundred():
    rng, missed, runs = np.random.default_rng(0), 0, 600
    for _ in range(runs):
        values = rng.exponential(1.0, (100, 1)) * np.arange(6) + rng.exponential(1.0, (100, 6))
        pairs = pairs_of(values)
        joint = together(pairs, FixedNumber(int(rng.integers(2**32))).joint(pairs), 30)
        truth = np.arange(6)[:, None] - np.arange(6)[None, :]  # means a + 1 of entry a
        missed += bool(((joint.low > truth) | (joint.high < truth)).any())
    # about 0.05; skewed and 100 deals: a little over
    assert 0.02 <= missed / runs <= 0.09
