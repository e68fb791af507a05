"""N8: the autoreset mode is stated and kept, last observations stay, arrays are never altered later."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from railbird.envs.checking import spaces, vectors

NEXT, SAME, DISABLED = vectors.MODES


@pytest.mark.parametrize("mode", vectors.MODES)
def test_the_vector_environment_equals_sync_vector_env(doors, mode):
    vectors.equals_sync(doors, mode, steps=40)


def test_the_autoreset_mode_is_published(doors):
    vectors.the_mode_is_published(doors)


def test_what_was_handed_out_is_never_altered(doors):
    spaces.handed_out_arrays_stay(doors)
    vectors.vector_arrays_stay(doors, steps=20)


@pytest.mark.slow
def test_the_vec_env_equals_dummy_vec_env(doors):
    vectors.equals_dummy(doors)


# ---- each seen failing


def test_an_autoreset_that_comes_a_step_early_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def step(self, actions):
        told = base.step(self, actions)
        if told[2].any():
            self.table.reset(told[2])  # at once, though the mode is NEXT_STEP
        return self.table.observe(), *told[1:]

    message = (
        r"in mode NextStep it differs from SyncVectorEnv: observation\[\d, \d+\] is .* \(step \d+\); end,"
    )
    fails(vectors.equals_sync, broken("Superfecta", vector={"step": step}), message, mode=NEXT)


def test_a_last_observation_that_is_overwritten_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def step(self, actions):
        seen, *rest, infos = base.step(self, actions)
        for lane in np.flatnonzero(infos.get("_final_obs", [])):
            infos["final_obs"][lane] = seen[lane].copy()
        return seen, *rest, infos

    message = r"in mode SameStep it differs from SyncVectorEnv: info\['final_obs'\]\[\d\]\[\d+\] is"
    fails(vectors.equals_sync, broken("Superfecta", vector={"step": step}), message, mode=SAME)


def test_a_partial_reset_that_resets_all_lanes_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def reset(self, *, seed=None, options=None):
        return base.reset(self, seed=seed, options=None)

    message = r"in mode Disabled it differs from SyncVectorEnv: .* \(reset after step \d+\)"
    fails(vectors.equals_sync, broken("Superfecta", vector={"reset": reset}), message, mode=DISABLED)


def test_a_reset_that_eats_the_callers_options_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def reset(self, *, seed=None, options=None):
        told = base.reset(self, seed=seed, options=options)
        (options or {}).pop("reset_mask", None)
        return told

    message = r"a reset alters the caller's options \(step 2\); read them only"
    fails(vectors.equals_sync, broken("Superfecta", vector={"reset": reset}), message, mode=NEXT)


def test_a_mode_that_is_not_published_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def silent(self, **given):
        base.__init__(self, **given)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    message = "asked for SameStep, metadata says AutoresetMode.NEXT_STEP; publish the mode"
    fails(vectors.the_mode_is_published, broken("Superfecta", vector={"__init__": silent}), message)


def test_one_array_used_again_is_found(case_of, broken, fails):
    bases = {"single": type(case_of("Superfecta").make()), "vector": type(case_of("Superfecta").make_vec(1))}

    def reusing(base):
        def step(self, actions):
            seen, *rest = base.step(self, actions)
            if not hasattr(self, "buffer"):
                self.buffer = seen
            self.buffer[...] = seen
            return self.buffer, *rest

        return {"step": step}

    message = r"what was handed out is altered by later steps: observation\[.* \(result \d+\); hand out fresh"
    checks = {"single": spaces.handed_out_arrays_stay, "vector": vectors.vector_arrays_stay}
    for door, check in checks.items():
        fails(check, broken("Superfecta", **{door: reusing(bases[door])}), message)


def test_an_array_of_the_games_own_that_is_handed_out_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make_vec(1))

    def step(self, actions):
        *told, infos = base.step(self, actions)
        return *told, infos | {"root": self.table.game.state.root}

    message = r"altering what was handed out alters the game: .* \(mode NextStep\); hand out copies"
    fails(vectors.vector_arrays_stay, broken("Superfecta", vector={"step": step}), message)


@pytest.mark.slow
def test_a_vec_env_with_other_last_observations_is_found(case_of, broken, fails):
    def late(lanes, **more):
        envs = broken("Superfecta").open_sb3(lanes, **more)
        envs.table.observe_ended = lambda ended: envs.table.observe()[ended] * 0
        return envs

    message = r"it differs from DummyVecEnv: \['terminal_observation'\]\[\d+\] is .* infos of lane"
    fails(vectors.equals_dummy, broken("Superfecta", sb3=late), message)
