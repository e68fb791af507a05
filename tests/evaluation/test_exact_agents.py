"""How exploitable agents are on small decks, and what the reports say of it."""

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent
from railbird.evaluation.exact import strategies
from railbird.evaluation.exact.enumeration import play_out
from railbird.evaluation.exact.forms import even_behaviour, even_plan, plan_of
from railbird.evaluation.exact.reports import Kind, exploitability_of, solve, solve_kuhn
from railbird.evaluation.exact.responses import best_response, exploitability
from railbird.evaluation.exact.strategies import strategy_of
from railbird.games.errors import InvalidSettings
from railbird.games.save_the_bet.sets import SUIT_SET
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.state import Phase

SETTINGS = SaveTheBetSettings(suits=2, ranks=3, hand_size=2, target=3, max_turns=3)
ONE = np.uint64(1)


@cache
def small():
    return play_out(SETTINGS)


def lowest(cards):
    return cards & (~cards + ONE)


def highest(cards):
    return np.array([1 << int(hand).bit_length() - 1 if hand else 0 for hand in cards], np.uint64)


class Low(Agent[Any]):
    """Bets its lowest card and saves none."""

    def act(self, view, draws):
        return np.where(view.phase == Phase.BET, lowest(view.hand), 0)[:, None].astype(np.uint64)


class Swinging(Low):
    """Bets its lowest card first and its highest after that, by the turn it sees."""

    def second(self, view):
        return view.turn > 0

    def act(self, view, draws):
        bet = np.where(self.second(view), highest(view.hand), lowest(view.hand))
        return np.where(view.phase == Phase.BET, bet, 0)[:, None].astype(np.uint64)


class Counting(Swinging):
    """The same by counting how often it has bet."""

    def begin(self, lanes):
        self.bets = np.zeros(len(lanes), np.int64)

    def second(self, view):
        found = self.bets[view.lane] > 0
        self.bets[view.lane] += view.phase == Phase.BET
        return found


class Tossing(Low):
    """Bets its lowest or its highest card by a coin, heads with a quarter, and saves none."""

    def act(self, view, draws):
        bet = np.where(draws.uniform(1)[:, 0] < 0.25, lowest(view.hand), highest(view.hand))
        return np.where(view.phase == Phase.BET, bet, 0)[:, None].astype(np.uint64)


class Telling(Tossing):
    """The same, and it says so."""

    def chances(self, view, decisions):
        cards = decisions[:, :, 0]
        toss = 0.25 * (cards == lowest(view.hand)[:, None]) + 0.75 * (cards == highest(view.hand)[:, None])
        return np.where((view.phase == Phase.BET)[:, None], toss, cards == 0)


class Boasting(Low):
    def chances(self, view, decisions):
        return np.ones(decisions.shape[:2])


class Cheating(Low):
    """Bets a card it does not hold in its second turn."""

    def act(self, view, draws):
        fair = super().act(view, draws)
        return np.where((view.turn == 1)[:, None], np.uint64(1 << 51), fair)


class Crashing(Low):
    def act(self, view, draws):
        raise RuntimeError("no idea")


@dataclass(frozen=True)
class Made:
    """A factory as the registry hands them out."""

    text: str
    kind: Any

    def make(self, settings):
        return self.kind(settings)


def asked(kind, seat=0, draws=2, seed=1):
    return strategy_of(small(), seat, Made(kind.__name__.lower(), kind), draws, seed)


def report(kind, **options):
    return exploitability_of(Made(kind.__name__.lower(), kind), SETTINGS, **options)


def figures(found):
    return {item.name: (item.value, item.kind) for item in found.figures}


def test_an_agent_that_never_draws_is_a_pure_strategy():
    strategy = asked(Low)
    assert strategy.exact and strategy.faults == 0
    assert set(strategy.behaviour) == {0, 1}
    side, decisions = small().form.sides[0], small().decisions[0]
    for number in range(10):  # the first bets: the lowest card is the first choice of each
        first, last = side.first[number], side.first[number + 1]
        assert strategy.behaviour[first:last].tolist() == [1] + [0] * (last - first - 1)
        assert decisions[first] == min(decisions[first:last])


def test_exploitability_of_a_pure_strategy_is_exact_and_alike_in_both_seats():
    found = figures(report(Low))
    value, kind = found["exploitability"]
    assert kind == Kind.EXACT and value > 0.01
    # The game is alike for both seats, so is the agent: it loses the same in either.
    first, second = (found[f"won by the best response in seat {seat}"][0] for seat in (0, 1))
    assert first == second == pytest.approx(value, abs=1e-9)


def test_an_agent_may_play_its_seats_differently():
    class Lopsided(Low):
        def act(self, view, draws):
            saved = np.where(view.seat == 0, 0, lowest(view.hand & SUIT_SET[np.maximum(view.gamble, 0)]))
            return np.where(view.phase == Phase.BET, lowest(view.hand), saved)[:, None].astype(np.uint64)

    form, found = small().form, figures(report(Lopsided))
    won = []
    for seat in (0, 1):
        rival = plan_of(form.sides[1 - seat], asked(Lopsided, 1 - seat).behaviour)
        won.append(best_response(form, seat, rival).value)
        assert found[f"won by the best response in seat {seat}"][0] == pytest.approx(won[seat], abs=1e-9)
    assert abs(won[0] - won[1]) > 0.01
    # The two cancel out what each plan wins: (1 + 2) / 2 where the best responses win 1 and 2.
    assert found["exploitability"][0] == pytest.approx(sum(won) / 2, abs=1e-9)


def test_what_an_agent_remembers_is_what_led_to_the_information_set():
    for seat in (0, 1):
        seen, counted = asked(Swinging, seat), asked(Counting, seat)
        assert (seen.behaviour != asked(Low, seat).behaviour).any()
        assert (seen.behaviour == counted.behaviour).all()


def test_an_agent_that_draws_is_an_estimate_near_its_chances():
    told, drawn = asked(Telling), asked(Tossing, draws=400)
    assert told.exact and not drawn.exact
    # 400 draws of a quarter: standard error √(0.25 · 0.75 / 400) = 0.022; 5 of them for some thousand sets.
    assert abs(drawn.behaviour - told.behaviour).max() < 0.11
    assert abs(drawn.behaviour - told.behaviour).max() > 0
    assert (drawn.halves[0] + drawn.halves[1]) / 2 == pytest.approx(drawn.behaviour)
    assert (drawn.halves[0] != drawn.halves[1]).any()


def test_the_estimates_of_an_agent_that_draws_lie_around_its_exploitability():
    exact = figures(report(Telling))
    assert all(kind == Kind.EXACT for _, kind in exact.values())
    found = report(Tossing, draws=20)
    values = figures(found)
    assert all(kind == Kind.ESTIMATE for _, kind in values.values())
    high, low = values["exploitability"][0], values["exploitability by responses to other draws"][0]
    assert low < exact["exploitability"][0] < high
    assert "estimated from 20 answers in each information set" in found.notes[0]
    # ten times the draws, and they are nearer together
    values = figures(report(Tossing, draws=200))
    nearer = values["exploitability"][0] - values["exploitability by responses to other draws"][0]
    assert 0 < nearer < (high - low) / 2


def test_answers_do_not_depend_on_how_many_tables_are_asked_at_once(monkeypatch):
    whole = asked(Tossing, draws=7), asked(Counting)
    monkeypatch.setattr(strategies, "TABLES_AT_ONCE", 501)
    parts = asked(Tossing, draws=7), asked(Counting)
    for one, other in zip(whole, parts, strict=True):
        assert (one.behaviour == other.behaviour).all()
        assert (one.halves[0] == other.halves[0]).all()


def test_other_seeds_are_other_draws():
    assert (asked(Tossing, draws=7, seed=1).behaviour != asked(Tossing, draws=7, seed=2).behaviour).any()
    assert (asked(Low, seed=1).behaviour == asked(Low, seed=2).behaviour).all()


def test_the_fallback_stands_for_a_decision_at_fault_and_is_reported():
    # Its second bet is no legal one: the lowest card is bet instead, as `Low` does.
    strategy = asked(Cheating)
    assert (strategy.behaviour == asked(Low).behaviour).all()
    assert strategy.faults > 0 and "only cards in hand are played" in strategy.reason
    noted = " ".join(report(Cheating).notes)
    assert f"Seat 0: at fault in {strategy.faults:,} of the information sets" in noted
    assert report(Low).notes == ()


def test_an_agent_that_raises_is_at_fault():
    tiny = play_out(SaveTheBetSettings(suits=2, ranks=3, hand_size=2, target=3, max_turns=1))
    strategy = strategy_of(tiny, 0, Made("crashing", Crashing), 2, 1)
    # in the ten sets of the first bets, and in those of saves after the lowest card, the fallback, was bet
    reached = plan_of(tiny.form.sides[0], strategy.behaviour)[tiny.form.sides[0].parent] > 0
    assert strategy.faults == reached.sum() > 10
    assert "raised RuntimeError: no idea" in strategy.reason


def test_chances_that_are_none_are_refused():
    with pytest.raises(InvalidSettings, match="agent 'boasting' offers no chances of its decisions"):
        asked(Boasting)


def test_fewer_than_two_draws_are_refused():
    with pytest.raises(InvalidSettings, match="draws is a whole number from 2"):
        asked(Tossing, draws=1)


def test_an_agent_with_nothing_to_choose_is_exact():
    forced = SaveTheBetSettings(suits=2, ranks=3, hand_size=1, target=3, max_turns=4)
    found = exploitability_of(Made("tossing", Tossing), forced)
    assert figures(found)["exploitability"] == (0, Kind.EXACT)


def test_even_play_is_judged_alike_by_plan_and_by_agent():
    class Even(Low):
        def chances(self, view, decisions):
            return np.full(decisions.shape[:2], 1 / decisions.shape[1])

    sides = small().form.sides
    assert (asked(Even).behaviour == even_behaviour(sides[0])).all()
    value = exploitability(small().form, (even_plan(sides[0]), even_plan(sides[1])))
    assert figures(report(Even))["exploitability"] == (pytest.approx(value, abs=1e-9), Kind.EXACT)
    # The registered agent that takes any legal decision with the same chance. Its figures lie around that.
    drawn = figures(exploitability_of(parse_agent("random", "save-the-bet"), SETTINGS, draws=50))
    high, low = drawn["exploitability"][0], drawn["exploitability by responses to other draws"][0]
    assert value - 0.02 < low < high < value + 0.02


NUMBER = re.compile(r"[+-]\d+\.\d+")


REPORTS = {
    "solution": lambda: solve(SETTINGS, 64),
    "kuhn": lambda: solve_kuhn(64),
    "exact agent": lambda: report(Low),
    "drawing agent": lambda: report(Tossing, draws=4),
}


@pytest.mark.parametrize("name", REPORTS)
def test_every_printed_figure_says_what_it_is(name):
    found = REPORTS[name]()
    lines = [line for line in str(found).splitlines() if NUMBER.search(line)]
    assert len(lines) == len(found.figures) >= 3
    for line in lines:
        assert re.search(r"[+-]\d+\.\d{6}  (exact|lower bound|upper bound|estimate)$", line)


def test_a_solution_holds_the_value_between_its_bounds():
    exploited, low, high = solve(SETTINGS, 128).figures
    assert (exploited.kind, low.kind, high.kind) == (Kind.EXACT, Kind.LOWER, Kind.UPPER)
    assert 0 < exploited.value < 1e-3
    assert low.value <= 0 <= high.value  # alike for both seats: worth 0
    # What either seat can be sure of, and the gap between them, is the exploitability twice.
    assert high.value - low.value == pytest.approx(2 * exploited.value, abs=1e-8)


def test_kuhns_value_lies_between_the_bounds():
    exploited, low, high = solve_kuhn().figures
    assert low.value <= -1 / 18 <= high.value
    assert high.value - low.value < 2e-4
    assert exploited.value < 1e-4


def test_a_report_is_the_same_bytes_as_json_each_time():
    found = solve(SETTINGS, 16)
    told = json.loads(found.to_json())
    assert told["game"]["hand_size"] == 2 and told["game"]["max_turns"] == 3
    assert told["figures"][0]["kind"] == "exact"
    assert told["trace"][-1] == [16, told["figures"][0]["value"]]
    assert [at for at, _ in told["trace"]] == [1, 2, 4, 8, 16]
    assert found.to_json() == solve(SETTINGS, 16).to_json()


def test_text_names_the_game_and_its_size():
    tiny = SaveTheBetSettings(suits=2, ranks=3, hand_size=2, target=3, max_turns=1)
    text = str(solve(tiny, 16)).splitlines()
    assert text[0] == (
        "Save The Bet, 2 × 3 cards less an ace, hands of 2, won with 3 cards, at most 1 turn:"
        " CFR+, 16 iterations"
    )
    # 10 hands to bet from, and 36 situations in which there is a choice of saves (test_exact_save_the_bet)
    endings = len(play_out(tiny).form.endings.chance)
    assert text[1] == f"{endings:,} endings, 46 and 46 information sets, all gone through"
