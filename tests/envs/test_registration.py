"""Environments are found by their ids, and registered once."""

from __future__ import annotations

import json
import subprocess
import sys

import gymnasium as gym
import pytest

from railbird.envs.registration import register_envs
from railbird.envs.variants import VARIANTS

IMPORTS = {
    "railbird first": ("import railbird, gymnasium as gym", ""),
    "gymnasium first": ("import gymnasium as gym, railbird", ""),
    "gymnasium alone": ("import gymnasium as gym", "railbird:"),
}  # what is imported, and what is then written before an id


def run(code):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module", params=IMPORTS.values(), ids=list(IMPORTS))
def made(request):
    """The classes a fresh interpreter makes, by id."""
    imports, before = request.param
    names = [variant.id for variant in VARIANTS]
    makes = f"{{name: type(gym.make({before!r} + name).unwrapped).__name__ for name in {names}}}"
    return json.loads(run(f"{imports}, json; print(json.dumps({makes}))"))


def test_an_id_is_found_whatever_is_imported_first(made, variant):
    assert made[variant.id] == variant.env


def test_registering_again_changes_nothing(variant):
    before = gym.spec(variant.id)
    register_envs()  # warnings are errors in these tests
    assert gym.spec(variant.id) is before


def test_registering_loads_no_game():
    code = "import gymnasium, railbird, sys; print([m for m in ('numba', 'torch') if m in sys.modules])"
    assert run(code) == "[]"


def test_make_vec_takes_the_native_vector_environment(variant):
    assert type(gym.make_vec(variant.id, 2)).__name__ == variant.vector_env
