"""The Racing Aces agents against the exact figures of RULES.md §4."""

import numpy as np
import pytest

from railbird.agents.bookmaking.anchors import Favourite
from railbird.agents.bookmaking.bettor import Bettor
from railbird.agents.racing_aces.optimal import Cover, Optimal
from railbird.agents.registry import parse_agent
from railbird.games.bookmaking.kernels import expect_races
from railbird.games.bookmaking.prices import published
from railbird.games.bookmaking.state import BookmakerView, Phase
from railbird.games.order_law import rail_probability, rails, win_table
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces
from railbird.games.streams import Draws
from railbird.games.track import RACING_ACES

ONE = RacingAcesSettings()
FOUR = RacingAcesSettings(max_wagers=4)
RAILS = np.array(rails(RACING_ACES), np.int8)  # (80, 4)


def every_rail(chips=100):
    """The view of seat 0 against the house, seat 1, a row for each rail that can lie."""
    n = len(RAILS)
    return BookmakerView(
        lane=np.arange(n),
        seat=np.zeros(n, np.int64),
        race=np.zeros(n, np.int64),
        phase=np.full(n, Phase.BET, np.int8),
        bank=np.ones(n, np.int64),
        quotes=published(RAILS),
        limits=np.full((n, 4), ONE.largest, np.int16),
        rail_cards=np.zeros((n, 7), np.int8),
        rail=RAILS,
        bankrolls=np.repeat([[chips, 0]], n, axis=0),
        refused=np.zeros((n, 2), np.int64),
        last_rail=np.zeros((n, 4), np.int8),
        last_winner=np.full(n, -1, np.int8),
        last_bank=np.full(n, -1),
        last_quotes=np.full((n, 4), -1, np.int8),
        last_stakes=np.zeros((n, 2, 4), np.int16),
        last_payouts=np.zeros((n, 2), np.int64),
    )


def stakes_on_every_rail(agent: Bettor, chips=100):
    return agent.act(every_rail(chips), Draws(np.arange(len(RAILS), dtype=np.uint64)))


def earned(agent: Bettor) -> float:
    """The exact expected profit of a race, the rails weighed by how often they lie."""
    stakes = np.zeros((len(RAILS), 2, 4), np.int16)
    stakes[:, 0] = stakes_on_every_rail(agent)
    expected = np.empty((len(RAILS), 2))
    expect_races(expected, stakes, published(RAILS), np.ones(len(RAILS), np.int64), win_table(RACING_ACES))
    shares = np.array([float(share) for share in rail_probability(RACING_ACES)])
    return float(shares @ expected[:, 0])


@pytest.mark.parametrize(
    ("agent", "chips"),
    [
        (Optimal(ONE), 0.071857),
        (Optimal(FOUR), 0.071857),  # it backs one suit whatever the rules allow
        (Cover(ONE), 0.071857),
        (Cover(FOUR), 0.09917),
        (Favourite(ONE), 0.069439),
    ],
)
def test_what_a_bettor_earns_a_race(agent, chips):
    assert earned(agent) == pytest.approx(chips, abs=5e-6 if chips > 0.09 else 5e-7)


@pytest.mark.parametrize(
    ("rail", "stakes"),
    [
        ((3, 2, 1, 1), [0, 0, 1, 0]),  # one card: 0.359 · 2 − 0.641 = +0.078, the first of equals
        ((0, 1, 2, 4), [1, 0, 0, 0]),  # no card: 0.500 · 1 − 0.500 = +0.0004
        ((1, 4, 1, 1), [0, 0, 0, 0]),  # one card: 0.327 · 2 − 0.673 = −0.020
        ((0, 3, 0, 4), [0, 0, 0, 0]),  # no card: 0.459 − 0.541 = −0.081
    ],
)
def test_optimal_bets_only_where_the_expectation_is_positive(rail, stakes):
    place = RAILS.tolist().index(list(rail))
    assert stakes_on_every_rail(Optimal(ONE))[place].tolist() == stakes


def test_cover_bets_on_every_suit_of_positive_expectation():
    place = RAILS.tolist().index([3, 2, 1, 1])
    assert stakes_on_every_rail(Cover(FOUR))[place].tolist() == [0, 0, 1, 1]
    assert stakes_on_every_rail(Cover(FOUR), chips=1)[place].tolist() == [0, 0, 1, 0]
    assert stakes_on_every_rail(Cover(FOUR), chips=0).sum() == 0


def test_optimal_stakes_as_much_as_the_rules_offer():
    large = RacingAcesSettings(stakes=(1, 5, 20))
    place = RAILS.tolist().index([3, 2, 1, 1])
    assert stakes_on_every_rail(Optimal(large))[place].tolist() == [0, 0, 20, 0]
    assert stakes_on_every_rail(Optimal(large), chips=19)[place].tolist() == [0, 0, 5, 0]


def test_optimal_earns_the_optimum_over_a_million_races():
    rules = RacingAcesSettings(races=250, bankroll=100_000)
    game = RacingAces(rules, seed=11, lanes=4_000)
    game.start()
    agent = parse_agent("optimal", "racing-aces").make(rules)
    agent.begin(np.ones(game.lanes, bool))
    cash, expected = [], []
    decisions = game.blank()
    while not game.over.all():
        decisions[:, 0] = agent.act(game.view(0), game.draws(0))
        game.submit(decisions)
        cash.append(game.profit[:, 0].copy())
        expected.append(game.expected_profit()[:, 0])
    for profits in (np.concatenate(cash), np.concatenate(expected)):
        assert profits.size == 1_000_000
        assert abs(profits.mean() - 0.071857) < 4 * profits.std() / np.sqrt(profits.size)
