"""The tables a learner trains at, as one Stable-Baselines3 `VecEnv`: groups of lanes with different rivals, a
meter of what is earned, and the normalisation of observations and rewards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, cast

import numpy as np
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper, VecNormalize

from ..envs.groups import Groups
from ..envs.learner_table import LearnerTable
from ..envs.options import read_options
from ..envs.sb3 import SeatVecEnv
from ..envs.snapshot import pack_arrays, unpack_arrays
from ..envs.wrappers.books import book_of
from ..envs.wrappers.line_actions import LineActions
from ..envs.wrappers.ticket_actions import FractionActions
from ..games.errors import BrokenFile
from ..games.kernels import Floats, Rows
from .learners import SacSettings
from .run_settings import RunSettings

EPSILON: Final = 1e-8  # added to variances
CLIP: Final = 10.0  # normalised observations and rewards are cut off there


class Meter(VecEnvWrapper):
    """Adds up what the learner earns in each episode, in the chips of the environment's reward."""

    def __init__(self, venv: VecEnv) -> None:
        super().__init__(venv)
        self.running: Floats = np.zeros(venv.num_envs)  # of the episodes that go on
        self.episodes = 0  # finished in all
        self.recent: list[float] = []  # returns of those finished since `take`

    def reset(self) -> Any:
        """Begins an episode in every lane."""
        self.running[:] = 0
        return self.venv.reset()

    def step_wait(self) -> Any:
        """Takes the actions that were handed in."""
        seen, rewards, ended, infos = self.venv.step_wait()
        self.running += rewards
        if ended.any():
            self.recent.extend(self.running[ended].tolist())
            self.episodes += int(ended.sum())
            self.running[ended] = 0
        return seen, rewards, ended, infos

    def take(self) -> tuple[int, float]:
        """Number and mean return of the episodes finished since the last call; NaN where there are none."""
        count, mean = len(self.recent), float(np.mean(self.recent)) if self.recent else float("nan")
        self.recent = []
        return count, mean


class TrainingTables:
    """The whole stack, and its state as data.

    Args:
        run: what is trained.
    """

    def __init__(self, run: RunSettings) -> None:
        learner = run.learner
        self.seats = open_seats(run)
        self.meter = Meter(self.seats)
        self.normalizer = VecNormalize(
            self.meter, norm_obs=learner.normalize_observations, norm_reward=learner.normalize_rewards,
            clip_obs=CLIP, clip_reward=CLIP, gamma=learner.gamma, epsilon=EPSILON,
        )  # fmt: skip

    @property
    def venv(self) -> VecEnv:
        """What the algorithm plays."""
        return self.normalizer

    @property
    def statistics(self) -> dict[str, RunningMeanStd]:
        """Mean and variance of returns, ``ret``, and where observations are normalised of these, ``obs``."""
        kept = {"ret": self.normalizer.ret_rms}
        if self.normalizer.norm_obs:
            kept["obs"] = cast("RunningMeanStd", self.normalizer.obs_rms)
        return kept

    def save(self) -> dict[str, Any]:
        """Tables, meter and normalisation as JSON data.

        Raises:
            RailbirdError: a rival remembers something that cannot be written down.
        """
        arrays = {"running": self.meter.running, "returns": self.normalizer.returns}
        for name, kept in self.statistics.items():
            arrays |= {f"{name}_mean": np.asarray(kept.mean), f"{name}_var": np.asarray(kept.var)}
            arrays[f"{name}_count"] = np.asarray(kept.count, np.float64)
        return {
            "seats": self.seats.get_state(),
            "arrays": pack_arrays(arrays),
            "episodes": self.meter.episodes,
            "recent": list(self.meter.recent),
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Takes over what `save` gave; the future is then that of the tables it came from.

        Raises:
            BrokenFile: it is of other settings, or cannot be read.
        """
        try:
            self.seats.set_state(saved["seats"])
            arrays = unpack_arrays(saved["arrays"])
            self.meter.running[:] = arrays["running"]
            self.meter.episodes, self.meter.recent = int(saved["episodes"]), list(saved["recent"])
            self.normalizer.returns = arrays["returns"]
            self._set_statistics(arrays)
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenFile(f"saved tables cannot be read: {type(error).__name__} {error}") from error

    def load_statistics(self, saved: Mapping[str, Any]) -> None:
        """Takes over the normalisation alone of what `save` gave, with these tables or others of their kind.

        Raises:
            BrokenFile: it cannot be read.
        """
        try:
            self._set_statistics(unpack_arrays(saved["arrays"]))
        except (KeyError, TypeError, ValueError) as error:
            raise BrokenFile(f"saved tables cannot be read: {type(error).__name__} {error}") from error

    def _set_statistics(self, arrays: Mapping[str, Any]) -> None:
        for name, kept in self.statistics.items():
            kept.mean, kept.var = arrays[f"{name}_mean"], arrays[f"{name}_var"]
            kept.count = float(arrays[f"{name}_count"])


def open_seats(run: RunSettings) -> SeatVecEnv:
    """The learner's seats: a table for each lane, groups of lanes with the run's line-ups of rivals.

    Raises:
        InvalidSettings: the algorithm says shares of a ticket, and this learner has none.
    """
    lanes, line_ups = run.learner.lanes, run.line_ups
    if run.self_play is not None:  # who really sits there is drawn game by game
        line_ups = line_ups[:1]
    seats = SeatVecEnv(run.variant, lanes, **run.environment(line_ups[0]))
    parts, first = [], 0
    for line_up, count in zip(line_ups, share_out(lanes, min(len(line_ups), lanes)).tolist(), strict=False):
        options = read_options(run.variant, {**run.environment(line_up), "lane": first})
        parts.append(LearnerTable(options, count))
        first += count
    if isinstance(run.learner, SacSettings):
        for part in parts:
            act_by_shares(part, run.learner.most)
        seats.action_space = parts[0].actions.space
    elif run.whole and not run.learner.masked and (parts[0].encoding.nvec == 2).all():
        for part in parts:
            part.act_by(LineActions(part.encoding))
        seats.action_space = parts[0].actions.space
    seats.table = parts[0] if len(parts) == 1 else Groups(parts)
    return seats


def act_by_shares(table: LearnerTable, most: str) -> None:
    """Lets the learners say what share of their bankroll goes on each line."""
    table.act_by(FractionActions(book_of(table), Fraction(most)))


def share_out(lanes: int, groups: int) -> Rows:
    """(groups,) int64: so many lanes in parts as equal as can be, the first the larger."""
    return lanes // groups + (np.arange(groups) < lanes % groups).astype(np.int64)
