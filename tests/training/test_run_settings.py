"""Runs as the command line and TOML files name them, and the rivals they mean."""

import json

import pytest

from railbird.envs.variants import variant_of
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.games.registry import load
from railbird.training.opponents import line_ups
from railbird.training.run_settings import make_run, read_config


def test_settings_go_where_they_belong():
    run = make_run(
        "superfecta", "ppo", settings={"seats": 3, "stakes": 2, "gamma": "0.5", "seat": 1, "reward": "cash"}
    )
    assert run.rules == {"seats": 3}
    assert run.door == {"reward": "cash", "seat": 1, "stakes": (2,), "action": "ticket"}
    assert run.learner.gamma == 0.5
    assert run.options().encoding.stakes == (2,)


def test_players_train_in_every_seat_for_the_expected_reward_and_the_house_in_its_own():
    assert make_run("save-the-bet", "ppo").door == {"reward": "expected", "seat": "rotate"}
    assert make_run("superfecta").door == {"reward": "expected", "seat": "rotate", "action": "ticket"}
    assert make_run("bookmaker").door == {"reward": "expected", "action": "ticket"}


def test_save_the_bet_is_learned_by_counting_without_luck_and_from_thrifty():
    run = make_run("save-the-bet", self_play=True)
    assert run.door == {"reward": "adjusted", "chances": True, "seat": "rotate"}
    assert run.teacher is not None
    assert run.teacher.text == "thrifty"
    assert run.options().encoding.chances
    mine = make_run("save-the-bet", self_play=True, settings={"chances": False, "imitate": ""})
    assert mine.door == {"reward": "adjusted", "chances": False, "seat": "rotate"}
    assert mine.teacher is None


def test_checkpoints_are_a_twentieth_of_the_steps_apart():
    assert make_run("superfecta", steps=1_000).checkpoint_every == 50
    assert make_run("superfecta", steps=1_000, checkpoint_every=7).checkpoint_every == 7
    assert make_run("superfecta", steps=3).checkpoint_every == 1


def test_a_run_is_written_down_whole():
    written = json.loads(json.dumps(make_run("superfecta", steps=10, settings={"seats": 3}).to_dict()))
    assert written["game"] == "superfecta"
    assert written["algo"] == "ppo"
    assert written["rules"] == {"seats": 3}
    assert written["learner"]["hidden"] == [128, 128]


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"game": "superfact"}, UnknownName, "did you mean 'superfecta'"),
        ({"game": "superfecta", "algo": "pp"}, UnknownName, "did you mean 'ppo'"),
        ({"game": "superfecta", "settings": {"racs": 3}}, UnknownName, "did you mean 'races'"),
        ({"game": "bookmaker", "settings": {"seat": 3}}, UnknownName, "no setting of maskable-ppo or b"),
        ({"game": "superfecta", "steps": 0}, InvalidSettings, "steps is a whole number from 1"),
        ({"game": "superfecta", "seed": 2**32}, InvalidSettings, "seed is a whole number from 0"),
        ({"game": "superfecta", "opponents": "favorite"}, UnknownName, "did you mean 'favourite'"),
        ({"game": "superfecta", "settings": {"seats": 99}}, InvalidSettings, "seats is a whole number"),
        ({"game": "superfecta", "settings": {"reward": "fun"}}, InvalidSettings, "reward is one of 'cash'"),
        ({"game": "superfecta", "settings": {"stakes": "few"}}, InvalidSettings, "stakes is whole numbers"),
        ({"game": "superfecta", "banker": "margin"}, UnknownName, "setting of railbird/Superf.* 'banker'"),
    ],
)  # fmt: skip
def test_what_does_not_exist_is_refused_before_anything_is_trained(asked, error, message):
    with pytest.raises(error, match=message):
        make_run(**asked)


def test_config_names_what_the_command_line_names(tmp_path):
    file = tmp_path / "run.toml"
    file.write_text(
        'game = "racing-aces"\nalgo = "dqn"\nsteps = 5_000\n[settings]\nlearning_rate = 3e-4\nraces = 4\n'
    )
    run = make_run(**read_config(file))
    assert (run.game, run.learner.algorithm, run.steps) == ("racing-aces", "dqn", 5_000)
    assert (run.learner.learning_rate, run.rules) == (3e-4, {"races": 4})


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("game = ", InvalidSettings, "is no TOML"),
        ("gmae = 'x'", UnknownName, "did you mean 'game'"),
        ("steps = '5'", InvalidSettings, "steps is a int, not str '5'"),
        ("steps = true", InvalidSettings, "steps is a int, not bool True"),
        ("settings = 3", InvalidSettings, "settings is a dict, not int 3"),
    ],
)
def test_config_that_cannot_be_read_is_refused(tmp_path, content, error, message):
    file = tmp_path / "run.toml"
    file.write_text(content)
    with pytest.raises(error, match=message):
        read_config(file)


def test_config_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidSettings, match=r"none\.toml cannot be read: No such file"):
        read_config(tmp_path / "none.toml")


def named(game, opponents, **rules):
    return line_ups(variant_of(game), load(game).make_settings(**rules), opponents)


def test_default_rivals_are_those_of_the_environment():
    assert named("superfecta", "default") == (("favourite", "longshot", "box", "wheel", "random"),)
    assert named("superfecta", "default", seats=3) == (("favourite", "longshot"),)
    # nine players: eight rivals, the five repeated in turn
    assert named("superfecta", "default", seats=9)[0][5:] == ("favourite", "longshot", "box")


def test_named_rivals_are_repeated_to_fill_the_table():
    assert named("superfecta", "box,kelly:fraction=0.5", seats=4) == (("box", "kelly:fraction=0.5", "box"),)


def test_zoo_sits_in_several_line_ups_so_that_everybody_has_a_turn():
    found = named("racing-aces", "zoo", seats=5)
    # eight agents at four seats: two line-ups and all have sat once
    assert found == (("null", "random", "favourite", "optimal"), ("cover", "kelly", "biased", "chaser"))
    everybody = {name for line_up in named("superfecta", "zoo") for name in line_up}
    assert {"null", "kelly", "equilibrium", "random"} <= everybody
    assert len(named("superfecta", "zoo")) == 8  # eighteen agents, five at a time: eighteen, of which eight


def test_alone_at_the_table_there_are_no_rivals():
    assert named("racing-aces", "zoo") == ((),)


def test_bettors_of_the_house_sit_in_all_seats():
    assert len(named("bookmaker", "default")[0]) == 6
