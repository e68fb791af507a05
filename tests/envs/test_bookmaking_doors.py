"""The games with a bookmaker through their environments: quotes and tickets by hand, the learner as bank."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.games.bookmaking.prices import parse_price
from railbird.games.bookmaking.state import Phase

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

HORSE_RACE = "railbird/HorseRace-v0"
BOOKMAKER = "railbird/Bookmaker-v0"
RACING_ACES = "railbird/RacingAces-v0"


def stakes_of(env, seat):
    """The ticket of the last race that a seat has paid for, chips on H, D, C, S."""
    return env.table.game.state.last_stakes[0, seat].tolist()


# ---- a bettor against the house


def test_a_bettor_is_asked_when_the_house_has_quoted():
    env = make(HORSE_RACE, banker="even-money").unwrapped
    seen, info = env.reset(seed=1)
    state = env.table.game.state
    assert env.table.game.phase[0] == Phase.BET
    assert state.quotes.tolist() == [[parse_price("1/1")] * 4]
    quotes = env.encoding.layout["quotes"]
    assert seen[quotes].tolist() == [0.5] * 4  # 1/1 is fair at 1 / (1 + 1)
    assert info["action_mask"].sum() == 1 + 4 * 5  # handing in, or five stakes on each suit


def test_the_fourth_wager_hands_the_ticket_in():
    env = make(HORSE_RACE).unwrapped
    env.reset(seed=1)
    for suit in "HDC":
        env.step(env.encoding.encode(suit, 10))
    assert env.table.game.races_run[0] == 0
    env.step(env.encoding.encode("S", 20))
    assert env.table.game.races_run[0] == 1
    assert stakes_of(env, 0) == [10, 10, 10, 20]


def test_stakes_beyond_the_chips_are_not_legal():
    env = make(HORSE_RACE, bankroll=30).unwrapped
    env.reset(seed=1)
    _, _, _, _, info = env.step(env.encoding.encode("H", 20))
    # 10 chips are left: the smallest stake on D, C or S; actions 1 + 5 suit + size
    assert np.flatnonzero(info["action_mask"]).tolist() == [0, 6, 11, 16]


def test_a_bettor_that_cannot_pay_the_smallest_stake_has_finished():
    env = make(HORSE_RACE, bankroll=19, races=6, banker="even-money").unwrapped
    for seed in range(30):
        env.reset(seed=seed)
        _, reward, ended, _, _ = env.step(env.encoding.encode("H", 10))
        assert (reward, ended) == (0.0, False)
        _, reward, ended, _, info = env.step(0)
        if reward < 0:
            assert (reward, ended) == (-10.0, True)  # 9 chips are less than 10
            assert env.table.game.races_run[0] == 6  # the others played the game out
            assert np.flatnonzero(info["action_mask"]).tolist() == [0]
            return
        assert (reward, ended) == (10.0, False)
    raise AssertionError("hearts won thirty times running")


def test_the_learner_sits_among_the_bettors_and_the_banker_behind_them():
    env = make(HORSE_RACE, seats=3, seat=1, opponents=["favourite", "longshot"], banker="fair").unwrapped
    assert env.table.rivals.names == ["favourite", "longshot", "fair"]
    assert env.table.rivals.around(1) == ["longshot", "learner", "favourite", "fair"]


# ---- the learner keeps the bank of the house


def test_a_quote_is_written_suit_by_suit_and_the_fourth_price_runs_the_race():
    env = make(BOOKMAKER, seats=2, opponents=["random"]).unwrapped
    env.reset(seed=1)
    for price in ("3/1", "5/2", "1/1"):
        _, reward, ended, _, info = env.step(env.encoding.encode(price))
        assert (reward, ended) == (0.0, False)
        assert np.flatnonzero(info["action_mask"]).tolist() == list(range(1, 34))
    before = int(env.table.game.state.bankrolls[0, 2])
    _, reward, _, _, info = env.step(env.encoding.encode("10/1"))
    state = env.table.game.state
    assert state.last_quotes.tolist() == [[parse_price(price) for price in ("3/1", "5/2", "1/1", "10/1")]]
    assert reward == info["profit"] == int(state.bankrolls[0, 2]) - before
    assert reward == -int(state.profit[0, :2].sum())  # what the bettors win the house loses
    assert env.table.game.phase[0] == Phase.QUOTE  # the next race waits for a quote


def test_a_quote_may_be_one_ticket(assert_same):
    prices, ticket = make(BOOKMAKER).unwrapped, make(BOOKMAKER, action="ticket").unwrapped
    prices.reset(seed=1)
    _, info = ticket.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 4 * 33  # every board price on every suit
    for price in (4, 0, 32, 17):
        result = prices.step(1 + price)
    assert_same(ticket.step(np.array([4, 0, 32, 17]))[:4], result[:4])


def test_a_house_is_never_broke():
    env = make(BOOKMAKER, races=50, seats=12, opponents=["longshot"], action="ticket").unwrapped
    env.reset(seed=1)
    lowest, ended, races = 0, False, 0
    while not ended:
        _, _, ended, _, _ = env.step(np.full(4, parse_price("150/1")))
        lowest = min(lowest, int(env.table.game.state.bankrolls[0, 12]))
        races += 1
    assert races == 50
    assert lowest < -12_000  # more than all bettors together brought


# ---- whole tickets that break a rule


def test_a_ticket_on_too_many_suits_is_illegal_and_played_as_an_empty_one():
    env = make(RACING_ACES, action="ticket").unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1] * 4  # each suit could be backed alone
    _, reward, _, _, info = env.step(np.array([1, 0, 0, 1]))  # one wager is allowed
    assert (info["illegal_action"], reward) == (True, 0.0)
    assert stakes_of(env, 0) == [0, 0, 0, 0]
    assert env.table.game.state.refused[0, 0] == 0
    _, _, _, _, info = env.step(np.array([0, 0, 0, 1]))
    assert info["illegal_action"] is False
    assert stakes_of(env, 0) == [0, 0, 0, 1]


def test_a_ticket_on_too_many_suits_can_be_an_error_that_changes_nothing():
    env = make_vec(RACING_ACES, 3, action="ticket", illegal="raise", max_wagers=2, seats=2, seat=1)
    env.reset(seed=1)
    before = env.get_state()
    tickets = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 0]])
    message = "lane 1, seat 1: wagers on 3 suits; at most 2 is allowed in a race"
    with pytest.raises(ValueError, match=message):
        env.step(tickets)
    assert env.get_state() == before
    tickets[1, 0] = 0
    _, _, _, _, infos = env.step(tickets)
    assert infos["illegal_action"].tolist() == [False] * 3
    assert env.table.game.state.last_stakes[:, 1].tolist() == [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]


def test_only_the_lane_of_a_ticket_on_too_many_suits_is_touched():
    env = make_vec(RACING_ACES, 2, action="ticket")
    env.reset(seed=1)
    _, _, _, _, infos = env.step(np.array([[1, 1, 0, 0], [1, 0, 0, 0]]))
    assert infos["illegal_action"].tolist() == [True, False]
    assert env.table.game.state.last_stakes[:, 0].tolist() == [[0, 0, 0, 0], [1, 0, 0, 0]]


def test_a_ticket_that_is_too_dear_is_not_illegal_but_refused():
    env = make(RACING_ACES, action="ticket", illegal="raise", max_wagers=4, bankroll=2).unwrapped
    env.reset(seed=1)
    _, reward, _, _, info = env.step(np.array([1, 1, 1, 0]))  # 3 chips
    assert (info["illegal_action"], reward) == (False, 0.0)
    assert stakes_of(env, 0) == [0, 0, 0, 0]
    assert env.table.game.state.refused[0, 0] == 1


def test_a_stake_above_the_limit_is_not_a_legal_choice():
    rules = {"bank": "rotate", "seats": 3, "seat": 1, "bankroll": 100, "races": 2}
    env = make(HORSE_RACE, action="ticket", banker="even-money", **rules).unwrapped
    _, info = env.reset(seed=1)
    # bank 100, two bettors, 1/1: 2 * 50 = 100, so the limit is 50; sizes 10, 20, 50, 100, 200
    assert env.table.game.state.limits.tolist() == [[50] * 4]
    assert info["action_mask"].tolist() == ([1] * 4 + [0] * 29) * 4
    _, _, _, _, info = env.step(np.array([4, 0, 0, 0]))
    assert info["illegal_action"] is True
    assert stakes_of(env, 1) == [0, 0, 0, 0]


# ---- the bank goes round


def test_a_learner_that_quotes_in_turn_bets_in_the_other_races():
    rules = {"bank": "rotate", "rotate_every": 1, "seats": 2, "races": 3, "action": "ticket"}
    env = make(HORSE_RACE, opponents=["even-money+random"], **rules).unwrapped
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1] * 4 * 33  # seat 0 keeps the first bank
    env.step(np.array([10, 10, 10, 10]))
    assert env.table.game.state.last_quotes.tolist() == [[10] * 4]
    assert env.table.game.state.last_bank[0] == 0
    _, _, _, _, info = env.step(np.array([1, 0, 0, 0]))  # 10 chips on hearts, at the rival's odds
    assert env.table.game.state.last_bank[0] == 1
    assert stakes_of(env, 0) == [10, 0, 0, 0]
    assert info["action_mask"].tolist() == [1] * 4 * 33


def test_a_race_that_the_learner_banks_before_its_first_decision_is_in_the_first_reward(rival):
    def act(self, view, draws):
        return np.tile(np.array([1, 0, 0, 0]), (len(view.lane), 1))

    opponent = rival(RACING_ACES, act=act)
    rules = {"bank": "rotate", "seats": 2, "races": 4, "opponents": [opponent]}
    told = set()
    for seed in range(12):
        env = make(RACING_ACES, **rules).unwrapped
        env.reset(seed=seed)
        gained = int(env.table.game.state.bankrolls[0, 0]) - 100  # of the race that seat 0 has banked
        copy = make(RACING_ACES, **rules).unwrapped
        copy.set_state(env.get_state())
        _, reward, _, _, info = copy.step(0)  # no bet, and then it keeps the bank again
        assert reward == info["profit"] == int(copy.table.game.state.bankrolls[0, 0]) - 100
        told.add(gained)
        _, reward, _, _, _ = copy.step(0)
        assert copy.table.done[0]
        assert reward == 0.0
    assert len(told) > 1 and 1 in told  # a chip on hearts is mostly lost to the bank
