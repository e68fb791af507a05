"""What blocks saw of the market, added up: by hand on two deals, and however these are cut into blocks."""

from __future__ import annotations

from dataclasses import fields
from math import sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from railbird.evaluation.blocks import play_block
from railbird.evaluation.market import BINS, Sheet
from railbird.evaluation.market_tally import MarketTally
from railbird.evaluation.tournament import TournamentSettings, run

DERBY = TournamentSettings.of("pasteboard-derby", ["random", "crowd"], deals=2, seats=3, races=2).plan()


def sheet(**given):
    """A sheet of two deals of the Derby, one pool and two races; what is not given is 0."""
    shapes = {"staked": 2, "carried": 2, "lines": BINS, "implied": BINS, "exact": BINS}
    whole: dict[str, Any] = {
        field.name: np.zeros((2, shapes.get(field.name, 1)), np.int64) for field in fields(Sheet)
    }
    for name in ("tickets", "own", "best"):
        whole[name] = np.zeros((2, 2), np.int64 if name == "tickets" else np.float64)
    return Sheet(**(whole | {"watched": np.arange(2), "compared": np.arange(2)} | given))


def tallied(*sheets, order=(0, 1)):
    tally = MarketTally(DERBY)
    for one in sheets:
        tally.add(SimpleNamespace(market=one))  # type: ignore[arg-type]
    return tally.result(order)


def test_regrets_by_hand():
    # Agent 0: 2 tickets that lost 5 − 1 = 4 in deal 0, 1 ticket that lost 2 in deal 1: 6 / 3 = 2 a race. What
    # the deals are off: 4 − 2 · 2 = 0 and 2 − 1 · 2 = 0, so the interval is a point. Agent 1 lost 3 with 1
    # ticket and 0 with 1: 3 / 2; off by 1.5 and −1.5, error √(2 / 1 · 4.5) / 2 = 1.5; Student's t of 1 degree
    # of freedom is 12.706.
    seen = sheet(
        tickets=np.array([[2, 1], [1, 1]]), own=np.array([[1.0, 1.0], [0.5, 2.0]]),
        best=np.array([[5.0, 4.0], [2.5, 2.0]]),
    )  # fmt: skip
    _, (one, two) = tallied(seen, order=(1, 0))
    assert (one.agent, two.agent) == ("crowd", "random")
    assert (two.tickets, two.own, two.best, two.regret) == (3, 0.5, 2.5, 2.0)
    assert two.interval == pytest.approx((2.0, 2.0))
    assert (one.tickets, one.own, one.best, one.regret) == (2, 1.5, 3.0, 1.5)
    half = 12.706205 * sqrt(2 * (1.5**2 + 1.5**2)) / 2
    assert one.interval == pytest.approx((1.5 - half, 1.5 + half), abs=1e-5)


def test_an_agent_without_tickets_has_no_regret():
    _, regrets = tallied(sheet(tickets=np.array([[1, 0], [1, 0]])))
    assert [it.agent for it in regrets] == ["random"]


def test_scores_curve_and_pools_are_means():
    # Scored 2 + 1 races: log scores −1.5 and −0.9 in all, −0.8 a race. Bin 4: 3 + 1 lines, implied 0.2.
    lines, implied, exact = np.zeros((2, BINS), np.int64), np.zeros((2, BINS)), np.zeros((2, BINS))
    lines[:, 4], implied[:, 4], exact[:, 4] = [3, 1], [0.15, 0.05], [0.3, 0.1]
    market, _ = tallied(
        sheet(
            scored=np.array([[2], [1]]), log_money=np.array([[-1.5], [-0.9]]),
            brier_exact=np.array([[0.6], [0.3]]), lines=lines, implied=implied, exact=exact,
            staked=np.array([[6, 4], [6, 2]]), carried=np.array([[0, 6], [0, 0]]),
        )
    )  # fmt: skip
    assert market is not None
    assert (market.deals, market.scores[0].races) == (2, 3)
    assert market.scores[0].log == pytest.approx((-0.8, 0, 0))
    assert market.scores[0].brier == pytest.approx((0, 0, 0.3))
    assert [(it.lines, it.implied, it.exact) for it in market.curve] == [(4, 0.05, 0.1)]
    first, second = market.pools
    assert (first.race, first.staked.mean, first.staked.low, first.carried.mean) == (1, 6, 6, 0)
    assert (second.race, second.staked.mean, second.carried.mean) == (2, 3, 3)
    assert second.staked.low == pytest.approx(2.1)  # 5 % of the way from 2 to 4


def test_sheets_of_two_blocks_are_those_of_one():
    both = sheet(tickets=np.array([[1, 2], [3, 4]]), best=np.array([[1.0, 2.0], [3.0, 5.0]]))
    halves = [
        Sheet(**{field.name: getattr(both, field.name)[[deal]] for field in fields(Sheet)}) for deal in (0, 1)
    ]
    assert tallied(both) == tallied(*halves)


def test_a_tournament_reports_what_its_blocks_saw():
    settings = TournamentSettings.of("superfecta", ["favourite", "box"], deals=30, seats=2, races=3)
    result, seen = run(settings), play_block(settings.plan(), 0).market
    told = {it.agent: it for it in result.regrets}
    for entry, agent in enumerate(settings.plan().labels):
        assert (
            told[agent].tickets == seen.tickets[:, entry].sum() == 90
        )  # a table of three races for each deal
        lost = (seen.best - seen.own)[:, entry].sum()
        assert told[agent].regret == pytest.approx(lost / 90, abs=1e-8)
        assert told[agent].regret > 0
    assert result.market is not None
    assert (
        sum(it.lines for it in result.market.curve if it.pool == "WIN") == 4 * result.market.scores[0].races
    )
    assert run(TournamentSettings.of("racing-aces", ["optimal", "random"], deals=5)).market is None
