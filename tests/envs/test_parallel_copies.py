"""The PettingZoo door: copies, pickles and saved states go on as the original, half-written tickets too."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import parallel_to_aec

from railbird.envs import parallel_env
from railbird.games.errors import BrokenFile

pytestmark = pytest.mark.slow  # what it starts or compiles takes long


def opened(case: Any, **more: Any) -> Any:
    """The table of a case, all its seats open: nobody is the learner and there are no opponents."""
    single = {"seat", "opponents"}
    settings = {name: value for name, value in case.settings.items() if name not in single}
    return parallel_env(case.variant.game, **{**settings, **more})


def random_actions(env: Any, seen: Any, rng: np.random.Generator) -> dict[str, int]:
    """An action for each agent: often done where it may be, so that turns are played soon, some illegal."""
    actions = {}
    for agent in env.agents:
        mask = seen[agent]["action_mask"]
        chosen = rng.choice(np.flatnonzero(mask)) if rng.random() < 0.8 else rng.integers(len(mask))
        actions[agent] = 0 if mask[0] and rng.random() < 0.4 else int(chosen)
    return actions


def written(env: Any) -> Any:
    """A copy by way of JSON text."""
    other = opened(env.case)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


COPIES: dict[str, Any] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "state": written,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_at_any_step_plays_the_same_future(case: Any, copied: Any, assert_same: Any) -> None:
    env = opened(case)
    env.case = case
    rng = np.random.default_rng(2)
    seen, _ = env.reset(seed=1)
    for step in range(15):
        other, ahead = copied(env), copy.deepcopy(env)
        plan, looking = np.random.default_rng(step), seen
        for _ in range(10):
            actions = random_actions(ahead, looking, plan)
            result = ahead.step(actions)
            assert_same(result, other.step(actions))
            looking = result[0]
            if not ahead.agents:
                again = ahead.reset()
                assert_same(again, other.reset())
                looking = again[0]
        seen = env.step(random_actions(env, seen, rng))[0]
        if not env.agents:
            seen, _ = env.reset()


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copied_aec_environment_plays_the_same_future(case: Any, way: str, assert_same: Any) -> None:
    env = parallel_to_aec(opened(case))
    rng = np.random.default_rng(3)

    def act(tables: Any, draws: np.random.Generator) -> None:
        """The same random step in each of these, which must be alike."""
        first = tables[0]
        if not first.agents:
            for table in tables:
                table.reset()
        seen, reward, ended, cut, info = first.last()
        for table in tables[1:]:
            assert table.agent_selection == first.agent_selection
            assert_same(table.last(), (seen, reward, ended, cut, info))
        action = None if ended or cut else int(draws.choice(np.flatnonzero(seen["action_mask"])))
        for table in tables:
            table.step(action)

    env.reset(seed=1)
    for step in range(10):
        other, ahead = COPIES[way](env), copy.deepcopy(env)
        plan = np.random.default_rng(step)
        for _ in range(30):
            act((ahead, other), plan)
        act((env,), rng)


def test_a_new_environment_can_be_copied_and_saved(case: Any, assert_same: Any) -> None:
    env = opened(case)
    env.case = case
    for copied in COPIES.values():
        assert_same(opened(case).reset(seed=4), copied(env).reset(seed=4))


def spoilt(state: Any, **changes: Any) -> Any:
    return {**state, **changes}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda state: {}, "says if it is being played"),
        (lambda state: spoilt(state, cycles=None), "says if it is being played"),
        (lambda state: spoilt(state, options="derby"), "a saved derby cannot go on as superfecta"),
        (lambda state: spoilt(state, game=None), "arrays were expected, not NoneType"),
        (lambda state: spoilt(state, drafts=None), "a list was expected, not NoneType"),
        (lambda state: spoilt(state, drafts=state["drafts"][:1]), "what each of 2 seats has written"),
        (lambda state: spoilt(state, asked=[True]), "what each of 2 seats has written"),
        (lambda state: spoilt(state, drafts=[{}, {}]), r"has the arrays \['cost', 'stakes'\], not \[\]"),
        (lambda state: spoilt(state, banker=[[]]), "a list of memories for 0 opponents"),
    ],
)
def test_a_broken_state_is_refused_and_nothing_has_changed(spoil: Any, message: str) -> None:
    env = parallel_env("superfecta", seats=2)
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 1))
    before = env.get_state()
    with pytest.raises(BrokenFile, match=message):
        env.set_state(spoil(json.loads(json.dumps(before))))
    assert env.get_state() == before
