"""Horse Race and Scarne's Horse Race by the examples of RULES.md §3, their settings and their errors."""

import numpy as np
import pytest

from railbird.games.bookmaking.facts import suit_odds
from railbird.games.bookmaking.tickets import parse_quote
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.horse_race.table import HorseRace, ScarneHorseRace

LANES = 60  # enough for every suit to win in some


def quoted(text, rules=None, lanes=LANES):
    """Tables whose bank has quoted these odds."""
    game = HorseRace(rules or HorseRaceSettings(), seed=3, lanes=lanes)
    game.start()
    quotes = game.blank()
    quotes[np.arange(lanes), game.state.bank] = parse_quote(text)
    game.submit(quotes)
    return game


def run(game, seat, stakes):
    decisions = game.blank()
    decisions[:, seat] = stakes
    game.submit(decisions)


@pytest.mark.parametrize(
    ("stake", "suit", "payout"),
    [
        (10, 0, 40),  # 3/1: 10 + 30
        (30, 1, 75),  # 6/4: 30 + 45
        (10, 2, 23),  # 11/8: 10 + floor(13.75)
    ],
)
def test_a_winning_stake_pays_the_odds_and_itself_rounded_down_for_the_bank(stake, suit, payout):
    game = quoted("H 3/1 D 6/4 C 11/8 S 150/1")
    stakes = [0, 0, 0, 0]
    stakes[suit] = stake
    run(game, 2, stakes)
    won = game.state.last_winner == suit
    assert won.any() and not won.all()
    assert (game.state.last_payouts[won, 2] == payout).all()
    assert (game.profit[won, 2] == payout - stake).all()
    assert (game.profit[~won, 2] == -stake).all()
    assert (game.profit[:, 6] == -game.profit[:, 2]).all()  # the house


def test_the_largest_stake_is_what_the_bank_can_pay_to_all_bettors():
    # bank 1,000, 5 bettors, 3/1: 5·3·60 = 900 ≤ 1,000 < 1,050 = 5·3·70
    # 1/2: 5·floor(s/2) ≤ 1,000 up to 400 (410 wins 205, 1,025 in all); 33/1: 5·330 = 1,650, closed
    game = quoted("H 3/1 D 1/2 C 33/1 S 20/1", HorseRaceSettings(bank="rotate"))
    assert (game.state.limits == [60, 400, 0, 10]).all()  # 20/1: 5·200 = 1,000
    run(game, 1, [60, 400, 0, 10])
    with pytest.raises(IllegalDecision, match="lane 0, seat 1: 70 chips on H; at most 60 at 3/1"):
        run(quoted("H 3/1 D 1/2 C 33/1 S 20/1", HorseRaceSettings(bank="rotate")), 1, [70, 0, 0, 0])


def test_the_house_takes_up_to_the_cap_at_any_odds_and_may_owe():
    game = quoted("H 150/1 D 150/1 C 150/1 S 150/1")
    assert (game.state.limits == 1_000).all()
    run(game, 0, [100, 100, 100, 100])
    # one of the four wins: 100 + 15,000 back for 400
    assert (game.state.bankrolls[:, 0] == 1_000 + 14_700).all()
    assert (game.state.bankrolls[:, 6] == -14_700).all()


def test_rails_have_six_cards_and_seven_stock_cards_win():
    game = quoted("H 1/1 D 1/1 C 1/1 S 1/1")
    run(game, 0, [0, 0, 0, 0])
    for lane in range(LANES):
        stock = game.dealt(lane)[6:] // 13
        assert (stock == game.state.last_winner[lane]).sum() == 7


def test_at_scarnes_six_stock_cards_win():
    game = ScarneHorseRace(seed=3, lanes=LANES)
    game.start()
    game.submit(game.blank())
    game.submit(game.blank())
    for lane in range(LANES):
        stock = game.dealt(lane)[6:] // 13
        assert (stock == game.state.last_winner[lane]).sum() == 6


def test_the_winner_comes_from_the_law():
    # rail 2,2,1,1: 0.1892 0.1892 0.3108 0.3108 (RULES.md §1); 4 standard errors of 20,000 races
    lanes = 20_000
    game = HorseRace(HorseRaceSettings(seats=1, races=1), seed=8, lanes=lanes)
    game.start()
    rail = np.flatnonzero((game.state.rail == [2, 2, 1, 1]).all(1))[0]
    game.state.rail_swaps[:], game.state.rail[:] = game.state.rail_swaps[rail], game.state.rail[rail]
    game.submit(game.blank())
    game.submit(game.blank())
    shares = np.bincount(game.state.last_winner, minlength=4) / lanes
    assert shares == pytest.approx([0.1892, 0.1892, 0.3108, 0.3108], abs=4 * (0.25 / lanes) ** 0.5)


def test_the_chance_and_worth_of_each_suit():
    suits = suit_odds(HorseRaceSettings(), (2, 2, 1, 1), parse_quote("H 4/1 D 5/1 C 11/8 S 1/2"))
    assert [odds.shown for odds in suits] == [2, 2, 1, 1]
    assert [float(odds.chance) for odds in suits] == pytest.approx([0.1892, 0.1892, 0.3108, 0.3108], abs=5e-5)
    # a stake of 10: p · win − (1 − p) · 10, with wins of 40, 50, 13 and 5
    p, q = float(suits[0].chance), float(suits[2].chance)
    worth = [p * 40 - (1 - p) * 10, p * 50 - (1 - p) * 10, q * 13 - (1 - q) * 10, q * 5 - (1 - q) * 10]
    assert [float(odds.expected) for odds in suits] == pytest.approx(worth)


def test_without_a_quote_there_is_no_worth():
    with pytest.raises(
        InvalidSettings, match="the bank quotes the odds of this game; name four board prices"
    ):
        suit_odds(ScarneHorseRaceSettings(), (3, 2, 1, 0))


def test_the_stake_of_the_expectation_can_be_chosen():
    # 8 of 8 at 11/8: 11 in full; 1 at 11/8: 1, the rest is rounded away
    quote = parse_quote("H 11/8 D 1/1 C 1/1 S 1/1")
    eight, one = (suit_odds(HorseRaceSettings(), (2, 2, 1, 1), quote, stake)[0] for stake in (8, 1))
    assert eight.expected == eight.chance * 11 - (1 - eight.chance) * 8
    assert one.expected == one.chance * 1 - (1 - one.chance) * 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((2, 2, 1, 2),), "rail counts are"),
        (((7, -1, 0, 0),), "rail counts are"),
        (((2, 2, 1, 1), (0, 0, 0)), "four board prices 0 to 32"),
        (((2, 2, 1, 1), (0, 0, 0, 33)), "four board prices 0 to 32"),
        (((2, 2, 1, 1), (0, 0, 0, 0), 0), "stake is a whole number from 1"),
    ],
)
def test_facts_about_what_cannot_be_are_errors(arguments, message):
    with pytest.raises(InvalidSettings, match=message):
        suit_odds(HorseRaceSettings(), *arguments)


def test_defaults_are_those_of_the_rules():
    rules = HorseRaceSettings()
    assert (rules.seats, rules.races, rules.bankroll, rules.minimum, rules.cap) == (6, 12, 1_000, 10, 1_000)
    assert (rules.bank, rules.rotate_every, rules.max_wager) == ("house", 4, 32_767)
    assert ScarneHorseRaceSettings() == ScarneHorseRaceSettings(track="scarne")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 13}, "seats is a whole number from 1 to 12, not 13"),
        ({"seats": 0}, "seats is a whole number from 1 to 12, not 0"),
        (
            {"seats": 1, "bank": "rotate"},
            "seats where the bank rotates is a whole number from 2 to 12, not 1",
        ),
        (
            {"bankroll": 0, "bank": "rotate"},
            "bankroll where the bank rotates is a whole number from 1 to .*, not 0",
        ),
        ({"bankroll": -1}, "bankroll is a whole number from 0 to 1,099,511,627,776, not -1"),
        ({"bankroll": 2.5}, "bankroll is a whole number from 0 to .*, not 2.5"),
        ({"bank": "seat"}, "bank is one of 'house', 'rotate', not 'seat'"),
        ({"track": "ascot"}, "track is one of 'horse-race', 'scarne', not 'ascot'"),
        ({"minimum": 0}, "minimum is a whole number from 1 to 32,767, not 0"),
        ({"minimum": 20, "cap": 10}, "cap is a whole number from 20 to 32,767, not 10"),
        ({"max_wager": 5}, "max_wager is a whole number from 10 to 32,767, not 5"),
        ({"max_wager": 32_768}, "max_wager is a whole number from 10 to 32,767, not 32768"),
        ({"rotate_every": 0}, "rotate_every is a whole number from 1 to 1,000, not 0"),
        ({"races": 0}, "races is a whole number from 1 to 1,000, not 0"),
    ],
)
def test_settings_out_of_range_name_the_value_and_what_is_allowed(options, message):
    with pytest.raises(InvalidSettings, match=message):
        HorseRaceSettings(**options)


def test_the_largest_wager_binds_below_the_cap():
    rules = HorseRaceSettings(max_wager=255)
    game = quoted("H 1/1 D 1/1 C 1/1 S 1/1", rules, lanes=1)
    assert game.state.limits.tolist() == [[250] * 4]
    with pytest.raises(IllegalDecision, match="seat 0: 260 chips on H; at most 250 at 1/1"):
        run(game, 0, [260, 0, 0, 0])


@pytest.mark.parametrize(
    ("stakes", "message"),
    [
        ([0, -10, 0, 0], "lane 0, seat 4: -10 chips on D; a stake is never negative"),
        ([0, 0, 15, 0], "lane 0, seat 4: 15 chips on C; a stake is a multiple of 10 chips"),
        ([0, 0, 0, 1_010], "lane 0, seat 4: 1010 chips on S; at most 1000 at 10/1"),
    ],
)
def test_an_illegal_stake_is_an_error_and_plays_nothing(stakes, message):
    game = quoted("H 1/1 D 2/1 C 3/1 S 10/1", lanes=2)
    before = game.save()
    with pytest.raises(IllegalDecision, match=message):
        run(game, 4, stakes)
    assert all((before[name] == after).all() for name, after in game.save().items())


@pytest.mark.parametrize("price", [-1, 33])
def test_a_quote_off_the_board_is_an_error(price):
    game = HorseRace(seed=1)
    game.start()
    quotes = game.blank()
    quotes[0, 6, 2] = price
    with pytest.raises(
        IllegalDecision, match=r"seat 6: a quote of \[0, 0, .*\]; .* from 0 \(1/2\) to 32 \(150/1\)"
    ):
        game.submit(quotes)


def test_what_a_seat_says_out_of_turn_is_not_read():
    game = HorseRace(HorseRaceSettings(seats=2), seed=1)
    game.start()
    nonsense = np.full((1, 3, 4), -5, np.int16)
    nonsense[0, 2] = 14
    game.submit(nonsense)  # the players do not quote
    assert game.state.quotes.tolist() == [[14] * 4]
    nonsense[0, :2] = 10
    nonsense[0, 2] = -5
    game.submit(nonsense)  # the house does not bet
    assert game.state.last_stakes[0].tolist() == [[10] * 4, [10] * 4, [0] * 4]


def test_against_the_house_a_player_below_the_minimum_is_out_and_with_a_rotating_bank_one_without_chips():
    game = HorseRace(HorseRaceSettings(seats=3), lanes=1)
    game.start()
    game.state.bankrolls[0] = [9, 10, 0, -500]
    assert game.out.tolist() == [[True, False, True, False]]
    game = HorseRace(HorseRaceSettings(seats=3, bank="rotate"), lanes=1)
    game.start()
    game.state.bankrolls[0] = [9, 2_991, 0]
    assert game.out.tolist() == [[False, False, True]]
