"""Whole tickets at one stake: lines bought or left."""

import numpy as np
import pytest

from railbird.envs.wrappers.line_actions import LineActions
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load


def lines(game="superfecta", **options):
    spec = load(game)
    return LineActions(spec.encoding(spec.make_settings(), **options))


def test_lines_that_are_bought_are_the_ticket():
    actions = lines()
    table = load("superfecta").game(actions.encoding.settings, 1, 2)
    table.start()
    draft = actions.encoding.begin(table.view(0))
    bought = np.zeros((2, 40), np.int8)
    bought[0, 3] = bought[1, 39] = bought[1, 0] = 1  # WIN S; WIN H and the last order
    handed_in = actions.write(draft, actions.read(bought, 2), np.ones(2, bool))
    assert handed_in.all()
    assert actions.encoding.decision(draft).nonzero()[1].tolist() == [3, 0, 39]
    assert draft.cost.tolist() == [1, 2]


def test_yes_and_no_may_come_as_floats():
    actions = lines()
    assert actions.read(np.ones((1, 40), np.float32), 1).dtype == np.int64
    with pytest.raises(InvalidSettings, match=r"actions are integers of shape \(1, 40\), not float32"):
        actions.read(np.full((1, 40), 0.5, np.float32), 1)
    with pytest.raises(InvalidSettings, match=r"actions are integers of shape \(2, 40\)"):
        actions.read(np.ones((1, 40)), 2)


def test_two_is_no_answer():
    actions = lines()
    chosen = actions.read(np.full((1, 40), 2), 1)
    assert not actions.legal(np.ones((1, actions.choices), np.int8), chosen).any()


def test_several_stakes_are_no_yes_or_no():
    with pytest.raises(InvalidSettings, match=r"lines are bought or left at one stake, not at \(1, 5\)"):
        lines(stakes=(1, 5))
