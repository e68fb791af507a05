"""The report: whole in itself, the same bytes for the same result, alive in a browser without a network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.evaluation.blocks import make_agents
from railbird.evaluation.match import play
from railbird.evaluation.report import write_report
from railbird.evaluation.report.films import films_of
from railbird.evaluation.report.page import page_of, parts_of
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import RailbirdError
from railbird.games.registry import load

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHEAP = ("favourite", "longshot", "box", "random")


@pytest.fixture(scope="module")
def superfecta():
    settings = TournamentSettings.of("superfecta", CHEAP, deals=60, seats=4, races=5)
    return run(settings), settings.plan()


def embedded(page, name):
    """The JSON data of a script element."""
    found = re.search(f'<script type="application/json" id="{name}">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_every_part_of_a_pool_game_is_there(superfecta):
    result, plan = superfecta
    page = page_of(result, films_of(plan))
    specs = embedded(page, "specs")
    assert set(specs) == {
        "leaderboard", "ratings", "fans", "seats", "cross", "calibration", "pools", "regrets",
    }  # fmt: skip
    for name in specs:
        assert page.count(f'id="chart-{name}"') == 1
    rows = [row for data in specs["leaderboard"]["datasets"].values() for row in data]
    told = {row["agent"]: row["profit"] for row in rows if "profit" in row}
    assert told == {it.agent: it.profit_per_race for it in result.leaderboard}
    assert "railbird tournament superfecta --seats 4 --races 5" in page
    for agent in CHEAP:
        assert f'<td class="name">{agent}</td>' in page


def test_nothing_is_loaded_from_elsewhere(superfecta):
    result, plan = superfecta
    page = page_of(result, films_of(plan))
    markup = re.sub(r"(<script[^>]*>).*?</script>", r"\1", page, flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|link|iframe)[^>]*(?:src|href)=", markup)
    assert "@import" not in markup
    assert "url(" not in markup
    assert len(page.encode()) < 3_000_000


def test_the_same_result_gives_the_same_bytes(superfecta, tmp_path):
    result, plan = superfecta
    for name in ("one.html", "two.html"):
        write_report(tmp_path / name, result, plan)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.html", "two.html"]


def test_the_games_shown_are_those_of_the_tournament(superfecta):
    _, plan = superfecta
    films = films_of(plan)
    assert [film["deal"] for film in films["films"]] == [0, 1, 2]
    for film in films["films"]:
        deal = film["deal"]
        seating = plan.seating[[deal % len(plan.seating)]]
        assert film["players"] == [plan.labels[entry] for entry in seating[0]]
        played = play(load(plan.game), plan.rules, plan.seed, np.array([deal]), make_agents(plan), seating)
        assert (
            np.sum([shown["profit"] for shown in film["rounds"]], axis=0).tolist() == played.cash[0].tolist()
        )
        chances = [
            [films["parts"][n]["chance"] for n in frame["course"]["runners"]]
            for frame in film["rounds"][0]["frames"]
        ]
        assert sum(chances[0]) == pytest.approx(1)
        last = [films["parts"][n] for n in film["rounds"][0]["frames"][-1]["course"]["runners"]]
        assert any(runner["home"] for runner in last)


class Hostile(Agent[Any]):
    """Bets nothing."""

    idea = source = "a name that would like to be markup"

    def act(self, view, draws):
        return np.zeros((len(draws), 40), np.int16)


class HostileFactory:
    text = "</script><script>alert('x')</script><b>"

    def make(self, settings):
        return Hostile(settings)


def test_names_are_text_and_never_markup():
    rules = load("superfecta").make_settings(seats=2, races=2)
    settings = TournamentSettings("superfecta", (HostileFactory(), HostileFactory()), rules, 20, 1)
    page = page_of(run(settings), films_of(settings.plan()))
    assert "<script>alert" not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(&#39;x&#39;)" in page
    assert HostileFactory.text in embedded(page, "films-data")["films"][0]["players"]


def test_a_report_that_cannot_be_written_leaves_nothing_behind(superfecta, tmp_path):
    result, plan = superfecta
    path = tmp_path / "missing" / "report.html"
    with pytest.raises(RailbirdError, match=r"report\.html cannot be written: .*; the results are safe"):
        write_report(path, result, plan)


@pytest.mark.parametrize(
    ("game", "agents", "rules", "absent"),
    [
        ("save-the-bet", ["likeliest", "random"], {}, {"fans", "market"}),
        ("racing-aces", ["optimal", "random"], {}, {"market"}),
        ("bookmaker", ["margin"], {}, {"market"}),
        ("pasteboard-derby", ["random", "crowd"], {"seats": 3}, {"faults"}),
        ("horse-race", ["value", "random"], {"seats": 2}, {"market"}),
    ],
)
def test_every_game_has_a_report(game, agents, rules, absent):
    settings = TournamentSettings.of(game, agents, deals=10, **rules)
    result, films = run(settings), films_of(settings.plan())
    page = page_of(result, films)
    parts = {part.id for part in parts_of(result, embedded(page, "specs"), films)}
    assert not parts & absent
    assert {"leaderboard", "settings", "films"} <= parts


@pytest.mark.slow
def test_thirty_agents_stay_below_three_megabytes():
    names = ["random", *(f"dutch:horses={1 + n % 4},units={1 + n}" for n in range(29))]
    settings = TournamentSettings.of("superfecta", names, deals=40)
    page = page_of(run(settings), films_of(settings.plan()))
    assert len(page.encode()) < 3_000_000


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 390])
def test_a_browser_without_a_network_draws_every_picture(superfecta, tmp_path, width):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    result, plan = superfecta
    write_report(tmp_path / "report.html", result, plan)
    page = browse(browser, tmp_path, width)
    assert 'data-ready="yes"' in page
    for name in embedded(page, "specs"):
        drawn = page.split(f'id="chart-{name}"')[1].split("</figure>")[0]
        assert "This picture failed" not in drawn
        assert "<svg" in drawn, name
        assert drawn.count("<path") > 3, name
    scene = page.split('id="scene"')[1].split("</section>")[0]
    assert scene.count('class="lane"') == 4
    assert scene.count("%") >= 4  # live chances


def browse(browser, folder, width):
    """The page as the browser has made it, with every name sent nowhere."""
    alone = ["--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9"]
    quiet = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    asked = subprocess.run(
        [
            browser, *quiet, *alone, f"--window-size={width},900", "--virtual-time-budget=20000",
            "--dump-dom", f"file://{folder / 'report.html'}",
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return asked.stdout
