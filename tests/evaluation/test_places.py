"""Profit by seat, and what agents earn in each other's places, by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation import places
from railbird.evaluation.blocks import play_block
from railbird.evaluation.estimates import student
from railbird.evaluation.tally import Tally
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket


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


def pool(*agents, seats=2, races=1, **options):
    return TournamentSettings(
        "superfecta", agents, SuperfectaSettings(seats=seats, races=races), **{"deals": 4, **options}
    )


def test_profit_by_seat_by_hand():
    plan = pool(COVER, WASTER, NOTHING, seats=3, races=4, deals=2).plan()
    assert plan.seating.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]
    profit = np.array([[[8.0, 4, 0], [0, 16, 4], [4, 0, 24]], [[16.0, 4, 0], [0, 16, 4], [4, 0, 24]]])
    tally = Tally(plan)
    tally.add(replace(play_block(plan, 0), game_adjusted=profit.reshape(2, 9)))
    found = {(line.agent, line.seat): line for line in tally.result({}).seats}
    # chips of four races: cover in seat 0 has 8 and 16, so 2 and 4 a race
    assert [found["cover", seat].profit_per_race for seat in range(3)] == [3, 4, 6]
    assert [found["waster", seat].profit_per_race for seat in range(3)] == [1, 1, 1]
    assert [found["nothing", seat].profit_per_race for seat in range(3)] == [0, 0, 0]
    # of two deals, 2 and 4: an error of 1, times Student's 12.706
    half = student(1, 0.95)
    assert found["cover", 0].interval == pytest.approx((3 - half, 3 + half))
    assert found["cover", 1].interval == (4, 4)


def test_the_mean_over_the_seats_is_the_profit_of_the_leaderboard():
    agents = ["favourite", "longshot", "straight", "random", "box"]
    result = run(TournamentSettings.of("superfecta", agents, deals=20, seats=3, races=4))
    for line in result.leaderboard:
        own = [seat.profit_per_race for seat in result.seats if seat.agent == line.agent]
        assert len(own) == 3
        assert np.mean(own) == pytest.approx(line.profit_per_race, abs=1e-8)


def test_places_that_others_held_by_hand():
    # Deals 0 and 2 are places that waster held, against cover: waster has 4 - 5 = -1, cover 4 - 4 = 0.
    # Deals 1 and 3 are places that cover held, against waster: waster has 5 - 5 = 0, cover 4 - 4 = 0.
    result = run(pool(WASTER, COVER))
    assert [line.agent for line in result.leaderboard] == ["cover", "waster"]
    cells = [(it.agent, it.holder, it.difference, it.interval, it.places) for it in result.substitutions]
    assert cells == [
        ("cover", "cover", 0.0, (0.0, 0.0), 2),
        ("cover", "waster", 1.0, (1.0, 1.0), 2),
        ("waster", "cover", 0.0, (0.0, 0.0), 2),
        ("waster", "waster", 0.0, (0.0, 0.0), 2),
    ]
    cover, waster = result.deviations
    assert (cover.gain, cover.reply, cover.tested, cover.places) == (0.0, "cover", 0.0, 2)
    assert (waster.gain, waster.reply, waster.tested, waster.interval) == (1.0, "cover", 1.0, (1.0, 1.0))


def test_places_nobody_was_tried_in_are_left_out():
    # of two deals the first is waster's place, the only one that is sampled
    result = run(pool(WASTER, COVER, deals=2, substitutes=2))
    assert [(it.agent, it.holder, it.interval) for it in result.substitutions] == [
        ("cover", "waster", (None, None)),
        ("waster", "waster", (None, None)),
    ]
    cover = result.deviations[0]
    assert (cover.gain, cover.reply, cover.tested, cover.places) == (None, None, None, 0)
    assert run(pool(WASTER, COVER, substitutes=0)).deviations == ()


def test_a_twin_gains_exactly_nothing():
    result = run(TournamentSettings.of("superfecta", ["random", "box", "random"], deals=60, seats=3, races=4))
    twins = {"random", "random#2"}
    found = [it for it in result.substitutions if {it.agent, it.holder} == twins]
    assert len(found) == 2
    assert all((it.difference, it.interval) == (0.0, (0.0, 0.0)) for it in found)


def test_no_more_places_are_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("railbird.evaluation.blocks.TABLES_PER_BLOCK", 4)  # two deals a block
    monkeypatch.setattr(places, "MOST_PROFITS", 6)  # three places of two agents
    result = run(pool(WASTER, COVER))
    assert [it.places for it in result.deviations] == [1, 2]  # cover's and waster's
    assert result.design["contexts"] == 4
