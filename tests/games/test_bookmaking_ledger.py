"""Board prices, limits and who is paid what. Rule: RULES.md §3 and §4."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.games.bookmaking.ledger import limits, settle
from railbird.games.bookmaking.prices import (
    BOARD,
    IMPLIED,
    PRICES,
    parse_price,
    price_text,
    published,
)
from railbird.games.errors import InvalidSettings

H, D, C, S = range(4)
price_drawn = st.integers(0, PRICES - 1)
quote_drawn = st.tuples(price_drawn, price_drawn, price_drawn, price_drawn)


def quote(text):
    return [parse_price(price) for price in text.split()]


def test_the_board_has_33_prices_in_ascending_order():
    odds = [Fraction(net, per) for net, per in BOARD]
    assert len(odds) == 33
    assert odds == sorted(set(odds))
    assert (odds[0], odds[4], odds[-1]) == (Fraction(1, 2), Fraction(1), Fraction(150))


def test_prices_are_printed_as_on_the_board_and_read_back():
    assert price_text(1) == "4/6"  # not 2/3
    assert [parse_price(price_text(price)) for price in range(PRICES)] == list(range(PRICES))


@pytest.mark.parametrize("text", ["3/2", "evens", "", "3", "151/1", "-1/1"])
def test_a_price_that_is_not_on_the_board_is_an_error_that_lists_the_board(text):
    with pytest.raises(InvalidSettings, match=r"is no board price; the prices are 1/2 4/6 .* 150/1"):
        parse_price(text)


def test_a_price_implies_the_chance_at_which_it_is_fair():
    # 3/1 is fair at 1/4: 1/4 · 3 − 3/4 · 1 = 0; 1/2 is fair at 2/3
    assert IMPLIED[[parse_price("3/1"), parse_price("1/2")]] == pytest.approx([1 / 4, 2 / 3])


def test_published_odds_by_the_rail_cards_of_the_suit():
    # RULES.md §4: 0 to 4 cards; 20/1 and 100/1 for 5 and 6 are those of the banker `published`
    quotes = published(np.array([[0, 1, 2, 4], [3, 5, 6, 0]]))
    assert [[price_text(price) for price in row] for row in quotes] == [
        ["1/1", "2/1", "3/1", "10/1"],
        ["5/1", "20/1", "100/1", "1/1"],
    ]


@pytest.mark.parametrize(
    ("price", "stake", "payout"),
    [
        ("3/1", 10, 40),  # 10 + 30
        ("6/4", 30, 75),  # 30 + 45
        ("11/8", 10, 23),  # 10 + floor(13.75), rounded down for the bank
        ("10/11", 10, 19),  # 10 + floor(9.09…)
        ("4/6", 10, 16),  # 10 + floor(6.66…)
        ("150/1", 32_767, 4_947_817),  # 32,767 · 151
    ],
)
def test_what_a_winning_stake_brings_back(price, stake, payout):
    stakes = np.zeros((1, 2, 4), np.int16)
    stakes[0, 0, D] = stake
    paid = settle(stakes, [quote(f"1/1 {price} 1/1 1/1")], [D], [1])
    assert paid.payouts.tolist() == [[payout, 0]]
    assert paid.profit.tolist() == [[payout - stake, stake - payout]]


def test_losing_stakes_go_to_the_bank():
    # seat 0 has 20 H and 10 D, seat 1 has 30 S, seat 2 banks. D wins at 7/4: 10 + floor(17.5) = 27
    stakes = np.zeros((1, 3, 4), np.int16)
    stakes[0, 0, [H, D]], stakes[0, 1, S] = (20, 10), 30
    paid = settle(stakes, [quote("1/1 7/4 1/1 5/1")], [D], [2])
    assert paid.payouts.tolist() == [[27, 0, 0]]
    assert paid.profit.tolist() == [[-3, -30, 33]]  # 27 − 30; bank: 20 + 30 − 17


def test_the_bank_is_not_a_bettor():
    stakes = np.full((1, 2, 4), 10, np.int16)
    paid = settle(stakes, [quote("2/1 2/1 2/1 2/1")], [C], [0])
    assert paid.payouts.tolist() == [[0, 30]]
    assert paid.profit.tolist() == [[10, -10]]  # the bettor gets 30 for 40
    assert (stakes == 10).all()


@given(
    st.lists(st.tuples(*[st.integers(0, 32_767)] * 4), min_size=1, max_size=5),
    quote_drawn,
    st.integers(0, 3),
)
def test_settling_equals_exact_fractions_and_moves_every_chip(bets, prices, winner):
    stakes = np.array([[*bets, (0, 0, 0, 0)]], np.int16)
    paid = settle(stakes, [prices], [winner], [len(bets)])
    odds = Fraction(*BOARD[prices[winner]])
    assert paid.payouts[0].tolist() == [bet[winner] + int(bet[winner] * odds) for bet in bets] + [0]
    assert paid.profit[0, :-1].tolist() == [
        int(back) - sum(bet) for back, bet in zip(paid.payouts[0], bets, strict=False)
    ]
    assert paid.profit.sum() == 0


@pytest.mark.parametrize(
    ("price", "bank", "bettors", "limit"),
    [
        ("3/1", 1_000, 5, 60),  # 5·3·60 = 900 ≤ 1,000 < 1,050 = 5·3·70
        ("3/1", 900, 5, 60),
        ("3/1", 899, 5, 50),
        ("11/8", 13, 1, 10),  # floor(13.75) = 13 is covered
        ("11/8", 12, 1, 0),  # one minimum bet is too much: closed
        ("1/2", 1_000, 1, 1_000),  # 2,000 would win 1,000, but the cap is 1,000
        ("150/1", 7_499, 5, 0),  # 5·1,500 = 7,500
        ("150/1", 0, 11, 0),
        ("150/1", 2**40, 11, 1_000),
    ],
)
def test_the_limit_is_the_largest_stake_the_bank_can_pay_to_every_bettor(price, bank, bettors, limit):
    assert limits([[parse_price(price)] * 4], [bank], bettors, 10, 1_000).tolist() == [[limit] * 4]


def test_limits_are_set_suit_by_suit():
    # bank 100, 2 bettors: 50 each. 1/1: 50; 2/1: 20 (30 would win 60); 5/1: 10; 10/1: closed
    assert limits([quote("1/1 2/1 5/1 10/1")], [100], 2, 10, 1_000).tolist() == [[50, 20, 10, 0]]


def test_a_limit_is_a_multiple_of_the_minimum_below_the_cap():
    # 25 is the cap, the minimum 10: 20
    assert limits([quote("1/1 1/1 1/1 1/1")], [10_000], 1, 10, 25).tolist() == [[20] * 4]


def test_a_bank_without_chips_may_take_a_stake_that_wins_nothing():
    # 1 chip at 1/2 wins floor(0.5) = 0; at 1/1 it wins 1
    assert limits([quote("1/2 1/1 1/1 1/1")], [0], 3, 1, 100).tolist() == [[1, 0, 0, 0]]


@given(
    quote_drawn,
    st.integers(0, 12 * 2**40),
    st.integers(1, 11),
    st.integers(1, 32_767),
    st.integers(1, 32_767),
)
def test_a_limit_is_safe_and_no_larger_one_is(prices, bank, bettors, one, other):
    minimum, cap = min(one, other), max(one, other)
    for price, limit in zip(prices, limits([prices], [bank], bettors, minimum, cap)[0].tolist(), strict=True):
        net, per = BOARD[price]
        assert limit % minimum == 0
        assert 0 <= limit <= cap
        assert bettors * (limit * net // per) <= bank
        larger = limit + minimum
        assert larger > cap or bettors * (larger * net // per) > bank


@pytest.mark.parametrize(
    ("given_quote", "bank", "options", "message"),
    [
        ([0, 0, 0, 33], 10, (1, 10, 100), "four board prices 0 to 32"),
        ([0, 0, 0, -1], 10, (1, 10, 100), "four board prices 0 to 32"),
        ([0, 0, 0, 0], -1, (1, 10, 100), "0 chips or more, not -1"),
        ([0, 0, 0, 0], 10, (0, 10, 100), "bettors is a whole number from 1"),
        ([0, 0, 0, 0], 10, (1, 0, 100), "minimum is a whole number from 1"),
        ([0, 0, 0, 0], 10, (1, 10, 9), "cap is a whole number from 10"),
    ],
)
def test_limits_that_make_no_sense_are_errors(given_quote, bank, options, message):
    with pytest.raises(InvalidSettings, match=message):
        limits([given_quote], [bank], *options)
