"""Scenes of a bookmaker's table: a race planned card by card, and tables that wait for quotes and bets.

Rail 2H 3H 2D 3D 2C 2S, so counts 2, 2, 1, 1. The stock brings two hearts and seven diamonds.
"""

from __future__ import annotations

import numpy as np
import pytest

from railbird.games.bookmaking.prices import parse_price
from railbird.games.bookmaking.scene import frames, rounds, scene
from railbird.games.cards import parse_card
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.horse_race.table import HorseRace, ScarneHorseRace
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces
from railbird.games.scene import Scene

RAIL = "2H 3H 2D 3D 2C 2S"
STOCK = "4H 4D 5D 6D 5H 7D 8D 9D 10D"
QUOTE = ("4/1", "9/2", "2/1", "9/4")


def cards(text: str) -> list[int]:
    return [parse_card(card) for card in text.split()]


def prices(*quote: str) -> list[int]:
    return [parse_price(price) for price in quote]


@pytest.fixture
def planned(monkeypatch) -> HorseRace:
    """Two players and the house after the planned race, 1 of 2, which diamonds win at 9/2.

    Seat 0 staked 30 on diamonds and 10 on clubs and got 30 + 30 · 9 / 2 = 165 for 40; seat 1 staked 20 on
    hearts. The house took 60 and paid 165.
    """
    game = HorseRace(HorseRaceSettings(seats=2, races=2), seed=1)
    game.start()
    state = game.state
    state.turn[0] = 2
    state.last_winner[0] = 1
    state.last_bank[0] = 2
    state.last_rail[0] = (2, 2, 1, 1)
    state.last_quotes[0] = prices(*QUOTE)
    state.last_stakes[0] = ((0, 30, 10, 0), (20, 0, 0, 0), (0, 0, 0, 0))
    state.last_payouts[0] = (165, 0, 0)
    state.profit[0] = (125, -20, -105)
    state.bankrolls[0] = (1_125, 980, -105)
    monkeypatch.setattr(game, "dealt", lambda lane: np.array(cards(f"{RAIL} {STOCK}"), np.int8))
    return game


def notes(shown: Scene) -> list[str]:
    assert shown.course is not None
    return [runner.note for runner in shown.course.runners]


def steps(shown: Scene) -> list[float]:
    assert shown.course is not None
    return [runner.steps for runner in shown.course.runners]


def column(shown: Scene, number: int, name: str) -> list[str]:
    grid = shown.grids[number]
    return [row[grid.columns.index(name)] for row in grid.rows]


def test_a_race_has_a_frame_before_the_first_stock_card_and_one_after_each(planned) -> None:
    assert frames(planned, 0) == 10
    assert rounds(planned, 0) == 1


def test_the_start_shows_the_rail_the_odds_and_the_win_chances(planned) -> None:
    shown = scene(planned, 0, 0)
    assert (shown.title, shown.subtitle) == ("Horse Race", "Race 1 of 2 · 0 of 42 stock cards dealt")
    assert shown.course is not None and shown.course.rail is not None
    assert list(shown.course.rail.cards) == cards(RAIL)
    # RULES §1: rail 2,2,1,1
    assert notes(shown) == ["18.92 % · 4/1", "18.92 % · 9/2", "31.08 % · 2/1", "31.08 % · 9/4"]
    # 0.189217 · 5 - 1, 0.189217 · 5.5 - 1, 0.310783 · 3 - 1, 0.310783 · 3.25 - 1
    assert column(shown, 0, "Per chip") == ["-0.0539", "+0.0407", "-0.0677", "+0.0100"]
    assert shown.note == "The bets are in, the race begins."


def test_stakes_lie_on_the_table_while_the_race_runs(planned) -> None:
    shown = scene(planned, 0, 5)
    assert steps(shown) == [2, 3, 0, 0]
    assert shown.note == "5♥ moves ♥ on to space 2."
    assert shown.grids[2].rows == (
        ("seat 0", "960", "$30 D; $10 C", "40", "", ""),  # 1,125 - 125 - 40
        ("seat 1", "980", "$20 H", "20", "", ""),
        ("seat 2", "0", "keeps the bank", "", "", ""),  # -105 + 105
    )
    assert [row[1] for row in shown.grids[1].rows] == [""] * 5  # nothing is settled


def test_the_last_frame_pays_the_winners_and_the_bank(planned) -> None:
    shown = scene(planned, 0, 9)
    assert shown.subtitle == "Race 1 of 2 · finished"
    assert shown.note == "10♦ brings ♦ home 1st."
    assert notes(shown) == ["4/1", "1st · 9/2", "2/1", "9/4"]
    assert column(shown, 0, "Finish") == ["beaten", "1st", "beaten", "beaten"]
    assert shown.grids[1].rows == (
        ("Winner", "♦"), ("Odds", "9/2"), ("Staked", "60"), ("Paid out", "165"), ("Bank's profit", "-105"),
    )  # fmt: skip
    assert shown.grids[2].rows == (
        ("seat 0", "1,125", "$30 D; $10 C", "40", "165", "+125"),
        ("seat 1", "980", "$20 H", "20", "0", "-20"),
        ("seat 2", "-105", "keeps the bank", "", "", "-105"),
    )


def test_before_the_quote_there_are_no_odds_and_the_last_result_is_in_sight(planned) -> None:
    shown = scene(planned, 0, None)
    assert shown.subtitle == "Race 2 of 2 · the bank quotes"
    assert shown.note == "♦ won race 1. The rail lies, the odds are to be quoted by seat 2."
    assert column(shown, 0, "Odds") == [""] * 4
    assert column(shown, 0, "Limit") == [""] * 4
    assert shown.grids[1].title == "The book of race 1"
    assert column(shown, 2, "Profit") == ["+125", "-20", "-105"]


def test_a_rotating_bank_shows_its_limits_and_closed_suits() -> None:
    game = HorseRace(HorseRaceSettings(seats=6, bank="rotate"), seed=1)
    game.start()
    quote = game.blank()
    quote[0, 0] = prices("3/1", "1/1", "150/1", "33/1")
    game.submit(quote)
    shown = scene(game, 0, None)
    assert shown.subtitle == "Race 1 of 12 · open for bets"
    # Five bettors share a bank of 1,000: 200 each. 3/1: 60 win 180, 70 would win 210. 1/1: 200. 150/1 and
    # 33/1: 10 would win 1,500 and 330.
    assert column(shown, 0, "Limit") == ["60", "200", "closed", "closed"]
    assert shown.note == "The odds are quoted by seat 0, bets are taken."


def test_a_refused_ticket_is_told_from_an_empty_one() -> None:
    game = HorseRace(HorseRaceSettings(seats=2, bankroll=10), seed=3)
    game.start()
    game.submit(game.blank())
    tickets = game.blank()
    tickets[0, 0, 0] = 20
    game.submit(tickets)
    assert column(scene(game, 0, 0), 2, "Bets") == [
        "refused: dearer than its chips", "no bet", "keeps the bank",
    ]  # fmt: skip


def test_racing_aces_shows_the_published_odds_and_the_stake_allowed() -> None:
    game = RacingAces(RacingAcesSettings(), seed=1)
    game.start()
    game.state.rail[0] = (3, 2, 1, 1)
    game.state.quotes[0] = prices("5/1", "3/1", "2/1", "2/1")
    shown = scene(game, 0, None)
    assert (shown.title, shown.subtitle) == ("Racing Aces", "Race 1 of 12 · open for bets")
    assert column(shown, 0, "Rail") == ["3", "2", "1", "1"]
    assert column(shown, 0, "Odds") == ["5/1", "3/1", "2/1", "2/1"]
    assert column(shown, 0, "Per chip")[2:] == ["+0.0778", "+0.0778"]  # RULES §4: +0.078
    assert column(shown, 0, "Limit") == ["1"] * 4
    assert shown.note == "The odds are published by the cards on the rail, bets are taken."


def test_scarnes_horses_are_home_after_six_cards() -> None:
    game = ScarneHorseRace(ScarneHorseRaceSettings(seats=1, races=1), seed=2)
    game.start()
    for _ in range(2):
        game.submit(game.blank())
    shown = scene(game, 0, frames(game, 0) - 1)
    assert shown.title == "Scarne's Horse Race"
    assert shown.course is not None and shown.course.length == 6
    assert sorted(steps(shown))[-1] == 6
    assert scene(game, 0, None).subtitle == "The game is over after 1 race"


def test_a_race_run_before_the_table_was_made_from_a_view_has_no_frames(planned) -> None:
    view = planned.view(0)
    again = HorseRace.from_view(planned.settings, view)
    assert frames(again, 0) == 0
    assert scene(again, 0, None).grids[1].rows[0] == ("Winner", "♦")
