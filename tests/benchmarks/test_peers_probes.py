"""The probes of our own games, and the clock all probes share."""

from __future__ import annotations

import time

import numpy as np
import pytest

from railbird.benchmarks.peers.probes import railbird_games, railbird_vector
from railbird.benchmarks.peers.probes.__main__ import measure, profile
from railbird.benchmarks.peers.probes.dice import FACES, throws
from railbird.games.save_the_bet.sets import set_of

HEARTS_2_5_9, SPADES_3 = [1, 4, 8], [41]  # card codes


def busy() -> float:
    """Seven decisions in about a millisecond of work."""
    began = time.process_time()
    while time.process_time() - began < 0.001:
        pass
    return 7.0


def test_the_clock_counts_whole_passes_for_as_long_as_it_was_told() -> None:
    found = measure(busy, 0.02)
    assert found["decisions"] % 7 == 0
    assert 0.02 <= found["processor"] < 0.05
    assert found["decisions"] / found["processor"] <= 7 / 0.001


def test_a_profile_names_the_function_that_takes_the_time_first() -> None:
    first = profile(busy, 0.02)[0]
    assert first["function"] in ("busy", "<built-in method time.process_time>")
    assert 0.3 < first["share"] <= 1


def test_dice_suit_any_number_of_choices_up_to_six() -> None:
    assert all(FACES % choices == 0 for choices in range(1, 7))
    dice = throws()
    assert {next(dice) for _ in range(2000)} == set(range(FACES))


def test_the_nth_card_of_a_set_counts_from_the_lowest() -> None:
    hand = set_of(HEARTS_2_5_9)
    assert [railbird_games.nth(hand, number) for number in range(3)] == [2, 16, 256]  # 2^1, 2^4, 2^8


def draw(turn: int, hand: list[int], bet: list[int], gamble: int, word: int) -> int:
    """The first seat's decision from one word."""
    decisions = np.zeros((1, 2, 1), np.uint64)
    hands = np.array([[set_of(hand), 0]], np.uint64)
    bets = np.array([[set_of(bet), 0]], np.uint64)
    words = np.array([[word, 0]], np.uint64)
    railbird_games.draw_cards(decisions, np.array([turn]), hands, bets, np.array([gamble], np.int8), words)
    return int(decisions[0, 0, 0])


@pytest.mark.parametrize(
    ("word", "bet"),
    [
        (0, [1]),  # the lowest card alone
        (1 << 4 | 1 << 41, [1, 4]),  # with the 5, whose bit is set; spades are another suit
        (0xFFF << 52, [41]),  # the last of four cards
    ],
)
def test_a_random_bet_is_a_card_and_others_of_its_suit(word: int, bet: list[int]) -> None:
    assert draw(0, HEARTS_2_5_9 + SPADES_3, [], -1, word) == set_of(bet)


@pytest.mark.parametrize(
    ("bet", "gamble", "word", "saved"),
    [
        ([41], 0, 0, [1]),  # the lowest heart for the ace of hearts
        ([41], 0, 0xFFF << 52, [8]),  # the highest of three
        ([41], 0, 1, []),  # an odd word saves nothing
        ([], 0, 0, []),  # who has not bet is not asked
        ([41], 13, 0, []),  # no diamond in hand
    ],
)
def test_a_random_save_has_the_gambles_suit(bet, gamble, word, saved) -> None:
    assert draw(1, HEARTS_2_5_9, bet, gamble, word) == set_of(saved)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("racing-aces", 48),  # a race a turn, one player
        ("racing-aces-six", 48 * 6),
        ("horse-race", 24 * (1 + 6)),  # the quote, then six tickets; 12 races cost less than 1,000 chips
    ],
)
def test_every_seat_that_is_asked_counts_and_games_start_again(name: str, asked: int) -> None:
    work = railbird_games.played(name)
    assert [work(), work()] == [asked * railbird_games.LANES] * 2


@pytest.mark.slow
def test_broke_players_do_not_count() -> None:
    made = railbird_games.played("superfecta")()
    assert 0 < made <= 48 * 6 * railbird_games.LANES


@pytest.mark.slow
def test_random_cards_are_legal_for_many_games() -> None:
    work = railbird_games.played("save-the-bet")  # an illegal bet or save raises
    assert all(work() > 48 * railbird_games.LANES for _ in range(5))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(railbird_vector.IDS))
def test_an_environments_step_is_a_decision_in_every_lane(name: str) -> None:
    assert railbird_vector.stepped(name, lanes=8)() == 64 * 8
