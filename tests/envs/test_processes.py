"""Environments in processes of their own, spawned or forked, play what they play in this one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from railbird.envs.variants import VARIANTS

LANES = 2
# A forked worker is a copy of this process with its threads missing; the workers here use none.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
METHODS = ("fork", pytest.param("spawn", marks=pytest.mark.slow))  # each spawned worker imports everything


def singles(variant_id: str, **settings: Any) -> list[Callable[[], Any]]:
    """Makers that need no import of railbird where they are called."""
    return [partial(gym.make, f"railbird:{variant_id}", lane=lane, **settings) for lane in range(LANES)]


def scripted(masks: Any, step: int) -> Any:
    """The last legal action in two steps of three, else the first."""
    last = masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
    return np.where(step % 3 < 2, last, masks.argmax(1))


def gymnasium_story(env: Any) -> list[Any]:
    """All that a vector environment of Gymnasium says in some games."""
    seen, infos = env.reset(seed=[7] * LANES)
    story = [seen, infos["action_mask"]]
    for step in range(40):
        seen, rewards, ended, cut, infos = env.step(scripted(infos["action_mask"], step))
        story += [seen, rewards, ended, cut, infos["action_mask"], infos["profit"]]
    env.close()
    return story


def sb3_story(env: Any) -> list[Any]:
    """All that a vector environment of Stable-Baselines3 says in some games."""
    env._seeds = [7] * LANES
    story = [env.reset()]
    for step in range(40):
        masks = np.stack(env.env_method("action_masks"))
        seen, rewards, ended, infos = env.step(scripted(masks, step))
        story += [
            masks,
            seen,
            rewards.tolist(),
            ended,
            list(infos),
        ]  # one has float32 and a list, one neither
    env.close()
    return story


@pytest.mark.parametrize("method", METHODS)
def test_async_vector_env_plays_what_sync_does(short_case: Any, method: str, assert_same: Any) -> None:
    makers = singles(short_case.variant.id, **short_case.settings)
    apart = AsyncVectorEnv(makers, context=method)
    assert_same(gymnasium_story(apart), gymnasium_story(SyncVectorEnv(makers)))


@pytest.mark.parametrize("method", METHODS)
def test_subproc_vec_env_plays_what_dummy_does(short_case: Any, method: str, assert_same: Any) -> None:
    makers = singles(short_case.variant.id, **short_case.settings)
    apart = SubprocVecEnv(makers, start_method=method)
    assert_same(sb3_story(apart), sb3_story(DummyVecEnv(makers)))


def test_a_spawned_worker_finds_an_id_without_an_import(assert_same: Any) -> None:
    makers = singles(VARIANTS[0].id, races=2)
    apart = AsyncVectorEnv(makers, context="spawn")
    assert_same(gymnasium_story(apart), gymnasium_story(SyncVectorEnv(makers)))


@pytest.mark.parametrize("method", METHODS)
def test_workers_without_a_seed_inherit_none(method: str) -> None:
    env = SubprocVecEnv(singles(VARIANTS[0].id)[:1] * 2, start_method=method)  # twice lane 0
    rails = set()
    for _ in range(2):
        env.reset()
        rails |= {lane.table.game.state.rail_cards.tobytes() for lane in env.get_attr("unwrapped")}
    env.close()
    assert len(rails) == 4


@pytest.mark.slow
def test_make_vec_env_spawns_an_id() -> None:
    env: Any = make_vec_env(
        f"railbird:{VARIANTS[0].id}", 2, vec_env_cls=SubprocVecEnv, vec_env_kwargs={"start_method": "spawn"}
    )
    assert env.reset().shape == (2, *env.observation_space.shape)
    env.close()
