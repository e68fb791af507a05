"""Bettors against odds written by hand.

Win chances of rails of six with finish 7 are those of RULES.md §1: HHDDCS 0.1892 0.1892 0.3108 0.3108, and
HHHHHH 0 1/3 1/3 1/3.
"""

from typing import Any

import numpy as np
import pytest

from railbird.agents.bookmaking.anchors import Favourite, Longshot, Null, Random
from railbird.agents.bookmaking.bettor import fitting_stakes, subsets_of
from railbird.agents.bookmaking.kelly import Kelly, write_shares
from railbird.agents.bookmaking.people import Biased, Chaser, Hunch
from railbird.agents.bookmaking.value import Value
from railbird.games.bookmaking.prices import IMPLIED, PRICES, parse_price
from railbird.games.bookmaking.state import BookmakerView, Phase
from railbird.games.bookmaking.tickets import parse_quote, print_ticket
from railbird.games.cards import SUIT_LETTERS
from railbird.games.errors import InvalidSettings
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.order_law import win_table
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.streams import Draws
from railbird.games.track import HORSE_RACE

TENS = HorseRaceSettings(seats=1)
CHIPS = HorseRaceSettings(seats=1, minimum=1)
ALL_SUITS = 0b1111


def look(
    rail="HHDDCS",
    quote="H 2/1 D 2/1 C 2/1 S 2/1",
    limits=(1_000, 1_000, 1_000, 1_000),
    chips=1_000,
    race=0,
    last_stakes=(0, 0, 0, 0),
    last_payout=0,
    rows=1,
) -> BookmakerView:
    """The view of seat 0 against the house, seat 1; the same in so many lanes."""

    def repeated(value: Any, dtype: Any) -> np.ndarray:
        return np.repeat(np.array([value], dtype), rows, axis=0)

    return BookmakerView(
        lane=np.arange(rows),
        seat=repeated(0, np.int64),
        race=repeated(race, np.int64),
        phase=repeated(Phase.BET, np.int8),
        bank=repeated(1, np.int64),
        quotes=repeated(parse_quote(quote), np.int8),
        limits=repeated(limits, np.int16),
        rail_cards=repeated([0] * len(rail), np.int8),
        rail=repeated([rail.count(suit) for suit in SUIT_LETTERS], np.int8),
        bankrolls=repeated([chips, 0], np.int64),
        refused=repeated([0, 0], np.int64),
        last_rail=repeated([2, 2, 1, 1] if race else [0] * 4, np.int8),
        last_winner=repeated(0 if race else -1, np.int8),
        last_bank=repeated(1 if race else -1, np.int64),
        last_quotes=repeated([10] * 4 if race else [-1] * 4, np.int8),
        last_stakes=repeated([last_stakes, [0] * 4], np.int16),
        last_payouts=repeated([last_payout, 0], np.int64),
    )


def draws(rows=1) -> Draws:
    return Draws(np.arange(rows, dtype=np.uint64))


def ticket(agent, view) -> str:
    """What an agent writes on seeing one table, as one line: ``"$10 H; $20 D"``."""
    agent.begin(np.ones(1, bool))
    return "; ".join(print_ticket(agent.act(view, draws())[0]).splitlines())


def test_a_fitting_stake_is_the_largest_on_offer_that_is_no_more():
    assert fitting_stakes(np.array([2, 5]), 6).tolist() == [0, 0, 2, 2, 2, 5, 5]


def test_tickets_of_two_wagers_are_looked_for_on_every_two_suits():
    assert subsets_of(2).tolist() == [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]
    assert subsets_of(4).tolist() == [ALL_SUITS]


def test_null_never_bets():
    assert ticket(Null(TENS), look(quote="H 150/1 D 150/1 C 150/1 S 150/1")) == ""


@pytest.mark.parametrize(
    ("rail", "wager"),
    [("HHHDDC", "$10 S"), ("HHDDCS", "$10 C"), ("HHHHHH", "$10 D")],  # fewest cards, the first of equals
)
def test_favourite_backs_the_suit_with_the_fewest_cards(rail, wager):
    assert ticket(Favourite(TENS), look(rail)) == wager


@pytest.mark.parametrize(
    ("rail", "wager"),
    [("HHHDDC", "$10 H"), ("SSDDCH", "$10 D"), ("HHHHHH", "$10 D")],  # hearts cannot win with six on the rail
)
def test_longshot_backs_the_least_likely_suit_that_can_win(rail, wager):
    assert ticket(Longshot(TENS), look(rail)) == wager


def test_nobody_bets_on_a_closed_suit_or_without_the_chips_for_a_stake():
    for backer in (Favourite(TENS), Chaser(TENS)):
        assert ticket(backer, look("HHHDDC", limits=(90, 90, 90, 0))) == ""
        assert ticket(backer, look("HHHDDC", chips=9)) == ""
    certain = Random(TENS, probability=1)
    assert ticket(certain, look(limits=(10, 0, 0, 10))) == "$10 H; $10 S"
    for bettor in (certain, Biased(TENS), Value(TENS), Kelly(TENS), Hunch(TENS)):
        assert ticket(bettor, look(quote="H 50/1 D 50/1 C 50/1 S 50/1", chips=9)) == ""


def test_random_backs_the_suits_whose_draw_is_below_the_probability():
    stakes = Random(TENS, probability=0.3).act(look(rows=50), draws(50))
    assert np.array_equal(stakes, np.where(draws(50).uniform(4) < 0.3, 10, 0))


def test_random_keeps_the_lowest_draws_where_chips_or_rules_end():
    lowest = np.argsort(draws(50).uniform(4), axis=1)
    stakes = Random(TENS, probability=1).act(look(chips=29, rows=50), draws(50))
    assert (np.take_along_axis(stakes, lowest, axis=1) == [10, 10, 0, 0]).all()
    rules = RacingAcesSettings(max_wagers=3, stakes=(2, 4))
    stakes = Random(rules, probability=1).act(look("HHHDDCS", rows=50), draws(50))
    assert (np.take_along_axis(stakes, lowest, axis=1) == [2, 2, 2, 0]).all()


def test_value_bets_all_it_may_where_the_odds_are_too_long():
    # chances 0, 1/3, 1/3, 1/3. D: 1/3 · 2500 − 2/3 · 1000 = 166.7 above 0; C is fair; S loses
    view = look("HHHHHH", "H 150/1 D 5/2 C 2/1 S 6/4")
    assert ticket(Value(TENS), view) == "$1000 D"
    assert ticket(Value(TENS), look("HHHHHH", "H 150/1 D 5/2 C 2/1 S 6/4", limits=(0, 370, 0, 0))) == "$370 D"
    assert ticket(Value(TENS), look("HHHHHH", "H 150/1 D 5/2 C 2/1 S 6/4", chips=98)) == "$90 D"


def test_value_knows_that_payouts_are_rounded_down():
    # C, p = 0.3108, at 9/4 wins 2, 4, 6, 9, 11, 13, 15 for 1 to 7 chips. A chip more is worth 3p − 1 = −0.068
    # where it wins 2 and 4p − 1 = +0.243 where it wins 3: 4 chips are worth 0.243 − 3 · 0.068 = 0.040, seven
    # 0.040 − 0.203, and up to three chips lose.
    quote = "H 1/2 D 1/2 C 9/4 S 1/2"
    assert ticket(Value(CHIPS), look(quote=quote, limits=(9, 9, 7, 9))) == "$4 C"
    assert ticket(Value(CHIPS), look(quote=quote, limits=(9, 9, 3, 9))) == ""


def test_value_buys_the_best_for_a_chip_first():
    # D returns 4/3 a chip, S 7/6, C 1.083: D up to its limit, S with the rest
    view = look("HHHHHH", "H 1/2 D 3/1 C 9/4 S 5/2", limits=(500, 300, 500, 500), chips=500)
    assert ticket(Value(TENS), view) == "$300 D; $200 S"


def test_value_takes_the_suits_that_bring_the_most_together_when_wagers_are_few():
    # Racing Aces, HHHDDCS: C, S +0.078 a chip at 2/1. S may have 9 chips, C only 2: with one wager S.
    rules = RacingAcesSettings(stakes=(1, 2, 9), bank="rotate", seats=2)
    view = look("HHHDDCS", "H 5/1 D 3/1 C 2/1 S 2/1", limits=(9, 9, 2, 9))
    assert ticket(Value(rules), view) == "$9 S"
    two = RacingAcesSettings(stakes=(1, 2, 9), bank="rotate", seats=2, max_wagers=2)
    assert ticket(Value(two), view) == "$2 C; $9 S"


def test_kelly_hedges_with_a_fair_bet():
    # Chances 1/3, decimal odds 6, 3, 1.8. D is worth 2, reserve (2/3) / (5/6) = 0.8; C is worth 1 > 0.8,
    # reserve (1/3) / (1 − 1/6 − 1/3) = 2/3; S is worth 0.6, less than that.
    # D: 1/3 − (2/3) / 6 = 2/9. C: 1/3 − (2/3) / 3 = 1/9.
    quote = "H 150/1 D 5/1 C 2/1 S 4/5"
    assert ticket(Kelly(TENS, fraction=1), look("HHHHHH", quote, chips=900)) == "$200 D; $100 C"
    assert ticket(Kelly(TENS, fraction=0.5), look("HHHHHH", quote, chips=900)) == "$100 D; $50 C"
    assert ticket(Kelly(TENS, fraction=0), look("HHHHHH", quote, chips=900)) == ""


def test_kelly_rounds_down_and_keeps_within_the_limits():
    quote = "H 150/1 D 5/1 C 2/1 S 4/5"
    # 2/9 and 1/9 of 987 are 219.3 and 109.7
    assert ticket(Kelly(TENS, fraction=1), look("HHHHHH", quote, chips=987)) == "$210 D; $100 C"
    view = look("HHHHHH", quote, chips=900, limits=(500, 150, 500, 500))
    assert ticket(Kelly(TENS, fraction=1), view) == "$150 D; $100 C"


def test_kelly_without_an_edge_keeps_its_chips():
    assert ticket(Kelly(TENS, fraction=1), look("HHHHHH", "H 150/1 D 2/1 C 2/1 S 7/4")) == ""


def test_kelly_stakes_all_where_a_book_adds_up_to_less_than_one():
    # four times 1/151: each suit gets its chance of the chips, 189.2 and 310.8 of 1,000
    view = look(quote="H 150/1 D 150/1 C 150/1 S 150/1")
    assert ticket(Kelly(CHIPS, fraction=1), view) == "$189 H; $189 D; $310 C; $310 S"


def test_kelly_leaves_closed_suits_out():
    # without D, C is fair and alone: nothing; without C, D is worth 2 alone: (2 − 1) / 5 of the chips
    quote = "H 150/1 D 5/1 C 2/1 S 4/5"
    assert ticket(Kelly(TENS, fraction=1), look("HHHHHH", quote, limits=(9, 0, 900, 900))) == ""
    assert ticket(Kelly(TENS, fraction=1), look("HHHHHH", quote, limits=(0, 900, 0, 900))) == "$200 D"


@pytest.mark.parametrize("seed", range(40))
def test_kelly_shares_meet_the_conditions_of_a_maximum(seed):
    # growth Σ p log(c + β f), c = 1 − Σ f: raising f_i gains p_i β_i / W_i and costs Σ p_j / W_j, which must
    # balance where f_i is above 0 and not pay elsewhere
    rng = np.random.default_rng(seed)
    table = win_table(HORSE_RACE)
    chances = table[rng.integers(len(table))]
    quotes = np.full(4, PRICES - 1, np.int8)
    while not 1 < IMPLIED[quotes].sum() < 1.4:  # a book that leaves no certain profit
        quotes = rng.integers(0, PRICES, 4).astype(np.int8)
    shares = np.empty(4)
    growth = write_shares(shares, chances, quotes, np.full(4, 10, np.int16), ALL_SUITS)
    wealth = 1 - shares.sum() + shares / IMPLIED[quotes]
    assert (shares >= 0).all()
    assert shares.sum() <= 1 + 1e-12
    wins = chances > 0
    assert growth == pytest.approx(float((chances[wins] * np.log(wealth[wins])).sum()), abs=1e-9)
    gain = np.where(wins, chances / IMPLIED[quotes] / np.where(wins, wealth, 1), 0)
    cost = (chances[wins] / wealth[wins]).sum()
    assert (gain <= cost + 1e-9).all()
    assert gain[shares > 0] == pytest.approx(cost, abs=1e-9)


def test_kelly_with_one_wager_takes_the_suit_of_the_highest_growth():
    # Racing Aces, DDCCSSH: H shows one card, p = 0.378 at 2/1; the rest are worth less than 1 a chip.
    # (0.378 · 3 − 1) / 2 = 0.067 of 1,000 chips, and at 14/1 with p = 0.207 D would grow faster:
    # 0.207 · log(0.207 · 15) + 0.793 · log(0.793 / (1 − 1/15)) = 0.105 against 0.006.
    rules = RacingAcesSettings(stakes=tuple(range(1, 500)))
    assert ticket(Kelly(rules, fraction=1), look("DDCCSSH", "H 2/1 D 3/1 C 3/1 S 3/1")) == "$66 H"
    both = look("DDCCSSH", "H 2/1 D 14/1 C 3/1 S 3/1")
    assert ticket(Kelly(rules, fraction=1), both) == "$150 D"  # (0.20735 · 15 − 1) / 14 = 0.1507


def test_biased_backs_what_looks_worth_its_odds():
    # γ = 0.61: w(0.1892) = 0.3622 / (0.3622 + 0.8799)^1.6393 = 0.2539, w(0.3108) = 0.4903 / 1.5125 = 0.3241.
    # H 4 · 0.2539 = 1.015, D 3.75 · 0.2539 = 0.952, C 3 · 0.3241 = 0.972, S 3.25 · 0.3241 = 1.053
    view = look(quote="H 3/1 D 11/4 C 2/1 S 9/4")
    assert ticket(Biased(TENS), view) == "$10 H; $10 S"
    assert ticket(Biased(TENS), look(quote="H 3/1 D 11/4 C 2/1 S 9/4", chips=19)) == "$10 S"
    # γ = 1 sees 0.1892 and 0.3108 as they are: S 3.25 · 0.3108 = 1.010 is left
    assert ticket(Biased(TENS, gamma=1), view) == "$10 S"


def test_biased_backs_the_first_of_equals_where_it_may_back_only_one():
    rules = RacingAcesSettings()
    assert ticket(Biased(rules), look("HHHDDCS", "H 1/2 D 1/2 C 10/1 S 10/1")) == "$1 C"


def test_a_hunch_lasts_for_the_game():
    agent = Hunch(TENS)
    agent.begin(np.ones(400, bool))
    first = agent.act(look(rows=400), draws(400))
    assert (first.sum(1) == 10).all()
    drawn = draws(400).integers(4, 1)[:, 0]
    assert np.array_equal(first.argmax(1), drawn)
    other = Draws(np.arange(400, dtype=np.uint64) + np.uint64(1_000))
    assert np.array_equal(agent.act(look("SSSSCC", rows=400), other), first)
    again = np.arange(400) % 2 == 0
    agent.begin(again)
    second = agent.act(look(rows=400), Draws(np.arange(400, dtype=np.uint64) + np.uint64(2_000)))
    assert np.array_equal(second[~again], first[~again])
    assert not np.array_equal(second[again], first[again])


@pytest.mark.parametrize(
    ("staked", "paid", "wager"),
    [
        (0, 0, "$10 C"),  # no bet before
        (10, 0, "$20 C"),
        (320, 0, "$640 C"),  # the sixth doubling
        (640, 0, "$10 C"),  # as often as it will
        (20, 60, "$10 C"),  # won at 2/1
        (30, 0, "$60 C"),  # after a stake that was cut
    ],
)
def test_chaser_doubles_after_a_loss(staked, paid, wager):
    view = look(race=1, last_stakes=(0, 0, staked, 0), last_payout=paid)
    assert ticket(Chaser(TENS), view) == wager


def test_chaser_starts_again_when_it_has_doubled_often_enough():
    agent = Chaser(TENS, doublings=2)
    assert ticket(agent, look(race=1, last_stakes=(0, 0, 20, 0))) == "$40 C"
    assert ticket(agent, look(race=1, last_stakes=(0, 0, 40, 0))) == "$10 C"


def test_chaser_bets_what_limit_and_chips_allow():
    assert ticket(Chaser(TENS), look(race=1, last_stakes=(0, 0, 40, 0), chips=79)) == "$70 C"
    assert ticket(Chaser(TENS), look(race=1, last_stakes=(0, 0, 40, 0), limits=(9, 9, 50, 9))) == "$50 C"


def test_chaser_takes_the_next_stake_on_the_list():
    rules = RacingAcesSettings(stakes=(1, 5, 20))
    for staked, wager in ((1, "$5 C"), (5, "$20 C"), (20, "$1 C")):
        view = look("HHHDDCS", race=1, last_stakes=(0, 0, staked, 0))
        assert ticket(Chaser(rules), view) == wager


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Random(TENS, probability=1.1), "probability is a number from 0 to 1, not 1.1"),
        (lambda: Kelly(TENS, fraction=float("nan")), "fraction is a number from 0 to 1, not nan"),
        (lambda: Biased(TENS, gamma=0.2), "gamma is a number from 0.3 to 1, not 0.2"),
        (lambda: Chaser(TENS, doublings=15), "doublings is a whole number from 0 to 14, not 15"),
    ],
)
def test_an_option_out_of_range_names_what_is_allowed(make, message):
    with pytest.raises(InvalidSettings, match=message):
        make()


def test_odds_used_above_are_on_the_board():
    assert [parse_price(odds) for odds in ("1/2", "2/1", "150/1")] == [0, 10, 32]
