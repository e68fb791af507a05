"""Odds of a rail: exact values, the JSON object, the tables, and that nothing heavy is loaded."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from fractions import Fraction

import pytest
from rich.console import Console

from railbird.console.odds import exact_odds, exact_prices, not_above, odds
from railbird.games.errors import InvalidSettings, UnknownName


def printed(game: str, rail: str, as_json: bool = False) -> str:
    out = io.StringIO()
    odds(game, rail, as_json, Console(file=out))
    return out.getvalue()


def test_json_has_every_line_with_its_exact_chance() -> None:
    shown = json.loads(printed("superfecta", "HHDDCS", as_json=True))
    assert [(pool, len(lines)) for pool, lines in shown.items()] == [
        ("win", 4),
        ("exacta", 12),
        ("superfecta", 24),
    ]
    assert list(shown["win"]) == ["H", "D", "C", "S"]
    assert list(shown["exacta"])[:3] == ["H/D", "H/C", "H/S"]
    assert list(shown["superfecta"])[-1] == "S/C/D/H"
    for lines in shown.values():
        for line in lines.values():
            assert list(line) == ["exact", "p"]
            assert float(Fraction(line["exact"])) == line["p"]
    # RULES §1: rail 2,2,1,1
    assert [round(line["p"], 4) for line in shown["win"].values()] == [0.1892, 0.1892, 0.3108, 0.3108]
    assert round(shown["superfecta"]["S/C/D/H"]["p"], 4) == 0.0665


def test_chances_of_a_rail_with_one_suit_are_simple_fractions() -> None:
    # All six rail cards are hearts: hearts cannot finish and the other three are alike.
    shown = json.loads(printed("superfecta", "HHHHHH", as_json=True))
    assert [line["exact"] for line in shown["win"].values()] == ["0/1", "1/3", "1/3", "1/3"]
    assert shown["exacta"]["D/C"] == {"exact": "1/6", "p": 1 / 6}
    assert shown["exacta"]["D/H"]["exact"] == "0/1"
    assert shown["superfecta"]["D/C/S/H"]["exact"] == "1/6"


@pytest.mark.parametrize("rail", ["HHDDCS", "hhddds", "S S S S S D"])
def test_the_chances_of_each_pool_add_up_to_one(rail: str) -> None:
    assert [sum(lines.values()) for lines in exact_odds("superfecta", rail).values()] == [1, 1, 1]


def test_the_text_lists_the_likeliest_first_and_marks_it() -> None:
    rows = [line.split() for line in printed("superfecta", "HHHHHH").splitlines()]
    first = rows.index(["Line", "Exact", "Chance"] * 3) + 1
    assert rows[first] == [
        "D",
        "1/3",
        "0.3333",
        "*",
        "D/C",
        "1/6",
        "0.1667",
        "*",
        "D/C/S/H",
        "1/6",
        "0.1667",
        "*",
    ]
    assert rows[first + 3][:4] == ["H", "0", "0.0000", "C/S"]


def test_text_through_a_pipe_has_no_control_codes_and_no_letters_where_signs_are_known() -> None:
    shown = printed("superfecta", "HHDDCS")
    assert "\x1b" not in shown
    assert shown.startswith("Superfecta · rail ♥♥ ♦♦ ♣ ♠\n")
    assert shown.count("/") >= 40  # a fraction each


def test_racing_aces_shows_the_published_odds_and_what_a_chip_is_worth() -> None:
    shown = json.loads(printed("racing-aces", "HHHDDCS", as_json=True))["win"]
    assert list(shown) == ["H", "D", "C", "S"]
    assert [horse["odds"] for horse in shown.values()] == ["5/1", "3/1", "2/1", "2/1"]  # RULES §4
    for horse in shown.values():
        assert list(horse) == ["exact", "p", "odds", "fair", "expectation"]
        net, chance = int(horse["odds"][0]), Fraction(horse["exact"])
        assert Fraction(horse["expectation"]["exact"]) == chance * (1 + net) - 1
        assert horse["expectation"]["value"] == float(Fraction(horse["expectation"]["exact"]))
        assert Fraction(horse["fair"]["exact"]) == 1 / chance - 1
    # RULES §4: of rail 3,2,1,1 the best suit shows 1 card, wins 0.359 and is worth +0.078
    assert round(shown["C"]["p"], 3) == 0.359
    assert round(shown["C"]["expectation"]["value"], 3) == 0.078
    text = printed("racing-aces", "HHHDDCS")
    assert text.startswith("Racing Aces · rail ♥♥♥ ♦♦ ♣ ♠\n")
    assert "♣       2/1  12480504229/160342694876  +0.077836" in text


@pytest.mark.parametrize(
    ("rail", "suit", "worth"),
    [("DDHHSSC", "C", 0.133), ("DDDSSHH", "C", 0.091), ("HHHHDDC", "S", 0.0004), ("HHHHDCS", "D", -0.020)],
)  # RULES §4: 2,2,2,1; 3,2,2,0; 4,2,1,0; 4,1,1,1
def test_the_best_suits_of_racing_aces_are_worth_what_the_rules_say(
    rail: str, suit: str, worth: float
) -> None:
    shown = json.loads(printed("racing-aces", rail, as_json=True))["win"]
    best = max(shown, key=lambda horse: shown[horse]["expectation"]["value"])
    assert best == suit
    assert shown[best]["expectation"]["value"] == pytest.approx(worth, abs=5e-4)


def test_horse_race_shows_fair_odds_and_the_highest_board_price_within_them() -> None:
    # Rail HHHHHH: hearts cannot come home, the others win 1/3 each, so 2/1 is fair and stands on the board.
    shown = json.loads(printed("horse-race", "HHHHHH", as_json=True))["win"]
    assert shown["D"] == {
        "exact": "1/3", "p": 1 / 3, "odds": "2/1", "fair": {"exact": "2/1", "value": 2.0},
        "expectation": {"exact": "0/1", "value": 0.0},
    }  # fmt: skip
    assert (shown["H"]["fair"], shown["H"]["odds"]) == (None, "150/1")
    assert shown["H"]["expectation"]["exact"] == "-1/1"
    # RULES §1: rail 2,2,1,1 wins 0.1892 and 0.3108: fair are 4.285 and 2.218, on the board stand 4/1 9/2 and
    # 2/1 9/4.
    even = json.loads(printed("horse-race", "HHDDCS", as_json=True))["win"]
    assert [horse["odds"] for horse in even.values()] == ["4/1", "4/1", "2/1", "2/1"]
    assert "never wins" in printed("horse-race", "HHHHHH")


def test_there_are_no_prices_without_a_bookmaker() -> None:
    with pytest.raises(InvalidSettings, match="no bookmaker sets odds in superfecta"):
        exact_prices("superfecta", "HHDDCS")


def test_scarnes_horses_and_the_bookmakers_are_priced_too() -> None:
    assert printed("scarne-horse-race", "HHDDCS") != printed("horse-race", "HHDDCS")
    assert printed("bookmaker", "HHDDCS") == printed("horse-race", "HHDDCS")


def test_a_horse_likelier_than_any_board_price_has_none() -> None:
    # The lowest price, 1/2, is fair at 2/3; no rail of the games has such a favourite.
    assert not_above(Fraction(1, 2)) == 0
    assert not_above(Fraction(499, 1000)) is None
    assert not_above(Fraction(3)) == not_above(Fraction(349, 100)) == 14  # 3/1, before 7/2


@pytest.mark.parametrize("game", ["pasteboard-derby", "save-the-bet"])
def test_games_with_nothing_on_show_say_so(game: str) -> None:
    with pytest.raises(InvalidSettings, match=f"{game} has nothing on show before the bets"):
        odds(game, "HHDD")


def test_an_encoding_without_suits_gets_letters() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    odds("superfecta", "HHDDCS", console=Console(file=out))
    out.seek(0)
    assert out.read().startswith("Superfecta - rail HH DD C S\n")


def test_bad_input_names_what_came_and_what_is_allowed() -> None:
    with pytest.raises(
        InvalidSettings, match="rail 'HHXDCS' has 'X'; allowed are 6 of the letters H, D, C, S"
    ):
        odds("superfecta", "HHXDCS")
    with pytest.raises(InvalidSettings, match="has 5 cards; this track lays 6"):
        odds("superfecta", "HHDCS")
    with pytest.raises(UnknownName, match="no game with odds 'superfekta'; did you mean 'superfecta'"):
        odds("superfekta", "HHDDCS")
    with pytest.raises(InvalidSettings, match="a rail with 5 or more of a suit is dealt again"):
        odds("racing-aces", "HHHHHDD")


def test_odds_load_nothing_heavy() -> None:
    code = (
        "import sys; from railbird.console.odds import odds; odds('superfecta', 'HHDDCS', as_json=True);"
        "odds('racing-aces', 'HHHDDCS'); odds('horse-race', 'HHDDCS');"
        "print(sorted({'numba', 'gymnasium', 'torch', 'duckdb', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr
