"""Memories kept by lane are cut and joined between lanes; all else must be the same everywhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from railbird.envs.lane_memory import cut_memory, join_memory
from railbird.envs.memory import remembered
from railbird.games.errors import BrokenFile, RailbirdError


def memory_of(**known):
    fresh = SimpleNamespace(**dict.fromkeys(known))
    return remembered(SimpleNamespace(**known), fresh)


SPANS = [slice(0, 2), slice(2, 5)]


def test_rows_by_lane_are_joined_and_cut_again():
    parts = [
        memory_of(seen=np.array([[1, 2], [3, 4]], np.int16), names=["a", "b"], rate=0.5),
        memory_of(seen=np.array([[5, 6], [7, 8], [9, 10]], np.int16), names=["c", "d", "e"], rate=0.5),
    ]
    whole = memory_of(
        seen=np.array([[1, 2], [3, 4], [5, 6], [7, 8], [9, 10]], np.int16),
        names=["a", "b", "c", "d", "e"],
        rate=0.5,
    )
    assert join_memory(parts, [2, 3], SimpleNamespace()) == whole
    assert cut_memory(whole, 5, SPANS, SimpleNamespace()) == parts


def test_what_is_the_same_in_all_groups_stays_as_it_is():
    part = memory_of(table=np.arange(4), number=3)
    assert join_memory([part, part], [2, 3], SimpleNamespace()) == part
    assert cut_memory(part, 5, SPANS, SimpleNamespace()) == [part, part]


def test_a_part_that_remembers_nothing_has_what_an_agent_begins_with():
    fresh = SimpleNamespace(seen=[0, 0])
    changed = remembered(SimpleNamespace(seen=[4, 5]), fresh)
    assert join_memory([changed, []], [2, 2], fresh) == memory_of(seen=[4, 5, 0, 0])


def test_an_array_as_large_as_it_was_made_is_no_memory_by_lane_though_there_are_as_many_lanes():
    fresh = SimpleNamespace(room=np.zeros(2))
    parts = [memory_of(room=np.array([1.0, 2.0])), memory_of(room=np.array([3.0, 4.0]))]
    assert join_memory(parts, [2, 2], fresh) == parts[0]
    assert cut_memory(parts[0], 2, [slice(0, 1), slice(1, 2)], fresh) == [parts[0], parts[0]]


@pytest.mark.parametrize(
    ("one", "other"), [(1, 2), (np.zeros(1), np.ones(1)), ({0: 1}, {0: 2}), (["a"], ["b"])]
)
def test_what_differs_and_has_no_row_for_each_lane_cannot_be_joined(one, other):
    with pytest.raises(RailbirdError, match="seen differs between groups of lanes and has no row for each"):
        join_memory([memory_of(seen=one), memory_of(seen=other)], [2, 3], SimpleNamespace())


def test_garbage_is_no_memory():
    broken: tuple[Any, ...] = (3, [3], [[["seen"], 1, 2]])
    for memory in broken:
        with pytest.raises(BrokenFile, match="a saved memory is not one of a SimpleNamespace"):
            cut_memory(memory, 5, SPANS, SimpleNamespace())


def test_what_only_one_group_has_cannot_be_joined():
    with pytest.raises(RailbirdError, match="seen differs between groups of lanes"):
        join_memory([memory_of(seen=1), []], [2, 3], SimpleNamespace())
