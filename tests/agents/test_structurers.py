"""Patterns of tickets. Chances of rail 3,2,1,0: H 0.0928, D 0.1775, C 0.2926, S 0.4371 (RULES.md §1)."""

from typing import Any

import pytest

from railbird.agents.superfecta.structurers import Box, Carryover, Straight, Wheel
from railbird.games.errors import InvalidSettings
from railbird.games.superfecta.settings import SuperfectaSettings

TWO = SuperfectaSettings(seats=2)


def test_straight_names_the_likeliest_result_of_each_pool(look, ticket):
    # fewer cards shown are more cards to come: S before C before D before H
    assert ticket(Straight(TWO), look("HHHDDC")) == "$1 WIN S; $1 EXA S/C; $1 SFC S/C/D/H"


def test_straight_takes_the_first_of_equal_lines(look, ticket):
    # RULES.md §1: S/C/D/H and its symmetric twins are the likeliest, first in line order C/S/H/D
    assert ticket(Straight(TWO), look("HHDDCS")) == "$1 WIN C; $1 EXA C/S; $1 SFC C/S/H/D"


def test_box_of_two_has_both_exactas_and_the_four_orders_they_lead(look, ticket):
    assert ticket(Box(TWO), look("HHHDDC")) == (
        "$1 EXA C/S; $1 EXA S/C; $1 SFC C/S/H/D; $1 SFC C/S/D/H; $1 SFC S/C/H/D; $1 SFC S/C/D/H"
    )


@pytest.mark.parametrize(("horses", "exactas", "superfectas"), [(2, 2, 4), (3, 6, 6), (4, 12, 24)])
def test_box_buys_all_arrangements_of_its_horses(look, ticket, horses, exactas, superfectas):
    written = ticket(Box(TWO, horses=horses), look("HHHDDC"))
    # k(k-1) exactas; orders whose first two, three or four are the horses: 2!·2!, 3!, 4!
    assert (written.count("EXA"), written.count("SFC")) == (exactas, superfectas)
    exacta_horses = set("".join(wager[7:] for wager in written.split("; ") if "EXA" in wager))
    assert exacta_horses - {"/"} == set("SCDH"[:horses])


def test_box_short_of_chips_buys_the_likeliest_lines(look, ticket):
    # S/C is likelier than C/S, and both than any full order
    assert ticket(Box(TWO), look("HHHDDC", bankrolls=(1, 100))) == "$1 EXA S/C"
    assert ticket(Box(TWO), look("HHHDDC", bankrolls=(3, 100))) == "$1 EXA C/S; $1 EXA S/C; $1 SFC S/C/D/H"


def test_wheel_keys_the_favourite_before_all_others(look, ticket):
    assert ticket(Wheel(TWO), look("HHHDDC")) == (
        "$1 EXA S/H; $1 EXA S/D; $1 EXA S/C; "
        "$1 SFC S/H/D/C; $1 SFC S/H/C/D; $1 SFC S/D/H/C; $1 SFC S/D/C/H; $1 SFC S/C/H/D; $1 SFC S/C/D/H"
    )


def test_wheel_can_key_another_horse(look, ticket):
    assert ticket(Wheel(TWO, key=2), look("HHHDDC")).startswith(
        "$1 EXA C/H; $1 EXA C/D; $1 EXA C/S; $1 SFC C/"
    )
    assert ticket(Wheel(TWO, key=4), look("HHHHHH")) == ""  # hearts cannot win


def test_carryover_covers_a_pool_that_pays_although_the_winner_is_shared(look, ticket):
    # EXA: (13 + 12) / 2 = 12.5 > 12 for 12 lines; SFC: (20 + 24) / 2 = 22 < 24
    written = ticket(Carryover(TWO), look("HHDDCS", pools=(90, 13, 20)))
    assert (written.count("WIN"), written.count("EXA"), written.count("SFC")) == (0, 12, 0)
    assert ticket(Carryover(TWO), look("HHDDCS", pools=(90, 12, 24))) == ""  # 12 and 24: no profit


def test_carryover_leaves_out_what_cannot_win(look, ticket):
    # hearts are last for certain: 6 exactas among D, C, S; (7 + 6) / 2 = 6.5 > 6
    assert ticket(Carryover(TWO), look("HHHHHH", pools=(0, 7, 0))) == (
        "$1 EXA D/C; $1 EXA D/S; $1 EXA C/D; $1 EXA C/S; $1 EXA S/D; $1 EXA S/C"
    )


def test_carryover_covers_the_better_pool_when_it_cannot_pay_both(look, ticket):
    # gains: EXA (20 + 12) / 2 - 12 = 4, SFC (60 + 24) / 2 - 24 = 18; both cost 36
    rich, poor, poorest = (look("HHDDCS", pools=(0, 20, 60), bankrolls=(chips, 0)) for chips in (36, 35, 23))
    assert [ticket(Carryover(TWO), rich).count(pool) for pool in ("EXA", "SFC")] == [12, 24]
    assert [ticket(Carryover(TWO), poor).count(pool) for pool in ("EXA", "SFC")] == [0, 24]
    assert [ticket(Carryover(TWO), poorest).count(pool) for pool in ("EXA", "SFC")] == [12, 0]


def test_carryover_reckons_with_as_many_rivals_as_it_is_told(look, ticket):
    view = look("HHDDCS", pools=(0, 24, 0))
    assert ticket(Carryover(TWO, rivals=1), view).count("EXA") == 12  # (24 + 12) / 2 = 18 > 12
    assert ticket(Carryover(TWO, rivals=2), view) == ""  # (24 + 12) / 3 = 12


def test_carryover_counts_what_takeout_leaves_of_its_own_money(look, ticket):
    rules: dict[str, Any] = {"seats": 2, "split": "pro_rata", "minimum_bets": (1, 1, 1), "rate": 0.5}
    taxed = SuperfectaSettings(**rules)
    assert ticket(Carryover(taxed), look(pools=(0, 18, 0))) == ""  # (18 + 12 / 2) / 2 = 12
    assert ticket(Carryover(taxed), look(pools=(0, 19, 0))).count("EXA") == 12


@pytest.mark.parametrize(
    ("made", "options"),
    [(Box, {"horses": 5}), (Box, {"horses": 1}), (Wheel, {"key": 0}), (Carryover, {"rivals": -1})],
)
def test_options_out_of_range_are_refused(made, options):
    with pytest.raises(InvalidSettings, match=f"{next(iter(options))} is a whole number from"):
        made(TWO, **options)
