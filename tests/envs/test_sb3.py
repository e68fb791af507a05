"""The Stable-Baselines3 door: equal to `DummyVecEnv` over single environments, and its algorithms learn."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from railbird.envs import sb3_vec_env
from railbird.envs.checking import vectors
from railbird.envs.checking.doors import doors_of
from railbird.games.errors import IllegalDecision, InvalidSettings, UnknownName

pytestmark = pytest.mark.slow  # what it starts or compiles takes long

LANES = 3
ENOUGH = (150, pytest.param(3_400, marks=pytest.mark.slow))  # times 3 lanes: over 10^4 steps
SUPERFECTA = "railbird/Superfecta-v0"


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Any:
    """Networks this small are no work for two, and results then depend on one order of sums."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def native(case: Any, lanes: int = LANES, **more: Any) -> Any:
    return sb3_vec_env(case.variant.id, lanes, **{**case.settings, **more})


@pytest.mark.parametrize("steps", ENOUGH)
def test_equals_dummy_vec_env_step_by_step(case: Any, steps: int) -> None:
    found = vectors.compare_with_dummy(doors_of(case), steps)
    assert found.ends > steps // 30 and found.illegal > steps // 100


def test_equals_dummy_vec_env_with_whole_tickets(ticket_case: Any) -> None:
    rng = np.random.default_rng(5)
    sizes = native(ticket_case, action="ticket").action_space.nvec

    def choose(masks: Any) -> Any:
        return rng.integers(0, sizes, (LANES, len(sizes))) * (rng.random((LANES, len(sizes))) < 0.2)

    assert vectors.compare_with_dummy(doors_of(ticket_case), 60, choose, action="ticket").ends > 20


def test_spaces_are_those_of_the_single_environment(case: Any) -> None:
    env, single = native(case), case.make()
    assert (env.observation_space, env.action_space) == (single.observation_space, single.action_space)
    assert env.num_envs == LANES and is_masking_supported(env)


def test_infos_are_apart_and_only_those_of_ended_lanes_hold_anything(rival: Any) -> None:
    env = sb3_vec_env(SUPERFECTA, 3, races=2, opponents=[rival(SUPERFECTA)])
    env.seed(1)
    env.reset()
    wager = env.get_attr("encoding")[0].encode("WIN", "H", 1)
    env.step(np.array([0, 0, wager]))
    _, rewards, dones, infos = env.step(np.array([0, wager, 0]))
    assert dones.tolist() == [True, False, False]
    assert infos[1:] == [{}, {}] and infos[1] is not infos[2]
    ended = infos[0]
    assert ended["TimeLimit.truncated"] is False and ended["illegal_action"] is False
    assert ended["profit"] == rewards[0] == 0  # nobody has bet a chip
    race = env.get_attr("encoding")[0].layout["race"]
    assert ended["terminal_observation"][race] == 1  # 2 of 2 races run; the next episode begins at 0
    infos[1]["mine"] = 1
    assert env.step(np.array([0, wager + 1, 0]))[3][1] == {}


def test_what_was_handed_out_is_not_altered_later(case: Any, legal_actions: Any, assert_same: Any) -> None:
    env, rng = native(case), np.random.default_rng(1)
    env.seed(1)
    handed_out = [env.reset()]
    for _ in range(60):
        handed_out.append(env.step(legal_actions(get_action_masks(env), rng)))
    then = copy.deepcopy(handed_out)
    for _ in range(60):
        env.step(legal_actions(get_action_masks(env), rng))
    assert_same(handed_out, then)


# ---- what is asked of single lanes


def test_masks_are_bools_lane_by_lane(case: Any) -> None:
    env = native(case)
    env.seed(1)
    env.reset()
    masks = env.env_method("action_masks")
    assert [mask.dtype for mask in masks] == [np.dtype(bool)] * LANES
    assert np.array_equal(np.stack(masks), env.action_masks())
    for lanes in (1, [2, 0], (2,), range(2), None):
        named = range(LANES) if lanes is None else [lanes] if isinstance(lanes, int) else lanes
        assert np.array_equal(env.env_method("action_masks", indices=lanes), [masks[lane] for lane in named])
    assert np.array_equal(env.get_attr("action_masks", [2])[0](), masks[2])


def test_attributes_are_read_and_set_lane_by_lane() -> None:
    env = sb3_vec_env(SUPERFECTA, 3, render_mode="ansi")
    assert env.get_attr("render_mode", 1) == ["ansi"] and env.render_mode == "ansi"
    assert env.get_attr("action_space") == [env.action_space] * 3
    assert not env.has_attr("reward_scale")
    env.set_attr("reward_scale", 2, indices=[0, 2])
    assert env.get_attr("reward_scale", [2, 0]) == [2, 2]
    assert not env.has_attr("reward_scale")  # not in all lanes
    env.set_attr("reward_scale", 3)
    assert env.get_attr("reward_scale") == [3, 3, 3]
    with pytest.raises(AttributeError, match="step_size"):
        env.get_attr("step_size")
    with pytest.raises(AttributeError, match="step_size"):
        env.env_method("step_size")
    assert env.env_is_wrapped(Monitor) == [False] * 3 and env.env_is_wrapped(Monitor, 0) == [False]


def test_lanes_are_shown() -> None:
    env = sb3_vec_env(SUPERFECTA, 2, render_mode="ansi", races=2)
    env.seed(1)
    env.reset()
    assert ["Race 1 of 2" in text for text in env.env_method("render")] == [True, True]
    assert env.env_method("render_race", indices=1) == [[]]
    assert list(env.get_images()) == [None, None]
    pictures: Any = sb3_vec_env(SUPERFECTA, 2, render_mode="rgb_array")
    pictures.seed(1)
    pictures.reset()
    height, width, _ = pictures.get_images()[0].shape
    assert pictures.render().shape == (2 * height, width, 3)  # Stable-Baselines3 tiles downwards first
    assert pictures.metadata["render_fps"] == 2


# ---- seeds


def rails(env: Any, episodes: int = 2) -> list[tuple[int, ...]]:
    dealt = []
    for _ in range(episodes):
        env.reset()
        dealt += [tuple(cards) for cards in env.table.game.state.rail_cards.tolist()]
    return dealt


def test_all_lanes_get_the_seed_and_share_nothing() -> None:
    env = sb3_vec_env(SUPERFECTA, 16)
    assert env.seed(5) == [5] * 16
    first = rails(env)
    env.seed(6)
    assert len({*first, *rails(env)}) == 2 * 2 * 16
    env.seed(5)
    assert rails(env) == first
    assert not set(rails(env)) & set(first)  # without a seed the next episodes of the root


def test_without_a_seed_the_root_is_new() -> None:
    one, other = (rails(sb3_vec_env(SUPERFECTA, 2)) for _ in range(2))
    assert not set(one) & set(other)
    env = sb3_vec_env(SUPERFECTA, 2)
    told = env.seed()
    again = sb3_vec_env(SUPERFECTA, 2)
    again.seed(told[0])
    assert rails(env) == rails(again)


def test_a_model_seeds_its_environment() -> None:
    dealt = []
    for _ in range(2):
        env = sb3_vec_env(SUPERFECTA, 2)
        PPO("MlpPolicy", env, n_steps=4, batch_size=8, n_epochs=1, seed=3, device="cpu").learn(8)
        dealt.append(env.table.game.state.root.tolist())
    assert dealt[0] == dealt[1]


# ---- what is refused


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(UnknownName, match="there is no environment 'railbird/Superfecta-v1'; did you mean"):
        sb3_vec_env("railbird/Superfecta-v1")
    with pytest.raises(
        UnknownName, match="no setting of railbird/Superfecta-v0 'rases'; did you mean 'races'"
    ):
        sb3_vec_env(SUPERFECTA, 2, rases=3)
    with pytest.raises(InvalidSettings, match="n_envs is a whole number from 1"):
        sb3_vec_env(SUPERFECTA, 0)
    env = sb3_vec_env("railbird:railbird/Superfecta-v0", 2)
    with pytest.raises(IllegalDecision, match="lane 0: the episode is over or has not begun; reset it first"):
        env.step(np.zeros(2, np.int64))
    env.set_options({"races": 2})
    with pytest.raises(UnknownName, match="there is no reset option 'races'"):
        env.reset()


# ---- wrappers and algorithms


def test_vec_monitor_counts_episodes(case: Any, tmp_path: Any, legal_actions: Any) -> None:
    env = VecMonitor(native(case), str(tmp_path / "log"))
    rng = np.random.default_rng(2)
    env.seed(1)
    env.reset()
    total, length, episodes = np.zeros(LANES), np.zeros(LANES), 0
    for _ in range(100):
        _, rewards, dones, infos = env.step(legal_actions(get_action_masks(env), rng))
        total += rewards
        length += 1
        for lane in np.flatnonzero(dones):
            assert infos[lane]["episode"]["r"] == pytest.approx(total[lane])
            assert infos[lane]["episode"]["l"] == length[lane]
            total[lane] = length[lane] = 0
            episodes += 1
    env.close()
    lines = (tmp_path / "log.monitor.csv").read_text().splitlines()
    assert json.loads(lines[0].removeprefix("#"))["env_id"] == case.variant.id
    assert len(lines) == 2 + episodes > 5


def test_vec_normalize_scales_last_observations_too(legal_actions: Any) -> None:
    env = VecNormalize(sb3_vec_env(SUPERFECTA, 2, races=1), norm_reward=False)
    plain = sb3_vec_env(SUPERFECTA, 2, races=1)
    for one in (env, plain):
        one.seed(1)
        one.reset()
    for _ in range(5):
        infos, raw = env.step(np.zeros(2, np.int64))[3], plain.step(np.zeros(2, np.int64))[3]
        for lane in range(2):
            scaled = env.normalize_obs(raw[lane]["terminal_observation"])
            np.testing.assert_array_equal(infos[lane]["terminal_observation"], scaled)


ALGORITHMS = {
    "MaskablePPO": (MaskablePPO, {"n_steps": 20, "batch_size": 160, "n_epochs": 2}),
    "PPO": (PPO, {"n_steps": 20, "batch_size": 160, "n_epochs": 2}),
    "A2C": (A2C, {"n_steps": 10}),
    "DQN": (DQN, {"learning_starts": 64, "buffer_size": 512, "train_freq": 4, "batch_size": 32}),
}


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_learns_on_every_id(short_case: Any, name: str) -> None:
    made, settings = ALGORITHMS[name]
    env = VecMonitor(native(short_case, 8))
    model = made("MlpPolicy", env, seed=1, device="cpu", **settings)
    before = copy.deepcopy(model.policy.state_dict())
    model.learn(320)
    assert model.num_timesteps == 320 and len(model.ep_info_buffer) > 0
    after = model.policy.state_dict()
    assert any(not after[weight].equal(before[weight]) for weight in before)
    assert all(bool(values.isfinite().all()) for values in after.values())


def test_a_masked_policy_never_acts_illegally(short_case: Any) -> None:
    env = native(short_case, 4, illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1, seed=1, device="cpu")
    model.learn(32)
    mean, _ = evaluate_policy(model, VecMonitor(env), n_eval_episodes=8, deterministic=False)
    assert np.isfinite(mean)


# ---- copies


def written(env: Any, case: Any) -> Any:
    """A copy by way of JSON text."""
    other = native(case)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "state"])
def test_a_copy_plays_the_same_future(case: Any, way: str, legal_actions: Any, assert_same: Any) -> None:
    env, rng = native(case), np.random.default_rng(1)
    env.seed(1)
    env.reset()
    for step in range(16):
        env.step(legal_actions(env.action_masks(), rng))
        if step % 5 == 0:
            copied = {"deepcopy": copy.deepcopy, "pickle": lambda one: pickle.loads(pickle.dumps(one))}
            other = copied[way](env) if way in copied else written(env, case)
            ahead, plan = copy.deepcopy(env), np.random.default_rng(step)
            for _ in range(12):
                actions = legal_actions(ahead.action_masks(), plan)
                assert_same(ahead.step(actions), other.step(actions))
                assert_same(get_action_masks(ahead), get_action_masks(other))
