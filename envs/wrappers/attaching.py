"""How a wrapper reaches the batch of tables behind an environment, and what all wrappers here share.

What a learner sees and does is told by the batch itself, so a wrapper that changes either changes it there,
once for single and vector environments: masks, illegal actions, last observations and autoresets of every
mode are then those of the doors. The environment inside sees and acts in the same way from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from gymnasium import Env
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ...games.errors import BrokenFile, InvalidSettings
from ...games.kernels import Flags
from ...games.layout import Layout
from ..actions import Actions, Wagers
from ..learner_table import LearnerTable
from ..single import SeatEnv, observation_space
from ..snapshot import check_arrays, pack_arrays, unpack_arrays
from ..vector import SeatVectorEnv
from .extended import Extended, Extra

AnyEnv = Env[Any, Any] | VectorEnv[Any, Any, Any]


class Core(Protocol):
    """What a wrapper does, on a batch; single and vector wrappers are shells around the same one."""

    @property
    def summary(self) -> str:
        """All that two wrappers must share for one to carry on the other's game."""

    def kept(self) -> dict[str, NDArray[Any]]:
        """What it remembers of each lane, not copied."""


def table_of(env: AnyEnv, wrapper: str) -> LearnerTable:
    """The batch of tables behind an environment.

    Raises:
        InvalidSettings: it is none of Railbird's.
    """
    base = getattr(env, "unwrapped", None)
    if not isinstance(base, SeatEnv | SeatVectorEnv):
        raise InvalidSettings(f"{wrapper} wraps an environment of Railbird, single or vector, not {env!r}")
    return base.table


def act_by(env: AnyEnv, actions: Actions, wrapper: str) -> None:
    """Lets the learners of an environment act in another way.

    Raises:
        InvalidSettings: somebody has changed the actions before.
    """
    base: Any = env.unwrapped
    own = base.table.actions
    if not isinstance(own, Wagers):
        raise InvalidSettings(
            f"{wrapper} takes the place of wagers, and the actions here are {type(own).__name__};"
            " make the environment with action='wager' and change its actions once"
        )
    if env.action_space is not base.action_space:
        raise InvalidSettings(f"{wrapper} comes before wrappers that change actions; wrap it first")
    base.table.act_by(actions)
    if isinstance(base, SeatVectorEnv):
        base.single_action_space = actions.space
        base.action_space = batch_space(actions.space, base.num_envs)
    else:
        base.action_space = actions.space


def see_more(env: AnyEnv, extra: Extra, wrapper: str) -> None:
    """Puts features behind those the learners of an environment see.

    Raises:
        InvalidSettings: the features are there already, or somebody else has changed the observations.
    """
    base: Any = env.unwrapped
    if env.observation_space is not base.observation_space:
        raise InvalidSettings(f"{wrapper} comes before wrappers that change observations; wrap it first")
    known = {block.name for block in base.table.encoding.layout.blocks}
    if known & {name for name, *_ in extra.parts}:
        raise InvalidSettings(f"these observations have the features of {wrapper} already; wrap once")
    base.table.encoding = Extended(base.table.encoding, extra)
    single = observation_space(base.table.encoding)
    if isinstance(base, SeatVectorEnv):
        base.single_observation_space = single
        base.observation_space = batch_space(single, base.num_envs)
    else:
        base.observation_space = single


class Attached:
    """What every wrapper here offers, single or vector."""

    env: Any
    unwrapped: Any
    core: Core

    @property
    def layout(self) -> Layout:
        """The index table of an observation, ``layout.table()`` as text."""
        layout: Layout = self.unwrapped.table.encoding.layout
        return layout

    def action_masks(self) -> Flags:
        """The legal actions as bools, for sb3-contrib; int8 in ``info["action_mask"]``."""
        legal: Flags = self.unwrapped.action_masks()
        return legal

    def get_state(self) -> dict[str, Any]:
        """The environment, Railbird's wrappers included, as JSON data; those of others are passed over.

        Raises:
            RailbirdError: a rival remembers something that cannot be written down (copy and pickle can).
        """
        return {
            "wrapper": self.core.summary,
            "memory": pack_arrays(self.core.kept()),
            "env": self._inside().get_state(),
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state that an environment of the same settings and wrappers wrote.

        Raises:
            BrokenFile: it is of others or cannot be read; nothing has changed.
        """
        if state.get("wrapper") != self.core.summary:
            raise BrokenFile(f"a saved {state.get('wrapper')} cannot go on as {self.core.summary}")
        inside = state.get("env")
        if not isinstance(inside, Mapping):
            raise BrokenFile(f"a saved state cannot be read: it has no environment inside, but {inside!r}")
        memory = unpack_arrays(state.get("memory"))
        check_arrays(self.core.kept(), memory)
        self._inside().set_state(inside)
        for name, array in self.core.kept().items():
            array[:] = memory[name]

    def _inside(self) -> Any:
        """The next environment inside that knows how to be saved."""
        env = self.env
        while not hasattr(env, "get_state"):
            env = env.env
        return env
