"""Seats that quote and bet: the text of a pair, and which of the two is asked what."""

import pickle

import numpy as np
import pytest

from railbird.agents.bookmaker.balanced import Balanced
from railbird.agents.bookmaker.margin import Margin
from railbird.agents.bookmaking.anchors import Favourite, Null
from railbird.agents.bookmaking.kelly import Kelly
from railbird.agents.bookmaking.pair import Pair, take_rows
from railbird.agents.bookmaking.people import Hunch
from railbird.agents.contract import Agent
from railbird.agents.registry import parse_agent, split_agents
from railbird.games.bookmaking.state import BookmakerView, Phase
from railbird.games.errors import InvalidSettings, UnknownName
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.horse_race.table import HorseRace

RULES = HorseRaceSettings(seats=3, bank="rotate", races=6, rotate_every=1)


class Asked(Agent[BookmakerView]):
    """Notes the lanes it is asked for and answers with a constant."""

    def __init__(self, settings, answer):
        super().__init__(settings)
        self.answer, self.lanes, self.begun, self.first = answer, [], [], []

    def begin(self, lanes):
        self.begun.append(lanes.tolist())

    def act(self, view, draws):
        self.lanes.append(view.lane.tolist())
        self.first.append(draws.uniform(1)[:, 0].tolist())
        return np.full((len(view.lane), 4), self.answer)


def apart(lanes=4):
    """Tables of which the odd ones have been quoted 10 (2/1) by seat 0 and wait for bets."""
    game = HorseRace(RULES, seed=5, lanes=lanes)
    game.start()
    decisions = game.blank()
    decisions[:, 0] = 10
    game.submit(decisions, np.arange(lanes) % 2 == 1)
    return game


def test_a_pair_is_written_with_a_plus():
    spec = parse_agent(" margin:spread=shin, share=.2 + kelly:fraction=1 ", "horse-race")
    assert spec.text == "margin:share=0.2,spread=shin+kelly:fraction=1.0"
    assert spec.name == "margin+kelly"
    assert parse_agent(spec.text, "horse-race") == spec
    assert pickle.loads(pickle.dumps(spec)) == spec
    agent = spec.make(RULES)
    assert isinstance(agent, Pair)
    assert isinstance(agent.banker, Margin)
    assert isinstance(agent.bettor, Kelly)
    assert (agent.banker.share, agent.banker.spread, agent.bettor.fraction) == (0.2, "shin", 1.0)


def test_pairs_stand_in_lists_of_agents():
    text = "margin:share=0.2,spread=shin+kelly:fraction=1,fair+hunch,null"
    assert split_agents(text) == ["margin:share=0.2,spread=shin+kelly:fraction=1", "fair+hunch", "null"]


def test_a_plus_before_a_digit_is_a_number():
    spec = parse_agent("profit:elasticity=1e+1+kelly:fraction=1e+0", "scarne-horse-race")
    assert spec.text == "profit:elasticity=10.0+kelly:fraction=1.0"


@pytest.mark.parametrize(
    ("text", "game", "error", "message"),
    [
        ("kelly+kelly", "horse-race", UnknownName, "there is no agent for bookmaker 'kelly'"),
        ("margin+margin", "horse-race", UnknownName, "there is no agent for horse-race 'margin'"),
        (
            "fair+null+null",
            "horse-race",
            InvalidSettings,
            "'fair.null.null' is no pair; .* as in margin.kelly",
        ),
        ("+null", "horse-race", InvalidSettings, "a pair is banker.bettor"),
        ("fair+null", "racing-aces", UnknownName, "there is no agent for racing-aces 'fair.null'"),
        ("fair+null", "bookmaker", UnknownName, "there is no agent for bookmaker 'fair.null'"),
        ("margin:part=1+null", "horse-race", InvalidSettings, "agent 'margin:part=1' has no option 'part'"),
    ],
)
def test_what_is_no_pair_is_explained(text, game, error, message):
    with pytest.raises(error, match=message):
        parse_agent(text, game)


def test_an_option_out_of_range_names_the_half():
    with pytest.raises(InvalidSettings, match="share is a number from 0 to 1, not 9"):
        parse_agent("margin:share=9+null", "horse-race").make(RULES)


def test_each_half_is_asked_for_its_own_rows():
    game = apart()
    banker, bettor = Asked(RULES, 7), Asked(RULES, 30)
    decided = Pair(RULES, banker, bettor).act(game.view(0), game.draws(0))
    assert banker.lanes == [[0, 2]]
    assert bettor.lanes == [[1, 3]]
    assert decided.tolist() == [[7] * 4, [30] * 4, [7] * 4, [30] * 4]
    drawn = game.draws(0).uniform(1)[:, 0].tolist()  # each row has its own draws, whoever uses them
    assert banker.first == [drawn[::2]]
    assert bettor.first == [drawn[1::2]]


def test_a_half_that_is_not_needed_is_not_asked():
    game = apart()
    banker, bettor = Asked(RULES, 7), Asked(RULES, 30)
    pair = Pair(RULES, banker, bettor)
    for quotes in (True, False):
        lanes = (game.phase == Phase.QUOTE) == quotes
        decided = pair.act(game.view(0, lanes), game.draws(0, lanes))
        assert decided.tolist() == [[7 if quotes else 30] * 4] * 2
    assert banker.lanes == [[0, 2]]
    assert bettor.lanes == [[1, 3]]


def test_numbers_too_large_for_the_wire_are_not_cut():
    game = apart()
    decided = Pair(RULES, Asked(RULES, 2**40), Asked(RULES, 0.5)).act(game.view(0), game.draws(0))
    assert decided[:2].tolist() == [[2**40] * 4, [0.5] * 4]


def test_both_halves_hear_that_a_game_begins():
    banker, bettor = Asked(RULES, 0), Asked(RULES, 0)
    Pair(RULES, banker, bettor).begin(np.array([True, False]))
    assert banker.begun == bettor.begun == [[True, False]]


def test_a_hunch_outlasts_the_races_in_which_the_seat_quotes():
    game = HorseRace(RULES, seed=3, lanes=20)
    game.start()
    pair = Pair(RULES, Margin(RULES), Hunch(RULES))
    pair.begin(np.ones(20, bool))
    backed = []
    while not game.over.all():
        decisions = game.blank()
        decisions[:, :] = 10 * (game.phase[0] == Phase.QUOTE)  # the others quote 2/1 and bet nothing
        if game.to_act[0, 1]:
            decisions[:, 1] = pair.act(game.view(1), game.draws(1))
            if game.phase[0] == Phase.BET:
                backed.append(decisions[:, 1].argmax(1).tolist())
        game.submit(decisions)
    assert len(backed) == 4  # of six races seat 1 keeps the bank in two
    assert backed == [backed[0]] * 4


def test_a_banker_watches_the_races_in_which_its_seat_bets():
    # three races under each bank: seat 1 quotes in races 3 to 5, having only bet in 0 to 2
    rules = HorseRaceSettings(seats=3, bank="rotate", races=6, rotate_every=3, cap=50)
    game = HorseRace(rules, seed=3, lanes=30)
    game.start()
    pair, spectator = Pair(rules, Balanced(rules), Null(rules)), Balanced(rules)
    favourite, late = Favourite(rules), Balanced(rules)
    differs = False
    for agent in (pair, spectator, late):
        agent.begin(np.ones(30, bool))
    while not game.over.all():
        spectator.watch(game.view(1))
        decisions = game.blank()
        if game.phase[0] == Phase.QUOTE:
            decisions[:] = 10
        else:
            decisions[:, 2] = favourite.act(game.view(2), game.draws(2)) if game.races_run[0] < 2 else 0
        if game.to_act[0, 1]:
            decisions[:, 1] = pair.act(game.view(1), game.draws(1))
            if game.phase[0] == Phase.QUOTE:
                assert np.array_equal(decisions[:, 1], spectator.act(game.view(1), game.draws(1)))
                differs |= not np.array_equal(decisions[:, 1], late.act(game.view(1), game.draws(1)))
        game.submit(decisions)
    assert differs  # one that watched nothing before would have quoted otherwise


def test_rows_of_a_view_are_read_only_copies():
    game = apart()
    view = game.view(0)
    part = take_rows(view, np.array([3, 1]))
    assert part.lane.tolist() == [3, 1]
    assert np.array_equal(part.last_stakes, view.last_stakes[[3, 1]])
    assert np.array_equal(part.bankroll, view.bankroll[[3, 1]])
    assert not part.rail.flags.writeable
    assert not np.shares_memory(part.rail, view.rail)
