"""Where training's time goes: every part is found, and the whole is shared out."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from railbird.benchmarks import training_time
from railbird.benchmarks.stopwatch import Stopwatch
from railbird.benchmarks.training_time import PARTS, REST, shares_of, watch_session, watched


def test_a_part_is_what_is_not_spent_in_the_parts_it_calls() -> None:
    now = [0.0]

    def takes(ticks: float, *calls: Callable[[], None]) -> Callable[[], None]:
        def called() -> None:
            now[0] += ticks
            for call in calls:
                call()

        return called

    first, second = (SimpleNamespace(rivals=SimpleNamespace(decide=takes(ticks))) for ticks in (1, 2))
    seats = SimpleNamespace(
        table=SimpleNamespace(parts=[first, second]),
        reset=takes(5),
        env_method=takes(3),
        step_wait=takes(10, lambda: first.rivals.decide(), lambda: second.rivals.decide()),
    )
    normalizer = SimpleNamespace(step_wait=takes(20, lambda: seats.step_wait()))
    model = SimpleNamespace(
        policy=SimpleNamespace(forward=takes(40), predict_values=takes(50)), train=takes(100)
    )
    rollout = (
        lambda: seats.env_method(),
        lambda: model.policy.forward(),
        lambda: normalizer.step_wait(),
        lambda: model.policy.predict_values(),
        lambda: model.train(),
    )
    session = SimpleNamespace(
        model=model,
        tables=SimpleNamespace(seats=seats, normalizer=normalizer),
        learn=takes(1000, *rollout, *rollout),
    )
    watch = Stopwatch(lambda: now[0])
    watch_session(watch, session)
    session.learn()
    assert dict(watch.seconds) == {
        REST: 1000,
        "tables": 2 * (3 + 10),
        "rivals": 2 * (1 + 2),
        "normalising": 2 * 20,
        "policy": 2 * (40 + 50),
        "gradient steps": 2 * 100,
    }


def test_figures_are_shares_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {
        "gradient steps": 4.0,
        "policy": 1.0,
        "normalising": 0.5,
        REST: 0.5,
        "tables": 1.0,
        "rivals": 3.0,
    }
    monkeypatch.setattr(training_time, "watched", lambda game, updates, seed: (50_000, seconds))
    found = {one.name: one for one in shares_of("superfecta")}
    assert found["superfecta_learning"].value == 5_000  # 50,000 in 10 s
    assert found["superfecta_environment"].value == 40  # 1 + 3 of 10 s
    assert found["superfecta_environment"].reached
    assert found["superfecta: rivals"].value == 30
    assert {name: found[f"superfecta: {name}"].value / 10 for name in PARTS} == seconds


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rollout"), [("racing-aces", 512 * 8), ("pasteboard-derby", 1_024 * 4)])
def test_every_part_of_a_run_is_seen(game: str, rollout: int) -> None:
    steps, seconds = watched(game, 2, 1)
    assert steps == 2 * rollout
    assert seconds.keys() == set(PARTS)
    assert all(seconds.values()), seconds
