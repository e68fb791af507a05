"""Vector environments: equal to Gymnasium's and Stable-Baselines3's own over single ones, step by step.

Needs: N8 (autoreset modes, last observations, nothing handed out is altered).
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from .doors import Doors
from .play import WILD, Player
from .sameness import difference, step_difference
from .spaces import unaltered
from .verdicts import CheckFailed, NotApplicable

Choose: TypeAlias = Callable[[Any], Any]  # masks (lanes, actions) -> actions

LANES: Final = 3
STEPS: Final = 80
MODES: Final = tuple(mode.value for mode in AutoresetMode)


@dataclass(frozen=True, slots=True)
class Compared:
    """What happened while two environments were compared."""

    ends: int  # of episodes
    apart: int  # steps in which only some of the lanes ended
    illegal: int  # actions

    def __str__(self) -> str:
        return f"{self.ends} ends, {self.apart} of them apart, {self.illegal} illegal actions"


def equals_sync(doors: Doors, mode: str, steps: int = STEPS, **more: Any) -> str:
    """The native vector environment returns what `SyncVectorEnv` over single ones with ``lane=i`` does."""
    compared = compare_with_sync(doors, mode, steps, **more)
    return f"equals SyncVectorEnv for {steps} steps, {compared}"


def compare_with_sync(
    doors: Doors, mode: str, steps: int, choose: Choose | None = None, seed: int = 11, **more: Any
) -> Compared:
    """Steps both side by side with the actions chosen, by default some illegal ones."""
    native, sync = both(doors, mode, **more)
    choose = choose or Player(3, LANES, wild=WILD).actions
    _same_step(native.reset(seed=seed), sync.reset(seed=[seed] * LANES), mode, "reset")
    ends = apart = illegal = 0
    for step in range(steps):
        actions = choose(native.action_masks())
        mine, theirs = native.step(actions), sync.step(actions)
        _same_step(mine, theirs, mode, f"step {step}")
        ended = mine[2] | mine[3]
        ends += int(ended.sum())
        apart += bool(ended.any() and not ended.all())
        illegal += int(np.sum(mine[4].get("illegal_action", 0)))
        again = ended if mode == AutoresetMode.DISABLED.value else ended & False
        if step == 2:
            again = again | (np.arange(LANES) == 0)  # so that games of one length do not stay in step
        if again.any():
            _reset_both(native, sync, again, mode, step)
    return Compared(ends, apart, illegal)


def _reset_both(native: Any, sync: Any, lanes: Any, mode: str, step: int) -> None:
    """Resets some lanes of both and compares what they say."""
    options = {"reset_mask": lanes.copy()}
    told = native.reset(options=options)
    _same_step(told, sync.reset(options={"reset_mask": lanes.copy()}), mode, f"reset after step {step}")
    if options.keys() != {"reset_mask"}:
        raise CheckFailed("a reset alters the caller's options", "read them only", f"step {step}")


def both(doors: Doors, mode: str, **more: Any) -> tuple[Any, Any]:
    """The native vector environment and `SyncVectorEnv` over single ones, both of this autoreset mode."""
    native = doors.open_vector(LANES, autoreset_mode=mode, **more)
    if not doors.takes(lane=1):
        raise NotApplicable("the single environment has no setting 'lane', so lanes cannot be compared")
    singles = [partial(doors.open_single, lane=lane, **more) for lane in range(LANES)]
    return native, SyncVectorEnv(singles, autoreset_mode=mode)


def _same_step(mine: Any, theirs: Any, mode: str, where: str) -> None:
    differs = step_difference(mine, theirs)
    if differs:
        raise CheckFailed(
            f"in mode {mode} it differs from SyncVectorEnv: {differs}",
            "end, reset and tell in the step in which Gymnasium does",
            where,
        )


def the_mode_is_published(doors: Doors) -> str:
    """``metadata["autoreset_mode"]`` is what was asked for."""
    for mode in AutoresetMode:
        told = doors.open_vector(2, autoreset_mode=mode.value).metadata.get("autoreset_mode")
        if told is not mode:
            raise CheckFailed(f"asked for {mode.value}, metadata says {told}", "publish the mode in metadata")
    return "the autoreset mode is in the metadata"


def vector_arrays_stay(doors: Doors, steps: int = 40) -> str:
    """What a vector environment hands out is not altered later, and altering it alters no game."""
    for mode in MODES:
        stories = []
        for spoil in (False, True):
            envs, player = doors.open_vector(LANES, autoreset_mode=mode), Player(1, LANES)
            handed = [envs.reset(seed=2)]
            copied = [copy.deepcopy(handed[0])]
            for _ in range(steps):
                masks = envs.action_masks()
                if spoil:
                    _fill(handed[-1])
                handed.append(envs.step(player.actions(masks)))
                copied.append(copy.deepcopy(handed[-1]))
                ended = copied[-1][2] | copied[-1][3]
                if mode == AutoresetMode.DISABLED.value and ended.any():
                    handed.append(envs.reset(options={"reset_mask": ended.copy()}))
                    copied.append(copy.deepcopy(handed[-1]))
            if not spoil:
                unaltered(handed, copied)
            stories.append(copied)
        differs = difference(stories[0], stories[1])
        if differs:
            raise CheckFailed(
                f"altering what was handed out alters the game: {differs}", "hand out copies", f"mode {mode}"
            )
    return "nothing that was handed out is altered, and altering it alters no game"


def _fill(value: Any) -> None:
    """Overwrites every array that was handed out."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, tuple | list):
        for item in value:
            _fill(item)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        _fill([item for item in value if item is not None])
    elif isinstance(value, np.ndarray):
        value[...] = 1


# ---- Stable-Baselines3


def sb3_has_nothing_to_say(doors: Doors) -> str:
    """Stable-Baselines3's `check_env`, its warnings included."""
    from stable_baselines3.common.env_checker import check_env

    env = doors.open_single()
    try:
        check_env(env, warn=True)
    except (AssertionError, ValueError, TypeError) as told:
        raise CheckFailed(f"its check_env says: {told}", "mend what it names") from told
    return "its check_env passes without a warning"


def equals_dummy(doors: Doors, steps: int = STEPS, **more: Any) -> str:
    """Our `VecEnv` returns what `DummyVecEnv` over single ones does; infos only where an episode ended."""
    return f"equals DummyVecEnv for {steps} steps, {compare_with_dummy(doors, steps, **more)}"


def compare_with_dummy(
    doors: Doors, steps: int, choose: Choose | None = None, seed: int = 11, **more: Any
) -> Compared:
    """Steps both side by side as `compare_with_sync` does."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    mine = doors.open_sb3(LANES, **more)
    singles: list[Any] = [partial(doors.open_single, lane=lane, **more) for lane in range(LANES)]
    dummy = DummyVecEnv(singles)
    mine.seed(seed)
    dummy._seeds = [seed] * LANES  # its own `seed` counts up from lane to lane
    choose = choose or Player(3, LANES, wild=WILD).actions
    _same_sb3(mine.reset(), dummy.reset(), "reset")
    _same_sb3(mine.reset_infos, dummy.reset_infos, "reset infos")
    ends = apart = illegal = 0
    for step in range(steps):
        masks = np.stack(mine.env_method("action_masks"))
        _same_sb3(masks, np.stack(dummy.env_method("action_masks")), f"step {step}, masks")
        actions = choose(masks)
        seen, rewards, dones, infos = mine.step(actions)
        expected = dummy.step(actions)
        _same_sb3((seen, rewards, dones), expected[:3], f"step {step}")
        for lane, info in enumerate(infos):
            _same_sb3(info, expected[3][lane] if dones[lane] else {}, f"step {step}, infos of lane {lane}")
        if dones.any():
            _same_sb3(mine.reset_infos, dummy.reset_infos, f"step {step}, reset infos")
        ends += int(dones.sum())
        apart += bool(dones.any() and not dones.all())
        illegal += sum(info["illegal_action"] for info in expected[3])
    return Compared(ends, apart, illegal)


def _same_sb3(mine: Any, theirs: Any, where: str) -> None:
    differs = difference(mine, theirs)
    if differs:
        raise CheckFailed(f"it differs from DummyVecEnv: {differs}", "return what DummyVecEnv does", where)
