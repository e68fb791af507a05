"""From a model to an agent folder: what never moved in training has no say in what the agent does."""

from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from railbird.agents.learned.folder import WEIGHTS, read_agent
from railbird.training.export import export
from railbird.training.models import make_model
from railbird.training.tables import EPSILON, TrainingTables

pytestmark = pytest.mark.slow

STILL = [1, 4]  # features that never moved


@pytest.fixture
def exported(small_run, tmp_path):
    """Exports a fresh model two of whose features never moved, and gives the agent folder."""

    def made(game, algo, **settings):
        run = small_run(game, algo, settings=settings)
        tables = TrainingTables(run)
        seen: Any = tables.statistics["obs"]
        seen.mean, seen.var = np.full(seen.mean.shape, 0.5), np.full(seen.var.shape, 0.25)
        seen.var[STILL] = (
            0.0,
            EPSILON / 2,
        )  # to the second the first guess of the running variance still clings
        model = make_model(run.learner, tables.venv, 1)
        return export(run, model, seen, tmp_path / "agent")

    return made


@pytest.mark.parametrize(
    ("game", "algo"),
    [("racing-aces", "maskable-ppo"), ("racing-aces", "recurrent-ppo"), ("bookmaker", "dqn")],
)
def test_a_feature_that_never_moved_has_no_say(exported, game, algo):
    folder = read_agent(exported(game, algo))
    network: Any = folder.network
    width = len(network.normalisation.mean)
    usual = np.full((width, width), 0.5, np.float32)
    moved = usual + np.eye(width, dtype=np.float32)  # in each row another feature
    scores = []
    for features in (usual, moved):
        memory = np.zeros((2, width, folder.facts.memory), np.float32)  # which a network goes on from
        scores.append(network.scores(features, tuple(memory) if folder.facts.memory else None))
    assert np.flatnonzero((scores[0] == scores[1]).all(1)).tolist() == STILL


def test_a_feature_that_never_moved_has_no_say_in_a_whole_ticket(exported):
    folder = exported("superfecta", "ppo", action="ticket")
    weights = load_file(folder / WEIGHTS)["layers.0.weight"]
    assert not weights[:, STILL].any()
    assert weights[:, 0].all() and weights[:, 2].all()


def test_a_model_that_normalises_nothing_keeps_all_its_weights(small_run, tmp_path):
    run = small_run(settings={"normalize_observations": False})
    model = make_model(run.learner, TrainingTables(run).venv, 1)
    weights = load_file(export(run, model, None, tmp_path / "agent") / WEIGHTS)["layers.0.weight"]
    assert weights.all()
