"""The worked examples and decisions of RULES.md §6, played on the batched table; sums in the comments."""

import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.save_the_bet.bets import print_cards
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.state import Phase
from railbird.games.save_the_bet.table import SaveTheBet


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def table(hand_0, hand_1, **changes):
    """One lane with these hands; the rest of the deck is the stack."""
    game = SaveTheBet(SaveTheBetSettings(**changes))
    game.start()
    state = game.state
    state.hands[0] = cards(hand_0), cards(hand_1)
    state.stack[0] = np.uint64(game.settings.deck) & ~(state.hands[0, 0] | state.hands[0, 1])
    game.check()
    return game


def bet(game, bet_0, bet_1, gamble):
    """Both bet, and this card of the stack is turned up."""
    game.submit(np.array([[[cards(bet_0)], [cards(bet_1)]]]))
    state, wanted = game.state, parse_card(gamble)
    state.stack[0] |= np.uint64(1 << int(state.gamble[0]))
    assert state.stack[0] & cards(gamble), f"{gamble} is not in the stack"
    state.stack[0] ^= cards(gamble)
    state.returned[0] &= ~cards(gamble)
    state.gamble[0] = wanted
    game.check()


def save(game, save_0="", save_1=""):
    game.submit(np.array([[[cards(save_0)], [cards(save_1)]]]))
    game.check()


def hands(game):
    return [print_cards(hand) for hand in game.state.hands[0]]


WON = [
    ("5H 2H", "", "7C", True),  # 5 + 2 = 7, by value
    ("KS", "", "9S", True),  # 1, by suit
    ("4D", "6C", "10C", True),  # 4 + 6 = 10, by value
    ("4D", "5C", "10C", False),  # 4 + 5 = 9; the saved club does not make it a clubs bet
    ("JC", "", "AD", True),  # 1 = 1
    ("7D", "2C", "7C", False),  # 7 + 2 = 9: a save spoils a won bet
    ("7D", "", "7C", True),
    ("5H", "", "9D", False),
    ("9S", "2S", "4S", True),  # 11, but by suit
    ("QH", "KC", "2C", True),  # 1 + 1 = 2
]


@pytest.mark.parametrize(("own", "saved", "gamble", "won"), WON)
def test_worked_examples_of_won_and_lost_bets(own, saved, gamble, won):
    # The other bets 3H + AH = 4, which only the gamble 4S is worth; no gamble of the list is a heart.
    other_won = gamble == "4S"
    game = table(f"{own} {saved}", "3H AH")
    bet(game, own, "3H AH", gamble)
    save(game, saved, "")
    assert game.state.last_won[0].tolist() == [won, other_won]
    game = table("3H AH", f"{own} {saved}")
    bet(game, "3H AH", own, gamble)
    save(game, "", saved)
    assert game.state.last_won[0].tolist() == [other_won, won]


def test_by_value_alone_the_suit_does_not_count():
    game = table("KS 8S 2C", "3H", wins_by="value")
    bet(game, "KS", "3H", "9S")
    save(game)
    assert not game.state.last_won.any()
    game = table("KS 8S 2C", "3H", wins_by="value")
    bet(game, "KS", "3H", "9S")
    save(game, "8S")
    assert game.state.last_won[0].tolist() == [True, False]  # 1 + 8 = 9


def test_example_blank_exchanges_bets_and_returns_the_gamble():
    game = table("5H 2C", "KS 3S 4D")
    bet(game, "5H", "KS 3S", "9D")
    save(game)
    assert hands(game) == ["2C KS 3S", "5H 4D"]
    state = game.state
    assert state.returned[0] == cards("9D") and state.stack[0] & cards("9D")
    assert [print_cards(known) for known in state.public[0]] == ["KS 3S", "5H"]


def test_blank_exchanges_saved_cards_too():
    game = table("5H 2D", "KS 4D")
    bet(game, "5H", "KS", "9D")
    save(game, "2D")  # 5 + 2 = 7 is no 9
    assert hands(game) == ["KS", "5H 4D 2D"]


def test_one_winner_takes_all_cards_in_play_and_they_are_public():
    game = table("4D 6C 2H", "3S 2C 8H")
    bet(game, "4D", "3S", "10C")
    save(game, "6C", "2C")  # 4 + 6 = 10; 3 + 2 = 5
    assert hands(game) == ["2H 4D 10C 6C 2C 3S", "8H"]
    assert [print_cards(known) for known in game.state.public[0]] == ["4D 10C 6C 2C 3S", "-"]
    assert game.state.returned[0] == 0


@pytest.mark.parametrize(("returns", "after"), [("own", ["2H 5C", "9D 3D"]), ("swap", ["2H 9D", "3D 5C"])])
def test_draw_gives_own_cards_back_or_swaps_them_by_setting(returns, after):
    game = table("5C 2H", "9D 3D", draw_returns=returns)
    bet(game, "5C", "9D", "9C")  # clubs by suit, 9 by value
    save(game)
    state = game.state
    assert state.last_won[0].all() and hands(game) == after
    assert state.returned[0] == cards("9C")
    assert [print_cards(known) for known in state.public[0]] == (
        ["5C", "9D"] if returns == "own" else ["9D", "5C"]
    )


def test_51_cards_six_each_and_39_in_the_stack():
    game = SaveTheBet(lanes=50)
    game.start()
    game.check()
    assert (np.bitwise_count(game.state.hands) == 6).all()
    assert (np.bitwise_count(game.state.stack) == 39).all()
    assert not game.settings.deck >> parse_card("AS") & 1 and game.settings.cards == 51


def test_empty_hand_bets_nothing_cannot_win_and_collects_on_a_blank():
    game = table("5H", "KS")
    bet(game, "5H", "KS", "10H")
    save(game)
    assert hands(game) == ["10H 5H KS", "-"]  # by suit
    assert game.to_act.tolist() == [[True, True]]
    bet(game, "5H", "", "9D")
    assert game.to_act.tolist() == [[True, False]]
    save(game)
    assert not game.state.last_won.any()
    assert hands(game) == ["10H KS", "5H"]


def test_winner_against_an_empty_hand_takes_the_gamble():
    game = table("5H", "KS")
    bet(game, "5H", "KS", "10H")
    save(game)
    bet(game, "10H", "", "2H")
    save(game)
    assert hands(game) == ["10H 5H 2H KS", "-"]


def test_save_is_asked_of_every_seat_that_has_bet_whether_it_has_a_choice_or_not():
    game = table("4D 6C", "3S 9S")
    bet(game, "4D", "3S", "10C")
    assert game.phase.tolist() == [Phase.SAVE]
    assert game.to_act.tolist() == [[True, True]]  # seat 1 has no club


def test_target_is_counted_after_the_exchange():
    game = table("4D 6C", "3S 9S", target=3, hand_size=2)
    bet(game, "4D", "3S", "10C")
    assert not game.profit.any()
    save(game, "6C")  # 10: seat 0 holds 4D 6C 3S 10C
    assert game.over.all() and game.profit.tolist() == [[1, -1]]
    game = table("4D 5C", "3S 9S", target=3, hand_size=2)
    bet(game, "4D", "3S", "10C")
    save(game, "5C")  # 9: a blank, seat 1 gets two cards for one and holds three
    assert game.over.all() and game.profit.tolist() == [[-1, 1]]
    assert not game.to_act.any() and game.phase.tolist() == [Phase.OVER]


def test_game_is_a_draw_after_max_turns_and_over():
    game = table("5C 2H", "9D 3D", max_turns=2)
    for last in (False, True):
        bet(game, "5C", "9D", "9C")
        save(game)
        assert game.over.tolist() == [last] and game.profit.tolist() == [[0, 0]]
    with pytest.raises(IllegalDecision, match="lane 0 is over"):
        game.submit(game.fallback(), np.array([True]))


def test_target_reached_in_the_last_turn_wins():
    game = table("4D 6C", "3S 9S", target=3, hand_size=2, max_turns=1)
    bet(game, "4D", "3S", "10C")
    save(game, "6C")
    assert game.profit.tolist() == [[1, -1]]


def test_at_25_25_and_a_stack_of_one_both_know_the_gamble_and_can_both_win():
    game = table("5H", "KS")
    state = game.state
    red = np.uint64((1 << 26) - 1) ^ cards("KD")  # 25 cards
    state.hands[0] = red, np.uint64(game.settings.deck) ^ red ^ cards("7C")  # KD, 12 clubs and 12 spades
    state.stack[0] = cards("7C")
    game.check()
    assert np.bitwise_count(state.hands[0]).tolist() == [25, 25]
    game.submit(np.array([[[cards("7D")], [cards("9C")]]]))
    assert state.gamble[0] == parse_card("7C") and state.stack[0] == 0
    save(game)  # 7 = 7, and clubs
    assert state.last_won[0].all() and state.stack[0] == cards("7C") and not game.over.any()


def test_profit_is_the_expected_profit_no_chips_are_staked_and_nobody_is_ever_out():
    game = table("4D 6C", "3S 9S", target=3, hand_size=2)
    bet(game, "4D", "3S", "10C")
    save(game, "6C")
    assert game.expected_profit().tolist() == [[1.0, -1.0]]
    assert game.out.tolist() == game.refused.tolist() == [[False, False]]
    assert game.staked.tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ("4D 6C", "3S", r"seat 0: 4D 6C; cards bet together share a suit; allowed are .* of 4D 6C"),
        ("4D", "9H", r"seat 1: 9H; only cards in hand are played; allowed are cards of one suit of 9S 3S"),
        ("", "3S", r"seat 0: -; a player with cards in hand bets one or more"),
        ("4D", "AS", r"seat 1: AS; only cards in hand"),
    ],
)
def test_illegal_bets_say_what_came_and_what_is_allowed(first, second, message):
    game = table("4D 6C", "3S 9S")
    before = game.save()
    with pytest.raises(IllegalDecision, match=message):
        bet(game, first, second, "10C")
    assert all((before[name] == array).all() for name, array in game.save().items())


def test_decision_that_is_no_set_of_cards_is_named_as_a_number():
    game = table("4D 6C", "3S 9S")
    with pytest.raises(IllegalDecision, match="the number 4503599627370496; only cards in hand"):  # 1 << 52
        game.submit(np.array([[[1 << 52], [int(cards("3S"))]]], np.uint64))


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        (
            "3H",
            r"seat 0: 3H; a saved card has the gamble's suit; allowed are .*gamble 10C: none or one of 6C",
        ),
        ("2C", r"seat 0: 2C; only cards in hand"),  # it lies in the bet
        ("6C 7C", r"seat 0: 7C 6C; at most one card is saved"),
    ],
)
def test_illegal_saves_say_what_came_and_what_is_allowed(saved, message):
    game = table("2C 6C 7C 3H" if saved == "6C 7C" else "2C 6C 3H", "3S 9S")
    bet(game, "2C", "3S", "10C")
    with pytest.raises(IllegalDecision, match=message):
        save(game, saved)
    assert game.phase.tolist() == [Phase.SAVE]


def test_decision_of_a_seat_that_is_not_asked_is_not_read():
    game = table("5H", "KS")
    bet(game, "5H", "KS", "10H")
    save(game)
    bet(game, "5H", "", "9D")
    save(game, "", "2C")
    assert hands(game) == ["10H KS", "5H"]


def test_fallback_is_the_lowest_card_in_hand_and_no_save():
    game = table("9D 4D 6C", "3S 9S")
    assert [print_cards(one[0]) for one in game.fallback()[0]] == ["4D", "3S"]
    bet(game, "4D", "3S", "10C")
    assert not game.fallback().any()
    save(game)
    game.state.hands[0, 1] = 0
    assert game.fallback()[0, 1] == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"missing_ace": False}, "odd number of cards, at least 3, not 52"),
        ({"suits": 2, "ranks": 4, "missing_ace": False, "hand_size": 1, "target": 2}, "not 8"),
        ({"suits": 1, "ranks": 1, "missing_ace": False}, "at least 3, not 1"),
        ({"suits": 5}, "suits is a whole number from 1 to 4"),
        ({"ranks": 14}, "ranks is a whole number from 1 to 13"),
        ({"missing_ace": 1}, "missing_ace is True or False, not 1"),
        ({"hand_size": 26}, "hand_size of a deck of 51 cards is a whole number from 1 to 25"),
        ({"target": 27}, "target of a deck of 51 cards is a whole number from 7 to 26"),
        ({"target": 6}, "from 7 to 26, not 6"),
        ({"max_turns": 0}, "max_turns is a whole number from 1 to 100,000"),
        ({"wins_by": "suit"}, "wins_by is one of 'suit_or_value', 'value'"),
        ({"draw_returns": "other"}, "draw_returns is one of 'own', 'swap'"),
    ],
)
def test_settings_out_of_range_are_refused(changes, message):
    with pytest.raises(InvalidSettings, match=message):
        SaveTheBetSettings(**changes)


def test_small_deck_takes_the_first_suits_and_ranks_without_the_last_ace():
    tiny = SaveTheBetSettings(suits=2, ranks=3, hand_size=1, target=3, max_turns=4)
    assert print_cards(tiny.deck) == "3H 2H AH 3D 2D"
    whole = SaveTheBetSettings(suits=3, ranks=3, missing_ace=False, hand_size=2, target=5)
    assert print_cards(whole.deck) == "3H 2H AH 3D 2D AD 3C 2C AC"
