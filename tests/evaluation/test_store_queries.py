"""Questions to a tournament's folder: views, what is refused, what is printed."""

from __future__ import annotations

import csv
import io
import json

import pytest

from railbird.cli import app
from railbird.console.results import results
from railbird.evaluation import blocks
from railbird.evaluation.store import Reader
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import BrokenFile, InvalidSettings, UnknownName


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two agents at tables of two, five deals in two blocks, one context."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "TABLES_PER_BLOCK", 6)
        place = tmp_path_factory.mktemp("tournament[1]")
        run(settings(), out=place)
    return place


def settings():
    return TournamentSettings.of(
        "superfecta", ["favourite", "null"], deals=5, seats=2, races=3, substitutes=5
    )


def ask(folder, sql):
    with Reader(folder) as reader:
        answer = reader.ask(sql)
        return answer.columns, list(answer.rows)


def test_the_four_views(folder):
    assert ask(folder, "select count(*), min(deal), max(deal) from deals")[1] == [(10, 0, 4)]
    assert ask(folder, "from substitutes")[0] == ["deal", "agent", "cash", "adjusted"]
    assert ask(folder, "select deal, agent from substitutes")[1] == [(0, "favourite"), (0, "null")]
    assert ask(folder, "from duels")[0] == ["deal", "agent", "rival", "cash"]
    assert ask(folder, "select distinct agent, rival from duels")[1] == [("favourite", "null")]
    # nobody was at fault: no file, yet a view
    assert ask(folder, "select agent, count(*) from faults group by agent") == (["agent", "count_star()"], [])


def test_the_deals_add_up_to_the_duels(folder):
    both = "select sum(cash) from deals where agent = 'favourite'", "select sum(cash) from duels"
    assert ask(folder, both[0])[1] == ask(folder, both[1])[1]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("copy deals to '{folder}/deals.csv'", "a question is one SELECT; nothing can be changed"),
        ("select 1; select 2", "a question is one SELECT"),
        ("explain analyze copy deals to '{folder}/deals.csv'", "a question is one SELECT"),
        ("create table mine as from deals", "a question is one SELECT"),
        ("set lock_configuration = false", "a question is one SELECT"),
        ("", "a question is one SELECT"),
        ("select * from read_text('/etc/hostname')", "cannot be answered: Permission Error"),
        ("select * from read_text('{folder}/../other.txt')", "cannot be answered: Permission Error"),
        ("selec 1", 'cannot be answered: Parser Error: syntax error at or near "selec"'),
        ("select bankroll from deals", "cannot be answered: Binder Error"),
        ("select cast(agent as integer) from deals", "cannot be answered: Conversion Error"),
    ],
)
def test_a_question_that_is_none_is_refused_in_one_line(folder, sql, message):
    (folder.parent / "other.txt").write_text("secret", encoding="utf-8")
    before = sorted(folder.rglob("*"))
    with pytest.raises(InvalidSettings, match=message) as caught:
        ask(folder, sql.format(folder=folder))
    assert "\n" not in str(caught.value)
    assert sorted(folder.rglob("*")) == before


def test_a_folder_without_a_tournament_is_named(tmp_path):
    with pytest.raises(InvalidSettings, match="holds no tournament; railbird tournament"):
        Reader(tmp_path)


def test_a_part_that_is_cut_off_is_named(tmp_path):
    run(settings(), out=tmp_path)
    path = tmp_path / "blocks" / "00000000" / "deals.parquet"
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(BrokenFile, match=r"a block cannot be read: .*00000000/deals\.parquet"):
        ask(tmp_path, "from deals")


def test_a_tournament_that_is_not_finished_shows_what_is_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(blocks, "TABLES_PER_BLOCK", 6)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(settings(), stop, out=tmp_path)
    results(tmp_path)
    # three deals a block
    assert "3 of 5 deals, not finished: the same command with --out goes on" in capsys.readouterr().out


def test_the_summary_by_hand(folder, capsys):
    results(folder)
    shown = capsys.readouterr().out
    assert "superfecta, seed 0: 5 of 5 deals, finished." in shown
    assert f"railbird results {folder.resolve()} --sql" in shown
    cash, staked = ask(folder, "select sum(cash), sum(staked) from deals where agent = 'favourite'")[1][0]
    lines = {line.split()[1]: line.split("│")[2:] for line in shown.splitlines() if line.startswith("│")}
    # five deals, in both of their seats, three races each
    assert [cell.strip() for cell in lines["favourite"][1:3]] == [f"{cash / 30:.6g}", f"{cash / staked:.6g}"]
    assert lines["null"][2].strip() == "–"  # it never staked


def test_the_result_of_a_finished_tournament_in_every_format(folder, capsys):
    whole = (folder / "result.json").read_text(encoding="utf-8")
    for options in ({"as_json": True}, {"output": "json"}):
        results(folder, **options)
        assert capsys.readouterr().out == whole
    for options in ({"as_csv": True}, {"output": "csv"}):
        results(folder, **options)
        lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [(line["agent"], float(line["profit_per_race"])) for line in lines] == [
            (line["agent"], line["profit_per_race"]) for line in json.loads(whole)["leaderboard"]
        ]
    results(folder, output="md")
    assert capsys.readouterr().out.startswith("| rank | agent | profit a race |")


def test_a_result_that_is_not_there_or_not_whole_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(blocks, "TABLES_PER_BLOCK", 6)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(settings(), stop, out=tmp_path)
    with pytest.raises(InvalidSettings, match="is not finished, so there is no result yet; the same command"):
        results(tmp_path, output="csv")
    run(settings(), out=tmp_path)
    (tmp_path / "result.json").write_text('{"leaderboard": [', encoding="utf-8")
    with pytest.raises(BrokenFile, match=r"result\.json is not as it was written; remove it and run"):
        results(tmp_path, output="md")
    with pytest.raises(UnknownName, match="there is no format 'cvs'; did you mean 'csv'"):
        results(tmp_path, output="cvs")


def test_every_table_and_every_path_can_be_asked_for(folder):
    # five deals of two tables of two seats
    assert ask(folder, "select count(*), max(game), max(seat) from games")[1] == [(20, 1, 1)]
    found = ask(folder, "select g.cash - d.cash from (select deal, agent, sum(cash) as cash from games"
                " group by all) g join deals d using (deal, agent)")[1]  # fmt: skip
    assert found == [(0,)] * 10
    # each path has a start and three races; what Kelly would stake is not known in pools
    last = "select count(*), count(kelly), sum(bankroll) - 100 * count(*) from paths where race = 3"
    (count, known, profit) = ask(folder, last)[1][0]
    assert (count, known, profit) == (20, 0, ask(folder, "select sum(cash) from deals")[1][0][0])
    assert ask(folder, "select distinct bankroll, staked from paths where race = 0")[1] == [(100, 0)]


def test_rows_as_json_and_as_csv(folder, capsys):
    sql = "select agent, count(*) as deals, 0.0 / 0 as nothing, sum(won) as won from deals group by agent"
    results(folder, sql, as_json=True)
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert [(row["agent"], row["deals"], row["nothing"]) for row in found] == [
        ("favourite", 5, None),
        ("null", 5, None),
    ]
    assert isinstance(found[0]["won"], int)
    results(folder, "select agent from deals limit 0", as_json=True)
    assert json.loads(capsys.readouterr().out) == []
    results(folder, "select agent, deal from deals", as_csv=True)
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert lines[:2] == [["agent", "deal"], ["favourite", "0"]] and len(lines) == 11
    with pytest.raises(InvalidSettings, match="csv and json are different formats; choose one"):
        results(folder, sql, as_json=True, as_csv=True)
    results(folder, "select agent, 'a|b' as text, null as n from deals limit 1", output="md")
    table = ["| agent | text | n |", "| --- | --- | --- |", r"| favourite | a\|b | – |"]
    assert capsys.readouterr().out.splitlines() == table


def test_the_command_line_prints_the_rows_and_nothing_else(folder, capsys):
    sql = "select deal from deals where agent = 'null' order by deal limit 2"
    app(["results", str(folder), "--sql", sql, "--csv"], standalone_mode=False)
    assert capsys.readouterr().out == "deal\n0\n1\n"
    app(["results", str(folder), "--sql", sql, "--json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == [{"deal": 0}, {"deal": 1}]
    app(["results", str(folder), "--sql", sql, "--format", "json"], standalone_mode=False)
    assert json.loads(capsys.readouterr().out) == [{"deal": 0}, {"deal": 1}]


def test_a_table_is_never_cut_off_sideways_and_says_what_it_leaves_out(folder, capsys):
    columns = ", ".join(f"{number} as column_number_{number}" for number in range(30))
    results(folder, f"select {columns} from range(60)")
    shown = capsys.readouterr().out
    assert all(f"column_number_{number} " in shown for number in range(30))
    assert "and 10 more rows; --csv or --json prints them all" in shown
