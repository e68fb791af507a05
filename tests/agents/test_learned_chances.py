"""The chances a learned agent says it draws with, by hand and against what it draws.

On a deck of AH 2H 3H 2D 3D: action 0 hands a bet in, 1, 2, 3 write AH, 2H, 3H.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.learned.folder import AgentFacts, AgentFolder, describe_encoding
from railbird.agents.learned.network import Layer, Network, Recurrence
from railbird.agents.learned.policy import Learned
from railbird.evaluation.exact.enumeration import play_out
from railbird.evaluation.exact.strategies import strategy_of
from railbird.evaluation.exact.tables import legal_decisions
from railbird.games.registry import load
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

SETTINGS = SaveTheBetSettings(suits=2, ranks=3, hand_size=2, target=3, max_turns=2)
TWO_HEARTS = np.uint64(0b11)  # AH 2H
DRAWS = 1_000


@cache
def small():
    return play_out(SETTINGS)


def learned(layers, masked=True, game="save-the-bet", recurrence=None):
    """The class of an agent with these layers."""
    spec = load(game)
    encoding = spec.encoding(spec.make_settings())
    facts = AgentFacts(
        game, describe_encoding(encoding, {}), encoding.actions, "", masked,
        tuple(len(layer.bias) for layer in layers[:-1]), "tanh", recurrence.units if recurrence else 0, None,
        0.0, {}, {}, (0, ""),
    )  # fmt: skip
    folder = AgentFolder(Path("in memory"), facts, Network(tuple(layers), "tanh", None, recurrence))
    return type("Made", (Learned,), {"folder": folder})


def constant(scores, **changes):
    """An agent that gives these actions these scores, 0 to others, whatever it sees."""
    bias = np.zeros(53, np.float32)
    bias[list(scores)] = list(scores.values())
    return learned([Layer(np.zeros((267, 53), np.float32), bias)], **changes)


def wild(seed=3, **changes):
    """An agent that reads all it sees, by layers drawn at random."""
    random = np.random.default_rng(seed)
    weights = random.standard_normal((267, 16), np.float32), random.standard_normal((16, 53), np.float32)
    return learned([Layer(weight, np.zeros(weight.shape[1], np.float32)) for weight in weights], **changes)


@dataclass(frozen=True)
class Factory:
    """An agent as the solver takes it; ``hidden`` keeps its chances from it."""

    kind: Any
    sample: bool = True
    hidden: bool = False
    text: str = "made"

    def make(self, settings):
        made = self.kind(settings, sample=self.sample)
        return Silent(made) if self.hidden else made


class Silent(Agent[Any]):
    """Plays another's decisions and says nothing of its chances."""

    def __init__(self, other):
        super().__init__(None)
        self.other = other

    def act(self, view, draws):
        return self.other.act(view, draws)


def two_hearts():
    """The view of a seat that holds AH and 2H before its first bet, one row, and its bets: A, 2 and both."""
    game = SaveTheBet(SETTINGS, 1, 200)
    game.start()
    lane = int(np.flatnonzero(game.state.hands[:, 0] == TWO_HEARTS)[0])
    return game.view(0, np.arange(200) == lane), np.array([[[0b01], [0b10], [0b11]]], np.uint64)


def test_chances_are_products_over_the_actions_that_write_a_bet():
    # weights e^log 2 = 2 of AH, 3 of 2H, 1 of handing in. First AH with 2/5 or 2H with 3/5, as an empty bet
    # cannot be handed in; behind AH handed in with 1/4 or 2H with 3/4; behind 2H nothing else can be done.
    made = constant({1: np.log(2), 2: np.log(3)})(SETTINGS, sample=True)
    # AH alone 2/5 · 1/4, 2H alone 3/5, both 2/5 · 3/4
    assert made.chances(*two_hearts())[0] == pytest.approx([0.1, 0.6, 0.3], abs=1e-7)  # float32 scores


def test_without_a_mask_what_is_illegal_counts_for_the_lowest_legal_action():
    # Actions 0 to 3 have 1/4 each, others e^-99. First AH: its own 1/4 and 0 and 3H's: 3/4; 2H 1/4.
    # Behind AH: hand in 1/4, with AH and 3H illegal 3/4; 2H 1/4. Behind 2H: handed in.
    scores = dict.fromkeys(range(4, 53), -99.0)
    made = constant(scores, masked=False)(SETTINGS, sample=True)
    assert made.chances(*two_hearts())[0] == pytest.approx([9 / 16, 4 / 16, 3 / 16])


def test_who_draws_nothing_says_1_of_its_one_decision():
    # AH first; then handing in, 0, is less than 2H's 0.5
    made = constant({1: 1.0, 2: 0.5})(SETTINGS)
    assert made.chances(*two_hearts()).tolist() == [[0, 0, 1]]


@pytest.mark.parametrize("sample", [True, False])
@pytest.mark.parametrize("masked", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_chances_of_all_legal_decisions_sum_to_one(seat, masked, sample):
    made = wild(masked=masked)(SETTINGS, sample=sample)
    game = SaveTheBet(SETTINGS, 7, 80)
    game.start()
    for _ in range(4):  # bets and saves of two turns
        lanes, decisions = legal_decisions(game, seat)
        rows = ~game.over
        found = np.zeros(game.lanes)
        for place in range(len(lanes)):
            if rows[lanes[place]]:
                view = game.view(seat, np.arange(game.lanes) == lanes[place])
                found[lanes[place]] += made.chances(view, decisions[place].reshape(1, 1, 1))[0, 0]
        assert found[rows] == pytest.approx(1, abs=1e-12)
        game.submit(game.fallback(), rows)


def test_bets_are_drawn_as_often_as_the_chances_say():
    made = constant({1: np.log(2), 2: np.log(3)})(SETTINGS, sample=True)
    game = SaveTheBet(SETTINGS, 1, 20_000)
    game.start()
    held = game.state.hands[:, 0] == TWO_HEARTS  # of ten hands one: 2,000, less a deviation of 42
    bets = made.act(game.view(0, held), game.draws(0, held))[:, 0]
    assert len(bets) > 1_800
    shares = [(bets == bet).mean() for bet in (0b01, 0b10, 0b11)]
    chances = made.chances(*two_hearts())[0]
    assert shares == pytest.approx(chances, abs=5 * np.sqrt(0.25 / 1_800))
    assert abs(chances - 1 / 3).max() > 0.2  # else nothing would be told apart


@pytest.mark.slow
@pytest.mark.parametrize("masked", [True, False])
def test_chances_in_every_set_are_those_it_draws_with(masked):
    kind = wild(masked=masked)
    side = small().form.sides[0]
    said = strategy_of(small(), 0, Factory(kind), 2, 1)
    drawn = strategy_of(small(), 0, Factory(kind, hidden=True), DRAWS, 1)
    assert said.exact
    assert not drawn.exact
    # 5 deviations, and 5 draws more where a chance is so small that counts are far from normal
    room = 5 * np.sqrt(said.behaviour * (1 - said.behaviour) / DRAWS) + 5 / DRAWS
    assert (np.abs(drawn.behaviour - said.behaviour) <= room).all()
    assert (said.behaviour[1:] * (1 - said.behaviour[1:]) > 0.05).sum() > side.sets / 4  # they do draw


def test_who_draws_nothing_says_what_it_does():
    said = strategy_of(small(), 0, Factory(wild(), sample=False), 2, 1)
    asked = strategy_of(small(), 0, Factory(wild(), sample=False, hidden=True), 2, 1)
    assert np.array_equal(said.behaviour, asked.behaviour)
    assert len(np.unique(said.behaviour)) == 2  # 0 and 1


def test_chances_are_the_same_alone_and_in_company():
    made = wild()(SETTINGS, sample=True)
    game = SaveTheBet(SETTINGS, 7, 300)
    game.start()
    lowest = game.state.hands[:, 0] & (~game.state.hands[:, 0] + np.uint64(1))
    decisions = lowest[:, None, None]
    together = made.chances(game.view(0), decisions)
    assert len(np.unique(together)) > 5
    for lane in (0, 17, 299):
        only = np.arange(300) == lane
        assert np.array_equal(made.chances(game.view(0, only), decisions[only]), together[only])


def test_who_remembers_offers_no_chances():
    memory = Recurrence(np.zeros((267, 4), np.float32), np.zeros((1, 4), np.float32), np.zeros(4, np.float32))
    layer = Layer(np.zeros((1, 53), np.float32), np.zeros(53, np.float32))
    assert learned([layer], recurrence=memory)(SETTINGS, sample=True).chances is None


def test_where_wagers_may_be_written_in_any_order_no_chances_are_offered():
    spec = load("racing-aces")
    encoding = spec.encoding(spec.make_settings())
    layer = Layer(np.zeros((encoding.features, 5), np.float32), np.zeros(5, np.float32))
    assert learned([layer], game="racing-aces")(spec.make_settings(), sample=True).chances is None
