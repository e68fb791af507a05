"""What a newcomer gains, what two win of each other, and the mixture that follows."""

import numpy as np
import pytest

from railbird.agents.seating import parse_banker, parse_player
from railbird.evaluation.tournament import TournamentSettings, run
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load
from railbird.training.best_reply import Gain, Mixture, Payoff, gain_over, pay_off, payoff_matrix
from railbird.training.league import League, LeagueSettings, mixture_of, mixture_text, round_run, taken_in
from railbird.training.run_settings import make_run

SHORT = {"suits": 2, "ranks": 5, "hand_size": 2, "target": 5, "max_turns": 20}  # Save The Bet with 9 cards
GAMES = {
    "save-the-bet": (SHORT, ("random", "hoarder", "likeliest")),
    "superfecta": ({"seats": 4, "races": 2}, ("random", "box", "null")),
    "horse-race": ({"seats": 3, "races": 2}, ("random", "favourite", "null")),
    "pasteboard-derby": ({"races": 2}, ("random", "crowd", "loyal")),
}


def agents_of(game, names=None):
    rules = load(game).make_settings(**GAMES[game][0])
    specs = tuple(parse_player(name, load(game), rules) for name in names or GAMES[game][1])
    return specs, rules, parse_banker("", load(game), rules)


@pytest.mark.parametrize("game", GAMES)
def test_agent_gains_exactly_nothing_over_itself(game):
    (first, *_), rules, banker = agents_of(game)
    found = gain_over(Mixture((first,), (1.0,)), first, rules, banker, 60, 1)
    assert (found.gain, found.cash_gain, found.interval) == (0, 0, (0, 0))
    assert not found.significant


def test_gain_is_the_difference_that_a_tournament_of_two_finds():
    """Against one agent only, in a game one wins of the other: its place earns the newcomer what a duel says,
    and that agent earns nothing of itself.
    """
    (random, hoarder, _), rules, banker = agents_of("save-the-bet")
    found = gain_over(Mixture((random,), (1.0,)), hoarder, rules, banker, 4_000, 1)
    duel = run(TournamentSettings("save-the-bet", (hoarder, random), rules, 4_000, 7, substitutes=0)).duels[0]
    low, high = found.interval
    assert low is not None and high is not None and low > 0
    half = high - found.gain
    assert abs(found.gain - duel.profit) < 2 * half  # two estimates, each from deals of its own
    assert abs(found.own - duel.profit) < 2 * half


def test_worse_agent_gains_nothing():
    (random, hoarder, _), rules, banker = agents_of("save-the-bet")
    found = gain_over(Mixture((hoarder,), (1.0,)), random, rules, banker, 1_000, 1)
    high = found.interval[1]
    assert high is not None and high < 0
    assert not found.significant


def test_who_never_bets_gains_what_the_bettors_lose():
    """Horse Race against a house that takes a margin: random bettors lose, so staying out gains."""
    (random, _, null), rules, banker = agents_of("horse-race")
    found = gain_over(Mixture((random,), (1.0,)), null, rules, banker, 500, 1)
    assert found.own == 0
    assert found.significant


def test_gain_is_the_same_however_many_deals_are_played_at_once(monkeypatch):
    specs, rules, banker = agents_of("superfecta")
    mixture = Mixture(specs[:2], (0.5, 0.5))
    whole = gain_over(mixture, specs[2], rules, banker, 50, 1)
    monkeypatch.setattr("railbird.training.best_reply.TABLES_PER_BLOCK", 14)
    parts = gain_over(mixture, specs[2], rules, banker, 50, 1)
    assert parts.gain == pytest.approx(whole.gain, abs=1e-9)
    assert parts.interval == pytest.approx(whole.interval, abs=1e-9)


def test_mixture_seats_its_members_by_weight():
    specs, _, _ = agents_of("superfecta")
    seated = Mixture(specs, (0.75, 0.25, 0.0)).seat(np.arange(5_000), 4, 1)
    share = np.bincount(seated.ravel(), minlength=3) / seated.size
    assert abs(share[0] - 0.75) < 4 * np.sqrt(0.75 * 0.25 / 20_000)
    assert share[2] == 0
    assert (Mixture(specs, (0.75, 0.25, 0.0)).seat(np.arange(7, 9), 4, 1) == seated[7:9]).all()


def test_few_deals_conclude_nothing():
    assert Gain(1.0, (0.5, 1.5), 1.0, 1.0, 30).significant
    assert not Gain(1.0, (0.5, 1.5), 1.0, 1.0, 29).significant
    assert not Gain(1.0, (None, None), 1.0, 1.0, 1).significant
    assert not Gain(1.0, (0.0, 2.0), 1.0, 1.0, 100).significant


def test_payoff_is_the_duel_of_a_tournament():
    (random, hoarder, _), rules, _ = agents_of("save-the-bet")
    duel = run(TournamentSettings("save-the-bet", (random, hoarder), rules, 100, 3, substitutes=0)).duels[0]
    assert pay_off(random, hoarder, rules, 100, 3) == Payoff(duel.profit, duel.interval)


def paid(*values):
    """The payoffs of every two of three members."""
    places = ((0, 1), (0, 2), (1, 2))
    return tuple((a, b, Payoff(v, (v, v))) for (a, b), v in zip(places, values, strict=True))


def test_payoffs_fill_an_antisymmetric_matrix():
    matrix = payoff_matrix(3, paid(0.25, -0.5, 1.0))
    assert matrix.tolist() == [[0, 0.25, -0.5], [-0.25, 0, 1], [0.5, -1, 0]]


def test_mixture_of_rock_paper_scissors_is_the_equilibrium():
    # rock loses 1 to paper and wins 2 of scissors, paper loses 1 to scissors. For the payoffs a, b, c of
    # (rock, paper) = -1, (rock, scissors) = 2, (paper, scissors) = -1 the equilibrium of a 3 by 3
    # antisymmetric game is proportional to (c, -b, a) = (-1, -2, -1): a quarter, a half, a quarter
    found = mixture_of(3, paid(-1.0, 2.0, -1.0), contest=True)
    assert found == pytest.approx((0.25, 0.5, 0.25), abs=1e-4)
    assert sum(found) == pytest.approx(1)


def test_beaten_member_has_no_weight_at_all():
    # the last beats both others
    assert mixture_of(3, paid(0.5, -0.5, -0.5), contest=True) == (0, 0, 1)


def test_members_weigh_the_same_where_more_than_two_sit():
    assert mixture_of(4, (), contest=False) == (0.25,) * 4


def league_of(members=("a", "b"), mixture=(0.25, 0.75)):
    return League("save-the-bet", members, mixture, (), (), settled=False)


def gained(low):
    return Gain(low + 0.1, (low, low + 0.2), 0.0, 0.0, 100)


def test_who_gains_is_taken_in_and_who_does_not_ends_the_league():
    newcomer = parse_player("hoarder", load("save-the-bet"), load("save-the-bet").make_settings())
    league = taken_in(league_of(), newcomer, gained(0.01))
    assert (league.members, league.mixture, league.settled) == (("a", "b", "hoarder"), (), False)
    assert league.rounds[0].mixture == (0.25, 0.75)
    ended = taken_in(league_of(), newcomer, gained(-0.01))
    assert (ended.members, ended.mixture, ended.settled) == (("a", "b"), (0.25, 0.75), True)
    assert (ended.rounds[0].taken, ended.rounds[0].number) == (False, 1)


def test_mixture_is_told_heaviest_first_without_those_of_no_weight():
    assert mixture_text(league_of(("a", "b", "c"), (0.25, 0.75, 0.0))) == "0.75 b, 0.25 a"


def settings_of(game="save-the-bet", rounds=3, pool="random,hoarder", start="newest", **asked):
    run = make_run(game, steps=256, self_play=True, pool=pool, **asked)
    return LeagueSettings(run, rounds, start=start)


def test_round_trains_against_the_mixture_and_nobody_else():
    league = league_of(("random", "hoarder", "shortest"), (0.25, 0.0, 0.75))
    run = round_run(settings_of(seed=5), league, 3)
    assert run.seed == 7
    pool = run.self_play
    assert pool is not None
    assert (pool.pool, pool.weights, pool.shares) == (("random", "shortest"), (0.25, 0.75), (0, 0, 1))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"pool": "snapshots"}, "a league begins with agents: name some, or heuristics, as its pool"),
        ({"pool": "random,snapshots"}, "leave snapshots out of its pool"),
        ({"settings": {"seat": 1}}, "members of a league sit in every seat; leave seat at 'rotate'"),
        ({"rounds": 0}, "rounds is a whole number from 1 to 1,000, not 0"),
        ({"start": "oldest"}, "start is newest or scratch, not 'oldest'"),
    ],
)
def test_league_that_cannot_be_is_refused(asked, message):
    with pytest.raises(InvalidSettings, match=message):
        settings_of(**asked)
