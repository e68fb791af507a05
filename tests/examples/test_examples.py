"""The examples do what they say, each to a score, and are written down in one place."""

import re

import pytest

BEST = 0.071857  # chips a race of the best bettor of Racing Aces; Rule: RULES.md §4


def number(pattern, text):
    """The number behind a pattern in what was printed."""
    found = re.search(pattern + r"\s*([+-]?[0-9.]+)", text)
    assert found is not None, text
    return float(found[1])


@pytest.mark.slow
def test_openspiel_solves_our_games(run_example):
    told = run_example("open_spiel_cfr.py", "--steps", "50")
    assert number(r"by lot", told) > 0.3
    assert number(r"CFR, 50 iterations:", told) < 0.02
    assert number(r"external sampling, 500 iterations:", told) < 0.15
    # With 60 chips in the pool all 24 orders cost 48, which the buyer wins back with the pool, or half of
    # both if the other buys them too; a half of the orders wins no more and may lose.
    assert number(r"24 of 24 orders:", told) > 0.99


@pytest.mark.slow
def test_torchrl_learns_to_beat_the_published_odds(run_example):
    told = run_example("torchrl_ppo.py", "--steps", "200000")
    assert 0.8 * BEST < number(r"score", told) <= BEST + 1e-3  # another deal of 4,096 games moves the mean


@pytest.mark.slow
def test_rllib_learns_to_beat_the_published_odds(run_example):
    told = run_example("rllib_ppo.py", "--steps", "36000")
    assert 0.5 * BEST < number(r"score", told) <= BEST + 5e-3  # 9,600 races of two seats
