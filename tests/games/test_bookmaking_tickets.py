"""Tickets and quotes as people write them. Rule: RULES.md §3 and §4."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.games.bookmaking.tickets import (
    parse_quote,
    parse_ticket,
    print_quote,
    print_ticket,
)
from railbird.games.errors import BadTicket
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.racing_aces.settings import RacingAcesSettings

HORSE = HorseRaceSettings()
ACES = RacingAcesSettings()


def test_a_ticket_names_an_amount_and_a_suit_on_each_line():
    assert parse_ticket("$10 H\n$250 S", HORSE).tolist() == [10, 0, 0, 250]


def test_wagers_on_one_suit_add_up_and_signs_case_and_blank_lines_do_not_matter():
    assert parse_ticket("10 d; $ 20 D\n\n30 c", HORSE).tolist() == [0, 30, 30, 0]


def test_an_empty_text_is_the_empty_ticket():
    assert parse_ticket(" \n", HORSE).tolist() == [0, 0, 0, 0]
    assert print_ticket(np.zeros(4, np.int16)) == ""


def test_a_ticket_is_printed_in_suit_order():
    assert print_ticket(np.array([0, 20, 0, 10], np.int16)) == "$20 D\n$10 S"


def test_a_quote_names_each_suit_with_its_odds():
    # places on the board: 3/1 is 14, 5/2 is 12, 1/1 is 4, 10/1 is 22
    assert parse_quote("H 3/1 D 5/2 C 1/1 S 10/1").tolist() == [14, 12, 4, 22]
    assert parse_quote("s 10/1, c 1/1\nd 5/2; h 3/1;").tolist() == [14, 12, 4, 22]
    assert print_quote(np.array([14, 12, 4, 22], np.int16)) == "H 3/1 D 5/2 C 1/1 S 10/1"


@given(st.tuples(*[st.integers(0, 100)] * 4))
def test_a_printed_ticket_reads_back(tens):
    stakes = np.array(tens, np.int16) * 10
    assert parse_ticket(print_ticket(stakes), HORSE).tolist() == stakes.tolist()


@given(st.tuples(*[st.integers(0, 32)] * 4))
def test_a_printed_quote_reads_back(prices):
    assert parse_quote(print_quote(np.array(prices, np.int16))).tolist() == list(prices)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$10", r"line 1: '\$10' is no wager; write an amount and a suit, as in '\$10 H'"),
        ("$10 H\n$10 X", "line 2: 'X' is no suit; the suits are H, D, C and S"),
        ("$10 HD", "line 1: 'HD' is no suit"),
        ("$10 WIN H", r"line 1: '\$10 WIN H' is no wager"),
        ("$-10 H", "line 1: '-10' is no amount; write a whole number of chips, 1 or more"),
        ("$2.5 H", "line 1: '2.5' is no amount"),
        ("$0 H", "line 1: '0' is no amount"),
        ("$10 H; $15 D", "line 2: 15 chips on D; a stake is a multiple of 10 chips"),
        ("$1010 C", "line 1: 1010 chips on C; at most 1000 are allowed"),
        ("$600 C\n$410 C", "line 2: 1010 chips on C; at most 1000 are allowed"),
    ],
)
def test_a_ticket_that_cannot_be_read_names_the_line_and_what_is_allowed(text, message):
    with pytest.raises(BadTicket, match=message):
        parse_ticket(text, HORSE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$2 H", r"line 1: 2 chips on H; a stake is 1 chip$"),
        ("$1 H\n$1 S", "line 2: one suit too many; at most 1 is allowed in a race"),
    ],
)
def test_at_racing_aces_a_ticket_keeps_to_the_stakes_and_wagers_on_offer(text, message):
    with pytest.raises(BadTicket, match=message):
        parse_ticket(text, ACES)


def test_the_stakes_on_offer_are_listed():
    with pytest.raises(BadTicket, match="3 chips on D; a stake is one of 1, 5 chips"):
        parse_ticket("3 D", RacingAcesSettings(stakes=(1, 5)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("H 3/1 D 5/2 C 1/1", "line 1: no odds for S; quote all of H, D, C and S"),
        ("", "line 1: no odds for H, D, C, S"),
        ("H 3/1\nH 5/2", "line 2: H is quoted twice"),
        ("H 3/1 D", "line 1: D has no odds; write them behind it, as in 'H 3/1'"),
        ("H 3/1\nD 3/2", "line 2: '3/2' is no board price; the prices are 1/2 4/6"),
        ("3/1 H", "line 1: '3/1' is no suit; the suits are H, D, C and S"),
    ],
)
def test_a_quote_that_cannot_be_read_names_the_line_and_what_is_allowed(text, message):
    with pytest.raises(BadTicket, match=message):
        parse_quote(text)
