"""Scenes as text, compared with text written by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from railbird.drawing import scene_text
from railbird.games.cards import parse_card
from railbird.games.errors import InvalidSettings
from railbird.games.scene import CardRow, Course, Grid, Runner, Scene, named

SCENE = Scene(
    "Superfecta",
    "Race 1 of 2",
    cards=(CardRow("Dealt", (parse_card("10D"), parse_card("AS"))), CardRow("Stock 40", (None,))),
    course=Course(
        3,
        (Runner(0, 1, "25.00 %"), Runner(1, 3, "1st", home=True), Runner(2, 2.5), Runner(3, 0)),
        rail=CardRow("Rail", (parse_card("KC"), parse_card("2H"))),
    ),
    grids=(
        Grid("Pools", ("Pool", "Chips"), (("WIN", "3"), ("EXA", "1,000"))),
        Grid("Players", ("Player", "Ticket", "Cost"), (("seat 0", "$1 WIN D", "1"),), left=(0, 1)),
    ),
    note="10♦ brings ♦ home 1st.",
)

SYMBOLS = """\
Superfecta · Race 1 of 2
10♦ brings ♦ home 1st.
Dealt: 10♦ A♠   Stock 40: ##

Rail       K♣   2♥   ║
♥     ·    A♥   ·    ║ ·   25.00 %
♦     ·    ·    ·    ║ A♦  1st
♣     ·    ·    A♣   ║ ·
♠     A♠   ·    ·    ║ ·

Pools         Players
Pool  Chips   Player  Ticket    Cost
WIN       3   seat 0  $1 WIN D     1
EXA   1,000"""

LETTERS = """\
Superfecta - Race 1 of 2
10D brings D home 1st.
Dealt: 10D AS   Stock 40: ##

Rail       KC   2H   |
H     -    AH   -    | -   25.00 %
D     -    -    -    | AD  1st
C     -    -    AC   | -
S     AS   -    -    | -

Pools         Players
Pool  Chips   Player  Ticket    Cost
WIN       3   seat 0  $1 WIN D     1
EXA   1,000"""


def test_a_scene_as_text() -> None:
    assert scene_text(SCENE) == SYMBOLS


def test_without_symbols_all_is_ascii() -> None:
    assert scene_text(SCENE, symbols=False) == LETTERS
    assert scene_text(SCENE, symbols=False).isascii()


def test_colour_makes_red_suits_red_and_titles_bold_and_changes_nothing_else() -> None:
    colored = scene_text(SCENE, color=True)
    assert "\x1b[1mPools\x1b[22m" in colored
    assert "\x1b[31m10♦\x1b[39m A♠" in colored
    assert "\x1b[31m2♥\x1b[39m" in colored
    for code in ("\x1b[1m", "\x1b[22m", "\x1b[31m", "\x1b[39m"):
        colored = colored.replace(code, "")
    assert colored == SYMBOLS


def test_grids_that_do_not_fit_side_by_side_stand_below_each_other() -> None:
    wide = replace(SCENE, course=None, cards=(), note="", grids=(SCENE.grids[1],) * 2)
    # a grid is 6 + 2 + 8 + 2 + 4 = 22 columns, two of them and the gap 47
    assert scene_text(wide, width=47).count("\nPlayers\n") == 0
    assert scene_text(wide, width=46).count("\nPlayers\n") == 2


def test_a_long_ticket_is_broken_between_its_wagers() -> None:
    ticket = "$1 SFC D/C/H/S; $1 SFC D/C/S/H; $1 SFC C/D/H/S"
    grid = Grid("Players", ("Player", "Ticket", "Cost"), (("you", ticket, "3"),), left=(0, 1))
    assert scene_text(Scene("t", "s", grids=(grid,)), width=48) == (
        "t · s\n"
        "\n"
        "Players\n"
        "Player  Ticket                              Cost\n"  # 48 - 6 - 4 - 2 * 2 = 34 columns for the ticket
        "you     $1 SFC D/C/H/S; $1 SFC D/C/S/H;        3\n"
        "        $1 SFC C/D/H/S"
    )


def test_rows_of_cards_too_long_for_a_line_stand_on_their_own() -> None:
    hand = CardRow("Hand", (9,) * 12)  # "Hand:" and twelve "10♥": 5 + 12 * 4 = 53 columns
    text = scene_text(Scene("t", "s", cards=(hand, CardRow("Bet", (None,)))), width=53)
    assert text == f"t · s\nHand:{' 10♥' * 12}\nBet: ##"


def test_a_course_shows_the_spaces_beyond_its_line_and_cards_from_the_start() -> None:
    rail = CardRow("Track", (None, parse_card("2H")))
    runners = (Runner(0, 0, "at 1"), Runner(1, 3, "at 4"), Runner(3, 9, "at 10"))
    course = Course(2, runners, rail, rail_at=0, beyond=2)
    assert scene_text(Scene("t", "s", course=course)) == (
        "t · s\n"
        "\n"
        "Track ##   2♥   ║\n"
        "♥     A♥   ·    ║ ·  ·    ·     at 1\n"
        "♦     ·    ·    ║ ·  A♦   ·     at 4\n"
        "♠     ·    ·    ║ ·  ·    A♠    at 10"  # farther than there is to see
    )


def test_cards_on_the_table_stand_line_by_line() -> None:
    lines = (
        (CardRow("seat 1 · 2 in hand", (None, None)),),
        (CardRow("Gamble", (parse_card("9D"),)), CardRow("seat 0 bet", ())),
    )
    shown = named(Scene("t", "s", table=lines), ["you", "box"])
    assert scene_text(shown) == "t · s\n\nbox · 2 in hand: ## ##\nGamble: 9♦   you bet:"


def test_a_grid_without_column_names_has_no_line_for_them() -> None:
    grid = Grid("Book", ("", ""), (("Staked", "60"), ("Paid out", "165")))
    assert scene_text(Scene("t", "s", grids=(grid,))) == "t · s\n\nBook\nStaked     60\nPaid out  165"


def test_a_wide_grid_stands_on_a_line_of_its_own() -> None:
    grids = (Grid("a", ("x",), ()), Grid("b", ("x",), (), wide=True), Grid("c", ("x",), ()))
    assert scene_text(Scene("t", "s", grids=grids)) == "t · s\n\na\nx\n\nb\nx\n\nc\nx"
    narrow = tuple(replace(grid, wide=False) for grid in grids)
    assert scene_text(Scene("t", "s", grids=narrow)) == "t · s\n\na   b   c\nx   x   x"


def test_a_width_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidSettings, match="width is a whole number from 40 to 1,000, not 39"):
        scene_text(SCENE, width=39)
