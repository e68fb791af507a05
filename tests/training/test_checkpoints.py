"""Checkpoints: written whole, told from damaged ones before anything of them is used."""

import json

import numpy as np
import pytest

from railbird.games.errors import BrokenFile, RailbirdError
from railbird.training import durable
from railbird.training.checkpoints import Checkpoints

TENSORS = {"a/b.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "step": np.array(7.0)}


def saved(folder, *steps):
    checkpoints = Checkpoints(folder)
    for step in steps:
        checkpoints.add(step, TENSORS | {"at": np.array([step])}, {"told": [step, None, 0.1]})
    return checkpoints


def test_what_is_saved_comes_back(tmp_path):
    found = saved(tmp_path, 10).last()
    assert found.step == 10
    assert found.data == {"told": [10, None, 0.1]}
    assert found.tensors.keys() == {"a/b.weight", "step", "at"}
    assert np.array_equal(found.tensors["a/b.weight"], TENSORS["a/b.weight"])
    assert found.tensors["step"].shape == ()


def test_the_last_three_are_kept(tmp_path):
    assert saved(tmp_path, 10, 200, 30, 40, 5_000).steps == [40, 200, 5_000]


def test_without_any_there_is_no_last(tmp_path):
    assert Checkpoints(tmp_path / "none").last() is None


def test_nothing_of_a_checkpoint_is_pickled(tmp_path):
    saved(tmp_path, 10)
    names = sorted(path.name for path in (tmp_path / "000000000010").iterdir())
    assert names == ["checkpoint.json", "state.json", "state.safetensors"]


@pytest.mark.parametrize("name", ["state.json", "state.safetensors"])
@pytest.mark.parametrize("how", ["cut", "changed", "gone"])
def test_damaged_checkpoint_is_refused_and_the_one_before_is_as_it_was(tmp_path, name, how):
    checkpoints = saved(tmp_path, 10, 20)
    path = tmp_path / "000000000020" / name
    content = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-1] if how == "cut" else content[:-1] + bytes([content[-1] ^ 1]))
    message = (
        rf"{name}.*; remove .*000000000020 and run the same command again to go on from the one at step 10"
    )
    with pytest.raises(BrokenFile, match=message):
        checkpoints.last()
    assert checkpoints.read(10).data == {"told": [10, None, 0.1]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format": 1, "step": 20, "sha256": 3}',
        b'{"format": 2, "step": 20, "sha256": {}}',
    ],
)
def test_head_that_cannot_be_read_is_refused(tmp_path, content):
    checkpoints = saved(tmp_path, 20)
    (tmp_path / "000000000020" / "checkpoint.json").write_bytes(content)
    with pytest.raises(BrokenFile, match="run the same command again to go on from the start"):
        checkpoints.last()


def test_full_disk_leaves_earlier_checkpoints(tmp_path, monkeypatch):
    checkpoints = saved(tmp_path, 10)

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(durable, "_flush", full)
    with pytest.raises(RailbirdError, match="No space left on device; what was saved before is kept"):
        checkpoints.add(20, TENSORS, {})
    assert checkpoints.steps == [10]
    assert checkpoints.last().step == 10
    assert [path.name for path in tmp_path.iterdir()] == ["000000000010"]


def test_what_a_killed_run_left_unfinished_is_no_checkpoint(tmp_path):
    checkpoints = saved(tmp_path, 10)
    (tmp_path / ".unfinished-000000000020").mkdir()
    (tmp_path / ".unfinished-000000000020" / "state.json").write_text(json.dumps({}))
    assert checkpoints.last().step == 10
    saved(tmp_path, 30)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000000000010", "000000000030"]
