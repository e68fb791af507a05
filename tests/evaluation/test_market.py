"""What the pools knew, and what was left to be had: by hand on written tickets."""

from __future__ import annotations

from math import log
from types import SimpleNamespace

import numpy as np
import pytest

from railbird.evaluation.market import (
    BINS,
    FORECASTS,
    MarketWatch,
    brier_score,
    compared_deals,
    log_score,
    watched_deals,
)
from railbird.games.order_law import rail_index, win_table
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta
from railbird.games.superfecta.tickets import parse_ticket
from railbird.games.track import SUPERFECTA


def watched(game, tickets, races=1, entries=2, lane=0):
    """What is seen at one lane when these tickets (lanes, seats, …) are played in every race."""
    watch = MarketWatch(
        game.name, np.array([5]), np.array([lane]), np.array([5]), game.settings.races, entries
    )
    game.start()
    watch.begin(game, np.tile(np.arange(game.seats), (game.lanes, 1)))
    for _ in range(races):
        active = ~game.over
        game.submit(tickets, active)
        watch.after(game, tickets, active)
    return shaped(watch.sheet(), game.settings.races)


def shaped(sheet, races):
    """A sheet with its axes apart again: (deals, races, pools), (deals, pools, bins), scores by forecast."""
    pools = sheet.scored.shape[1]
    log_scores, brier_scores = (
        np.stack([getattr(sheet, f"{score}_{forecast}") for forecast in FORECASTS], axis=-1)
        for score in ("log", "brier")
    )
    return SimpleNamespace(
        staked=sheet.staked.reshape(-1, races, pools), carried=sheet.carried.reshape(-1, races, pools),
        lines=sheet.lines.reshape(-1, pools, BINS), implied=sheet.implied.reshape(-1, pools, BINS),
        exact=sheet.exact.reshape(-1, pools, BINS), scored=sheet.scored, log=log_scores, brier=brier_scores,
        tickets=sheet.tickets, own=sheet.own, best=sheet.best,
    )  # fmt: skip


def table_with(settings, *tickets, lanes=2):
    game = Superfecta(settings, 3, lanes)
    stakes = game.blank()
    for seat, text in enumerate(tickets):
        stakes[:, seat] = parse_ticket(text, settings)
    return game, stakes


def test_scores_by_hand():
    # A sure thing forecast at 1/2: ln 1/2, and (1 − 1/2)² + (1/2)² = 1/2. A fair coin forecast exactly: ln
    # 1/2 and 1/2; forecast 3/4 to 1/4: (ln 3/4 + ln 1/4)/2, and 1/2 · (1/16 + 1/16) + 1/2 · (9/16 + 9/16),
    # which is 5/8.
    forecast = np.array([[0.5, 0.5], [0.5, 0.5], [0.75, 0.25]])
    chances = np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]])
    np.testing.assert_allclose(
        log_score(forecast, chances), [log(0.5), log(0.5), (log(0.75) + log(0.25)) / 2]
    )
    np.testing.assert_allclose(brier_score(forecast, chances), [0.5, 0.5, 0.625])
    # an impossible line that was ruled out costs nothing
    assert log_score(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0]])).tolist() == [0.0]


def test_implied_chances_of_two_tickets():
    # 1 on H and 3 on D: implied 1/4, 3/4, 0, 0. √(1/4) · 20 = 10, √(3/4) · 20 = 17.3, so bins 10, 17, 0, 0.
    game, tickets = table_with(SuperfectaSettings(seats=2), "$1 WIN H", "$3 WIN D")
    sheet = watched(game, tickets)
    chance = win_table(SUPERFECTA)[rail_index(SUPERFECTA, game.state.last_rail[:1])][0]
    assert sheet.lines[0, 0].nonzero()[0].tolist() == [0, 10, 17]
    assert sheet.lines[0, 0, [0, 10, 17]].tolist() == [2, 1, 1]
    np.testing.assert_allclose(sheet.implied[0, 0, [0, 10, 17]], [0, 1 / 4, 3 / 4])
    np.testing.assert_allclose(sheet.exact[0, 0, [0, 10, 17]], [chance[2] + chance[3], chance[0], chance[1]])
    assert sheet.scored.tolist() == [[1, 0, 0]]  # nobody bet in the other pools
    assert sheet.staked[0, :2].tolist() == [[4, 0, 0], [0, 0, 0]]
    # smoothed by a quarter of an even book: (q + 1/16) / (5/4)
    smooth = (np.array([1 / 4, 3 / 4, 0, 0]) + 1 / 16) / 1.25
    np.testing.assert_allclose(
        sheet.log[0, 0], [chance @ np.log(smooth), log(1 / 4), chance @ np.log(chance)]
    )
    # Brier: even 1/4 each: 1 − 2 · 1/4 + 4 · 1/16 = 3/4; exact 1 − Σ p²
    np.testing.assert_allclose(sheet.brier[0, 0, 1:], [3 / 4, 1 - chance @ chance])


def test_the_pools_of_the_second_race_show_what_was_carried():
    # At a rate of 1/5 two tickets of 100 on SFC lines put 200 in, 40 go to the house. If neither wins, 160
    # are carried into the second race.
    settings = SuperfectaSettings(seats=2, split="pro_rata", rate="1/5")
    game, tickets = table_with(settings, "$100 SFC H/D/C/S", "$100 SFC D/H/C/S", lanes=40)
    game.start()
    game.submit(tickets)
    lost = int(np.flatnonzero(game.state.pools[:, 2] == 160)[0])
    sheet = watched(Superfecta(settings, 3, 40), tickets, races=2, lane=lost)
    assert sheet.staked[0, :2, 2].tolist() == [200, 200]
    assert sheet.carried[0, :2, 2].tolist() == [0, 160]


def test_tickets_are_compared_with_the_best_reply():
    # The worked pool of test_replies needs a rail of one suit; here the dearest truth is enough: seat 0 is
    # broke of ideas (empty ticket, 0), and the only money is 3 on D, which any other line can take away.
    game, tickets = table_with(SuperfectaSettings(seats=2), "", "$3 WIN D")
    sheet = watched(game, tickets)
    chance = win_table(SUPERFECTA)[rail_index(SUPERFECTA, game.state.last_rail[:1])][0]
    best = 0.0
    for held in range(16):  # every set of WIN lines; in empty pools nothing can be won
        lines = [line for line in range(4) if held >> line & 1]
        pool = 3 + len(lines)
        paid = sum(chance[line] * (pool // (2 if line == 1 else 1)) for line in lines)
        best = max(best, paid - len(lines))
    assert sheet.tickets.tolist() == [[1, 1]]
    np.testing.assert_allclose(sheet.own[0], [0.0, 3 * chance[1] - 3])
    np.testing.assert_allclose(sheet.best[0, 0], best)
    # seat 1 alone holds all four lines and wins its own 4 back: nothing is to be had
    np.testing.assert_allclose(sheet.best[0, 1], 0, atol=1e-12)


def test_the_bank_of_the_derby_is_a_pool_too():
    settings = PasteboardDerbySettings(seats=4, ante=2)
    game = PasteboardDerby(settings, 1, 1)
    horses = game.blank()
    horses[0, :, 0] = [1, 1, 1, 2]
    sheet = watched(game, horses, entries=4)
    # three of four on H: implied 3/4 (bin 17), 1/4 (bin 10), two unnamed
    assert sheet.lines[0, 0, [0, 10, 17]].tolist() == [2, 1, 1]
    np.testing.assert_allclose(sheet.exact[0, 0, [0, 10, 17]], [1 / 2, 1 / 4, 1 / 4])
    assert sheet.staked[0, 0].tolist() == [8]
    # bank 8: H for three 2 each: 1/4 · 2 − 2 = −3/2; alone on C or S: 1/4 · 8 − 2 = 0
    np.testing.assert_allclose(sheet.own[0], [-3 / 2, -3 / 2, -3 / 2, 0])
    np.testing.assert_allclose(sheet.best[0], [0, 0, 0, 0])


def test_the_sample_is_fixed_and_bounded():
    deals = np.arange(1_900, 2_100)
    assert watched_deals("superfecta", deals).tolist() == list(range(1_900, 2_000))
    assert watched_deals("racing-aces", deals).tolist() == []
    assert len(compared_deals(np.arange(2_000), 72)) == 277  # 20,000 / (6 seats · 12 races)
    assert len(compared_deals(np.arange(2_000), 10**6)) == 1
    assert BINS == 20


@pytest.mark.parametrize("chances", [[0.0, 0.5, 0.5, 0.0]])
def test_the_exact_chances_score_best(chances):
    rng = np.random.default_rng(0)
    exact = np.array([chances])
    for _ in range(50):
        other = rng.dirichlet(np.ones(4))[None]
        assert log_score(other, exact) < log_score(exact, exact)
        assert brier_score(other, exact) > brier_score(exact, exact)
