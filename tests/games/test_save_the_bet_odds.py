"""Counting odds against every arrangement of the unknown cards, one by one. Rule: RULES.md §6."""

import random
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.save_the_bet.odds import counting_odds
from railbird.games.save_the_bet.sets import cards_in, set_of
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

SEVEN = SaveTheBetSettings(suits=2, ranks=4, hand_size=2, target=4, wins_by="value", max_turns=12)


def enumerated(view, row, deck):
    """The chance of each card to lie on top: all orders of the cards that may be anywhere, laid out as the
    other's hand and then the stack, top first, and of these the ones that fit what the seat knows.
    """
    free = sorted(set(cards_in(deck)) - set(cards_in(view.hand[row])))
    theirs, back = set(cards_in(view.other_public[row])), set(cards_in(view.returned[row]))
    held, fitting, tops = int(view.held[row, 1]), 0, dict.fromkeys(range(52), 0)
    for order in permutations(free):
        if theirs <= set(order[:held]) and back <= set(order[held:]):
            fitting += 1
            tops[order[held]] += 1
    return [Fraction(tops[card], fitting) for card in range(52)]


def test_counting_odds_equal_the_enumeration_of_all_arrangements():
    game, rng, kinds = SaveTheBet(SEVEN, seed=2, lanes=40), random.Random(4), set()
    game.start()
    checked = 0
    while not game.over.all():
        live = np.flatnonzero(~game.over)
        view = game.view(rng.randrange(2))
        odds = counting_odds(SEVEN, view)
        for row in rng.sample(live.tolist(), min(4, len(live))):
            exact = enumerated(view, row, SEVEN.deck)
            assert odds[row].tolist() == pytest.approx([float(chance) for chance in exact], abs=1e-12)
            kinds.add((bool(view.other_public[row]), bool(view.returned[row])))
            checked += 1
        for _ in range(2):  # bets, then saves
            decisions = game.blank()
            for lane in live:
                for seat in (0, 1):
                    hand = cards_in(game.state.hands[lane, seat])
                    if game.phase[lane] == 0 and hand:
                        decisions[lane, seat, 0] = 1 << rng.choice(hand)
            game.submit(decisions)
    assert checked >= 30 and kinds == {(False, False), (True, True)}


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def test_counting_odds_by_hand():
    # Seat 0 holds 5H 2C. Seat 1 holds 4 cards, KS public. 9D and 8D are known to be back in the stack of 45.
    game = SaveTheBet()
    game.start()
    state = game.state
    state.hands[0] = cards("5H 2C"), cards("KS 3S 4S 5S")
    state.public[0] = 0, cards("KS")
    state.stack[0] = np.uint64(game.settings.deck) & ~(state.hands[0, 0] | state.hands[0, 1])
    state.returned[0] = cards("9D 8D")
    odds = counting_odds(game.settings, game.view(0))[0]
    # 51 - 2 - 1 - 2 = 46 unknown cards, 45 - 2 = 43 of them in the stack
    assert odds[parse_card("9D")] == pytest.approx(1 / 45)
    assert odds[parse_card("3S")] == odds[parse_card("7C")] == pytest.approx(43 / 46 / 45)
    assert odds[[parse_card(card) for card in ("5H", "2C", "KS", "AS")]].tolist() == [0, 0, 0, 0]
    assert odds.sum() == pytest.approx(1)


def test_gamble_on_the_table_is_certain_and_after_the_end_there_is_none():
    game = SaveTheBet(SaveTheBetSettings(max_turns=1), seed=3, lanes=5)
    game.start()
    game.submit(game.fallback())
    odds = counting_odds(game.settings, game.view(0))
    assert odds[np.arange(5), game.state.gamble].tolist() == [1] * 5 and odds.sum() == 5
    game.submit(game.fallback())
    assert not counting_odds(game.settings, game.view(0)).any()


def test_last_card_of_the_stack_is_known_when_all_others_are():
    game = SaveTheBet(SEVEN)
    game.start()
    state = game.state
    state.hands[0] = cards("AH 2H 3H"), cards("4H 2D 3D")
    state.public[0, 1], state.stack[0] = state.hands[0, 1], cards("4D")
    odds = counting_odds(SEVEN, game.view(0))[0]
    assert odds[parse_card("4D")] == 1 and set_of(np.flatnonzero(odds)) == cards("4D")
