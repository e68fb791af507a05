"""All checks in the order in which they are carried out and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from . import copies, hidden, lanes, masks, money, multi_agent, pictures, randomness, records, spaces, vectors
from .doors import Doors
from .verdicts import EnvReport, Finding, find

Function: TypeAlias = Callable[[Doors], str]


@dataclass(frozen=True, slots=True)
class Check:
    """One check under the name it is printed with."""

    item: str
    check: Function


CHECKS: Final = (
    Check("gymnasium", spaces.gymnasium_has_nothing_to_say),
    Check("observations", spaces.observations_lie_in_their_space),
    Check("observations, bankrolls", spaces.observations_bear_any_bankroll),
    Check("arrays", spaces.handed_out_arrays_stay),
    Check("masks", masks.masks_agree),
    Check("masks, always an action", masks.somebody_always_has_an_action),
    Check("masks, idle seats", masks.idle_seats_have_action_0),
    Check("masks, legal play", masks.masks_allow_what_is_played),
    Check("illegal actions", masks.illegal_actions_are_told),
    Check("actions", masks.actions_round_trip),
    Check("seeds", lanes.a_seed_names_its_games),
    Check("seeds, next games", lanes.a_reset_without_a_seed_goes_on),
    Check("lanes", lanes.lane_0_is_the_same_for_any_number),
    Check("lanes, neighbours", lanes.lanes_and_seeds_share_nothing),
    Check("lanes, isolated", lanes.lanes_are_isolated),
    Check("lanes, single", lanes.a_lane_is_a_single_environment),
    Check("settings", records.settings_survive_a_seeded_reset),
    Check("random numbers", randomness.global_generators_are_left_alone),
    Check("random numbers, agents", randomness.agents_leave_global_generators_alone),
    *(Check(f"vector, {mode}", partial(vectors.equals_sync, mode=mode)) for mode in vectors.MODES),
    Check("vector, mode", vectors.the_mode_is_published),
    Check("vector, arrays", vectors.vector_arrays_stay),
    Check("sb3, checker", vectors.sb3_has_nothing_to_say),
    Check("sb3, VecEnv", vectors.equals_dummy),
    Check("pettingzoo, parallel_api_test", multi_agent.parallel_api),
    Check("pettingzoo, api_test", multi_agent.aec_api),
    Check("pettingzoo, seed tests", multi_agent.equal_seeds),
    Check("pettingzoo, render_test", multi_agent.every_render_mode),
    Check("pettingzoo, max_cycles_test", multi_agent.cycles_end),
    Check("pettingzoo, rewards", multi_agent.rewards_add_up),
    Check("pettingzoo, single", multi_agent.a_single_environment_is_one_seat),
    Check("hidden", hidden.hidden_things_do_not_show),
    Check("hidden, decisions", hidden.decisions_of_others_do_not_show),
    Check("hidden, chance", hidden.no_chance_is_reachable),
    *(Check(f"copies, {way}", partial(copies.copies_go_on_as_the_original, way=way)) for way in copies.WAYS),
    Check("money, rewards", money.rewards_are_changes_of_the_bankroll),
    Check("money, books", money.nobody_owes),
    Check("money, ruin", money.ruin_ends_an_episode_once),
    Check("money, none", money.who_starts_broke_passes_once),
    Check("render", pictures.showing_changes_nothing),
    Check("processes", randomness.a_spawned_process_plays_the_same),
)


def findings(doors: Doors, checks: tuple[Check, ...] = CHECKS) -> Iterator[Finding]:
    """What the checks find, one after another."""
    for one in checks:
        yield find(one.item, partial(one.check, doors))


def carry_out(doors: Doors, checks: tuple[Check, ...] = CHECKS) -> EnvReport:
    """What all checks find."""
    return EnvReport(doors.name, tuple(findings(doors, checks)))
