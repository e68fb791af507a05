"""Racing Aces by the table and the example of RULES.md §4, its settings and its errors."""

from fractions import Fraction

import numpy as np
import pytest

from railbird.games.bookmaking.facts import suit_odds
from railbird.games.bookmaking.prices import price_text
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.order_law import parse_rail, rail_probability, rails
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces
from railbird.games.track import RACING_ACES

RULES = RacingAcesSettings()


def opened(lanes=1, **options):
    game = RacingAces(RacingAcesSettings(**options), seed=6, lanes=lanes)
    game.start()
    return game


def run(game, seat, stakes):
    decisions = game.blank()
    decisions[:, seat] = stakes
    game.submit(decisions)


@pytest.mark.parametrize(
    ("rail", "share", "shown", "chance", "worth"),
    [
        ((3, 2, 1, 1), 0.3509, 1, 0.359, 0.078),
        ((2, 2, 2, 1), 0.1930, 1, 0.378, 0.133),
        ((3, 2, 2, 0), 0.1608, 0, 0.546, 0.091),
        ((4, 2, 1, 0), 0.1316, 0, 0.500, 0.0004),
        ((3, 3, 1, 0), 0.0975, 0, 0.521, 0.043),
        ((4, 1, 1, 1), 0.0479, 1, 0.327, -0.020),
        ((4, 3, 0, 0), 0.0183, 0, 0.459, -0.081),
    ],
)
def test_the_best_suit_of_every_rail(rail, share, shown, chance, worth):
    best = max(suit_odds(RULES, rail), key=lambda odds: odds.expected)
    assert best.shown == shown
    assert float(best.chance) == pytest.approx(chance, abs=6e-4)
    assert float(best.expected) == pytest.approx(worth, abs=6e-4)
    dealt = dict(zip(rails(RACING_ACES), rail_probability(RACING_ACES), strict=True))
    alike = sum(part for other, part in dealt.items() if sorted(other) == sorted(rail))
    assert float(alike) == pytest.approx(share, abs=6e-5)


def test_what_the_best_bettors_earn_a_race():
    optimal = fewest = every = Fraction(0)
    for rail, share in zip(rails(RACING_ACES), rail_probability(RACING_ACES), strict=True):
        suits = suit_odds(RULES, rail)
        optimal += share * max(Fraction(0), *(odds.expected for odds in suits))
        fewest += share * min(suits, key=lambda odds: odds.shown).expected
        every += share * sum(max(Fraction(0), odds.expected) for odds in suits)
    assert float(optimal) == pytest.approx(0.071857, abs=5e-7)
    assert float(fewest) == pytest.approx(0.069439, abs=5e-7)
    assert float(every) == pytest.approx(0.09917, abs=5e-6)


def test_facts_of_a_rail_written_as_letters():
    suits = suit_odds(RULES, parse_rail("HHHDDCS", RACING_ACES))
    assert [price_text(odds.price) for odds in suits] == ["5/1", "3/1", "2/1", "2/1"]
    # one chip at 5/1: 5p − (1 − p) = 6p − 1
    assert suits[0].expected == 6 * suits[0].chance - 1
    assert sum(odds.chance for odds in suits) == 1


def test_a_rail_that_is_dealt_again_is_an_error():
    with pytest.raises(InvalidSettings, match="allowed are 0 to 4 of each"):
        suit_odds(RULES, (5, 1, 1, 0))


def test_the_odds_are_published_by_rail_cards():
    game = opened(lanes=200)
    by_count = {0: "1/1", 1: "2/1", 2: "3/1", 3: "5/1", 4: "10/1"}
    hung_out = {
        (int(shown), price_text(price))
        for shown, price in zip(game.state.rail.ravel(), game.state.quotes.ravel(), strict=True)
    }
    assert hung_out == set(by_count.items())


def test_a_rail_of_seven_shows_four_of_a_suit_at_most():
    game = opened(lanes=2_000)
    assert game.state.rail_cards.shape == (2_000, 7)
    assert (game.state.rail.sum(1) == 7).all()
    assert game.state.rail.max() == 4  # without dealing again 7 % of rails would show five or more


def test_a_chip_at_three_to_one_that_wins_returns_four():
    game = opened(lanes=300)
    at_three = (game.state.rail == 2).any(1)
    suit = (game.state.rail == 2).argmax(1)
    decisions = game.blank()
    decisions[at_three, 0, suit[at_three]] = 1
    game.submit(decisions)
    won = at_three & (game.state.last_winner == suit)
    assert won.any()
    assert (game.state.last_payouts[won, 0] == 4).all()
    assert (game.state.bankrolls[won] == [103, -3]).all()
    assert (game.state.bankrolls[at_three & ~won] == [99, 1]).all()
    assert (game.state.bankrolls[~at_three] == [100, 0]).all()


def test_eight_stock_cards_win():
    game = opened(lanes=60)
    game.submit(game.blank())
    for lane in range(60):
        stock = game.dealt(lane)[7:] // 13
        assert (stock == game.state.last_winner[lane]).sum() == 8


def test_a_draw_that_would_favour_small_numbers_is_made_again():
    game = opened()
    # of this episode's stock draws one is rejected (20 in 2^32 are): taken as it came, spades would win
    game.state.key[:] = 52_004_005
    game._open(np.array([0]))
    game.submit(game.blank())
    stock = game.dealt(0)[7:] // 13
    assert np.bincount(stock, minlength=4).argmax() == stock[-1] == game.state.last_winner[0]
    assert game.state.last_winner[0] != 3


def test_a_rotating_bank_moves_on_after_each_race_with_limits_of_whole_chips():
    # bank 100, 3 bettors: each may win 33: 33 at 1/1, 16 at 2/1, 11 at 3/1, 6 at 5/1, 3 at 10/1
    game = opened(lanes=50, seats=4, bank="rotate", stakes=(1, 2, 5, 50))
    by_count = np.array([33, 16, 11, 6, 3])
    assert (game.state.limits == by_count[game.state.rail]).all()
    assert (game.state.bank == 0).all()
    game.submit(game.blank())
    assert (game.state.bank == 1).all()
    with pytest.raises(IllegalDecision, match="seat 2: 50 chips on H; at most"):
        run(game, 2, [50, 0, 0, 0])


def test_against_the_house_only_the_largest_wager_binds():
    game = opened(bankroll=10_000, stakes=(1, 5_000))
    assert (game.state.limits == 32_767).all()
    run(game, 0, [5_000, 0, 0, 0])
    assert game.state.last_stakes[0, 0].tolist() == [5_000, 0, 0, 0]


@pytest.mark.parametrize(
    ("options", "stakes", "message"),
    [
        ({}, [1, 1, 0, 0], "seat 0: wagers on 2 suits; at most 1 is allowed in a race"),
        ({}, [0, 2, 0, 0], "seat 0: 2 chips on D; a stake is 1 chip$"),
        ({"stakes": (2, 4)}, [0, 0, 3, 0], "seat 0: 3 chips on C; a stake is one of 2, 4 chips"),
        ({"max_wager": 8}, [0, 0, 0, 9], "seat 0: 9 chips on S; at most 8 at"),
        ({"max_wagers": 4}, [1, -1, 1, 1], "seat 0: -1 chips on D; a stake is never negative"),
    ],
)
def test_an_illegal_ticket_is_an_error(options, stakes, message):
    with pytest.raises(IllegalDecision, match=message):
        run(opened(**options), 0, stakes)


def test_defaults_are_those_of_the_rules():
    assert (RULES.seats, RULES.races, RULES.bankroll, RULES.bank) == (1, 12, 100, "house")
    assert (RULES.max_wagers, RULES.stakes, RULES.rotate_every, RULES.minimum) == (1, (1,), 1, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 13}, "seats is a whole number from 1 to 12, not 13"),
        ({"bank": "rotate"}, "seats where the bank rotates is a whole number from 2 to 12, not 1"),
        ({"bank": "rotate", "seats": 2, "bankroll": 0}, "bankroll where the bank rotates .* from 1 to"),
        ({"max_wagers": 5}, "max_wagers is a whole number from 1 to 4, not 5"),
        ({"max_wagers": 0}, "max_wagers is a whole number from 1 to 4, not 0"),
        ({"stakes": ()}, r"stakes are ascending whole numbers of chips, at least one, not \(\)"),
        ({"stakes": 1}, "stakes are ascending whole numbers of chips, at least one, not 1"),
        ({"stakes": (2, 1)}, r"stakes are ascending and each is named once, not \(2, 1\)"),
        ({"stakes": (1, 1)}, "stakes are ascending and each is named once"),
        ({"stakes": (0, 1)}, "a stake is a whole number from 1 to 32,767, not 0"),
        ({"stakes": (1.5,)}, "a stake is a whole number from 1 to 32,767, not 1.5"),
        (
            {"stakes": (1_001,), "bank": "rotate", "seats": 2},
            "a stake is a whole number from 1 to 1,000, not 1001",
        ),
    ],
)
def test_settings_out_of_range_name_the_value_and_what_is_allowed(options, message):
    with pytest.raises(InvalidSettings, match=message):
        RacingAcesSettings(**options)
