"""Ratings and Nash averages of whole tournaments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log, tanh
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation import strengths
from railbird.evaluation.blocks import play_block
from railbird.evaluation.lineups import rotate
from railbird.evaluation.ratings import rate
from railbird.evaluation.strengths import nash_of
from railbird.evaluation.tally import Tally
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket

FIELD = ("favourite", "longshot", "straight", "random")
CONTEST = ("random", "shortest", "likeliest", "cards")


class Planned(Agent[Any]):
    """The same ticket in every race."""

    def __init__(self, settings, text):
        super().__init__(settings)
        self.ticket = parse_ticket(text, settings)

    def act(self, view, draws):
        return np.tile(self.ticket, (len(view.lane), 1))


@dataclass(frozen=True)
class Made:
    """A factory as the registry hands them out."""

    text: str
    ticket: str

    def make(self, settings):
        return Planned(settings, self.ticket)


COVER = Made("cover", "$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S")
WASTER = Made("waster", "$2 WIN H; $1 WIN D; $1 WIN C; $1 WIN S")
NOTHING = Made("nothing", "")


def pool(*agents, seats=2, races=1, deals=4):
    return TournamentSettings("superfecta", agents, SuperfectaSettings(seats=seats, races=races), deals=deals)


def rated_in(settings):
    """The ratings of a tournament that has some."""
    found = run(settings).ratings
    assert found is not None
    return found


def by_agent(ratings):
    return {rated.agent: rated for rated in ratings.standings}


def mixed_in(settings):
    """The parts of the Nash average of a contest."""
    found = run(settings).nash
    assert found is not None
    return found.shares


def taken_in(plan):
    """A tally of all blocks of a plan."""
    tally = Tally(plan)
    for number in range(plan.blocks):
        tally.add(play_block(plan, number))
    return tally


def test_a_rating_by_hand():
    # Cover has 4 - 4 = 0, waster 4 - 5 = -1, at both tables of all four deals: eight wins in eight. With a
    # draw of each against 0 the strengths s and -s are where 8 (1 - σ(2s)) = σ(s) - 1/2 = tanh(s/2) / 2.
    ratings = rated_in(pool(WASTER, COVER))
    found = by_agent(ratings)
    assert [rated.agent for rated in ratings.standings] == ["cover", "waster"]
    strength = found["cover"].rating / 400 * log(10)
    assert 8 * (1 - 1 / (1 + exp(-2 * strength))) == pytest.approx(tanh(strength / 2) / 2, abs=1e-7)
    assert found["waster"].rating == -found["cover"].rating
    assert (found["cover"].place, found["waster"].place) == (1, 2)
    assert (ratings.model, ratings.deals) == ("bradley-terry", 4)


def test_who_wins_all_has_no_upper_bound_and_who_wins_nothing_no_lower_one():
    found = by_agent(rated_in(pool(WASTER, COVER)))
    assert found["cover"].interval[0] is not None and found["cover"].interval[1] is None
    assert found["waster"].interval[0] is None and found["waster"].interval[1] is not None
    assert found["cover"].league != found["waster"].league
    assert found["cover"].group == found["waster"].group


def test_who_is_always_level_is_as_strong():
    # of 8 chips 4 go to each of the two that bet, and nobody has more than before
    ratings = rated_in(pool(COVER, COVER, NOTHING, seats=3, races=3))
    assert ratings.model == "plackett-luce"
    for rated in ratings.standings:
        assert (rated.rating, rated.interval, rated.place, rated.league) == (0.0, (0.0, 0.0), 1, 0)


def test_one_deal_has_no_intervals():
    assert {rated.interval for rated in rated_in(pool(COVER, NOTHING, deals=1)).standings} == {(None, None)}


def test_groups_that_never_met_are_told():
    settings = pool(WASTER, COVER, NOTHING, COVER)
    line_ups = np.array([[0, 1], [2, 3]])
    plan = replace(settings.plan(), line_ups=line_ups, seating=rotate(line_ups))
    ratings = taken_in(plan).result(settings.to_dict(plan)).ratings
    assert not ratings.connected
    assert [(rated.agent, rated.group, rated.place) for rated in ratings.standings] == [
        ("cover", 0, 1),
        ("waster", 0, 2),
        ("nothing", 1, 1),
        ("cover#2", 1, 1),
    ]


def test_the_numbers_of_the_agents_make_no_difference():
    settings = TournamentSettings.of("superfecta", FIELD, deals=60, seats=3, races=4)
    plan, order = settings.plan(), np.array([2, 0, 3, 1])
    other = np.argsort(order)  # entry -> its new number
    turned = replace(
        plan, labels=tuple(plan.labels[old] for old in order), line_ups=other[plan.line_ups],
        factories=tuple(plan.factories[old] for old in order), seating=other[plan.seating],
    )  # fmt: skip
    one, two = (rate(taken_in(it).strengths.choices) for it in (plan, turned))
    for name in ("strength", "low", "high"):
        np.testing.assert_allclose(getattr(one, name)[order], getattr(two, name), rtol=0, atol=1e-9)
    assert one.place[order].tolist() == two.place.tolist()
    assert sorted(one.place) == [1, 2, 3, 4]


def test_the_order_in_which_the_agents_of_a_contest_are_named_makes_no_difference():
    one, two = (
        TournamentSettings.of("save-the-bet", agents, deals=20) for agents in (CONTEST, CONTEST[::-1])
    )
    first, second = (rate(taken_in(it.plan()).strengths.choices) for it in (one, two))
    for name in ("strength", "low", "high"):
        np.testing.assert_allclose(getattr(first, name)[::-1], getattr(second, name), rtol=0, atol=1e-9)
    weights = ({share.agent: share.weight for share in mixed_in(it)} for it in (one, two))
    assert next(weights) == pytest.approx(next(weights), abs=1e-6)


def test_identical_agents_have_the_same_rating_and_share_the_mixture():
    settings = TournamentSettings.of("save-the-bet", ["cards", "shortest", "cards"], deals=20)
    found = by_agent(rated_in(settings))
    assert found["cards"].rating == found["cards#2"].rating
    assert found["cards"].place == found["cards#2"].place == 1
    assert [(share.agent, share.weight) for share in mixed_in(settings)[:2]] == [
        ("cards", pytest.approx(0.5, abs=1e-6)),
        ("cards#2", pytest.approx(0.5, abs=1e-6)),
    ]


def test_deals_that_are_counted_apart_give_the_same(monkeypatch):
    settings = TournamentSettings.of("superfecta", FIELD, deals=30, seats=3, races=2)
    whole = run(settings).to_json()
    monkeypatch.setattr(strengths, "MASKS", 1)  # a deal at a time
    assert run(settings).to_json() == whole


def test_populations_with_too_many_sets_are_rated_by_pairs(monkeypatch):
    settings = TournamentSettings.of("superfecta", FIELD, deals=30, seats=3, races=2)
    # four line-ups of three: 3 pairs and a set of three each
    monkeypatch.setattr(strengths, "MOST_SETS", 16)
    assert rated_in(settings).model == "plackett-luce"
    monkeypatch.setattr(strengths, "MOST_SETS", 15)
    assert rated_in(settings).model == "bradley-terry"
    monkeypatch.setattr(strengths, "COUNTS", 16 * 120)
    assert rated_in(settings).replicates == 120  # four agents: 16 numbers of curvature a replicate


def test_one_at_a_table_is_not_rated():
    result = run(TournamentSettings.of("racing-aces", ["null", "random"], deals=2, races=2))
    assert (result.ratings, result.nash, result.seats, result.deviations) == (None, None, (), ())


def test_rock_paper_and_scissors():
    found = nash_of(
        ("rock", "paper", "scissors"), np.array([[0, 1], [0, 2], [1, 2]]), np.array([-1.0, 1, -1])
    )
    assert found.cyclic_share == 1.0
    assert [share.weight for share in found.shares] == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert [share.skill for share in found.shares] == pytest.approx([0] * 3, abs=1e-6)


def test_only_contests_have_a_nash_average():
    assert run(pool(WASTER, COVER)).nash is None
