"""What every game gets by being registered: agents that are listed and fit, a tournament, an environment."""

from typing import Any

import pytest

from railbird.agents.check import check_agent
from railbird.agents.learned.folder import PRETRAINED
from railbird.agents.registry import describe, zoo
from railbird.agents.seating import usual_agents
from railbird.envs.variants import VARIANTS
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.evaluation.wording import again
from railbird.games.registry import load, names

TRAINED = [game for game in names() if (PRETRAINED / f"ppo-{game}").is_dir()]
PAIRS = [(game, agent) for game in names() if game != "scarne-horse-race" for agent in zoo(game)]
QUICK = {"tree": "tree:simulations=20"}  # the search may be slow; its decisions are what is looked at here


@pytest.mark.parametrize("game", names())
def test_every_agent_is_listed_with_its_idea_and_source(game):
    cards = describe(game)
    trained = [f"ppo-{game}"] if game in TRAINED else []
    assert [card.name for card in cards] == [*zoo(game), *trained]
    for card in cards:
        assert card.idea.endswith(".")
        assert card.source
        assert all(option.meaning for option in card.options)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "agent"), PAIRS)
def test_every_agent_of_every_zoo_is_fit_to_play(game, agent):
    report = check_agent(QUICK.get(agent, agent), game)
    wrong = [finding for finding in report.findings if not finding.ok]
    assert [finding.item for finding in wrong] == (["fast"] if agent == "tree" and wrong else []), str(report)


@pytest.mark.parametrize("game", names())
def test_a_tournament_of_every_game_ends_without_faults(game):
    agents = [QUICK.get(name, name) for name in zoo(game)][:4]
    result = run(TournamentSettings.of(game, agents, deals=2, seed=3))
    assert len(result.leaderboard) >= len(agents)
    assert sum(standing.faults for standing in result.leaderboard) == 0
    assert not result.faults
    assert load(game).title


@pytest.mark.parametrize("game", TRAINED)
def test_a_tournament_for_which_nobody_is_named_seats_the_trained_agent_behind_the_zoo(game):
    races = hasattr(load(game).make_settings(), "races")
    short: dict[str, Any] = {"races": 2} if races else {"max_turns": 2}
    settings = TournamentSettings.of(game, deals=1, substitutes=0, **short)
    assert [agent.text for agent in settings.agents] == [*zoo(game), f"ppo-{game}"]
    result = run(settings)
    standing = next(one for one in result.leaderboard if one.agent == f"ppo-{game}")
    assert standing.races > 0
    assert standing.faults == 0
    assert "--agents" not in again(result)


def test_there_is_a_trained_agent_for_most_games():
    assert set(names()) - set(TRAINED) <= {"save-the-bet"}


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("superfecta", {"seats": 4}),  # other features: bankrolls of six
        ("superfecta", {"split": "pro_rata", "rate": "1/10"}),  # other actions: stakes of several sizes
        ("horse-race", {"bank": "rotate"}),  # it never learned to quote
    ],
)
def test_a_trained_agent_that_cannot_play_these_rules_stays_away(game, rules):
    assert usual_agents(game, load(game).make_settings(**rules)) == zoo(game)
    assert f"ppo-{game}" in usual_agents(game, load(game).make_settings())


def test_every_game_has_an_environment():
    assert {variant.game for variant in VARIANTS} == set(names())
