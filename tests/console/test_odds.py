"""Odds of a rail: exact values, the JSON object, the tables, and that nothing heavy is loaded."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from fractions import Fraction

import pytest
from rich.console import Console

from railbird.console.odds import exact_odds, odds
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


def test_odds_load_nothing_heavy() -> None:
    code = (
        "import sys; from railbird.console.odds import odds; odds('superfecta', 'HHDDCS', as_json=True);"
        "print(sorted({'numba', 'gymnasium', 'torch', 'duckdb', 'PIL'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stderr
