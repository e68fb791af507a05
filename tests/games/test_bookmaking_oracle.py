"""The bookmaker's tables against the slow oracles, race by race and chip by chip. Rule: RULES.md §3, §4."""

import numpy as np
import pytest

import horse_race_oracle
import races_oracle
import racing_aces_oracle
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.horse_race.table import HorseRace, ScarneHorseRace
from railbird.games.race import DECK
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces

GAMES = {
    "horse-race": (HorseRace, HorseRaceSettings, races_oracle.HORSE_RACE),
    "scarne-horse-race": (ScarneHorseRace, ScarneHorseRaceSettings, races_oracle.SCARNE),
    "racing-aces": (RacingAces, RacingAcesSettings, races_oracle.RACING_ACES),
}
SHARED = ("seats", "races", "bankroll", "bank", "rotate_every", "max_wager")

# (lanes, settings): small bankrolls, so that tickets are refused, players go broke and suits are closed
QUOTED_HOUSE = [
    (900, {"seats": 6, "races": 3, "bankroll": 120}),
    (700, {"seats": 1, "races": 4, "bankroll": 60, "minimum": 7, "cap": 90}),
    (400, {"seats": 12, "races": 2, "bankroll": 1_000}),
]
QUOTED_ROTATING = [
    (700, {"seats": 6, "races": 5, "bankroll": 60, "minimum": 1, "cap": 60, "rotate_every": 2}),
    (700, {"seats": 3, "races": 6, "bankroll": 20, "minimum": 2, "cap": 30, "rotate_every": 3}),
    (700, {"seats": 2, "races": 6, "bankroll": 130, "rotate_every": 1, "max_wager": 155}),
]
ACES_HOUSE = [
    (900, {"races": 6, "bankroll": 3}),
    (700, {"seats": 5, "races": 3, "bankroll": 12, "max_wagers": 4, "stakes": (1, 2, 5)}),
    (400, {"seats": 12, "races": 2, "bankroll": 1_500, "max_wagers": 2, "stakes": (1, 700, 2_000)}),
]
ACES_ROTATING = [
    (900, {"seats": 4, "races": 6, "bankroll": 8, "max_wagers": 2, "stakes": (1, 2, 3)}),
    (700, {"seats": 2, "races": 5, "bankroll": 5}),
    (400, {"seats": 3, "races": 8, "bankroll": 25, "max_wagers": 4, "stakes": (1, 4, 10), "rotate_every": 2}),
]
ALL = [
    *(
        (game, bank, lanes, options)
        for game in ("horse-race", "scarne-horse-race")
        for bank, cases in (("house", QUOTED_HOUSE), ("rotate", QUOTED_ROTATING))
        for lanes, options in cases
    ),
    *(("racing-aces", "house", lanes, options) for lanes, options in ACES_HOUSE),
    *(("racing-aces", "rotate", lanes, options) for lanes, options in ACES_ROTATING),
]


def oracle_for(name, rules):
    options = {field: getattr(rules, field) for field in SHARED}
    options["cap"] = min(rules.cap, rules.max_wager)
    if name == "racing-aces":
        return racing_aces_oracle.RacingAces(
            racing_aces_oracle.Settings(max_wagers=rules.max_wagers, **options)
        )
    return horse_race_oracle.HorseRace(
        horse_race_oracle.Settings(minimum=rules.minimum, track=GAMES[name][2], **options)
    )


def random_quotes(game, rng):
    """A bank's prices, long and short ones alike."""
    quotes = game.blank()
    quotes[np.arange(game.lanes), game.state.bank] = rng.integers(0, 33, (game.lanes, 4))
    return quotes


def random_tickets(game, rng):
    """Tickets within the limits; some cost more than the player has."""
    offered = np.array(game.settings.stakes)
    shape = (game.lanes, game.seats, 4)
    small = rng.choice(offered[: 1 + len(offered) // 5], shape)
    below = np.searchsorted(offered, game.state.limits, side="right") - 1  # the largest within the limit
    stakes = np.where(rng.random(shape) < 0.4, offered[below][:, None], small)
    suits = rng.integers(0, game.settings.max_wagers + 1, (*shape[:2], 1))
    wanted = np.argsort(rng.random(shape)) < suits
    legal = wanted & (stakes <= game.state.limits[:, None])
    plays = np.arange(game.seats) < game.settings.seats
    bets = plays & (np.arange(game.seats) != game.state.bank[:, None])
    return np.where(legal & bets[:, :, None], stakes, 0).astype(np.int16)


def whole_deck(dealt):
    """The cards dealt, then the others in any order: what the race did not reach does not matter."""
    return [int(card) for card in dealt] + sorted(set(DECK.tolist()) - set(dealt.tolist()))


def as_dicts(tickets, players):
    return [{int(suit): int(t[suit]) for suit in np.flatnonzero(t)} for t in tickets[:players]]


def play_race(game, rng):
    """One race; the prices, the limits and the tickets of each lane."""
    quotes = game.state.quotes
    if game.settings.quoted:
        decided = random_quotes(game, rng)
        quotes = decided[np.arange(game.lanes), game.state.bank]
        game.submit(decided)
        assert (game.profit == 0).all()
    quotes, limits = quotes.tolist(), game.state.limits.tolist()
    tickets = random_tickets(game, rng)
    game.submit(tickets)
    return quotes, limits, tickets


def assert_same_race(game, lane, record, limits):
    state, players = game.state, game.settings.seats
    assert record.rail_counts == tuple(state.last_rail[lane].tolist())
    assert record.winner == state.last_winner[lane]
    assert record.limits == tuple(limits)
    assert (players if record.banker is None else record.banker) == state.last_bank[lane]
    assert record.odds == tuple(horse_race_oracle.PRICES[price] for price in state.last_quotes[lane])
    assert list(record.refused) == state.last_refused[lane, :players].tolist()
    assert list(record.tickets) == as_dicts(state.last_stakes[lane], players)
    assert list(record.payouts) == state.last_payouts[lane, :players].tolist()
    assert list(record.profits) == game.profit[lane, :players].tolist()
    assert list(record.bankrolls) == state.bankrolls[lane, :players].tolist()
    assert record.house_profit == game.profit[lane, players:].sum()


@pytest.mark.parametrize(("name", "bank", "lanes", "options"), ALL)
def test_every_race_equals_the_oracle_chip_by_chip(name, bank, lanes, options):
    table, settings, _ = GAMES[name]
    rules = settings(bank=bank, **options)
    game, rng = table(rules, seed=31, lanes=lanes), np.random.default_rng(31)
    oracles = [oracle_for(name, rules) for _ in range(lanes)]
    game.start()
    for _ in range(rules.races):
        quotes, limits, tickets = play_race(game, rng)
        for lane, oracle in enumerate(oracles):
            deck, written = whole_deck(game.dealt(lane)), as_dicts(tickets[lane], rules.seats)
            told = ([deck], written) if name == "racing-aces" else (deck, quotes[lane], written)
            assert_same_race(game, lane, oracle.play(*told), limits[lane])
            assert oracle.book.house == game.state.bankrolls[lane, rules.seats :].sum()
    assert game.over.all()
    assert game.state.refused.sum() > 0
    assert all(oracle.over for oracle in oracles)


@pytest.mark.parametrize("bank", ["house", "rotate"])
@pytest.mark.parametrize("name", list(GAMES))
def test_expected_profit_equals_the_oracle(name, bank):
    table, settings, _ = GAMES[name]
    offer = {"stakes": (1, 3, 9), "max_wagers": 4} if name == "racing-aces" else {"minimum": 3, "cap": 60}
    rules = settings(seats=3, races=2, bankroll=80, bank=bank, rotate_every=1, **offer)
    game, rng = table(rules, seed=32, lanes=10), np.random.default_rng(32)
    oracles = [oracle_for(name, rules) for _ in range(game.lanes)]
    game.start()
    assert (game.expected_profit() == 0).all()
    for _ in range(rules.races):
        rails = game.state.rail.tolist()
        quotes, _, tickets = play_race(game, rng)
        expected = game.expected_profit()
        for lane, oracle in enumerate(oracles):
            deck, written = whole_deck(game.dealt(lane)), as_dicts(tickets[lane], rules.seats)
            quote = () if name == "racing-aces" else (quotes[lane],)
            exact = oracle.expected_profit(rails[lane], *quote, written)
            assert expected[lane, : rules.seats].tolist() == pytest.approx(
                [float(e) for e in exact], abs=1e-9
            )
            oracle.play([deck] if name == "racing-aces" else deck, *quote, written)
        assert expected.sum(1) == pytest.approx(0, abs=1e-9)  # what one wins another loses
        assert np.abs(expected).max() > 1
