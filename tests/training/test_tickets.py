"""A policy that learned with whole tickets or quotes plays the same decisions part by part."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch

from railbird.agents.learned.policy import agent_class
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load
from railbird.games.streams import Draws, extend, root_key
from railbird.training.export import export
from railbird.training.models import make_model
from railbird.training.run_settings import make_run
from railbird.training.tables import CLIP, TrainingTables
from railbird.training.tickets import by_parts, hidden_units

pytestmark = pytest.mark.slow

LANES = 64


def sure_model(run, tables):
    """A fresh model that is far from indifferent."""
    model: Any = make_model(run.learner, tables.venv, 1)
    with torch.no_grad():
        for place, parameter in enumerate(model.policy.action_net.parameters()):
            chance = np.random.default_rng(place).normal(0, 0.5, tuple(parameter.shape))
            parameter.copy_(torch.from_numpy(chance))
    return model


def moments(seed, lanes):
    """Draws for each lane."""
    return Draws(extend(np.full(lanes, root_key(seed)), np.arange(lanes)))


@pytest.mark.parametrize(
    ("game", "algo", "settings"),
    [
        ("superfecta", "ppo", {}),
        ("superfecta", "maskable-ppo", {"action": "ticket"}),
        ("superfecta", "ppo", {"split": "pro_rata", "stakes": (1, 5)}),
        ("horse-race", "maskable-ppo", {"banker": "even-money"}),
        ("bookmaker", "maskable-ppo", {}),
    ],
)
def test_agent_writes_part_by_part_what_the_model_decides_at_once(tmp_path, game, algo, settings):
    banker = settings.pop("banker", "")
    small = {"lanes": LANES, "n_steps": 2, "batch_size": 64, "hidden": (16, 16)}
    run = make_run(
        game, algo, seed=3, opponents="default", banker=banker, settings={**settings, **small}
    )  # one line-up, so one table of all lanes
    assert run.whole
    tables = TrainingTables(run)
    model = sure_model(run, tables)
    tables.venv.seed(5)
    seen = tables.venv.reset()
    for _ in range(3):  # so that the normalisation has something to go by
        masks = {"action_masks": tables.seats.action_masks()} if algo == "maskable-ppo" else {}
        actions, _ = model.predict(seen, deterministic=True, **masks)
        seen, *_ = tables.venv.step(actions)
    tables.normalizer.training = False
    view = tables.seats.table._view
    seen = tables.normalizer.normalize_obs(tables.seats.table.observe())
    masks = {"action_masks": tables.seats.action_masks()} if algo == "maskable-ppo" else {}
    actions, _ = model.predict(seen, deterministic=True, **masks)
    encoding = run.options().encoding
    draft = encoding.begin(view)
    encoding.whole(draft, tables.seats.table.actions.read(actions, LANES), np.ones(LANES, bool))
    wanted = encoding.decision(draft)

    folder = export(run, model, tables.statistics["obs"], tmp_path / "agent")
    player = agent_class(folder, game)(load(game).make_settings(**run.rules))
    player.begin(np.ones(LANES, bool))
    played = player.act(view, moments(1, LANES))

    with pytest.raises(InvalidSettings, match="its policy learned whole tickets, not chances of wagers"):
        agent_class(folder, game)(load(game).make_settings(**run.rules), sample=True)
    paid = np.ones(LANES, bool) if game == "bookmaker" else wanted.sum(1) <= view.bankroll
    assert paid.sum() > 8
    np.testing.assert_array_equal(played[paid], wanted[paid])
    assert len(np.unique(wanted, axis=0)) > 1


def test_where_the_chips_run_out_the_surest_wagers_stay():
    # one layer, two lines of the four: H by 3, D by 2, C by -1; S by 1
    encoding = load("horse-race").encoding(load("horse-race").make_settings(), stakes=(1,))
    choices = np.zeros((8, encoding.features), np.float32)
    bias = np.array([0, 3, 0, 2, 1, 0, 0, 1], np.float32)  # none and 10 chips, on each suit
    found = by_parts({"layers.0.weight": choices, "layers.0.bias": bias}, encoding)
    assert found["layers.0.bias"].tolist() == [0, 3, 2, -1, 1]  # hand in, then the suits


def test_prices_of_the_next_suit_alone_stand_above_the_others():
    encoding = load("bookmaker").encoding(load("bookmaker").make_settings())
    units, prices = 3, 33
    drawn = np.random.default_rng(4)
    sizes = (encoding.features, units, 4 * prices)
    tensors = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        tensors[f"layers.{number}.weight"] = drawn.normal(0, 1, (outputs, inputs)).astype(np.float32)
        tensors[f"layers.{number}.bias"] = drawn.normal(0, 1, outputs).astype(np.float32)
    tensors["observation.variance"] = np.zeros(encoding.features)
    found = by_parts(tensors, encoding)
    assert hidden_units(found) == (units + 4, 4 * prices)
    features = np.zeros(encoding.features, np.float32)
    draft = encoding.layout["draft"]
    rest = [place for place in range(encoding.features) if not draft.start <= place < draft.stop]
    features[rest] = drawn.normal(0, 1, len(rest))
    features[encoding.layout["spent"]] = 0
    inner = np.maximum(tensors["layers.0.weight"] @ features + tensors["layers.0.bias"], 0)
    scores = (tensors["layers.1.weight"] @ inner + tensors["layers.1.bias"]).reshape(4, prices)
    for suit in range(4):
        features[draft] = [CLIP * (place < suit) for place in range(4)]
        values = features
        for number in range(3):
            values = found[f"layers.{number}.weight"] @ values + found[f"layers.{number}.bias"]
            values = values if number == 2 else np.maximum(values, 0)
        np.testing.assert_allclose(values[1:] - 200, scores[suit], atol=2e-3)
