"""The leaderboard as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

import pytest

from railbird.console.formats import choose_format
from railbird.evaluation.export import flat_rows, pipe_table, to_csv, to_markdown
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import InvalidSettings, UnknownName


@pytest.fixture(scope="module")
def pool():
    agents = ["favourite", "null", "carryover:rivals=2"]
    return asdict(run(TournamentSettings.of("superfecta", agents, deals=12, seats=3, races=4)))


@pytest.fixture(scope="module")
def contest():
    return asdict(run(TournamentSettings.of("save-the-bet", ["random", "shortest"], deals=4)))


def test_every_figure_of_an_agent_has_a_column(pool):
    rows = list(csv.DictReader(io.StringIO(to_csv(pool))))
    assert [row["agent"] for row in rows] == [line["agent"] for line in pool["leaderboard"]]
    for row, line, bankroll in zip(rows, pool["leaderboard"], pool["bankrolls"]["standings"], strict=True):
        (rated,) = [it for it in pool["ratings"]["standings"] if it["agent"] == row["agent"]]
        (deviation,) = [it for it in pool["deviations"] if it["agent"] == row["agent"]]
        assert float(row["profit_per_race"]) == line["profit_per_race"]
        assert [float(row["profit_low"]), float(row["profit_high"])] == list(line["interval"])
        assert (int(row["rank_best"]), int(row["rank_worst"])) == line["rank"]
        assert (float(row["rating"]), int(row["rating_place"])) == (rated["rating"], rated["place"])
        assert float(row["mean_growth"]) == bankroll["mean_growth"]
        assert (float(row["path_ruin_low"]), float(row["path_ruin_high"])) == bankroll["ruin_interval"]
        assert (float(row["deviation_gain"]), row["deviation_reply"]) == (
            deviation["gain"],
            deviation["reply"],
        )
        assert (row["nash_weight"], row["kelly_multiple"]) == ("", "")
    (null,) = [row for row in rows if row["agent"] == "null"]
    assert (null["roi"], null["hit_rate"]) == ("", "")


def test_all_games_have_the_same_columns(pool, contest):
    assert list(flat_rows(pool)[0]) == list(flat_rows(contest)[0])
    assert flat_rows(contest)[0]["nash_weight"] is not None and flat_rows(contest)[0]["paths"] is None


def test_a_result_that_was_kept_is_written_like_one_just_played(pool):
    kept = json.loads(json.dumps(pool))
    assert (to_csv(kept), to_markdown(kept)) == (to_csv(pool), to_markdown(pool))


def test_a_table_for_a_paper(pool, contest):
    lines = to_markdown(pool).splitlines()
    assert lines[0] == (
        "| rank | agent | profit a race | cash a race | ROI | rating (Elo) | growth a race, % | ruin"
        " | drawdown |"
    )
    assert lines[1] == "|" + " --- |" * 9
    assert len({line.count("|") for line in lines[:5]}) == 1
    first = pool["leaderboard"][0]
    half = (first["interval"][1] - first["interval"][0]) / 2
    assert f"| {first['profit_per_race']:+.3f} ± {half:.3f} |" in lines[2]
    assert lines[5] == ""
    assert lines[6].startswith(
        "Chips a race, profit without luck; 95% intervals. Superfecta, 12 deals, seed 0,"
    )
    assert to_markdown(contest).splitlines()[0] == (
        "| rank | agent | result a game | won | drawn | lost | rating (Elo) | Nash weight |"
    )


def test_what_markdown_would_read_as_something_else_is_escaped():
    assert pipe_table(["a"], [["my_agents:A|B*"], [None]]).splitlines()[2:] == [
        r"| my\_agents:A\|B\* |",
        "| – |",
    ]


def test_one_format_is_chosen():
    assert choose_format(None) == "text"
    assert choose_format(None, as_json=True) == choose_format("json", as_json=True) == "json"
    assert choose_format(None, as_csv=True) == "csv"
    with pytest.raises(InvalidSettings, match="json and md are different formats; choose one"):
        choose_format("md", as_json=True)
    with pytest.raises(UnknownName, match="there is no format 'markdown'"):
        choose_format("markdown")
