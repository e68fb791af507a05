"""Save The Bet through its environment: cards as actions, either seat, rewards at the end."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.games.cards import parse_card
from railbird.games.save_the_bet.sets import ONE

make: Any = gym.make  # our environments have more than its type says

SAVE_THE_BET = "railbird/SaveTheBet-v0"


def cards(text):
    """A set of cards."""
    return sum((ONE << np.uint64(parse_card(card)) for card in text.split()), np.uint64(0))


def dealt(text, seat=0, **settings):
    """A learner at its first bet with these cards in hand, exchanged for others with the stack."""
    env = make(SAVE_THE_BET, seat=seat, **settings).unwrapped
    env.reset(seed=1)
    state, wanted = env.table.game.state, cards(text)
    other = state.hands[0, 1 - seat]
    everything = state.hands[0, seat] | state.stack[0] | other
    hand = np.uint64(0)
    for card in map(np.uint64, reversed([1 << code for code in range(51)])):
        free = card & everything & ~wanted
        if free and np.bitwise_count(hand) < np.bitwise_count(other):
            hand |= card  # the highest cards left for the other
    state.hands[0, seat], state.hands[0, 1 - seat] = wanted, hand
    state.stack[0] = everything & ~wanted & ~hand
    env.table.game.check()
    env.set_state(env.get_state())
    return env


def legal(env):
    """The legal actions in words."""
    return [env.encoding.action_text(action) for action in np.flatnonzero(env.action_masks())]


def test_a_bet_is_written_in_ascending_order_and_in_one_suit():
    env = dealt("2H 5H 9H 3D KD 4C")
    assert legal(env) == ["2H", "5H", "9H", "3D", "KD", "4C"]  # a hand with cards bets one or more
    env.step(env.encoding.encode("5H"))
    assert legal(env) == ["enough", "9H"]
    _, reward, ended, _, _ = env.step(env.encoding.encode("9H"))
    assert (reward, ended) == (0.0, False)
    assert legal(env) == ["enough"]
    assert env.table.game.state.turn[0] == 0
    env.step(0)
    assert env.table.game.state.bets[0, 0] == cards("5H 9H")


def test_a_save_is_one_card_of_the_gambles_suit_or_none():
    env = dealt("2H 5H 2D 3D 2C 2S")
    env.step(env.encoding.encode("2H"))
    env.step(0)
    assert env.table.game.phase[0] == 1
    suit = "HDCS"[int(env.table.game.state.gamble[0]) // 13]
    own = {"H": ["5H"], "D": ["2D", "3D"], "C": ["2C"], "S": ["2S"]}[suit]
    assert legal(env) == ["enough", *own]
    env.step(env.encoding.encode(own[0]))  # it is handed in at once
    assert env.table.game.state.last_saves[0, 0] == cards(own[0])
    assert env.table.game.phase[0] == 0


def test_an_illegal_card_bets_the_lowest_or_lays_down_what_is_written():
    env = dealt("2H 5H 9H 3D KD 4C")
    _, _, _, _, info = env.step(0)  # nothing cannot be bet
    assert info["illegal_action"] is True
    assert env.table._draft.cards[0] == cards("2H")
    _, _, _, _, info = env.step(env.encoding.encode("3D"))  # not of that suit
    assert info["illegal_action"] is True
    assert env.table.game.state.bets[0, 0] == cards("2H")


def test_the_ace_of_spades_is_never_legal(legal_actions):
    env = make(SAVE_THE_BET, target=10).unwrapped
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(200):
        assert not env.action_masks()[env.encoding.encode("AS")]
        if env.step(int(legal_actions(env.action_masks()[None], rng)[0]))[2]:
            env.reset()


def test_the_reward_tells_who_has_the_cards_at_the_end(legal_actions):
    results = set()
    for seat in (0, 1):
        env = make(SAVE_THE_BET, target=9, max_turns=6, seat=seat).unwrapped
        rng = np.random.default_rng(2)
        for episode in range(30):
            env.reset(seed=7 if episode == 0 else None)
            ended = False
            while not ended:
                _, reward, ended, _, info = env.step(int(legal_actions(env.action_masks()[None], rng)[0]))
                assert ended or reward == 0.0
            assert reward == info["profit"]
            state = env.table.game.state
            own, other = np.bitwise_count(state.hands[0, [seat, 1 - seat]]).tolist()
            assert reward == (own >= 9) - (other >= 9)
            if reward == 0:
                assert state.turn[0] == 2 * 6  # a draw is a game of six turns, a bet and a save in each
            results.add(reward)
    assert results == {1.0, -1.0, 0.0}


def action_of(agent, env):
    """What a learner does next that decides as an agent does."""
    table = env.table
    decision = int(agent.act(table.game.view(table.seat), table.game.draws(table.seat))[0, 0])
    left = decision & ~int(table._draft.cards[0])  # cards that are not yet written
    return (left & -left).bit_length()  # action 1 + code of the lowest, 0 where none is left


@pytest.mark.parametrize("names", [("shortest", "likeliest"), ("random", "likeliest-save")])
def test_both_seats_play_the_same_games(names):
    first, second = names
    sums = []
    for seat, (own, other) in enumerate((names, (second, first))):
        env = make(SAVE_THE_BET, target=9, max_turns=8, seat=seat, opponents=[other]).unwrapped
        agent = parse_agent(own, "save-the-bet").make(env.table.options.settings)
        results = []
        for episode in range(20):
            env.reset(seed=5 if episode == 0 else None)
            agent.begin(np.ones(1, bool))
            ended = False
            while not ended:
                _, reward, ended, _, _ = env.step(action_of(agent, env))
            results.append(reward)
        sums.append(results)
    # the same two agents in the same seats, once the one and once the other learning
    assert sums[0] == [-reward for reward in sums[1]]
    assert len(set(sums[0])) > 1
