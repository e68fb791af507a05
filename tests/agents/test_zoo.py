"""What holds for every agent of the zoo: legal, affordable, deterministic, alone in its lane, described."""

import time
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agents.check import check_agent
from railbird.agents.registry import describe, parse_agent, zoo
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta

NAMES = zoo("superfecta")

equal = st.builds(
    SuperfectaSettings,
    seats=st.integers(2, 7),
    races=st.integers(1, 4),
    bankroll=st.sampled_from([0, 1, 4, 30, 2**24 + 1, 2**40]),
    minimum_bets=st.sampled_from([(1, 1, 1), (2, 3, 5), (5, 1, 2)]),
    max_wager=st.sampled_from([5, 7, 32_767]),
)
pro_rata = st.builds(
    SuperfectaSettings,
    seats=st.integers(2, 7),
    races=st.integers(1, 4),
    bankroll=st.sampled_from([0, 1, 99, 450, 10_000, 2**40]),
    minimum_bets=st.sampled_from([(1, 1, 1), (2, 3, 5), (100, 100, 100)]),
    max_wager=st.sampled_from([100, 1_001, 32_767]),
    split=st.just("pro_rata"),
    rate=st.sampled_from([0, 0.15, 1]),
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(rules=equal | pro_rata, seed=st.integers(0, 2**32), company=st.sampled_from(NAMES))
def test_every_ticket_is_legal_and_paid_for(name, rules, seed, company):
    game = Superfecta(rules, seed, 4)
    game.start()
    seats = [name, *([company, "random:probability=0.5", name] * 4)][: rules.seats]
    players = [parse_agent(text, "superfecta").make(rules) for text in seats]
    for player in players:
        player.begin(np.ones(4, bool))
    while not game.over.all():
        decisions = game.blank()
        for seat, player in enumerate(players):
            tickets = player.act(game.view(seat), game.draws(seat))
            assert tickets.shape == (4, 40)
            assert (tickets.sum(1, np.int64) <= game.state.bankrolls[:, seat]).all()
            decisions[:, seat] = tickets
        game.submit(decisions)  # raises IllegalDecision if a ticket breaks a rule
    assert game.state.refused.sum() == 0


@pytest.mark.parametrize("split", ["equal", "pro_rata"])
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_is_fit_to_play(name, split, monkeypatch):
    # by processor time: what else runs on the machine is no fault of the agent's
    monkeypatch.setattr("railbird.agents.check.time", SimpleNamespace(perf_counter=time.process_time))
    report = check_agent(name, "superfecta", split=split, races=5)
    assert report.ok, str(report)


@pytest.mark.parametrize("card", describe("superfecta"), ids=lambda card: card.name)
def test_every_agent_is_described(card):
    assert card.idea.endswith(".") and card.idea.count(". ") == 0  # one sentence
    assert card.source
    for option in card.options:
        assert option.meaning.endswith(".") and option.default is not None


def test_the_zoo_has_what_is_promised():
    assert NAMES == [
        "null", "random", "favourite", "longshot", "win-cover", "straight", "box", "wheel", "carryover",
        "dutch", "value", "level-1", "level-2", "equilibrium", "follower", "chaser", "isaacs", "kelly",
    ]  # fmt: skip
