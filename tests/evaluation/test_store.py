"""A tournament's folder holds one whole result, and is never written over with another."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass

import pytest

from railbird.agents.registry import parse_agent
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import BrokenFile, InvalidSettings
from railbird.games.superfecta.settings import SuperfectaSettings


@dataclass(frozen=True)
class Named:
    """The agent that never bets, under a name of its own."""

    text: str

    def make(self, settings):
        return parse_agent("null", "superfecta").make(settings)


FIELD = ["random", "favourite", "kelly:fraction=0.5"]


def settings(**options):
    return TournamentSettings.of("superfecta", FIELD, **{"deals": 6, "seats": 3, "races": 2, **options})


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_folder_holds_the_printed_result_and_every_deal(tmp_path):
    folder = tmp_path / "new" / "results"
    result = run(settings(), out=folder)
    assert sorted(contents(folder)) == ["deals.csv", "result.json"]
    assert (folder / "result.json").read_text(encoding="utf-8") == result.to_json() + "\n"
    with (folder / "deals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["deal"], row["agent"]) for row in rows[:4]] == [
        ("0", "random"),
        ("0", "favourite"),
        ("0", "kelly:fraction=0.5"),
        ("1", "random"),
    ]
    for line in result.leaderboard:
        own = [row for row in rows if row["agent"] == line.agent]
        assert len(own) == 6
        # three rotations of two races a deal
        assert sum(int(row["cash"]) for row in own) / 36 == pytest.approx(line.profit_per_race)
        assert sum(float(row["adjusted"]) for row in own) / 36 == pytest.approx(line.adjusted_profit_per_race)


def test_deals_without_a_context_have_empty_columns(tmp_path):
    run(settings(substitutes=4), out=tmp_path)
    with (tmp_path / "deals.csv").open(encoding="utf-8", newline="") as file:
        tried = {int(row["deal"]): row["context_cash"] for row in csv.DictReader(file)}
    assert [deal for deal, cash in tried.items() if cash] == [0, 4]


def test_an_agent_with_a_comma_in_its_text_is_quoted(tmp_path):
    named = Named("kelly:fraction=0.5,cap=3")
    rules = SuperfectaSettings(seats=2, races=1)
    run(TournamentSettings("superfecta", (named,), rules, deals=1), out=tmp_path)
    with (tmp_path / "deals.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["agent"] for row in rows] == ["kelly:fraction=0.5,cap=3", "kelly:fraction=0.5,cap=3#2"]
    assert [row["faults"] for row in rows] == ["0", "0"]


def test_the_same_tournament_again_leaves_the_same_bytes(tmp_path):
    run(settings(), out=tmp_path)
    before = contents(tmp_path)
    run(settings(), out=tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deals": 7}, "holds a tournament with deals 6, not 7; choose another folder"),
        ({"seed": 3}, "with seed 0, not 3"),
        ({"races": 3}, "with rules .*'races': 2.*, not .*'races': 3"),
    ],
)
def test_another_tournament_is_refused_and_nothing_changes(tmp_path, options, message):
    run(settings(), out=tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InvalidSettings, match=message):
        run(settings(**options), out=tmp_path)
    assert contents(tmp_path) == before


def test_another_result_of_the_same_settings_is_refused(tmp_path):
    run(settings(), out=tmp_path)
    changed = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    changed["leaderboard"][0]["refused"] = 77
    (tmp_path / "result.json").write_text(json.dumps(changed), encoding="utf-8")
    before = contents(tmp_path)
    with pytest.raises(InvalidSettings, match="a different result of the same settings"):
        run(settings(), out=tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("text", ["", "[]", '{"settings": 3, "seed": 0, "version": "x"}', "{broken"])
def test_a_result_that_cannot_be_read_is_named(tmp_path, text):
    (tmp_path / "result.json").write_text(text, encoding="utf-8")
    with pytest.raises(BrokenFile, match=r"result\.json is no result of a tournament"):
        run(settings(), out=tmp_path)


def test_a_tournament_that_is_broken_off_leaves_nothing(tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(settings(), progress=stop, out=tmp_path)
    assert contents(tmp_path) == {}


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InvalidSettings, match=r"cannot write to .*file"):
        run(settings(), out=tmp_path / "file" / "results")
