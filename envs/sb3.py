"""The Stable-Baselines3 door: any game as a native `VecEnv`, all lanes in one batch.

It equals `DummyVecEnv` over the single environments step by step, save that the infos of lanes whose episode
goes on are empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from ..games.checks import whole
from ..games.kernels import Features, Flags
from .groups import open_table
from .options import read_options
from .outcome import Outcome
from .registration import register_envs
from .rendering import Frame, show, show_race
from .single import RENDER_FPS, check_reset_options, new_root, observation_space
from .variants import Variant

ACTION_MASKS = "action_masks"  # what sb3-contrib asks every lane for


class Lane:
    """One lane as the environment it stands for: what `get_attr`, `set_attr` and `env_method` reach."""

    def __init__(self, envs: SeatVecEnv, number: int, seen: spaces.Space[Features]) -> None:
        self._envs = envs
        self._number = number
        self.spec = envs.spec
        self.render_mode = envs.table.options.render_mode
        self.action_space = envs.table.actions.space
        self.observation_space = seen

    @property
    def unwrapped(self) -> Lane:
        """Itself: nothing is wrapped around a lane."""
        return self

    @property
    def encoding(self) -> Any:
        """What the learner sees and does: `decode` explains an action, `layout` an observation."""
        return self._envs.table.encoding

    def action_masks(self) -> Flags:
        """(actions,) bool: the legal actions."""
        legal: Flags = self._envs.action_masks()[self._number]
        return legal

    def render(self) -> Frame | None:
        """The lane as text or as a picture (height, width, 3) uint8."""
        return show(self._envs.table, self._number)

    def render_race(self) -> list[Frame]:
        """The lane's last race as it was run, a frame for each card; empty before the first."""
        return show_race(self._envs.table, self._number)


class SeatVecEnv(VecEnv):
    """Many tables with one learner each.

    An episode that ends is followed by the next one in the same step; the info of its lane is then that of
    the last step (``action_mask``, ``illegal_action``, ``profit``) with ``terminal_observation`` and
    ``TimeLimit.truncated``, which is False. All other infos are empty: the masks are had from `action_masks`.

    Args:
        variant: the environment.
        n_envs: number of lanes.
        settings: those of the single environment; ``lane`` is the number of the first lane.
    """

    def __init__(self, variant: Variant, n_envs: int = 1, **settings: Any) -> None:
        options = read_options(variant, settings)
        lanes = whole("n_envs", n_envs, 1, 2**31)
        register_envs()
        self.spec = gymnasium.spec(variant.id)  # VecMonitor writes the id into its log
        self.table = open_table(options, lanes)
        seen = observation_space(self.table.encoding)
        self._lanes = [Lane(self, number, seen) for number in range(lanes)]
        self._actions: NDArray[Any] | None = None
        super().__init__(lanes, seen, self.table.actions.space)
        self.metadata: dict[str, Any] = {**self.metadata, "render_fps": RENDER_FPS}

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Gives all lanes one root seed, which the next reset begins; None is one from the operating system.

        Lanes of one root share nothing, and neither do neighbouring roots, so the seed is not counted up from
        lane to lane as Stable-Baselines3 else does.
        """
        self._seeds = [new_root() if seed is None else seed] * self.num_envs
        return self._seeds

    def reset(self) -> Features:
        """Begins an episode in every lane: after `seed` the first of that root, else the next of the root a
        lane has, and at first one of a root from the operating system.
        """
        for options in filter(None, self._options):
            check_reset_options(options, known=())
        if not self.table.started.all():
            root = new_root()
            self._seeds = [root if seed is None else seed for seed in self._seeds]
        self.table.reset(seeds=self._seeds)
        self._reset_seeds()
        self._reset_options()
        self._tell_resets(np.arange(self.num_envs))
        return self.table.observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Hands in an action for each lane."""
        self._actions = actions

    def step_wait(self) -> tuple[Features, NDArray[np.float32], Flags, list[dict[str, Any]]]:
        """Takes the actions that were handed in."""
        outcome = self.table.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]  # wrappers may write into each
        if outcome.ended.any():
            self._tell_ends(outcome, infos)
            self.table.reset(outcome.ended)
            self._tell_resets(np.flatnonzero(outcome.ended))
        return self.table.observe(), outcome.rewards.astype(np.float32), outcome.ended, infos

    def _tell_ends(self, outcome: Outcome, infos: list[dict[str, Any]]) -> None:
        """Fills the infos of the lanes whose episode has ended."""
        seen = self.table.observe_ended(outcome.ended)
        for row, lane in enumerate(np.flatnonzero(outcome.ended).tolist()):
            infos[lane] = {
                "action_mask": self.table.actions.nothing.copy(),
                "illegal_action": bool(outcome.illegal[lane]),
                "profit": int(outcome.profits[lane]),
                "TimeLimit.truncated": False,
                "terminal_observation": seen[row].copy(),
            }

    def _tell_resets(self, lanes: NDArray[np.int64]) -> None:
        """What the single environments say at a reset, for these lanes."""
        masks = self.table.masks()[lanes]
        for lane, mask in zip(lanes.tolist(), masks, strict=True):
            self.reset_infos[lane] = {"action_mask": mask, "illegal_action": False, "profit": 0}

    def action_masks(self) -> Flags:
        """(n_envs, actions) bool: the legal actions of every lane."""
        legal: Flags = self.table.masks() == 1
        return legal

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of each of these lanes."""
        return [getattr(lane, attr_name) for lane in self._named(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Sets an attribute of each of these lanes; it changes nothing in how they play."""
        for lane in self._named(indices):
            setattr(lane, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method of each of these lanes."""
        if method_name == ACTION_MASKS:
            masks = self.action_masks()  # of all lanes at once, not once for each
            return list(masks if indices is None else masks[list(self._get_indices(indices))])
        return [getattr(lane, method_name)(*method_args, **method_kwargs) for lane in self._named(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """No lane is."""
        return [False for _ in self._named(indices)]

    def _named(self, indices: VecEnvIndices) -> list[Lane]:
        numbers: Iterable[int] = self._get_indices(indices)
        return [self._lanes[number] for number in numbers]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each lane, which `render` lays side by side; None where they are shown as text."""
        shown = [lane.render() for lane in self._lanes]
        return [picture if isinstance(picture, np.ndarray) else None for picture in shown]

    def close(self) -> None:
        """Ends the threads, if any; they start again with the next step."""
        self.table.close()

    def get_state(self) -> dict[str, Any]:
        """All lanes as JSON data, as `SeatEnv.get_state`."""
        return self.table.save()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state that an environment of the same settings and lanes wrote.

        Raises:
            BrokenFile: it is of other settings or cannot be read.
        """
        self.table.load(state)
