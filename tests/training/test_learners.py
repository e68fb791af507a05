"""Settings of the algorithms: what is read, what is refused, a line of help for each."""

import inspect
from collections.abc import Sequence
from dataclasses import asdict, fields, replace

import pytest

from railbird.agents.learned.folder import MOST
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.games.registry import load
from railbird.training.fields import help_of, read_sight, read_value
from railbird.training.learners import LEARNERS, learner_settings
from railbird.training.models import class_of


@pytest.mark.parametrize("name", LEARNERS)
def test_every_setting_has_its_line_of_help(name):
    told = help_of(LEARNERS[name])
    assert list(told) == [field.name for field in fields(LEARNERS[name])]
    assert all(text.endswith(".") and len(text) > 8 for text in told.values())


def test_help_of_a_setting_that_is_set_anew_is_the_nearest():
    assert help_of(LEARNERS["recurrent-ppo"])["lstm_hidden_size"] == "Units of the memory."
    assert help_of(LEARNERS["a2c"])["n_steps"] == "Actions at each table in a rollout, 1 or more."


@pytest.mark.parametrize("name", LEARNERS)
def test_what_is_handed_on_is_what_the_constructor_takes(name):
    taken = inspect.signature(class_of(name).__init__).parameters
    settings = learner_settings(name, "superfecta", {})
    assert set(settings.handed_on) <= set(taken)
    assert "learning_rate" not in settings.handed_on


def test_texts_are_read_as_their_setting_has_them():
    given = {
        "learning_rate": "3e-4", "hidden": (32, 16), "n_steps": "8", "normalize_rewards": "off",
        "target_kl": "0.05", "activation": "relu",
    }  # fmt: skip
    found = asdict(learner_settings("ppo", "superfecta", given))
    assert (found["learning_rate"], found["hidden"], found["n_steps"]) == (3e-4, (32, 16), 8)
    assert (found["normalize_rewards"], found["target_kl"], found["activation"]) == (False, 0.05, "relu")
    assert asdict(learner_settings("ppo", "superfecta", {"target_kl": "none"}))["target_kl"] is None


def test_game_has_defaults_of_its_own_that_can_be_set():
    assert learner_settings("ppo", "racing-aces", {}).gamma == 0.9
    assert learner_settings("ppo", "save-the-bet", {}).gamma == 0.99
    assert learner_settings("ppo", "racing-aces", {"gamma": 0.5}).gamma == 0.5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"learning_rate": "fast"}, "learning_rate is a number, not 'fast'"),
        ({"learning_rate": "nan"}, "learning_rate is a number from 1e-12 to 10, not nan"),
        ({"learning_rate": 0}, "learning_rate is a number from 1e-12 to 10, not 0"),
        ({"gamma": 1.5}, "gamma is a number from 0 to 1, not 1.5"),
        ({"lanes": 0}, "lanes is a number from 1 to 65536, not 0"),
        ({"lanes": "2.5"}, "lanes is a whole number, not '2.5'"),
        ({"hidden": ()}, "hidden is 1 to 8 numbers"),
        ({"hidden": "wide"}, "hidden is whole numbers parted by commas, not 'wide'"),
        ({"activation": "gelu"}, "activation is tanh or relu, not 'gelu'"),
        ({"schedule": "cosine"}, "schedule is constant or linear, not 'cosine'"),
        ({"normalize_rewards": "maybe"}, "normalize_rewards is true or false, not 'maybe'"),
        ({"clip_range": 0}, "clip_range is a number from 1e-09 to 1, not 0"),
    ],
)
def test_values_out_of_range_are_refused(given, message):
    with pytest.raises(InvalidSettings, match=message):
        learner_settings("ppo", "superfecta", given)


def test_targets_of_q_learning_move_no_oftener_than_once_a_step():
    with pytest.raises(InvalidSettings, match="target_update_interval is at least one action a table, 64"):
        learner_settings("dqn", "superfecta", {"target_update_interval": 63})
    with pytest.raises(InvalidSettings, match="buffer_size is at least one action a table, 64"):
        learner_settings("dqn", "superfecta", {"buffer_size": 63})


@pytest.mark.parametrize(("given", "written"), [("0.05", "1/20"), ("1", "1"), ("0.3", "300000/1000000")])
def test_share_of_the_bankroll_is_written_as_agents_have_it(given, written):
    assert asdict(learner_settings("sac", "superfecta", {"most": given}))["most"] == written
    assert MOST.fullmatch(written)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"most": "0"}, "most is a share of the bankroll above 0"),
        ({"most": "2"}, "most is a number from 0 to 1"),
        ({"ent_coef": "much"}, "ent_coef is a number, not 'much'"),
        ({"ent_coef": "-1"}, "ent_coef is auto or a number from 0 to 100, not -1"),
    ],
)
def test_settings_of_shares_out_of_range_are_refused(given, message):
    with pytest.raises(InvalidSettings, match=message):
        learner_settings("sac", "superfecta", given)


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(UnknownName, match="no algorithm 'maskabel-ppo'; did you mean 'maskable-ppo'"):
        learner_settings("maskabel-ppo", "superfecta", {})
    with pytest.raises(UnknownName, match="no setting of ppo 'learning_rat'; did you mean 'learning_rate'"):
        learner_settings("ppo", "superfecta", {"learning_rat": 1})


def test_a_bool_is_no_number():
    with pytest.raises(InvalidSettings, match="lanes is a whole number, not True"):
        read_value("lanes", True, "int")


def sighted(settings, stakes: "Sequence[int] | None" = None, *, chances: "bool" = False):
    """An encoding with an option of each kind."""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ({"chances": "true"}, {"chances": True}),
        ({"chances": True}, {"chances": True}),
        ({"chances": 0}, {"chances": False}),
        ({"stakes": 5}, {"stakes": (5,)}),
        ({"stakes": [1, 20]}, {"stakes": (1, 20)}),
        ({"stakes": None}, {"stakes": None}),
        ({"seats": 3, "stakes": (1,), "colour": "red"}, {"seats": 3, "stakes": (1,), "colour": "red"}),
    ],
)
def test_options_of_an_encoding_are_of_the_kind_it_takes(written, read):
    spec = replace(load("superfecta"), encoding=sighted, encoding_options=("stakes", "chances"))
    assert read_sight(spec, written) == read


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"chances": "maybe"}, "chances is true or false, not 'maybe'"),
        ({"chances": (1, 5)}, r"chances is true or false, not \(1, 5\)"),
        ({"stakes": "few"}, "stakes is whole numbers parted by commas, not 'few'"),
        ({"stakes": 1.5}, "stakes is whole numbers parted by commas, not 1.5"),
    ],
)
def test_options_of_an_encoding_of_another_kind_are_refused(written, message):
    spec = replace(load("superfecta"), encoding=sighted, encoding_options=("stakes", "chances"))
    with pytest.raises(InvalidSettings, match=message):
        read_sight(spec, written)


GAMES = ("superfecta", "horse-race", "scarne-horse-race", "bookmaker", "racing-aces", "pasteboard-derby",
         "save-the-bet")  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_every_option_of_an_encoding_has_a_kind_that_can_be_read(game):
    spec = load(game)
    taken = inspect.signature(spec.encoding).parameters
    assert read_sight(spec, {name: taken[name].default for name in spec.encoding_options}) == {
        name: taken[name].default for name in spec.encoding_options
    }
