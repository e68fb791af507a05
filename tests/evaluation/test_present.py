"""What a tournament looks like in a terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from railbird.evaluation.present import leaderboard, show_result, watching
from railbird.evaluation.results import (
    Abroad,
    Bankroll,
    Bankrolls,
    Comparison,
    Deviation,
    FaultNote,
    LeftOut,
    Nash,
    NashShare,
    Place,
    Rated,
    Ratings,
    Standing,
    TournamentResult,
    Visitor,
    plain,
)
from railbird.evaluation.wording import meaning, next_steps, split_rivals
from railbird.games.registry import load


def standing(agent, profit, half, rank=(1, 3), **counts):
    interval = (profit - half, profit + half)
    found = {"roi": profit / 4, "ruin": 0.015, "races": 1200, "refused": 0, "faults": 0, **counts}
    found |= {"won": 0.5, "drawn": 0.125, "lost": 0.375, "turns": 4.0}
    return Standing(agent, rank, profit, interval, profit - 0.001, interval, rank, **found)


def comparison(agent, rival, verdict):
    interval = (-1.0, 1.0)
    return Comparison(agent, rival, verdict, 0.0, interval, interval, 0.0, interval)


RULES = plain(load("superfecta").make_settings(seats=3, races=4))
RESULT = TournamentResult(
    leaderboard=(
        standing("value", 1.25, 0.5, (1, 1)),
        standing("box", 0.125, 0.25, (2, 3)),
        standing("a[b]c", -1.0, 0.375, (2, 3), roi=None),
    ),
    comparisons=(
        comparison("value", "box", "undecided"),
        comparison("value", "a[b]c", "better"),
        comparison("box", "a[b]c", "worse"),
    ),
    duels=(),
    abroad=None,
    left_out=(),
    ratings=None,
    nash=None,
    deviations=(),
    substitutions=(),
    seats=(),
    bankrolls=None,
    market=None,
    regrets=(),
    faults=(),
    settings={
        "game": "superfecta", "agents": ["value", "box", "a[b]c"], "deals": 100, "rules": RULES, "fixed": [],
        "substitutes": None, "until": None, "margin": None, "against": [], "leave_one_out": False,
    },
    design={
        "line_ups": [["value", "box", "a[b]c"]], "tables_per_deal": 3, "contexts": 21, "deals": 90,
        "intervals": "fixed", "narrow_enough": None, "margin": 0.0125, "cash_agrees": True,
        "variance_reduction": {"tables": 12.34},
    },
    seed=4,
    version="0",
)  # fmt: skip


def printed(result, width=100):
    file = io.StringIO()
    show_result(result, Console(file=file, width=width, color_system=None))
    return file.getvalue()


def test_the_leaderboard_shows_profits_with_their_intervals_in_order():
    lines = [line for line in printed(RESULT).splitlines() if "±" in line]
    # │ 1 │ value │ …
    assert [line.split()[3] for line in lines] == ["value", "box", "a[b]c"]
    assert [line.split()[1] for line in lines] == ["1", "2–3", "2–3"]
    assert "+1.250 ± 0.500" in lines[0] and "+1.249 ± 0.500" in lines[0] and "+31.2%" in lines[0]
    assert "-1.000 ± 0.375" in lines[2] and "–" in lines[2] and "1.5%" in lines[2]


def test_verdicts_on_the_first_are_told():
    assert split_rivals(RESULT) == {"undecided": ["box"], "better": ["a[b]c"]}
    text = " ".join(meaning(RESULT))
    assert (
        "value earns more than a[b]c, what cannot be told apart yet from box"
        " (95% certain for all pairs together; less than 0.0125 chips a race counts as nothing)" in text
    )
    assert "90 deals, each played by 1 line-up(s)" in text and "270 tables" not in text
    assert "1,080 races" in text and "12.3 times less variance" in text


def test_a_first_that_would_have_lost_in_the_same_place_is_said_to():
    worse = replace(
        RESULT, comparisons=(comparison("value", "box", "worse"), comparison("value", "a[b]c", "equivalent"))
    )
    assert "value earns less than box, as much as a[b]c" in " ".join(meaning(worse))


def test_cash_that_disagrees_is_told():
    assert "Cash does not" not in " ".join(meaning(RESULT))
    wrong = replace(RESULT, design={**RESULT.design, "cash_agrees": False})
    assert "Cash does not have the mean of profit" in " ".join(meaning(wrong))


def test_without_contexts_nobody_was_compared():
    none = replace(RESULT, comparisons=(), design={**RESULT.design, "contexts": 0})
    assert meaning(none)[-1] == "Nobody was tried in another's place."


def test_intervals_that_hold_at_any_time_say_so():
    design = {**RESULT.design, "intervals": "sequence", "narrow_enough": True}
    stopped = replace(RESULT, design=design, settings={**RESULT.settings, "until": 0.25})
    assert "95% intervals valid at any time" in printed(stopped)
    assert "they and the intervals are valid at any time of looking." in " ".join(meaning(stopped))
    assert "not yet within" not in printed(stopped)
    short = replace(stopped, design={**design, "narrow_enough": False})
    assert "The intervals are not yet within 0.25 to each side; that takes more --deals." in meaning(short)
    assert "any time" not in printed(RESULT)


def test_strangers_and_those_left_out_have_a_sentence():
    visitor = Visitor("box", (1, 2), 0.5, (0.25, 0.75), 0.5, (0.0, 1.0))
    abroad = Abroad(("dutch", "wheel"), (visitor,), ())
    text = " ".join(meaning(replace(RESULT, abroad=abroad)))
    assert "Among strangers (dutch, wheel) box earns most: +0.500 ± 0.250, rank 1–2." in text

    def without(absent, leader):
        return LeftOut(absent, 1, (Place(leader, (1, 1), 1.0),))

    steady = (without("value", "box"), without("box", "value"), without("a[b]c", "value"))
    assert "With any other agent left out value would lead as well." in meaning(
        replace(RESULT, left_out=steady)
    )
    shaky = (without("value", "box"), without("box", "a[b]c"), without("a[b]c", "value"))
    assert "The lead changes with an agent left out: a[b]c without box." in meaning(
        replace(RESULT, left_out=shaky)
    )


@pytest.mark.parametrize(
    ("width", "shown", "hidden"),
    [
        (100, ["rank", "agent", "profit", "cash", "ROI", "ruin"], ["refused", "faults"]),
        (70, ["rank", "agent", "profit", "cash", "ruin"], ["ROI"]),
        (40, ["rank", "agent", "profit"], ["cash", "ROI", "ruin"]),
    ],
)
def test_a_narrow_terminal_gets_fewer_columns(width, shown, hidden):
    titles = [column.header for column in leaderboard(RESULT, width).columns]
    assert [title for title in titles if title] == shown
    assert not set(hidden) & set(titles)
    assert max(map(len, printed(RESULT, width).split("Try next")[0].splitlines())) <= width


def test_no_number_is_cut_where_names_are_long():
    named = "ppo-scarne-horse-race"  # 21 letters
    long = replace(RESULT, leaderboard=(standing(named, 1.25, 0.5), *RESULT.leaderboard[1:]))
    # rank 7, agent 24, profit 17, cash 17, ROI 9, ruin 7, each with its text, two spaces and a line, and one
    # line more: 7 + 24 + 17 + 17 + 9 + 7 + 1 = 82
    assert [column.header for column in leaderboard(long, 82).columns][-2:] == ["ROI", "ruin"]
    assert [column.header for column in leaderboard(long, 81).columns][-2:] == ["cash", "ruin"]
    assert "…" not in printed(long, 81).split("Try next")[0] and named in printed(long, 81)


def test_a_name_as_long_as_a_line_goes_on_in_the_next():
    path = "/home/somebody/experiments/2026/runs/of-the-derby/seed-4/agent"  # 62 letters
    long = replace(RESULT, leaderboard=(standing(path, 1.25, 0.5), *RESULT.leaderboard[1:]))
    lines = printed(long, 80).split("90 deals")[0].splitlines()
    cells = [line.split("│")[2].strip() for line in lines if line.count("│") > 2]
    assert "".join(cells).startswith(path)
    assert max(map(len, lines)) <= 80
    assert "+1.250 ± 0.500" in printed(long, 80) and "…" not in "".join(lines)


def test_faults_and_refused_tickets_show_where_there_are_any():
    faulty = replace(
        RESULT,
        leaderboard=(*RESULT.leaderboard[:2], standing("bot", -2, 1, refused=1234, faults=5)),
        faults=(FaultNote("bot", "raised", 7, 2, 1, "raised ValueError: [red]"),),
    )
    text = printed(faulty)
    assert "refused" in text and "1,234" in text and "faults" in text
    assert "fault of bot, first in deal 7, turn 2: raised ValueError: [red]" in text


def test_next_steps_name_the_best_two_once():
    twins = replace(
        RESULT, leaderboard=(standing("box", 1, 1), standing("box#2", 1, 1), standing("value", 0, 1))
    )
    assert (
        next_steps(twins)[0][0] == "railbird tournament superfecta --seats 3 --races 4 --agents box --seed 5"
    )
    again = "railbird tournament superfecta --seats 3 --races 4"
    assert next_steps(RESULT)[0][0] == f"{again} --agents value,box --seed 5"


def test_the_command_that_keeps_it_repeats_all_that_was_asked():
    again = "railbird tournament superfecta --seats 3 --races 4 --agents value,box,a[b]c --deals 100"
    assert next_steps(RESULT)[1][0] == f"{again} --seed 4 --out results"
    more = {
        "substitutes": 1,
        "until": 0.01,
        "margin": 0.5,
        "against": ["box", "kelly"],
        "leave_one_out": True,
    }
    asked = replace(RESULT, settings={**RESULT.settings, **more})
    assert next_steps(asked)[1][0] == (
        f"{again} --substitute all --until 0.01 --margin 0.5 --against box,kelly --leave-one-out"
        " --seed 4 --out results"
    )
    for every, written in ((0, "none"), (7, "7")):
        sampled = replace(RESULT, settings={**RESULT.settings, "substitutes": every})
        assert f"--deals 100 --substitute {written} --seed 4" in next_steps(sampled)[1][0]


def test_next_steps_repeat_the_rules_that_do_not_follow_from_others():
    rules = plain(load("superfecta").make_settings(split="pro_rata", rate="0.1", minimum_bets=(1, 2, 3)))
    asked = replace(RESULT, settings={**RESULT.settings, "rules": rules})
    command = next_steps(asked)[1][0]
    assert "--set minimum_bets=1,2,3 --set split=pro_rata --set rate=1/10 --agents" in command


def test_progress_says_how_many_races_are_done():
    file = io.StringIO()
    with watching(Console(file=file, width=100)) as tell:
        tell(1200, 4800)
        tell(4800, 4800)
    assert "4,800 of 4,800 races" in file.getvalue()


def test_progress_goes_to_stderr(capsys):
    with watching() as tell:
        tell(12, 12)
    captured = capsys.readouterr()
    assert captured.out == "" and "12 of 12 races" in captured.err


RATINGS = Ratings(
    "plackett-luce", 90, 1000, True,
    (
        Rated("value", 174.4, (160.0, 190.0), 1, 0, 0),
        Rated("box", 12.0, (2.0, None), 2, 0, 0),
        Rated("a[b]c", -90.0, (None, -80.0), 3, 0, 1),
    ),
)  # fmt: skip
RATED = replace(RESULT, ratings=RATINGS)


def test_ratings_stand_beside_profits_where_there_is_room():
    lines = [line for line in printed(RATED, width=100).splitlines() if "±" in line]
    # 160 to 190: 15 to each side
    assert [line.split("│")[4].strip() for line in lines] == ["+174 ± 15", "+12 > +2", "-90 < -80"]
    assert "rating" not in printed(RATED, width=90) and "rating" not in printed(RESULT, width=100)


def test_ratings_of_who_never_met_are_not_to_be_compared():
    told = "Not all agents are linked by tables: compare ratings within a group only."
    assert told not in meaning(RATED)
    assert told in meaning(replace(RATED, ratings=replace(RATINGS, connected=False)))


def bankroll(agent, growth, ruin, kelly=None, hits=0.25):
    return Bankroll(
        agent, 300, growth, (growth - 0.001, growth + 0.001), growth, 0.1, (0.0, 0.2), ruin, (0.0, 0.02),
        0.0123, 0.0, 0.125, 0.5, 1.5, hits, kelly, ((100.0,) * 5, (60.4, 80.0, 99.0, 110.0, 123.4)),
    )  # fmt: skip


BANKROLLS = Bankrolls(
    50, 4, 100, (0.05, 0.25, 0.5, 0.75, 0.95),
    (bankroll("value", 0.02, 0.0), bankroll("box", -0.005, 0.034, hits=None)),
)  # fmt: skip
FOLLOWED = replace(RESULT, bankrolls=BANKROLLS)


def test_bankrolls_show_growth_ruin_and_drawdown():
    shown = printed(FOLLOWED, width=100)
    assert "Bankrolls of 100 chips over 4 races, the first 50 deals" in shown
    lines = [line for line in shown.splitlines() if line.startswith("│") and " %" in line]
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]
    assert cells[0] == ["value", "+2.00 ± 0.10 %", "≤ 1.2%", "12.5%", "60–123", "1.50×", "25.0%"]
    assert cells[1] == ["box", "-0.50 ± 0.10 %", "3.4%", "12.5%", "60–123", "1.50×", "–"]
    narrow = printed(FOLLOWED, width=50)
    assert "growth a race" in narrow and "drawdown" not in narrow
    assert "Bankrolls" not in printed(RESULT)


def test_kelly_multiples_are_shown_where_they_are_known():
    assert "of Kelly" not in printed(FOLLOWED, width=100)
    known = replace(BANKROLLS, standings=(bankroll("value", 0.02, 0.0, kelly=0.5),))
    shown = printed(replace(FOLLOWED, bankrolls=known), width=110)
    assert "of Kelly" in shown and "0.50×" in shown


def test_who_earns_more_in_the_places_of_the_first_is_told():
    gains = Deviation("value", 0.3, "box", 0.25, (0.125, 0.375), 40)
    text = "In the places that value held, box earns more: +0.250 ± 0.125."
    assert text in meaning(replace(RESULT, deviations=(gains,)))
    unsure = replace(gains, interval=(-0.125, 0.375))
    assert text not in meaning(replace(RESULT, deviations=(unsure,)))


def test_the_mixture_that_nobody_beats_is_told():
    shares = (NashShare("value", 0.75, 0.0), NashShare("box", 0.25, 0.0), NashShare("a[b]c", 0.0, -0.5))
    told = meaning(replace(RESULT, nash=Nash(0.4, shares)))
    assert (
        "The mixture that nobody beats, by these deals: value 75%, box 25%. 40% of the differences go round"
        " in circles, which no rating can tell." in told
    )
