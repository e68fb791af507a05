"""How much faster one learns here: ``python -m railbird.benchmarks.learning``.

MaskablePPO with its own 64x64 net learns Racing Aces twice: over the native `railbird.envs.sb3_vec_env` with
many lanes and large mini-batches, and over `DummyVecEnv` of eight environments of the same id, with
everything else as the library has it. Both are paid the exact expectation of their bets and have the same
entropy coefficient: with none at all a learner soon finds that not to bet is safe, and stays there.

The clock runs for `learn` without the evaluations: before every rollout the policy plays one game on each of
the same held-out deals, always its likeliest action. One thread on one core, by processor time.
"""

from __future__ import annotations

import json as json_format
import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Annotated, Any, Final

import gymnasium as gym
import numpy as np
import torch
import typer
from rich.console import Console
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from ..agents.registry import parse_agent
from ..envs import sb3_vec_env
from ..envs.registration import register_envs
from ..envs.variants import variant_of
from ..evaluation.match import play
from ..games.registry import load
from .figures import machine, number, table
from .measure import Figure, figure

GAME: Final = "racing-aces"
SHARE: Final = 0.9  # of what the agent `optimal` makes on the same deals
HELD_OUT: Final = 1_000_003  # root seed of these deals; training has the small ones
DEALS: Final = 1024
ENTROPY: Final = 0.02


@dataclass(frozen=True, slots=True)
class Way:
    """One way to learn."""

    name: str
    native: bool
    lanes: int
    options: Mapping[str, Any]  # of MaskablePPO, beyond its defaults and the entropy
    least: int  # frames to go on for when the target is reached before
    most: int  # frames after which it is given up


NATIVE: Final = Way(
    name="native",
    native=True,
    lanes=1024,
    options={"n_steps": 12, "batch_size": 2048, "n_epochs": 6, "learning_rate": 3e-3},
    least=100_000,  # so that the rates are of more than a second
    most=1_000_000,
)
DEFAULTS: Final = Way(name="defaults", native=False, lanes=8, options={}, least=1, most=200_000)


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a run has come before a rollout; times are in seconds since it began, without evaluations."""

    frames: int
    seconds: float  # of processor time
    rollouts: float  # of them, collecting experience
    wall: float
    score: float  # chips a game on the held-out deals


@dataclass(frozen=True, slots=True)
class Run:
    """One training run."""

    way: str
    seed: int
    marks: tuple[Mark, ...]

    @property
    def speed(self) -> float:
        """Frames a second, end to end."""
        return self.marks[-1].frames / self.marks[-1].seconds

    @property
    def rollout_speed(self) -> float:
        """Frames a second while experience is collected."""
        return self.marks[-1].frames / self.marks[-1].rollouts

    def reached(self, target: float) -> Mark | None:
        """The first mark with such a score; None where there is none."""
        return next((mark for mark in self.marks if mark.score >= target), None)


class Clock(BaseCallback):
    """Marks how far the run has come before every rollout, and ends it when it has come far enough."""

    def __init__(self, way: Way, target: float) -> None:
        super().__init__()
        self.marks: list[Mark] = []
        self._way = way
        self._target = target
        self._began = time.process_time(), time.perf_counter()
        self._rollout_began = self._rollouts = self._apart = self._apart_wall = 0.0

    def mark(self) -> None:
        """Stops the clock, looks at the policy and lets the clock run on."""
        now, wall = time.process_time(), time.perf_counter()
        score = evaluate(self.model)
        began, began_wall = self._began
        seconds, passed = now - began - self._apart, wall - began_wall - self._apart_wall
        self.marks.append(Mark(self.num_timesteps, seconds, self._rollouts, passed, score))
        self._apart += time.process_time() - now
        self._apart_wall += time.perf_counter() - wall

    @property
    def done(self) -> bool:
        """Whether the target is reached and the run was long enough to be measured."""
        reached = any(mark.score >= self._target for mark in self.marks)
        return reached and self.marks[-1].frames >= self._way.least

    def _on_rollout_start(self) -> None:
        self.mark()
        self._rollout_began = time.process_time()

    def _on_step(self) -> bool:
        return not self.done

    def _on_rollout_end(self) -> None:
        self._rollouts += time.process_time() - self._rollout_began


def train(way: Way, seed: int, target: float) -> Run:
    """Learns until the target is reached, at least and at most as many frames as the way says."""
    envs = environments(way)
    model = MaskablePPO("MlpPolicy", envs, seed=seed, ent_coef=ENTROPY, **way.options)
    clock = Clock(way, target)
    model.learn(way.most, callback=clock)
    if not clock.done:
        clock.mark()
    envs.close()
    return Run(way.name, seed, tuple(clock.marks))


def environments(way: Way) -> VecEnv:
    """Where it learns."""
    if way.native:
        return sb3_vec_env(GAME, way.lanes, reward="expected")
    register_envs()
    id = variant_of(GAME).id
    return DummyVecEnv([lambda: gym.make(id, reward="expected", disable_env_checker=True)] * way.lanes)


def evaluate(model: Any) -> float:
    """Mean expected profit of a policy, in chips a game, one game on each held-out deal."""
    envs = sb3_vec_env(GAME, DEALS, reward="expected")
    envs.seed(HELD_OUT)
    seen: Any = envs.reset()
    total, playing = np.zeros(DEALS), np.ones(DEALS, bool)
    while playing.any():
        actions, _ = model.predict(seen, action_masks=envs.action_masks(), deterministic=True)
        seen, rewards, ended, _ = envs.step(actions)
        total += rewards * playing
        playing &= ~ended
    return float(total.mean())


def target_score() -> float:
    """What has to be made: a share of the mean expected profit of ``optimal``, in chips a game."""
    spec = load(GAME)
    settings = spec.make_settings()
    players = [parse_agent(name, GAME).make(settings) for name in ("optimal", "null")]  # null: for the house
    seating = np.tile(np.arange(2), (DEALS, 1))
    found = play(spec, settings, HELD_OUT, np.arange(DEALS), players, seating)
    return SHARE * float(found.adjusted[:, 0].mean())


def figures(native: list[Run], defaults: list[Run], target: float) -> list[Figure]:
    """Rates, times and ratios, one for each seed; a target not reached counts with the time it had."""
    found = []
    for runs in (native, defaults):
        name = runs[0].way
        found += [
            figure(f"{name}_frames", [run.speed for run in runs], "frames/s"),
            figure(f"{name}_rollout_frames", [run.rollout_speed for run in runs], "frames/s"),
            figure(
                f"{name}_to_target", [(run.reached(target) or run.marks[-1]).seconds for run in runs], "s"
            ),
        ]
    pairs = list(zip(native, defaults, strict=True))
    return [
        *found,
        figure("speed_ratio", [ours.speed / theirs.speed for ours, theirs in pairs], "times defaults", 10),
        figure(
            "rollout_speed_ratio",
            [ours.rollout_speed / theirs.rollout_speed for ours, theirs in pairs],
            "times defaults",
            20,
        ),
        figure(
            "time_to_target_ratio",
            [times_quicker(ours, theirs, target) for ours, theirs in pairs],
            "times quicker",
            5,
        ),
    ]


def times_quicker(ours: Run, theirs: Run, target: float) -> float:
    """Their time to the target over ours: a lower bound where they never came to it, 0 where ours did not."""
    mine, other = ours.reached(target), theirs.reached(target) or theirs.marks[-1]
    return 0.0 if mine is None else other.seconds / mine.seconds


def main(
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each way.")] = 3,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Trains both ways in turn and compares frames a second and the time to the same return."""
    torch.set_num_threads(1)
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    target = target_score()
    native: list[Run] = []
    defaults: list[Run] = []
    progress = Console(stderr=True)
    with progress.status("") as status:
        for seed in range(seeds):
            for way, runs in ((NATIVE, native), (DEFAULTS, defaults)):
                status.update(f"seed {seed}: {way.name}")
                runs.append(train(way, seed, target))
                progress.print(story(runs[-1], target), highlight=False, soft_wrap=True)
    found = figures(native, defaults, target)
    libraries = {name: version(name) for name in ("torch", "stable-baselines3", "sb3-contrib")}
    if json:
        told = {
            "machine": machine() | libraries,
            "target": target,
            "ways": [asdict(way) for way in (NATIVE, DEFAULTS)],
            "figures": {one.name: asdict(one) | {"reached": one.reached} for one in found},
            "runs": [asdict(run) for run in (*native, *defaults)],
        }
        print(json_format.dumps(told, indent=2))
        return
    Console().print(table(found))
    tell(native, defaults, target)
    print(", ".join(f"{name} {text}" for name, text in (machine() | libraries).items()))


def tell(native: list[Run], defaults: list[Run], target: float) -> None:
    """Prints what was run and how each run came to the target."""
    print(
        f"\nTarget: {target:.3f} chips a game, {SHARE:.0%} of what `optimal` makes on the same {DEALS} deals."
    )
    for way in (NATIVE, DEFAULTS):
        options = ", ".join(f"{name} {value}" for name, value in way.options.items()) or "defaults"
        print(f"{way.name}: {way.lanes} lanes, {options}; entropy coefficient {ENTROPY} in both.")
    for run in (*native, *defaults):
        print(story(run, target))


def story(run: Run, target: float) -> str:
    """How a run came to the target, in a line."""
    there, last = run.reached(target), run.marks[-1]
    how = (
        f"not reached in {last.frames:,} frames, {last.seconds:.1f} s ({last.score:.3f})"
        if there is None
        else f"reached {there.score:.3f} after {there.frames:,} frames, {there.seconds:.1f} s"
        f" ({there.wall:.1f} s on the wall)"
    )
    return f"{run.way}, seed {run.seed}: {how}; {number(run.speed)} frames/s"


if __name__ == "__main__":
    typer.run(main)
