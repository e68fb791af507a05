"""Settlement of the pools, examples A–F. Rule: RULES.md §2."""

from fractions import Fraction

import numpy as np
import pytest

from railbird.games.errors import InvalidSettings
from railbird.games.superfecta.lines import LINE_OF
from railbird.games.superfecta.pools import settle
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta

H, D, C, S = range(4)
HDCS, DCHS = 0, 8  # orders of finish; D,C,H,S: 6 (D first) + 2 (C second of H,C,S) + 0
EQUAL = SuperfectaSettings()


def pro_rata(**options):
    return SuperfectaSettings(split="pro_rata", minimum_bets=(1, 1, 1), breakage=1, **options)


def tickets(*wagers, seats=6):
    """Stakes (1, seats, 40) from (seat, horses, chips)."""
    stakes = np.zeros((1, seats, 40), np.int16)
    for seat, horses, chips in wagers:
        stakes[0, seat, LINE_OF[horses]] += chips
    return stakes


def paid(stakes, order, settings=EQUAL, carried=(0, 0, 0)):
    result = settle(stakes, np.array([carried]), np.array([order]), settings)
    return result.payouts[0].tolist(), result.pools[0].tolist(), int(result.takeout[0])


def test_example_a_james_wins_in_all_three_pools_and_loses_one_exacta():
    james = ((0, (D,), 2), (0, (D, C), 1), (0, (C, D), 1), (0, (D, C, H, S), 1))
    # alone in every pool he takes WIN 2, EXA 1 + 1, SFC 1: his 5 chips come back
    assert paid(tickets(*james), DCHS) == ([5, 0, 0, 0, 0, 0], [0, 0, 0], 0)


def test_example_b_three_winners_of_ten_get_three_and_one_carries_over():
    # WIN 10: three hold D with 1, 2 and 3 chips, a loser put 4 on H; nobody holds the superfecta of 5
    stakes = tickets((0, (D,), 1), (1, (D,), 2), (2, (D,), 3), (3, (H,), 4), (4, (H, D, C, S), 5))
    assert paid(stakes, DCHS) == ([3, 3, 3, 0, 0, 0], [1, 0, 5], 0)


def test_example_c_pro_rata_dividend_two():
    # pool 10: winners staked 1 and 3, 6 lost; dividend floor(10 / 4) = 2: 2 and 6, 10 - 8 = 2 carry over
    stakes = tickets((0, (D,), 1), (1, (D,), 3), (2, (H,), 6))
    assert paid(stakes, DCHS, pro_rata()) == ([2, 6, 0, 0, 0, 0], [2, 0, 0], 0)


def test_example_d_takeout_is_of_new_money_only():
    # 10 staked + 4 carried, rate 1/5: takeout floor(10 / 5) = 2, net 12; the only winner staked 1: 12
    stakes = tickets((0, (D,), 1), (1, (H,), 9))
    assert paid(stakes, DCHS, pro_rata(rate=0.2), (4, 0, 0)) == ([12, 0, 0, 0, 0, 0], [0, 0, 0], 2)


def test_takeout_is_taken_when_nobody_wins_and_not_again_from_carried_money():
    stakes = tickets((1, (H,), 10))
    assert paid(stakes, DCHS, pro_rata(rate=0.2)) == ([0] * 6, [8, 0, 0], 2)
    assert paid(tickets(), DCHS, pro_rata(rate=0.2), (8, 0, 0)) == ([0] * 6, [8, 0, 0], 0)


@pytest.mark.parametrize("settings", [EQUAL, pro_rata()])
def test_example_e_the_only_bettor_wins_the_pool_back_whole(settings):
    assert paid(tickets((2, (D,), 7)), DCHS, settings) == ([0, 0, 7, 0, 0, 0], [0, 0, 0], 0)


def test_example_f_the_last_race_divides_what_is_left():
    # six players each stake 2 of their chips so that 4 + 4 + 4 = 12 stay: 2 come back to each
    game = Superfecta(SuperfectaSettings(races=1, bankroll=10), seed=0)
    game.start()
    game.state.pools[:] = 4
    game.submit(game.blank())
    assert game.profit.tolist() == [[2] * 6]
    assert game.state.pools.tolist() == [[0, 0, 0]]
    assert game.state.undivided.tolist() == [0]


def test_the_indivisible_rest_of_the_final_division_belongs_to_nobody():
    game = Superfecta(SuperfectaSettings(races=1, bankroll=10), seed=0)
    game.start()
    game.state.pools[0] = (4, 4, 5)  # 13 = 6 * 2 + 1
    game.submit(game.blank())
    assert game.profit.tolist() == [[2] * 6]
    assert game.state.undivided.tolist() == [1]


def test_rate_one_takes_everything_and_pays_nothing():
    stakes = tickets((0, (D,), 4), (1, (H,), 6))
    assert paid(stakes, DCHS, pro_rata(rate=1)) == ([0] * 6, [0, 0, 0], 10)


def test_breakage_rounds_the_dividend_down():
    # minimum 100, breakage 10: net 700 over winning 300: floor(700 * 100 / 300) = 233 -> 230; 3 * 230 = 690
    settings = SuperfectaSettings(split="pro_rata")
    stakes = tickets((0, (D,), 300), (1, (H,), 400))
    assert paid(stakes, DCHS, settings) == ([690, 0, 0, 0, 0, 0], [10, 0, 0], 0)


def test_a_minimum_dividend_is_paid_as_far_as_the_pool_reaches():
    # everybody on the winner, rate 1/5: 600 staked, net 480, dividend 80 per 100; minimum 105 wants 630 > 480
    settings = SuperfectaSettings(split="pro_rata", rate=0.2, minimum_dividend=105)
    stakes = tickets((0, (D,), 100), (1, (D,), 500))
    assert paid(stakes, DCHS, settings) == ([80, 400, 0, 0, 0, 0], [0, 0, 0], 120)
    # with 300 carried the net is 780: floor(780 * 100 / 600) = 130 -> above the minimum
    assert paid(stakes, DCHS, settings, (300, 0, 0)) == ([130, 650, 0, 0, 0, 0], [0, 0, 0], 120)
    # with 156 carried the net is 636: 106 rounds down to 100, raised to 105: 6 * 105 = 630, 6 carry over
    assert paid(stakes, DCHS, settings, (156, 0, 0)) == ([105, 525, 0, 0, 0, 0], [6, 0, 0], 120)


def test_settle_leaves_its_arguments_alone():
    stakes, pools = tickets((0, (D,), 1)), np.array([[3, 3, 3]])
    before = stakes.copy()
    settle(stakes, pools, np.array([DCHS]), EQUAL)
    assert (stakes == before).all()
    assert pools.tolist() == [[3, 3, 3]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 1}, "seats is a whole number from 2 to 12, not 1"),
        ({"seats": 13}, "seats is a whole number from 2 to 12, not 13"),
        ({"races": 0}, "races is a whole number from 1 to 1,000, not 0"),
        ({"bankroll": -1}, "bankroll is a whole number from 0 to"),
        ({"bankroll": 2.5}, "bankroll is a whole number .* not 2.5"),
        ({"minimum_bets": (1, 1)}, "minimum_bets are three whole numbers"),
        ({"minimum_bets": (1, 0, 1)}, "minimum bet of EXA is a whole number from 1"),
        ({"split": "fair"}, "split is one of 'equal', 'pro_rata', not 'fair'"),
        ({"rate": 0.1}, "belong to split='pro_rata'"),
        ({"split": "pro_rata", "rate": 1.5}, "rate is a number from 0 to 1"),
        ({"split": "pro_rata", "rate": "x"}, "rate is a number from 0 to 1"),
        ({"max_wager": 40_000}, "max_wager is a whole number from 1 to 32,767"),
    ],
)
def test_settings_out_of_range_are_refused_with_the_range(options, message):
    with pytest.raises(InvalidSettings, match=message):
        SuperfectaSettings(**options)


def test_a_float_rate_is_the_decimal_it_prints_as():
    # floor(0.29 * 100) in floats is 28; 29/100 of 100 is 29
    settings = pro_rata(rate=0.29)
    assert settings.rate == Fraction(29, 100)
    assert paid(tickets((0, (H,), 100)), DCHS, settings)[2] == 29
