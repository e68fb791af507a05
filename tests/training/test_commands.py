"""The commands: what they print, and errors in one line."""

import json
import signal
import sys

import pytest

from railbird import cli
from railbird.training.train import Session

TINY = [
    "--set",
    "lanes=16",
    "--set",
    "n_steps=8",
    "--set",
    "batch_size=64",
    "--steps",
    "256",
    "--deals",
    "40",
]


def railbird(monkeypatch, capsys, *arguments):
    """Exit code, stdout and stderr of a command line."""
    monkeypatch.setattr(sys, "argv", ["railbird", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        cli.main()
    told = capsys.readouterr()
    return left.value.code or 0, told.out, told.err


@pytest.mark.slow
def test_trained_agent_is_scored_seated_and_listed(monkeypatch, capsys, tmp_path):
    out = tmp_path / "x"
    code, printed, _ = railbird(monkeypatch, capsys, "train", "racing-aces", "--out", out, *TINY)
    assert code == 0
    assert f"railbird eval {out} --deals 40" in printed.replace("\n", " ")
    assert "no TensorBoard log (pip install tensorboard)" in printed
    code, evaluated, _ = railbird(monkeypatch, capsys, "eval", out, "--deals", 40)
    assert code == 0
    assert printed.startswith(evaluated)  # to the last digit
    code, text, _ = railbird(
        monkeypatch, capsys, "eval", out, "--deals", 40, "--json", "--against", "random,null"
    )
    assert {pair["rival"] for pair in json.loads(text)["comparisons"]} == {"random", "null"}
    command = ["tournament", "racing-aces", "--agents", f"{out}/agent,null", "--deals", 4, "--json"]
    code, text, _ = railbird(monkeypatch, capsys, *command)
    assert {line["agent"] for line in json.loads(text)["leaderboard"]} == {f"{out}/agent", "null"}


@pytest.mark.slow
def test_options_of_the_command_line_come_before_those_of_the_config(monkeypatch, capsys, tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(
        'game = "racing-aces"\nsteps = 9_999\nalgo = "a2c"\ndeals = 40\n[settings]\nlanes = 16\nhidden = 8\n'
    )
    out = tmp_path / "x"
    command = ["train", "--config", file, "--steps", 128, "--set", "hidden=9", "--out", out, "--json"]
    code, _, _ = railbird(monkeypatch, capsys, *command)
    assert code == 0
    run = json.loads((out / "run.json").read_text())
    assert (run["algo"], run["steps"], run["learner"]["hidden"], run["learner"]["lanes"]) == (
        "a2c",
        128,
        [9],
        16,
    )


@pytest.mark.slow
def test_sweep_reports_every_seed_and_all_together(monkeypatch, capsys, tmp_path):
    command = ["sweep", "racing-aces", "--seeds", 3, "--seed", 5, "--out", tmp_path / "s", *TINY, "--json"]
    code, text, told = railbird(monkeypatch, capsys, *command)
    found = json.loads(text)
    assert code == 0
    assert found["seeds"] == [5, 6, 7]
    profits = [score["profit_per_race"] for score in found["scores"]]
    assert found["mean"]["value"] == pytest.approx(sum(profits) / 3)
    assert min(profits) <= found["mean"]["low"] <= found["mean"]["high"] <= max(profits)
    assert [line.split(":")[0] for line in told.splitlines()] == ["seed 5", "seed 6", "seed 7"]
    assert json.loads((tmp_path / "s/sweep.json").read_text()) == found
    code, text, _ = railbird(monkeypatch, capsys, *command, "--workers", 2)
    assert json.loads(text) == found


DECK = ["--set", "suits=2", "--set", "ranks=5", "--set", "hand_size=2", "--set", "target=5"]  # 9 cards
OFTEN = ["--set", "max_turns=20", "--set", "snapshot_every=100"]


@pytest.mark.slow
def test_sweep_by_self_play_reports_every_seed(monkeypatch, capsys, tmp_path):
    out = tmp_path / "s"
    command = ["sweep", "save-the-bet", "--seeds", 2, "--seed", 5, *TINY, *DECK, *OFTEN, "--json"]
    mixed = ["--self-play", "--pool", "hoarder,snapshots"]
    code, text, told = railbird(monkeypatch, capsys, *command, *mixed, "--out", out)
    found = json.loads(text)
    assert code == 0
    assert (found["seeds"], found["pool"]) == ([5, 6], ["hoarder", "snapshots"])
    profits = [score["profit_per_race"] for score in found["scores"]]
    # a quarter of two runs, rounded down, is none: the middle half is both
    assert found["interquartile_mean"]["value"] == pytest.approx(sum(profits) / 2)
    assert found["interquartile_mean"]["low"] == pytest.approx(min(profits))
    assert found["interquartile_mean"]["high"] == pytest.approx(max(profits))
    assert [line.split(":")[0] for line in told.splitlines()] == ["seed 5", "seed 6"]
    for seed in (5, 6):
        members = json.loads((out / f"seed-{seed}/pool.json").read_text())["members"]
        assert [it["member"] for it in members] == ["latest", "hoarder", "snapshot-000000000128"]
    code, again, _ = railbird(monkeypatch, capsys, *command, *mixed, "--out", out, "--workers", 2)
    assert again == text
    code, text, told = railbird(monkeypatch, capsys, *command[:-3], "--out", out)
    assert (code, text) == (2, "")
    assert "seed-5 holds a run with self-play, not one without it; choose another folder" in told
    code, text, told = railbird(monkeypatch, capsys, *command, "--self-play", "--out", out)
    assert (code, text) == (2, "")
    assert "seed-5 holds a run with pool ['hoarder', 'snapshots'], not ['heuristics', 'snap" in told


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--self-play"]])
def test_sweep_that_was_interrupted_goes_on(monkeypatch, capsys, tmp_path, more):
    command = ["sweep", "save-the-bet", "--seeds", 2, *TINY, *DECK, "--set", "max_turns=20", *more, "--json"]
    _, whole, _ = railbird(monkeypatch, capsys, *command, "--out", tmp_path / "whole")
    save, out = Session.save, tmp_path / "parts"

    def interrupting(self):
        save(self)
        if self.run.seed == 2:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(Session, "save", interrupting)
        code, printed, told = railbird(patch, capsys, *command, "--checkpoint-every", 128, "--out", out)
    assert (code, printed) == (130, "")
    assert f"railbird: the last checkpoints are in {out}; the same command goes on from there" in told
    assert not (out / "seed-2/score.json").exists()
    _, parts, _ = railbird(monkeypatch, capsys, *command, "--out", out)
    assert parts.replace(str(out), "X") == whole.replace(str(tmp_path / "whole"), "X")


def test_settings_are_listed_with_their_meaning(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "140")
    code, printed, _ = railbird(monkeypatch, capsys, "train", "racing-aces", "--algo", "dqn", "--settings")
    assert code == 0
    assert "--set for dqn" in printed
    assert " ".join(
        next(line for line in printed.splitlines() if line.strip().startswith("gamma")).split()
    ) == ("gamma 0.9 Discount of a reward for each action it is away, 0-1.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train"], "name the game to learn, or a --config that does"),
        (["train", "superfecto"], "did you mean 'superfecta'?"),
        (["train", "superfecta", "--algo", "ppp"], "did you mean 'ppo'?"),
        (["train", "superfecta", "--set", "lerning_rate=1"], "did you mean 'learning_rate'?"),
        (["train", "superfecta", "--set", "learning_rate=no"], "learning_rate is a number, not 'no'"),
        (["train", "superfecta", "--config", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["sweep", "superfecta", "--pool", "box"], "a pool, box, is for self-play; ask for it with --self-p"),
        (["sweep", "superfecta", "--self-play", "--pool", "boks"], "did you mean 'box'?"),
        (["sweep", "bookmaker", "--self-play"], "keeps the bank and meets bettors, never itself"),
        (["sweep", "racing-aces", "--self-play"], "the learner sits alone; self-play takes a table of two"),
        (["sweep", "superfecta", "--self-play", "--seeds", 0], "seeds is a whole number from 1 to 1,000"),
        (["league", "save-the-bet", "--start", "first"], "start is newest or scratch, not 'first'"),
        (["eval", "nowhere"], "there is no agent in nowhere; an agent folder holds an agent.json"),
        (["convert", "x.zip", "superfecta"], "x.zip can run code when it is loaded; say --trust"),
        (["tournament", "superfecta", "--agents", "runs/nowhere/agent"], "there is no agent folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(monkeypatch, capsys, arguments, message):
    code, printed, told = railbird(monkeypatch, capsys, *arguments)
    assert (code, printed) == (2, "")
    assert message in told
    assert told.count("\n") == 1
