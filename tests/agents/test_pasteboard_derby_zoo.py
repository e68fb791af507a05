"""What holds for every agent of Pasteboard Derby: legal, deterministic, alone in its lane, described."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.agents.check import check_agent
from railbird.agents.registry import describe, parse_agent, zoo
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby

GAME = "pasteboard-derby"
NAMES = zoo(GAME)
rules_of_any_kind = st.builds(
    PasteboardDerbySettings,
    seats=st.integers(3, 12),
    races=st.integers(1, 5),
    bankroll=st.sampled_from([3, 4, 8, 100, 2**40]),
    ante=st.integers(1, 3),
    advance=st.sampled_from(["affinity", "pips"]),
    places=st.integers(1, 2),
)


def make(names, rules, lanes):
    players = [parse_agent(name, GAME).make(rules) for name in names]
    for player in players:
        player.begin(np.ones(lanes, bool))
    return players


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(rules=rules_of_any_kind, seed=st.integers(0, 2**32), company=st.sampled_from(NAMES))
def test_every_horse_named_is_legal_and_none_where_the_ante_cannot_be_paid(name, rules, seed, company):
    game = PasteboardDerby(rules, seed, 4)
    game.start()
    players = make([name, *[company, "random", name] * 4][: rules.seats], rules, 4)
    while not game.over.all():
        decisions = game.blank()
        for seat, player in enumerate(players):
            chosen = player.act(game.view(seat), game.draws(seat))
            assert chosen.shape == (4, 1)
            assert np.array_equal(chosen[:, 0] != 0, game.to_act[:, seat])
            decisions[:, seat] = chosen
        game.submit(decisions)  # raises IllegalDecision if a horse is unknown


@pytest.mark.parametrize("places", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_every_agent_is_fit_to_play(name, places):
    report = check_agent(name, GAME, places=places, races=5)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", NAMES)
def test_who_comes_late_knows_what_those_who_were_there_know(name):
    rules = PasteboardDerbySettings(races=9)
    game = PasteboardDerby(rules, seed=3, lanes=16)
    game.start()
    there, drawing = make([name, "random"], rules, 16)
    for _ in range(3):
        there.act(game.view(1), game.draws(1))
        game.submit(np.stack([drawing.act(game.view(seat), game.draws(seat)) for seat in range(6)], axis=1))
    (late,) = make([name], rules, 16)
    named = late.act(game.view(1), game.draws(1))
    assert np.array_equal(named, there.act(game.view(1), game.draws(1)))


def profit_beside_loyal_players(name):
    """Expected chips a race of one agent among five loyal ones, mean and standard error of 300 tables."""
    rules = PasteboardDerbySettings()
    game = PasteboardDerby(rules, seed=9, lanes=300)
    game.start()
    players = make([name, *["loyal"] * 5], rules, 300)
    total = np.zeros(300)
    while not game.over.all():
        decisions = [player.act(game.view(seat), game.draws(seat)) for seat, player in enumerate(players)]
        game.submit(np.stack(decisions, axis=1))
        total += game.expected_profit()[:, 0]
    return total.mean() / rules.races, total.std() / rules.races / np.sqrt(300)


def test_avoider_beats_drawing_at_predictable_tables():
    avoider, error = profit_beside_loyal_players("avoider")
    drawn, other_error = profit_beside_loyal_players("random")
    assert avoider - drawn > 5 * np.hypot(error, other_error)
    assert avoider > 0.5  # of an ante of 2: it has a horse alone, or with one, nearly always


@pytest.mark.parametrize("card", describe(GAME), ids=lambda card: card.name)
def test_every_agent_is_described(card):
    assert card.idea.endswith(".") and card.idea.count(". ") == 0  # one sentence
    assert card.source
    for option in card.options:
        assert option.meaning.endswith(".") and option.default is not None


def test_the_zoo_has_what_is_promised():
    assert NAMES == [
        "random", "loyal", "crowd", "contrarian", "level-1", "level-2", "equilibrium", "avoider",
    ]  # fmt: skip
