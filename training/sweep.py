"""The same training from several seeds, and what that says of the algorithm rather than of one lucky run.

Every seed is reported. Over seeds: the mean, and the interquartile mean, that of the middle half of the runs,
each with a percentile interval of the stratified bootstrap, in which runs are drawn anew with replacement
within each task (Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep reinforcement learning at the
edge of the statistical precipice", NeurIPS 2021). The interquartile mean leaves out the best and the worst
runs, and with them money; so the mean stands beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import numpy as np

from ..evaluation.estimates import CONFIDENCE
from ..evaluation.results import figure
from ..games.checks import whole
from ..games.errors import InvalidSettings
from ..games.kernels import Floats
from ..games.streams import Draws, extend, root_key
from .durable import write_file
from .run_settings import RunSettings
from .scoring import Score
from .train import Trained, train

REPLICATES: Final = 10_000
RESAMPLED: Final = -3  # in a stream's name where games have their lane number, which is never negative
Statistic = Callable[[Floats], Floats]  # (…, tasks, runs) -> (…,)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A statistic of all runs and its interval, in chips per race."""

    value: float
    low: float | None  # None with fewer than two runs
    high: float | None


@dataclass(frozen=True, slots=True)
class Sweep:
    """What came of every seed."""

    game: str
    algorithm: str
    steps: int
    seeds: tuple[int, ...]
    scores: tuple[Score, ...]  # by seed
    mean: Aggregate
    interquartile_mean: Aggregate
    pool: tuple[str, ...] | None = None  # of self-play; None: there was none
    confidence: float = CONFIDENCE

    def to_json(self) -> str:
        """The sweep as a JSON object, the same bytes for the same sweep."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def sweep(
    run: RunSettings,
    seeds: int,
    folder: Path,
    workers: int = 1,
    threads: int = 1,
    told: Callable[[Trained, int], None] | None = None,
) -> Sweep:
    """Trains the same from so many seeds, the run's own and those that follow, each in a folder of its own.

    Args:
        run: what is trained.
        seeds: how many, 1 to 1,000.
        folder: of the sweep; what is finished in it is not trained again.
        workers: processes. A script that asks for several must be importable, as `multiprocessing` wants it.
        threads: of torch in each process.
        told: called with each finished run and its seed, in the order of the seeds.

    Raises:
        InvalidSettings, BrokenFile, RailbirdError: what `train` raises.
    """
    whole("seeds", seeds, 1, 1_000)
    whole("workers", workers, 1, 1_000)
    numbers = tuple(range(run.seed, run.seed + seeds))
    runs = [replace(run, seed=number) for number in numbers]
    folders = [folder / f"seed-{number}" for number in numbers]
    scores = []
    with _mapper(min(workers, seeds)) as each:
        for number, trained in zip(
            numbers, each(partial(train, threads=threads), runs, folders), strict=True
        ):
            scores.append(trained.score)
            if told is not None:
                told(trained, number)
    profits = np.array([[score.profit_per_race for score in scores]])
    result = Sweep(
        run.game, run.learner.algorithm, run.steps, numbers, tuple(scores),
        aggregate(profits, mean, run.seed), aggregate(profits, interquartile_mean, run.seed),
        None if run.self_play is None else run.self_play.pool,
    )  # fmt: skip
    write_file(folder / "sweep.json", (result.to_json() + "\n").encode())
    return result


@contextmanager
def _mapper(workers: int) -> Iterator[Callable[..., Iterator[Trained]]]:
    """``map``, here or in other processes."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            yield pool.map
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def mean(scores: Floats) -> Floats:
    """The mean over tasks and runs, (…, tasks, runs) -> (…,)."""
    found: Floats = scores.mean(axis=(-2, -1))
    return found


def interquartile_mean(scores: Floats) -> Floats:
    """The mean of what is left of all tasks' runs, (…, tasks, runs) -> (…,), when a quarter of them, rounded
    down, is cut off at each end.
    """
    flat = np.sort(scores.reshape(*scores.shape[:-2], -1), axis=-1)
    cut = flat.shape[-1] // 4
    found: Floats = flat[..., cut : flat.shape[-1] - cut].mean(axis=-1)
    return found


def aggregate(scores: Floats, statistic: Statistic, seed: int = 0, replicates: int = REPLICATES) -> Aggregate:
    """A statistic of scores (tasks, runs) with its interval: the middle of what it is in replicates whose
    runs are drawn with replacement within each task.

    Raises:
        InvalidSettings: the scores are not (tasks, runs), or there are none.
    """
    if scores.ndim != 2 or scores.size == 0:
        raise InvalidSettings(f"scores are (tasks, runs), at least one, not of shape {scores.shape}")
    value = figure(statistic(scores))
    tasks, runs = scores.shape
    if runs < 2:
        return Aggregate(value, None, None)
    keys = extend(extend(np.full(replicates, root_key(seed)), RESAMPLED), np.arange(replicates))
    draws = Draws(keys).integers(runs, tasks * runs).reshape(replicates, tasks, runs)
    drawn = np.take_along_axis(np.broadcast_to(scores, draws.shape), draws, axis=-1)
    low, high = np.quantile(statistic(drawn), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    return Aggregate(value, figure(low), figure(high))
