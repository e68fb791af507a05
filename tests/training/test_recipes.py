"""Recipes: where they hold, and that what they ask can be learned."""

from typing import Any

import pytest

from railbird.games.errors import InvalidSettings
from railbird.training.learners import LEARNERS, learner_settings
from railbird.training.opponents import line_ups
from railbird.training.recipes import RECIPES, TICKET
from railbird.training.run_settings import STEPS, make_run


@pytest.mark.parametrize("game", RECIPES)
def test_a_game_is_learned_by_its_recipe_where_nothing_else_is_said(game):
    recipe = RECIPES[game]
    run = make_run(game)
    assert (run.learner.algorithm, run.steps) == (recipe.algorithm, recipe.steps)
    assert {name: getattr(run.learner, name) for name in recipe.settings} == recipe.settings
    assert run.whole == (recipe.action == TICKET)
    assert run.opponents == run.to_dict()["opponents"] == recipe.opponents


def test_another_algorithm_has_its_plain_defaults():
    run = make_run("superfecta", "maskable-ppo")
    assert (run.learner.gamma, run.whole, run.steps) == (0.99, False, STEPS)


def test_wager_by_wager_has_the_plain_defaults():
    run = make_run("superfecta", "ppo", settings={"action": "wager"})
    assert (run.learner.gamma, run.whole) == (0.99, False)


def test_what_is_set_comes_before_the_recipe():
    run = make_run("superfecta", steps=10, settings={"gamma": 0.5})
    assert (run.learner.gamma, run.learner.lanes, run.steps) == (0.5, 2_048, 10)


AMONG_ALL = ("horse-race", "scarne-horse-race", "pasteboard-derby")


@pytest.mark.parametrize("game", AMONG_ALL)
def test_where_one_line_up_teaches_too_little_the_recipe_is_to_learn_among_the_zoo(game):
    run = make_run(game)
    assert run.opponents == "zoo"
    assert run.line_ups == line_ups(run.variant, run.make_rules(), "zoo")
    # nine or eight agents in line-ups of five: until all have sat equally often, eight line-ups at most
    assert len(run.line_ups) == 8
    assert make_run(game, opponents="").opponents == "zoo"


@pytest.mark.parametrize("game", AMONG_ALL)
def test_opponents_that_are_named_come_before_the_recipe(game):
    run = make_run(game, opponents="default")
    assert run.opponents == run.to_dict()["opponents"] == "default"
    assert run.line_ups == (tuple(run.variant.opponents),)
    assert make_run(game, opponents="random").line_ups == (("random",) * 5,)


@pytest.mark.parametrize(
    "asked",
    [
        {"algo": "a2c"},  # the recipe is another algorithm's
        {"self_play": True},  # only the score at the end is made against them
        {"settings": {"bank": "rotate"}},  # and for seats that only bet
    ],
)
def test_where_the_recipe_does_not_hold_the_opponents_are_those_of_the_environment(asked):
    assert make_run("horse-race", **asked).opponents == "default"


def test_self_play_is_scored_among_the_opponents_of_the_environment():
    assert make_run("pasteboard-derby", self_play=True).opponents == "default"
    assert make_run("pasteboard-derby", self_play=True, opponents="zoo").opponents == "zoo"


def test_seats_that_bet_and_quote_learn_wager_by_wager():
    run = make_run("horse-race", settings={"bank": "rotate"})
    assert (run.whole, run.learner.gamma) == (False, 0.99)
    with pytest.raises(InvalidSettings, match="seats that both bet and quote learn wager by wager"):
        make_run("horse-race", settings={"bank": "rotate", "action": "ticket"})


@pytest.mark.parametrize("algo", ["dqn", "recurrent-ppo", "sac"])
def test_whole_tickets_are_for_policies_without_memory(algo):
    with pytest.raises(InvalidSettings, match=f"{algo} does not learn whole tickets"):
        make_run("superfecta", algo, settings={"action": "ticket"})


@pytest.mark.parametrize("setting", [{"activation": "tanh"}, {"normalize_observations": False}])
def test_whole_quotes_take_rectified_units_and_normalised_observations(setting):
    with pytest.raises(InvalidSettings, match="whole quotes are learned with activation=relu"):
        make_run("bookmaker", settings=setting)


def test_weight_of_the_entropy_goes_evenly_to_its_end():
    learner: Any = learner_settings("ppo", "", {"ent_coef": 0.5, "ent_coef_end": 0.1})
    steady: Any = learner_settings("ppo", "", {"ent_coef": 0.5})
    # 0.5 - 0.4 · share
    assert [learner.entropy_at(share) for share in (0, 0.25, 1, 1.2)] == pytest.approx([0.5, 0.4, 0.1, 0.1])
    assert steady.entropy_at(0.7) == 0.5
    with pytest.raises(InvalidSettings, match="ent_coef_end is a number from 0 to 100, not -1"):
        learner_settings("ppo", "", {"ent_coef_end": -1})


@pytest.mark.slow
def test_training_lowers_the_weight_of_the_entropy(small_run, tmp_path):
    from railbird.training.train import Session

    session = Session(small_run(steps=512, settings={"ent_coef": 0.8, "ent_coef_end": 0.0}), tmp_path, None)
    session.learn()
    session.journal.close()
    # 16 lanes of 8 actions an update: the last of four begins at step 384, 0.8 · (1 - 384 / 512)
    model: Any = session.model
    assert model.ent_coef == pytest.approx(0.2)


def test_every_recipe_is_for_an_algorithm_there_is():
    assert {recipe.algorithm for recipe in RECIPES.values()} <= set(LEARNERS)
