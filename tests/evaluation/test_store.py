"""A tournament's folder: what is in it, going on where a runner left off, and damage that is named."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent
from railbird.evaluation import blocks
from railbird.evaluation.market import Sheet
from railbird.evaluation.provenance import source_of, versions
from railbird.evaluation.store import Store, describe, parquet, tables
from railbird.evaluation.store.lock import Lock
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import BrokenFile, InvalidSettings, RailbirdError
from railbird.games.superfecta.settings import SuperfectaSettings

FIELD = ["random", "favourite", "kelly:fraction=0.5"]


class Uneven(Agent[Any]):
    """A chip on hearts, but minus one in the third race of every other table."""

    files: tuple[Path, ...] = ()
    idea = source = "of this test"

    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 40), np.int64)
        stakes[:, 0] = np.where((view.race == 2) & (view.lane % 2 == 1), -1, 1)
        return stakes


@dataclass(frozen=True)
class Named:
    """A factory with a text of its own."""

    text: str
    made: type[Agent[Any]]

    def make(self, settings):
        return self.made(settings)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Four deals a block at three seats and one line-up."""
    monkeypatch.setattr(blocks, "TABLES_PER_BLOCK", 12)


def settings(agents=FIELD, **options):
    return TournamentSettings.of("superfecta", agents, **{"deals": 10, "seats": 3, "races": 2, **options})


def contents(folder):
    """Every file with its bytes, but for the lock, which is empty when nobody is at work."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def part(folder, number=1):
    return folder / "blocks" / f"{number:08}"


def rows(folder, table):
    return duckdb.execute(f"select * from '{folder}/blocks/*/{table}.parquet'").fetchall()


class Break(Exception):
    """Stands for whatever ends a runner."""


def broken_off(after):
    """A progress callback that ends the run once so many races have been played."""

    def tell(done, total):
        if done >= after:
            raise Break

    return tell


def test_the_folder_holds_the_printed_result_and_every_deal(tmp_path):
    folder = tmp_path / "new" / "results"
    result = run(settings(), out=folder)
    assert {path.name for path in folder.iterdir()} == {"blocks", "lock", "manifest.json", "result.json"}
    # ten deals in blocks of four
    assert sorted(path.name for path in (folder / "blocks").iterdir()) == ["00000000", "00000001", "00000002"]
    assert (folder / "result.json").read_text(encoding="utf-8") == result.to_json() + "\n"
    found = rows(folder, "deals")
    assert [row[:2] for row in found[:4]] == [
        (0, "random"),
        (0, "favourite"),
        (0, "kelly:fraction=0.5"),
        (1, "random"),
    ]
    for line in result.leaderboard:
        own = [row for row in found if row[1] == line.agent]
        assert len(own) == 10
        # three rotations of two races a deal
        assert sum(row[2] for row in own) / 60 == pytest.approx(line.cash_per_race)
        assert sum(row[3] for row in own) / 60 == pytest.approx(line.profit_per_race)


def test_the_manifest_says_what_is_played_and_by_what(tmp_path):
    run(settings(seed=5), out=tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] == 5
    assert manifest["settings"]["game"] == "superfecta" and manifest["settings"]["deals"] == 10
    # one line-up in three rotations, in all of which everybody sits
    assert manifest["design"] == {"tables_per_deal": 3, "tables_per_agent": 3, "races": 2, "blocks": 3}
    assert set(manifest["agents"]) == set(FIELD)
    assert manifest["agents"]["random"]["files"] == ["anchors.py", "bettor.py", "contract.py"]
    assert manifest["versions"]["numpy"] == np.__version__
    told = manifest.pop("digest")
    assert told == hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


@pytest.mark.parametrize(
    ("game", "agents", "options"),
    [
        ("superfecta", FIELD, {"seats": 3, "races": 3, "substitutes": 2}),
        ("superfecta", FIELD, {"seats": 2, "races": 1, "substitutes": 0}),
        ("save-the-bet", [], {"max_turns": 2}),
        ("bookmaker", ["margin", "margin:share=0.3"], {"races": 2}),
        ("racing-aces", ["null", "kelly", "random"], {"races": 2}),
    ],
)
def test_a_block_comes_back_to_the_last_bit(tmp_path, game, agents, options):
    plan = TournamentSettings.of(game, agents, deals=5, **options).plan()
    came_back(tmp_path, plan)


def test_a_block_with_faults_comes_back_to_the_last_bit(tmp_path):
    uneven, rules = Named("uneven", Uneven), SuperfectaSettings(seats=3, races=4)
    plan = TournamentSettings("superfecta", (uneven, uneven), rules, deals=3).plan()
    block = came_back(tmp_path, plan)
    assert [it.reason[:20] for it in block.incidents] and block.faults.sum() > 0


def came_back(folder, plan):
    """Plays the first block, stores it and reads it again; a field that is not stored shows here."""
    played = blocks.play_block(plan, 0)
    with Store(folder, plan, describe(plan, {})) as store:
        store.add(0, played)
        read = store.read(0)
    same_bits(played, read)
    return played


def same_bits(played, read):
    for field in fields(played):
        one, other = getattr(played, field.name), getattr(read, field.name)
        if isinstance(one, np.ndarray):
            assert (one.dtype, one.shape) == (other.dtype, other.shape), field.name
            assert one.tobytes() == other.tobytes(), field.name
        elif isinstance(one, Sheet):
            same_bits(one, other)
        else:
            assert one == other, field.name


def test_deals_without_a_context_have_no_row_among_the_substitutes(tmp_path):
    run(settings(substitutes=4), out=tmp_path)
    assert {row[0] for row in rows(tmp_path, "substitutes")} == {0, 4, 8}


@pytest.mark.parametrize("text", ["kelly:fraction=0.5,cap=3", 'it\'s "mine"', "agent 1; drop table deals"])
def test_an_agent_of_any_name_is_found_again(tmp_path, text):
    rules = SuperfectaSettings(seats=2, races=1)
    run(TournamentSettings("superfecta", (Named(text, Uneven),), rules, deals=1), out=tmp_path)
    assert [row[1] for row in rows(tmp_path, "deals")] == [text, f"{text}#2"]


@pytest.mark.parametrize("name", ["seed=1", "a[1]", "what?", "*", "it's"])
def test_a_folder_of_any_name_works(tmp_path, name):
    (tmp_path / "a1").mkdir()  # what a[1] would match
    result = run(settings(), out=tmp_path / name)
    assert run(settings(), out=tmp_path / name) == result


def test_the_same_tournament_again_plays_nothing_and_leaves_the_same_bytes(tmp_path, monkeypatch):
    result = run(settings(), out=tmp_path)
    before = contents(tmp_path)
    monkeypatch.setattr("railbird.evaluation.executors.choice.play_block", pytest.fail)
    assert run(settings(), out=tmp_path).to_json() == result.to_json()
    assert contents(tmp_path) == before


def test_a_runner_goes_on_behind_the_finished_blocks(tmp_path, monkeypatch):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(settings(), out=whole)
    with pytest.raises(Break):
        run(settings(), broken_off(1), out=parts)
    assert [path.name for path in (parts / "blocks").iterdir()] == ["00000000"]
    assert not (parts / "result.json").exists()
    played = []
    real = blocks.play_block

    def play(plan, number):
        played.append(number)
        return real(plan, number)

    monkeypatch.setattr("railbird.evaluation.executors.choice.play_block", play)
    run(settings(), out=parts)
    assert played == [1, 2]
    assert contents(parts) == contents(whole)


def test_what_a_runner_left_unfinished_is_cleared_away(tmp_path):
    run(settings(), out=tmp_path)
    before = contents(tmp_path)
    shutil.copytree(part(tmp_path), tmp_path / "blocks" / ".unfinished-00000001")
    (tmp_path / ".unfinished-result.json").write_text("{", encoding="utf-8")
    run(settings(), out=tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deals": 7}, "holds a tournament with deals 10, not 7; choose another folder"),
        ({"seed": 3}, "with seed 0, not 3"),
        ({"substitutes": 0}, "with substitutes None, not 0"),
        ({"races": 3}, "with rules .*'races': 2.*, not .*'races': 3"),
        ({"agents": FIELD[:2]}, r"with agents \['random', 'favourite', 'kelly.*\], not \['random', 'fav"),
    ],
)
def test_another_tournament_is_refused_and_nothing_changes(tmp_path, options, message):
    run(settings(), out=tmp_path)
    before = contents(tmp_path)
    with pytest.raises(InvalidSettings, match=message):
        run(settings(**options), out=tmp_path)
    assert contents(tmp_path) == before


OWN = """
from railbird.agents.contract import Agent
import numpy as np

class Own(Agent):
    def act(self, view, draws):
        return np.zeros((len(view.lane), 40), np.int64)
"""


def test_an_agent_whose_file_has_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "own_of_store.py"
    file.write_text(OWN, encoding="utf-8")
    field = settings(["own_of_store:Own"])
    run(field, out=tmp_path / "out")
    file.write_text(OWN + "\n", encoding="utf-8")
    with pytest.raises(InvalidSettings, match=r"agent own_of_store:Own: .*own_of_store\.py has changed"):
        run(field, out=tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "message"),
    [("numpy", "begun with numpy 1.0, not 2"), ("code", "begun with other code of Railbird")],
)
def test_other_versions_are_refused(tmp_path, monkeypatch, name, message):
    real = versions()
    monkeypatch.setattr("railbird.evaluation.store.manifest.versions", lambda: {**real, name: "1.0"})
    run(settings(), out=tmp_path)
    monkeypatch.undo()
    with pytest.raises(InvalidSettings, match=message):
        run(settings(), out=tmp_path)


def test_another_commit_of_the_same_code_goes_on(tmp_path, monkeypatch):
    whole = tmp_path / "whole"
    monkeypatch.setattr("railbird.evaluation.store.manifest.commit", lambda: "a" * 40)
    run(settings(), out=whole)
    with pytest.raises(Break):
        run(settings(), broken_off(1), out=tmp_path / "parts")
    monkeypatch.setattr("railbird.evaluation.store.manifest.commit", lambda: "b" * 40)
    run(settings(), out=tmp_path / "parts")
    assert contents(tmp_path / "parts") == contents(whole)


def test_an_agent_consists_of_its_classes_its_parts_and_the_files_it_names(tmp_path):
    weights = tmp_path / "policy.safetensors"
    weights.write_bytes(b"1")
    agent = Uneven(None)
    plain = source_of(agent)
    assert plain["files"] == ["contract.py", "test_store.py"]
    agent.files = (weights,)
    first = source_of(agent)
    assert first["files"] == ["contract.py", "policy.safetensors", "test_store.py"]
    weights.write_bytes(b"2")
    assert len({source["sha256"] for source in (plain, first, source_of(agent))}) == 3
    rules = TournamentSettings.of("horse-race", bank="rotate").rules
    pair = source_of(parse_agent("margin+kelly", "horse-race").make(rules))
    kelly = source_of(parse_agent("kelly", "horse-race").make(rules))
    assert set(kelly["files"]) < set(pair["files"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no manifest of a tournament"),
        ("[]", "is no manifest of a tournament"),
        ("{broken", "is no manifest of a tournament"),
        ('{"format": 1, "digest": ""}', "has format 1, not 2"),
        ('{"format": 7, "digest": ""}', "has format 7, not 2"),
    ],
)
def test_a_manifest_that_cannot_be_read_is_named(tmp_path, text, message):
    run(settings(), out=tmp_path)
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(BrokenFile, match=rf"manifest\.json {message}; choose another folder"):
        run(settings(), out=tmp_path)


@pytest.mark.parametrize("name", ["seed", "settings", "commit"])
def test_an_edited_manifest_is_named(tmp_path, name):
    run(settings(), out=tmp_path)
    path = tmp_path / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest[name] = {**manifest[name], "deals": 11} if name == "settings" else 4
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BrokenFile, match=r"manifest\.json has been changed since it was written; restore it"):
        run(settings(), out=tmp_path)


def test_a_missing_manifest_is_named(tmp_path):
    run(settings(), out=tmp_path)
    (tmp_path / "manifest.json").unlink()
    with pytest.raises(BrokenFile, match=r"manifest\.json is missing, though there are results beside it"):
        run(settings(), out=tmp_path)


def cut(folder):
    path = folder / "deals.parquet"
    path.write_bytes(path.read_bytes()[:100])


def change(folder):
    path = folder / "deals.parquet"
    content = bytearray(path.read_bytes())
    content[50] ^= 1
    path.write_bytes(content)


def swap(folder):
    other = part(folder.parents[1], 0)
    shutil.rmtree(folder)
    shutil.copytree(other, folder)


def rewrite(select):
    """Replaces the table of deals by what SQL makes of it, with its new size and hash."""

    def damage(folder):
        path, described = folder / "deals.parquet", folder / "block.json"
        found = duckdb.execute(select.format(path=path)).fetchnumpy()
        writer = parquet.Parquet()
        writer.write(path, found)
        writer.close()
        content = json.loads(described.read_text(encoding="utf-8"))
        content["tables"]["deals"] = {
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        described.write_text(json.dumps(content), encoding="utf-8")

    return damage


DAMAGE = {
    "cut": (cut, r"00000001/deals\.parquet is cut off: it has 100 of [\d,]+ bytes"),
    "changed": (change, r"00000001/deals\.parquet has been changed since it was written"),
    "missing": (lambda folder: (folder / "deals.parquet").unlink(), r"No such file .*/deals\.parquet"),
    "no-list": (lambda folder: (folder / "block.json").unlink(), r"No such file .*00000001/block\.json"),
    "odd-list": (
        lambda folder: (folder / "block.json").write_text("[]", encoding="utf-8"),
        r"block\.json is not as it was written",
    ),
    "other": (swap, "00000001 is a block of another tournament"),
    "column": (rewrite("select * exclude (staked) from '{path}'"), "table deals has no column staked"),
    "rows": (rewrite("select * from '{path}' where deal > 4"), "table deals has rows of other deals"),
    "agents": (
        rewrite("select * replace (upper(agent) as agent) from '{path}'"),
        "table deals has rows of other deals or agents",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_block_is_named_and_can_be_played_anew(tmp_path, kind):
    damage, message = DAMAGE[kind]
    run(settings(), out=tmp_path)
    whole = contents(tmp_path)
    damage(part(tmp_path))
    damaged = contents(tmp_path)
    with pytest.raises(BrokenFile, match=message) as caught:
        run(settings(), out=tmp_path)
    assert f"remove the folder {part(tmp_path)} and run the same command again" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert contents(tmp_path) == damaged
    shutil.rmtree(part(tmp_path))
    run(settings(), out=tmp_path)
    assert contents(tmp_path) == whole


def test_a_result_that_the_blocks_do_not_give_is_named(tmp_path):
    run(settings(), out=tmp_path)
    path = tmp_path / "result.json"
    changed = path.read_text(encoding="utf-8").replace('"refused": 0', '"refused": 7', 1)
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(BrokenFile, match=r"result\.json is not what the blocks beside it give; remove it"):
        run(settings(), out=tmp_path)
    assert path.read_text(encoding="utf-8") == changed


def test_a_second_runner_is_refused_while_the_first_is_at_work(tmp_path):
    tried = []

    def second(done, total):
        with pytest.raises(InvalidSettings, match=r"another runner \(process \d+\) is writing to .*; wait"):
            run(settings(), out=tmp_path)
        tried.append(done)

    run(settings(), second, out=tmp_path)
    assert len(tried) == 3
    run(settings(), out=tmp_path)  # free again
    assert (tmp_path / "lock").read_bytes() == b""


def test_a_folder_that_is_refused_is_free_for_its_own_tournament(tmp_path):
    run(settings(), out=tmp_path)
    with pytest.raises(InvalidSettings, match="with seed"):
        run(settings(seed=9), out=tmp_path)
    Lock(tmp_path / "lock").release()


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch):
    def refuse(descriptor):
        raise OSError(37, "No locks available")

    monkeypatch.setattr("railbird.evaluation.store.lock._seize", refuse)
    with pytest.raises(
        InvalidSettings, match=r"cannot write to .*: No locks available; choose another folder"
    ):
        run(settings(), out=tmp_path)


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InvalidSettings, match=r"cannot write to .*results: Not a directory; choose another"):
        run(settings(), out=tmp_path / "file" / "results")


def test_a_block_is_whole_before_it_has_its_name(tmp_path, monkeypatch):
    seen = []

    def look(self, target):
        seen.append((target, target.exists(), sorted(file.name for file in self.iterdir())))
        raise Break

    monkeypatch.setattr("railbird.evaluation.store.folder.Path.rename", look)
    with pytest.raises(Break):
        run(settings(), out=tmp_path)
    names = ("curve", "deals", "games", "paths", "pools", "regrets", "scores", "substitutes")
    files = ["block.json", *(f"{name}.parquet" for name in names)]
    assert seen == [(part(tmp_path, 0), False, files)]
    assert list((tmp_path / "blocks").iterdir()) == []


@pytest.mark.parametrize("table", ["deals", "substitutes"])
def test_a_block_that_cannot_be_written_is_named_and_the_others_are_kept(tmp_path, monkeypatch, table):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run(settings(), out=whole)
    real = parquet.Parquet.write

    def full(self, path, columns):
        if path.name == f"{table}.parquet" and columns["deal"][0] >= 4:
            path.write_bytes(b"half a ta")
            raise OSError(28, "No space left on device")
        real(self, path, columns)

    monkeypatch.setattr(parquet.Parquet, "write", full)
    message = r"cannot write .*00000001: No space left on device; finished blocks are kept: make room and run"
    with pytest.raises(RailbirdError, match=message):
        run(settings(), out=parts)
    assert [path.name for path in (parts / "blocks").iterdir()] == ["00000000"]
    monkeypatch.undo()
    monkeypatch.setattr(blocks, "TABLES_PER_BLOCK", 12)
    run(settings(), out=parts)
    assert contents(parts) == contents(whole)


def test_every_column_has_a_type_for_the_views_in_the_order_it_is_written():
    plan = settings(seats=2).plan()
    block = blocks.play_block(plan, 0)
    written = tables.to_tables(plan, block)
    names = ["deals", "substitutes", "duels", "games", "paths", "pools", "scores", "curve", "regrets"]
    told = {name: list(columns) for name, columns in written.items()}
    assert told == {name: list(tables.TYPES[name]) for name in names}
