"""The vector door: any game as a native `gymnasium.vector.VectorEnv`, all lanes in one batch.

It equals `SyncVectorEnv` over the single door step by step, in each autoreset mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ..games.checks import whole
from ..games.errors import InvalidSettings
from ..games.kernels import Features, Flags, Floats
from .actions import Mask
from .groups import open_table
from .options import RENDER_MODES, read_options
from .outcome import Outcome
from .rendering import Frame, show
from .single import RENDER_FPS, check_reset_options, new_root, observation_space
from .variants import Variant

RESET_MASK = "reset_mask"


class SeatVectorEnv(VectorEnv[Features, Any, NDArray[Any]]):
    """Many tables with one learner each; a class per variant declares which game it is.

    Args:
        num_envs: number of lanes.
        autoreset_mode: when a lane whose episode ended begins the next, a `gymnasium.vector.AutoresetMode`.
        settings: those of the single environment; ``lane`` is the number of the first lane.
    """

    variant: ClassVar[Variant]
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        options = read_options(self.variant, settings)
        self.num_envs = whole("num_envs", num_envs, 1, 2**31)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.table = open_table(options, self.num_envs)
        self.render_mode = options.render_mode
        self.single_action_space = self.table.actions.space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.single_observation_space = observation_space(options.encoding)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    @property
    def encoding(self) -> Any:
        """What the learners see and do: `decode` explains an action, `layout` an observation."""
        return self.table.encoding

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begins an episode in every lane, or in those of ``options["reset_mask"]``.

        With a seed (one root for all lanes, or a list with one a lane) it is the first of that root; where it
        is None, the next of the root a lane has, and at first a root from the operating system.
        """
        check_reset_options(options, (RESET_MASK,))
        lanes = self._reset_mask(options)
        roots = self._roots(seed)
        super().reset(seed=roots if isinstance(roots, int) else None)
        self.table.reset(lanes, roots)
        return self.table.observe(), self._infos(lanes, Outcome.nothing(self.num_envs), self.table.masks())

    def step(self, actions: Any) -> tuple[Features, Floats, Flags, Flags, dict[str, Any]]:
        """Takes an action in each lane; truncations are always False.

        In NEXT_STEP mode a lane whose episode ended begins the next one instead and its action is not read.
        """
        waiting = self.table.done & self.table.started & (self.autoreset_mode is AutoresetMode.NEXT_STEP)
        outcome = self.table.step(actions, ~waiting)
        if waiting.any():
            self.table.reset(waiting)
        infos: dict[str, Any] = {}
        told = outcome
        if self.autoreset_mode is AutoresetMode.SAME_STEP and outcome.ended.any():
            infos, told = self._finals(outcome), outcome.only(~outcome.ended)
            self.table.reset(outcome.ended)
        seen = self.table.observe()
        infos |= self._infos(np.ones(self.num_envs, bool), told, self.table.masks())
        return seen, outcome.rewards, outcome.ended, np.zeros(self.num_envs, bool), infos

    def _finals(self, outcome: Outcome) -> dict[str, Any]:
        """The last observations and infos of the episodes that ended in this step."""
        ended = outcome.ended
        final_obs = np.full(self.num_envs, None, object)
        for lane, seen in zip(np.flatnonzero(ended), self.table.observe_ended(ended), strict=True):
            final_obs[lane] = seen
        masks = np.tile(self.table.actions.nothing, (self.num_envs, 1))
        finals = {"final_obs": final_obs, "final_info": self._infos(ended, outcome.only(ended), masks)}
        return finals | {f"_{key}": ended.copy() for key in finals}

    def _infos(self, lanes: Flags, outcome: Outcome, masks: Mask) -> dict[str, Any]:
        """The infos of these lanes as Gymnasium batches them: an array a key and a mask ``_key``."""
        if not lanes.all():
            masks[~lanes] = 0
        values = {"action_mask": masks, "illegal_action": outcome.illegal, "profit": outcome.profits}
        return values | {f"_{key}": lanes.copy() for key in values}

    def _reset_mask(self, options: Mapping[str, Any] | None) -> Flags:
        """The lanes a reset is for."""
        if options is None or RESET_MASK not in options:
            return np.ones(self.num_envs, bool)
        mask, shape = options[RESET_MASK], (self.num_envs,)
        fits = isinstance(mask, np.ndarray) and mask.shape == shape and mask.dtype == bool and mask.any()
        if not fits:
            raise InvalidSettings(
                f"options['reset_mask'] is a bool array of shape {shape} with a True in it, not {mask!r}"
            )
        if not (mask | self.table.started).all():
            raise InvalidSettings("the first reset is for all lanes; give no reset_mask")
        lanes: Flags = mask.copy()
        return lanes

    def _roots(self, seed: int | Sequence[int | None] | None) -> int | list[int | None] | None:
        """What the root seeds become; lanes that have none yet share a new one."""
        if isinstance(seed, int | np.integer):
            return int(seed)
        if seed is not None and len(seed) != self.num_envs:
            raise InvalidSettings(f"seeds are one for each of the {self.num_envs} lanes, not {len(seed)}")
        started = self.table.started
        if seed is None:
            return None if started.all() else new_root()
        root = new_root()
        return [root if one is None and not begun else one for one, begun in zip(seed, started, strict=True)]

    def action_masks(self) -> Flags:
        """(num_envs, actions) bool: the legal actions; int8 in ``infos["action_mask"]``."""
        legal: Flags = self.table.masks() == 1
        return legal

    def render(self) -> tuple[Frame | None, ...]:  # type: ignore[override]
        """Each lane as text or as a picture (height, width, 3) uint8."""
        return tuple(show(self.table, lane) for lane in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads, if any; they start again with the next step."""
        self.table.close()

    def get_state(self) -> dict[str, Any]:
        """The whole environment as JSON data, as `SeatEnv.get_state`."""
        return self.table.save()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state that a vector environment of the same settings and lanes wrote.

        Raises:
            BrokenFile: it is of other settings or cannot be read.
        """
        self.table.load(state)


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        allowed = ", ".join(repr(known.value) for known in AutoresetMode)
        raise InvalidSettings(f"autoreset_mode is one of {allowed}, not {mode!r}") from None
