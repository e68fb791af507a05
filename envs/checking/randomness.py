"""Global generators, and other processes: what must neither be touched nor matter.

Needs: N2 (no global random state), N3 (the same in another process, with another hash seed), N30 (spawn).
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import random
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import numpy as np

from ...agents.check import GlobalGenerators
from ...agents.registry import zoo
from ...games.registry import load
from .doors import Doors, table_of
from .play import Player, story
from .sameness import story_difference
from .verdicts import CheckFailed, NotApplicable

OWN: Final = "draw from a generator of the environment's own"
UNUSUAL: Final = 1_903_265_417  # a seed that nobody else gives the global generators
HASH_SEED: Final = "PYTHONHASHSEED"
HASH_SEEDS: Final = ("0", "1")


def global_generators_are_left_alone(doors: Doors, steps: int = 40) -> str:
    """Neither the environment nor its rivals read or write `random`, `np.random` or torch's generator."""
    with GlobalGenerators():  # puts them back in the end
        _stir(UNUSUAL)
        with GlobalGenerators() as generators:
            quiet = story(doors.open_single(), 1, steps, Player(1))
            used = generators.used()
        if used:
            raise CheckFailed(f"it {used[0]}", OWN)
        stirred = story(doors.open_single(), 1, steps, Stirring(1))
    differs = story_difference(quiet, stirred)
    if differs:
        raise CheckFailed(f"it plays otherwise when the global generators are seeded: {differs}", OWN)
    return "neither reads nor writes random, np.random or torch"


def agents_leave_global_generators_alone(doors: Doors, steps: int = 12) -> str:
    """The same with every agent of the game's zoo at the other seats. Need: N2."""
    others = len(table_of(doors.open_table()).options.opponents)
    if not others:
        raise NotApplicable("nobody else sits at the table")
    if doors.variant is None or not doors.takes(opponents=["random"]):
        raise NotApplicable("it has no setting 'opponents'")
    spec = load(doors.variant.game)
    agents = zoo(spec.players or spec.name)
    for first in range(0, len(agents), others):
        seated = agents[first : first + others]
        quiet = story(doors.open_single(opponents=seated), 1, steps, Player(1))
        with GlobalGenerators():
            stirred = story(doors.open_single(opponents=seated), 1, steps, Stirring(1))
        differs = story_difference(quiet, stirred)
        if differs:
            raise CheckFailed(f"one of {', '.join(seated)} plays otherwise when seeded: {differs}", OWN)
    return f"nor do the {len(agents)} agents of {spec.players or spec.name}"


class Stirring(Player):
    """A player that seeds and uses every global generator before each step."""

    def draws(self) -> Any:
        draws = super().draws()
        _stir(self._step)
        return draws


def _stir(seed: int) -> None:
    """Seeds and uses every global generator."""
    random.seed(seed)
    random.random()
    np.random.seed(seed)  # noqa: NPY002 - the global generator is the point
    np.random.random()  # noqa: NPY002
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
        torch.rand(1)


def a_spawned_process_plays_the_same(doors: Doors, hash_seeds: tuple[str, ...] = HASH_SEEDS) -> str:
    """A spawned process finds the environment and plays the same, whatever its hash seed."""
    make = named_maker(doors)
    here = story_hash(make)
    for hash_seed in hash_seeds:
        there = _spawned(make, hash_seed)
        if there != here:
            raise CheckFailed(
                f"another process with {HASH_SEED}={hash_seed} plays other games",
                "let nothing rest on the order of sets, on hashes or on what a process inherits",
            )
    return f"spawned processes with {HASH_SEED} {', '.join(hash_seeds)} find it and play the same"


def named_maker(doors: Doors) -> Callable[[], Any]:
    """A function of no arguments that makes the single environment in another process.

    Raises:
        NotApplicable: there is none, or it cannot be named there.
    """
    if doors.single is None:
        doors.open_single()
    if doors.variant is not None and doors.name == doors.variant.id:
        return _Named(doors.variant.id, doors.settings)
    if not isinstance(doors.single, type) and ":" in doors.name:
        return _Named(doors.name, doors.settings)
    try:
        pickle.dumps(doors.single)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        raise NotApplicable(f"what makes it cannot be sent to another process: {error}") from None
    assert doors.single is not None
    return doors.single


class _Named:
    """Makes the single environment of a name wherever it is called."""

    def __init__(self, name: str, settings: dict[str, Any]) -> None:
        self.name, self.settings = name, settings

    def __call__(self) -> Any:
        from .doors import open_doors

        return open_doors(self.name, **self.settings).open_single()


def story_hash(make: Callable[[], Any], steps: int = 60) -> str:
    """A hash of all that an environment says in its first games."""
    told = hashlib.sha256()
    for result in story(make(), 7, steps, Player(5)):
        told.update(_bytes(result))
    return told.hexdigest()


def _bytes(value: Any) -> bytes:
    """A value as bytes that are the same in every process."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return b"".join(str(key).encode() + _bytes(value[key]) for key in sorted(value, key=str))
    if isinstance(value, tuple | list):
        return b"".join(map(_bytes, value))
    return repr(value).encode()


def _spawned(make: Callable[[], Any], hash_seed: str) -> str:
    """`story_hash` in a spawned process with this hash seed."""
    before = os.environ.get(HASH_SEED)
    os.environ[HASH_SEED] = hash_seed
    try:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            return pool.submit(story_hash, make).result(timeout=300)
    except CheckFailed:
        raise
    except Exception as error:
        raise CheckFailed(
            f"a spawned process cannot play it: {type(error).__name__}: {error}",
            "let its module be importable by name, and register ids when it is imported",
        ) from error
    finally:
        if before is None:
            del os.environ[HASH_SEED]
        else:
            os.environ[HASH_SEED] = before
