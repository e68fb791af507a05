"""The score of a saved agent: who sits where, and that it is the tournament's."""

import json

import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.agents.seating import parse_player
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import BrokenFile, InvalidSettings
from railbird.games.registry import load
from railbird.training.scoring import Seating, score, score_folder


def seating(game="superfecta", line_ups=(("favourite", "box"),), seat=None, **rules):
    spec = load(game)
    settings = spec.make_settings(**rules)
    named = tuple(tuple(parse_player(text, spec, settings) for text in line_up) for line_up in line_ups)
    return Seating(game, settings, named, None, seat)


def test_rivals_sit_clockwise_behind_the_agent_which_moves_on():
    # one agent (0), rivals 1 and 2: seat 0, then 1, then 2
    place = seating(seats=3).place(np.arange(4), 1)
    assert place.tolist() == [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 2]]


def test_line_ups_take_turns_before_the_seat_moves_on():
    # agents 0 and 1 in the same seat; rivals 2, 3 of the first and 4, 5 of the second line-up
    place = seating(line_ups=(("favourite", "box"), ("null", "random")), seats=3).place(np.arange(3), 2)
    assert place.tolist() == [[0, 2, 3], [1, 2, 3], [0, 4, 5], [1, 4, 5], [3, 0, 2], [3, 1, 2]]


def test_seat_that_is_named_is_kept():
    place = seating(seats=3, seat=2).place(np.arange(2), 1)
    assert place.tolist() == [[1, 2, 0], [1, 2, 0]]


def test_house_sits_behind_its_bettors():
    spec = load("bookmaker")
    settings = spec.make_settings(seats=2)
    rivals = tuple(parse_player(text, spec, settings) for text in ("favourite", "random"))
    place = Seating("bookmaker", settings, (rivals,), None, 2).place(np.arange(2), 1)
    assert place.tolist() == [[1, 2, 0], [1, 2, 0]]


def test_who_never_bets_earns_nothing_alone_at_the_table():
    # nobody to share pools with in Racing Aces: no bet, no profit
    found = score(seating("racing-aces", ((),)), parse_agent("null", "racing-aces"), 10, 1)
    assert (found.profit_per_race, found.cash_per_race, found.roi, found.faults) == (0, 0, None, 0)
    assert found.races == 120


def test_profit_of_the_best_is_what_the_exact_law_says():
    # RULES §4: the best wager by the published odds is worth 0.071857 chips a race
    found = score(seating("racing-aces", ((),)), parse_agent("optimal", "racing-aces"), 3_000, 1)
    low, high = found.interval
    assert low is not None and high is not None
    assert low < 0.071857 < high < low + 0.002


def test_an_agent_compared_with_itself_differs_by_nothing():
    table = seating(seats=3)
    random = parse_agent("random", "superfecta")
    found = score(table, random, 50, 1, [random, parse_agent("favourite", "superfecta")])
    same, other = found.comparisons if found.comparisons[0].rival == "random#2" else found.comparisons[::-1]
    assert (same.difference, same.cash_difference) == (0, 0)
    assert other.difference != 0


def test_score_is_the_tournaments_where_the_table_is_the_same():
    # two players at one table, each in both seats: the same deals, rivals and draws
    table = seating("superfecta", (("box",),), seats=2)
    favourite = parse_agent("favourite", "superfecta")
    first, second = (
        score(Seating(table.game, table.rules, table.line_ups, None, seat), favourite, 200, 9)
        for seat in (0, 1)
    )
    result = run(TournamentSettings.of("superfecta", ["favourite", "box"], deals=200, seed=9, seats=2))
    standing = next(it for it in result.leaderboard if it.agent == "favourite")
    assert standing.profit_per_race == pytest.approx((first.profit_per_race + second.profit_per_race) / 2)
    assert standing.cash_per_race == pytest.approx((first.cash_per_race + second.cash_per_race) / 2)


def test_score_does_not_depend_on_who_is_compared():
    table = seating(seats=3)
    box = parse_agent("box", "superfecta")
    alone = score(table, box, 60, 2)
    compared = score(table, box, 60, 2, [parse_agent("random", "superfecta")])
    assert (alone.profit_per_race, alone.cash_per_race) == (compared.profit_per_race, compared.cash_per_race)


def test_json_of_a_score_is_plain():
    found = json.loads(score(seating(seats=3), parse_agent("box", "superfecta"), 5, 2).to_json())
    assert found["opponents"] == [["favourite", "box"]]
    assert found["seat"] == "rotate"


def test_folder_that_is_none_is_refused(tmp_path):
    with pytest.raises(InvalidSettings, match=r"there is no agent in .*nowhere; an agent folder holds"):
        score_folder(str(tmp_path / "nowhere"))
    with pytest.raises(InvalidSettings, match="deals is a whole number from 1"):
        score(seating(seats=3), parse_agent("box", "superfecta"), 0, 2)


@pytest.mark.parametrize(
    ("training", "error", "message"),
    [
        ({}, BrokenFile, "does not say how the agent was trained: 'rules'"),
        ({"rules": 3, "line_ups": [], "banker": "", "seat": 0}, BrokenFile, "does not say how the agent"),
        ({"rules": {}, "line_ups": [["null"]], "banker": "", "seat": 0}, InvalidSettings, "rivals are 5 at"),
        ({"rules": {}, "line_ups": [["null"] * 5], "banker": "", "seat": 9}, InvalidSettings, "seat is a"),
    ],
)  # fmt: skip
def test_facts_of_training_that_make_no_table_are_refused(training, error, message):
    from railbird.agents.learned.folder import AgentFacts, EncodingFacts
    from railbird.training.scoring import seating_of

    encoding = EncodingFacts(1, {}, 1, 1, "")
    facts = AgentFacts("superfecta", encoding, 1, "", True, (), "tanh", 0, None, 0.0, {}, training, (0, ""))
    with pytest.raises(error, match=message):
        seating_of(facts)
