"""Seeds and lanes: chance is a pure function of seed, lane and episode, whoever else plays.

Needs: N1 (a seed means the same for any batch size, neighbouring seeds share nothing).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .doors import Doors
from .play import Player, lane_story, scripted, story, vector_masks
from .sameness import difference, story_difference
from .verdicts import CheckFailed, NotApplicable

PURE: Final = "let chance depend on (seed, lane, episode) alone"
APART: Final = "name a lane's chance by (seed, lane), never by seed + lane"


def a_seed_names_its_games(doors: Doors, seeds: int = 6, steps: int = 30) -> str:
    """A seed gives the same games in a new environment and in one that has played; others give others."""
    env = doors.open_single()
    told = [story(env, seed, steps, Player(1)) for seed in range(seeds)]
    for seed in (0, seeds - 1):
        for how, other in (("again", env), ("in a new environment", doors.open_single())):
            differs = story_difference(told[seed], story(other, seed, steps, Player(1)))
            if differs:
                raise CheckFailed(f"seed {seed} played {how} differs: {differs}", PURE)
    for seed in range(1, seeds):
        if not story_difference(told[0], told[seed]):
            raise CheckFailed(f"seeds 0 and {seed} play the same games", "use the seed that reset is given")
    return f"{seeds} seeds name games of their own, the same each time"


def a_reset_without_a_seed_goes_on(doors: Doors, episodes: int = 4, steps: int = 30) -> str:
    """Without a seed the next game of the root is played: another one, the same after the same seed."""
    rounds = []
    for _ in range(2):
        env = doors.open_single()
        env.reset(seed=5)
        rounds.append([story(env, None, steps, Player(1)) for _ in range(episodes)])
    for one, other in zip(*rounds, strict=True):
        differs = story_difference(one, other)
        if differs:
            raise CheckFailed(f"the games that follow a seed differ from run to run: {differs}", PURE)
    for later in range(episodes):
        for before in range(later):
            if not story_difference(rounds[0][later], rounds[0][before]):
                raise CheckFailed(
                    f"resets {before + 1} and {later + 1} without a seed play the same games",
                    "go on to the next episode when no seed is given",
                )
    return "resets without a seed play the next games of the root"


def lane_0_is_the_same_for_any_number(
    doors: Doors, numbers: tuple[int, ...] = (1, 3, 24), episodes: int = 6
) -> str:
    """Lane 0 of a seed plays the same games alone and among others."""
    stories = [lane_story(doors.open_vector(lanes), episodes) for lanes in numbers]
    for lanes, other in zip(numbers[1:], stories[1:], strict=True):
        differs = difference(stories[0], other)
        if differs:
            raise CheckFailed(
                f"lane 0 plays other games among {lanes} lanes than among {numbers[0]}: {differs}", PURE
            )
    return f"lane 0 plays the same {episodes} games among {', '.join(map(str, numbers))} lanes"


def lanes_and_seeds_share_nothing(doors: Doors, seeds: int = 8, lanes: int = 16, steps: int = 24) -> str:
    """No two lanes of neighbouring seeds play the same games."""
    envs = doors.open_vector(lanes)
    played: dict[bytes, tuple[int, int]] = {}
    for seed in range(seeds):
        seen, infos = envs.reset(seed=seed)
        told = [seen]
        for _ in range(steps):
            seen, rewards, _, _, infos = envs.step(vector_masks(envs, infos).argmax(1))
            told += [seen, rewards[:, np.newaxis]]
        for lane in range(lanes):
            games = b"".join(np.ascontiguousarray(rows[lane]).tobytes() for rows in told)
            if games in played:
                before, there = played[games]
                raise CheckFailed(
                    f"seed {seed}, lane {lane} plays the games of seed {before}, lane {there}", APART
                )
            played[games] = (seed, lane)
    return f"{seeds} neighbouring seeds × {lanes} lanes share no game"


def lanes_are_isolated(doors: Doors, episodes: int = 8) -> str:
    """Other actions in lane 0 leave lane 1 as it was."""

    def otherwise(masks: Any, step: int) -> Any:
        actions = scripted(masks, step)
        actions[0] = np.flatnonzero(masks[0])[-1]  # the last legal action instead
        return actions

    quiet, stirred = (
        lane_story(doors.open_vector(2), episodes, actions, lane=1) for actions in (scripted, otherwise)
    )
    differs = difference(quiet, stirred)
    if differs:
        raise CheckFailed(f"lane 1 plays otherwise when lane 0 acts otherwise: {differs}", PURE)
    return "what lane 0 does leaves lane 1 as it was"


def a_lane_is_a_single_environment(doors: Doors, lane: int = 2, steps: int = 40) -> str:
    """Lane k of a vector environment plays what a single one with ``lane=k`` does."""
    if not doors.takes(lane=lane):
        raise NotApplicable("it has no setting 'lane'")
    envs, env = doors.open_vector(lane + 1, autoreset_mode="SameStep"), doors.open_single(lane=lane)
    seen, infos = envs.reset(seed=3)
    alone, _ = env.reset(seed=3)
    player = Player(4, lanes=lane + 1)
    for step in range(steps):
        differs = difference(seen[lane], alone, "observation")
        if differs:
            raise CheckFailed(f"lane {lane} is not the single environment: {differs}", PURE, f"step {step}")
        actions = player.actions(vector_masks(envs, infos))
        seen, _, _, _, infos = envs.step(actions)
        alone, _, ended, cut, _ = env.step(int(actions[lane]))
        if ended or cut:
            alone, _ = env.reset()
    return f"lane {lane} plays what a single environment with lane={lane} does"
