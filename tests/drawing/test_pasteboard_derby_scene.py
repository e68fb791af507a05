"""Scenes of Pasteboard Derby: a race planned card by card, with a run-off, at affinity.

Cards go to hearts, diamonds, spades, clubs. A card of the horse's own suit moves it 3, of its colour 2, of
the other 1; all start at 1 and the line is passed at 8.

    round 1   2H 3D 2C 3H   H 1+3=4  D 1+3=4  S 1+2=3  C 1+1=2
    round 2   4H 5D 4C 5H   H 7      D 7      S 5      C 3
    round 3   6D 6H 2S 7H   H 9      D 9      S 8      C 4      hearts and diamonds run off
    run-off   2D 3C         H 11     D 10                       hearts are first
"""

from __future__ import annotations

import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.pasteboard_derby.progress import moments
from railbird.games.pasteboard_derby.race import steps_of
from railbird.games.pasteboard_derby.scene import frames, rounds, scene
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.state import RaceRecord
from railbird.games.pasteboard_derby.table import PasteboardDerby
from railbird.games.scene import Scene

HEARTS, DIAMONDS, CLUBS, SPADES = range(4)
ROUND = "HDSC"
TRACK = "KH KD KC KS QH QD QC"
DEALT = "2H 3D 2C 3H 4H 5D 4C 5H 6D 6H 2S 7H 2D 3C"
HORSES = ROUND * 3 + "HD"


def cards(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


def record(dealt: str, horses: str) -> RaceRecord:
    to = np.array(["HDCS".index(horse) for horse in horses], np.int8)
    codes = np.array(cards(dealt), np.int8)
    return RaceRecord(np.array(cards(TRACK), np.int8), codes, to, steps_of("affinity")[to, codes])


@pytest.fixture
def planned(monkeypatch) -> PasteboardDerby:
    """Four players after the planned race, 1 of 2. Seats 0 and 3 named hearts, seat 1 diamonds, seat 2 clubs.

    1 chip was carried and 4 · 2 were paid: 9, so 4 each and 1 stays.
    """
    game = PasteboardDerby(PasteboardDerbySettings(seats=4, races=2), seed=1)
    game.start()
    state = game.state
    state.turn[0] = 1
    state.dealt_race[0] = 0
    state.last_winner[0] = HEARTS
    state.last_named[0] = (1, 2, 3, 1)
    state.tally[0, (0, 1, 2, 3), (0, 1, 2, 0)] = 1
    state.last_bank[0] = 9
    state.last_payouts[0] = (4, 0, 0, 4)
    state.profit[0] = (2, -2, -2, 2)
    state.bankrolls[0] = (102, 98, 98, 102)
    state.bank[0] = 1
    monkeypatch.setattr(game, "record", lambda lane: record(DEALT, HORSES))
    return game


def lanes(shown: Scene) -> list[tuple[int, float, str]]:
    assert shown.course is not None
    return [(runner.suit, runner.steps, runner.note) for runner in shown.course.runners]


def track(shown: Scene) -> tuple[int | None, ...]:
    assert shown.course is not None and shown.course.rail is not None
    return shown.course.rail.cards


def test_horses_start_in_a_column_under_the_first_track_card(planned) -> None:
    shown = scene(planned, 0, 0)
    assert shown.course is not None and shown.course.rail is not None
    assert (shown.course.rail_at, shown.course.length) == (0, 7)
    assert lanes(shown) == [
        (suit, 0, "at 1") for suit in (HEARTS, DIAMONDS, SPADES, CLUBS)
    ]  # RULES §5: hearts, diamonds, spades, clubs
    assert shown.subtitle == "Race 1 of 2 · round 1"


def test_the_track_lies_face_down_until_the_race_is_over(planned) -> None:
    assert frames(planned, 0) == 15
    tracks = [track(scene(planned, 0, frame)) for frame in (*range(15), None)]
    assert set(tracks[:14]) == {(None,) * 7}
    assert list(tracks[14]) == cards(TRACK)
    assert tracks[15] == (None,) * 7  # the next track


def test_a_card_moves_the_horse_it_is_dealt_to(planned) -> None:
    shown = scene(planned, 0, 7)
    assert lanes(shown) == [
        (HEARTS, 6, "at 7"), (DIAMONDS, 6, "at 7"), (SPADES, 4, "at 5"), (CLUBS, 1, "at 2"),
    ]  # fmt: skip
    assert (shown.subtitle, shown.note) == ("Race 1 of 2 · round 2", "4♣ moves ♠ 2 spaces, to 5.")
    assert [row.label for row in shown.cards] == ["Dealt", "Stock 34"]  # 41 - 7
    assert list(shown.cards[0].cards) == cards("3H 4H 5D 4C")


def test_horses_level_in_front_run_off(planned) -> None:
    shown = scene(planned, 0, 12)
    assert shown.subtitle == "Race 1 of 2 · run-off, round 1"
    assert shown.note == "7♥ moves ♣ 1 space, to 4. ♥ and ♦ are level and run off."
    assert [note for _, _, note in lanes(shown)] == ["at 9, runs off", "at 9, runs off", "at 8", "at 4"]


def test_the_last_frame_tells_the_winner_and_pays(planned) -> None:
    shown = scene(planned, 0, 14)
    assert shown.subtitle == "Race 1 of 2 · finished"
    assert shown.note == "♥ won race 1. seat 0 and seat 3 named it."
    assert [note for _, _, note in lanes(shown)] == ["1st, at 11", "at 10", "at 8", "at 4"]
    assert shown.grids[0].rows == (("Carried", "1"), ("4 × 2", "8"), ("To be won", "9"), ("Stays", "1"))
    assert shown.grids[2].rows[0][:6] == ("seat 0", "102", "♥", "2", "4", "+2")
    assert shown.grids[2].rows[1][:6] == ("seat 1", "98", "♦", "2", "0", "-2")


def test_antes_are_paid_and_horses_known_while_the_race_runs(planned) -> None:
    shown = scene(planned, 0, 3)
    assert shown.grids[0].rows[3] == ("Stays", "")
    assert shown.grids[1].rows == (
        ("♥", "4", "2", "2"), ("♦", "4", "1", "1"), ("♠", "3", "0", "0"), ("♣", "1", "1", "1"),
    )  # fmt: skip
    assert shown.grids[2].rows[0] == ("seat 0", "98", "♥", "2", "", "", "1", "0", "0", "0")  # 102 - 2 - 2


def test_before_the_next_race_the_bank_and_the_habits_are_shown(planned) -> None:
    shown = scene(planned, 0, None)
    assert rounds(planned, 0) == 1
    assert shown.subtitle == "Race 2 of 2 · horses are named"
    assert shown.note == "♥ won race 1. The ante is 2 chips, 9 can be won, only the first pays."  # 1 + 4 · 2
    assert shown.grids[0].rows == (("Carried", "1"), ("4 × 2", "8"), ("To be won", "9"), ("Stays", ""))
    assert shown.grids[2].rows[3] == ("seat 3", "102", "♥", "2", "4", "+2", "1", "0", "0", "0")


def test_the_final_division_is_told(planned) -> None:
    planned.state.turn[0] = 2
    planned.state.over[0] = True
    shown = scene(planned, 0, None)
    assert shown.subtitle == "The game is over after 2 races"
    # 9 - 8 = 1 chip for four players
    assert shown.note.endswith("The bank's last chips (1) are divided: 0 to each player, 1 to nobody.")


def test_a_seat_that_sits_out_is_told(planned) -> None:
    planned.state.last_named[0, 2] = 0
    assert scene(planned, 0, 14).grids[2].rows[2][2:4] == ("sat out", "0")


def long_run_off(rounds: int) -> RaceRecord:
    """The planned race, whose run-off leaves hearts and diamonds level so many times: 2 spaces each."""
    dealt = " ".join(DEALT.split()[:12]) + " 2D 2H" * rounds
    return record(dealt, HORSES[:12] + "HD" * rounds)


def test_a_run_off_that_leaves_horses_level_goes_on() -> None:
    story = moments(long_run_off(2), 1)
    assert [story[place].stage for place in (12, 14, 16)] == [f"run-off, round {n}" for n in (1, 2, 3)]
    assert story[16].level == (HEARTS, DIAMONDS)
    assert story[16].positions == (13, 13, 4, 8)  # 9 + 2 · 2


def test_dealt_cards_become_a_new_stock_when_it_has_run_out(planned, monkeypatch) -> None:
    monkeypatch.setattr(planned, "record", lambda lane: long_run_off(15))  # 12 + 30 = 42 cards
    assert [scene(planned, 0, frame).cards[1].label for frame in (40, 41, 42)] == [
        "Stock 1", "Stock 0", "Stock 40",
    ]  # fmt: skip


def test_the_loser_of_a_run_off_is_second() -> None:
    last = moments(record(DEALT, HORSES), 2)[-1]
    assert last.placed == (HEARTS, DIAMONDS)


def test_others_race_on_for_second_and_the_winner_takes_no_card() -> None:
    """H passes alone in round 3; D, S, C race on; D and C pass level in round 5 and run off.

    round 1  2H 2S 3H 4H   H 4   D 2   S 2   C 2
    round 2  5H 3S 6H 7H   H 7   D 3   S 3   C 3
    round 3  8H 4S 9H 10H  H 10  D 4   S 4   C 4   hearts are first
    round 4     2D 4C 2C         D 7   S 6   C 7
    round 5     3D 5C 3C         D 10  S 8   C 10  diamonds and clubs run off for second
    run-off     4D    5S         D 13        C 12
    """
    dealt = "2H 2S 3H 4H 5H 3S 6H 7H 8H 4S 9H 10H 2D 4C 2C 3D 5C 3C 4D 5S"
    story = moments(record(dealt, ROUND * 3 + "DSC" * 2 + "DC"), 2)
    assert story[-1].placed == (HEARTS, DIAMONDS)
    assert (story[12].placed, story[12].running) == ((HEARTS,), (DIAMONDS, CLUBS, SPADES))
    assert story[12].stage == "round 1 for second place"
    assert story[18].level == (DIAMONDS, CLUBS)
    assert story[18].stage == "run-off, round 1"


@pytest.mark.parametrize(("places", "advance"), [(1, "affinity"), (2, "affinity"), (2, "pips")])
def test_races_are_told_as_they_were_run(places: int, advance: str) -> None:
    game = PasteboardDerby(PasteboardDerbySettings(places=places, advance=advance), seed=5, lanes=40)
    game.start()
    game.submit(game.fallback())
    for lane in range(40):
        story = moments(game.record(lane), places)
        placed = (int(game.state.last_winner[lane]), int(game.state.last_second[lane]))[:places]
        assert story[-1].placed == placed
        assert all(len(moment.placed) < places for moment in story[:-1])
        assert [list(moment.positions) for moment in story] == game.record(lane).positions.tolist()
