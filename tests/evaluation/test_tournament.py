"""The tournament as a whole: fair comparisons, faults, determinism, what is printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation.blocks import make_agents, play_block
from railbird.evaluation.lineups import contexts_of
from railbird.evaluation.match import play
from railbird.evaluation.tally import Tally
from railbird.evaluation.tournament import TournamentSettings, count_races, run
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket


class Planned(Agent[Any]):
    """The same ticket in every race."""

    def __init__(self, settings, text):
        super().__init__(settings)
        self.ticket = parse_ticket(text, settings)

    def act(self, view, draws):
        return np.tile(self.ticket, (len(view.lane), 1))


class Thrower(Agent[Any]):
    """Takes each line with the same chance."""

    def __init__(self, settings, chance):
        super().__init__(settings)
        self.chance = chance

    def act(self, view, draws):
        return draws.uniform(40) < self.chance


class Broken(Agent[Any]):
    """Stakes half a chip."""

    def act(self, view, draws):
        return np.full((len(view.lane), 40), 0.5)


@dataclass(frozen=True)
class Made:
    """A factory as the registry hands them out."""

    text: str
    kind: type
    options: tuple[Any, ...] = ()

    def make(self, settings):
        return self.kind(settings, *self.options)


COVER = Made("cover", Planned, ("$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S",))
HEARTS = Made("hearts", Planned, ("$1 WIN H; $1 EXA H/D",))
NOTHING = Made("nothing", Planned, ("",))
THROWER = Made("thrower", Thrower, (0.1,))
RECKLESS = Made("reckless", Thrower, (0.3,))
BROKEN = Made("broken", Broken)


def settings(*agents, seats=3, races=4, **options):
    return TournamentSettings("superfecta", agents, SuperfectaSettings(seats=seats, races=races), **options)


def standings(result):
    return {standing.agent: standing for standing in result.leaderboard}


def test_a_leaderboard_by_hand():
    # Whoever wins, cover and cover#2 share the WIN pool and nothing has nothing: of 8 chips 4 go to each.
    result = run(settings(COVER, COVER, NOTHING, deals=3))
    assert [line.agent for line in result.leaderboard] == ["cover", "cover#2", "nothing"]
    for line in result.leaderboard:
        assert (line.profit_per_race, line.interval) == (0.0, (0.0, 0.0))
        assert line.races == 3 * 3 * 4  # deals · rotations · races
    assert [line.roi for line in result.leaderboard] == [0.0, 0.0, None]


def test_return_on_stakes_and_profit_per_race_by_hand():
    # Two seats, one race, both hold every horse, one stakes a chip too many: 9 chips, 4 each, and the one
    # left over is divided: 1 // 2 = 0. Profits -1 and 0 a race, on 5 and 4 chips staked.
    waster = Made("waster", Planned, ("$2 WIN H; $1 WIN D; $1 WIN C; $1 WIN S",))
    result = run(settings(waster, COVER, seats=2, races=1, deals=4))
    assert [(line.agent, line.profit_per_race, line.roi) for line in result.leaderboard] == [
        ("cover", 0.0, 0.0),
        ("waster", -1.0, -0.2),
    ]
    # In the same place the rival is cover in deals 0, 2 and waster in deals 1, 3 (the first of the line-up
    # gives its place, then the second). Against cover, waster earns 4 - 5 = -1 and cover 4 - 4 = 0. Against
    # waster, waster shares 10 chips, 5 - 5 = 0, and cover shares 9, 4 - 4 = 0. Cover earns 1, 0, 1, 0 more.
    (pair,) = result.comparisons
    assert (pair.agent, pair.rival) == ("cover", "waster")
    assert pair.difference == 0.5


def test_identical_agents_differ_by_exactly_nothing_on_every_deal():
    plan = settings(THROWER, HEARTS, THROWER, RECKLESS, deals=60).plan()
    assert plan.labels == ("thrower", "hearts", "thrower#2", "reckless")
    block = play_block(plan, 0)
    assert len(block.contexts) == 60
    np.testing.assert_array_equal(block.swapped_cash[:, 0], block.swapped_cash[:, 2])
    np.testing.assert_array_equal(block.swapped_adjusted[:, 0], block.swapped_adjusted[:, 2])
    assert (block.swapped_cash[:, 0] != block.swapped_cash[:, 3]).any()
    result = run(settings(THROWER, HEARTS, THROWER, RECKLESS, deals=60))
    (pair,) = [it for it in result.comparisons if {it.agent, it.rival} == {"thrower", "thrower#2"}]
    assert (pair.difference, pair.interval, pair.cash_interval) == (0.0, (0.0, 0.0), (0.0, 0.0))
    assert pair.simultaneous_interval == (0.0, 0.0) and pair.verdict == "equivalent"


class Counting(Planned):
    """Plays its ticket as long as it has been asked exactly once a race at that table."""

    def begin(self, lanes):
        self.asked = np.zeros(len(lanes), np.int64)

    def act(self, view, draws):
        stakes = super().act(view, draws)
        stakes[self.asked[view.lane] != view.race] = -1
        self.asked[view.lane] += 1
        return stakes


def test_an_agent_that_meets_itself_shares_no_memory_with_its_rival():
    counting = Made("counting", Counting, COVER.options)
    block = play_block(settings(counting, RECKLESS, THROWER, deals=20).plan(), 0)
    plain = play_block(settings(COVER, RECKLESS, THROWER, deals=20).plan(), 0)
    np.testing.assert_array_equal(block.swapped_cash, plain.swapped_cash)
    assert not block.faults.any()


def test_an_agent_in_its_own_place_earns_what_it_earned_at_the_table():
    # With as many agents as seats the context of deal 0 is the line-up itself, its first agent in seat 0.
    plan = settings(THROWER, HEARTS, RECKLESS, deals=1).plan()
    swapped = play_block(plan, 0).swapped_cash[0]
    agents = [factory.make(plan.rules) for factory in plan.factories]
    table = play(load("superfecta"), plan.rules, plan.seed, np.arange(1), agents, np.array([[0, 1, 2]]))
    assert swapped[0] == table.cash[0, 0]


def test_sampled_deals_take_the_places_in_turn():
    # Every fifth deal, four line-ups: deal 10 is the third sampled, so its place is in the third line-up.
    field = (THROWER, HEARTS, RECKLESS, COVER)
    plan = settings(*field, deals=11, substitutes=5).plan()
    rivals, twins = (list(make_agents(plan)) for _ in range(2))
    places = contexts_of(np.array([2]), plan.line_ups)
    seating = np.repeat(places.rivals, 4, axis=0)
    assert set(seating[0]) == set(plan.line_ups[2])
    seating[:, places.seat[0]] = 4 + np.arange(4)
    table = play(load("superfecta"), plan.rules, plan.seed, np.full(4, 10), rivals + twins, seating)
    np.testing.assert_array_equal(play_block(plan, 0).swapped_cash[2], table.cash[:, places.seat[0]])


def test_substitution_can_be_sampled_or_left_out():
    every_third = settings(THROWER, HEARTS, COVER, deals=10, substitutes=3)
    assert play_block(every_third.plan(), 0).contexts.tolist() == [0, 3, 6, 9]
    assert every_third.plan().contexts_before(np.arange(11)).tolist() == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4]
    assert run(every_third).design["contexts"] == 4
    assert run(settings(THROWER, HEARTS, COVER, deals=10, substitutes=0)).comparisons == ()


def test_unless_something_else_is_asked_for_the_first_hundred_deals_and_every_twentieth_are_sampled():
    plan = settings(THROWER, HEARTS, COVER, deals=500).plan()
    sampled = plan.contexts(np.arange(500))
    assert sampled.tolist() == [*range(100), *range(100, 500, 20)]
    np.testing.assert_array_equal(plan.contexts_before(sampled), np.arange(120))
    assert plan.contexts_before(np.array([500, 501, 100, 99])).tolist() == [120, 121, 100, 99]


def test_deals_do_not_depend_on_the_block_they_are_in(monkeypatch):
    field = settings(
        THROWER, HEARTS, RECKLESS, BROKEN, deals=11, substitutes=2, against=(COVER,), leave_one_out=True
    )
    whole = play_block(field.plan(), 0)
    monkeypatch.setattr("railbird.evaluation.blocks.TABLES_PER_BLOCK", 4 * 3 * 4)  # four deals a block
    parts = [play_block(field.plan(), number) for number in range(3)]
    assert [part.deals.tolist() for part in parts] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10]]
    names = ("cash", "adjusted", "staked", "faults", "swapped_cash", "swapped_adjusted")
    kept = ("game_cash", "game_adjusted", "followed", "bankrolls", "stakes", "out")
    for name in (*names, *kept, "abroad_cash", "abroad_adjusted", "seated_adjusted"):
        np.testing.assert_array_equal(
            np.concatenate([getattr(part, name) for part in parts]), getattr(whole, name)
        )


def test_blocks_played_in_any_order_give_the_same_bytes(monkeypatch):
    monkeypatch.setattr("railbird.evaluation.blocks.TABLES_PER_BLOCK", 60)
    field = settings(THROWER, HEARTS, RECKLESS, BROKEN, deals=23)
    plan = field.plan()
    played = {number: play_block(plan, number) for number in reversed(range(plan.blocks))}
    tally = Tally(plan)
    for number in range(plan.blocks):
        tally.add(played[number])
    assert plan.blocks > 3
    assert tally.result(field.to_dict(plan)).to_json() == run(field).to_json()


def test_cash_and_luck_adjusted_profit_agree_and_the_latter_is_less_noisy():
    field = settings(THROWER, HEARTS, RECKLESS, COVER, deals=300, seed=8)
    plan = field.plan()
    block = play_block(plan, 0)
    luck = (block.cash - block.adjusted) / (plan.appearances * plan.races)
    assert len(luck) == 300
    error = luck.std(axis=0, ddof=1) / np.sqrt(300)
    assert (np.abs(luck.mean(axis=0)) < 3.5 * error).all()  # four of them: beyond with probability 0.002
    lines = standings(run(field))
    for line in lines.values():
        assert np.diff(line.interval) < np.diff(line.cash_interval)


def test_faults_are_counted_told_and_do_not_stop_the_tournament():
    result = run(settings(BROKEN, COVER, NOTHING, deals=5))
    line = standings(result)["broken"]
    assert line.faults == line.races == 5 * 3 * 4
    assert standings(result)["cover"].faults == 0
    (note,) = result.faults
    assert (note.agent, note.fault, note.deal, note.turn, note.seat) == ("broken", "numbers", 0, 0, 0)
    assert note.reason == "answered 0.5; whole numbers from -32,768 to 32,767 are due"
    # its tickets are empty: it fares as one that never bets
    fair = standings(run(settings(NOTHING, COVER, NOTHING, deals=5)))["nothing"]
    assert (line.profit_per_race, line.roi) == (fair.profit_per_race, None)


def test_refused_tickets_and_ruin_are_reported():
    # 30 chips, a ticket of 8 on horses: it pays while they last; all money is taken out.
    rules = SuperfectaSettings(
        seats=2, races=5, split="pro_rata", rate=1, bankroll=30, minimum_bets=(1, 1, 1), breakage=1
    )
    eight = Made("eight", Planned, ("$2 WIN H; $2 WIN D; $2 WIN C; $2 WIN S",))
    ten = Made("ten", Planned, ("$10 WIN H",))
    lines = standings(run(TournamentSettings("superfecta", (eight, ten), rules, deals=2)))
    # eight: 24 chips in three races, 6 left, two tickets refused. ten: 30 in three, broke in the last two.
    assert (lines["eight"].refused, lines["eight"].ruin, lines["eight"].profit_per_race) == (8, 0.0, -4.8)
    assert (lines["ten"].refused, lines["ten"].ruin, lines["ten"].profit_per_race) == (8, 1.0, -6.0)


def test_too_few_agents_fill_the_table_with_copies():
    result = run(settings(THROWER, COVER, seats=5, deals=2))
    assert set(standings(result)) == {"thrower", "cover", "thrower#2", "cover#2", "thrower#3"}


def test_more_agents_than_seats_play_equally_many_races():
    result = run(settings(THROWER, COVER, HEARTS, NOTHING, RECKLESS, deals=4))
    # five agents at three seats: each in 3 of 5 line-ups, those in 3 rotations: 4 · 9 · 4 races
    assert {line.races for line in result.leaderboard} == {144}
    assert len(result.design["line_ups"]) == 5
    assert result.design["tables_per_deal"] == 15


def test_json_has_the_promised_keys_and_no_nan():
    text = run(settings(THROWER, COVER, NOTHING, deals=1)).to_json()
    found = json.loads(text, parse_constant=pytest.fail)
    assert list(found) == [
        "leaderboard",
        "comparisons",
        "duels",
        "abroad",
        "left_out",
        "ratings",
        "nash",
        "deviations",
        "substitutions",
        "seats",
        "bankrolls",
        "market",
        "regrets",
        "faults",
        "settings",
        "design",
        "seed",
        "version",
    ]
    line = found["leaderboard"][0]
    assert {"agent", "profit_per_race", "interval", "roi", "ruin", "races", "faults"} <= set(line)
    assert line["interval"] == [None, None]  # one deal shows no spread
    assert line["rank"] == [1, 3]  # nor who is best
    profits = [line["profit_per_race"] for line in found["leaderboard"]]
    assert profits == sorted(profits, reverse=True)
    assert found["settings"]["rules"]["races"] == 4
    assert found["settings"]["rules"]["rate"] == "0"
    assert found["settings"]["deals"] == 1


def test_without_a_number_of_deals_a_million_races_are_run_at_the_tables():
    assert settings(THROWER, COVER, NOTHING).plan().deals == 83_333  # 3 rotations of 4 races a deal
    assert settings(THROWER, COVER, NOTHING, races=1000).plan().deals == 333


def test_progress_ends_with_all_races():
    told = []
    field = settings(THROWER, COVER, NOTHING, deals=7)
    run(field, lambda done, total: told.append((done, total)))
    # a deal: 3 rotations and 3 agents in one place, 4 races each
    assert told == [(7 * 24, 7 * 24)]
    assert count_races(field.plan(), 2) == 48


def test_an_agent_that_cannot_be_made_is_named_before_anything_is_played(tmp_path):
    folder = tmp_path / "results"
    with pytest.raises(InvalidSettings, match=r"agent odd cannot be made: TypeError: .* positional argument"):
        run(settings(Made("odd", Thrower, (1, 2)), COVER, deals=1), out=folder)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deals": 0}, "deals is a whole number from 1"),
        ({"substitutes": -1}, "substitutes is a whole number from 0"),
        ({"seed": -1}, "seed is a whole number from 0"),
        ({"until": 0.0}, "until is a number of chips above 0, not 0.0"),
        ({"until": float("nan")}, "until is a number of chips above 0, not nan"),
        ({"margin": -0.1}, "margin is a number of chips, 0 or more, not -0.1"),
        ({"against": (COVER,), "substitutes": 0}, "against takes places of deals with substitutes"),
        ({"leave_one_out": True}, "there must be more agents than seats, 3, not 1"),
    ],
)
def test_impossible_settings_are_named(options, message):
    with pytest.raises(InvalidSettings, match=message):
        settings(COVER, **options)


def test_nobody_is_no_tournament():
    with pytest.raises(InvalidSettings, match="1 to 200 agents, not 0"):
        settings()


def test_what_agents_print_does_not_reach_stdout(capsys):
    class Chatty(Planned):
        def act(self, view, draws):
            print("thinking")  # noqa: T201 - the point of this test
            return super().act(view, draws)

    run(settings(Made("chatty", Chatty, ("",)), COVER, NOTHING, deals=1))
    captured = capsys.readouterr()
    assert captured.out == "" and "thinking" in captured.err


def widest(result):
    """The largest half-width of the agents' intervals."""
    return max(high - low for low, high in (line.interval for line in result.leaderboard)) / 2


def in_small_blocks(monkeypatch, tables):
    monkeypatch.setattr("railbird.evaluation.blocks.TABLES_PER_BLOCK", tables)


def test_it_stops_after_the_first_block_that_is_narrow_enough(monkeypatch):
    in_small_blocks(monkeypatch, 90)  # three tables a deal: thirty deals a block
    agents = (THROWER, HEARTS, COVER)
    halves = {}
    for deals in (90, 120, 150, 180):  # the first look is after 100 deals, at the end of a block
        result = run(settings(*agents, deals=deals, until=1e-9))
        assert result.design["deals"] == deals and result.design["narrow_enough"] is False
        halves[deals] = widest(result)
    assert halves[90] > halves[120] > halves[150] > halves[180]
    # wide enough for 90 deals, were they enough to look at: widths of sequences planned for more deals differ
    stopped = run(settings(*agents, deals=5000, until=2 * halves[90]))
    assert (stopped.design["deals"], stopped.design["narrow_enough"]) == (120, True)
    assert stopped.settings["deals"] == 5000 and stopped.design["intervals"] == "sequence"
    later = run(settings(*agents, deals=5000, until=halves[180]))
    assert later.design["deals"] > 150
    assert widest(later) < halves[180]


def test_where_it_stops_is_a_function_of_the_settings(monkeypatch, tmp_path):
    in_small_blocks(monkeypatch, 90)
    field = settings(THROWER, HEARTS, COVER, deals=5000, until=0.3)
    first = run(field, out=tmp_path / "a")
    assert 120 <= first.design["deals"] < 5000
    assert run(field, out=tmp_path / "a").to_json() == first.to_json() == run(field).to_json()
    assert len(list((tmp_path / "a" / "blocks").iterdir())) == first.design["deals"] / 30


def test_without_an_end_in_sight_all_deals_are_played_and_intervals_are_for_that_number():
    result = run(settings(THROWER, HEARTS, COVER, deals=150))
    assert result.design["intervals"] == "fixed" and result.design["narrow_enough"] is None
    assert result.design["deals"] == 150


def test_among_strangers_by_hand():
    # Two seats, one race. A stranger holds every horse. Against it cover earns 4 - 4 and waster
    # 9 // 2 - 5 = -1, whoever wins; nothing earns 0: the stranger has its 4 chips back.
    waster = Made("waster", Planned, ("$2 WIN H; $1 WIN D; $1 WIN C; $1 WIN S",))
    result = run(settings(waster, COVER, NOTHING, seats=2, races=1, deals=40, against=(COVER,)))
    assert result.abroad is not None and result.abroad.population == ("cover",)
    found = {line.agent: (line.profit_per_race, line.cash_per_race) for line in result.abroad.standings}
    assert found == {"cover": (0.0, 0.0), "waster": (-1.0, -1.0), "nothing": (0.0, 0.0)}
    assert {line.agent: line.rank for line in result.abroad.standings} == {
        "cover": (1, 2),
        "nothing": (1, 2),
        "waster": (3, 3),
    }
    verdicts = {(pair.agent, pair.rival): pair.verdict for pair in result.abroad.comparisons}
    assert verdicts == {
        ("cover", "nothing"): "equivalent",
        ("cover", "waster"): "better",
        ("nothing", "waster"): "better",
    }


def test_strangers_take_all_places_in_turn_and_change_nothing_else():
    alone = play_block(settings(THROWER, HEARTS, RECKLESS, deals=30).plan(), 0)
    visited = settings(THROWER, HEARTS, RECKLESS, deals=30, against=(COVER, RECKLESS, HEARTS, NOTHING))
    block = play_block(visited.plan(), 0)
    for name in ("cash", "adjusted", "swapped_cash", "swapped_adjusted"):
        np.testing.assert_array_equal(getattr(block, name), getattr(alone, name))
    assert block.abroad_cash.shape == (30, 3)
    assert (block.abroad_cash != block.swapped_cash).any()
    again = settings(THROWER, HEARTS, RECKLESS, deals=30, against=(THROWER, HEARTS, RECKLESS))
    # the field itself as strangers: the same places, the same rivals, the same profits
    np.testing.assert_array_equal(play_block(again.plan(), 0).abroad_cash, alone.swapped_cash)


def test_one_that_always_sits_alone_has_no_strangers():
    with pytest.raises(InvalidSettings, match="agents of racing-aces are ranked one at a table"):
        TournamentSettings.of("racing-aces", deals=10, against=["random"])


def test_leaving_an_agent_out_is_the_mean_over_the_line_ups_without_it():
    # Four agents at three seats: each line-up leaves one out, so what is left is the line-up of the others.
    field = (THROWER, HEARTS, COVER, RECKLESS)
    result = run(settings(*field, deals=20, leave_one_out=True))
    assert [it.without for it in result.left_out] == ["thrower", "hearts", "cover", "reckless"]
    for absent, left in zip(field, result.left_out, strict=True):
        plan = settings(*field, deals=20).plan()
        (line_up,) = [it for it in plan.line_ups if plan.labels.index(absent.text) not in it]
        alone = run(settings(*(field[entry] for entry in line_up), deals=20))
        assert left.line_ups == 1
        profits = {line.agent: line.profit_per_race for line in alone.leaderboard}
        assert {place.agent: place.profit_per_race for place in left.standings} == pytest.approx(profits)
        assert [place.agent for place in left.standings] == list(profits)


def test_verdicts_and_ranks_of_agents_that_are_told_apart_at_once():
    # nothing earns the most here: the others lose to takeout, reckless most of all
    rules = SuperfectaSettings(seats=3, races=4, split="pro_rata", rate="1/2", bankroll=1000, breakage=1)
    hundred = Made("hundred", Planned, ("$100 WIN H",))
    fields = (NOTHING, hundred, Made("twice", Planned, ("$200 WIN H",)))
    result = run(TournamentSettings("superfecta", fields, rules, deals=60))
    assert [(line.agent, line.rank) for line in result.leaderboard] == [
        ("nothing", (1, 1)),
        ("hundred", (2, 2)),
        ("twice", (3, 3)),
    ]
    assert [line.substitution_rank for line in result.leaderboard] == [(1, 1), (2, 2), (3, 3)]
    assert {pair.verdict for pair in result.comparisons} == {"better"}
    # 0.5 % of the mean stake, (0 + 100 + 200) / 3 chips a race
    assert result.design["margin"] == 0.5
    wide = run(TournamentSettings("superfecta", fields, rules, deals=60, margin=1000.0))
    assert {pair.verdict for pair in wide.comparisons} == {"equivalent"}
    few = run(TournamentSettings("superfecta", fields, rules, deals=29))
    assert {pair.verdict for pair in few.comparisons} == {"undecided"}
    assert {line.rank for line in few.leaderboard} == {(1, 3)}


SCRIPT = """
from railbird.evaluation.tournament import TournamentSettings, run
field = ["favourite", "box", "random", "random", "wheel", "follower", "longshot"]
print(run(TournamentSettings.of("superfecta", field, deals=12, seed=5, races=3, seats=4)).to_json())
"""


def test_the_same_bytes_whatever_the_hash_seed():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={**os.environ, "PYTHONHASHSEED": seed},
            check=True, capture_output=True,
        ).stdout
        for seed in ("0", "1", "random")
    }  # fmt: skip
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["seed"] == 5
