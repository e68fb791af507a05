"""The command line: results on stdout, progress on stderr, bad input in one line with exit code 2."""

import json
import os
import subprocess
import sys

import pytest

from railbird.cli import main

SMALL = [
    "tournament",
    "superfecta",
    "--agents",
    "favourite,box,random",
    "--deals",
    "3",
    "--seats",
    "3",
    "--races",
    "2",
]


def railbird(*arguments, given="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "railbird", *arguments],
        input=given,
        capture_output=True,
        text=True,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frob"], "No such command 'frob'"),
        (["odds"], "Missing argument 'game'"),
        (["odds", "superfecto", "HHDDCS"], "superfect"),
        (["odds", "superfecta", "HHDDCX"], "rail 'HHDDCX' has 'X'"),
        (["odds", "superfecta", "HHDDC"], "rail 'HHDDC' has 5 cards; this track lays 6"),
        (["watch", "superfecta", "--races", "0"], "races to show are 1 or more, not 0"),
        (["watch", "superfecta", "--speed", "0"], "speed is a number"),
        (["play", "superfecta", "--seat", "9"], "seat is a whole number from 0"),
        (["agents", "superfectas"], "did you mean 'superfecta'?"),
        (["check-agent", "nowhere:Nobody", "superfecta"], "nowhere"),
        (["tournament", "superfecta", "--agents", "favorite"], "did you mean 'favourite'?"),
        (["tournament", "superfecta", "--agents", "kelly:fractoin=1"], "has no option 'fractoin'"),
        (["tournament", "superfecta", "--seats", "13"], "seats is a whole number from 2 to 12, not 13"),
        (["tournament", "superfecta", "--deals", "0"], "deals is a whole number from 1"),
        (["tournament", "superfecta", "--deals", "many"], "Invalid value for '--deals'"),
        (["tournament", "superfecta", "--seed", "-1"], "seed is a whole number from 0"),
        (["tournament", "superfecta", "--until", "0"], "until is a number of chips above 0, not 0.0"),
        (["tournament", "superfecta", "--margin", "-1"], "margin is a number of chips, 0 or more"),
        (
            ["tournament", "superfecta", "--substitute", "most"],
            "--substitute is all, none or a number of deals",
        ),
        (["tournament", "superfecta", "--against", "boks"], "did you mean 'box'?"),
        (["tournament", "superfecta", "--set", "split"], "a setting is written key=value"),
        (["tournament", "superfecta", "--set", "splitt=equal"], "did you mean 'split'?"),
        (
            ["tournament", "superfecta", "--set", "seats=3", "--seats", "4"],
            "the setting seats is given twice",
        ),
        (["tournament", "superfecta", "--set", "rate=0.1"], "belong to split='pro_rata'"),
        (["bench", "--only", "speed"], "there is no group of figures 'speed'"),
    ],
)
def test_bad_input_is_one_line_on_stderr_and_exit_code_2(arguments, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["railbird", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    out, err = capsys.readouterr()
    assert stopped.value.code == 2
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("railbird: ")
    assert out == ""


def test_bad_input_is_so_in_a_process_of_its_own():
    done = railbird("odds", "superfecta", "HHDDCX")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("railbird: rail 'HHDDCX' has 'X'")
    assert done.stderr.count("\n") == 1


def test_a_tournament_prints_one_json_object_and_progress_elsewhere():
    done = railbird(*SMALL, "--json", "--seed", "3")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert {"leaderboard", "settings", "seed", "version"} <= set(result)
    assert result["seed"] == 3
    profits = [standing["profit_per_race"] for standing in result["leaderboard"]]
    assert profits == sorted(profits, reverse=True)
    for standing in result["leaderboard"]:
        assert {"agent", "profit_per_race", "interval", "roi", "ruin", "races", "faults"} <= set(standing)
        low, high = standing["interval"]
        assert low <= standing["profit_per_race"] <= high
        assert standing["races"] == 3 * 3 * 2  # deals, rotations of the one line-up, races
        assert standing["faults"] == 0
    assert {standing["agent"] for standing in result["leaderboard"]} == {"favourite", "box", "random"}


def test_how_a_tournament_is_judged_can_be_said(monkeypatch, capsys):
    asked = ["--agents", "favourite,box,random,null", "--until", "9", "--margin", "0.25", "--substitute", "2"]
    asked += ["--against", "wheel,dutch", "--leave-one-out", "--json"]
    monkeypatch.setattr(sys, "argv", ["railbird", *SMALL[:2], *SMALL[4:], *asked])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code is None
    result = json.loads(capsys.readouterr().out)
    settings = result["settings"]
    assert (settings["until"], settings["margin"], settings["substitutes"]) == (9, 0.25, 2)
    assert settings["against"] == result["abroad"]["population"] == ["wheel", "dutch"]
    assert [it["without"] for it in result["left_out"]] == ["favourite", "box", "random", "null"]
    assert result["design"]["contexts"] == 2  # deals 0 and 2 of three
    assert result["design"]["margin"] == 0.25


def test_the_same_command_gives_the_same_bytes_whatever_the_hash_seed():
    outputs = {railbird(*SMALL, "--json", PYTHONHASHSEED=seed).stdout for seed in ("0", "1", "random")}
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["leaderboard"]


def test_two_workers_give_the_same_bytes_as_one():
    one, two = (railbird(*SMALL, "--json", "--workers", workers).stdout for workers in ("1", "2"))
    assert one == two
    assert json.loads(one)["leaderboard"]


def test_a_leaderboard_is_printed_for_people():
    done = railbird(*SMALL)
    assert done.returncode == 0
    assert "Superfecta: chips per race, 95% intervals" in done.stdout
    assert "Try next:" in done.stdout
    assert "races" in done.stderr


def test_a_reader_that_goes_away_is_no_traceback():
    command = f"{sys.executable} -m railbird watch superfecta | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.stdout.startswith("Superfecta")


def test_a_broken_agent_does_not_stop_a_tournament(tmp_path):
    (tmp_path / "bad.py").write_text(
        "class Bad:\n"
        "    def __init__(self, settings): pass\n"
        "    def act(self, view, draws): raise RuntimeError('no idea')\n"
    )
    done = railbird(*SMALL[:3], "bad:Bad,box,random", *SMALL[4:], "--json", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    standings = {standing["agent"]: standing for standing in json.loads(done.stdout)["leaderboard"]}
    assert standings["bad:Bad"]["faults"] == 3 * 3 * 2
    assert standings["box"]["faults"] == 0
    assert "no idea" in json.dumps(json.loads(done.stdout)["faults"])
