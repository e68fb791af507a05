"""Means and intervals, against sums done by hand."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.evaluation.estimates import Moments, student


def test_an_interval_by_hand():
    # 1, 2, 3, 4: mean 2.5, squares of distances 2.25 + 0.25 + 0.25 + 2.25 = 5, sd = sqrt(5/3) = 1.29099,
    # standard error 1.29099 / 2 = 0.64550, t(3) = 3.18245 (table of Student's t): 2.5 ± 2.05426
    moments = Moments((1,))
    moments.add(np.array([[1.0], [2.0]]))
    moments.add(np.array([[3.0], [4.0]]))
    found = moments.estimates(student(3, 0.95))
    assert moments.count == 4
    assert found.mean == pytest.approx([2.5])
    assert found.low == pytest.approx([0.44574], abs=2e-5)
    assert found.high == pytest.approx([4.55426], abs=2e-5)


def test_critical_values_are_those_of_the_printed_table():
    assert student(9, 0.95) == pytest.approx(2.262, abs=5e-4)
    assert student(120, 0.99) == pytest.approx(2.617, abs=5e-4)


def test_blocks_of_any_size_give_what_all_at_once_gives():
    values = np.random.default_rng(5).normal(100, 3, (50, 2, 3))
    moments = Moments((2, 3))
    for part in np.split(values, [1, 1, 20, 47]):
        moments.add(part)
    found = moments.estimates(3.0)
    half = 3 * values.std(axis=0, ddof=1) / np.sqrt(50)
    np.testing.assert_allclose(found.mean, values.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(found.high - found.low, 2 * half, rtol=1e-10)


def test_differences_that_are_zero_stay_exactly_zero():
    moments = Moments(())
    for count in (3, 5, 2):
        moments.add(np.zeros(count))
    found = moments.estimates(2.0)
    assert (float(found.mean), float(found.low), float(found.high)) == (0.0, 0.0, 0.0)


def test_one_deal_has_no_interval():
    moments = Moments(())
    moments.add(np.array([7.0]))
    found = moments.estimates(2.0)
    assert float(found.mean) == 7.0
    assert np.isnan(found.low) and np.isnan(found.high)


@pytest.mark.slow
def test_ninety_five_of_a_hundred_intervals_hold_the_truth():
    values = np.random.default_rng(0).exponential(1.0, (60, 20_000))
    moments = Moments((20_000,))
    moments.add(values)
    found = moments.estimates(student(59, 0.95))
    covered = ((found.low <= 1) & (found.high >= 1)).mean()
    assert 0.93 <= covered <= 0.96  # skewed, 60 deals: a little under 0.95
