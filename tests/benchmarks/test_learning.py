"""The comparison of two ways to learn."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from railbird.benchmarks import learning
from railbird.benchmarks.learning import DEFAULTS, NATIVE, Clock, Mark, Run


def run(way: str, *marks: tuple[int, float, float, float]) -> Run:
    """A run of marks (frames, seconds, rollouts, score)."""
    return Run(way, 0, tuple(Mark(frames, s, r, 2 * s, score) for frames, s, r, score in marks))


OURS = run("native", (0, 0.0, 0.0, -1.0), (1000, 1.0, 0.25, 0.5), (2000, 2.0, 0.5, 0.9))
THEIRS = run("defaults", (0, 0.0, 0.0, -1.0), (100, 10.0, 2.0, 0.6))


def test_a_target_is_reached_at_the_first_mark_that_has_it() -> None:
    assert OURS.reached(0.5) == OURS.marks[1]
    assert OURS.reached(0.91) is None


def test_speeds_are_of_the_whole_run() -> None:
    # 2000 frames in 2 s, half a second of which collects; 100 in 10 s, 2 of which collect
    assert (OURS.speed, OURS.rollout_speed) == (1000.0, 4000.0)
    assert (THEIRS.speed, THEIRS.rollout_speed) == (10.0, 50.0)


@pytest.mark.parametrize(
    ("target", "ratio"),
    [
        (0.5, 10.0),  # 10 s over 1 s
        (0.9, 5.0),  # never theirs: all of its 10 s, over 2 s
        (0.95, 0.0),  # never ours
    ],
)
def test_the_time_to_a_target_is_compared(target: float, ratio: float) -> None:
    assert learning.times_quicker(OURS, THEIRS, target) == ratio


def test_the_goals_are_judged_by_the_ratios() -> None:
    found = {one.name: one for one in learning.figures([OURS], [THEIRS], 0.5)}
    assert found["speed_ratio"].value == 100.0  # 1000 / 10
    assert found["rollout_speed_ratio"].value == 80.0  # 4000 / 50
    assert found["time_to_target_ratio"].value == 10.0
    assert [found[f"{name}_ratio"].goal for name in ("speed", "rollout_speed", "time_to_target")] == [
        10,
        20,
        5,
    ]
    assert found["native_to_target"].value == 1.0


def test_a_run_is_told_in_a_line() -> None:
    assert learning.story(OURS, 0.5) == (
        "native, seed 0: reached 0.500 after 1,000 frames, 1.0 s (2.0 s on the wall); 1,000 frames/s"
    )
    assert learning.story(THEIRS, 0.9) == (
        "defaults, seed 0: not reached in 100 frames, 10.0 s (0.600); 10 frames/s"
    )


def test_who_never_bets_makes_nothing() -> None:
    passes = SimpleNamespace(
        predict=lambda seen, action_masks, deterministic: (np.zeros(len(seen), int), None)
    )
    assert learning.evaluate(passes) == 0.0


def test_the_target_is_a_share_of_what_the_best_agent_makes(monkeypatch) -> None:
    monkeypatch.setattr(learning, "SHARE", 1.0)
    best = learning.target_score()
    monkeypatch.setattr(learning, "SHARE", 0.5)
    assert best > 0.5
    assert learning.target_score() == pytest.approx(best / 2)


@pytest.mark.parametrize(
    ("scores", "least", "done"), [((0.1, 0.6), 100, True), ((0.1, 0.6), 101, False), ((0.1, 0.4), 0, False)]
)
def test_a_run_ends_when_the_target_is_reached_and_it_was_long_enough(scores, least, done) -> None:
    clock = Clock(replace(NATIVE, least=least), 0.5)
    clock.marks = [Mark(100 * number, 1.0, 1.0, 1.0, score) for number, score in enumerate(scores)]
    assert clock.done is done


SHORT = (
    replace(NATIVE, lanes=64, most=3000),
    replace(DEFAULTS, options={"n_steps": 16, "batch_size": 64, "n_epochs": 1}, most=256),
)


@pytest.mark.slow
@pytest.mark.parametrize("way", SHORT)
def test_a_run_is_marked_before_every_rollout_and_at_its_end(way) -> None:
    found = learning.train(way, 0, target=100.0)
    steps = way.lanes * way.options["n_steps"]
    assert [mark.frames for mark in found.marks] == [steps * number for number in range(len(found.marks))]
    assert found.marks[-1].frames >= way.most
    assert found.marks[0].rollouts == 0
    assert 0 < found.marks[-1].rollouts < found.marks[-1].seconds


@pytest.mark.slow
@pytest.mark.parametrize("way", SHORT)
def test_evaluations_are_not_on_the_clock(way, monkeypatch) -> None:
    now = [0.0]  # a clock that nothing moves but evaluations

    def takes_long(model: object) -> float:
        now[0] += 100.0
        return 0.0

    monkeypatch.setattr(learning, "evaluate", takes_long)
    monkeypatch.setattr(
        learning, "time", SimpleNamespace(process_time=lambda: now[0], perf_counter=lambda: now[0])
    )
    found = learning.train(way, 0, target=100.0)
    assert len(found.marks) > 1
    assert {(mark.seconds, mark.rollouts, mark.wall) for mark in found.marks} == {(0.0, 0.0, 0.0)}


@pytest.mark.slow
def test_a_run_stops_at_the_target() -> None:
    found = learning.train(replace(SHORT[0], least=1), 0, target=-100.0)
    assert [mark.frames for mark in found.marks] == [0, 64 * 12]
