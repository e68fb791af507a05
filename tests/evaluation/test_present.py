"""What a tournament looks like in a terminal."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from railbird.evaluation.present import leaderboard, meaning, next_steps, show_result, split_rivals, watching
from railbird.evaluation.results import Comparison, FaultNote, Standing, TournamentResult, plain
from railbird.games.registry import load


def standing(agent, profit, half, **counts):
    interval = (profit - half, profit + half)
    found = {"roi": profit / 4, "ruin": 0.015, "races": 1200, "refused": 0, "faults": 0, **counts}
    found |= {"won": 0.5, "drawn": 0.125, "lost": 0.375, "turns": 4.0}
    return Standing(agent, profit, interval, profit - 0.001, interval, **found)


def comparison(agent, rival, difference, half):
    interval = (difference - half, difference + half)
    return Comparison(agent, rival, difference, interval, difference, interval)


RESULT = TournamentResult(
    leaderboard=(
        standing("value", 1.25, 0.5),
        standing("box", 0.125, 0.25),
        standing("a[b]c", -1.0, 0.375, roi=None),
    ),
    comparisons=(
        # 21 contexts, two comparisons: t(20) is 2.086 at 95 % and 2.423 at 97.5 %, so intervals grow by 1.162
        comparison("value", "box", 1.0, 0.9),  # 0.9 · 1.162 = 1.045: no longer certain
        comparison("value", "a[b]c", 1.0, 0.85),  # 0.85 · 1.162 = 0.987: certain
        comparison("box", "a[b]c", 0.5, 0.25),
    ),
    duels=(),
    faults=(),
    settings={"game": "superfecta", "deals": 100, "rules": {"seats": 3, "races": 4}, "fixed": []},
    design={"line_ups": [["value", "box", "a[b]c"]], "tables_per_deal": 3, "contexts": 21},
    seed=4,
    version="0",
)  # fmt: skip


def printed(result, width=100):
    file = io.StringIO()
    show_result(result, Console(file=file, width=width, color_system=None))
    return file.getvalue()


def test_the_leaderboard_shows_profits_with_their_intervals_in_order():
    lines = [line for line in printed(RESULT).splitlines() if "±" in line]
    assert [line.split()[3] for line in lines] == ["value", "box", "a[b]c"]  # │ 1 │ value │ …
    assert "+1.250 ± 0.500" in lines[0] and "+1.249 ± 0.500" in lines[0] and "+31.2%" in lines[0]
    assert "-1.000 ± 0.375" in lines[2] and "–" in lines[2] and "1.5%" in lines[2]


def test_comparisons_of_the_first_hold_together():
    assert split_rivals(RESULT) == (["a[b]c"], ["box"], [])
    text = " ".join(meaning(RESULT))
    assert "value earns more than a[b]c (luck taken out, 95% certain for all 2 comparisons together)" in text
    assert "It cannot be told apart from box" in text


def test_a_first_that_would_have_lost_in_the_same_place_is_said_to():
    worse = replace(
        RESULT, comparisons=(comparison("value", "box", -3, 1), comparison("value", "a[b]c", -3, 1))
    )
    assert "value earns less than box, a[b]c" in " ".join(meaning(worse))


def test_without_contexts_nobody_is_told_apart():
    none = replace(RESULT, comparisons=(), design={**RESULT.design, "contexts": 0})
    assert meaning(none)[-1] == "Too few deals to tell anybody apart."


@pytest.mark.parametrize(
    ("width", "shown", "hidden"),
    [
        (100, ["agent", "profit", "without luck", "ROI", "ruin"], ["refused", "faults"]),
        (70, ["agent", "profit", "without luck", "ruin"], ["ROI"]),
        (40, ["agent", "profit"], ["without luck", "ROI", "ruin"]),
    ],
)
def test_a_narrow_terminal_gets_fewer_columns(width, shown, hidden):
    titles = [column.header for column in leaderboard(RESULT, width).columns]
    assert [title for title in titles if title] == shown
    assert not set(hidden) & set(titles)
    assert max(map(len, printed(RESULT, width).split("Try next")[0].splitlines())) <= width


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


def test_next_steps_repeat_the_rules_that_do_not_follow_from_others():
    rules = plain(load("superfecta").make_settings(split="pro_rata", rate="0.1", minimum_bets=(1, 2, 3)))
    asked = replace(RESULT, settings={**RESULT.settings, "rules": rules})
    command = next_steps(asked)[1][0]
    assert "--set minimum_bets=1,2,3 --set split=pro_rata --set rate=1/10 --seed 4" in command


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
