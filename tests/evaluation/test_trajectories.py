"""Trajectories: what is written is what an environment shows a learner that takes the recorded actions."""

import json
import sys
from typing import Any

import duckdb
import gymnasium as gym
import numpy as np
import pytest

from railbird.agents.registry import parse_agent
from railbird.agents.seating import parse_player
from railbird.cli import main
from railbird.envs.options import REWARDS
from railbird.envs.variants import variant_of
from railbird.evaluation import step_file
from railbird.evaluation.match import play
from railbird.evaluation.trajectories import TrajectorySettings, write_trajectories
from railbird.games.errors import InvalidSettings, RailbirdError, UnknownName
from railbird.games.registry import load, names

CASES: dict[str, tuple[str, tuple[str, ...], dict[str, Any], dict[str, Any]]] = {
    "superfecta": ("superfecta", ("favourite", "random", "box"), {"seats": 3, "races": 4}, {}),
    "few chips": ("superfecta", ("random", "box"), {"seats": 3, "races": 6, "bankroll": 5}, {}),
    "larger stakes": (
        "superfecta", ("chaser", "random"), {"seats": 2, "races": 4}, {"stakes": tuple(range(1, 65))},
    ),
    "horse-race": ("horse-race", ("random", "favourite"), {"seats": 2, "races": 4}, {}),
    "ruined": ("horse-race", ("random", "longshot"), {"seats": 2, "races": 8, "bankroll": 30}, {}),
    "quoting in turn": (
        "horse-race", ("margin+random", "favourite"), {"seats": 3, "races": 6, "bank": "rotate"}, {},
    ),
    "scarne-horse-race": ("scarne-horse-race", ("random",), {"seats": 2, "races": 3}, {}),
    "bookmaker": ("bookmaker", ("margin",), {"races": 4}, {}),
    "racing-aces": ("racing-aces", ("random",), {"races": 6}, {}),
    "two wagers": (
        "racing-aces", ("random", "favourite"),
        {"seats": 2, "max_wagers": 2, "stakes": (1, 3), "bankroll": 9}, {},
    ),
    "pasteboard-derby": ("pasteboard-derby", ("random", "loyal", "crowd"), {"seats": 3, "bankroll": 5}, {}),
    "save-the-bet": ("save-the-bet", ("random", "likeliest"), {"max_turns": 12}, {}),
}  # fmt: skip
SEED, DEALS = 4, 5


def settings_of(case, **more):
    game, agents, rules, encoding = CASES[case]
    given: dict[str, Any] = {
        "deals": DEALS,
        "seed": SEED,
        "rules": tuple(rules.items()),
        "encoding": tuple(encoding.items()),
    }
    return TrajectorySettings(game, agents, **(given | more))


def rows_of(path, columns="*"):
    return duckdb.execute(f"select {columns} from read_parquet('{path}')").fetchnumpy()


def written(tmp_path, settings, name="steps.parquet", **options):
    path = tmp_path / name
    write_trajectories(settings, path, **options)
    return path


def environment(settings, seat, deal):
    """The environment in which that seat is the learner's, as a user makes it."""
    spec, rules = load(settings.game), dict(settings.rules)
    given = {**rules, **dict(settings.encoding), "lane": deal, "reward": settings.reward}
    if not spec.players:
        count = int(settings.settings.seats)
        around = [settings.agents[(seat + step) % count % len(settings.agents)] for step in range(1, count)]
        given["seat"] = seat
        if around:
            given["opponents"] = around
    return gym.make(variant_of(settings.game).id, illegal="raise", **given)


def test_every_game_is_tried():
    assert {CASES[case][0] for case in CASES} == set(names())


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("case", CASES)
def test_the_recorded_actions_bring_the_same_steps_again(case, reward, tmp_path):
    settings = settings_of(case, reward=reward)
    rows = rows_of(written(tmp_path, settings))
    row = 0
    for deal in range(DEALS):
        for seat in settings.recorded:
            env = environment(settings, seat, deal)
            seen, info = env.reset(seed=SEED)
            step, ended = 0, False
            while not ended:
                told = {name: rows[name][row] for name in rows}
                assert (told["deal"], told["seat"], told["step"]) == (deal, seat, step)
                assert told["agent"] == settings.labels[seat]
                np.testing.assert_array_equal(np.array(told["observation"], np.float32), seen)
                np.testing.assert_array_equal(told["action_mask"], info["action_mask"])
                seen, gained, ended, _, info = env.step(int(told["action"]))
                assert (told["reward"], told["profit"]) == (gained, info["profit"])
                assert told["terminal"] == ended
                row, step = row + 1, step + 1
    assert row == len(rows["deal"])


@pytest.mark.parametrize(
    "case", ["superfecta", "larger stakes", "horse-race", "save-the-bet", "pasteboard-derby"]
)
def test_an_episode_earns_what_the_agent_earns_in_a_match(case, tmp_path):
    settings = settings_of(case)
    spec, rules = load(settings.game), settings.settings
    path = written(tmp_path, settings)
    found = duckdb.execute(
        f"select deal, seat, sum(profit)::bigint from '{path}' group by all order by all"
    ).fetchall()
    texts = [settings.agents[seat % len(settings.agents)] for seat in range(rules.seats)]
    players = [parse_player(text, spec, rules).make(rules) for text in texts]
    if spec.banker:
        players.append(parse_agent(spec.banker, "bookmaker").make(rules))
    seating = np.tile(np.arange(len(players)), (DEALS, 1))
    cash = play(spec, rules, SEED, np.arange(DEALS), players, seating).cash
    assert found == [(deal, seat, cash[deal, seat]) for deal in range(DEALS) for seat in range(rules.seats)]


@pytest.mark.parametrize("case", ["superfecta", "quoting in turn", "save-the-bet"])
def test_the_file_is_the_same_in_whatever_lots_it_is_played(case, tmp_path, monkeypatch):
    monkeypatch.setattr(step_file, "PART", 100)  # so that there are several parts, and lots end within them
    settings = settings_of(case)
    files = [
        written(tmp_path, settings, f"{lot}.parquet", deals_at_once=lot).read_bytes() for lot in (2, 3, 64)
    ]
    assert len(set(files)) == 1
    assert len(rows_of(tmp_path / "2.parquet", "deal")["deal"]) > 200


def test_rows_are_cut_into_parts_of_a_fixed_number(tmp_path, monkeypatch):
    monkeypatch.setattr(step_file, "PART", 50)
    path = written(tmp_path, settings_of("superfecta"), deals_at_once=2)
    groups = duckdb.execute(
        f"select distinct row_group_id, row_group_num_rows from parquet_metadata('{path}') order by all"
    ).fetchall()
    assert {rows for _, rows in groups[:-1]} == {50} and 0 < groups[-1][1] <= 50


@pytest.mark.slow  # starts processes
def test_the_file_is_the_same_for_any_number_of_workers(tmp_path):
    settings = settings_of("superfecta", deals=11)
    one = written(tmp_path, settings, "one", deals_at_once=2)
    three = written(tmp_path, settings, "three", workers=3, deals_at_once=2)
    assert one.read_bytes() == three.read_bytes()


def test_only_the_seats_asked_for_are_kept(tmp_path):
    whole = rows_of(written(tmp_path, settings_of("superfecta")), "deal, seat, step, action")
    part = rows_of(
        written(tmp_path, settings_of("superfecta", seats=(2, 0)), "part"), "deal, seat, step, action"
    )
    kept = whole["seat"] != 1
    for name in whole:
        np.testing.assert_array_equal(part[name], whole[name][kept])


def test_the_file_says_what_it_holds(tmp_path):
    path = written(tmp_path, settings_of("horse-race"))
    ((text,),) = duckdb.execute(
        f"select value from parquet_kv_metadata('{path}') where key = 'railbird'"
    ).fetchall()
    told = json.loads(text)
    assert told["format"] == "railbird-trajectories"
    assert (told["game"], told["environment"]) == ("horse-race", "railbird/HorseRace-v0")
    assert (told["seed"], told["deals"], told["recorded"]) == (SEED, DEALS, [0, 1])
    assert told["players"] == ["random", "favourite", "margin"]
    assert told["settings"]["races"] == 4 and told["settings"]["minimum"] == 10
    rows = rows_of(path, "observation, action_mask")
    assert len(rows["observation"][0]) == told["encoding"]["features"]
    assert len(rows["action_mask"][0]) == told["encoding"]["actions"]
    first, start, size = told["encoding"]["layout"][0]
    assert (start, size > 0, isinstance(first, str)) == (0, True, True)
    kinds = dict(
        duckdb.execute(f"select column_name, column_type from (describe select * from '{path}')").fetchall()
    )
    assert kinds == {
        "deal": "BIGINT", "seat": "SMALLINT", "agent": "VARCHAR", "step": "INTEGER", "observation": "FLOAT[]",
        "action": "INTEGER", "action_mask": "TINYINT[]", "reward": "DOUBLE", "terminal": "BOOLEAN",
        "profit": "BIGINT",
    }  # fmt: skip


AGENTS = """
import numpy as np

class Fails:
    def __init__(self, settings): pass
    def act(self, view, draws): raise RuntimeError("no idea")

class Flat:
    def __init__(self, settings): pass
    def act(self, view, draws): return np.zeros(40, np.int16)

class Half:
    def __init__(self, settings): pass
    def act(self, view, draws): return np.full((len(view.lane), 40), 0.5)

class Owes:
    def __init__(self, settings): pass
    def act(self, view, draws): return np.full((len(view.lane), 40), -1)

class Dear:
    def __init__(self, settings): pass
    def act(self, view, draws):
        stakes = np.zeros((len(view.lane), 40), np.int16)
        stakes[:, :2] = 1
        return stakes
"""


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("Fails", r"agent 'wrong_agents:Fails' raised RuntimeError: no idea"),
        (
            "Flat",
            r"agent 'wrong_agents:Flat' answered int16 of shape \(40,\); numbers of shape \(3, 40\) are due",
        ),
        ("Half", r"agent 'wrong_agents:Half', deal 0, seat 0: answered .*; whole numbers are due"),
        ("Owes", r"deal 0, seat 0: decided illegally: -1 chips on WIN H; a stake is never negative"),
        (
            "Dear",
            r"deal 0, seat 0: decided '\$1 WIN H; \$1 WIN D', which an environment's actions cannot write",
        ),
    ],
)
def test_an_agent_whose_decision_cannot_be_kept_is_named(agent, message, tmp_path, monkeypatch):
    (tmp_path / "wrong_agents.py").write_text(AGENTS)
    monkeypatch.syspath_prepend(tmp_path)
    rules = (("seats", 2), ("races", 2), ("bankroll", 1))
    settings = TrajectorySettings("superfecta", (f"wrong_agents:{agent}", "null"), 3, rules=rules)
    with pytest.raises(RailbirdError, match=message):
        written(tmp_path, settings)
    assert not [
        path for path in tmp_path.iterdir() if "steps" in path.name
    ]  # neither the file nor parts of it


def test_a_stake_that_is_not_on_offer_is_said_to_be_so(tmp_path):
    settings = TrajectorySettings("superfecta", ("chaser",), 2)
    told = r"agent 'chaser', deal .*: decided '\$.* WIN .', which .* \(the sizes on offer are 1\): .* offer"
    with pytest.raises(RailbirdError, match=told):
        written(tmp_path, settings)


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"deals": 0}, InvalidSettings, "deals is a whole number from 1"),
        ({"seed": -1}, InvalidSettings, "seed is a whole number from 0"),
        ({"agents": ()}, InvalidSettings, "trajectories are those of agents; name one or more"),
        ({"agents": ("random",) * 4}, InvalidSettings, "there are 4 agents for 3 seats; leave some out"),
        ({"agents": ("favorite",)}, UnknownName, "did you mean 'favourite'"),
        ({"game": "superfect"}, UnknownName, "did you mean 'superfecta'"),
        ({"seats": (3,)}, InvalidSettings, "seats with agents to record are 0, 1, 2, not 3"),
        ({"rules": (("horses", 5),)}, UnknownName, "no setting of superfecta 'horses'"),
        ({"encoding": (("stake", (1,)),)}, InvalidSettings, "encoding of superfecta are stakes, not 'stake'"),
        ({"encoding": (("stakes", (2, 1)),)}, InvalidSettings, "stakes are ascending sizes"),
        ({"reward": "luck"}, InvalidSettings, "reward is one of 'cash', 'expected', 'adjusted', not 'luck'"),
        ({"bettors": ("random",)}, InvalidSettings, "the agents of superfecta are its players; name them"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(changes, kind, message):
    given = {"game": "superfecta", "agents": ("random",), "deals": 1, "rules": (("seats", 3),)}
    with pytest.raises(kind, match=message):
        TrajectorySettings(**(given | changes))


def test_a_rule_is_not_given_as_an_option_of_the_encoding():
    with pytest.raises(InvalidSettings, match="stakes is a rule of racing-aces, which its encoding follows"):
        TrajectorySettings("racing-aces", ("random",), 1, encoding=(("stakes", (1,)),))


def test_a_file_that_exists_or_cannot_be_made_is_left_alone(tmp_path):
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(InvalidSettings, match="mine exists; remove it, or choose another file"):
        write_trajectories(settings_of("superfecta"), path)
    with pytest.raises(
        InvalidSettings, match=r"cannot write .*: No such file or directory; choose another file"
    ):
        write_trajectories(settings_of("superfecta"), tmp_path / "none" / "file")
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_clear_error_and_leaves_nothing(tmp_path, monkeypatch):
    def full(self, rows, path, more):
        raise step_file._unwritten(self.path, "No space left on device")

    monkeypatch.setattr(step_file.StepFile, "_copy", full)
    with pytest.raises(
        RailbirdError, match=r"steps.parquet: No space left on device; make room or choose another"
    ):
        written(tmp_path, settings_of("superfecta"))
    assert list(tmp_path.iterdir()) == []


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["railbird", "trajectories", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code


def test_the_command_line_writes_and_tells(tmp_path, monkeypatch, capsys):
    path, rules = tmp_path / "cli.parquet", ["--seats", 3, "--races", 4, "--seed", SEED]
    agents = ["--agents", "favourite,random,box", "--deals", DEALS]
    assert run(monkeypatch, "superfecta", *agents, *rules, "--out", path) is None
    told = capsys.readouterr().out
    rows = len(rows_of(path, "deal")["deal"])
    assert told.startswith(f"{rows} steps of 15 episodes are in {path}.")
    assert path.read_bytes() == written(tmp_path, settings_of("superfecta")).read_bytes()
    more = ["--seat", "0,2", "--encoding", "stakes=1,2", "--reward", "expected", "--json"]
    assert run(monkeypatch, "superfecta", *agents, *rules, *more, "--out", tmp_path / "more") is None
    told = json.loads(capsys.readouterr().out)
    assert (told["recorded"], told["reward"], told["encoding"]["stakes"]) == ([0, 2], "expected", [1, 2])
    assert told["episodes"] == 10 and told["rows"] == len(rows_of(tmp_path / "more", "deal")["deal"])
    few = ["--encoding", "stakes=few"]
    assert run(monkeypatch, "superfecta", *agents, *few, "--out", tmp_path / "no") == 2
    assert "stakes is whole numbers parted by commas, not 'few'" in capsys.readouterr().err
    assert run(monkeypatch, "superfecta", *agents, "--seat", "one", "--out", tmp_path / "no") == 2
    assert "seats are numbers from 0, parted by commas, not 'one'" in capsys.readouterr().err
