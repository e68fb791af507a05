"""The exact score at Racing Aces, against the figures of RULES.md §4 and sums over its table of rails."""

from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent
from railbird.evaluation.exact.racing_aces import exact_score
from railbird.games.errors import InvalidSettings
from railbird.games.racing_aces.settings import RacingAcesSettings

OPTIMUM = 0.071857  # chips a race, RULES.md §4


def named(name, **rules):
    settings = RacingAcesSettings(**rules)
    return exact_score(parse_agent(name, "racing-aces").make(settings), settings)


class Sometimes(Agent[Any]):
    """Backs the suit with the fewest cards where `when` says so of the view."""

    def __init__(self, when):
        super().__init__(RacingAcesSettings())
        self.when = when

    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 4), np.int16)
        stakes[np.arange(len(view.lane)), view.rail.argmin(1)] = self.when(view)
        return stakes


def test_best_bettor_scores_the_optimum_in_every_race():
    found = named("optimal")
    assert found.optimum == pytest.approx(OPTIMUM, abs=5e-7)
    assert found.by_race == pytest.approx([OPTIMUM] * 12, abs=5e-7)
    assert (found.first, found.worst) == (pytest.approx(1), pytest.approx(1))


def test_suit_with_the_fewest_cards_earns_what_the_rules_say():
    found = named("favourite")
    assert found.by_race[0] == pytest.approx(0.069439, abs=5e-7)
    assert found.worst == pytest.approx(0.069439 / OPTIMUM, abs=1e-5)


def test_who_never_bets_scores_nothing():
    assert set(named("null").by_race) == {0.0}


def test_rails_are_weighed_by_their_chance():
    # rail 2,2,2,1: 0.1930 of deals, the suit that shows 1 wins with 0.378: 3 · 0.378 − 1 = 0.134 a chip
    found = exact_score(Sometimes(lambda view: np.sort(view.rail, axis=1)[:, 1] == 2))
    three = 0.1608 * 0.091  # rail 3,2,2,0 as well: its second lowest is 2
    assert found.by_race[0] == pytest.approx(0.1930 * 0.133 + three, abs=2e-4)


def test_the_race_before_is_weighed_too():
    # each suit wins every fourth race, whatever the next rail; before the first race none has
    found = exact_score(Sometimes(lambda view: view.last_winner == 0))
    assert found.by_race[0] == 0
    assert found.by_race[1:] == pytest.approx([0.069439 / 4] * 11, abs=1e-6)


def test_worst_race_counts():
    found = exact_score(Sometimes(lambda view: view.race != 7))
    assert found.first == pytest.approx(0.069439 / OPTIMUM, abs=1e-5)
    assert (found.by_race[7], found.worst) == (0, 0)


def test_the_bet_seen_of_the_race_before_is_the_agents_own():
    found = exact_score(Sometimes(lambda view: (view.race == 0) | (view.last_stakes.sum((1, 2)) == 1)))
    assert found.by_race == pytest.approx([0.069439] * 12, abs=5e-7)


@pytest.mark.parametrize("rules", [{"seats": 2}, {"seats": 2, "bank": "rotate"}, {"max_wagers": 4}])
def test_other_tables_are_refused(rules):
    settings = RacingAcesSettings(**rules)
    with pytest.raises(InvalidSettings, match="the exact score is that of a single seat with one wager"):
        exact_score(Sometimes(lambda view: view.race >= 0), settings)
