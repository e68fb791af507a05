"""Bankers by quotes worked out by hand. Win chances: RULES.md §1, HHDDCS -> 0.1892 0.1892 0.3108 0.3108."""

import numpy as np
import pytest

from railbird.agents.bookmaker.balanced import Balanced
from railbird.agents.bookmaker.margin import Margin, power, proportional, shin
from railbird.agents.bookmaker.profit import Profit, expected_profits
from railbird.agents.bookmaker.tables import EvenMoney, Fair, Published
from railbird.agents.bookmaking.banker import board_prices
from railbird.games.bookmaking.prices import BOARD, IMPLIED, price_text
from railbird.games.bookmaking.state import BookmakerView, Phase
from railbird.games.bookmaking.tickets import print_quote
from railbird.games.cards import SUIT_LETTERS
from railbird.games.errors import InvalidSettings
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.order_law import rails, win_law, win_table
from railbird.games.streams import Draws
from railbird.games.track import HORSE_RACE

RULES = HorseRaceSettings(seats=2)
SCARNE = ScarneHorseRaceSettings(seats=2)


def counts(rail):
    return [rail.count(suit) for suit in SUIT_LETTERS]


def look(rail="HHDDCS", race=0, last_rail="HHDDCS", stakes=((0, 0, 0, 0), (0, 0, 0, 0)), seat=2, lane=0):
    """The view of the house, seat 2, or of another seat, before it quotes; ``stakes`` are the last race's."""
    return BookmakerView(
        lane=np.array([lane]),
        seat=np.array([seat]),
        race=np.array([race]),
        phase=np.array([Phase.QUOTE], np.int8),
        bank=np.array([seat]),
        quotes=np.full((1, 4), -1, np.int8),
        limits=np.zeros((1, 4), np.int16),
        rail_cards=np.zeros((1, 6), np.int8),
        rail=np.array([counts(rail)], np.int8),
        bankrolls=np.array([[1_000, 1_000, 0]]),
        refused=np.zeros((1, 3), np.int64),
        last_rail=np.array([counts(last_rail) if race else [0] * 4], np.int8),
        last_winner=np.array([0 if race else -1], np.int8),
        last_bank=np.array([2 if race else -1]),
        last_quotes=np.full((1, 4), 10 if race else -1, np.int8),
        last_stakes=np.array([[*stakes, (0, 0, 0, 0)]], np.int16),
        last_payouts=np.zeros((1, 3), np.int64),
    )


def quote(agent, view):
    """What a banker answers to one table: ``"H 4/1 D 4/1 C 2/1 S 2/1"``."""
    return print_quote(agent.act(view, Draws(np.array([7], np.uint64)))[0])


def begun(agent, lanes=1):
    agent.begin(np.ones(lanes, bool))
    return agent


@pytest.mark.parametrize(
    ("chance", "odds"),
    [
        (0.25, "3/1"),  # fair at 3/1 exactly
        (1 / 3, "2/1"),
        (0.3108, "2/1"),  # fair at 2.22/1: 9/4 is longer, 2/1 is not
        (0.1892, "4/1"),  # fair at 4.29/1
        (2 / 3, "1/2"),
        (0.7, "1/2"),  # fair at 0.43/1: nothing on the board is as short
        (1 / 151, "150/1"),
        (0.0, "150/1"),
    ],
)
def test_a_chance_gets_the_longest_price_that_is_not_above_its_fair_odds(chance, odds):
    assert price_text(int(board_prices(np.array([chance]))[0])) == odds


def test_fair_gives_no_bet_an_edge_and_the_next_price_would():
    for rules in (RULES, SCARNE):
        for rail, prices in zip(rails(rules.course), Fair(rules).quotes, strict=True):
            for chance, price in zip(win_law(rules.course, rail), prices, strict=True):
                net, per = BOARD[price]
                assert chance * (net + per) <= per  # exact fractions
                if price < 32:
                    net, per = BOARD[price + 1]
                    assert chance * (net + per) > per


def test_fair_quotes_by_the_rail():
    assert quote(Fair(RULES), look("HHDDCS")) == "H 4/1 D 4/1 C 2/1 S 2/1"
    # 0.0928 0.1775 0.2926 0.4371: fair at 9.78, 4.63, 2.42 and 1.29
    assert quote(Fair(RULES), look("HHHDDC")) == "H 8/1 D 9/2 C 9/4 S 5/4"
    assert quote(Fair(RULES), look("HHHHHH")) == "H 150/1 D 2/1 C 2/1 S 2/1"


def test_margin_raises_every_chance_by_the_same_tenth():
    # 1.1 · 0.1892 = 0.2081: 7/2 is fair at 0.2222, 4/1 at 0.2. 1.1 · 0.3108 = 0.3419: 7/4 at 0.3636
    assert quote(Margin(RULES), look("HHDDCS")) == "H 7/2 D 7/2 C 7/4 S 7/4"
    # 1.3 · 0.1892 = 0.2460: 3/1 at 0.25. 1.3 · 0.3108 = 0.4040: 11/8 at 0.4211, 6/4 at 0.4
    assert quote(Margin(RULES, share=0.3), look("HHDDCS")) == "H 3/1 D 3/1 C 11/8 S 11/8"


def test_margin_nought_is_fair_however_it_is_spread():
    for spread in ("proportional", "power", "shin"):
        assert np.array_equal(Margin(RULES, share=0, spread=spread).quotes, Fair(RULES).quotes)


@pytest.mark.parametrize("spread", [proportional, power, shin])
@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
def test_every_spread_adds_up_to_one_and_the_share(spread, share):
    for rules in (RULES, SCARNE):
        chances = win_table(rules.course)
        book = spread(chances, share)
        assert book.sum(1) == pytest.approx(1 + share, abs=1e-12)
        assert (book[chances > 0] > chances[chances > 0]).all()
        assert (book[chances == 0] == 0).all()


def test_power_raises_all_chances_of_a_rail_to_the_same_power():
    chances = win_table(HORSE_RACE)[rails(HORSE_RACE).index((3, 2, 1, 0))]
    exponents = np.log(power(chances[None], 0.2)[0]) / np.log(chances)
    assert exponents == pytest.approx(exponents[0], abs=1e-12)
    assert 0 < exponents[0] < 1


def test_shin_prices_lead_back_to_the_chances_by_his_formula():
    # p = (√(z² + 4 (1 − z) q² / Σq) − z) / (2 (1 − z)), with the z for which the p add up to 1
    chances = win_table(HORSE_RACE)[rails(HORSE_RACE).index((3, 2, 1, 0))]
    book = shin(chances[None], 0.2)[0]

    def implied(z):
        return (np.sqrt(z**2 + 4 * (1 - z) * book**2 / book.sum()) - z) / (2 * (1 - z))

    low, high = 0.0, 0.99
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if implied(middle).sum() > 1 else (low, middle)
    assert 0 < low < 0.2
    assert implied(low) == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("spread", [power, shin])
def test_power_and_shin_take_more_from_longshots(spread):
    chances = win_table(HORSE_RACE)[rails(HORSE_RACE).index((3, 2, 1, 0))]  # ascending
    raised = spread(chances[None], 0.2)[0] / chances
    assert (np.diff(raised) < -0.01).all()
    assert raised[0] > 1.2 > raised[3]


def test_a_margin_is_never_smaller_than_asked_for():
    for spread in ("proportional", "power", "shin"):
        prices = Margin(RULES, share=0.2, spread=spread).quotes
        assert (IMPLIED[prices].sum(1) >= 1.2 - 1e-12).all()


def test_even_money_is_one_to_one_on_every_rail():
    assert quote(EvenMoney(RULES), look("HHHHHH")) == "H 1/1 D 1/1 C 1/1 S 1/1"


@pytest.mark.parametrize(
    ("rail", "odds"),
    [
        ("HHHDDC", "H 5/1 D 3/1 C 2/1 S 1/1"),
        ("DDDDHC", "H 2/1 D 10/1 C 2/1 S 1/1"),
        ("CCCCCH", "H 2/1 D 1/1 C 20/1 S 1/1"),
        ("SSSSSS", "H 1/1 D 1/1 C 1/1 S 100/1"),
    ],
)
def test_published_odds_go_by_the_rail_cards(rail, odds):
    assert quote(Published(RULES), look(rail)) == odds


def test_balanced_quotes_the_margin_before_any_money_is_seen():
    assert quote(begun(Balanced(RULES)), look()) == quote(Margin(RULES), look())
    unbet = look(race=1)
    assert quote(begun(Balanced(RULES)), unbet) == quote(Margin(RULES), unbet)


def test_balanced_shortens_what_was_overbet_and_lengthens_the_rest():
    # All money on C, rank 0 of HHDDCS (C, S, H, D), which was due 0.3108 of it: ratio 3.2175, the others 0.
    # Lean 0.2: C 0.3108 · (0.8 + 0.2 · 3.2175) = 0.4486, S 0.2486, H and D 0.1514; they add up to 1.
    # Times 1.1: C 0.4935 -> 1/1, S 0.2735 -> 5/2 (0.2857), H and D 0.1665 -> 5/1 (0.16667)
    view = look(race=1, stakes=((0, 0, 70, 0), (0, 0, 30, 0)))
    assert quote(begun(Balanced(RULES)), view) == "H 5/1 D 5/1 C 1/1 S 5/2"


def test_balanced_goes_by_ranks_not_by_suits():
    # the money was on C, the favourite; now H is the favourite, then D, C, S
    view = look("CCSSHD", race=1, stakes=((0, 0, 70, 0), (0, 0, 30, 0)))
    assert quote(begun(Balanced(RULES)), view) == "H 1/1 D 5/2 C 5/1 S 5/1"


def test_balanced_with_a_lean_of_nought_is_the_margin():
    view = look(race=1, stakes=((0, 0, 70, 0), (0, 0, 30, 0)))
    assert quote(begun(Balanced(RULES, lean=0)), view) == quote(Margin(RULES), view)


def test_balanced_counts_a_race_once():
    # 5,106 on C, then as much on S and 3,108 on H and D: in all 16,428, each suit its chance of them,
    # 0.1892 and 0.3108, if the first race is not counted again
    agent = begun(Balanced(RULES))
    for _ in range(3):
        agent.watch(look(race=1, stakes=((0, 0, 5_106, 0), (0, 0, 0, 0))))
    level = look(race=2, stakes=((3_108, 0, 0, 5_106), (0, 3_108, 0, 0)))
    assert quote(agent, level) == quote(Margin(RULES), level)
    assert quote(agent, level) == quote(Margin(RULES), level)


def test_balanced_forgets_the_game_before():
    agent = begun(Balanced(RULES))
    first = look(race=1, stakes=((0, 0, 10, 0), (0, 0, 0, 0)))
    assert quote(agent, first) != quote(Margin(RULES), first)
    agent.begin(np.ones(1, bool))
    assert quote(agent, look()) == quote(Margin(RULES), look())
    assert quote(agent, first) != quote(Margin(RULES), first)  # race 1 of the new game counts


def test_balanced_remembers_each_lane_by_itself():
    agent = begun(Balanced(RULES), lanes=2)
    agent.watch(look(race=1, stakes=((0, 0, 10, 0), (0, 0, 0, 0)), lane=1))
    assert quote(agent, look()) == quote(Margin(RULES), look())


def test_balanced_does_not_count_its_own_stakes():
    view = look(race=1, stakes=((0, 0, 70, 0), (0, 0, 0, 0)), seat=0)
    assert quote(begun(Balanced(RULES)), view) == quote(Margin(RULES), view)


def test_balanced_with_a_lean_of_one_survives_money_on_a_suit_that_cannot_win():
    # all money was on rank 3; on HHHHHH that is H, which has no chance, so no weight is left
    view = look("HHHHHH", race=1, stakes=((0, 10, 0, 0), (0, 0, 0, 0)))
    assert quote(begun(Balanced(RULES, lean=1)), view) == "H 150/1 D 6/4 C 6/4 S 6/4"  # 1.1 / 3 = 0.3667


def test_profit_lets_the_board_round_for_it():
    # D of HHHHHH, p = 1/3, noise money r, a stake of 10: 1/2 pays 5, r = 0.5, profit 0.5 · 0.5 = 0.25 a chip;
    # 4/6 pays 6, not 6.67, r = 0.5556, profit 0.5556 · (2/3 − 0.2) = 0.2593; 4/5 pays 8: 0.6 · 0.4 = 0.24;
    # 10/11 pays 9: 0.6364 · (2/3 − 0.3) = 0.2333; 1/1: 2/3 · 1/3
    noise = Profit(RULES, elasticity=1, sharp=0)
    assert quote(noise, look("HHHHHH")) == "H 150/1 D 4/6 C 4/6 S 4/6"


def test_profit_without_rounding_is_the_monopoly_price():
    # a stake of 30 is paid exactly at 4/6: 0.5556 · 0.4444 = 0.2469 is below 0.25, r = 1/2 = 1 / (1 + 1)
    rules = HorseRaceSettings(minimum=30)
    assert quote(Profit(rules, elasticity=1, sharp=0), look("HHHHHH")) == "H 150/1 D 1/2 C 1/2 S 1/2"


def test_profit_fears_value_bettors_only_above_the_fair_odds():
    # only value bettors with errors of a tenth, a stake of 120: 7/4 has r = 0.9167, Φ(−0.870) = 0.192 of them
    # bet, 0.192 / 12 = 0.0160; 6/4 has r = 0.8333, Φ(−1.823) = 0.034, 0.0057; 2/1 has r = 1 and brings 0
    rules = HorseRaceSettings(minimum=120)
    assert quote(Profit(rules, sharp=1, doubt=0.1), look("HHHHHH")) == "H 150/1 D 7/4 C 7/4 S 7/4"


def test_no_other_price_brings_the_profit_banker_more():
    agent = Profit(RULES)
    profits = expected_profits(win_table(HORSE_RACE), 10, agent.elasticity, agent.sharp, agent.doubt)
    chosen = np.take_along_axis(profits, agent.quotes[..., None].astype(int), axis=2)
    assert (chosen >= profits).all()
    # by hand: p = 1/3 at 6/4, r = 5/6, log r = −0.18232: (0.3 Φ(−1.8232) + 0.7 · 0.48225) / 6 = 0.057970
    rail = rails(HORSE_RACE).index((6, 0, 0, 0))
    assert profits[rail, 1, 8] == pytest.approx(0.057970, abs=1e-6)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Margin(RULES, share=1.5), "share is a number from 0 to 1, not 1.5"),
        (
            lambda: Margin(RULES, spread="even"),
            "spread is one of 'proportional', .*, not 'even'",
        ),
        (lambda: Balanced(RULES, lean=-1), "lean is a number from 0 to 1, not -1"),
        (lambda: Profit(RULES, elasticity=101), "elasticity is a number from 0 to 100, not 101"),
        (lambda: Profit(RULES, doubt=0), "doubt is a number from 0.001 to 10, not 0"),
    ],
)
def test_an_option_out_of_range_names_what_is_allowed(make, message):
    with pytest.raises(InvalidSettings, match=message):
        make()
