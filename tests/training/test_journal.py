"""The log of a run and its picture."""

from math import nan

import pytest

from railbird.games.errors import BrokenFile, RailbirdError
from railbird.training import journal
from railbird.training.journal import COLUMNS, Entry, Journal, draw_curve, read_log


def entry(step, profit=0.5, **metrics):
    return Entry(step, step / 10, 10.0, 4, profit, metrics)


def test_rows_are_written_as_they_come(tmp_path):
    log = Journal(tmp_path, 0)
    log.add(entry(100, loss=0.25))
    log.add(entry(200, profit=nan, loss=nan))
    rows = read_log(tmp_path / "progress.csv")
    assert tuple(rows[0]) == COLUMNS
    assert [(row["step"], row["profit"], row["loss"]) for row in rows] == [
        ("100", "0.5", "0.25"),
        ("200", "", ""),
    ]


def test_rows_behind_the_checkpoint_are_dropped(tmp_path):
    log = Journal(tmp_path, 0)
    for step in (100, 200, 300):
        log.add(entry(step))
    Journal(tmp_path, 200).add(entry(250))
    assert [row["step"] for row in read_log(tmp_path / "progress.csv")] == ["100", "200", "250"]


def test_row_that_was_cut_off_is_left_out(tmp_path):
    Journal(tmp_path, 0).add(entry(100))
    path = tmp_path / "progress.csv"
    path.write_text(path.read_text() + "200,20.0,1")
    assert [row["step"] for row in read_log(path)] == ["100"]


def test_file_that_is_no_log_is_refused(tmp_path):
    (tmp_path / "progress.csv").write_text("step,other\n1,2\n")
    with pytest.raises(BrokenFile, match=r"progress\.csv is not the log of a training run"):
        Journal(tmp_path, 5)


def test_full_disk_is_named(tmp_path):
    log = Journal(tmp_path, 0)
    (tmp_path / "progress.csv").unlink()
    (tmp_path / "progress.csv").symlink_to("/dev/full")
    with pytest.raises(RailbirdError, match=r"cannot write .*progress\.csv: No space left on device"):
        log.add(entry(100))


def test_curve_is_a_picture_of_what_was_earned(tmp_path, monkeypatch):
    log = Journal(tmp_path, 0)
    log.add(entry(100, profit=nan))
    assert draw_curve(tmp_path, "nothing yet") is None
    for step in range(200, 1_200, 100):
        log.add(entry(step, profit=step / 1_000))
    draw_curve(tmp_path, "Racing Aces")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_curve_weighs_rows_by_their_episodes(tmp_path, monkeypatch):
    log = Journal(tmp_path, 0)
    log.add(Entry(10, 1.0, 1.0, 1, 5.0))
    log.add(Entry(20, 2.0, 1.0, 3, 1.0))
    drawn = []
    monkeypatch.setattr(journal, "POINTS", 1)

    def draw(chart, **_):
        drawn.append(chart)
        return b""

    monkeypatch.setattr("vl_convert.vegalite_to_png", draw)
    draw_curve(tmp_path, "x")
    # (1 · 5 + 3 · 1) / 4 = 2, at the last of the two steps
    assert drawn[0]["layer"][1]["data"]["values"] == [{"step": 20, "profit": 2.0}]
