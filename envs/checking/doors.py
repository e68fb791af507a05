"""The environment that is checked, behind each door it has: one of ours, or a user's own.

A door is a callable that makes the environment anew with more settings. Broken copies for tests take the
place of one door (`dataclasses.replace`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import gymnasium
from gymnasium.vector import VectorEnv

from ...agents.registry import user_module
from ...games.errors import InvalidSettings, RailbirdError, UnknownName
from .. import parallel_env, sb3_vec_env
from ..registration import register_envs
from ..seats import HOUSE
from ..single import SeatEnv
from ..variants import VARIANTS, Variant, variant_of
from ..vector import SeatVectorEnv
from .cases import Case
from .verdicts import NotApplicable

VERSIONED: Final = re.compile(r"-v\d+$")
SINGLE_ONLY: Final = ("seat", "opponents", "action")  # settings a table with all seats open does not have
NO_PETTINGZOO: Final = (
    "it is a Gymnasium environment; its game's open table is checked under the game's own id"
)


@dataclass(frozen=True, slots=True)
class Doors:
    """An environment by its doors; one that is missing is None, and ``missing`` says why."""

    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    variant: Variant | None = None  # which of ours it is or is built on
    single: Callable[..., Any] | None = None  # (**more) -> gymnasium.Env
    vector: Callable[..., Any] | None = None  # (lanes, **more) -> gymnasium.vector.VectorEnv
    sb3: Callable[..., Any] | None = None  # (lanes, **more) -> Stable-Baselines3's VecEnv
    parallel: Callable[..., Any] | None = None  # (**more) -> PettingZoo's ParallelEnv
    missing: dict[str, str] = field(default_factory=dict)

    def open_single(self, **more: Any) -> Any:
        """A new single environment.

        Raises:
            NotApplicable: there is none.
        """
        return self._open("single")(**more)

    def open_vector(self, lanes: int, **more: Any) -> Any:
        """A new vector environment; raises `NotApplicable` as `open_single`."""
        return self._open("vector")(lanes, **more)

    def open_sb3(self, lanes: int, **more: Any) -> Any:
        """A new `VecEnv`; raises `NotApplicable` as `open_single`."""
        return self._open("sb3")(lanes, **more)

    def open_parallel(self, **more: Any) -> Any:
        """A new `ParallelEnv`; raises `NotApplicable` as `open_single`."""
        return self._open("parallel")(**more)

    def open_table(self, **more: Any) -> Any:
        """A new single environment that is built on ours, so that its table can be looked into.

        Raises:
            NotApplicable: it is not.
        """
        env = self.open_single(**more)
        if not isinstance(env.unwrapped, SeatEnv):
            raise NotApplicable("it is not built on an environment of Railbird, so its table is not known")
        return env

    def takes(self, **more: Any) -> bool:
        """Whether the single environment has these settings."""
        if self.single is None:
            return False
        try:
            self.single(**more)
        except (TypeError, UnknownName):
            return False
        return True

    def _open(self, door: str) -> Callable[..., Any]:
        opened: Callable[..., Any] | None = getattr(self, door)
        if opened is None:
            raise NotApplicable(self.missing.get(door, f"it has no {door} door"))
        return opened


def table_of(env: Any) -> Any:
    """The table behind an environment that is built on ours."""
    return env.unwrapped.table


def doors_of(case: Case) -> Doors:
    """One of our environments with these settings."""
    given = {name: value for name, value in case.settings.items() if name not in SINGLE_ONLY}
    return Doors(
        name=case.variant.id,
        settings=case.settings,
        variant=case.variant,
        single=case.make,
        vector=case.make_vec,
        sb3=lambda lanes, **more: sb3_vec_env(case.variant.id, lanes, **{**case.settings, **more}),
        parallel=lambda **more: parallel_env(case.variant.game, **{**given, **more}),
    )


def open_doors(name: str, **settings: Any) -> Doors:
    """The environment of a name.

    Args:
        name: a game, "superfecta"; one of our ids; an id that Gymnasium knows; or a user's own, a Gymnasium
            id as ``module:Id`` or a class or function that makes the environment as ``module:Class``.
        settings: given to it whenever it is made.

    Raises:
        UnknownName: there is no such environment.
        InvalidSettings: the module cannot be loaded, or what it has there is no environment.
    """
    register_envs()
    module_name, colon, own = name.partition(":")
    ours = {variant.id for variant in VARIANTS} | {variant.game for variant in VARIANTS}
    if name.removeprefix("railbird:") in ours:
        doors = doors_of(Case(variant_of(name), settings))
        doors.open_single()  # says at once what is wrong with a setting
        return doors
    if not colon:
        if name not in gymnasium.registry:
            variant_of(name)  # raises and suggests the nearest of ours
        return _registered(name, name, settings)
    module = user_module(module_name)
    made = getattr(module, own, None)
    if made is not None:
        return _own(name, made, settings)
    if own in gymnasium.registry:
        return _registered(name, own, settings)
    raise InvalidSettings(_not_there(module, module_name, own))


def _not_there(module: Any, module_name: str, own: str) -> str:
    """The error where a user's module has no such environment, with those it has."""
    names = [
        name for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, gymnasium.Env) and value.__module__ == module.__name__
    ]  # fmt: skip
    if VERSIONED.search(own):
        return f"importing {module_name!r} registers no environment {own!r}; call gymnasium.register in it"
    return f"module {module_name!r} has no {own!r}; it has the environments: {', '.join(names) or 'none'}"


def _registered(name: str, own: str, settings: dict[str, Any]) -> Doors:
    """An environment that Gymnasium knows by its id."""
    spec = gymnasium.spec(own)
    vector = partial(_make_vec, own, settings) if spec.vector_entry_point else None
    return _described(name, settings, partial(_make, own, settings), vector)


def _make(id: str, settings: dict[str, Any], **more: Any) -> Any:
    env = gymnasium.make(id, disable_env_checker=True, **{**settings, **more})
    while isinstance(env, gymnasium.wrappers.OrderEnforcing | gymnasium.wrappers.TimeLimit):
        env = env.env  # Gymnasium's own, which say nothing about the environment
    return env


def _make_vec(id: str, settings: dict[str, Any], lanes: int, **more: Any) -> Any:
    given = {**settings, **more}
    return gymnasium.make_vec(id, lanes, vectorization_mode="vector_entry_point", **given)


def _own(name: str, made: Any, settings: dict[str, Any]) -> Doors:
    """An environment from a class, or from a function that makes it."""
    if inspect.isclass(made) and issubclass(made, SeatVectorEnv):
        single = Case(made.variant, settings).make
        return _described(name, settings, single, partial(_construct_vec, made, settings))
    if inspect.isclass(made) and issubclass(made, VectorEnv):
        why = "only the vector environment was named"
        return Doors(name, settings, vector=partial(_construct_vec, made, settings), missing={"single": why})
    env = _made(name, partial(_construct, made, settings))
    if hasattr(env, "possible_agents"):
        why = "it is a PettingZoo environment"
        missing = dict.fromkeys(("single", "vector", "sb3"), why)
        return Doors(name, settings, parallel=partial(_construct, made, settings), missing=missing)
    if not isinstance(env, gymnasium.Env):
        raise InvalidSettings(
            f"{name} makes a {type(env).__name__}; what is checked is a gymnasium.Env, a gymnasium VectorEnv"
            " or a PettingZoo ParallelEnv"
        )
    return _described(name, settings, partial(_construct, made, settings), None)


def _construct(made: Any, settings: dict[str, Any], **more: Any) -> Any:
    return made(**{**settings, **more})


def _made(name: str, make: Callable[[], Any]) -> Any:
    """What a user's maker makes.

    Raises:
        InvalidSettings: it raised.
    """
    try:
        return make()
    except RailbirdError:
        raise
    except Exception as error:
        raise InvalidSettings(f"{name} cannot be made: {type(error).__name__}: {error}") from error


def _construct_vec(made: Any, settings: dict[str, Any], lanes: int, **more: Any) -> Any:
    return made(num_envs=lanes, **{**settings, **more})


def _described(name: str, settings: dict[str, Any], single: Any, vector: Any) -> Doors:
    """The doors of a user's single environment, and of its vector environment if it has one."""
    missing = {
        "vector": "no vector_entry_point is registered with it; Gymnasium's SyncVectorEnv serves",
        "sb3": "it has no VecEnv of its own; Stable-Baselines3's DummyVecEnv serves",
        "parallel": NO_PETTINGZOO,
    }
    env = _made(name, single).unwrapped
    variant = env.variant if isinstance(env, SeatEnv) else None
    if variant is None and vector is not None:
        vector, missing["vector"] = None, "it is not built on ours, and only those name their lanes"
    return Doors(name, settings, variant, single, vector, missing=missing)


def house_of(env: Any) -> bool:
    """Whether the house is an agent of a PettingZoo environment, unlike the others."""
    return HOUSE in env.possible_agents
