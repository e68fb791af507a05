"""Profit without luck: exact, unbiased in every game, and quick to find a small edge."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent, zoo
from railbird.evaluation.blocks import make_fixed, play_block
from railbird.evaluation.match import play
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.bookmaking.table import BookmakerTable
from railbird.games.order_law import order_table, rail_index, rail_probability, rails, win_table
from railbird.games.pasteboard_derby.bank import settle
from railbird.games.pasteboard_derby.law import pair_chances, win_chances
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby
from railbird.games.registry import load
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta
from railbird.games.superfecta.tickets import parse_ticket
from railbird.games.track import RACING_ACES, SUPERFECTA

RACES: list[tuple[str, dict[str, Any]]] = [
    ("superfecta", {"seats": 4}),
    ("superfecta", {"seats": 4, "split": "pro_rata", "rate": "1/10"}),
    ("horse-race", {"seats": 4}),
    ("scarne-horse-race", {"seats": 4}),
    ("bookmaker", {"seats": 4}),
    ("racing-aces", {"seats": 2}),
    ("pasteboard-derby", {"seats": 4, "bankroll": 12}),
    ("pasteboard-derby", {"seats": 6, "places": 2}),
]


def test_a_chip_left_in_the_pool_by_hand():
    # Two seats, two races; seat 0 stakes a chip on H and is alone in the pool. If H wins, with chance p, the
    # chip comes back; if not it stays: 1 - p chips are expected to stay. A chip in the pool is then worth to
    # seat 0 the whole if H wins the second race, taken to have the same chance, else half, by the division:
    # p + (1 - p)/2. To seat 1 it is worth (1 - p)/2.
    settings = SuperfectaSettings(seats=2, races=2)
    game = Superfecta(settings, 3, 60)
    game.start()
    p = win_table(SUPERFECTA)[rail_index(SUPERFECTA, game.state.rail), 0]
    tickets = game.blank()
    tickets[:, 0] = parse_ticket("$1 WIN H", settings)
    game.submit(tickets)
    stayed = game.state.pools[:, 0] - (1 - p)  # more than was expected
    np.testing.assert_allclose(game.adjusted_profit()[:, 0], p - 1 - stayed * (p + (1 - p) / 2), atol=1e-12)
    np.testing.assert_allclose(game.adjusted_profit()[:, 1], -stayed * (1 - p) / 2, atol=1e-12)
    assert set(game.state.pools[:, 0].tolist()) == {0, 1}
    game.submit(game.blank())
    # after the last race nothing lies in the middle: the division is part of the profit
    np.testing.assert_array_equal(game.adjusted_profit(), game.expected_profit())


@pytest.mark.parametrize(
    "options", [{}, {"split": "pro_rata", "rate": "1/5", "minimum_bets": (1, 1, 1), "breakage": 1}]
)
def test_luck_in_the_pools_is_nothing_on_average_over_the_orders_of_finish(options):
    settings = SuperfectaSettings(seats=5, races=6, **options)
    game, rng = Superfecta(settings, 1, 40), np.random.default_rng(0)
    game.start()
    for _ in range(4):
        game.submit((rng.random((40, 5, 40)) < 0.07).astype(np.int16))
        chances = order_table(SUPERFECTA)[rail_index(SUPERFECTA, game.state.last_rail)]  # (lanes, 24)
        ran, mean, spread = game.state.last_order.copy(), np.zeros((40, 5)), []
        for order in range(24):
            game.state.last_order[:] = order
            spread.append(game.adjusted_profit())
            mean += chances[:, [order]] * spread[-1]
        np.testing.assert_allclose(mean, game.expected_profit(), atol=1e-10)
        assert (np.ptp(spread, axis=0).max(axis=1) > 0).mean() > 0.9  # yet it is hardly ever nothing
        game.state.last_order[:] = ran


@pytest.mark.parametrize("options", [{"seats": 4, "bankroll": 6}, {"seats": 6, "places": 2, "bankroll": 20}])
def test_luck_in_the_bank_is_nothing_on_average_over_the_winners(options):
    settings = PasteboardDerbySettings(races=5, **options)
    game, rng = PasteboardDerby(settings, 2, 50), np.random.default_rng(1)
    game.start()
    while not game.over.all():
        playing = ~game.over
        horses = game.blank()
        horses[..., 0] = rng.integers(1, 3, horses.shape[:2])  # two horses nobody names: banks are carried
        game.submit(horses, playing)
        state = game.state
        kept = {name: getattr(state, name).copy() for name in ("last_winner", "last_second", "bank", "over")}
        before = state.bankrolls - state.profit
        two, mean = kept["last_second"] >= 0, np.zeros((50, settings.seats))
        for first in range(4):
            for second in range(4):
                chance = np.where(
                    two, pair_chances(settings.advance)[first, second], win_chances()[first] * (second == 3)
                )
                placed = np.where(two, second, -1)
                paid = settle(state.last_named, state.last_bank, np.full(50, first), placed, settings)
                left = before - settings.ante * (state.last_named > 0) + paid.payouts
                ends = (state.turn >= settings.races) | ((left >= settings.ante).sum(axis=1) < 3)
                state.over[:], state.bank[:] = ends, np.where(ends, 0, paid.bank)
                mean += chance[:, None] * game.adjusted_profit()
        np.testing.assert_allclose(mean[playing], game.expected_profit()[playing], atol=1e-8)
        for name, values in kept.items():
            getattr(state, name)[:] = values


@pytest.mark.parametrize(
    ("game", "agent", "rules"), [("superfecta", "box", {}), ("pasteboard-derby", "loyal", {"seats": 6})]
)
def test_where_everybody_does_the_same_nothing_is_left_to_luck(game, agent, rules):
    block = play_block(TournamentSettings.of(game, [agent], deals=50, **rules).plan(), 0)
    per_game = block.adjusted / block.cash.shape[1]
    np.testing.assert_allclose(per_game, per_game[0, 0] * np.ones_like(per_game), atol=1e-9)


@pytest.mark.parametrize(("game", "rules"), RACES)
def test_it_has_the_mean_of_cash_at_twenty_line_ups(game, rules):
    line_ups, deals = 20, 120
    plan = TournamentSettings.of(game, deals=deals, **rules).plan()
    rng, names = np.random.default_rng(7), zoo(game)
    field = [rng.choice(names, len(plan.ranked)) for _ in range(line_ups)]
    players = [parse_agent(str(name), game).make(plan.rules) for line_up in field for name in line_up]
    seating = np.arange(len(players)).reshape(line_ups, -1).repeat(deals, axis=0)
    table = play(
        load(game), plan.rules, 11, np.tile(np.arange(deals), line_ups), players + make_fixed(plan),
        plan.seated(seating, len(players)),
    )  # fmt: skip
    luck = (table.cash - table.adjusted)[:, plan.ranked].reshape(line_ups, deals, -1)
    error = luck.std(axis=1, ddof=1) / sqrt(deals)
    off = np.abs(luck.mean(axis=1)) / np.where(error > 0, error, 1.0)  # in standard errors; 0 without luck
    assert (off > 0).mean() > 0.5
    assert (off > 1.96).mean() < 0.12  # of up to 120 that go together, about 0.05
    assert off.max() < 4.5
    assert (table.adjusted.var(axis=0) < table.cash.var(axis=0)).all()


def test_a_game_that_expects_the_wrong_payouts_is_found_out(monkeypatch):
    field = TournamentSettings.of("racing-aces", ["random", "optimal"], deals=400, substitutes=0)
    assert run(field).design["cash_agrees"] is True
    assert run(replace(field, deals=29)).design["cash_agrees"] is None
    right = BookmakerTable.adjusted_profit
    monkeypatch.setattr(BookmakerTable, "adjusted_profit", lambda game, lanes: right(game, lanes) + 0.2)
    # 0.2 chips a turn; a race has a standard deviation near 1.3: 400 deals of 12 races have an error of 0.02
    assert run(field).design["cash_agrees"] is False


@pytest.mark.parametrize("game", [*dict.fromkeys(name for name, _ in RACES), "save-the-bet"])
def test_identical_agents_differ_by_exactly_nothing_in_every_game(game):
    twins = next(name for name in ("random", *zoo(game)) if name in zoo(game))
    others = [name for name in zoo(game) if name != twins][:2]
    seats: dict[str, Any] = {} if game in ("save-the-bet", "bookmaker") else {"seats": 3}
    plan = TournamentSettings.of(game, [twins, others[0], twins, others[1]], deals=40, **seats).plan()
    assert plan.labels[2] == f"{twins}#2"
    block = play_block(plan, 0)
    np.testing.assert_array_equal(block.swapped_cash[:, 0], block.swapped_cash[:, 2])
    np.testing.assert_array_equal(block.swapped_adjusted[:, 0], block.swapped_adjusted[:, 2])
    assert (block.swapped_cash[:, 0] != block.swapped_cash[:, 1]).any()


class Guesser(Agent[Any]):
    """Stakes a chip on some suit of Racing Aces; in a share of the races on the best one."""

    def __init__(self, settings, share):
        super().__init__(settings)
        self.share = share

    def act(self, view, draws):
        guess = (4 * draws.uniform(2)[:, int(self.share > 0)]).astype(int)  # the two agents guess apart
        best = EDGES[rail_index(RACING_ACES, view.rail)].argmax(axis=1)
        suit = np.where(draws.uniform(1)[:, 0] < self.share, best, guess)
        return np.eye(4, dtype=np.int16)[suit]


@dataclass(frozen=True)
class Guessing:
    """The factory of `Guesser`."""

    share: float

    @property
    def text(self):
        return f"guesser:share={self.share:.6f}"

    def make(self, settings):
        return Guesser(settings, self.share)


# net odds by rail cards of the suit (RULES.md §4): expected profit per chip = chance · (odds + 1) − 1
EDGES = win_table(RACING_ACES) * np.array([2, 3, 4, 6, 11])[np.array(rails(RACING_ACES))] - 1  # (rails, 4)
CHANCES = np.array([float(chance) for chance in rail_probability(RACING_ACES)])  # (rails,)


def test_a_planted_edge_of_one_hundredth_is_found_in_the_predicted_number_of_deals():
    # One race, one chip a race. A guesser earns the mean edge of the four suits; one that knows the best in a
    # share q of the races earns q · (best − mean) more: q is chosen for 0.01 chips, a hundredth of the stake.
    guess, best = EDGES.mean(axis=1), EDGES.max(axis=1)
    share = 0.01 / float(CHANCES @ (best - guess))
    # The variance of the difference D without luck: E[D²] − 0.01², D = (edge of the one's suit) − (the
    # other's), the suits chosen apart given the rail.
    squares = (EDGES**2).mean(axis=1)
    of_one = share * best**2 + (1 - share) * squares
    product = (share * best + (1 - share) * guess) * guess
    variance = float(CHANCES @ (of_one + squares - 2 * product)) - 0.01**2
    # Found with chance 90 % where 0.01 is 1.960 + 1.282 standard errors
    needed = ceil((1.960 + 1.282) ** 2 * variance / 0.01**2)
    assert 5_000 < needed < 15_000
    runs = 40
    enough = sum(found(share, needed, seed) for seed in range(runs))
    assert enough >= 30  # 36 expected, sd 1.9
    # with an eighth of the deals 0.01 is 1.146 standard errors: found with chance 0.21
    too_few = sum(found(share, needed // 8, 1000 + seed) for seed in range(runs))
    assert 2 <= too_few <= 16  # 8.4 expected, sd 2.6


def found(share, deals, seed):
    """Whether the better agent is surely the first."""
    rules = load("racing-aces").make_settings(races=1)
    agents = (Guessing(0.0), Guessing(share))
    result = run(TournamentSettings("racing-aces", agents, rules, deals, seed, substitutes=0))
    return result.leaderboard[0].agent == agents[1].text and result.leaderboard[0].rank == (1, 1)
