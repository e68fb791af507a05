"""Threads that share work: every part once, errors of the first part, no thread left working."""

from __future__ import annotations

import copy
import pickle
import threading
import time

import pytest

from railbird.envs.crew import Crew, cut


@pytest.fixture(params=[1, 2, 5])
def crew(request):
    made = Crew(request.param)
    yield made
    made.close()


def helpers():
    return [thread for thread in threading.enumerate() if thread.name.startswith("railbird-lanes")]


def test_every_part_is_done_once(crew):
    for parts in (0, 1, 3, 40):
        done = []
        crew.each(done.append, parts)
        assert sorted(done) == list(range(parts))


def test_two_threads_work_at_the_same_time():
    crew, met = Crew(2), threading.Barrier(2, timeout=30)  # broken if one waits alone

    def meet(number):
        met.wait()

    crew.each(meet, 2)
    assert not met.broken
    crew.close()


def test_the_error_of_the_first_part_is_raised_whole_though_another_failed_sooner(crew):
    def work(number):
        if number == 1:
            time.sleep(0.05)
        if number > 0:
            raise LookupError(f"part {number}") from OSError("the cause")

    with pytest.raises(LookupError, match="part 1") as raised:
        crew.each(work, 4)
    assert isinstance(raised.value.__cause__, OSError)
    assert raised.traceback[-1].name == "work"


def test_an_interrupt_comes_through_when_nobody_works_any_more(crew):
    ended = []

    def work(number):
        if number == 0:
            raise KeyboardInterrupt
        time.sleep(0.05)
        ended.append(number)

    with pytest.raises(KeyboardInterrupt):
        crew.each(work, 100)
    so_far = list(ended)
    assert len(so_far) < 99  # the rest was given up
    time.sleep(0.1)
    assert ended == so_far
    crew.each(ended.append, 1)  # and it works on
    assert ended == [*so_far, 0]


def test_closing_ends_the_threads_and_later_work_starts_them_again():
    crew = Crew(3)
    before = len(helpers())
    crew.each(lambda number: None, 8)
    assert len(helpers()) > before
    crew.close()
    assert len(helpers()) == before
    done = []
    crew.each(done.append, 8)
    assert sorted(done) == list(range(8))
    crew.close()
    crew.close()


def test_a_copy_has_threads_of_its_own():
    crew = Crew(2)
    crew.each(lambda number: None, 2)
    for other in (copy.deepcopy(crew), pickle.loads(pickle.dumps(crew))):
        done = []
        other.each(done.append, 3)
        assert other.threads == 2
        assert sorted(done) == [0, 1, 2]
        other.close()
    crew.close()


def test_lanes_are_cut_into_neighbouring_runs_as_equal_as_can_be():
    assert list(cut(7, 3)) == [slice(0, 2), slice(2, 4), slice(4, 7)]
    assert list(cut(2, 4)) == [slice(0, 1), slice(1, 2)]  # none is empty
