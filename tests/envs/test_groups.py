"""Groups of lanes with opponents of their own: each plays what it would alone, and all act as one table."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from railbird.envs.groups import Groups
from railbird.envs.learner_table import LearnerTable
from railbird.envs.options import read_options
from railbird.envs.variants import variant_of
from railbird.games.errors import BrokenFile, InvalidSettings

FIELD = (("favourite,random", 3), ("favourite,random", 2), ("value,dutch", 4))  # opponents, lanes


def tables(field=FIELD, **settings):
    made, first = [], 0
    for opponents, lanes in field:
        given = {"seats": 3, "races": 3, "bankroll": 9, "opponents": opponents, "lane": first, **settings}
        made.append(LearnerTable(read_options(variant_of("superfecta"), given), lanes))
        first += lanes
    return made


def actions_of(masks, rng):
    return np.array([0 if rng.random() < 0.5 else rng.choice(np.flatnonzero(mask)) for mask in masks])


def results(table, actions):
    """A step with everything that can be seen after it, games that ended begun again."""
    outcome = table.step(actions)
    table.reset(outcome.ended)
    seen, masks = table.observe(), table.masks()
    return outcome.rewards, outcome.profits, outcome.ended, outcome.illegal, seen, masks


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_each_group_plays_what_it_plays_alone(threads):
    whole, alone = Groups(tables(), threads), tables()
    spans = [slice(0, 3), slice(3, 5), slice(5, 9)]
    for table in (whole, *alone):
        table.reset(seeds=6)
    rng = np.random.default_rng(1)
    for _ in range(30):
        actions = actions_of(whole.masks(), rng)
        told = results(whole, actions)
        for table, span in zip(alone, spans, strict=True):
            for mine, own in zip(told, results(table, actions[span]), strict=True):
                assert (mine[span] == own).all()
            assert (whole.seat[span] == table.seat).all()
            assert (whole.wealth[span] == table.wealth).all()
            assert (whole.game.state.rail[span] == table.game.state.rail).all()
    whole.close()


def test_the_same_numbers_are_another_game_with_other_opponents():
    groups = Groups(tables([("favourite,random", 2), ("value,dutch", 2)]), 2)
    groups.reset(seeds=6)
    groups.step(np.zeros(4, np.int64))
    stakes = groups.game.state.last_stakes
    assert (stakes[:2, 1].sum(1) == 1).all()  # the favourite's only wager
    assert groups.around(1) == ["learner", "favourite", "random"]
    assert groups.around(2) == ["learner", "value", "dutch"]


def test_seats_rotate_and_lanes_keep_their_numbers():
    groups = Groups(tables(seat="rotate", races=1), 2)
    groups.reset(seeds=6)
    groups.reset(np.arange(9) % 2 == 0)  # the second episode in every other lane
    assert groups.seat.tolist() == [1, 0, 1, 0, 1, 0, 1, 0, 1]  # episode modulo three seats
    assert groups.game.state.number.tolist() == list(range(9))


def test_a_saved_state_goes_on_where_opponents_are_grouped_alike():
    groups = Groups(tables(), 2)
    groups.reset(seeds=6)
    rng = np.random.default_rng(2)
    for _ in range(8):
        results(groups, actions_of(groups.masks(), rng))
    state = json.loads(json.dumps(groups.save()))
    other = Groups(tables([("favourite,random", 5), *FIELD[2:]]), 3)  # another cut between lanes, same seats
    other.load(state)
    for _ in range(12):
        actions = actions_of(groups.masks(), rng)
        for mine, theirs in zip(results(groups, actions), results(other, actions), strict=True):
            assert (mine == theirs).all()


def test_a_saved_state_of_other_opponents_is_refused_and_nothing_changes():
    groups, other = Groups(tables(), 2), Groups(tables(FIELD[::-1]), 2)
    for table in (groups, other):
        table.reset(seeds=6)
    before = other.save()
    with pytest.raises(BrokenFile, match="cannot go on as 4 lanes of superfecta"):
        other.load(groups.save())
    assert other.save() == before


@pytest.mark.parametrize(
    ("part", "value", "told"),
    [
        ("rivals", [], "memories of 2 groups of opponents"),
        ("rivals", [[], []], "a list of memories for 2 opponents"),
        ("rivals", [[[3], []], [[], []]], "a saved memory is not one of a Favourite"),
        ("draft", {}, None),
        ("table", {}, "a saved state has the arrays"),
        ("game", {}, "a saved superfecta state has the arrays"),
    ],
)
def test_a_broken_state_is_refused_and_nothing_changes(part, value, told):
    groups = Groups(tables(), 2)
    groups.reset(seeds=6)
    groups.step(np.full(9, 5))
    before = groups.save()
    if told is None:  # nothing written yet: the drafts are empty ones
        groups.load(before | {part: value})
        assert (groups.masks()[:, 5] == 1).all()
        return
    with pytest.raises(BrokenFile, match=told):
        groups.load(before | {part: value})
    assert groups.save() == before


def test_what_watches_all_lanes_needs_the_same_opponents():
    with pytest.raises(InvalidSettings, match="needs the same opponents"):
        _ = Groups(tables(), 2).watchers


@pytest.mark.parametrize("other", [{"races": 4}, {"reward": "expected"}, {"seats": 4}, {"action": "ticket"}])
def test_groups_differ_in_nothing_but_opponents(other):
    mixed = [*tables(FIELD[:1]), *tables(FIELD[1:], **other)]
    with pytest.raises(InvalidSettings, match="differ in their opponents alone"):
        Groups(mixed)
    with pytest.raises(InvalidSettings, match="one table or more"):
        Groups([])


def test_draft_texts_are_those_of_the_lanes():
    groups = Groups(tables(), 2)
    groups.reset(seeds=6)
    groups.step(np.array([1, 2, 3, 4, 5, 1, 2, 3, 4]))
    alone = LearnerTable(replace(groups.options), 9)
    alone.reset(seeds=6)
    alone.step(np.array([1, 2, 3, 4, 5, 1, 2, 3, 4]))
    texts = [groups.draft_text(lane) for lane in range(9)]
    assert texts == [alone.draft_text(lane) for lane in range(9)]
    assert texts[0] == texts[5] != texts[4]
