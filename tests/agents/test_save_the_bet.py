"""The Save The Bet zoo: decisions worked out by hand. Rule: RULES.md §6."""

import numpy as np
import pytest

from railbird.agents.registry import parse_agent, zoo
from railbird.games.cards import parse_card
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

SETTINGS = SaveTheBetSettings()
DECK = sum(1 << card for card in range(52) if card != parse_card("AS"))
REASONING = ["likeliest", "likeliest-save", "cards", "thrifty", "hoarder", "one-turn", "tree:simulations=50"]
SAVING = [name for name in zoo("save-the-bet") if name not in ("random", "tree")] + ["tree:simulations=50"]


def cards(text):
    return sum(1 << parse_card(card) for card in text.split())


def position(mine, other, known="", returned="", bet="", others_bet="", gamble=""):
    """A table at which seat 0 holds ``mine``; the rest of the deck is the stack."""
    game = SaveTheBet(SETTINGS, seed=1, lanes=1)
    game.start()
    state = game.state
    state.hands[0] = cards(mine), cards(other)
    state.bets[0] = cards(bet), cards(others_bet)
    state.public[0] = 0, cards(known)
    out = cards(mine) | cards(other) | cards(bet) | cards(others_bet)
    if gamble:
        out |= cards(gamble)
        state.gamble[0] = parse_card(gamble)
        state.turn[0] = 1
    state.stack[0] = DECK & ~out
    state.returned[0] = cards(returned)
    return game


def decided(name, game):
    agent = parse_agent(name, "save-the-bet").make(SETTINGS)
    agent.begin(np.ones(1, bool))
    chosen = int(agent.act(game.view(0), game.draws(0))[0, 0])
    return {card for card in range(52) if chosen >> card & 1}


def named(text):
    return {parse_card(card) for card in text.split()}


def test_random_has_no_choice_with_one_card():
    assert decided("random", position("7H", "2D")) == named("7H")


def test_random_draws_evenly_from_all_legal_bets():
    # two hearts and a spade: 2^2 - 1 + 1 = 4 bets; 4,000 seats draw each 1,000 times, sd sqrt(750) = 27
    game = SaveTheBet(SETTINGS, seed=1, lanes=4_000)
    game.start()
    game.state.hands[:] = cards("7H 9H 2S"), cards("2D")
    agent = parse_agent("random", "save-the-bet").make(SETTINGS)
    sets, seen = np.unique(agent.act(game.view(0), game.draws(0)), return_counts=True)
    assert set(sets.tolist()) == {cards("7H"), cards("9H"), cards("7H 9H"), cards("2S")}
    assert (abs(seen - 1_000) < 5 * 27).all()


def test_shortest_bets_a_single_card():
    assert len(decided("shortest", position("2H 3H 4H 9D 9C", "2D"))) == 1


def test_face_card_bets_a_card_worth_one_of_its_shortest_suit():
    # K of clubs (one club) before A of diamonds (two diamonds); 9D is worth 9
    assert decided("face-card", position("5H 7H KC AD 9D", "2S")) == named("KC")


def test_likeliest_counts_suit_and_value():
    # 49 cards unknown. 10H: 12 hearts and 10D 10C 10S win, 15. 2S: 11 spades and 2H 2D 2C, 14.
    assert decided("likeliest", position("10H 2S", "3D 4D 5D 6D 7D 8D")) == named("10H")


def test_likeliest_prefers_a_value_that_four_ranks_share():
    # KH: 12 hearts and the aces, jacks, queens and kings of D, C, S but the missing ace: 12 + 11 = 23.
    # 10H: 12 hearts and three tens, 15.
    assert decided("likeliest", position("KH 10D", "3S 4S 5S 6S 7S 8S")) == named("KH")


def test_cards_bets_one_card_where_two_win_no_oftener():
    # 2H, 3H or both (5) each win with 11 hearts and three cards of their value: of equal chances the fewest
    # cards at stake, then the lowest sum.
    assert decided("cards", position("2H 3H", "4D 5D 6D 7D 8D 9D")) == named("2H")


@pytest.mark.parametrize("name", REASONING)
def test_a_gamble_that_is_certain_is_won(name):
    # The other's 24 cards are known, so the stack is one card, 7D: won by a diamond or by a sum of 7.
    mine = "2H 3H 5H 9H 10H KH 2C 4C 6C 8C 9C 10C JC 2S 3S 4S 5S 6S 8S 9S 10S JS QS KS 9D 10D"
    rest = DECK & ~cards(mine) & ~cards("7D")
    game = position(mine, "2D")
    game.state.hands[0, 1] = game.state.public[0, 1] = rest
    game.state.stack[0] = game.state.returned[0] = cards("7D")
    bet = decided(name, game)
    suits = {card // 13 for card in bet}
    assert len(suits) == 1
    values = [card % 13 + 1 if 1 <= card % 13 <= 9 else 1 for card in bet]
    assert suits == {1} or sum(values) == 7


@pytest.mark.parametrize("name", SAVING)
def test_a_save_that_makes_the_sum_is_made(name):
    # Bet 4D, gamble 10C: 6C saves (4 + 6 = 10), 5C does not (9). RULES.md §6.
    game = position("6C 5C 2H", "3S", bet="4D", others_bet="9S", gamble="10C")
    assert decided(name, game) == named("6C")


@pytest.mark.parametrize("name", SAVING)
def test_a_bet_that_is_won_is_not_spoilt(name):
    # Bet 7D, gamble 7C: won by value; 2C would make it 9. RULES.md §6.
    game = position("2C 2H", "3S", bet="7D", others_bet="9S", gamble="7C")
    assert decided(name, game) == set()


@pytest.mark.parametrize("name", SAVING)
def test_nothing_is_saved_where_nothing_helps(name):
    # Bet 4D, gamble 10C, clubs 5 and 3 in hand: 9 and 7, both lost.
    game = position("5C 3C 2H", "3S", bet="4D", others_bet="9S", gamble="10C")
    assert decided(name, game) == set()


@pytest.mark.parametrize("name", [*SAVING, "random"])
def test_hidden_cards_change_no_decision(name):
    one = position("10H 2S 7C", "3D 4D 5D 6D 7D 8D", known="3D")
    two = position("10H 2S 7C", "3D KD QD JD 9C 8C", known="3D")
    assert decided(name, one) == decided(name, two)


@pytest.mark.parametrize("name", [*SAVING, "random"])
def test_an_empty_hand_bets_nothing(name):
    assert decided(name, position("", "3D")) == set()


@pytest.mark.parametrize("name", [*SAVING, "random"])
@pytest.mark.parametrize(
    "rules",
    [{}, {"wins_by": "value", "draw_returns": "swap"}, {"suits": 2, "ranks": 4, "hand_size": 2, "target": 4}],
)
def test_every_decision_of_whole_games_is_legal_and_the_same_in_any_company(name, rules):
    settings = SaveTheBetSettings(**rules, max_turns=30)
    few, lone = SaveTheBet(settings, seed=3, lanes=6), SaveTheBet(settings, seed=3, lanes=[4])
    for game in (few, lone):
        game.start()
    agents = [[parse_agent(name, "save-the-bet").make(settings) for _ in range(2)] for _ in range(2)]
    while not lone.over.all():
        for game, pair in zip((few, lone), agents, strict=True):
            decisions, active = game.fallback(), ~game.over
            for seat, agent in enumerate(pair):
                asked = active & game.to_act[:, seat]
                if asked.any():
                    decisions[asked, seat] = agent.act(game.view(seat, asked), game.draws(seat, asked))
            game.submit(decisions, active)  # raises where a decision is illegal
        assert (few.state.hands[4] == lone.state.hands[0]).all()
        assert few.state.last_gamble[4] == lone.state.last_gamble[0]
