"""The PettingZoo door: every seat an agent, turns of simultaneous decisions, money that adds up."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test
from pettingzoo.utils import parallel_to_aec

from railbird.envs import parallel_env
from railbird.games.errors import IllegalDecision, UnknownName
from railbird.games.registry import load

HOUSE = "house_0"
GAMES = {"fast": 15, "all": pytest.param(750, marks=pytest.mark.slow)}  # over 10^4 games in all cases


def opened(case: Any, **more: Any) -> Any:
    """The table of a case, all its seats open: nobody is the learner and there are no opponents."""
    single = {"seat", "opponents"}
    settings = {name: value for name, value in case.settings.items() if name not in single}
    return parallel_env(case.variant.game, **{**settings, **more})


@pytest.fixture
def dict_observations(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Tells PettingZoo's test which environments have observations with masks, and unlike agents: it knows
    its own by name and warns at others.
    """
    module = import_module("pettingzoo.test.api_test")

    def tell(env: Any, unlike: bool) -> None:
        for known in ("env_obs_dicts", "env_obs_space", *(["env_diff_agent_obs_size"] if unlike else [])):
            monkeypatch.setattr(module, known, [*getattr(module, known), str(env)])

    return tell


def agents_differ(env: Any) -> bool:
    return HOUSE in env.possible_agents


# ---- PettingZoo's own tests; warnings are errors here


def test_parallel_api(case: Any) -> None:
    parallel_api_test(opened(case), num_cycles=100)


def test_parallel_api_of_long_games(variant: Any) -> None:
    parallel_api_test(parallel_env(variant.game), num_cycles=100)


def test_aec_api(case: Any, dict_observations: Any) -> None:
    env = opened(case)
    dict_observations(env, agents_differ(env))
    api_test(parallel_to_aec(env), num_cycles=60)


def test_equal_seeds_give_equal_episodes(case: Any) -> None:
    parallel_seed_test(lambda: opened(case), num_cycles=60)
    seed_test(lambda: parallel_to_aec(opened(case)), num_cycles=60)


def test_every_render_mode(variant: Any, capsys: Any) -> None:
    render_test(lambda render_mode: parallel_to_aec(parallel_env(variant.game, render_mode=render_mode)))
    assert capsys.readouterr().out.count("Players") >= 5


def test_max_cycles_end_an_episode(variant: Any) -> None:
    def parallel(max_cycles: int) -> Any:
        return parallel_env(variant.game, max_cycles=max_cycles)

    max_cycles_test(
        SimpleNamespace(parallel_env=parallel, env=lambda **given: parallel_to_aec(parallel(**given)))
    )


# ---- the doors


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import railbird.envs", set()),
        (
            "from railbird.envs import parallel_env; parallel_env('superfecta')",
            {"gymnasium", "numba", "pettingzoo"},
        ),
    ],
)
def test_each_door_loads_its_own_library_alone(code: str, loaded: set[str]) -> None:
    heavy = {"gymnasium", "numba", "pettingzoo", "stable_baselines3", "torch"}
    probe = f"{code}; import json, sys; print(json.dumps(sorted({heavy} & set(sys.modules))))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", probe], capture_output=True, text=True, check=True
    )
    assert set(json.loads(done.stdout)) == loaded


# ---- the agents


def test_the_agents_are_the_seats_with_decisions() -> None:
    players = [f"player_{seat}" for seat in range(6)]
    agents = {game: parallel_env(game).possible_agents for game in ("superfecta", "horse-race", "bookmaker")}
    assert agents == {"superfecta": players, "horse-race": players, "bookmaker": [*players, HOUSE]}
    assert parallel_env("racing-aces", seats=2).possible_agents == players[:2]  # published odds: no banker


def test_spaces_are_those_of_the_single_environments(case: Any) -> None:
    env, single = opened(case), case.make(action="wager")
    agent = env.possible_agents[-1]  # the house where it learns
    assert env.action_space(agent) == single.action_space
    assert env.observation_space(agent)["observation"] == single.observation_space
    assert env.observation_space(agent)["action_mask"].shape == (single.action_space.n,)
    assert env.encoding(agent).layout.table() == single.encoding.layout.table()


def test_players_of_a_bookmaker_act_as_in_horse_race() -> None:
    env = parallel_env("bookmaker", stakes=(1, 3))
    bettor = gym.make("railbird/HorseRace-v0", stakes=(1, 3))
    assert env.action_space("player_0") == bettor.action_space == gym.spaces.Discrete(1 + 4 * 2)


def test_a_game_is_found_by_its_name_and_by_its_ids(variant: Any) -> None:
    names = (variant.game, variant.id, f"railbird:{variant.id}")
    assert len({str(parallel_env(name)) for name in names}) == 1
    with pytest.raises(UnknownName, match="there is no environment 'superfekta'; did you mean 'superfecta'"):
        parallel_env("superfekta")


# ---- play


def random_actions(env: Any, seen: Any, rng: np.random.Generator) -> dict[str, int]:
    """A legal action for each agent, often done where it may be, so that turns are played soon."""
    actions = {}
    for agent in env.agents:
        legal = np.flatnonzero(seen[agent]["action_mask"])
        actions[agent] = 0 if legal[0] == 0 and rng.random() < 0.4 else int(rng.choice(legal))
    return actions


def ledger(env: Any) -> list[int]:
    """What each agent has won by the books: chips, or where there are none the points of the last turn."""
    state, settings = env.table.game.state, env.table.options.settings
    if not hasattr(state, "bankrolls"):
        return list(state.profit[0])
    fresh = load(env.table.options.game).game(settings, 0, 1)
    fresh.start()
    return list((state.bankrolls - fresh.state.bankrolls)[0, : len(env.possible_agents)])


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_rewards_add_up_to_the_ledger(case: Any, games: int) -> None:
    env, rng = opened(case), np.random.default_rng(5)
    played = 0
    for game in range(games):
        seen, _ = env.reset(seed=3 if game == 0 else None)
        total = dict.fromkeys(env.agents, 0.0)
        while env.agents:
            seen, rewards, _, _, infos = env.step(random_actions(env, seen, rng))
            for agent, reward in rewards.items():
                total[agent] += reward
                assert reward == infos[agent]["profit"]
            played += any(rewards.values())
        assert list(total.values()) == ledger(env)
    assert played >= games // 2  # money, or points, did move


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_what_last_tells_adds_up_to_the_ledger(case: Any, games: int) -> None:
    env = parallel_to_aec(opened(case))
    rng = np.random.default_rng(6)
    for game in range(games):
        env.reset(seed=4 if game == 0 else None)
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, ended, cut, _ = env.last()
            total[agent] += reward
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if ended or cut else int(legal[int(rng.random() * len(legal))]))
        assert list(total.values()) == ledger(env.unwrapped)


def lowest(seen: Any) -> int:
    """The lowest legal action: what the tests' plain agents do."""
    return int(seen["action_mask"].argmax())


@pytest.mark.parametrize("lane", [0, 2])
def test_a_single_environment_is_one_seats_part_of_it(
    case: Any, lane: int, rival: Any, assert_same: Any
) -> None:
    settings = {"lane": lane, "reward": "expected"}
    single_only = {} if load(case.variant.game).players else {"seat": 0}
    others = {"opponents": [rival(case.variant.id)]}
    banked = {} if "bank" in case.settings or not load(case.variant.game).banker else {"banker": "fair"}
    single = case.make(**{**settings, **single_only, **others, **banked})
    env = opened(case, **settings, **banked)
    me = HOUSE if agents_differ(env) else "player_0"
    rng = np.random.default_rng(7)
    for game in range(12):
        seed = 8 if game == 0 else None
        (seen, _), (everyone, _) = single.reset(seed=seed), env.reset(seed=seed)
        ended, totals = False, [0.0, 0.0]
        while env.agents:
            asked = not ended and (env.table.places[env.possible_agents.index(me)].asked)
            action = lowest(everyone[me])
            if asked:
                assert_same(seen, everyone[me]["observation"])
                assert_same(single.action_masks().astype(np.int8), everyone[me]["action_mask"])
                action = int(rng.choice(np.flatnonzero(single.action_masks())))
                seen, reward, ended, _, _ = single.step(action)
                totals[0] += reward
            actions = {agent: lowest(everyone[agent]) for agent in env.agents} | {me: action}
            everyone, rewards, *_ = env.step(actions)
            totals[1] += rewards[me]
        assert ended
        assert totals[0] == pytest.approx(totals[1], abs=1e-9)


def test_the_turn_is_played_when_the_last_has_handed_in() -> None:
    env = parallel_env("superfecta", seats=3, races=1)
    env.reset(seed=1)
    first, second = (
        env.encoding("player_0").encode("WIN", "H", 1),
        env.encoding("player_0").encode("WIN", "D", 1),
    )
    seen, rewards, ended, _, _ = env.step({"player_0": 0, "player_1": first, "player_2": first})
    assert rewards == dict.fromkeys(env.agents, 0.0) and not any(ended.values())
    masks = [seen[agent]["action_mask"] for agent in env.agents]
    assert np.flatnonzero(masks[0]).tolist() == [0]  # it has handed in
    assert masks[1].sum() == 40 and masks[1][first] == 0  # 39 lines are left, and handing in
    assert seen["player_1"]["observation"][env.encoding("player_1").layout["draft"]].sum() == 1
    env.step({"player_0": 0, "player_1": 0, "player_2": second})
    _, rewards, ended, _, _ = env.step({"player_0": 0, "player_1": 0, "player_2": 0})
    assert all(ended.values()) and not env.agents
    # player_1 paid 1 and player_2 paid 2: the books of a single race without takeout balance
    assert rewards["player_0"] <= 1 and sum(rewards.values()) == 0
    assert env.table.game.state.last_stakes[0].sum(1).tolist() == [0, 1, 2]


def test_nobody_sees_what_others_are_writing(case: Any, assert_same: Any) -> None:
    env, rng = opened(case), np.random.default_rng(9)
    compared = waited = 0
    for game in range(6):
        seen, _ = env.reset(seed=2 if game == 0 else None)
        while env.agents:
            turn = int(env.table.game.state.turn[0])
            writer = [place.name for place in env.table.places if place.asked][-1]
            actions = random_actions(env, seen, rng)
            told = []  # what all are told after different actions of the writer's, the turn not yet played
            for action in np.flatnonzero(seen[writer]["action_mask"])[-3:]:
                other = copy.deepcopy(env)
                observations, _, _, _, infos = other.step(actions | {writer: int(action)})
                del observations[writer], infos[writer]
                if other.table.game.state.turn[0] == turn:
                    told.append((observations, infos))
            for things in told[1:]:
                assert_same(things, told[0])
            compared += len(told) > 1
            seen = env.step(actions)[0]
            waited += bool(env.table.game.state.turn[0] == turn)
    one_card = case.settings.get("hand_size") == 1
    assert compared > 3 or not waited or one_card  # in other games every decision is one action


def test_a_broke_seat_stays_with_action_0() -> None:
    env = parallel_env("superfecta", seats=2, races=30, bankroll=1)
    encoding = env.encoding("player_0")
    seen, _ = env.reset(seed=1)
    broke = 0
    while env.agents:
        assert env.agents == ["player_0", "player_1"]
        poor = env.table.game.out[0]
        for seat, agent in enumerate(env.agents):
            if poor[seat]:
                assert np.flatnonzero(seen[agent]["action_mask"]).tolist() == [0]
        broke += poor.any()
        wager = encoding.encode("SFC", "H/D/C/S", 1)
        actions = {agent: wager * int(seen[agent]["action_mask"][wager]) for agent in env.agents}
        seen, _, ended, _, _ = env.step(actions)
    assert broke > 20 and all(ended.values())


def test_a_named_banker_quotes_for_the_house() -> None:
    quotes = {}
    for banker in ("fair", "margin"):
        env = parallel_env("horse-race", banker=banker)
        env.reset(seed=1)
        assert env.table.names[-1] == banker
        quotes[banker] = env.table.game.state.quotes[0].tolist()
    assert (np.array(quotes["fair"]) >= 0).all()  # quoted before anybody is asked
    assert quotes["fair"] != quotes["margin"]


def test_a_banker_that_breaks_a_rule_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    env = parallel_env("horse-race", banker="fair")
    banker = env.table.banker._agents[0]
    monkeypatch.setattr(banker, "act", lambda view, draws: np.full((1, 4), 99))
    with pytest.raises(IllegalDecision, match=r"opponent 'fair' decided illegally: .* a quote of"):
        env.reset(seed=1)


def test_chance_is_named_by_seed_lane_and_episode(case: Any, assert_same: Any) -> None:
    def deals(seed: int, **more: Any) -> list[int]:
        env = opened(case, **more)
        keys = []
        for episode in range(3):
            env.reset(seed=seed if episode == 0 else None)
            keys.append(int(env.table.game.state.key[0]))
        return keys

    assert deals(1) == deals(1)
    assert len({*deals(1), *deals(2), *deals(1, lane=1)}) == 9
    single = case.make(action="wager")
    single.reset(seed=1)
    assert int(single.table.game.state.key[0]) == deals(1)[0]


def test_without_a_seed_the_root_is_new_and_can_be_asked() -> None:
    one, other, again = (parallel_env("superfecta") for _ in range(3))
    assert one.root_seed is None
    rails = []
    for env, seed in ((one, None), (other, None), (again, "told")):
        env.reset(seed=one.root_seed if seed else None)
        rails.append(env.table.game.state.rail_cards.tolist())
    assert rails[0] != rails[1] and rails[0] == rails[2]
