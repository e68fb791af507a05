"""Tickets as text and the 40 lines. Rule: RULES.md §2."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.games.errors import BadTicket
from railbird.games.superfecta.lines import HORSES, LINE_OF, WINNING, line_text
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket, print_ticket

H, D, C, S = range(4)
SETTINGS = SuperfectaSettings()
JAMES = "$2 WIN D\n$1 EXA D/C\n$1 EXA C/D\n$1 SFC D/C/H/S"


def test_lines_run_in_lexicographic_order_pool_by_pool():
    assert HORSES[0] == (H,)
    assert HORSES[3] == (S,)
    assert HORSES[4] == (H, D)
    assert HORSES[15] == (S, C)
    assert HORSES[16] == (H, D, C, S)
    assert HORSES[39] == (S, C, D, H)
    assert len(HORSES) == 40


def test_the_winning_lines_of_an_order_are_its_first_its_first_two_and_itself():
    # order 0 is H,D,C,S; order 23 is S,C,D,H
    assert WINNING[0].tolist() == [0, 4, 16]
    assert WINNING[23].tolist() == [3, 15, 39]


def test_example_a_james_pays_five():
    stakes = parse_ticket(JAMES, SETTINGS)
    assert stakes.sum() == 5  # 2 + 1 + 1 + 1
    assert stakes[LINE_OF[D,]] == 2
    assert stakes[LINE_OF[D, C]] == stakes[LINE_OF[C, D]] == stakes[LINE_OF[D, C, H, S]] == 1


def test_wagers_on_one_line_add_up_and_print_once():
    assert print_ticket(parse_ticket("1 win d; $2 WIN D", SETTINGS)) == "$3 WIN D"


def test_printing_is_in_line_order():
    assert print_ticket(
        parse_ticket("$1 SFC D/C/H/S\n$1 EXA C/D\n\n$1 EXA D/C\n$2 WIN D", SETTINGS)
    ) == JAMES.replace("$1 EXA D/C\n$1 EXA C/D", "$1 EXA D/C\n$1 EXA C/D")


@given(st.lists(st.integers(0, 32_767), min_size=40, max_size=40))
def test_parsing_a_printed_ticket_gives_it_back(stakes):
    ticket = np.array(stakes, np.int16)
    assert parse_ticket(print_ticket(ticket), SETTINGS).tolist() == stakes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$2 PLACE D", "line 1: unknown type 'PLACE'; the types are WIN, EXA and SFC"),
        ("$1 WIN D\n$1 EXA D", r"line 2: EXA names 2 horse\(s\), not 1"),
        ("$1 WIN D/C", r"line 1: WIN names 1 horse\(s\), not 2"),
        ("$1 EXA D/D", "line 1: D/D names a horse twice"),
        ("$1 EXA D/X", "line 1: 'X' is no horse; the horses are H, D, C and S"),
        ("$0 WIN D", "line 1: '0' is no amount for WIN; allowed are positive multiples of 1"),
        ("$-2 WIN D", "line 1: '-2' is no amount"),
        ("$1.5 WIN D", "line 1: '1.5' is no amount"),
        ("$x WIN D", "line 1: 'x' is no amount"),
        ("WIN D", "line 1: 'WIN D' is no wager; write an amount, a type and horses"),
        ("rubbish", "line 1: 'rubbish' is no wager"),
        ("$32767 WIN D\n$1 WIN D", "line 2: 32768 chips on WIN D; at most 32767 are allowed"),
        ("$99999999999999999999 WIN D", "line 1: .* is no amount"),
    ],
)
def test_a_bad_line_is_named_with_what_is_allowed(text, message):
    with pytest.raises(BadTicket, match=message):
        parse_ticket(text, SETTINGS)


def test_amounts_are_multiples_of_their_own_pool():
    settings = SuperfectaSettings(minimum_bets=(2, 3, 5))
    assert parse_ticket("$4 WIN D; $9 EXA D/C; $10 SFC D/C/H/S", settings).sum() == 23
    with pytest.raises(
        BadTicket, match="line 1: '4' is no amount for EXA; allowed are positive multiples of 3"
    ):
        parse_ticket("$4 EXA D/C", settings)


def test_a_line_says_its_type_and_horses():
    assert line_text(LINE_OF[D, C, H, S]) == "SFC D/C/H/S"
