"""The luck of the gamble: worked by hand, nothing on average, and gone from what agents earn."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.evaluation.match import play
from railbird.evaluation.store import describe
from railbird.evaluation.tournament import TournamentSettings
from railbird.games.cards import parse_card
from railbird.games.registry import load
from railbird.games.save_the_bet.luck import value_hash
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

NAMES = ("random", "shortest", "face-card", "likeliest", "likeliest-save", "cards", "hoarder")


def cards(text):
    """The set of cards of a text."""
    return np.uint64(sum(1 << parse_card(card) for card in text.split()))


def after_bets(hands, bets, stack, gamble, **rules):
    """A table whose gamble has just been turned up."""
    game = SaveTheBet(SaveTheBetSettings(**rules), 0, 1)
    game.start()
    state = game.state
    state.hands[0], state.bets[0] = [cards(hand) for hand in hands], [cards(bet) for bet in bets]
    state.stack[0], state.gamble[0], state.turn[0] = cards(stack), parse_card(gamble), 1
    state.profit[:] = 0
    return game


def value(own, other, target=26):
    """The value as its docstring says: x / √(1 + x²), x three times the lead in targets."""
    lead = 3 * (own - other) / target
    return lead / sqrt(1 + lead**2)


def test_the_luck_of_a_gamble_by_hand():
    # Seat 0 holds 9S and has bet 5H, seat 1 holds 2C and has bet 4D. The gamble was 6C; it could have been
    # 9H, 9D or 7D.
    game = after_bets(["9S", "2C"], ["5H", "4D"], "9H 9D 7D", "6C")
    # 6C: seat 1 saves with 2C, 4 + 2 = 6, and takes 5H, 4D, 6C: 1 and 1 + 3 cards.
    # 9H: seat 0 wins by suit: 1 + 3 and 1. 9D, 7D: seat 1 wins by suit.
    came, mean = value(1, 4), (value(1, 4) + value(4, 1) + 2 * value(1, 4)) / 4
    np.testing.assert_allclose(game.adjusted_profit(), [[mean - came, came - mean]], atol=1e-15)


def test_on_a_blank_the_bets_change_hands_and_in_a_draw_they_come_back():
    # 7C helps nobody: 5H and 9S for 4D: seat 0 keeps 1 of its own and gets 1, seat 1 none and gets 2.
    blank = after_bets(["AC", ""], ["5H 6H", "4D"], "JS", "7C")
    # JS is worth 1 and a spade: neither bet wins either; so nothing was luck
    np.testing.assert_array_equal(blank.adjusted_profit(), [[0.0, 0.0]])
    # Both win by value on 9C (draw: own cards back); 9D is seat 1's alone: 3 bet cards and the gamble.
    for rule, held in (("own", (2, 1)), ("swap", (1, 2))):
        game = after_bets(["", ""], ["4H 5H", "9D"], "8D", "9C", draw_returns=rule)
        came, other = value(*held), value(0, 4)
        np.testing.assert_allclose(game.adjusted_profit()[0, 0], (came + other) / 2 - came, atol=1e-15)


def test_who_would_hold_the_target_has_won_and_a_value_game_has_no_suits():
    # With a target of 4 seat 0 wins the game on 5C (by value) and on 9H (by suit).
    game = after_bets(["2S", "3S"], ["5H", "4D"], "9H KC", "5C", target=4, hand_size=3)
    # 5C, 9H: 1 + 3 = 4 cards, won: 1. KC: a blank, 2 and 2 cards: 0.
    np.testing.assert_allclose(game.adjusted_profit()[0, 0], 2 / 3 - 1, atol=1e-15)
    game = after_bets(["2S", "3S"], ["5H", "4D"], "9H KC", "5C", target=4, hand_size=3, wins_by="value")
    np.testing.assert_allclose(game.adjusted_profit()[0, 0], 1 / 3 - 1, atol=1e-15)


@pytest.mark.parametrize("rules", [{}, {"wins_by": "value", "draw_returns": "swap", "target": 12}])
def test_the_luck_of_the_gamble_is_nothing_on_average_over_the_stack(rules):
    game = SaveTheBet(SaveTheBetSettings(**rules), 5, 12)
    agent = parse_agent("likeliest", "save-the-bet").make(game.settings)
    game.start()
    seen = 0
    for _ in range(12):
        active = ~game.over
        decisions = game.fallback()
        for seat in range(2):
            asked = active & game.to_act[:, seat]
            if asked.any():
                decisions[asked, seat] = agent.act(game.view(seat, asked), game.draws(seat, asked))
        game.submit(decisions, active)
        for lane in np.flatnonzero(active & (game.state.gamble >= 0)):
            top = game.state.gamble[lane]
            whole = int(game.state.stack[lane]) | 1 << int(top)
            luck = []
            for card in range(52):
                if whole >> card & 1:
                    game.state.gamble[lane] = card
                    game.state.stack[lane] = np.uint64(whole ^ 1 << card)
                    luck.append(game.adjusted_profit()[lane])
            assert abs(np.mean(luck, axis=0)).max() < 1e-12
            seen += np.ptp(luck) > 0
            game.state.gamble[lane], game.state.stack[lane] = top, np.uint64(whole ^ 1 << int(top))
    assert seen > 40


def test_the_hash_of_the_value_changes_with_what_the_value_says():
    hashes = {value_hash(SaveTheBetSettings(target=target)) for target in (13, 20, 26)}
    assert len(hashes) == 3
    assert SaveTheBet.value_hash(SaveTheBetSettings()) == value_hash(SaveTheBetSettings())
    assert load("superfecta").game.value_hash(None) is None


@pytest.mark.parametrize("target", [20, 26])
def test_the_manifest_names_the_value_by_its_hash(target):
    plan = TournamentSettings.of("save-the-bet", ["random"], deals=1, target=target).plan()
    assert describe(plan, {})["value_function"] == value_hash(SaveTheBetSettings(target=target))
    assert (
        describe(TournamentSettings.of("superfecta", ["random"], deals=1).plan(), {})["value_function"]
        is None
    )


@pytest.mark.slow
def test_it_has_the_mean_of_won_and_lost_at_twenty_line_ups_and_less_noise_among_equals():
    spec, deals = load("save-the-bet"), 400
    rules = spec.make_settings()
    pairs = [(a, b) for place, a in enumerate(NAMES) for b in NAMES[place + 1 :]]  # 21 line-ups
    off, factors = [], {}
    for pair in pairs:
        seating = np.tile([[0, 1], [1, 0]], (deals, 1))
        players = [parse_agent(name, "save-the-bet").make(rules) for name in pair]
        table = play(spec, rules, 11, np.repeat(np.arange(deals), 2), players, seating)
        cash, profit = (
            (values.reshape(deals, 2, 2)[:, 0, 0] + values.reshape(deals, 2, 2)[:, 1, 1]) / 2
            for values in (table.cash, table.adjusted)
        )
        luck = cash - profit
        off.append(abs(luck.mean()) / (luck.std(ddof=1) / sqrt(deals)))
        factors[pair] = cash.var() / profit.var()
    assert (np.array(off) > 1.96).sum() <= 4  # of 21, 1.05 expected; 5 or more have chance 0.003
    assert max(off) < 4
    assert factors["shortest", "likeliest"] > 2  # equals enough to be worth comparing


def test_identical_agents_still_differ_by_exactly_nothing():
    spec, deals = load("save-the-bet"), 50
    rules = spec.make_settings()
    players = [parse_agent("likeliest", "save-the-bet").make(rules) for _ in range(2)]
    seating = np.tile([[0, 1], [1, 0]], (deals, 1))
    table = play(spec, rules, 3, np.repeat(np.arange(deals), 2), players, seating)
    np.testing.assert_array_equal(table.adjusted[0::2, 0] + table.adjusted[1::2, 1], np.zeros(deals))
