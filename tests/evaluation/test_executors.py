"""Who plays the blocks makes no difference."""

from __future__ import annotations

import pytest

from railbird.evaluation.executors import choose_workers
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import InvalidSettings

FIELD = ["random", "favourite", "follower", "kelly:fraction=0.5", "random:probability=0.3"]


def settings(deals):
    return TournamentSettings.of("superfecta", FIELD, deals=deals, seats=3, races=2)


def test_two_processes_give_the_bytes_of_one():
    field = settings(300)
    assert (
        field.plan().blocks == 2
    )  # 5 line-ups in 3 rotations: 15 tables a deal, 4096 // 15 = 273 deals a block
    told = []
    apart = run(field, lambda done, total: told.append(done), workers=2)
    assert apart.to_json() == run(field).to_json()
    assert told == sorted(told) and len(told) == 2


def test_no_more_processes_than_blocks():
    plan = settings(700).plan()
    assert choose_workers(plan, 8) == 3
    assert choose_workers(plan, None) == 1  # three blocks are not worth a second start


def test_a_long_tournament_takes_the_processors_at_hand(monkeypatch):
    monkeypatch.setattr("railbird.evaluation.executors._processors", lambda: 5)
    assert choose_workers(settings(273 * 100).plan(), None) == 5
    assert choose_workers(settings(273 * 24).plan(), None) == 3


@pytest.mark.parametrize("asked", [0, -1, 257, 1.5, True])
def test_an_impossible_number_of_workers_is_named(asked):
    with pytest.raises(InvalidSettings, match="workers is a whole number from 1 to 256"):
        choose_workers(settings(10).plan(), asked)
