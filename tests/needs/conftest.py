"""What the tests of the needs share: every environment by its doors, and copies broken on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from railbird.envs.checking.cases import CASES, SHORT_CASES, Case
from railbird.envs.checking.doors import Doors, doors_of
from railbird.envs.checking.verdicts import CheckFailed
from railbird.envs.parallel import SeatsParallelEnv


@pytest.fixture(params=SHORT_CASES.values(), ids=list(SHORT_CASES))
def doors(request: pytest.FixtureRequest) -> Doors:
    """Every environment with settings under which its games are short."""
    return doors_of(request.param)


@pytest.fixture(params=CASES.values(), ids=list(CASES))
def any_doors(request: pytest.FixtureRequest) -> Doors:
    """The same, and every further way to play."""
    return doors_of(request.param)


@pytest.fixture
def case_of() -> Callable[[str], Case]:
    """The short case of a game's id, "Superfecta"."""
    return lambda name: SHORT_CASES[f"railbird/{name}-v0"]


@pytest.fixture
def broken() -> Callable[..., Doors]:
    """The doors of an id with one of its environments replaced by a subclass with these members: ``single``,
    ``vector`` or ``parallel`` (a dict of members), or by any other maker.
    """

    def of(name: str, settings: dict[str, Any] | None = None, **doors: Any) -> Doors:
        case = SHORT_CASES[f"railbird/{name}-v0"]
        case = case if settings is None else Case(case.variant, settings)
        makers: dict[str, Any] = {
            door: made if callable(made) else partial(_construct, door, case, made)
            for door, made in doors.items()
        }
        return replace(doors_of(case), name=f"a broken {name}", **makers)

    return of


def _construct(door: str, case: Case, members: dict[str, Any], *lanes: int, **more: Any) -> Any:
    """A subclass of a case's environment, made."""
    settings = {**case.settings, **more}
    if door == "parallel":
        kind: Any = type("Broken", (SeatsParallelEnv,), members)
        open_ones = {name: value for name, value in settings.items() if name not in ("seat", "opponents")}
        return kind(case.variant, **open_ones)
    base = type(case.make()) if door == "single" else type(case.make_vec(1))
    kind = type("Broken", (base,), members)
    return kind(**settings) if door == "single" else kind(num_envs=lanes[0], **settings)


@pytest.fixture
def fails() -> Callable[..., None]:
    """Asserts that a check fails on these doors with a message."""

    def on(check: Callable[..., str], doors: Doors, message: str, **options: Any) -> None:
        with pytest.raises(CheckFailed, match=message):
            check(doors, **options)

    return on
