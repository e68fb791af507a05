"""Seeds together: the interquartile mean and its bootstrap."""

import numpy as np
import pytest
from scipy.stats import trim_mean

from railbird.games.errors import InvalidSettings
from railbird.training.sweep import aggregate, interquartile_mean, mean


def test_interquartile_mean_is_that_of_the_middle_half():
    # 1 2 | 3 4 5 6 | 7 100: (3 + 4 + 5 + 6) / 4 = 4.5
    assert interquartile_mean(np.array([[4, 1, 100, 3, 7, 2, 6, 5]], float)) == 4.5
    # ten runs: a quarter of ten, rounded down, is two at each end; the middle six of 0 … 9: 4.5
    assert interquartile_mean(np.arange(10.0)[None]) == 4.5
    assert interquartile_mean(np.array([[1.0, 5.0]])) == 3


def test_interquartile_mean_is_over_tasks_and_runs_together():
    scores = np.random.default_rng(0).standard_normal((3, 7))
    assert interquartile_mean(scores) == pytest.approx(trim_mean(scores, 0.25, axis=None))
    many = np.stack([scores, scores + 1])
    assert interquartile_mean(many) == pytest.approx([trim_mean(it, 0.25, axis=None) for it in many])


def test_interval_is_that_of_means_of_runs_drawn_anew():
    # two runs, 0 and 1: a mean of two draws is 0, 1/2, 1/2 or 1; 2.5 % and 97.5 % points are 0 and 1
    found = aggregate(np.array([[0.0, 1.0]]), mean)
    assert (found.value, found.low, found.high) == (0.5, 0, 1)
    # 400 runs, half 0 and half 1: the deviation of the mean is 1/2 / √400 = 0.025, 1.96 of it 0.049
    found = aggregate(np.repeat([[0.0, 1.0]], 200, axis=1), mean)
    assert found.low == pytest.approx(0.5 - 0.049, abs=0.004)
    assert found.high == pytest.approx(0.5 + 0.049, abs=0.004)


def test_runs_are_drawn_within_their_task():
    # tasks of one value each: whatever is drawn, half the runs are 0 and half are 10
    scores = np.array([[0.0] * 5, [10.0] * 5])
    found = aggregate(scores, mean)
    assert (found.value, found.low, found.high) == (5, 5, 5)


def test_the_same_scores_give_the_same_interval():
    scores = np.random.default_rng(1).standard_normal((1, 10))
    assert aggregate(scores, interquartile_mean, 4) == aggregate(scores, interquartile_mean, 4)
    assert aggregate(scores, interquartile_mean, 4) != aggregate(scores, interquartile_mean, 5)


def test_one_run_has_no_interval():
    found = aggregate(np.array([[3.0]]), mean)
    assert (found.value, found.low, found.high) == (3, None, None)


def test_scores_of_another_shape_are_refused():
    with pytest.raises(
        InvalidSettings, match=r"scores are \(tasks, runs\), at least one, not of shape \(3,\)"
    ):
        aggregate(np.zeros(3), mean)
