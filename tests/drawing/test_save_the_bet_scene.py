"""Scenes of Save The Bet: who sees which cards, and turns laid out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.save_the_bet.bets import parse_bet
from railbird.games.save_the_bet.scene import frames, rounds, scene
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet
from railbird.games.scene import Scene

HAND_0, HAND_1 = "2H 5H 9C 10C JD QS", "3S KS AD 7C 8C 4H"


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(parse_card(card) for card in text.split()))


def mask(text: str) -> int:
    return sum(1 << card for card in cards(text))


def dealt(**settings: Any) -> SaveTheBet:
    """A table with these two hands; the other 39 cards are the stack."""
    game = SaveTheBet(SaveTheBetSettings(**settings), seed=1)
    game.start()
    lay(game, HAND_0, HAND_1)
    return game


def lay(game: SaveTheBet, hand_0: str, hand_1: str) -> None:
    game.state.hands[0] = (mask(hand_0), mask(hand_1))
    game.state.stack[0] = game.settings.deck & ~mask(f"{hand_0} {hand_1}")


def play(game: SaveTheBet, bets: tuple[str, str], gamble: str, saves: tuple[str, str] = ("-", "-")) -> None:
    """A whole turn in which that card is the gamble."""
    bet(game, bets, gamble)
    game.submit(decisions(game, saves))
    game.check()


def bet(game: SaveTheBet, bets: tuple[str, str], gamble: str) -> None:
    game.submit(decisions(game, bets))
    state, turned = game.state, parse_card(gamble)
    state.stack[0] |= np.uint64(1 << int(state.gamble[0]))  # the card that came up goes back
    state.stack[0] &= ~np.uint64(1 << turned)
    state.gamble[0] = turned


def decisions(game: SaveTheBet, texts: tuple[str, str]) -> np.ndarray:
    return np.array([[parse_bet(text, game.settings) for text in texts]], np.uint64)


def rows(shown: Scene) -> dict[str, tuple[int | None, ...]]:
    return {row.label: row.cards for line in shown.table for row in line}


def test_a_seat_sees_its_own_hand_below_and_the_others_face_down_above() -> None:
    shown = scene(dealt(), 0, None, 1)
    assert [line[0].label for line in shown.table] == ["seat 0 · 6 in hand", "Stack 39", "seat 1 · 6 in hand"]
    assert rows(shown)["seat 0 · 6 in hand"] == (None,) * 6
    assert rows(shown)["seat 1 · 6 in hand"] == cards(HAND_1)
    assert shown.subtitle == "Turn 1 of at most 200 · both bet"


def test_a_spectator_sees_no_hand_before_the_end() -> None:
    shown = scene(dealt(), 0, None)
    assert rows(shown)["seat 0 · 6 in hand"] == rows(shown)["seat 1 · 6 in hand"] == (None,) * 6


def test_a_bet_lies_face_down_for_the_other() -> None:
    game = dealt()
    bet(game, ("5H 2H", "KS"), "9D")
    own, others = rows(scene(game, 0, None, 0)), rows(scene(game, 0, None, 1))
    assert own["seat 0 bet"] == cards("2H 5H") and own["seat 1 bet"] == (None,)
    assert others["seat 0 bet"] == (None, None) and others["seat 1 bet"] == cards("KS")
    assert own["Gamble"] == others["Gamble"] == cards("9D")
    shown = scene(game, 0, None, 0)
    assert shown.subtitle == "Turn 1 of at most 200 · the gamble is up, saves are asked"
    assert shown.note == "The gamble is 9♦, worth 9. A card of its suit may be saved."


def test_a_blank_is_told_and_the_cards_change_hands_openly() -> None:
    """RULES §6: bets {5♥} and {K♠, 3♠}, gamble 9♦: the first receives K♠ 3♠, the second 5♥, 9♦ goes back."""
    game = dealt()
    play(game, ("5H", "KS 3S"), "9D")
    assert frames(game, 0) == 4 and rounds(game, 0) == 1
    told = scene(game, 0, 3)
    assert told.note == "Blank: each took what the other had bet and saved, the gamble went back."
    assert told.grids[0].rows == (
        ("seat 0", "7 of 26", "5♥", "–", "5", "lost", "+1"),
        ("seat 1", "5 of 26", "3♠ K♠", "–", "4", "lost", "-1"),  # 3 + 1
    )
    after = scene(game, 0, None, 1)
    assert rows(after)["seat 0 · 7 in hand"] == (*cards("3S KS"), *(None,) * 5)
    assert after.grids[1].rows == (
        ("seat 0, in hand", "3♠ K♠"), ("seat 1, in hand", "5♥"), ("in the stack", "9♦"),
    )  # fmt: skip


def test_public_cards_are_not_placed_while_a_bet_lies_face_down() -> None:
    game = dealt()
    play(game, ("5H", "KS 3S"), "9D")
    bet(game, ("KS", "7C"), "10H")
    shown = scene(game, 0, None, 1)
    assert rows(shown)["seat 0 · 6 in hand"] == (None,) * 6  # K♠ may be in hand or bet
    assert shown.grids[1].rows[0] == ("seat 0, in hand or bet", "3♠ K♠")


def test_a_save_is_added_and_shown_before_the_reveal() -> None:
    """RULES §6: bet 4♦, gamble 10♣, save 6♣: 4 + 6 = 10, won by value. The other's 8 + 3 = 11 is lost."""
    game = dealt()
    lay(game, "4D 6C 2S", "8H 3C")
    play(game, ("4D", "8H"), "10C", ("6C", "3C"))
    told = [scene(game, 0, frame, None) for frame in range(4)]
    assert [shown.note for shown in told] == [
        "Bet face down: 1 card by seat 0 and 1 card by seat 1.",
        "The gamble is 10♣, worth 10.",
        "Saved: 6♣ by seat 0 and 3♣ by seat 1.",
        "seat 0 won by value and took 5 cards.",
    ]
    assert [rows(shown)["Gamble"] for shown in told] == [(), *(cards("10C"),) * 3]
    assert [rows(shown)["seat 0 bet"] for shown in told] == [(None,)] * 3 + [cards("4D")]
    saved = [[row.cards for row in shown.table[1] if row.label == "saved"] for shown in told]
    assert saved == [[], [], [cards("6C"), cards("3C")], [cards("6C"), cards("3C")]]
    assert [row[1] for row in told[2].grids[0].rows] == ["3 of 26", "2 of 26"]
    assert told[3].grids[0].rows == (
        ("seat 0", "6 of 26", "4♦", "6♣", "4 + 6 = 10", "won by value", "+3"),  # 5 taken, 2 put in
        ("seat 1", "0 of 26", "8♥", "3♣", "8 + 3 = 11", "lost", "-2"),
    )
    # 51 - 3 - 2 cards are in the stack until the gamble is turned up
    assert [shown.table[1][0].label for shown in told] == ["Stack 46", *["Stack 45"] * 3]


def test_the_frames_show_a_seat_its_own_hand_as_it_was() -> None:
    game = dealt()
    play(game, ("5H 2H", "8C"), "7D", ("JD", "AD"))
    # 5 + 2 + 1 = 8, 8 + 1 = 9: a blank
    hands = [rows(scene(game, 0, frame, 0)) for frame in range(4)]
    assert hands[1]["seat 0 · 4 in hand"] == cards("9C 10C JD QS")
    assert hands[2]["seat 0 · 3 in hand"] == cards("9C 10C QS")
    assert hands[0]["seat 0 bet"] == cards("2H 5H")
    assert hands[2]["seat 1 bet"] == (None,) and hands[3]["seat 1 bet"] == cards("8C")
    assert hands[3]["seat 1 · 4 in hand"] == (None,) * 4


@pytest.mark.parametrize(
    ("bets", "gamble", "note"),
    [
        (("KS", "AD"), "9S", "seat 0 won by suit and took 3 cards."),  # RULES §6
        (("7S", "JC"), "AD", "seat 1 won by value and took 3 cards."),  # RULES §6: 1 = 1
        (("3C 4C", "9S"), "7C", "seat 0 won by suit and value and took 4 cards."),
        (("5H 2H", "8C"), "7C", "Both bets were won: each took back its own, the gamble went back."),
    ],
)
def test_how_a_turn_was_won(bets: tuple[str, str], gamble: str, note: str) -> None:
    game = dealt()
    lay(game, f"{bets[0]} QD", f"{bets[1]} QH")
    play(game, bets, gamble)
    assert scene(game, 0, 3).note == note


def test_by_value_alone_a_suit_wins_nothing() -> None:
    game = dealt(wins_by="value")
    play(game, ("QS", "AD"), "9S")
    assert [row[5] for row in scene(game, 0, 3).grids[0].rows] == ["lost", "lost"]


def test_a_draw_may_swap_the_cards() -> None:
    game = dealt(draw_returns="swap")
    lay(game, "5H 2H", "8C")
    play(game, ("5H 2H", "8C"), "7C")
    told = scene(game, 0, 3)
    assert told.note == "Both bets were won: each took what the other had played, the gamble went back."
    assert [row[6] for row in told.grids[0].rows] == ["-1", "+1"]


def test_the_frames_of_a_turn_stay_as_they_were_while_the_next_is_bet() -> None:
    game = dealt()
    play(game, ("5H", "KS 3S"), "9D")
    before = [scene(game, 0, frame, 0) for frame in range(4)]
    bet(game, ("KS", "7C"), "10H")
    assert [scene(game, 0, frame, 0) for frame in range(4)] == before


def test_the_chances_count_the_cards_that_a_seat_does_not_see() -> None:
    # Each of the 51 - 6 = 45 unknown cards is in the stack with chance 39/45, then on top with 1/39: 1/45.
    grid = scene(dealt(), 0, None, 0).grids[2]
    assert grid.columns[-1] == "any"
    hearts = dict(zip(grid.columns, grid.rows[0], strict=True))
    assert (hearts["2"], hearts["3"], hearts["5"]) == ("", "2.2", "")  # 2♥ and 5♥ are in hand
    assert hearts["1 (A J Q K)"] == "8.9"  # 4/45
    assert hearts["any"] == "24.4"  # 11/45
    assert grid.rows[4][-1] == "100.0"
    public = scene(dealt(), 0, None).grids[2]
    assert dict(zip(public.columns, public.rows[0], strict=True))["any"] == "25.5"  # 13/51


def test_the_end_is_told_and_a_spectator_then_sees_both_hands() -> None:
    game = dealt(target=7)
    play(game, ("QS", "AD"), "9S")
    assert bool(game.over[0])  # 6 - 1 + 3 = 8 cards
    shown = scene(game, 0, None)
    assert shown.subtitle == "Turn 1 of at most 200 · over"
    assert shown.note == "seat 0 won by suit and took 3 cards. seat 0 won the game with 8 cards."
    assert scene(game, 0, 3).note == shown.note
    assert rows(shown)["seat 1 · 5 in hand"] == cards("3S KS 7C 8C 4H")
    assert rows(scene(game, 0, None, 0))["seat 1 · 5 in hand"] == (None,) * 5


def test_a_draw_by_the_number_of_turns_is_told() -> None:
    game = dealt(max_turns=1)
    play(game, ("5H", "KS 3S"), "9D")
    assert scene(game, 0, None).note.endswith("The game is a draw after 1 turn.")
