"""Bankrolls race by race: written down by hand, bounded, and what a tournament says of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent
from railbird.evaluation import blocks
from railbird.evaluation.blocks import play_block
from railbird.evaluation.match import play
from railbird.evaluation.paths import PathRecorder, kelly_of
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.registry import load
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket


class Planned(Agent[Any]):
    """The same ticket in every race."""

    def __init__(self, settings, text):
        super().__init__(settings)
        self.ticket = parse_ticket(text, settings)

    def act(self, view, draws):
        return np.tile(self.ticket, (len(view.lane), 1))


@dataclass(frozen=True)
class Made:
    """A factory as the registry hands them out."""

    text: str
    ticket: str

    def make(self, settings):
        return Planned(settings, self.ticket)


COVER = Made("cover", "$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S")
WASTER = Made("waster", "$2 WIN H; $1 WIN D; $1 WIN C; $1 WIN S")
NOTHING = Made("nothing", "")
EIGHT = Made("eight", "$2 WIN H; $2 WIN D; $2 WIN C; $2 WIN S")
TEN = Made("ten", "$10 WIN H")
TAKEN = SuperfectaSettings(  # every chip that is staked is taken out
    seats=2, races=5, split="pro_rata", rate=1, bankroll=30, minimum_bets=(1, 1, 1), breakage=1
)


def pool_of_two(*agents, deals=4, races=2, **options):
    rules = SuperfectaSettings(seats=2, races=races, **options)
    return TournamentSettings("superfecta", agents, rules, deals=deals)


def followed(settings):
    """What a tournament that follows bankrolls says of them."""
    found = run(settings).bankrolls
    assert found is not None
    return found


def lines(settings):
    return {line.agent: line for line in followed(settings).standings}


def test_paths_by_hand():
    # Race 1: 9 chips in the WIN pool, 4 to each, 1 is left. Race 2: 9 + 1, 5 to each, nothing is left.
    plan = pool_of_two(WASTER, COVER).plan()
    block = play_block(plan, 0)
    shape = (4, 2, 2, 3)  # deals, tables, seats, races + 1
    assert plan.seating.tolist() == [[0, 1], [1, 0]]
    for table, (waster, cover) in enumerate([(0, 1), (1, 0)]):
        for deal in range(4):
            bankrolls, stakes = block.bankrolls.reshape(shape)[deal, table], block.stakes.reshape(shape)
            assert bankrolls[waster].tolist() == [100, 99, 99]
            assert bankrolls[cover].tolist() == [100, 100, 101]
            assert stakes[deal, table, waster].tolist() == [0, 5, 5]
            assert stakes[deal, table, cover].tolist() == [0, 4, 4]
    assert not block.out.any() and np.isnan(block.kelly).all()
    assert block.followed.tolist() == [0, 1, 2, 3]


def test_what_became_of_the_money_by_hand():
    found = followed(pool_of_two(WASTER, COVER))
    assert (found.deals, found.races, found.start) == (4, 2, 100)
    assert [line.agent for line in found.standings] == ["cover", "waster"]
    cover, waster = found.standings
    assert cover.paths == waster.paths == 8  # four deals, both seats
    assert waster.mean_growth == waster.median_growth == pytest.approx(log(0.99) / 2, abs=1e-9)
    assert cover.mean_growth == pytest.approx(log(1.01) / 2, abs=1e-9)
    assert cover.growth_interval == (cover.mean_growth, cover.mean_growth)  # no game is like another by luck
    assert (waster.roi, cover.roi) == (-0.1, 0.125)  # -1 of 10 chips, 1 of 8
    assert (waster.hit_rate, cover.hit_rate) == (0.0, 0.5)  # -1 and 0; 0 and 1
    assert (waster.turnover, cover.turnover) == (0.1, 0.08)
    assert (waster.drawdown, cover.drawdown) == (0.01, 0.0)
    assert (cover.ruin, cover.broke, cover.kelly_multiple) == (0.0, 0.0, None)
    # none seen in four independent deals: 1 - 0.05^(1/4) = 0.5271
    assert cover.ruin_at_most == pytest.approx(0.5271, abs=1e-4)
    assert waster.fan == ((100.0,) * 5, (99.0,) * 5, (99.0,) * 5)


def test_who_goes_bust_and_who_does_not():
    # eight: 30, 22, 14, 6, then its ticket is refused; 6 chips pay for other bets. ten: 30, 20, 10, 0.
    found = lines(TournamentSettings("superfecta", (EIGHT, TEN), TAKEN, deals=3))
    assert [after[2] for after in found["eight"].fan] == [30, 22, 14, 6, 6, 6]
    assert [after[2] for after in found["ten"].fan] == [30, 20, 10, 0, 0, 0]
    assert (found["eight"].ruin, found["ten"].ruin) == (0.0, 1.0)
    assert (found["eight"].broke, found["ten"].broke) == (0.0, 1.0)
    assert (found["eight"].drawdown, found["ten"].drawdown) == (0.8, 1.0)
    assert found["ten"].mean_growth == pytest.approx(log(1 / 30) / 5, abs=1e-9)  # one chip stands for none
    assert found["ten"].ruin_at_most == 1.0


def test_who_has_chips_but_too_few_for_a_bet_is_ruined_not_broke():
    # the cheapest bet costs 5: 12 chips, 7, and 2 are left
    rules = replace(TAKEN, bankroll=12, minimum_bets=(5, 5, 5))
    five, nothing = Made("five", "$5 WIN H"), Made("nothing", "")
    found = lines(TournamentSettings("superfecta", (five, nothing), rules, deals=3))
    assert [after[2] for after in found["five"].fan] == [12, 7, 2, 2, 2, 2]
    assert (found["five"].ruin, found["five"].broke) == (1.0, 0.0)
    assert (found["nothing"].ruin, found["nothing"].broke) == (0.0, 0.0)


def test_a_game_that_ends_early_stays_as_it_is():
    # A player brings one ante; the game is over as soon as no more than one of them can pay another.
    spec = load("pasteboard-derby")
    rules = spec.make_settings(seats=3, races=6, bankroll=1, ante=1)
    agents = [parse_agent(text, spec.name).make(rules) for text in ("random", "loyal", "equilibrium")]
    tables = 40
    paths = PathRecorder(tables, rules.races)
    seating = np.tile(np.arange(3), (tables, 1))
    match = play(spec, rules, 3, np.arange(tables), agents, seating, [paths])
    assert (match.turns < 6).any()
    for table, turns in enumerate(match.turns):
        rest = paths.bankrolls[table, :, turns:]
        assert (rest == 1 + match.cash[table][:, None]).all()
        assert not paths.stakes[table, :, turns + 1 :].any()
        assert (paths.out[table, :, turns:] == (rest < 1)).all()
    assert (paths.stakes.sum(axis=2) == match.staked).all()


def test_who_never_bets_has_no_returns_and_no_hits():
    line, twin = followed(pool_of_two(NOTHING, NOTHING)).standings
    assert (line.roi, line.roi_interval, line.hit_rate) == (None, (None, None), None)
    assert (line.mean_growth, line.turnover, line.drawdown, line.ruin) == (0.0, 0.0, 0.0, 0.0)
    assert (twin.roi, twin.fan) == (line.roi, line.fan)


def test_the_last_bankrolls_are_what_the_tables_paid():
    plan = TournamentSettings.of("horse-race", ["kelly", "random", "favourite"], deals=5, races=3).plan()
    block = play_block(plan, 0)
    paths = block.bankrolls.reshape(5, -1, plan.races + 1)
    np.testing.assert_array_equal(paths[:, :, -1] - paths[:, :, 0], block.game_cash)
    entries = np.arange(len(plan.labels))
    staked = block.stakes.reshape(5, -1, plan.races + 1).sum(axis=2) @ (
        plan.seating.ravel()[:, None] == entries
    )
    np.testing.assert_array_equal(staked, block.staked)


def test_no_more_deals_are_followed_than_are_kept(monkeypatch):
    # two tables of two seats and three bankrolls a deal: 12
    monkeypatch.setattr(blocks, "TABLES_PER_BLOCK", 4)  # two deals a block
    monkeypatch.setattr(blocks, "FOLLOWED", 3)
    settings = pool_of_two(WASTER, COVER, deals=6)
    assert [play_block(settings.plan(), number).followed.tolist() for number in range(3)] == [[0, 1], [2], []]
    assert followed(settings).deals == 3
    monkeypatch.setattr(blocks, "BANKROLLS", 35)
    assert settings.plan().followed == 2
    monkeypatch.setattr(blocks, "BANKROLLS", 11)
    assert settings.plan().bankrolls == settings.plan().followed == 0
    assert run(settings).bankrolls is None


@pytest.mark.parametrize(
    ("game", "agents", "options"),
    [
        ("save-the-bet", ["random", "shortest"], {"max_turns": 2}),  # nobody brings chips
        ("bookmaker", ["margin"], {"races": 2}),  # the house brings none
        ("superfecta", ["null"], {"seats": 2, "races": 2, "bankroll": 0}),
    ],
)
def test_without_a_bankroll_there_is_nothing_to_follow(game, agents, options):
    assert run(TournamentSettings.of(game, agents, deals=2, **options)).bankrolls is None


def test_full_kelly_stakes_what_kelly_stakes_and_half_kelly_less():
    agents = ["kelly:fraction=1.0", "kelly:fraction=0.5", "null"]
    stakes = tuple(range(1, 101))
    found = lines(
        TournamentSettings.of("racing-aces", agents, deals=20, races=4, bankroll=1_000, stakes=stakes)
    )
    full, half, none = (found[agent].kelly_multiple for agent in agents)
    assert (full, none) == (1.0, 0.0)
    assert 0.4 < half < 0.6  # stakes are rounded down to whole chips


def test_where_kelly_stakes_nothing_there_is_no_multiple():
    # the house keeps a quarter or more of every bet at Horse Race's odds
    found = followed(TournamentSettings.of("horse-race", ["random"], deals=2, races=2)).standings
    assert all(line.kelly_multiple is None and line.turnover > 0 for line in found)


def test_where_the_odds_come_from_the_bets_kelly_is_not_known():
    assert kelly_of(SuperfectaSettings()) is None
