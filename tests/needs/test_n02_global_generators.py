"""N2: environments and agents neither touch nor obey global random state."""

from __future__ import annotations

import random

import numpy as np
import torch

from railbird.envs.checking import randomness


def test_global_generators_are_left_alone(doors):
    randomness.global_generators_are_left_alone(doors)


def test_no_agent_of_the_zoo_obeys_them(doors):
    randomness.agents_leave_global_generators_alone(doors)


# ---- each seen failing


def stepping(base, before):
    """A step that does something first."""

    def step(self, action):
        before(self)
        return base.step(self, action)

    return step


def test_an_environment_that_uses_one_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    uses = {
        "the global generator of the module random": lambda env: random.random(),
        "the global generator np.random": lambda env: np.random.random(),  # noqa: NPY002 - the fault itself
        "the global generator of torch": lambda env: torch.rand(1),
    }
    for name, use in uses.items():
        doors = broken("Superfecta", single={"step": stepping(base, use)})
        message = f"it uses {name}; draw from a generator of the environment's own"
        fails(randomness.global_generators_are_left_alone, doors, message)


def test_an_environment_that_seeds_one_is_found(case_of, broken, fails):
    base = type(case_of("Superfecta").make())
    doors = broken("Superfecta", single={"step": stepping(base, lambda env: np.random.seed(1))})  # noqa: NPY002
    fails(randomness.global_generators_are_left_alone, doors, r"it uses the global generator np\.random")


def peek(env):
    """Shuffles the cards to come by the global generator, and leaves it as it was."""
    kept = np.random.get_state()  # noqa: NPY002 - the fault itself
    env.table.game.state.key ^= np.uint64(np.random.randint(2**31))  # noqa: NPY002
    np.random.set_state(kept)  # noqa: NPY002


def test_an_environment_that_obeys_one_is_found(case_of, broken, fails):
    np.random.seed(3)  # noqa: NPY002 - so that the quiet run is always the same
    base = type(case_of("Superfecta").make())
    doors = broken("Superfecta", single={"step": stepping(base, peek)})
    message = "it plays otherwise when the global generators are seeded: .*; draw from a generator"
    fails(randomness.global_generators_are_left_alone, doors, message)
    message = "one of null, random, .* plays otherwise when seeded: in result"
    fails(randomness.agents_leave_global_generators_alone, doors, message)
