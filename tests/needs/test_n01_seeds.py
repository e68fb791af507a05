"""N1: a seed means the same thing for any batch size, and neighbouring seeds share nothing."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv

from railbird.envs.checking import lanes


def test_a_seed_names_its_games(doors):
    lanes.a_seed_names_its_games(doors)


def test_a_reset_without_a_seed_goes_on(doors):
    lanes.a_reset_without_a_seed_goes_on(doors)


def test_lane_0_is_the_same_for_any_number_of_lanes(doors):
    lanes.lane_0_is_the_same_for_any_number(doors)


@pytest.mark.slow
def test_lane_0_plays_the_same_100_games_among_1_3_and_64_lanes(doors):
    lanes.lane_0_is_the_same_for_any_number(doors, numbers=(1, 3, 64), episodes=100)


def test_neighbouring_seeds_and_lanes_share_no_game(doors):
    lanes.lanes_and_seeds_share_nothing(doors)


@pytest.mark.slow
def test_a_hundred_seeds_of_64_lanes_share_no_game(doors):
    lanes.lanes_and_seeds_share_nothing(doors, seeds=100, lanes=64)


def test_other_actions_in_lane_0_leave_lane_1_alone(doors):
    lanes.lanes_are_isolated(doors)


def test_a_lane_is_the_single_environment_of_its_number(doors):
    lanes.a_lane_is_a_single_environment(doors)


# ---- each seen failing


def test_seeds_counted_up_from_lane_to_lane_are_found(case_of, broken, fails):
    def counted_up(lanes: int, **more: Any) -> Any:
        return SyncVectorEnv([partial(case_of("Superfecta").make, **more)] * lanes)  # lane i gets seed + i

    doors = broken("Superfecta", vector=counted_up)
    fails(
        lanes.lanes_and_seeds_share_nothing, doors, "seed 1, lane 0 plays the games of seed 0, lane 1; name a"
    )


def test_a_lane_that_depends_on_the_number_of_lanes_is_found(case_of, broken, fails):
    def shifted(lanes: int, **more: Any) -> Any:
        return case_of("HorseRace").make_vec(lanes, **{**more, "lane": lanes})

    message = (
        r"lane 0 plays other games among 3 lanes than among 1: .*; let chance depend on \(seed, lane, ep"
    )
    fails(lanes.lane_0_is_the_same_for_any_number, broken("HorseRace", vector=shifted), message)


def test_a_seed_that_is_not_used_is_found(case_of, broken, fails):
    base = type(case_of("RacingAces").make())

    def reset(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
        return base.reset(self, seed=None if seed is None else 0, options=options)

    doors = broken("RacingAces", single={"reset": reset})
    fails(
        lanes.a_seed_names_its_games, doors, "seeds 0 and 1 play the same games; use the seed that reset is"
    )


def test_a_seed_that_does_not_decide_all_is_found(case_of, broken, fails):
    base = type(case_of("RacingAces").make())

    def reset(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
        return base.reset(self, seed=None, options=options)

    doors = broken("RacingAces", single={"reset": reset})
    fails(
        lanes.a_seed_names_its_games, doors, r"seed 0 played again differs: .*; let chance depend on \(seed"
    )


def test_a_reset_that_begins_the_same_game_again_is_found(case_of, broken, fails):
    base = type(case_of("RacingAces").make())

    def reset(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
        return base.reset(self, seed=5, options=options)

    message = "resets 1 and 2 without a seed play the same games; go on to the next episode"
    fails(lanes.a_reset_without_a_seed_goes_on, broken("RacingAces", single={"reset": reset}), message)


def test_a_lane_that_disturbs_its_neighbour_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def step(self: Any, actions: Any) -> Any:
        self.table.game.state.key[1:] ^= np.uint64(actions[0])
        return base.step(self, actions)

    message = "lane 1 plays otherwise when lane 0 acts otherwise: .*; let chance depend"
    fails(lanes.lanes_are_isolated, broken("Superfecta", vector={"step": step}), message)


def test_lanes_that_are_no_single_environments_are_found(case_of, broken, fails):
    def shifted(lanes: int, **more: Any) -> Any:
        return case_of("SaveTheBet").make_vec(lanes, **{**more, "lane": 7})

    message = r"lane 2 is not the single environment: .* \(step 0\)"
    fails(lanes.a_lane_is_a_single_environment, broken("SaveTheBet", vector=shifted), message)
