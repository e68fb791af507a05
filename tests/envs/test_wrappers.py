"""What holds for every wrapper: the contracts of Gymnasium, equality of forms, company, copies, refusals."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics, TimeAwareObservation, TimeLimit
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordVectorStatistics

from railbird.envs import wrappers as single
from railbird.envs.wrappers import vector
from railbird.games.errors import BrokenFile, InvalidSettings

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HORSE_RACE = "railbird/HorseRace-v0"
BOOKMAKER = "railbird/Bookmaker-v0"
RACING_ACES = "railbird/RacingAces-v0"
DERBY = "railbird/PasteboardDerby-v0"
SAVE_THE_BET = "railbird/SaveTheBet-v0"
ROTATING = {"bank": "rotate", "races": 6, "bankroll": 6, "seats": 3, "seat": "rotate"}
PRO_RATA = {"split": "pro_rata", "races": 2, "bankroll": 2000, "seats": 3}
LANES = 3
ALL = np.ones(LANES, bool)


@dataclass(frozen=True)
class Stack:
    """An environment and the wrappers around it, the innermost first."""

    id: str
    layers: tuple[tuple[str, dict[str, Any]], ...]
    settings: dict[str, Any] = field(default_factory=dict)

    def around(self, env: Any, forms: Any) -> Any:
        for name, options in self.layers:
            env = getattr(forms, name)(env, **options)
        return env

    def single(self, **more: Any) -> Any:
        return self.around(make(self.id, **self.settings, **more), single)

    def vector(self, lanes: int = LANES, **more: Any) -> Any:
        native = make_vec(self.id, lanes, vectorization_mode="vector_entry_point", **self.settings, **more)
        return self.around(native, vector)


SHORT = {"races": 3, "bankroll": 12, "seats": 3}
MONEY = {"races": 3, "bankroll": 60, "seats": 3}
STACKS = {
    "log-wealth": Stack(SUPERFECTA, (("LogWealthReward", {}),), SHORT),
    "log-wealth-banking": Stack(RACING_ACES, (("LogWealthReward", {"floor": 2}),), ROTATING),
    "scaled": Stack(SUPERFECTA, (("ScaledReward", {}),), SHORT),
    "scaled-house": Stack(BOOKMAKER, (("ScaledReward", {"chips": 50}),), {"races": 2, "seats": 3}),
    "catalogue": Stack(SUPERFECTA, (("TicketCatalogue", {}),), SHORT),
    "catalogue-by-suit": Stack(
        SUPERFECTA, (("TicketCatalogue", {"kinds": ("WIN", "SFC box"), "horses": "suit"}),), PRO_RATA
    ),
    "fractions": Stack(SUPERFECTA, (("StakeFractions", {}),), SHORT),
    "fractions-horse-race": Stack(HORSE_RACE, (("StakeFractions", {"most": 0.5}),), MONEY),
    "fractions-banking": Stack(
        RACING_ACES, (("StakeFractions", {}),), {**ROTATING, "stakes": (1, 2), "max_wagers": 2}
    ),
    "odds": Stack(SUPERFECTA, (("ExactOdds", {}),), SHORT),
    "odds-horse-race": Stack(HORSE_RACE, (("ExactOdds", {}),), MONEY),
    "odds-house": Stack(BOOKMAKER, (("ExactOdds", {}),), {"races": 2, "seats": 3}),
    "past": Stack(SUPERFECTA, (("PastRaces", {"races": 2}),), SHORT),
    "past-banking": Stack(RACING_ACES, (("PastRaces", {}),), ROTATING),
    "past-quoting": Stack(
        HORSE_RACE, (("PastRaces", {}),), {**ROTATING, "bankroll": 40, "opponents": "margin+kelly"}
    ),
    "past-derby": Stack(DERBY, (("PastRaces", {"races": 1}),), {"races": 4, "bankroll": 5, "seats": 4}),
    "all-of-superfecta": Stack(
        SUPERFECTA,
        (
            ("TicketCatalogue", {"stakes": (1, 3)}), ("LogWealthReward", {}), ("ExactOdds", {}),
            ("ScaledReward", {"chips": 2}), ("PastRaces", {}),
        ),
        SHORT,
    ),
    "all-of-racing-aces": Stack(
        RACING_ACES,
        (("PastRaces", {}), ("ExactOdds", {}), ("LogWealthReward", {}), ("StakeFractions", {})),
        {"races": 5, "bankroll": 3, "seats": 2},
    ),
}  # fmt: skip


@pytest.fixture(params=STACKS.values(), ids=list(STACKS))
def stack(request: pytest.FixtureRequest) -> Any:
    return request.param


def choose(env: Any, masks: Any, rng: np.random.Generator) -> Any:
    """Actions for masks (n, choices): legal ones, or fractions that may add up to more than the bankroll."""
    space = getattr(env, "single_action_space", env.action_space)
    if isinstance(space, gym.spaces.Box):
        shares = rng.random((len(masks), *space.shape)) * (rng.random((len(masks), *space.shape)) < 0.3)
        return shares.astype(np.float32)
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


# Gymnasium would rather check what is inside; here the wrapped environment is to be checked itself.
@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_passes_gymnasiums_checker(stack):
    check_env(stack.single())


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_vector_form_equals_sync_vector_env_over_the_single_one(stack, mode, assert_same):
    native = stack.vector(autoreset_mode=mode)
    sync = SyncVectorEnv([partial(stack.single, lane=lane) for lane in range(LANES)], autoreset_mode=mode)
    for name in ("single_action_space", "action_space", "single_observation_space", "observation_space"):
        assert getattr(native, name) == getattr(sync, name), name
    assert native.metadata == sync.metadata
    rng = np.random.default_rng(5)
    assert_same(native.reset(seed=4), sync.reset(seed=[4] * LANES))
    ends = 0
    for step in range(50):
        assert_same(native.action_masks(), np.array(sync.call("action_masks")))
        chosen = choose(native, native.action_masks(), rng)
        if step % 9 == 0:
            chosen[0] = -1  # illegal
        mine = native.step(chosen)
        assert_same(mine, sync.step(chosen), f"step {step}")
        ended = mine[2]
        ends += int(ended.sum())
        again = ended if mode is AutoresetMode.DISABLED else ~ALL
        again = again | ((np.arange(LANES) == 0) & (step == 2))  # so that lanes do not stay in step
        if again.any():
            options = [{"reset_mask": again.copy()} for _ in range(2)]
            assert_same(native.reset(options=options[0]), sync.reset(options=options[1]))
    assert ends >= LANES


def play(env: Any, steps: int, seed: int = 1) -> int:
    """Plays on and on; how many episodes ended or were cut, each with its statistics right."""
    rng, rewards, ends = np.random.default_rng(seed), [], 0
    seen, info = env.reset(seed=seed)
    for _ in range(steps):
        assert seen in env.observation_space
        seen, reward, ended, cut, info = env.step(choose(env, info["action_mask"][None], rng)[0])
        rewards.append(reward)
        if ended or cut:
            assert info["episode"]["r"] == pytest.approx(sum(rewards)) and info["episode"]["l"] == len(
                rewards
            )
            rewards, ends = [], ends + 1
            seen, info = env.reset()
    return ends


def test_goes_into_time_limits_and_statistics(stack):
    assert play(RecordEpisodeStatistics(TimeLimit(stack.single(), 3)), 24) >= 8


def test_goes_around_time_limits(stack):
    inside = TimeLimit(make(stack.id, **stack.settings), 3)
    assert play(RecordEpisodeStatistics(stack.around(inside, single)), 24) >= 8


def test_goes_around_statistics_whose_rewards_are_those_inside(stack):
    inside = RecordEpisodeStatistics(make(stack.id, **stack.settings))
    env = stack.around(inside, single)
    rng, profit = np.random.default_rng(1), 0
    _, info = env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(choose(env, info["action_mask"][None], rng)[0])
        profit += info["profit"]
    assert info["episode"]["r"] == profit


@pytest.mark.parametrize("mode", AutoresetMode)
def test_goes_into_vector_statistics(stack, mode):
    env: Any = RecordVectorStatistics(stack.vector(autoreset_mode=mode))
    rng, rewards, ends = np.random.default_rng(1), [[] for _ in range(LANES)], 0
    env.reset(seed=1)
    waiting = ~ALL
    for _ in range(40):
        _, got, ended, _, infos = env.step(choose(env, env.unwrapped.action_masks(), rng))
        for lane in np.flatnonzero(~waiting):
            rewards[lane].append(got[lane])
            if ended[lane]:
                assert infos["episode"]["l"][lane] == len(rewards[lane])
                assert infos["episode"]["r"][lane] == pytest.approx(sum(rewards[lane]))
                rewards[lane], ends = [], ends + 1
        if mode is AutoresetMode.DISABLED and ended.any():
            env.reset(options={"reset_mask": ended.copy()})
        waiting = ended & (mode is AutoresetMode.NEXT_STEP)
    assert ends >= LANES


def test_goes_around_vector_statistics(stack):
    inside = make_vec(stack.id, LANES, vectorization_mode="vector_entry_point", **stack.settings)
    env = stack.around(RecordVectorStatistics(inside), vector)
    rng, ends = np.random.default_rng(1), 0
    env.reset(seed=1)
    for _ in range(40):
        *_, infos = env.step(choose(env, env.action_masks(), rng))
        ends += int(infos.get("_episode", ~ALL).sum())
    assert ends >= LANES


def by_state(env: Any, stack: Stack, form: str) -> Any:
    """A copy by way of JSON text."""
    other = getattr(stack, form)()
    other.reset(seed=9)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


@pytest.mark.parametrize("form", ["single", "vector"])
def test_copies_and_saved_states_play_the_same_future(stack, form, assert_same):
    env = getattr(stack, form)()
    rng = np.random.default_rng(2)
    env.reset(seed=2)

    def act(one: Any, draws: np.random.Generator) -> Any:
        masks = one.action_masks()
        return choose(one, masks, draws) if form == "vector" else choose(one, masks[None], draws)[0]

    def step(one: Any, action: Any) -> Any:
        result = one.step(action)
        return (result, one.reset()) if form == "single" and result[2] else (result, None)

    for _ in range(3):
        others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), by_state(env, stack, form)]
        ahead, plan = copy.deepcopy(env), np.random.default_rng(3)
        for _ in range(4):
            action = act(ahead, plan)
            result = step(ahead, action)
            for other in others:
                assert_same(result, step(other, action))
        step(env, act(env, rng))


def test_a_copy_leaves_the_original_alone(stack):
    env = stack.single()
    env.reset(seed=1)
    before = env.get_state()
    other, rng = copy.deepcopy(env), np.random.default_rng(1)
    for _ in range(3):
        if other.step(choose(other, other.action_masks()[None], rng)[0])[2]:
            other.reset()
    assert env.get_state() == before


def test_a_state_of_other_wrappers_is_refused_and_nothing_has_changed():
    env = single.PastRaces(make(SUPERFECTA), races=2)
    env.reset(seed=1)
    env.step(0)
    before = env.get_state()
    other = single.PastRaces(make(SUPERFECTA), races=3)
    other.reset(seed=1)
    spoilt: list[tuple[Any, str]] = [
        (other.get_state(), "a saved PastRaces races 3 cannot go on as PastRaces races 2"),
        (env.unwrapped.get_state(), "a saved None cannot go on as PastRaces races 2"),
        ({**before, "env": None}, "it has no environment inside, but None"),
        ({**before, "memory": {}}, "a saved state has the arrays"),
        ({**before, "env": {}}, "a saved None cannot go on as superfecta"),
    ]
    for state, message in spoilt:
        with pytest.raises(BrokenFile, match=message):
            env.set_state(state)
    assert env.get_state() == before


UNFIT: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
    ("LogWealthReward", SAVE_THE_BET, {}, {}, "LogWealthReward is for games with chips; save-the-bet has"),
    ("LogWealthReward", BOOKMAKER, {}, {}, "LogWealthReward is for players; the account of the house"),
    ("LogWealthReward", SUPERFECTA, {"reward": "expected"}, {}, "reward='cash', not 'expected'"),
    ("LogWealthReward", SUPERFECTA, {}, {"floor": 0}, "floor is a whole number from 1 to"),
    ("ScaledReward", SAVE_THE_BET, {}, {}, "ScaledReward is for games with chips; save-the-bet has none"),
    ("ScaledReward", SUPERFECTA, {"bankroll": 0}, {}, "nobody brings a chip to this table; name the amount"),
    ("ScaledReward", SUPERFECTA, {}, {"chips": 0}, "chips is a whole number from 1 to"),
    ("TicketCatalogue", RACING_ACES, {}, {}, "TicketCatalogue is for Superfecta; racing-aces has no exotic"),
    ("TicketCatalogue", SUPERFECTA, {"action": "ticket"}, {}, "the actions here are Tickets; make the env"),
    ("TicketCatalogue", SUPERFECTA, {}, {"kinds": ["QUINELLA"]}, "a kind of ticket is one of 'WIN', 'EXA'"),
    ("TicketCatalogue", SUPERFECTA, {}, {"kinds": []}, "kinds are some of 'WIN', .*, at least one"),
    ("TicketCatalogue", SUPERFECTA, {}, {"stakes": (2, 1)}, r"stake levels are ascending .* not \(2, 1\)"),
    ("TicketCatalogue", SUPERFECTA, {}, {"stakes": (0,)}, "a stake level in minimum bets is a whole number"),
    ("TicketCatalogue", SUPERFECTA, {}, {"horses": "name"}, "horses is one of 'rank', 'suit', not 'name'"),
    ("StakeFractions", DERBY, {}, {}, "StakeFractions is for games with tickets; pasteboard-derby has none"),
    ("StakeFractions", SAVE_THE_BET, {}, {}, "StakeFractions is for games with tickets; save-the-bet has"),
    ("StakeFractions", BOOKMAKER, {}, {}, "StakeFractions is for bettors; this learner at bookmaker quotes"),
    ("StakeFractions", HORSE_RACE, {"bank": "rotate"}, {}, "this learner at horse-race quotes odds"),
    ("StakeFractions", SUPERFECTA, {}, {"most": 0}, "most is a share of the bankroll above 0"),
    ("StakeFractions", SUPERFECTA, {}, {"most": 1.5}, "most is a number from 0 to 1"),
    ("ExactOdds", DERBY, {}, {}, "ExactOdds is for races with a rail of cards; in pasteboard-derby"),
    ("ExactOdds", SAVE_THE_BET, {}, {}, "ExactOdds is for races with a rail of cards; in save-the-bet"),
    ("PastRaces", SAVE_THE_BET, {}, {}, "PastRaces is for games with races; save-the-bet has none"),
    ("PastRaces", SUPERFECTA, {}, {"races": 0}, "races is a whole number from 1 to 64, not 0"),
]


@pytest.mark.parametrize(("name", "env_id", "settings", "options", "message"), UNFIT)
def test_what_does_not_fit_is_one_clear_error(name, env_id, settings, options, message):
    with pytest.raises(InvalidSettings, match=message):
        getattr(single, name)(make(env_id, **settings), **options)
    native = make_vec(env_id, 2, vectorization_mode="vector_entry_point", **settings)
    with pytest.raises(InvalidSettings, match=message):
        getattr(vector, name)(native, **options)


@pytest.mark.parametrize("name", single.__all__)
def test_environments_of_others_and_of_the_other_form_are_refused(name):
    with pytest.raises(InvalidSettings, match=f"{name} wraps an environment of Railbird, single or vector"):
        getattr(single, name)(make("CartPole-v1"))
    with pytest.raises(InvalidSettings, match=f"{name} wraps an environment of Railbird, single or vector"):
        getattr(vector, name)(SyncVectorEnv([partial(make, SUPERFECTA)]))
    native = make_vec(SUPERFECTA, 2, vectorization_mode="vector_entry_point")
    with pytest.raises(InvalidSettings, match=f"railbird.envs.wrappers.vector.{name} is for vector ones"):
        getattr(single, name)(native)
    with pytest.raises(InvalidSettings, match=f"railbird.envs.wrappers.{name} is for single ones"):
        getattr(vector, name)(make(SUPERFECTA))


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_lanes_stepped_by_several_threads_play_the_same(stack, mode, assert_same):
    one, several = (stack.vector(lanes=5, threads=threads, autoreset_mode=mode) for threads in (1, 2))
    rng = np.random.default_rng(6)
    assert_same(one.reset(seed=4), several.reset(seed=4))
    for _ in range(12):
        actions = choose(one, one.action_masks(), rng)
        assert_same(one.step(actions), several.step(actions))
    several.close()


def test_actions_are_changed_once():
    env = single.TicketCatalogue(make(SUPERFECTA))
    with pytest.raises(InvalidSettings, match="the actions here are CatalogueActions"):
        single.StakeFractions(env)
    assert env.action_space == gym.spaces.Discrete(95)


def test_features_are_added_once_and_before_others_change_the_observation():
    env = single.PastRaces(make(SUPERFECTA))
    with pytest.raises(InvalidSettings, match="have the features of PastRaces already; wrap once"):
        single.PastRaces(env)
    with pytest.raises(InvalidSettings, match="ExactOdds comes before wrappers that change observations"):
        single.ExactOdds(TimeAwareObservation(TimeLimit(make(SUPERFECTA), 9)))
    assert len(env.unwrapped.table.watchers) == 1  # the refused one does not watch


def test_actions_others_have_changed_are_refused():
    flipped = gym.wrappers.TransformAction(
        make(SUPERFECTA), lambda action: 40 - action, gym.spaces.Discrete(41)
    )
    with pytest.raises(InvalidSettings, match="StakeFractions comes before wrappers that change actions"):
        single.StakeFractions(flipped)


def test_a_wager_half_written_is_dropped_when_actions_change():
    env = make(SUPERFECTA, seats=2, opponents="random")
    env.reset(seed=1)
    env.step(1)  # $1 WIN H
    wrapped = single.TicketCatalogue(env)
    wrapped.step(0)
    assert not env.unwrapped.table.game.state.last_stakes[0, 0].any()
