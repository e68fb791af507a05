"""What every game gets by being registered: agents that are listed and fit, a tournament, an environment."""

import pytest

from railbird.agents.check import check_agent
from railbird.agents.registry import describe, zoo
from railbird.envs.variants import VARIANTS
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.registry import load, names

PAIRS = [(game, agent) for game in names() if game != "scarne-horse-race" for agent in zoo(game)]
QUICK = {"tree": "tree:simulations=20"}  # the search may be slow; its decisions are what is looked at here


@pytest.mark.parametrize("game", names())
def test_every_agent_is_listed_with_its_idea_and_source(game):
    cards = describe(game)
    trained = [f"ppo-{game}"] if game not in ("scarne-horse-race", "save-the-bet") else []
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


def test_every_game_has_an_environment():
    assert {variant.game for variant in VARIANTS} == set(names())
