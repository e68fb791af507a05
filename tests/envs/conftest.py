"""What the tests of the doors share: every variant with short settings, legal play, simple rivals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.envs.variants import VARIANTS

# Short games that end at different times: a learner with few chips is soon ruined.
SHORT: dict[str, dict[str, Any]] = {
    "railbird/Superfecta-v0": {"races": 4, "bankroll": 6},
    "railbird/HorseRace-v0": {"races": 4, "bankroll": 40},
    "railbird/ScarneHorseRace-v0": {"races": 4, "bankroll": 40},
    "railbird/Bookmaker-v0": {"races": 3, "bankroll": 200},
    "railbird/RacingAces-v0": {"races": 5, "bankroll": 3},
    "railbird/PasteboardDerby-v0": {"races": 4, "bankroll": 5, "seats": 4},
}


@dataclass(frozen=True)
class Seated:
    """An agent for one seat, given to an environment in place of a name."""

    text: str
    agent: Callable[[Any], Agent[Any]]

    @property
    def name(self) -> str:
        return self.text

    def make(self, settings: Any) -> Agent[Any]:
        return self.agent(settings)


class Passer(Agent[Any]):
    """Never bets."""

    idea = source = "a test"

    def act(self, view: Any, draws: Any) -> Any:
        return np.zeros((len(view.lane), 40), np.int16)


def bettor(line: int, chips: int) -> type[Agent[Any]]:
    """An agent that always stakes so much on one Superfecta line, whether it has it or not."""

    class Bettor(Passer):
        def act(self, view: Any, draws: Any) -> Any:
            stakes = super().act(view, draws)
            stakes[:, line] = chips
            return stakes

    return Bettor


@pytest.fixture(params=VARIANTS, ids=lambda variant: variant.id)
def variant(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def short(variant: Any) -> dict[str, Any]:
    """Settings under which the variant's games are short; a new variant fails here until it has some."""
    return dict(SHORT[variant.id])


@pytest.fixture
def passer() -> Seated:
    return Seated("passer", Passer)


@pytest.fixture
def on_line() -> Callable[..., Seated]:
    """A rival that stakes a number of chips on a line, race after race."""

    def seated(line: int, chips: int = 1) -> Seated:
        return Seated(f"line-{line}", bettor(line, chips))

    return seated


@pytest.fixture
def legal_actions() -> Callable[..., Any]:
    """Legal actions drawn from masks (n, choices), handing in more often than not doing so would."""

    def draw(masks: Any, rng: np.random.Generator, done: float = 0.3) -> Any:
        chosen = [rng.choice(np.flatnonzero(mask)) for mask in masks]
        return np.where((rng.random(len(masks)) < done) & (masks[:, 0] == 1), 0, chosen)

    return draw


@pytest.fixture
def assert_same() -> Callable[..., None]:
    """Equality to the last bit of whatever an environment returns: types, keys, dtypes, shapes and values."""

    def same(one: Any, other: Any, where: str = "") -> None:
        assert type(one) is type(other), where
        if isinstance(one, dict):
            assert one.keys() == other.keys(), where
            for key in one:
                same(one[key], other[key], f"{where}[{key!r}]")
        elif isinstance(one, tuple | list):
            assert len(one) == len(other), where
            for place, (left, right) in enumerate(zip(one, other, strict=True)):
                same(left, right, f"{where}[{place}]")
        elif isinstance(one, np.ndarray):
            assert (one.dtype, one.shape) == (other.dtype, other.shape), where
            if one.dtype == object:
                same(list(one), list(other), where)
            else:
                np.testing.assert_array_equal(one, other, where)
        else:
            assert one == other, where

    return same
