"""What trained agents are measured against: agents there are, the best heuristic among them."""

from __future__ import annotations

import pytest

from railbird.agents.learned.folder import PRETRAINED, pretrained, read_agent
from railbird.agents.registry import parse_agent, zoo
from railbird.benchmarks.achievements import INFORMED, TRIALS, _won
from railbird.games.registry import load
from railbird.training.run_settings import make_run

HORSE_RACES = ("horse-race", "scarne-horse-race")
AMONG_ALL = (*HORSE_RACES, "pasteboard-derby")


@pytest.mark.parametrize("game", TRIALS)
def test_everybody_a_trial_names_plays_the_game(game: str) -> None:
    trial = TRIALS[game]
    rules = load(game).make_settings()
    for name in trial.against:
        if name != INFORMED:
            parse_agent(name, game).make(rules)
    for name, _ in trial.duels:
        parse_agent(name, game).make(rules)
    assert make_run(game, opponents=trial.opponents).options()


@pytest.mark.parametrize("game", HORSE_RACES)
def test_bettors_at_a_house_with_a_margin_are_measured_by_those_who_never_bet(game: str) -> None:
    # a margin of 10 % leaves no bet of positive expectation: 0 is the most there is to earn
    assert {"null", "value", "kelly"} <= set(TRIALS[game].against)


@pytest.mark.parametrize("game", AMONG_ALL)
def test_bettors_learn_among_rivals_that_change_places(game: str) -> None:
    # who always sits in one place teaches what that place does: that its bankroll never moves, say
    assert not TRIALS[game].opponents  # so that the recipe says it, once
    line_ups = make_run(game).line_ups
    assert all(len({line_up[place] for line_up in line_ups}) > 4 for place in range(5))
    assert read_agent(pretrained(game)[f"ppo-{game}"]).facts.training["line_ups"] == [
        list(line_up) for line_up in line_ups
    ]


def test_every_trained_agent_has_a_trial() -> None:
    shipped = {path.name.removeprefix("ppo-") for path in PRETRAINED.iterdir() if path.is_dir()}
    assert shipped <= set(TRIALS)


def test_save_the_bet_is_tried_against_every_heuristic() -> None:
    met = {name.partition(":")[0] for name, _ in TRIALS["save-the-bet"].duels}
    assert met == set(zoo("save-the-bet"))


def test_profit_is_told_as_a_share_of_games_won() -> None:
    # +1, 0 and -1 a game: 6 won, 2 drawn, 2 lost of ten are a profit of 0.4 and 7 games won, draws as halves
    assert _won(0.4, (0.2, 0.6)) == (0.7, 0.6, 0.8)
    assert _won(-1.0, (-1.0, -1.0)) == (0.0, 0.0, 0.0)
