"""Ratings against closed forms, choix, and tournaments whose true strengths are known."""

from __future__ import annotations

from itertools import permutations

import choix
import numpy as np
import pytest

from railbird.evaluation.choices import count_duels, count_placings
from railbird.evaluation.ratings import elo, rate
from railbird.evaluation.resampling import deal_weights
from railbird.games.errors import InvalidSettings
from railbird.games.kernels import Rows
from railbird.games.streams import Draws, extend, root_key

BOTH = pytest.mark.parametrize("count", [count_placings, count_duels])


def tables_of(*orders) -> tuple[Rows, Rows, Rows]:
    """Deals, agents and profits of tables given as orders of finish; agents in brackets are level."""
    agents = np.array([[agent for group in order for agent in np.atleast_1d(group)] for order in orders])
    profit = np.array(
        [[-place for place, group in enumerate(order) for _ in np.atleast_1d(group)] for order in orders]
    )
    return np.arange(len(orders)), agents, profit


def draws_of(seed, *names):
    """One row of draws for each tournament and deal, named by all of them."""
    keys = np.full(len(names[0]), root_key(seed))
    for name in names:
        keys = extend(keys, name)
    return Draws(keys)


def tournament(number, strength, *, deals, tables, seats):
    """Tables of which each is a Plackett–Luce order: first is who has the greatest strength + Gumbel noise
    (Yellott, "The relationship between Luce's choice axiom, Thurstone's theory of comparative judgment, and
    the double exponential distribution", 1977). All tables of a deal have the same noise.
    """
    agents = len(strength)
    draws = draws_of(17, np.full(deals, number), np.arange(deals))
    performance = strength - np.log(-np.log(draws.uniform(agents) + 2.0**-54))  # (deals, agents)
    keys = draws.uniform(tables * agents).reshape(deals, tables, agents)
    seated = keys.argsort(axis=2)[:, :, :seats].reshape(-1, seats)
    deal = np.repeat(np.arange(deals), tables)
    return deal, seated, performance[deal[:, None], seated]


def anchored(strength):
    """The strengths against an opponent whom their chances against average one half."""
    zero = strength.mean()
    for _ in range(100):
        chance = 1 / (1 + np.exp(zero - strength))
        zero += (chance - 0.5).sum() / (chance * (1 - chance)).sum()
    return strength - zero


def test_a_table_is_a_row_of_choices():
    # 2 before 0 before 1: chosen from {0, 1, 2} is 2, from {0, 1} is 0. In units of 1/lcm(1, 2, 3) = 1/6
    choices = count_placings(*tables_of([2, 0, 1]), 3, replicates=0)
    assert choices.sets == ((0, 1), (0, 1, 2))
    assert (choices.asked / choices.unit).tolist() == [[1, 1]]
    assert (choices.chosen / choices.unit).tolist() == [[1, 0, 1]]


@BOTH
@pytest.mark.parametrize("order", [[[0, 1, 2]], [3, [0, 1], 2], [[0, 1], [2, 3]], [[0, 1, 2], 3]])
def test_level_agents_count_as_the_mean_of_their_orders(count, order):
    groups = [list(permutations(np.atleast_1d(group).tolist())) for group in order]
    orders = [[]]
    for group in groups:
        orders = [before + list(after) for before in orders for after in group]
    level = count(*tables_of(order), 4, replicates=0)
    apart = count(*tables_of(*orders), 4, replicates=0)
    assert level.sets == apart.sets
    assert (level.asked * len(orders)).tolist() == apart.asked.tolist()
    assert (level.chosen * len(orders)).tolist() == apart.chosen.tolist()


@BOTH
def test_an_agent_that_is_not_rated_leaves_no_trace(count):
    deals, agents, profit = tables_of([0, 1, 2], [[2, 1], 0])
    with_house = np.insert(agents, 1, -1, axis=1), np.insert(profit, 1, [7, -1], axis=1)
    one, two = rate(count(deals, agents, profit, 3)), rate(count(deals, *with_house, 3))
    assert one.strength.tolist() == two.strength.tolist()
    assert one.low.tolist() == two.low.tolist()


@BOTH
def test_blocks_add_up_to_the_whole(count):
    deals, agents, profit = tournament(0, np.array([0.5, 0.0, 0.2, -0.7]), deals=30, tables=3, seats=3)
    whole = count(deals, agents, profit, 4, replicates=20)
    parts = [
        count(deals[part], agents[part], profit[part], 4, replicates=20)
        for part in (deals < 1, (deals >= 1) & (deals < 11), deals >= 11)  # the first has not all of the sets
    ]
    added = parts[0] + parts[1] + parts[2]
    for name in ("asked", "chosen", "scores"):
        assert (getattr(added, name) == getattr(whole, name)).all()
    assert (added.sets, added.unit, added.deals) == (whole.sets, whole.unit, 30)


def test_counts_of_different_kinds_do_not_add():
    tables = tables_of([0, 1, 2])
    with pytest.raises(InvalidSettings, match="same kind, agents, seats and replicates"):
        count_placings(*tables, 3, replicates=5) + count_duels(*tables, 3, replicates=5)


def test_three_wins_to_one_are_odds_of_three_to_one():
    # without prior the chance of 0 is 3/4: s0 − s1 = log 3, and 0 is where both are as far from 1/2
    ratings = rate(count_duels(*tables_of([0, 1], [0, 1], [1, 0], [0, 1]), 2, replicates=0), prior=1e-9)
    assert ratings.strength == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-8)
    assert elo(ratings.strength[:1] - ratings.strength[1:]) == pytest.approx([190.85], abs=0.01)  # 400 lg 3


def test_two_draws_are_a_win_each():
    drawn = rate(count_duels(*tables_of([[0, 1]], [[0, 1]], [0, 1]), 2, replicates=0))
    decided = rate(count_duels(*tables_of([0, 1], [1, 0], [0, 1]), 2, replicates=0))
    assert drawn.strength.tolist() == decided.strength.tolist()


def test_orders_in_proportion_to_worths_of_2_1_1():
    # 0 is first in 6 of 12, 1 and 2 in 3 each. Behind 0, 1 and 2 are 1 : 1; behind 1, 0 and 2 are 2 : 1;
    # behind 2, 0 and 1 are 2 : 1. So every choice is in proportion to the worths 2, 1, 1: the fit is exact.
    orders = [[0, 1, 2]] * 3 + [[0, 2, 1]] * 3
    orders += [[1, 0, 2]] * 2 + [[1, 2, 0]] + [[2, 0, 1]] * 2 + [[2, 1, 0]]
    found = rate(count_placings(*tables_of(*orders), 3, replicates=0), prior=1e-9).strength
    assert found - found[2] == pytest.approx([np.log(2), 0, 0], abs=1e-8)


@BOTH
@pytest.mark.parametrize("orders", [[[[0, 1]]], [[[0, 1]]] * 9, [[0, 1], [1, 0]], [[1, 0], [[0, 1]], [0, 1]]])
def test_equals_stay_equal(count, orders):
    ratings = rate(count(*tables_of(*orders), 2, replicates=0))
    assert ratings.strength.tolist() == [0, 0]
    assert ratings.place.tolist() == [1, 1]


def test_all_level_at_a_large_table_stay_equal():
    found = rate(count_placings(*tables_of([list(range(12))]), 12, replicates=0))
    assert found.strength == pytest.approx(np.zeros(12), abs=1e-12)


@BOTH
def test_no_order_of_deals_tables_or_seats_makes_a_difference(count):
    deals, agents, profit = tournament(1, np.array([0.4, 0.1, 0.0, -0.2, -0.6]), deals=40, tables=4, seats=3)
    profit = profit.round(1)  # some draws
    table, seat = np.random.default_rng(1).permutation(len(deals)), np.array([2, 0, 1])
    one = rate(count(deals, agents, profit, 5, seed=3, replicates=200))
    two = rate(count(deals[table], agents[table][:, seat], profit[table][:, seat], 5, seed=3, replicates=200))
    for name in ("strength", "low", "high"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()


@BOTH
@pytest.mark.parametrize("many", [False, True])  # 400 tables, or 400 billion
def test_other_numbers_for_the_agents_make_no_difference(count, many):
    deals, agents, profit = tournament(2, np.array([2.4, 0.1, 0.0, -0.2, -3.6]), deals=200, tables=2, seats=4)
    number = np.array([3, 0, 4, 1, 2])  # the new number of each agent
    counts = [count(deals, relabelled, profit, 5, replicates=100) for relabelled in (agents, number[agents])]
    for one in counts if many else ():
        one.asked[:] *= 10**9
        one.chosen[:] *= 10**9
    one, two = (rate(choices) for choices in counts)
    for name in ("strength", "low", "high"):
        np.testing.assert_allclose(getattr(two, name)[number], getattr(one, name), rtol=0, atol=1e-9)


@pytest.mark.parametrize("wins", [1, 10, 1_000_000])
def test_who_won_everything_stays_finite(wins):
    # slope of the log-likelihood by s0 with s1 = −s0: wins · (1 − chance of 0 against 1) and the added draw
    choices = count_duels(np.zeros(1, np.int64), np.array([[0, 1]]), np.array([[1, 0]]), 2, replicates=0)
    for name in ("asked", "chosen"):
        getattr(choices, name)[:] *= wins
    s = rate(choices).strength
    assert s[0] == pytest.approx(-s[1], abs=1e-9)
    assert wins / (1 + np.exp(2 * s[0])) + 0.5 - 1 / (1 + np.exp(-s[0])) == pytest.approx(0, abs=1e-9)
    assert 0 < s[0] < np.log(wins) + 1


def test_ends_without_a_bound_are_said_to_be_infinite():
    # 0 beats all, 1 and 2 beat each other, 3 loses to all: three leagues
    rounds = [[0, 1, 2, 3], [0, 2, 1, 3]] * 20
    ratings = rate(count_placings(*tables_of(*rounds), 4))
    assert ratings.league.tolist() == [0, 1, 1, 2]
    assert ratings.group.tolist() == [0, 0, 0, 0]
    assert ratings.place.tolist() == [1, 2, 2, 4]
    assert np.isfinite(ratings.strength).all()
    assert ratings.high[0] == np.inf and np.isfinite(ratings.low[0])
    assert ratings.low[3] == -np.inf and np.isfinite(ratings.high[3])
    assert np.isfinite([ratings.low[1:3], ratings.high[1:3]]).all()


def test_a_ladder_of_sure_wins_is_fitted():
    # 40 agents, each beats all behind it in a million tables: differences of about 14 a step
    pairs = [(one, two) for one in range(40) for two in range(one + 1, 40)]
    choices = count_duels(
        np.arange(len(pairs)), np.array(pairs), np.tile([1, 0], (len(pairs), 1)), 40, replicates=0
    )
    for name in ("asked", "chosen"):
        getattr(choices, name)[:] *= 1_000_000
    found = rate(choices)
    assert found.place.tolist() == list(range(1, 41))
    assert found.strength == pytest.approx(-found.strength[::-1], abs=1e-9)


@BOTH
def test_groups_that_never_met_are_told_apart(count):
    # 0 and 3 play each other, 1 and 2 play each other, 4 plays nobody
    orders = [[3, 0], [3, 0], [0, 3], [1, 2], [2, 1]]
    ratings = rate(count(*tables_of(*orders), 5))
    assert not ratings.is_connected
    assert ratings.group.tolist() == [0, 1, 1, 0, 2]
    assert ratings.place.tolist() == [2, 1, 1, 1, 1]
    alone = rate(count(*tables_of([1, 0], [1, 0], [0, 1]), 2))
    assert alone.is_connected
    assert ratings.strength[[0, 3]] == pytest.approx(alone.strength, abs=1e-12)
    assert ratings.strength[[1, 2, 4]] == pytest.approx([0, 0, 0], abs=1e-12)


def test_a_chain_of_tables_makes_a_group():
    ratings = rate(count_duels(*tables_of([0, 1], [1, 2], [2, 3], [3, 4]), 5, replicates=0))
    assert ratings.is_connected
    assert ratings.place.tolist() == [1, 2, 3, 4, 5]


def test_bradley_terry_agrees_with_choix():
    _, agents, profit = tournament(3, np.array([1.0, 0.3, 0.0, -0.2, -1.5]), deals=20, tables=2, seats=2)
    profit = profit.round(0)  # draws
    agents = np.concatenate([agents, [[5, 0]]])  # 5 lost its only duel
    profit = np.concatenate([profit, [[0.0, 1.0]]])
    won = np.zeros((7, 7))
    for (one, two), (of_one, of_two) in zip(agents, profit, strict=True):
        won[one, two] += 0.5 + 0.5 * np.sign(of_one - of_two)
        won[two, one] += 0.5 - 0.5 * np.sign(of_one - of_two)
    won[:6, 6] = won[6, :6] = 0.5  # the added draws: contests with one more agent, whose strength is 0
    expected = choix.ilsr_pairwise_dense(won, max_iter=10_000, tol=1e-12)
    found = rate(count_duels(np.arange(41), agents, profit, 6, replicates=0)).strength
    np.testing.assert_allclose(found, expected[:6] - expected[6], atol=1e-8)


def test_plackett_luce_agrees_with_choix():
    deals, agents, profit = tournament(4, np.array([0.8, 0.3, 0.0, -0.2, -0.9]), deals=25, tables=2, seats=4)
    rankings = [tuple(row[np.argsort(-of)].tolist()) for row, of in zip(agents, profit, strict=True)]
    rankings *= 2  # so that half a win is a whole one
    rankings += [ranking for agent in range(5) for ranking in ((agent, 5), (5, agent))]
    expected = choix.mm_rankings(6, rankings, tol=1e-12)
    found = rate(count_placings(deals, agents, profit, 5, replicates=0)).strength
    np.testing.assert_allclose(found, expected[:5] - expected[5], atol=1e-8)


def test_a_deal_counts_as_often_wherever_it_stands():
    weights = deal_weights(5, np.array([3, 9, 4]), 50)
    assert (deal_weights(5, np.array([9]), 50) == weights[1]).all()
    assert (deal_weights(5, np.array([9]), 20) == weights[1, :20]).all()
    assert (deal_weights(6, np.array([9]), 50) != weights[1]).any()


def test_how_often_a_deal_counts_is_poisson_with_mean_1():
    # 200,000 draws: P(0) = P(1) = 0.36788, P(2) = 0.18394, P(3) = 0.06131, three times √(p q / n) < 0.0033
    weights = deal_weights(5, np.arange(2000), 100)
    share = np.bincount(weights.astype(np.int64).ravel())[:4] / weights.size
    assert share == pytest.approx([0.36788, 0.36788, 0.18394, 0.06131], abs=0.0033)
    assert weights.max() < 12


def test_a_tournament_repeated_deal_by_deal_has_the_intervals_of_the_first():
    # four copies of each table in its deal add nothing: the spread stays (but for the prior, of half a draw)
    deals, agents, profit = tournament(5, np.array([0.3, 0.0, -0.3]), deals=150, tables=1, seats=2)
    one = rate(count_duels(deals, agents, profit, 3))
    four = rate(count_duels(np.tile(deals, 4), np.tile(agents, (4, 1)), np.tile(profit, (4, 1)), 3))
    apart = rate(count_duels(np.arange(600), np.tile(agents, (4, 1)), np.tile(profit, (4, 1)), 3))
    width = one.high - one.low
    assert four.high - four.low == pytest.approx(width, rel=0.06)
    assert apart.high - apart.low == pytest.approx(width / 2, rel=0.15)  # 4 times the deals: half as wide


def test_the_interval_of_a_duel_of_equals_is_that_of_the_formula():
    # 200 wins of 400: the log-odds s0 − s1 = 2 s0 has the error 1/√(n p q) = 0.1, so s0 ± 1.96 · 0.05 =
    # 0.098; at 50 % ± 0.674 · 0.05 = 0.034. The ends of 4,000 replicates vary by some 3 %
    agents, profit = np.tile([0, 1], (400, 1)), np.where(np.arange(400)[:, None] < 200, [1, 0], [0, 1])
    choices = count_duels(np.arange(400), agents, profit, 2, replicates=4000)
    for confidence, half in ((0.95, 0.098), (0.5, 0.0337)):
        found = rate(choices, confidence=confidence)
        assert found.low == pytest.approx([-half] * 2, rel=0.1)
        assert found.high == pytest.approx([half] * 2, rel=0.1)


def test_replicates_far_from_the_whole_are_fitted():
    # one deal of 20,000 wins, one of 10 wins and 10 losses. In more than 2.5 % of the replicates (in 1/e of
    # them) the first does not count, and the two are equal; from where the whole stands, Newton's full step
    # would lead a thousand units beyond
    agents = np.tile([0, 1], (20_020, 1))
    profit = np.where(np.arange(20_020)[:, None] < 20_010, [1, 0], [0, 1])
    found = rate(count_duels((np.arange(20_020) >= 20_000).astype(np.int64), agents, profit, 2))
    assert found.strength[0] > 3
    assert found.low[0] == pytest.approx(0, abs=1e-9)
    assert found.high[0] > found.strength[0]


@BOTH
def test_no_interval_without_replicates_or_a_second_deal(count):
    deals, agents, profit = tables_of([0, 1], [1, 0])
    assert np.isnan(rate(count(deals, agents, profit, 2, replicates=0)).low).all()
    assert np.isnan(rate(count(deals * 0, agents, profit, 2)).high).all()
    assert not np.isnan(rate(count(deals, agents, profit, 2)).high).any()


@pytest.mark.slow
def test_ninety_five_of_a_hundred_intervals_hold_the_true_strength():
    # 500 tournaments of 5 agents; 4 tables of a deal share their noise. 2,500 intervals, five of a tournament
    # together: √(0.95 · 0.05 / 500) = 0.01 at most
    true = np.array([0.9, 0.4, 0.0, -0.3, -1.0])
    by_deal, by_table = [], []
    for number in range(500):
        deals, agents, profit = tournament(number, true, deals=120, tables=4, seats=3)
        found = rate(count_placings(deals, agents, profit, 5, seed=number, replicates=400))
        by_deal.append((found.low < anchored(true)) & (anchored(true) < found.high))
        if number < 150:  # each table as if it were a deal
            found = rate(count_placings(np.arange(480), agents, profit, 5, seed=number, replicates=400))
            by_table.append((found.low < anchored(true)) & (anchored(true) < found.high))
    assert 0.93 <= np.mean(by_deal) <= 0.97
    assert np.mean(by_table) < 0.90


@pytest.mark.slow
def test_ninety_five_of_a_hundred_intervals_hold_the_true_strength_where_many_duels_are_drawn():
    # chance p of a win and half a draw as the strengths say; a draw of chance min(p, 1 − p) · 2/3
    true = np.array([0.8, 0.2, 0.0, -1.0])
    covered = []
    for number in range(500):
        draws = draws_of(23, np.full(200, number), np.arange(200))
        agents = draws.uniform(4).argsort(axis=1)[:, :2]
        chance = 1 / (1 + np.exp(true[agents[:, 1]] - true[agents[:, 0]]))
        drawn = np.minimum(chance, 1 - chance) * 2 / 3
        luck = draws.uniform(1)[:, 0]
        profit = np.where(luck < chance - drawn / 2, 1, np.where(luck < chance + drawn / 2, 0, -1))
        found = rate(
            count_duels(
                np.arange(200), agents, np.stack([profit, -profit], 1), 4, seed=number, replicates=400
            )
        )
        covered.append((found.low < anchored(true)) & (anchored(true) < found.high))
    assert 0.93 <= np.mean(covered) <= 0.97


@BOTH
@pytest.mark.parametrize(
    ("deals", "agents", "profit", "message"),
    [
        ([0], [[0, 1]], [[1, 2, 3]], r"not \(1, 2\), \(1, 3\) and \(1,\)"),
        ([0, 1], [[0, 1]], [[1, 2]], r"not \(1, 2\), \(1, 2\) and \(2,\)"),
        ([0], [[0]], [[1]], "2 to 16 seats, not 1"),
        ([0], [[0, 3]], [[1, 2]], "0 to 2, or -1, not 0 to 3"),
        ([0], [[1, 1]], [[1, 2]], "sits twice at a table"),
        ([-1], [[0, 1]], [[1, 2]], "numbered from 0, not from -1"),
        ([0], [[0, 1]], [[1, np.nan]], "not a number"),
    ],
)
def test_tables_that_make_no_sense_are_refused(count, deals, agents, profit, message):
    with pytest.raises(InvalidSettings, match=message):
        count(np.array(deals), np.array(agents), np.array(profit), 3)


@pytest.mark.parametrize("wrong", [{"prior": 0.0}, {"prior": float("nan")}, {"confidence": 1.0}])
def test_a_prior_and_a_confidence_within_their_range(wrong):
    choices = count_duels(*tables_of([0, 1]), 2, replicates=0)
    with pytest.raises(InvalidSettings, match="prior is above 0 and confidence between 0 and 1"):
        rate(choices, **wrong)
