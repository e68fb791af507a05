"""The plain Save The Bet against the worked examples of RULES.md §6 and turns followed by hand."""

import random
from fractions import Fraction

import pytest

from save_the_bet_oracle import SaveTheBet, Settings, bet_wins, value_of

RANKS = "A23456789TJQK"


def card(text: str) -> int:
    """The code of a card written like "TC"."""
    return 13 * "HDCS".index(text[1]) + RANKS.index(text[0])


def cards(text: str) -> frozenset[int]:
    return frozenset(card(word) for word in text.split())


def keep_order(stack: list[int]) -> list[int]:
    return stack


def deal(hand_0: str, hand_1: str, stack: str, settings: Settings) -> list[int]:
    """A first deal with these hands and this top of the stack, the other cards ascending below."""
    top = [card(word) for word in f"{hand_0} {hand_1} {stack}".split()]
    return top + [code for code in settings.cards() if code not in top]


def table(hand_0: str, hand_1: str, stack: str, **changes: object) -> SaveTheBet:
    settings = Settings(**({"hand_size": len(hand_0.split())} | changes))  # type: ignore[arg-type]
    return SaveTheBet(settings, deal(hand_0, hand_1, stack, settings), keep_order)


@pytest.mark.parametrize(
    ("bet", "save", "gamble", "won"),
    [
        ("5H 2H", None, "7C", True),  # 5 + 2 = 7, by value
        ("KS", None, "9S", True),  # by suit
        ("4D", "6C", "TC", True),  # 4 + 6 = 10, by value
        ("4D", "5C", "TC", False),  # 9; the saved club does not make it a clubs bet
        ("JC", None, "AD", True),  # 1 = 1
        ("7D", None, "7C", True),  # by value
        ("7D", "2C", "7C", False),  # 9: a save can spoil a won bet
        ("5H", None, "9D", False),
        ("KS 3S", None, "9D", False),  # 1 + 3 = 4
        ("9S", "2S", "4S", True),  # 11, but by suit
    ],
)
def test_worked_examples_of_won_and_lost_bets(bet: str, save: str | None, gamble: str, won: bool) -> None:
    saved = None if save is None else card(save)
    assert bet_wins(cards(bet), saved, card(gamble), "suit_or_value") is won


def test_by_value_alone_the_suit_does_not_count() -> None:
    assert not bet_wins(cards("KS"), None, card("9S"), "value")
    assert bet_wins(cards("KS"), card("8S"), card("9S"), "value")  # 1 + 8
    assert not bet_wins(set(), None, card("9S"), "value")


def test_values() -> None:
    assert [value_of(card(rank + "D")) for rank in RANKS] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 1, 1]


def test_51_cards_six_each_and_39_in_the_stack() -> None:
    game = SaveTheBet(Settings(), Settings().cards(), keep_order)
    assert [len(hand) for hand in game.hands] == [6, 6]
    assert len(game.stack) == 39
    assert card("AS") not in Settings().cards()


def test_example_blank_exchanges_the_bets_and_returns_the_gamble() -> None:
    game = table("5H 2C", "KS 3S", "9D")
    assert game.bet(cards("5H"), cards("KS 3S")) == card("9D")
    turn = game.save(None, None)
    assert turn.outcome == "blank"
    assert turn.hands == (cards("KS 3S 2C"), cards("5H"))
    assert turn.stack_size == 47 and card("9D") in game.stack


def test_blank_exchanges_saved_cards_too() -> None:
    game = table("5H 2D", "KS 4D", "9D")
    game.bet(cards("5H"), cards("KS"))
    turn = game.save(card("2D"), None)  # 5 + 2 = 7, no 9
    assert (turn.outcome, turn.hands) == ("blank", (cards("KS"), cards("5H 2D 4D")))


def test_one_winner_takes_all_cards_in_play_and_the_stack_keeps_its_order() -> None:
    game = table("4D 6C 2H", "3S 2C 8H", "TC 9D")
    game.bet(cards("4D"), cards("3S"))
    turn = game.save(card("6C"), card("2C"))
    assert (turn.won, turn.outcome) == ((True, False), "seat 0")
    assert turn.hands == (cards("2H 4D 6C 3S 2C TC"), cards("8H"))
    assert turn.known == (cards("4D 6C 3S 2C TC"), cards(""))
    assert game.stack[0] == card("9D")
    assert turn.known_in_stack == set()


@pytest.mark.parametrize(("returns", "hands"), [("own", ("5C 2H", "9D 3D")), ("swap", ("9D 2H", "5C 3D"))])
def test_draw_returns_own_cards_by_default_and_swaps_by_setting(returns: str, hands: tuple[str, str]) -> None:
    game = table("5C 2H", "9D 3D", "9C", draw_returns=returns)
    game.bet(cards("5C"), cards("9D"))  # clubs by suit, 9 by value
    turn = game.save(None, None)
    assert (turn.won, turn.outcome) == ((True, True), "draw")
    assert turn.hands == (cards(hands[0]), cards(hands[1]))
    assert turn.known_in_stack == cards("9C")


def test_draw_and_blank_shuffle_the_ascending_stack_with_the_gamble_in_it() -> None:
    settings = Settings(hand_size=2)
    given: list[list[int]] = []

    def turn_over(stack: list[int]) -> list[int]:
        given.append(stack)
        return stack[::-1]

    game = SaveTheBet(settings, deal("5C 2H", "9D 3D", "9C KD", settings), turn_over)
    game.bet(cards("5C"), cards("9D"))
    game.save(None, None)
    in_hands = cards("5C 2H 9D 3D")
    assert given == [[code for code in settings.cards() if code not in in_hands]]
    assert game.stack[0] == card("KS")


def test_cards_in_play_are_public_and_cards_kept_back_are_not() -> None:
    game = table("5H 2C", "KS 3S", "9D KC")
    assert game.knowledge(0).other_unknown == 2
    game.bet(cards("5H"), cards("KS"))
    # face down: nothing of the other is known, the gamble is
    assert game.knowledge(0).other_known == set()
    assert game.knowledge(0).unseen == set(game.settings.cards()) - cards("5H 2C 9D")
    game.save(None, None)
    # seat 0 has KS 2C, seat 1 has 5H 3S, 9D is back
    seen = game.knowledge(0)
    assert (seen.hand, seen.other_known, seen.other_unknown) == (cards("KS 2C"), cards("5H"), 1)
    assert (seen.stack_known, seen.stack_unknown) == (cards("9D"), 46)
    # unseen: 51 - 4 - 1 = 46 of the stack and 1 of the other
    assert len(seen.unseen) == 51 - 2 - 1 - 1
    assert game.knowledge(1).other_known == cards("KS")


def test_counting_odds_are_uniform_over_the_unseen_cards() -> None:
    game = table("5H 2C", "KS 3S", "9D KC")
    game.bet(cards("5H"), cards("KS"))
    game.save(None, None)
    seen = game.knowledge(0)
    # 47 unseen cards, 46 of them among the 47 of the stack
    assert seen.chance_of_gamble(card("9D")) == Fraction(1, 47)
    assert seen.chance_of_gamble(card("3S")) == Fraction(46, 47) / 47
    assert seen.chance_of_gamble(card("5H")) == 0
    assert sum(seen.chance_of_gamble(code) for code in game.settings.cards()) == 1
    assert seen.chance_with_other(card("3S")) == Fraction(1, 47)
    assert seen.chance_with_other(card("5H")) == 1
    assert sum(seen.chance_with_other(code) for code in game.settings.cards()) == 2


def test_public_card_stays_with_its_owner_while_it_may_be_in_a_bet() -> None:
    game = table("5H 2C", "KS 3S", "9D AH")
    game.bet(cards("5H"), cards("KS"))
    game.save(None, None)
    game.bet(cards("KS"), cards("5H"))
    assert game.knowledge(0).other_known == cards("5H")
    assert game.knowledge(1).other_known == cards("KS")


def test_drawn_card_is_no_longer_known_in_the_stack() -> None:
    settings = Settings(hand_size=2)
    game = SaveTheBet(settings, deal("5H 2C", "KS 3S", "9D", settings), lambda stack: stack)
    game.bet(cards("5H"), cards("KS"))
    game.save(None, None)
    game.stack.remove(card("9D"))
    game.stack.insert(0, card("9D"))
    game.bet(cards("KS"), cards("3S"))
    assert game.known_in_stack == set()
    # gamble 9D, seat 0 bets K (1), seat 1 bets 3: blank again
    assert game.save(None, None).known_in_stack == cards("9D")


def test_player_with_an_empty_hand_bets_nothing_and_still_collects_on_a_blank() -> None:
    game = table("5H", "KS", "TH 9D")
    game.bet(cards("5H"), cards("KS"))
    assert game.save(None, None).outcome == "seat 0"  # by suit; seat 1 is left with nothing
    with pytest.raises(ValueError, match="seat 0 holds cards"):
        game.bet(set(), set())
    game.bet(cards("5H TH"), set())
    assert game.to_act() == (True, False)
    turn = game.save(None, None)
    assert (turn.outcome, turn.hands) == ("blank", (cards("KS"), cards("5H TH")))


def test_winner_against_an_empty_hand_takes_the_gamble() -> None:
    game = table("5H", "KS", "TH 2H")
    game.bet(cards("5H"), cards("KS"))
    game.save(None, None)
    game.bet(cards("TH"), set())
    assert game.save(None, None).hands == (cards("5H KS TH 2H"), cards(""))


def test_save_is_a_card_of_the_gambles_suit_still_in_hand() -> None:
    game = table("4D 6C 2C 3H", "3S 9S 8S 7S", "TC")
    game.bet(cards("2C"), cards("3S"))
    assert game.to_act() == (True, True)  # asked although seat 1 has no choice
    assert game.legal_saves(0) == [card("6C")]
    for wrong in ("3H", "2C", "9C"):  # wrong suit, in the bet, not held
        with pytest.raises(ValueError, match="seat 0 can save"):
            game.save(card(wrong), None)
    assert game.phase == "save"


@pytest.mark.parametrize(
    ("bet", "message"), [("4D 6C", "share a suit"), ("9H", "does not hold"), ("", "at least one")]
)
def test_illegal_bets(bet: str, message: str) -> None:
    game = table("4D 6C", "3S 9S", "TC")
    with pytest.raises(ValueError, match=message):
        game.bet(cards(bet), cards("3S"))
    assert game.phase == "bet" and len(game.stack) == 47


def test_first_to_hold_the_target_wins_also_by_an_exchange() -> None:
    game = table("4D 6C", "3S 9S", "TC", target=3)
    game.bet(cards("4D"), cards("3S"))
    turn = game.save(card("6C"), None)  # 10: seat 0 takes 4D 6C 3S TC
    assert (turn.over, turn.winner, len(turn.hands[0])) == (True, 0, 4)
    game = table("4D 5C", "3S 9S", "TC", target=3)
    game.bet(cards("4D"), cards("3S"))
    turn = game.save(card("5C"), None)  # 9, a blank: seat 1 gets two cards for one and holds three
    assert (turn.outcome, turn.winner, game.phase) == ("blank", 1, "over")


def test_game_is_a_draw_after_the_last_turn() -> None:
    game = table("5C 2H", "9D 3D", "9C", max_turns=2)
    for stopped in (False, True):
        game.stack.sort(key=lambda code: code != card("9C"))  # 9C on top
        game.bet(cards("5C"), cards("9D"))
        assert game.save(None, None).over is stopped
    assert (game.winner, game.turn) == (None, 2)
    with pytest.raises(ValueError, match="phase is over"):
        game.bet(cards("5C"), cards("9D"))


def test_small_deck() -> None:
    settings = Settings(hand_size=2, target=5, suits=2, ranks=5, excluded=None)
    assert settings.cards() == [0, 1, 2, 3, 4, 13, 14, 15, 16, 17]
    with pytest.raises(ValueError, match="run out"):
        Settings(hand_size=2, target=6, suits=2, ranks=5, excluded=None)


@pytest.mark.parametrize("wins_by", ["suit_or_value", "value"])
def test_random_games_end_and_cards_never_get_lost(wins_by: str) -> None:
    chance = random.Random(7)
    settings = Settings(wins_by=wins_by)
    winners = set()
    for _ in range(8):
        order = settings.cards()
        chance.shuffle(order)
        game = SaveTheBet(settings, order, lambda stack: chance.sample(stack, len(stack)))
        while not game.over:
            bets: list[list[int]] = []
            for hand in game.hands:
                suit = chance.choice(sorted(hand)) // 13 if hand else 0
                fitting = sorted(code for code in hand if code // 13 == suit)
                bets.append(chance.sample(fitting, chance.randint(1, len(fitting))) if fitting else [])
            game.bet(*bets)
            turn = game.save(*(chance.choice([None, *game.legal_saves(seat)]) for seat in (0, 1)))
            for seat in (0, 1):  # what a seat knows is true, and the rest adds up
                seen = game.knowledge(seat)
                assert seen.other_known <= turn.hands[1 - seat]
                assert len(seen.other_known) + seen.other_unknown == len(turn.hands[1 - seat])
        winners.add(turn.winner)
        assert max(map(len, turn.hands)) >= 26 or (turn.number, turn.winner) == (200, None)
    assert winners & {0, 1}
