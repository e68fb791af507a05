"""Decisions as the actions that write them: the way back of an encoding's ``write``, in every game."""

from typing import Any

import numpy as np
import pytest

from railbird.games.bookmaking.prices import parse_price
from railbird.games.cards import parse_card
from railbird.games.registry import load, names
from railbird.games.spelling import NO_ACTION, spelled

OTHERWISE: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "pro rata": ("superfecta", {"split": "pro_rata", "seats": 3, "races": 3, "bankroll": 900}, {}),
    "large stakes": ("superfecta", {"seats": 2, "races": 3, "bankroll": 20}, {"stakes": (2, 3, 7)}),
    "quoting in turn": ("horse-race", {"bank": "rotate", "seats": 3, "races": 6, "rotate_every": 1}, {}),
    "own stakes": ("horse-race", {"seats": 2, "races": 4, "bankroll": 90}, {"stakes": (1, 3)}),
    "two wagers": ("racing-aces", {"seats": 2, "max_wagers": 2, "stakes": (1, 4), "bankroll": 9}, {}),
    "banking in turn": ("racing-aces", {"bank": "rotate", "seats": 3, "bankroll": 4}, {}),
    "few chips": ("pasteboard-derby", {"seats": 4, "bankroll": 4}, {}),
    "few cards": ("save-the-bet", {"suits": 2, "ranks": 3, "hand_size": 1, "target": 3}, {}),
}
CASES = {**{name: (name, {}, {}) for name in names()}, **OTHERWISE}
LANES = 40


def written(encoding, view, rng):
    """(n, …): decisions of legal actions drawn at random, handed in early enough to vary their length."""
    draft, writing = encoding.begin(view), np.ones(len(view.lane), bool)
    while writing.any():
        masks = encoding.mask(view, draft)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        actions[(masks[:, 0] == 1) & (rng.random(len(actions)) < 0.2)] = 0
        writing &= ~encoding.write(draft, actions, writing)
    return encoding.decision(draft)


def check_spelling(encoding, view, decisions):
    """Writes what is spelled action by action: legal throughout, handed in by the last one, and the same."""
    actions = encoding.spell(view, decisions)
    assert actions.dtype == np.int64
    draft, writing = encoding.begin(view), np.ones(len(view.lane), bool)
    for column in actions.T:
        assert ((column == NO_ACTION) == ~writing).all()  # padded behind the hand-in, and only there
        legal = encoding.mask(view, draft)[np.arange(len(column)), np.where(writing, column, 0)] == 1
        assert legal[writing].all()
        writing &= ~encoding.write(draft, np.where(writing, column, 0), writing)
    assert not writing.any()
    np.testing.assert_array_equal(encoding.decision(draft), decisions)


@pytest.mark.parametrize("case", CASES)
def test_every_decision_that_can_be_written_is_spelled(case):
    name, rules, options = CASES[case]
    spec = load(name)
    settings = spec.make_settings(**rules)
    game, rng = spec.game(settings, 5, LANES), np.random.default_rng(5)
    encodings = [spec.encoding(settings, **options)] * game.seats
    if spec.banker or spec.players:  # the house quotes, the players bet
        bettor = load(spec.players or name).encoding(settings, **options)
        encodings = [bettor] * int(settings.seats) + [load("bookmaker").encoding(settings)]
    game.start()
    for _ in range(12):
        decisions, playing = game.fallback(), ~game.over
        for seat in range(game.seats):
            view = game.view(seat, playing)
            if len(view.lane):
                decided = written(encodings[seat], view, rng)
                check_spelling(encodings[seat], view, decided)
                decisions[playing, seat] = decided
        game.submit(decisions, playing)


def start(name, **rules):
    spec = load(name)
    game = spec.game(spec.make_settings(**rules), 1, 1)
    game.start()
    return spec, game


def test_a_ticket_is_spelled_line_by_line():
    spec, game = start("superfecta", split="pro_rata")
    encoding = spec.encoding(game.settings, stakes=(1, 5))
    stakes = np.zeros((1, 40), np.int16)
    stakes[0, [1, 4]] = 500, 100  # five minimum bets on WIN D, one on EXA H/D
    # two sizes a line: 1 + 1 · 2 + 1, then 1 + 4 · 2 + 0, then handed in
    assert encoding.spell(game.view(0), stakes).tolist() == [[4, 9, 0]]
    assert encoding.spell(game.view(0), np.zeros((1, 40), np.int16)).tolist() == [[0]]


def test_a_stake_that_is_not_on_offer_and_a_ticket_too_dear_have_no_spelling():
    spec, game = start("superfecta", bankroll=3)
    encoding = spec.encoding(game.settings, stakes=(1, 2))
    tickets = np.zeros((3, 40), np.int16)
    tickets[0, 0] = 3  # no such size
    tickets[1, [0, 1]] = 2, 2  # 4 of 3 chips
    tickets[2, [0, 1]] = 2, 1
    view = spec.game(game.settings, 1, 3)
    view.start()
    assert encoding.spell(view.view(0), tickets).tolist() == [[-1] * 3, [-1] * 3, [2, 3, 0]]


def test_a_quote_is_four_prices_and_the_last_hands_it_in():
    spec, game = start("bookmaker")
    encoding = spec.encoding(game.settings)
    prices = [parse_price(text) for text in ("3/1", "5/2", "1/1", "10/1")]
    quote = np.array([prices], np.int16)
    assert encoding.spell(game.view(game.seats - 1), quote).tolist() == [[1 + price for price in prices]]


def test_the_last_wager_allowed_hands_the_ticket_in():
    spec, game = start("racing-aces", seats=2)
    bet = np.array([[0, 0, 1, 0]], np.int16)
    assert spec.encoding(game.settings).spell(game.view(0), bet).tolist() == [[3]]  # one wager a race
    spec, game = start("racing-aces", seats=2, max_wagers=2)
    assert spec.encoding(game.settings).spell(game.view(0), bet).tolist() == [[3, 0]]


def test_a_role_spells_nothing_that_it_does_not_decide():
    spec, game = start("horse-race")
    quote = np.array([[4, 4, 4, 4]], np.int16)
    assert (spec.encoding(game.settings).spell(game.view(game.seats - 1), quote) == NO_ACTION).all()


def test_cards_are_spelled_in_ascending_order_and_a_save_alone():
    spec, game = start("save-the-bet")
    encoding = spec.encoding(game.settings)
    bet = np.array([[1 << parse_card("5H") | 1 << parse_card("2H")]], np.uint64)
    assert encoding.spell(game.view(0), bet).tolist() == [[2, 5, 0]]  # 2H has code 1, 5H code 4
    game.submit(game.fallback())
    save = np.array([[1 << parse_card("6C")]], np.uint64)
    assert encoding.spell(game.view(0), save).tolist() == [[32]]  # 6C is 2 · 13 + 5 = 31
    assert encoding.spell(game.view(0), np.zeros((1, 1), np.uint64)).tolist() == [[0]]


def test_rows_are_closed_up_and_padded():
    some = np.array([[NO_ACTION, 7, NO_ACTION, 9], [NO_ACTION] * 4, [5, NO_ACTION, NO_ACTION, NO_ACTION]])
    closed, wrong = np.array([True, True, False]), np.array([False, False, False])
    assert spelled(some, closed, wrong).tolist() == [[7, 9, 0], [0, -1, -1], [5, -1, -1]]
    assert spelled(some, closed, ~wrong).tolist() == [[-1] * 3] * 3
