"""Environments are found by their ids, and registered once."""

from __future__ import annotations

import subprocess
import sys

import gymnasium as gym

from railbird.envs.registration import register_envs


def run(code):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_id_is_found_without_an_import(variant):
    made = f"gym.make('railbird:{variant.id}').unwrapped"
    assert run(f"import gymnasium as gym; print(type({made}).__name__)") == variant.env


def test_an_id_is_found_whether_gymnasium_comes_first_or_last(variant):
    for imports in ("import railbird, gymnasium as gym", "import gymnasium as gym, railbird"):
        assert run(f"{imports}; print(type(gym.make('{variant.id}').unwrapped).__name__)") == variant.env


def test_registering_again_changes_nothing(variant):
    before = gym.spec(variant.id)
    register_envs()  # warnings are errors in these tests
    assert gym.spec(variant.id) is before


def test_registering_loads_no_game():
    code = "import gymnasium, railbird, sys; print([m for m in ('numba', 'torch') if m in sys.modules])"
    assert run(code) == "[]"


def test_make_vec_takes_the_native_vector_environment(variant):
    assert type(gym.make_vec(variant.id, 2)).__name__ == variant.vector_env
