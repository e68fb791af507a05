"""What Gymnasium asks of an environment: its checker, and observations within their space.

Needs: N9 (observations inside their space, exact dtype, sane scale).
"""

from __future__ import annotations

import copy
import warnings
from typing import Any, Final

import numpy as np
from gymnasium.utils.env_checker import check_env

from ...games.errors import InvalidSettings
from .doors import Doors
from .play import Player, vector_masks
from .verdicts import CheckFailed, NotApplicable

STEPS: Final = 200
BANKROLLS: Final = (0, 1, 2, 2**24 + 1, 2**40)  # float32 has no 2^24 + 1
# What the checker says of how an environment was handed to it, not of the environment: it is wrapped on
# purpose, and one that was made from its class has no id to be made by again.
ASIDE: Final = (".*different from the unwrapped version", ".*Not able to test alternative render modes")


def gymnasium_has_nothing_to_say(doors: Doors) -> str:
    """Gymnasium's `check_env`, its warnings included."""
    env = doors.open_single()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for aside in ASIDE:
            warnings.filterwarnings("ignore", aside)
        try:
            check_env(env)
        except (Warning, AssertionError, ValueError, TypeError, RuntimeError) as told:
            said = str(told).replace("\x1b[33m", "").replace("\x1b[0m", "") or type(told).__name__
            raise CheckFailed(f"check_env says: {said}", "mend what it names") from told
    return "check_env passes without a warning"


def observations_lie_in_their_space(doors: Doors, steps: int = STEPS) -> str:
    """Every observation is in the space, of its dtype, and finite, as every reward is."""
    env, player = doors.open_single(), Player(2)
    seen, _ = env.reset(seed=1)
    for step in range(steps):
        _inside(env.observation_space, seen, f"step {step}")
        seen, reward, ended, cut, _ = env.step(player.action(env))
        if not np.isfinite(reward):
            raise CheckFailed(f"the reward is {reward}", "rewards are finite numbers", f"step {step}")
        if ended or cut:
            _inside(env.observation_space, seen, f"step {step}, the last of an episode")
            seen, _ = env.reset()
    return f"{steps} observations lie in their space, all finite"


def observations_bear_any_bankroll(doors: Doors, bankrolls: tuple[int, ...] = BANKROLLS) -> str:
    """The same in a vector environment whose players have no chips, few or very many."""
    borne = []
    for bankroll in bankrolls:
        try:
            envs = doors.open_vector(4, bankroll=bankroll)
        except InvalidSettings:
            continue  # the rules forbid it
        except LookupError:
            raise NotApplicable("its players have no chips") from None
        player = Player(3, lanes=4)
        seen, infos = envs.reset(seed=1)
        for step in range(20):
            for row in seen:
                _inside(envs.single_observation_space, row, f"bankroll {bankroll}, step {step}")
            seen, _, _, _, infos = envs.step(player.actions(vector_masks(envs, infos)))
        borne.append(f"{bankroll:,}")
    return f"observations stay in their space with bankrolls of {', '.join(borne)}"


def _inside(space: Any, seen: Any, where: str) -> None:
    """Fails where an observation is outside its space."""
    parts = [seen] if isinstance(seen, np.ndarray) else []
    if any(part.dtype.kind == "f" and not np.isfinite(part).all() for part in parts):
        place = int(np.flatnonzero(~np.isfinite(parts[0]))[0])
        raise CheckFailed(
            f"observation[{place}] is {parts[0].flat[place]}", "scale features to finite numbers", where
        )
    if space.contains(seen) and all(part.dtype == space.dtype for part in parts):
        return
    raise CheckFailed(_outside(space, seen), "observe within the space, in its dtype", where)


def _outside(space: Any, seen: Any) -> str:
    """What is wrong with an observation outside its space."""
    if not isinstance(seen, np.ndarray) or not hasattr(space, "low"):
        return f"the observation {seen!r} is not in {space}"
    if (seen.dtype, seen.shape) != (space.dtype, space.shape):
        return f"the observation is {seen.dtype} of shape {seen.shape}, not {space.dtype} of {space.shape}"
    place = tuple(int(index[0]) for index in np.nonzero((seen < space.low) | (seen > space.high)))
    bounds = f"{space.low[place]:g}..{space.high[place]:g}"
    return f"observation[{', '.join(map(str, place))}] is {seen[place]:g}, outside {bounds}"


def handed_out_arrays_stay(doors: Doors, steps: int = 40) -> str:
    """Nothing that was handed out is altered by later steps (single environment). Need: N8."""
    env, player = doors.open_single(), Player(1)
    handed: list[Any] = [env.reset(seed=2)]
    copied = [copy.deepcopy(handed[0])]
    for _ in range(steps):
        handed.append(env.step(player.action(env)))
        copied.append(copy.deepcopy(handed[-1]))
        if handed[-1][2] or handed[-1][3]:
            handed.append(env.reset())
            copied.append(copy.deepcopy(handed[-1]))
    unaltered(handed, copied)
    return f"what {steps} steps handed out is not altered by later ones"


def unaltered(handed: list[Any], copied: list[Any]) -> None:
    """Fails where something handed out no longer equals the copy made at once."""
    from .sameness import step_difference

    for step, (now, then) in enumerate(zip(handed, copied, strict=True)):
        differs = step_difference(then, now)
        if differs:
            raise CheckFailed(
                f"what was handed out is altered by later steps: {differs}",
                "hand out fresh arrays",
                f"result {step}",
            )
