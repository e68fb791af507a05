"""Confidence sequences: the formula by hand, and that looking often does no harm."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from railbird.evaluation.estimates import Moments, student
from railbird.evaluation.sequences import FIRST_LOOK, AnyTime, widening


def test_the_formula_of_the_paper_where_the_sequence_is_narrowest():
    # α = 0.05: v = 1 + ln(v / 0.0025) has the root v = 9.2120 (ln 3684.8 = 8.2120), so t r² = 8.2120 at the
    # planned number: √(2 · 9.2120 / 8.2120 · (½ ln 9.2120 + ln 20)) = √(2.24355 · (1.11025 + 2.99573))
    assert widening(5000, 5000, 0.95) == pytest.approx(3.0351, abs=1e-4)
    # four times the deals: t r² = 32.848: √(2 · 33.848 / 32.848 · (½ ln 33.848 + ln 20))
    expected = sqrt(2 * 33.848 / 32.848 * (0.5 * log(33.848) + log(20)))
    assert widening(20_000, 5000, 0.95) == pytest.approx(expected, abs=1e-4)


def test_no_other_plan_makes_it_narrower_at_the_planned_number():
    own = widening(3000, 3000, 0.95)
    assert all(widening(3000, planned, 0.95) > own for planned in (2000, 2900, 3100, 4500))


def test_the_price_of_looking_at_any_time():
    # wider than an interval for that number alone, by 3.0351 / 1.9600 at best
    width = AnyTime(10_000).single(10_000)
    assert width / student(9_999, 0.95) == pytest.approx(1.548, abs=2e-3)


def test_all_pairs_together_divide_the_error_among_them():
    pairs = Moments((4, 4))
    pairs.add(np.zeros((500, 4, 4)))
    # six pairs: 0.05 / 6 = 0.008333 each
    assert AnyTime(500).joint(pairs) == pytest.approx(widening(500, 500, 1 - 0.05 / 6))
    assert AnyTime(500).joint(pairs) > AnyTime(500).single(500)


def test_looking_at_every_deal_misses_the_truth_no_oftener_than_promised():
    runs, deals = 1500, 2000
    values = np.random.default_rng(4).exponential(1.0, (deals, runs))  # skewed; mean 1
    count = np.arange(1, deals + 1)[:, None]
    mean = values.cumsum(axis=0) / count
    sd = np.sqrt(((values**2).cumsum(axis=0) - count * mean**2) / np.maximum(count - 1, 1))
    off = np.abs(mean - 1) * np.sqrt(count) / np.maximum(sd, 1e-9)  # in standard errors
    looks = np.arange(FIRST_LOOK, deals + 1)
    widths = np.array([widening(int(t), deals, 0.95) for t in looks])[:, None]
    assert (off[looks - 1] > widths).any(axis=0).mean() <= 0.05
    # an interval for one number of deals, looked at as often, is wrong some time in a third of the runs
    assert (off[looks - 1] > 1.96).any(axis=0).mean() > 0.25
