"""The trained agents that come with the package: they load, keep the rules, and beat who has learned nothing.

What a random bettor is to bettors, a banker who asks for nothing is to bankers: fair odds.
"""

import json
from typing import Any

import pytest

from railbird.agents.learned.folder import PRETRAINED, pretrained, read_agent
from railbird.agents.registry import describe, parse_agent
from railbird.games.registry import load, names
from railbird.training.scoring import score_folder

NAMES = sorted(path.name for path in PRETRAINED.iterdir() if path.is_dir())
WEAKEST = {"bookmaker": "fair"}  # else random
DECISIONS = 10_000


def test_there_is_one_for_every_game_that_was_learned():
    assert set(NAMES) == {f"ppo-{game}" for game in names()}


@pytest.mark.parametrize("name", NAMES)
def test_folder_is_whole_small_and_says_how_it_was_made(name):
    folder = read_agent(PRETRAINED / name)
    facts = folder.facts
    assert sum(file.stat().st_size for file in folder.files) < 500_000
    assert sorted(file.name for file in (PRETRAINED / name).iterdir()) == ["agent.json", "policy.safetensors"]
    told = json.loads((PRETRAINED / name / "agent.json").read_text())["training"]
    assert told["command"].startswith(f"railbird train {facts.game} ")
    assert f"--seed {told['seed']}" in told["command"]


@pytest.mark.parametrize("name", NAMES)
def test_it_is_an_agent_by_its_name(name):
    game = read_agent(PRETRAINED / name).facts.game
    assert name in pretrained(game)
    assert name in [card.name for card in describe(game)]
    made: Any = parse_agent(name, game).make(load(game).make_settings())
    assert made.folder.path == PRETRAINED / name


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_plays_by_the_rules_and_beats_who_has_learned_nothing(name):
    game = read_agent(PRETRAINED / name).facts.game
    races = getattr(load(game).make_settings(), "races", 1)
    rival = WEAKEST.get(game, "random")
    found = score_folder(str(PRETRAINED / name), -(-DECISIONS // races), seed=77, against=[rival])
    assert found.races >= DECISIONS
    assert found.faults == 0
    low, _ = found.comparisons[0].interval
    assert low is not None
    assert low > 0
