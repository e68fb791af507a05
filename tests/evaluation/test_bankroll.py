"""Bankroll metrics: edges by hand, then closed forms of coins and of simple laws of ruin."""

from __future__ import annotations

from dataclasses import asdict, fields
from math import exp, isfinite, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.evaluation.bankroll import (
    BankrollPaths,
    clopper_pearson,
    follow,
    join,
    measure,
    wilson,
)
from railbird.games.errors import InvalidSettings
from railbird.games.streams import Draws, extend, root_key


def metrics_of(*paths, stakes, **options):
    """The metrics of a few written-out paths."""
    return measure(follow(np.array(paths), np.array(stakes), **options))


def holds(interval, value):
    """Whether an interval holds a value."""
    low, high = interval
    return low < value < high


def tosses(paths, count, chance):
    """(paths, count) bool: a coin that falls right with this chance, a stream for each path."""
    keys = extend(np.full(paths, root_key(41)), np.arange(paths))
    return Draws(keys).uniform(count) < chance


def test_a_path_that_never_bets():
    found = metrics_of([100, 100, 100], stakes=[[0, 0]])
    assert (found.roi, found.hit_rate, found.kelly_multiple) == (None, None, None)
    assert found.roi_interval == (None, None)
    assert (found.staked, found.profit, found.bets, found.turnover, found.races) == (0, 0, 0, 0.0, 2)
    assert (found.mean_growth, found.median_growth, found.broke) == (0.0, 0.0, 0.0)
    assert (found.ruin, found.drawdown, found.worst_drawdown) == (0.0, 0.0, 0.0)


def test_a_path_of_no_races():
    found = measure(follow(np.array([[100]]), np.zeros((1, 0), np.int64)))
    assert (found.races, found.bets, found.roi, found.mean_growth, found.ruin) == (0, 0, None, 0.0, 0.0)


def test_a_flat_path_that_bets():
    # stakes 10 and 20 come back as they were
    found = metrics_of([100, 100, 100], stakes=[[10, 20]])
    assert (found.roi, found.hit_rate, found.turnover) == (0.0, 0.0, 0.3)
    assert (found.mean_growth, found.drawdown) == (0.0, 0.0)


def test_a_path_of_one_bet():
    # 40 of 100 chips lost at once: a first bet counts in the drawdown
    found = metrics_of([100, 60], stakes=[[40]])
    assert (found.roi, found.hit_rate, found.turnover, found.bets) == (-1.0, 0.0, 0.4, 1)
    assert found.drawdown == pytest.approx(0.4)
    assert found.mean_growth == pytest.approx(log(0.6))
    assert found.growth_interval == (None, None)  # one deal


def test_a_path_that_goes_bust_ends_as_with_one_chip():
    found = metrics_of([100, 0, 0], stakes=[[100, 0]])
    assert found.mean_growth == pytest.approx(log(1 / 100) / 2)
    assert (found.broke, found.ruin, found.drawdown, found.roi) == (1.0, 1.0, 1.0, -1.0)
    assert found.ruin_at_most == 1.0
    left_with_one = metrics_of([100, 1, 1], stakes=[[99, 0]])
    assert left_with_one.mean_growth == found.mean_growth
    assert left_with_one.broke == 0.0


def test_ruin_counts_at_any_time_and_against_the_cheapest_bet():
    saved = [100, 3, 100]  # by a share in the pools, when it could not pay the 5 chips of a bet
    assert metrics_of(saved, stakes=[[97, 0]], least=5).ruin == 1.0
    assert metrics_of(saved, stakes=[[97, 0]], least=3).ruin == 0.0
    assert metrics_of([100, 100, 4], stakes=[[0, 96]], least=5).ruin == 1.0


def test_maximum_drawdown_by_hand():
    # highest so far 100, 120, 120, 120, 150, 150: falls of 0, 0, 30/120, 60/120, 0, 45/150
    found = metrics_of([100, 120, 90, 60, 150, 105], stakes=[[20, 30, 30, 90, 45]])
    assert found.drawdown == pytest.approx(0.5)
    # with a path that falls by a tenth the mean is 0.3, the worst 0.5
    two = metrics_of(
        [100, 120, 90, 60, 150, 105], [10, 9, 9, 10, 10, 10], stakes=[[20, 30, 30, 90, 45], [1, 0, 1, 0, 0]]
    )
    assert (two.drawdown, two.worst_drawdown) == pytest.approx((0.3, 0.5))


def test_return_turnover_hits_and_growth_by_hand():
    # path 0: stakes 10, 20, wins 10, loses 20. Path 1: stakes 50, wins 100, then sits out
    found = metrics_of([100, 110, 90], [200, 300, 300], stakes=[[10, 20], [50, 0]])
    assert (found.staked, found.profit, found.bets) == (80, 90, 3)
    assert found.roi == pytest.approx(90 / 80)
    assert found.hit_rate == pytest.approx(2 / 3)
    assert found.turnover == pytest.approx((30 / 100 + 50 / 200) / 2)
    growths = log(0.9) / 2, log(1.5) / 2
    assert found.mean_growth == pytest.approx(sum(growths) / 2)
    assert found.median_growth == pytest.approx(sum(growths) / 2)


def test_a_hit_pays_more_than_it_cost():
    # stake 10, paid 10, 9 and 11
    found = metrics_of([100, 100, 99, 100], stakes=[[10, 10, 10]])
    assert found.hit_rate == pytest.approx(1 / 3)


def test_the_kelly_multiple_is_of_the_races_where_it_is_known():
    # stakes 10 + 30 + 6 where Kelly would stake 20 + 3 + 0; the 50 of the other race do not count
    kelly = np.array([[20.0, np.nan, 3.0, 0.0]])
    found = metrics_of([100] * 5, stakes=[[10, 50, 30, 6]], kelly=kelly)
    assert found.kelly_multiple == pytest.approx(46 / 23)


@pytest.mark.parametrize("kelly", [None, np.array([[0.0, np.nan]]), np.array([[np.nan, np.nan]])])
def test_no_kelly_multiple_where_kelly_stakes_nothing(kelly):
    assert metrics_of([100, 90, 80], stakes=[[10, 10]], kelly=kelly).kelly_multiple is None


@given(
    st.integers(1, 5).flatmap(
        lambda races: st.lists(
            st.tuples(
                st.lists(st.integers(0, 300), min_size=races, max_size=races),
                st.lists(st.integers(0, 300), min_size=races, max_size=races),
                st.integers(0, 2),
            ),
            min_size=1,
            max_size=6,
        )
    )
)
def test_every_figure_of_every_path_is_a_number_or_none(rows):
    bankroll = np.array([[50, *path] for path, _, _ in rows])
    stakes = np.array([stakes for _, stakes, _ in rows])
    found = measure(follow(bankroll, stakes, least=2), np.array([deal for *_, deal in rows]))
    for name, value in asdict(found).items():
        for number in value if isinstance(value, tuple) else (value,):
            assert number is None or isfinite(number), name
    assert 0 <= found.ruin_interval[0] <= found.ruin <= found.ruin_interval[1] <= 1
    assert found.ruin <= found.ruin_at_most <= 1
    assert 0 <= found.drawdown <= found.worst_drawdown <= 1


def test_blocks_join_to_the_whole():
    bankroll = np.array([[100, 90, 95], [50, 60, 0], [10, 10, 10]])
    stakes = np.array([[10, 10], [10, 60], [0, 0]])
    whole = follow(bankroll, stakes)
    parts = join([follow(bankroll[:1], stakes[:1]), follow(bankroll[1:], stakes[1:])])
    for item in fields(BankrollPaths):
        assert getattr(parts, item.name).tolist() == getattr(whole, item.name).tolist()


def test_sums_beyond_64_bits_are_exact():
    most = 2**62
    found = metrics_of(*[[most, most]] * 4, stakes=[[most]] * 4)
    assert found.staked == 2**64


def test_wilson_intervals_of_the_textbook():
    # 1 of 10, z = 1.96: (0.1 + 0.19207 ± 1.96 √(0.009 + 0.0096036)) / 1.38415 = (0.29207 ± 0.26733) / 1.38415
    assert wilson(0.1, 10) == pytest.approx((0.01787, 0.40415), abs=2e-5)
    # none of 10: up to z² / (n + z²) = 3.84146 / 13.84146
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.27753), abs=1e-5)
    assert wilson(1.0, 10) == pytest.approx((0.72247, 1.0), abs=1e-5)


def test_the_upper_bound_is_where_so_few_are_seen_once_in_twenty():
    # none of 100: (1 − p)^100 = 0.05, p = 0.02951. 1 of 2: 1 − p² = 0.05, p = √0.95. All of 2: no bound
    assert clopper_pearson(0.0, 100) == pytest.approx(0.029513, abs=1e-6)
    assert clopper_pearson(0.5, 2) == pytest.approx(sqrt(0.95))
    assert clopper_pearson(1.0, 2) == 1.0


def test_intervals_cluster_by_deal():
    # two deals of two equal paths each: ROI 50/100 and −10/100. Sums of residuals by deal ±60 of 400 staked,
    # so error √(2 · (60² + 60²)) / 400 = 0.3, t(1) = 12.706
    bankroll = np.array([[1000, 1050], [1000, 1050], [1000, 990], [1000, 990]])
    stakes = np.full((4, 1), 100)
    found = measure(follow(bankroll, stakes), np.array([7, 7, 3, 3]))
    assert (found.paths, found.deals) == (4, 2)
    assert found.roi_interval == pytest.approx((0.2 - 12.7062 * 0.3, 0.2 + 12.7062 * 0.3), abs=1e-4)
    # growth: log 1.05 and log 0.99; as two paths: half their difference times t(1)
    mean, half = (log(1.05) + log(0.99)) / 2, (log(1.05) - log(0.99)) / 2
    assert found.growth_interval == pytest.approx((mean - 12.7062 * half, mean + 12.7062 * half), abs=1e-5)


def test_paths_of_a_deal_that_are_ruined_together_count_once():
    # 20 deals of 5 paths each; in two deals all are ruined
    broke = np.repeat(np.arange(20) < 2, 5)
    bankroll = np.stack([np.full(100, 10), np.where(broke, 0, 10)], axis=1)
    together = measure(follow(bankroll, np.full((100, 1), 10)), np.repeat(np.arange(20), 5))
    # variance of the share: 20/19 · (2 · 4.5² + 18 · 0.5²) / 100² = 20/19 · 45/10⁴; 0.09 / that = 19 paths
    assert together.ruin_interval == pytest.approx(wilson(0.1, 19.0))
    assert together.ruin_at_most == pytest.approx(clopper_pearson(0.1, 19.0))
    none = measure(follow(np.full((100, 2), 10), np.full((100, 1), 10)), np.repeat(np.arange(20), 5))
    assert none.ruin_at_most == pytest.approx(1 - 0.05 ** (1 / 20))
    apart = measure(follow(bankroll, np.full((100, 1), 10)))
    assert apart.ruin_interval == pytest.approx(wilson(0.1, 100.0))


def test_gamblers_ruin_of_a_biased_coin():
    # 1 chip a toss from 5 chips up to 12 or down to 0, p = 0.48: ruin ((q/p)^12 − (q/p)^5) / ((q/p)^12 − 1),
    # Feller, "An introduction to probability theory and its applications" I, XIV.2
    start, goal, p, paths, races = 5, 12, 0.48, 4000, 1200
    odds = (1 - p) / p
    exact = (odds**goal - odds**start) / (odds**goal - 1)
    bankroll = np.full((paths, races + 1), start)
    won = tosses(paths, races, p)
    for race in range(races):
        playing = (bankroll[:, race] > 0) & (bankroll[:, race] < goal)
        bankroll[:, race + 1] = bankroll[:, race] + playing * np.where(won[:, race], 1, -1)
    assert np.isin(bankroll[:, -1], [0, goal]).all()
    stakes = ((bankroll[:, :-1] > 0) & (bankroll[:, :-1] < goal)).astype(np.int64)
    found = measure(follow(bankroll, stakes))
    assert holds(found.ruin_interval, exact)
    assert holds(found.roi_interval, 2 * p - 1)
    assert found.broke == found.ruin


def test_chance_of_ruin_within_four_tosses_of_a_fair_coin():
    # fair coin, 2 chips, 4 tosses of 1: ruined if it ever falls to 0: LL.. (4 paths), LWLL, WLLL: 6 of 16
    paths = []
    for bits in range(16):
        path = [2]
        for toss in range(4):
            path.append(path[-1] + (0 if path[-1] == 0 else 1 if bits >> toss & 1 else -1))
        paths.append(path)
    stakes = (np.array(paths)[:, :-1] > 0).astype(np.int64)
    assert metrics_of(*paths, stakes=stakes).ruin == 6 / 16


@pytest.mark.parametrize("fraction", [0.05, 0.1, 0.3])
def test_growth_of_a_biased_coin_at_a_fraction_of_the_bankroll(fraction):
    # p = 0.55 at even money: p log(1 + f) + q log(1 − f), greatest at f = p − q = 0.1 (Kelly, "A new
    # interpretation of information rate", 1956); whole chips of a large bankroll
    p, paths, races = 0.55, 2000, 50
    exact = p * log(1 + fraction) + (1 - p) * log(1 - fraction)
    won = tosses(paths, races, p)
    bankroll, stakes = np.full((paths, races + 1), 10**9), np.zeros((paths, races), np.int64)
    for race in range(races):
        stakes[:, race] = np.rint(fraction * bankroll[:, race])
        bankroll[:, race + 1] = bankroll[:, race] + np.where(won[:, race], 1, -1) * stakes[:, race]
    found = measure(follow(bankroll, stakes, kelly=0.1 * bankroll[:, :-1]))
    assert holds(found.growth_interval, exact)
    # the median path has races · p = 27.5 wins: between those of 27 and 28
    assert abs(found.median_growth - exact) < log((1 + fraction) / (1 - fraction)) / races
    assert found.kelly_multiple == pytest.approx(fraction / 0.1, abs=1e-6)
    assert found.hit_rate == pytest.approx(p, abs=3 * sqrt(p * (1 - p) / (paths * races)))


def test_losses_in_a_row_compound():
    # 10 % lost twice is 19 %, not 20 %
    found = metrics_of([100, 90, 81], stakes=[[10, 9]])
    assert found.drawdown == pytest.approx(0.19)
    assert exp(found.mean_growth * 2) == pytest.approx(0.81)


@pytest.mark.slow
def test_ninety_five_of_a_hundred_wilson_intervals_hold_the_chance_of_ruin():
    # 2,000 samples of 60 deals; a deal has 4 paths, all with the luck of the deal but for one in two
    chance, held, bounded = 0.1, 0, 0
    for sample in range(2000):
        keys = extend(extend(np.full(60, root_key(43)), sample), np.arange(60))
        draws = Draws(keys)
        luck = np.where(draws.uniform(4) < 0.5, draws.uniform(1), draws.uniform(4))
        broke = (luck < chance).ravel()
        bankroll = np.stack([np.full(240, 10), np.where(broke, 0, 10)], axis=1)
        found = measure(follow(bankroll, np.full((240, 1), 10)), np.repeat(np.arange(60), 4))
        held += found.ruin_interval[0] <= chance <= found.ruin_interval[1]
        bounded += chance <= found.ruin_at_most
    assert 0.93 <= held / 2000 <= 0.98
    assert bounded / 2000 >= 0.94


@pytest.mark.parametrize(
    ("bankroll", "stakes", "options", "message"),
    [
        ([[1, 2]], [[1, 2]], {}, r"not \(1, 2\) and \(1, 2\)"),
        ([1, 2], [1], {}, r"not \(2,\) and \(1,\)"),
        ([[1.0, 2.0]], [[1]], {}, "chips are whole, not float64 and int64"),
        ([[0, 2]], [[1]], {}, "starts with 1 chip or more"),
        ([[1, 2]], [[-1]], {}, "stakes are 0 or more"),
        ([[1, 2]], [[1]], {"least": 0}, "a bet costs 1 or more"),
        ([[1, 2]], [[1]], {"kelly": np.array([[-1.0]])}, r"Kelly stakes are \(1, 1\) finite numbers"),
        ([[1, 2]], [[1]], {"kelly": np.array([[np.inf]])}, r"Kelly stakes are \(1, 1\) finite numbers"),
        ([[1, 2]], [[1]], {"kelly": np.array([1.0])}, r"Kelly stakes are \(1, 1\) finite numbers"),
    ],
)
def test_paths_that_make_no_sense_are_refused(bankroll, stakes, options, message):
    with pytest.raises(InvalidSettings, match=message):
        follow(np.array(bankroll), np.array(stakes), **options)


def test_metrics_need_a_path_and_a_deal_for_each():
    paths = follow(np.array([[1, 2]]), np.array([[1]]))
    none = follow(np.zeros((0, 2), np.int64), np.zeros((0, 1), np.int64))
    for wrong in ((none, None), (paths, np.array([1, 2]))):
        with pytest.raises(InvalidSettings, match="metrics need a path, a deal for each"):
            measure(*wrong)
    with pytest.raises(InvalidSettings, match="confidence between 0 and 1"):
        measure(paths, confidence=95)
