"""Scenes of a Superfecta race planned card by card.

Rail 2H 3H 2D 3D 2C 2S, so counts 2, 2, 1, 1. The stock brings seven diamonds, seven clubs, one more diamond
(ignored) and seven hearts: diamonds first, clubs second, hearts third, spades fourth by elimination.
"""

from __future__ import annotations

import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load
from railbird.games.scene import Grid, Scene, named, seat_text
from railbird.games.superfecta.scene import frames, scene
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta
from railbird.games.superfecta.tickets import parse_ticket

RAIL = "2H 3H 2D 3D 2C 2S"
STOCK = "4D 5D 6D 7D 8D 9D 10D 3C 4C 5C 6C 7C 8C 9C JD 4H 5H 6H 7H 8H 9H 10H"
TICKETS = ("$2 WIN D; $1 EXA D/C; $1 EXA C/D; $1 SFC D/C/H/S", "$1 WIN H; $1 WIN D")
D_C_H_S = 8  # orders that begin with H are 0-5, with D/H 6 and 7


def cards(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


@pytest.fixture
def planned(monkeypatch) -> Superfecta:
    """Two seats after the planned race, 1 of 2. WIN carried 1 chip and SFC 6 into it.

    WIN: 1 + 2 + 1 + 1 = 5 chips for two winners, 2 each and 1 left. EXA: 2 chips, all to seat 0.
    SFC: 6 + 1 = 7 chips, all to seat 0. Seat 0 paid 5 and got 2 + 2 + 7 = 11, seat 1 paid 2 and got 2.
    """
    game = Superfecta(SuperfectaSettings(seats=2, races=2), seed=1)
    game.start()
    state = game.state
    state.turn[0] = 1
    state.last_order[0] = D_C_H_S
    state.last_rail[0] = (2, 2, 1, 1)
    state.last_stakes[0] = [parse_ticket(ticket, game.settings) for ticket in TICKETS]
    state.last_pools[0] = (5, 2, 7)
    state.last_payouts[0] = (11, 2)
    state.profit[0] = (6, 0)
    state.bankrolls[0] = (99, 100)  # 93 before the race
    state.pools[0] = (1, 0, 0)
    monkeypatch.setattr(game, "dealt", lambda lane: np.array(cards(f"{RAIL} {STOCK}"), np.int8))
    return game


def grid(shown: Scene, number: int) -> Grid:
    return shown.grids[number]


def steps(shown: Scene) -> list[float]:
    assert shown.course is not None
    return [runner.steps for runner in shown.course.runners]


def notes(shown: Scene) -> list[str]:
    assert shown.course is not None
    return [runner.note for runner in shown.course.runners]


def test_a_race_has_a_frame_before_the_first_stock_card_and_one_after_each(planned) -> None:
    assert frames(planned, 0) == 23  # 22 stock cards


def test_frame_0_shows_the_rail_and_its_win_chances(planned) -> None:
    shown = scene(planned, 0, 0)
    assert shown.subtitle == "Race 1 of 2 · 0 of 42 stock cards dealt"
    assert shown.course is not None and shown.course.rail is not None
    assert list(shown.course.rail.cards) == cards(RAIL)
    assert steps(shown) == [0, 0, 0, 0]
    assert notes(shown) == ["18.92 %", "18.92 %", "31.08 %", "31.08 %"]  # RULES §1
    assert [row.cards for row in shown.cards] == [(), (None,)]


def test_the_tickets_lie_open_and_are_paid_for_while_the_race_runs(planned) -> None:
    assert grid(scene(planned, 0, 3), 3).rows == (
        ("seat 0", "88", TICKETS[0], "5", "", ""),  # 93 - 5
        ("seat 1", "98", TICKETS[1], "2", "", ""),
    )
    assert grid(scene(planned, 0, 3), 0).rows == (("WIN", "5"), ("EXA", "2"), ("SFC", "7"))


def test_a_card_moves_its_horse_one_space(planned) -> None:
    shown = scene(planned, 0, 3)
    assert steps(shown) == [0, 3, 0, 0]
    assert list(shown.cards[0].cards) == cards("4D 5D 6D")
    assert shown.cards[1].label == "Stock 39"
    assert shown.note == "6♦ moves ♦ on to space 3."


def test_the_seventh_card_brings_a_horse_home(planned) -> None:
    shown = scene(planned, 0, 7)
    assert shown.course is not None
    assert [runner.home for runner in shown.course.runners] == [False, True, False, False]
    assert notes(shown)[1] == "1st"
    assert shown.note == "10♦ brings ♦ home 1st."
    assert grid(shown, 1).title == "Chances to be 2nd"


def test_cards_of_a_finished_horse_are_ignored(planned) -> None:
    shown = scene(planned, 0, 15)
    assert steps(shown) == [0, 7, 7, 0]
    assert shown.note == "J♦ is ignored: ♦ is home already."


def test_the_chance_of_the_next_place_is_exact(planned) -> None:
    # Hearts have moved 6 and 10 - 6 = 4 of them are to come, of spades 11. Spades are third only if the first
    # seven of these 15 cards are spades: C(11, 7) / C(15, 7) = 330 / 6435 = 2/39.
    shown = scene(planned, 0, 21)
    assert grid(shown, 1) == Grid(
        "Chances to be 3rd",
        ("Horse", "Exact"),
        (("♥", "37/39"), ("♦", "1st"), ("♣", "2nd"), ("♠", "2/39")),
    )
    assert notes(shown) == ["94.87 %", "1st", "2nd", "5.13 %"]


def test_the_last_frame_settles_the_pools_and_pays(planned) -> None:
    shown = scene(planned, 0, 22)
    assert shown.subtitle == "Race 1 of 2 · finished"
    assert shown.note == "Order of finish ♦ ♣ ♥ ♠."
    assert notes(shown) == ["3rd", "1st", "2nd", "4th"]
    assert grid(shown, 2).rows == (
        ("WIN", "D", "2", "4", "1"),
        ("EXA", "D/C", "1", "2", "0"),
        ("SFC", "D/C/H/S", "1", "7", "0"),
    )
    assert grid(shown, 3).rows == (
        ("seat 0", "99", TICKETS[0], "5", "11", "+6"),
        ("seat 1", "100", TICKETS[1], "2", "2", "0"),
    )


def test_before_the_next_tickets_the_table_shows_what_is_carried_and_the_last_result(planned) -> None:
    shown = scene(planned, 0, None)
    assert shown.subtitle == "Race 2 of 2 · open for tickets"
    assert shown.note == "Race 1 finished ♦ ♣ ♥ ♠."
    assert grid(shown, 0) == Grid(
        "Pools carried over", ("Pool", "Chips"), (("WIN", "1"), ("EXA", "0"), ("SFC", "0"))
    )
    assert grid(shown, 2).title == "Result of race 1"
    assert grid(shown, 3).rows[0] == ("seat 0", "99", TICKETS[0], "5", "11", "+6")
    assert steps(shown) == [0, 0, 0, 0]
    assert shown.course is not None and shown.course.rail is not None
    assert shown.course.rail.cards == tuple(planned.state.rail_cards[0].tolist())


def test_the_game_over_tells_of_the_final_division(planned) -> None:
    planned.state.turn[0] = 2
    planned.state.over[0] = True
    shown = scene(planned, 0, None)
    assert shown.subtitle == "The game is over after 2 races"
    # 1 chip is left in WIN: 0 for each of two players, 1 for nobody
    assert shown.note.endswith("The pools' last chips (1) are divided: 0 to each player, 1 to nobody.")


def test_a_refused_ticket_and_an_empty_one_are_told_apart() -> None:
    game = Superfecta(SuperfectaSettings(seats=2, bankroll=10), seed=3)
    game.start()
    tickets = game.blank()
    tickets[0, 0, 0] = 11
    game.submit(tickets)
    assert [row[2] for row in grid(scene(game, 0, 0), 3).rows] == [
        "refused: dearer than its chips",
        "no wager",
    ]


def test_pro_rata_results_take_the_house_share_out_once() -> None:
    settings = SuperfectaSettings(seats=2, split="pro_rata", rate="1/5", breakage=1, minimum_bets=(1, 1, 1))
    game = Superfecta(settings, seed=3)
    game.start()
    tickets = game.blank()
    tickets[0, 0, :4] = 10  # WIN: 40 staked, 8 taken, net 32 for the 10 on the winner: 3 each, 30 in all
    game.submit(tickets)
    assert grid(scene(game, 0, frames(game, 0) - 1), 2).rows[0][2:] == ("1", "30", "2")


def test_a_lane_that_was_never_started_cannot_be_shown() -> None:
    game = Superfecta(SuperfectaSettings(seats=2), seed=1)
    with pytest.raises(InvalidSettings, match="has not been started"):
        scene(game, 0, None)
    game.start()
    with pytest.raises(InvalidSettings, match="nothing has been played to its end in lane 0 yet"):
        scene(game, 0, 0)
    assert frames(game, 0) == 0


def test_a_frame_that_is_not_there_is_refused(planned) -> None:
    with pytest.raises(InvalidSettings, match="frame is a whole number from 0 to 22, not 23"):
        scene(planned, 0, 23)


def test_names_take_the_place_of_seats() -> None:
    before = Scene(
        "t", "s", grids=(Grid("g", ("Player",), (("seat 1",), ("seat 11",))),), note="seat 0 leads."
    )
    names = list("abcdefghijkl")
    after = named(before, names)
    assert (after.grids[0].rows, after.note) == ((("b",), ("l",)), "a leads.")
    assert seat_text(11) == "seat 11"


def test_the_spec_hands_out_scenes_and_ticket_texts() -> None:
    spec = load("superfecta")
    stakes = spec.parse_decision("1 exa d/c; $2 win d", spec.make_settings(), 0)
    assert spec.decision_text(stakes, 0) == "$2 WIN D\n$1 EXA D/C"
    assert (spec.scene, spec.frames) == (scene, frames)
    assert [prompt.word for prompt in spec.prompts] == ["ticket"]
