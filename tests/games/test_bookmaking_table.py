"""The table with a bookmaker: turns, books, copies and views of all three games. Rule: RULES.md §3, §4."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.games.bookmaking.state import Phase
from railbird.games.bookmaking.table import BookmakerTable
from railbird.games.errors import BrokenFile, IllegalDecision, InvalidSettings
from railbird.games.horse_race.settings import HorseRaceSettings, ScarneHorseRaceSettings
from railbird.games.horse_race.table import HorseRace, ScarneHorseRace
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces

TABLES: dict[str, tuple[type[BookmakerTable], Any]] = {
    "horse-race": (HorseRace, HorseRaceSettings(seats=3, races=3, bankroll=200)),
    "horse-race rotating": (HorseRace, HorseRaceSettings(seats=3, races=3, bank="rotate", rotate_every=2)),
    "scarne": (ScarneHorseRace, ScarneHorseRaceSettings(seats=2, races=2)),
    "racing-aces": (RacingAces, RacingAcesSettings(seats=2, races=3, bankroll=4)),
    "racing-aces rotating": (
        RacingAces,
        RacingAcesSettings(seats=3, races=4, bank="rotate", max_wagers=4, stakes=(1, 2, 7)),
    ),
}
every_table = pytest.mark.parametrize("name", list(TABLES))


def opened(name, lanes=1, seed=5):
    table, rules = TABLES[name]
    game = table(rules, seed, lanes)
    game.start()
    return game


def random_turn(game, rng):
    """Legal decisions for the turn each lane is in."""
    offered = np.array(game.settings.stakes)
    quotes = rng.integers(0, 33, (game.lanes, game.seats, 4))
    stakes = rng.choice(offered[:3], quotes.shape)
    suits = np.argsort(rng.random(quotes.shape)) < game.settings.max_wagers
    stakes = np.where(suits & (rng.random(quotes.shape) < 0.6), stakes, 0)
    stakes = np.where(stakes <= game.state.limits[:, None], stakes, 0)
    quoting = (game.phase == Phase.QUOTE)[:, None, None]
    return np.where(quoting, quotes, stakes).astype(np.int16)


def play_out(game, rng):
    """The profits of every turn to the end."""
    profits = []
    while not game.over.all():
        game.submit(random_turn(game, rng))
        profits.append(game.profit.copy())
    return np.array(profits)


def bet(game, seat, **chips):
    """A ticket of one seat, ``H=10``, everybody else passing."""
    decisions = game.blank()
    for suit, stake in chips.items():
        decisions[:, seat, "HDCS".index(suit)] = stake
    return decisions


def quote(game, *prices):
    decisions = game.blank()
    decisions[np.arange(game.lanes), game.state.bank] = prices
    return decisions


def test_the_house_quotes_and_then_the_players_bet():
    game = opened("horse-race")
    assert (game.seats, game.settings.house_seat) == (4, 3)
    assert game.to_act.tolist() == [[False, False, False, True]]
    game.submit(quote(game, 4, 4, 4, 4))
    assert game.to_act.tolist() == [[True, True, True, False]]
    game.submit(game.blank())
    assert game.to_act.tolist() == [[False, False, False, True]]
    play_out(game, np.random.default_rng(0))
    assert not game.to_act.any()


def test_a_rotating_bank_quotes_and_then_the_others_bet():
    game = opened("horse-race rotating")
    assert (game.seats, game.settings.house_seat) == (3, None)
    assert game.to_act.tolist() == [[True, False, False]]
    game.submit(quote(game, 4, 4, 4, 4))
    assert game.to_act.tolist() == [[False, True, True]]


def test_at_published_odds_nobody_quotes():
    game = opened("racing-aces")
    assert game.seats == 3
    for _ in range(3):
        assert game.to_act.tolist() == [[True, True, False]]
        game.submit(game.blank())
    assert game.over.all()
    game = opened("racing-aces rotating")
    assert game.to_act.tolist() == [[False, True, True]]
    game.submit(game.blank())
    assert game.to_act.tolist() == [[True, False, True]]  # the bank has moved on


@every_table
def test_a_game_takes_two_turns_a_race_where_odds_are_quoted_and_else_one(name):
    game = opened(name, lanes=3)
    turns = len(play_out(game, np.random.default_rng(1)))
    assert turns == game.settings.races * (2 if game.settings.quoted else 1)
    assert game.races_run.tolist() == [game.settings.races] * 3


@every_table
def test_books_balance_at_every_turn(name):
    game, rng = opened(name, lanes=50), np.random.default_rng(2)
    brought_in = game.settings.seats * game.settings.bankroll
    while not game.over.all():
        before = game.state.bankrolls.copy()
        game.submit(random_turn(game, rng))
        assert (game.state.bankrolls.sum(1) == brought_in).all()
        assert (game.state.bankrolls[:, : game.settings.seats] >= 0).all()
        assert (game.state.bankrolls - before == game.profit).all()
    assert game.state.last_payouts.max() > 0


def test_a_turn_of_quoting_moves_no_money():
    game = opened("horse-race", lanes=8)
    play = np.random.default_rng(3)
    game.submit(random_turn(game, play))
    game.submit(random_turn(game, play))
    assert game.profit.any()
    assert game.staked.any()
    game.submit(random_turn(game, play))
    assert not game.profit.any()
    assert not game.staked.any()
    assert not game.expected_profit().any()


chips_drawn = st.integers(0, 2**40)
price_drawn = st.integers(0, 32)


@settings(max_examples=200)
@given(
    st.lists(chips_drawn, min_size=2, max_size=12).filter(any),
    st.tuples(price_drawn, price_drawn, price_drawn, price_drawn),
    st.sampled_from([(1, 7), (1, 32_767), (10, 1_000), (999, 2_500)]),
    st.lists(st.tuples(*[st.integers(0, 8)] * 4), min_size=12, max_size=12),
    st.booleans(),
)
def test_a_bank_never_fails_to_pay(bankrolls, prices, sizes, eighths, published):
    seats, (minimum, cap) = len(bankrolls), sizes
    common = {"seats": seats, "races": 2, "bank": "rotate", "rotate_every": 1, "cap": cap}
    game: BookmakerTable
    if published:
        stakes = tuple(range(1, min(cap, 500) + 1))
        game = RacingAces(RacingAcesSettings(stakes=stakes, max_wagers=4, **common), seed=7, lanes=6)
    else:
        game = HorseRace(HorseRaceSettings(minimum=minimum, **common), seed=7, lanes=6)
    game.start()
    game.state.bankrolls[:] = bankrolls
    while game.races_run[0] == 0:  # a race without bets, then the next seat with chips is the bank
        game.submit(game.blank())
    assert (game.state.bankrolls[np.arange(6), game.state.bank] > 0).all()
    if not published:
        game.submit(quote(game, *prices))
    smallest, largest = game.settings.stakes[0], game.settings.stakes[-1]
    most = np.minimum(game.state.limits, largest)[:, None] // smallest  # each bets 0 to 8 eighths of it
    game.submit((most * np.array(eighths[:seats]) // 8 * smallest).astype(np.int16))
    assert game.over.all()
    assert (game.state.bankrolls >= 0).all()
    assert (game.state.bankrolls.sum(1) == sum(bankrolls)).all()


def test_a_bank_can_lose_all_it_has_and_no_more():
    # bank 1,000, 2 bettors: 500 each; at 5/1 the limit is 100, and two winners take the bank's last chip
    game = HorseRace(HorseRaceSettings(seats=3, bank="rotate"), seed=5, lanes=40)
    game.start()
    game.submit(quote(game, 18, 18, 18, 18))
    assert (game.state.limits == 100).all()
    game.submit(bet(game, 1, H=100) + bet(game, 2, H=100))
    won = game.state.last_winner == 0
    assert won.any() and not won.all()
    assert (game.state.bankrolls[won] == [0, 1_500, 1_500]).all()
    assert (game.state.bankrolls[~won] == [1_200, 900, 900]).all()


def test_the_bank_moves_on_after_so_many_races_to_the_next_seat_with_chips():
    game = HorseRace(HorseRaceSettings(seats=4, races=9, bank="rotate", rotate_every=2), lanes=1)
    game.start()
    banks = []
    for _ in range(9):
        banks.append(int(game.state.bank[0]))
        game.submit(game.blank())
        if game.races_run[0] == 3:  # seat 2 is passed over from now on
            game.state.bankrolls[0, 3] += game.state.bankrolls[0, 2]
            game.state.bankrolls[0, 2] = 0
        game.submit(game.blank())
    assert banks == [0, 0, 1, 1, 3, 3, 0, 0, 1]


def test_a_bank_that_is_broken_keeps_the_bank_with_closed_suits_until_it_moves_on():
    game = HorseRace(HorseRaceSettings(seats=3, races=4, bank="rotate", rotate_every=2), lanes=1)
    game.start()
    game.state.bankrolls[0] = [0, 1_500, 1_500]
    game.submit(quote(game, 0, 0, 0, 0))
    assert game.state.limits.tolist() == [[0, 0, 0, 0]]
    with pytest.raises(
        IllegalDecision, match="seat 1: 10 chips on C; the suit is closed, the bank cannot cov"
    ):
        game.submit(bet(game, 1, C=10))


def test_a_seat_with_all_the_chips_keeps_the_bank():
    game = RacingAces(RacingAcesSettings(seats=3, bank="rotate"), lanes=1)
    game.start()
    game.state.bankrolls[0] = [0, 300, 0]
    game.submit(game.blank())
    assert game.state.bank[0] == 1
    game.submit(game.blank())
    assert game.state.bank[0] == 1
    assert game.out.tolist() == [[True, False, True]]


def test_a_ticket_beyond_the_players_chips_is_refused_whole():
    game = HorseRace(HorseRaceSettings(seats=2, bankroll=50), seed=1)
    game.start()
    game.submit(quote(game, 10, 10, 10, 10))
    game.submit(bet(game, 0, H=10, D=50) + bet(game, 1, H=50))
    assert game.state.last_stakes[0].sum(1).tolist() == [0, 50, 0]
    assert game.refused.tolist() == [[True, False, False]]
    assert game.staked.tolist() == [[0, 50, 0]]
    assert game.state.refused.tolist() == [[1, 0, 0]]
    assert game.profit[0, 0] == 0
    game.submit(quote(game, 10, 10, 10, 10))
    assert not game.refused.any()


@every_table
def test_a_saved_table_plays_the_same_future_from_every_turn(name):
    game, rng = opened(name, lanes=4), np.random.default_rng(6)
    while not game.over.all():
        saved = game.save()
        copy = TABLES[name][0](game.settings, seed=99, lanes=4)
        copy.load(saved)
        seed = int(rng.integers(1_000))
        there = play_out(copy, np.random.default_rng(seed))
        game.load(saved)
        assert (play_out(game, np.random.default_rng(seed)) == there).all()
        game.load(saved)
        game.submit(random_turn(game, rng))


def test_a_state_of_other_seats_is_not_loaded():
    with pytest.raises(BrokenFile, match="of a saved horse-race state is"):
        opened("horse-race").load(opened("horse-race rotating").save())


@every_table
def test_a_lane_plays_the_same_alone_and_beside_others(name):
    table, rules = TABLES[name]
    many, alone = table(rules, 5, 7), table(rules, 5, [4])
    many.start()
    alone.start()
    for _ in range(2):
        assert (many.state.rail_cards[4] == alone.state.rail_cards[0]).all()
        decisions = random_turn(many, np.random.default_rng(8))
        many.submit(decisions)
        alone.submit(decisions[4:5])
        assert (many.profit[4] == alone.profit[0]).all()


def test_lanes_in_different_phases_play_together_and_others_are_left_alone():
    game, twin = opened("horse-race", lanes=3), opened("horse-race", lanes=3)
    first, second = np.array([True, False, False]), np.array([False, True, False])
    quotes = quote(game, 10, 11, 12, 13)
    game.submit(quotes, first)
    assert game.phase.tolist() == [Phase.BET, Phase.QUOTE, Phase.QUOTE]
    assert game.to_act.tolist() == [[True, True, True, False]] + [[False, False, False, True]] * 2
    mixed = np.where(first[:, None, None], bet(game, 1, D=20), quotes)
    before = game.save()
    game.submit(mixed, first | second)
    twin.submit(quotes, first)
    twin.submit(bet(twin, 1, D=20), first)
    twin.submit(quotes, second)
    for name, after in game.save().items():
        assert (after[2] == before[name][2]).all()
        assert (after == twin.save()[name]).all()
    assert game.state.last_stakes[0, 1].tolist() == [0, 20, 0, 0]


@every_table
def test_a_view_shows_public_facts_and_owns_its_memory(name):
    game = opened(name, lanes=2)
    while not game.over.all():
        view, other = game.view(0), game.view(1)
        for field in fields(view):
            shown = getattr(view, field.name)
            assert not shown.flags.writeable
            assert shown.base is None
            if field.name != "seat":
                assert (shown == getattr(other, field.name)).all()
        assert (view.bankroll == game.state.bankrolls[:, 0]).all()
        if game.phase[0] == Phase.QUOTE:
            assert (view.quotes == -1).all()
            assert (view.limits == 0).all()
        game.submit(random_turn(game, np.random.default_rng(9)))


@every_table
def test_a_table_made_from_a_view_shows_the_same_and_goes_on_with_another_stock(name):
    game, rng = opened(name, lanes=8), np.random.default_rng(10)
    other_stock = False
    while not game.over.all():
        view = game.view(1)
        copy = TABLES[name][0].from_view(game.settings, view, None, seed=77)
        again = copy.view(1)
        for field in fields(view):
            assert getattr(view, field.name).tobytes() == getattr(again, field.name).tobytes()
        decisions = random_turn(game, rng)
        game.submit(decisions)
        copy.submit(decisions)
        assert copy.phase.tolist() == game.phase.tolist()
        assert copy.over.tolist() == game.over.tolist()
        other_stock |= bool((copy.state.last_winner != game.state.last_winner).any())
    assert other_stock
    ended = TABLES[name][0].from_view(game.settings, game.view(0), None, seed=77)
    assert ended.over.all()


def test_nothing_hidden_is_asked_of_a_table_made_from_a_view():
    game = opened("racing-aces")
    with pytest.raises(InvalidSettings, match="at racing-aces a seat lacks nothing but chance"):
        RacingAces.from_view(game.settings, game.view(0), np.zeros(1), seed=1)


@every_table
def test_the_cards_dealt_are_the_rail_and_then_the_stock_to_the_winner(name):
    game, rng = opened(name, lanes=20), np.random.default_rng(11)
    finish = game.settings.course.finish
    with pytest.raises(InvalidSettings, match="no race has been run in lane 0"):
        game.dealt(0)
    while not game.over.all():
        rails = game.state.rail_cards.copy()
        game.submit(random_turn(game, rng))
        if game.settings.quoted and game.phase[0] == Phase.BET:
            continue
        for lane in range(20):
            cards, winner = game.dealt(lane), game.state.last_winner[lane]
            laid, stock = cards[: rails.shape[1]], cards[rails.shape[1] :] // 13
            assert laid.tolist() == rails[lane].tolist()
            assert len(set(cards.tolist())) == len(cards)
            assert stock[-1] == winner  # the race stops at the winner
            assert np.bincount(stock, minlength=4).max() == finish
            assert game.dealt(lane, places=3)[: len(cards)].tolist() == cards.tolist()


def test_the_cards_of_a_race_run_elsewhere_are_not_made_up():
    game = opened("racing-aces")
    game.submit(game.blank())
    copy = RacingAces.from_view(game.settings, game.view(0), None, seed=3)
    with pytest.raises(InvalidSettings, match="the last race of lane 0 was run elsewhere"):
        copy.dealt(0)
    copy.submit(copy.blank())
    assert len(copy.dealt(0)) >= 7 + 8


def test_bets_do_not_change_the_cards():
    one, other = opened("horse-race", lanes=5), opened("horse-race", lanes=5)
    for turn in range(6):
        one.submit(random_turn(one, np.random.default_rng(turn)))
        other.submit(random_turn(other, np.random.default_rng(100 + turn)))
        assert (one.state.rail_cards == other.state.rail_cards).all()
        assert (one.state.last_winner == other.state.last_winner).all()


def test_every_race_has_cards_of_its_own():
    game = opened("scarne", lanes=2)
    rails = [game.state.rail_cards.copy()]
    game.submit(game.blank())
    game.submit(game.blank())
    rails.append(game.state.rail_cards.copy())
    game.start()
    rails.append(game.state.rail_cards.copy())
    laid = {tuple(rail.tolist()) for rail in np.concatenate(rails)}
    assert len(laid) == 6
