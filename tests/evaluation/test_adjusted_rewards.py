"""The reward "adjusted" is the luck-adjusted profit of tournaments, in every game and through every door."""

from math import sqrt
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.agents.seating import parse_player
from railbird.envs import parallel_env
from railbird.envs.learner_table import LearnerTable
from railbird.envs.options import read_options
from railbird.envs.variants import variant_of
from railbird.evaluation.episodes import play_episodes
from railbird.evaluation.match import play
from railbird.games.cards import parse_card
from railbird.games.registry import load, names

CASES: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "superfecta": ("superfecta", ("favourite", "random", "box"), {"seats": 3, "races": 6}),
    "ruined": ("superfecta", ("random", "box"), {"seats": 3, "races": 6, "bankroll": 5}),
    "horse-race": ("horse-race", ("random", "favourite"), {"seats": 2, "races": 4}),
    "quoting in turn": ("horse-race", ("margin+random", "favourite"), {"seats": 3, "bank": "rotate"}),
    "scarne-horse-race": ("scarne-horse-race", ("random",), {"seats": 2, "races": 3}),
    "bookmaker": ("bookmaker", ("margin",), {"races": 4}),
    "racing-aces": ("racing-aces", ("random", "favourite"), {"seats": 3, "races": 6}),
    "pasteboard-derby": ("pasteboard-derby", ("random", "loyal", "crowd"), {"seats": 4, "bankroll": 7}),
    "save-the-bet": ("save-the-bet", ("random", "likeliest"), {"max_turns": 12}),
}
CORRECTED = ("superfecta", "pasteboard-derby", "save-the-bet")  # where luck is left in the middle
SEED, DEALS = 6, 20


def seated(case):
    """The game, its rules, the names of the players, and the seats an agent of the case learns in."""
    game, agents, given = CASES[case]
    spec = load(game)
    rules = spec.make_settings(**given)
    around = spec.bettors if spec.players else agents
    players = [around[seat % len(around)] for seat in range(int(rules.seats))]
    return spec, rules, players, (len(players),) if spec.players else tuple(range(len(players)))


def rewards_of(case, seat, reward):
    """(deals,): what the agent of a seat is rewarded with in each game, as the learner of an environment."""
    game, agents, given = CASES[case]
    spec, rules, players, _ = seated(case)
    count = len(players)
    door = {"reward": reward, "illegal": "raise"}
    if not spec.players:
        others = [players[(seat + step) % count] for step in range(1, count)]
        door |= {"seat": seat} | ({"opponents": others} if others else {})
    table = LearnerTable(read_options(variant_of(game), {**given, **door}), DEALS)
    agent = parse_agent(agents[0], game) if spec.players else parse_player(players[seat], spec, rules)
    steps = play_episodes(table, agent.make(rules), agent.text, SEED)
    return np.bincount(steps.deal, steps.reward, DEALS)


def adjusted_of(case):
    """(deals, seats): what tournaments have."""
    spec, rules, players, _ = seated(case)
    made = [parse_player(text, spec, rules).make(rules) for text in players]
    if spec.players:
        made.append(parse_agent(CASES[case][1][0], spec.name).make(rules))
    elif spec.banker and getattr(rules, "bank", "house") == "house":
        made.append(parse_agent(spec.banker, "bookmaker").make(rules))
    elif spec.name == "racing-aces":
        made.append(parse_agent("null", spec.name).make(rules))  # the house, which is asked nothing
    seating = np.tile(np.arange(len(made)), (DEALS, 1))
    return play(spec, rules, SEED, np.arange(DEALS), made, seating).adjusted


def test_every_game_is_tried():
    assert {CASES[case][0] for case in CASES} == set(names())


@pytest.mark.parametrize("case", CASES)
def test_an_episode_is_rewarded_with_the_luck_adjusted_profit_of_the_same_deal(case):
    wanted = adjusted_of(case)
    *_, seats = seated(case)
    for seat in seats:
        np.testing.assert_allclose(rewards_of(case, seat, "adjusted"), wanted[:, seat], atol=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_it_is_the_expected_profit_where_no_luck_is_left_in_the_middle(case):
    *_, seats = seated(case)
    adjusted, expected = (rewards_of(case, seats[-1], reward) for reward in ("adjusted", "expected"))
    assert np.array_equal(adjusted, expected) == (CASES[case][0] not in CORRECTED)


@pytest.mark.parametrize("game", names())
def test_all_seats_played_from_outside_are_rewarded_with_it_too(game):
    settings: dict[str, Any] = {"max_turns": 8} if game == "save-the-bet" else {"races": 5}
    env: Any = parallel_env(game, **settings, reward="adjusted")
    rng = np.random.default_rng(3)
    seen, _ = env.reset(seed=SEED)
    earned, wanted = np.zeros(len(env.possible_agents)), np.zeros(len(env.possible_agents))
    played = env.table.game.submit

    def counted(*given):
        played(*given)
        wanted[:] += env.table.game.adjusted_profit()[0, : len(wanted)]

    env.table.game.submit = counted
    while env.agents:
        masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
        seen, rewards, *_ = env.step({agent: rng.choice(np.flatnonzero(masks[agent])) for agent in masks})
        earned += list(rewards.values())
    np.testing.assert_allclose(earned, wanted, atol=1e-12)
    assert abs(wanted).max() > 0


def value(own, other):
    """The value of holding so many cards: x / √(1 + x²), x three times the lead in targets of 26."""
    lead = 3 * (own - other) / 26
    return lead / sqrt(1 + lead**2)


def test_a_turn_of_save_the_bet_by_hand():
    # The learner holds 5H and 9S and bets 5H; the other holds and so bets 4D. The gamble is one of four
    # cards, and the cards held after it (the learner's hand of one included) are:
    after = {
        "9H": (1 + 3, 0),  # hearts: the learner takes 5H, 4D and the gamble
        "9D": (1, 3),  # diamonds: the other does
        "4C": (1, 3),  # 4 = 4: so it does here
        "7C": (1 + 1, 1),  # nobody wins, and no club in hand to save a bet with: the bets change hands
    }
    mean = sum(value(*held) for held in after.values()) / 4
    env = gym.make("railbird/SaveTheBet-v0", seat=0, opponents="random", reward="adjusted").unwrapped
    table: Any = env.get_wrapper_attr("table")
    encoding = table.encoding
    came = set()
    for seed in range(20):
        env.reset(seed=seed)
        state = table.game.state
        hands, stack = ["5H 9S", "4D"], " ".join(after)
        state.hands[0] = [sum(1 << parse_card(card) for card in hand.split()) for hand in hands]
        state.stack[0] = sum(1 << parse_card(card) for card in stack.split())
        table._turned(np.ones(1, bool))
        assert env.step(encoding.encode("5H"))[1] == 0
        _, reward, *_ = env.step(0)
        (gamble,) = [card for card in after if parse_card(card) == state.gamble[0]]
        assert reward == pytest.approx(mean - value(*after[gamble]), abs=1e-15)
        came.add(gamble)
        *_, info = env.step(0)  # nothing is saved
        assert info["profit"] == 0
    assert came == set(after)
