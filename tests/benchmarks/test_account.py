"""The stopwatch adds up, and the account's kernels deal what the game deals."""

from __future__ import annotations

import time

import numpy as np
import pytest

from railbird.benchmarks.account import WATCHED, deal_races, parts_of, race_parts, shuffle
from railbird.benchmarks.cores import SCRIPTS, environment, speed_ups, stepping
from railbird.benchmarks.figures import bench
from railbird.benchmarks.scaling import cost
from railbird.benchmarks.stopwatch import Stopwatch
from railbird.envs.variants import VARIANTS
from railbird.games.errors import UnknownName
from railbird.games.race import DECK


class Work:
    """A thing whose methods take so many ticks of a clock that only they move."""

    def __init__(self):
        self.now = 0.0

    def outer(self):
        self.now += 1
        self.inner()
        self.now += 2
        self.inner()
        return "done"

    def inner(self):
        self.now += 10

    def fails(self):
        self.now += 5
        raise ValueError


def test_a_part_stops_while_one_it_calls_runs():
    work = Work()
    watch = Stopwatch(lambda: work.now)
    watch.watch(work, "inner", "within")
    watch.watch(work, "outer", "around")
    assert work.outer() == "done"
    work.now += 100  # nobody's
    work.inner()
    assert watch.seconds == {"around": 3, "within": 30}


def test_a_part_that_fails_stops_too():
    work = Work()
    watch = Stopwatch(lambda: work.now)
    watch.watch(work, "fails", "failing")
    with pytest.raises(ValueError):  # noqa: PT011 - it has no message
        work.fails()
    work.now += 100
    assert watch.seconds == {"failing": 5}


def test_a_shuffle_is_of_the_whole_deck():
    decks = np.empty((50, 48), np.int8)
    shuffle(decks, np.arange(50, dtype=np.uint64), 47)
    assert (np.sort(decks, axis=1) == np.sort(DECK)).all()
    assert len(np.unique(decks, axis=0)) == 50


def test_the_races_that_are_timed_come_out_by_the_cards():
    count = 2000
    orders, deck = np.zeros(count, np.int64), np.empty(48, np.int8)
    cards, swaps = np.empty((count, 6), np.int8), np.empty((count, 6), np.int8)
    rails = np.empty((count, 4), np.int8)
    deal_races(orders, cards, swaps, rails, deck, np.arange(count, dtype=np.uint64))
    for suit in range(4):
        assert (rails[:, suit] == (cards // 13 == suit).sum(1)).all()
    # the winner of order number 6 * suit + … ; who shows no card on the rail wins more than who shows two
    won = orders // 6
    wins = [(won[rails[:, 0] == shown] == 0).mean() for shown in (0, 1, 2)]
    assert wins[0] > wins[1] > wins[2]


@pytest.mark.slow
def test_every_environment_has_a_script_and_its_parts_add_up_to_nearly_all_of_a_step():
    assert {f"railbird/{name}-v0" for name in SCRIPTS} == {variant.id for variant in VARIANTS}
    for name, (settings, actions) in SCRIPTS.items():
        env = environment(name, 64, threads=1, **settings)
        env.reset(seed=0)
        taken: list[float] = []
        work = stepping(env, actions, time.process_time)

        def timed(work=work, taken=taken):
            taken.append(work())
            return taken[-1]

        parts = parts_of(env, timed, 1.0, passes=3)
        assert {"door", "bookkeeping", "play", "observation"} <= parts.keys(), name
        assert 0.3 * min(taken) < sum(parts.values()) < 1.5 * max(taken), name
        table = env.unwrapped.table
        for owner, method, _ in WATCHED:  # nothing is watched any more
            assert method not in vars(getattr(table, owner) if owner else table)


@pytest.mark.slow
def test_the_parts_of_a_race_are_less_than_the_race():
    found = {figure.name: figure.low for figure in race_parts()}
    assert found["race_cards"] + found["race_checking"] < 1.5 * found["race_in_all"]
    assert all(value > 0 for value in found.values())


def test_a_speed_up_is_the_best_of_one_over_the_best_of_two():
    ones, twos = iter([3.0, 2.0] * 5), iter([1.0, 4.0] * 5)
    assert speed_ups((lambda: next(ones), lambda: next(twos)), passes=2) == [[2.0] * 5]  # 2 / 1


def test_a_cost_is_by_lane():
    settings, actions = SCRIPTS["RacingAces"]
    few, many = (min(cost("RacingAces", lanes, actions, settings)) for lanes in (1, 256))
    assert few > 5 * many  # Python's part is shared by all lanes


def test_unknown_groups_of_figures_are_named_with_the_nearest():
    with pytest.raises(UnknownName, match=r"acount.*account"):
        bench(only="acount")
