"""Copies, pickles and saved states go on as the original, coming deals included.

Needs: N12 (copy, pickle and restore in mid-game).
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from ...games.errors import RailbirdError
from .doors import Doors
from .play import Player
from .sameness import difference, step_difference
from .verdicts import CheckFailed, NotApplicable

Past: TypeAlias = list[tuple[Any, Any]]  # (action, or None for a reset; what was returned)
Watch: TypeAlias = Callable[[Any, int, bool], None]  # told the environment, the step, and whether it is over

STEPS: Final = 12
AHEAD: Final = 8
REMEDIES: Final = {
    "deepcopy": "keep the game in plain attributes, and copy all of them in __deepcopy__",
    "pickle": "keep the game in plain attributes, and hand all of them out in __reduce__ or __getstate__",
    "state": "let get_state hold the game, the chance to come and all memories",
}
WAYS: Final = tuple(REMEDIES)


def copies_go_on_as_the_original(doors: Doors, way: str, steps: int = STEPS, ahead: int = AHEAD) -> str:
    """A copy made at any step plays the future that the original then has, and leaves the original alone."""
    env = doors.open_single()
    if way == "state" and not hasattr(env.unwrapped, "get_state"):
        raise NotApplicable("it has no get_state and set_state")
    copied, copies = _way(doors, way), []

    def watch(original: Any, step: int, ended: bool) -> None:
        if step < steps:
            copies.append(_copy(copied, original, way, step))
            other = _copy(copied, original, way, step)
            if not ended:  # else the other would first have to be reset
                _goes_on(lambda: _play(other, Player(step), ahead), way, step)

    past = _play(env, Player(1), steps + ahead, watch, seed=1)
    alone = _play(doors.open_single(), Player(1), steps + ahead, seed=1)
    for step, (seen, quiet) in enumerate(zip(past, alone, strict=True)):
        differs = step_difference(seen[1], quiet[1])
        if differs:
            raise CheckFailed(
                f"playing a copy alters the original: {differs}", REMEDIES[way], f"{way}, step {step}"
            )
    for step, other in enumerate(copies):
        for action, result in past[step : step + ahead]:
            move = other.reset if action is None else partial(other.step, action)
            differs = step_difference(result, _goes_on(move, way, step))
            if differs:
                raise CheckFailed(
                    f"a copy plays another future: {differs}", REMEDIES[way], f"{way}, step {step}"
                )
    return f"a copy made at any of {steps} steps plays the original's future"


def _play(env: Any, player: Player, steps: int, watch: Watch | None = None, seed: int | None = None) -> Past:
    """What an environment does in so many steps, later resets counted; ``watch`` sees each begin."""
    if seed is not None:
        env.reset(seed=seed)
    past: Past = []
    ended = False
    for step in range(steps):
        if watch is not None:
            watch(env, step, ended)
        action = None if ended else player.action(env)
        result = env.reset() if ended else env.step(action)
        ended = not ended and bool(result[2] or result[3])
        past.append((action, result))
    return past


def _goes_on(move: Callable[[], Any], way: str, step: int) -> Any:
    """What a move with a copy returns; that there can be none is a failure."""
    try:
        return move()
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise CheckFailed(
            f"a copy cannot be played on: {told}", REMEDIES[way], f"{way}, step {step}"
        ) from error


def twin(env: Any) -> Any:
    """A deepcopy of an environment that is built on ours, for checks that compare two of them.

    Raises:
        CheckFailed: the copy has lost the game.
    """
    other, table = copy.deepcopy(env), getattr(env.unwrapped, "table", None)
    if table is None:
        return other
    mine, theirs = table.game.save(), other.unwrapped.table.game.save()
    if difference(mine, theirs):
        raise CheckFailed("it cannot be told: a deepcopy loses the game", "mend the copies first")
    return other


def _copy(copied: Callable[[Any], Any], env: Any, way: str, step: int) -> Any:
    """A copy; that there can be none is a failure."""
    try:
        return copied(env)
    except CheckFailed:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise CheckFailed(f"it cannot be copied: {told}", REMEDIES[way], f"{way}, step {step}") from error


def _way(doors: Doors, way: str) -> Callable[[Any], Any]:
    """How an environment is copied."""
    if way == "deepcopy":
        return copy.deepcopy
    if way == "pickle":
        return lambda env: pickle.loads(pickle.dumps(env))

    def written(env: Any) -> Any:
        other = doors.open_single()
        try:
            text = json.dumps(env.unwrapped.get_state())
        except TypeError as error:
            raise CheckFailed(f"get_state is no JSON data: {error}", "return JSON data alone") from error
        except RailbirdError as error:
            raise CheckFailed(f"get_state raises: {error}", "keep memories that are plain data") from error
        other.unwrapped.set_state(json.loads(text))
        return other

    return written
