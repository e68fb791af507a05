"""The PettingZoo door: PettingZoo's own tests, and rewards that add up to the ledger.

Needs: N10 (multi-agent rewards and endings that add up).
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from ..parallel import SeatsParallelEnv
from .doors import Doors, house_of, table_of
from .money import brought
from .play import Player
from .verdicts import CheckFailed, NotApplicable

CYCLES: Final = 60
PETTINGZOO_CYCLES: Final = 4  # the cycles that `max_cycles_test` asks for
MEND: Final = "mend what it names"


@contextlib.contextmanager
def _told_by_name(env: Any) -> Iterator[None]:
    """Tells PettingZoo's `api_test` that an environment has observations with masks, and agents unlike each
    other where the house is one: it knows its own by name and warns at others.
    """
    module = import_module("pettingzoo.test.api_test")
    names = ["env_obs_dicts", "env_obs_space", *(["env_diff_agent_obs_size"] if house_of(env) else [])]
    before = {name: list(getattr(module, name)) for name in names}
    try:
        for name in names:
            getattr(module, name).append(str(env))
        yield
    finally:
        for name, known in before.items():
            setattr(module, name, known)


def _quietly(test: Callable[[], Any]) -> str:
    """Carries out one of PettingZoo's tests, its warnings being failures; what it printed."""
    printed = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("error")
        try:
            test()
        except (AssertionError, Warning) as told:
            raise CheckFailed(f"it says: {str(told) or type(told).__name__}", MEND) from told
    return printed.getvalue()


def parallel_api(doors: Doors, cycles: int = CYCLES) -> str:
    """PettingZoo's `parallel_api_test`."""
    from pettingzoo.test import parallel_api_test

    _quietly(lambda: parallel_api_test(doors.open_parallel(), num_cycles=cycles))
    return "passes without a warning"


def aec_api(doors: Doors, cycles: int = CYCLES) -> str:
    """PettingZoo's `api_test`, through its converter to an AEC environment."""
    from pettingzoo.test import api_test
    from pettingzoo.utils import parallel_to_aec

    env = doors.open_parallel()
    with _told_by_name(env):
        _quietly(lambda: api_test(parallel_to_aec(env), num_cycles=cycles))
    return "passes without a warning"


def equal_seeds(doors: Doors, cycles: int = CYCLES) -> str:
    """PettingZoo's `seed_test` and `parallel_seed_test`."""
    from pettingzoo.test import seed_test
    from pettingzoo.test.seed_test import parallel_seed_test
    from pettingzoo.utils import parallel_to_aec

    doors.open_parallel()
    _quietly(lambda: parallel_seed_test(doors.open_parallel, num_cycles=cycles))
    _quietly(lambda: seed_test(lambda: parallel_to_aec(doors.open_parallel()), num_cycles=cycles))
    return "equal seeds give equal episodes, parallel and in turn"


def every_render_mode(doors: Doors) -> str:
    """PettingZoo's `render_test`: every mode of the metadata returns what it should."""
    from pettingzoo.test import render_test
    from pettingzoo.utils import parallel_to_aec

    modes = doors.open_parallel().metadata["render_modes"]
    _quietly(
        lambda: render_test(lambda render_mode: parallel_to_aec(doors.open_parallel(render_mode=render_mode)))
    )
    return f"renders as {', '.join(modes)}"


def cycles_end(doors: Doors) -> str:
    """PettingZoo's `max_cycles_test`."""
    from pettingzoo.test import max_cycles_test
    from pettingzoo.utils import parallel_to_aec

    opened = []

    def short(max_cycles: int) -> Any:
        opened.append(doors.open_parallel(max_cycles=max_cycles))
        return opened[-1]

    module = SimpleNamespace(parallel_env=short, env=lambda max_cycles: parallel_to_aec(short(max_cycles)))
    try:
        _quietly(lambda: max_cycles_test(module))
    except CheckFailed:
        if any(_over_early(env) for env in opened):
            raise NotApplicable(
                "a game may be over before 4 cycles, which the test does not expect"
            ) from None
        raise
    return "an episode ends after max_cycles"


def _over_early(env: Any) -> bool:
    """Whether the game of an environment of ours was over before the cycles were spent."""
    return isinstance(env, SeatsParallelEnv) and env.table.over and env._cycles < PETTINGZOO_CYCLES


def rewards_add_up(doors: Doors, games: int = 4) -> str:
    """In whole games what each agent collects, step by step and through `last()`, is what the ledger says."""
    from pettingzoo.utils import parallel_to_aec

    env, player = doors.open_parallel(), Player(5)
    moved = 0
    for game in range(games):
        seen, _ = env.reset(seed=3 if game == 0 else None)
        total = dict.fromkeys(env.agents, 0.0)
        while env.agents:
            actions = {agent: _action(player, seen[agent]) for agent in env.agents}
            seen, rewards, ended, cut, _ = env.step(actions)
            for agent, reward in rewards.items():
                total[agent] += reward
            _flags(env, ended, cut, f"game {game + 1}")
        moved += any(total.values())
        _adds_up(env, total, f"game {game + 1}")
        turns = parallel_to_aec(env)
        turns.reset()
        total = dict.fromkeys(turns.agents, 0.0)
        for agent in turns.agent_iter():
            observation, reward, over, out, _ = turns.last()
            total[agent] += reward
            turns.step(None if over or out else _action(player, observation))
        _adds_up(env, total, f"game {game + 1}, last()")
    return f"what agents collect in {2 * games} games is what the ledger says"


def _action(player: Player, observation: Any) -> int:
    return int(player.actions(observation["action_mask"][np.newaxis])[0])


def _flags(env: Any, ended: dict[str, bool], cut: dict[str, bool], where: str) -> None:
    """Fails unless agents leave exactly when all are told that they end."""
    if any(ended.values()) != all(ended.values()) or (not env.agents) != (
        any(ended.values()) or any(cut.values())
    ):
        raise CheckFailed(
            f"terminations are {ended} and the agents left {env.agents}",
            "end all agents at once, with flags",
            where,
        )


def _adds_up(env: Any, total: dict[str, float], where: str) -> None:
    """Fails where what was collected is not what the books say."""
    due = dict(zip(env.possible_agents, ledger(env), strict=True))
    for agent, collected in total.items():
        if collected != due[agent]:
            raise CheckFailed(
                f"{agent} collected {collected:g}, its ledger changed by {due[agent]}",
                "pay every change in the step that makes it",
                where,
            )


def ledger(env: Any) -> list[int]:
    """What each agent has won by the books: chips, or where there are none the points of the last turn."""
    state = env.table.game.state
    if not hasattr(state, "bankrolls"):
        points: list[int] = state.profit[0].tolist()
        return points
    held: list[int] = state.bankrolls[0].tolist()
    return [now - before for now, before in zip(held, brought(env.table), strict=True)][
        : len(env.possible_agents)
    ]


def a_single_environment_is_one_seat(doors: Doors, games: int = 3) -> str:
    """The single environment of a seed deals what the open table deals: the same chance, seat for seat."""
    single, env = doors.open_table(), doors.open_parallel()
    for game in range(games):
        seed = 8 if game == 0 else None
        single.reset(seed=seed)
        env.reset(seed=seed)
        if table_of(single).game.state.key.tolist() != env.table.game.state.key.tolist():
            raise CheckFailed(
                "the single environment and the open table play different games of one seed",
                "name chance by (seed, lane, episode) in both",
                f"game {game + 1}",
            )
    return "the single environment plays the open table's games"
