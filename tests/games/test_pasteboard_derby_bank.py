"""Who the bank pays, worked out by hand, and the text of a choice. Rule: RULES.md §5."""

import numpy as np
import pytest

import derby_oracle
from railbird.games.errors import BadTicket, InvalidSettings
from railbird.games.pasteboard_derby.bank import settle
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.tickets import parse_horse, print_horse

H, D, C, S = range(4)
NOBODY = -1


def paid(names, bank, first, second=NOBODY, ante=2, seats=None):
    """What each seat gets and what stays; a letter for each seat, - for one that sits out."""
    named = np.array([["-HDCS".index(name) for name in names]], np.int8)
    rules = PasteboardDerbySettings(seats=seats or len(names), ante=ante)
    settlement = settle(
        named, np.array([bank]), np.array([first], np.int8), np.array([second], np.int8), rules
    )
    return settlement.payouts[0].tolist(), int(settlement.bank[0])


def test_example_the_winners_backers_share_the_bank_and_the_remainder_stays():
    # 5 players, ante 2, 1 carried: bank 5 * 2 + 1 = 11; two backers: 11 // 2 = 5 each, 1 stays
    assert paid("HHDCS", bank=11, first=H) == ([5, 5, 0, 0, 0], 1)


def test_example_the_seconds_backers_get_their_antes_back_first():
    # 7 players, ante 1: bank 7; three named the second: 3 go back; 4 are split 2 and 2
    assert paid("HHDDDCS", bank=7, first=H, second=D, ante=1) == ([2, 2, 1, 1, 1, 0, 0], 0)


def test_bank_nobody_won_stays_whole():
    assert paid("HHDDS", bank=11, first=C) == ([0, 0, 0, 0, 0], 11)


def test_without_a_backer_of_the_winner_the_second_is_still_paid():
    # bank 6 * 2 + 5 = 17, two antes of 2 go back, 13 stay
    assert paid("HHDDDC", bank=17, first=S, second=H) == ([2, 2, 0, 0, 0, 0], 13)


def test_remainder_after_antes_went_back_stays():
    # bank 7 * 2 = 14, one ante of 2 goes back, 12 over five backers: 2 each, 2 stay
    assert paid("HHHHHDC", bank=14, first=H, second=C) == ([2, 2, 2, 2, 2, 0, 2], 2)


def test_seats_that_sit_out_are_paid_nothing():
    assert paid("H-D-C", bank=6, first=H) == ([6, 0, 0, 0, 0], 0)
    assert paid("-----", bank=6, first=H) == ([0, 0, 0, 0, 0], 6)


def test_everybody_on_the_winner_gets_the_ante_back_and_shares_what_was_carried():
    # bank 3 * 2 + 4 = 10: 3 each, 1 stays
    assert paid("CCC", bank=10, first=C) == ([3, 3, 3], 1)


def test_settling_leaves_its_arguments_alone():
    bank, named = np.array([11]), np.array([[1, 1, 2, 3, 4]], np.int8)
    settle(named, bank, np.array([H], np.int8), np.array([NOBODY], np.int8), PasteboardDerbySettings(seats=5))
    assert bank.tolist() == [11]
    assert named.tolist() == [[1, 1, 2, 3, 4]]


def test_settlement_equals_the_oracle_for_any_choice():
    rng = np.random.default_rng(3)
    rules = PasteboardDerbySettings(seats=9, ante=3)
    named = rng.integers(0, 5, (2_000, 9)).astype(np.int8)
    bank = 3 * (named > 0).sum(1) + rng.integers(0, 50, 2_000)
    first = rng.integers(0, 4, 2_000, np.int8)
    second = np.where(rng.random(2_000) < 0.3, NOBODY, (first + rng.integers(1, 4, 2_000)) % 4).astype(
        np.int8
    )
    settlement = settle(named, bank, first, second, rules)
    for table in range(2_000):
        horses = [None if name == 0 else int(name) - 1 for name in named[table]]
        runner_up = None if second[table] == NOBODY else int(second[table])
        payouts, left = derby_oracle.settle(int(bank[table]), 3, horses, int(first[table]), runner_up)
        assert settlement.payouts[table].tolist() == payouts
        assert settlement.bank[table] == left


@pytest.mark.parametrize("text", ["", "H", "D", "C", "S"])
def test_horses_print_as_they_are_read(text):
    decision = parse_horse(text, PasteboardDerbySettings())
    assert decision.shape == (1,)
    assert decision.dtype == np.int8
    assert decision[0] == "-HDCS".index(text or "-")
    assert print_horse(decision) == text


def test_horses_are_read_in_any_case_and_as_symbols():
    assert [int(parse_horse(text, PasteboardDerbySettings())[0]) for text in (" d ", "♠", "  ")] == [2, 4, 0]


@pytest.mark.parametrize("text", ["X", "HD", "1", "H\nD"])
def test_text_that_is_no_horse_is_refused(text):
    with pytest.raises(BadTicket, match=r"line 1: .* is no horse; name one of H, D, C and S"):
        parse_horse(text, PasteboardDerbySettings())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 2}, "seats is a whole number from 3 to 12, not 2"),
        ({"seats": 13}, "seats is a whole number from 3 to 12, not 13"),
        ({"races": 0}, "races is a whole number from 1 to 1,000, not 0"),
        ({"ante": 0}, "ante is a whole number from 1 to 32,767, not 0"),
        ({"ante": 1.5}, "ante is a whole number from 1 to 32,767, not 1.5"),
        ({"ante": 40_000}, "ante is a whole number from 1 to 32,767, not 40000"),
        (
            {"bankroll": 0},
            r"bankroll \(the ante at least\) is a whole number from 2 to 1,099,511,627,776, not 0",
        ),
        ({"bankroll": 99, "ante": 100}, "from 100 to 1,099,511,627,776, not 99"),
        ({"advance": "dice"}, "advance is one of 'affinity', 'pips', not 'dice'"),
        ({"places": 3}, "places is a whole number from 1 to 2, not 3"),
    ],
)
def test_settings_out_of_range_are_named(options, message):
    with pytest.raises(InvalidSettings, match=message):
        PasteboardDerbySettings(**options)


def test_default_settings_are_those_of_the_rules():
    rules = PasteboardDerbySettings()
    assert (rules.seats, rules.races, rules.bankroll, rules.ante) == (6, 12, 100, 2)
    assert (rules.advance, rules.places) == ("affinity", 1)
