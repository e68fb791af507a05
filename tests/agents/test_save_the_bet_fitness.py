"""What holds for every Save The Bet player: fit to play, and blind to what its seat does not know."""

import random

import numpy as np
import pytest

from railbird.agents.check import check_agent
from railbird.agents.registry import describe, parse_agent, zoo
from railbird.games.save_the_bet.odds import unknown_cards
from railbird.games.save_the_bet.sets import cards_in, set_of
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

NAMES = [name if name != "tree" else "tree:simulations=20" for name in zoo("save-the-bet")]
SMALL = {"suits": 2, "ranks": 4, "hand_size": 2, "target": 4, "max_turns": 12}
TINY = {"suits": 1, "ranks": 4, "hand_size": 1, "target": 2, "max_turns": 4}
HARD = {"wins_by": "value", "draw_returns": "swap", "max_turns": 12}


@pytest.mark.parametrize("name", NAMES)
def test_every_player_keeps_the_contract(name):
    report = check_agent(name, "save-the-bet", max_turns=12)
    # how fast it is hangs on what else the machine does; `railbird bench` measures that
    assert all(finding.ok for finding in report.findings if finding.item != "fast"), str(report)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rules", [SMALL, TINY, HARD])
def test_every_player_plays_small_decks_and_other_rules(name, rules):
    settings = SaveTheBetSettings(**rules)
    game = SaveTheBet(settings, seed=8, lanes=12)
    game.start()
    players = [parse_agent(text, "save-the-bet").make(settings) for text in (name, "random")]
    while not game.over.all():
        decisions = game.blank()
        for seat, player in enumerate(players):
            decisions[:, seat] = player.act(game.view(seat), game.draws(seat))
        game.submit(decisions, ~game.over)  # raises IllegalDecision if a decision breaks a rule
        game.check()


def shuffle_hidden(game, rng):
    """Deals anew what seat 0 does not know: the other's hidden cards and the unknown part of the stack."""
    state = game.state
    unknown = unknown_cards(game.settings, game.view(0))
    for lane in range(game.lanes):
        hidden = cards_in(state.hands[lane, 1] & ~state.public[lane, 1])
        drawn = set_of(rng.sample(cards_in(unknown[lane]), len(hidden)))
        state.hands[lane, 1] = (state.hands[lane, 1] & state.public[lane, 1]) | drawn
        state.stack[lane] = (unknown[lane] & ~drawn) | state.returned[lane]
    game.check()


@pytest.mark.parametrize("name", NAMES)
def test_states_that_differ_in_hidden_cards_alone_get_the_same_bets(name):
    settings, rng, differed = SaveTheBetSettings(), random.Random(2), 0
    game = SaveTheBet(settings, seed=4, lanes=24)
    game.start()
    player = parse_agent(name, "save-the-bet").make(settings)
    crowd = parse_agent("shortest", "save-the-bet").make(settings)
    for _ in range(6):
        was = player.act(game.view(0), game.draws(0))
        before = game.state.hands[:, 1].copy()
        shuffle_hidden(game, rng)
        differed += int((before != game.state.hands[:, 1]).sum())
        assert (player.act(game.view(0), game.draws(0)) == was).all()
        for _ in range(2):  # bets, then saves
            decisions = game.blank()
            for seat in (0, 1):
                decisions[:, seat] = crowd.act(game.view(seat), game.draws(seat))
            game.submit(decisions)
    assert differed > 100


@pytest.mark.parametrize("card", describe("save-the-bet"), ids=lambda card: card.name)
def test_every_player_is_described(card):
    assert card.idea.endswith(".") and card.idea.count(". ") == 0  # one sentence
    assert card.source
    for option in card.options:
        assert option.meaning.endswith(".") and option.default is not None


def test_the_zoo_has_what_is_promised():
    assert zoo("save-the-bet") == [
        "random", "shortest", "face-card", "likeliest", "likeliest-save", "cards", "thrifty", "hoarder",
        "one-turn", "tree",
    ]  # fmt: skip


def test_a_player_asked_for_nobody_decides_nothing():
    game = SaveTheBet(seed=1, lanes=3)
    game.start()
    nobody = np.zeros(3, bool)
    for name in NAMES:
        player = parse_agent(name, "save-the-bet").make(game.settings)
        assert player.act(game.view(0, nobody), game.draws(0, nobody)).shape == (0, 1)
