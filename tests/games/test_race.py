"""The race kernel against the plain race and the exact law, on all four tracks. Rule: RULES.md §1."""

import numpy as np
import pytest

import races_oracle
from railbird.games.kernels import kernel
from railbird.games.order_law import ORDERS, order_table, rail_index, rail_probability
from railbird.games.race import DECK, DECK_SIZE, deal_rail, run_race, win_race
from railbird.games.streams import fold, root_key
from railbird.games.track import HORSE_RACE, RACING_ACES, SCARNE, SUPERFECTA

TRACKS = {"superfecta": SUPERFECTA, "horse race": HORSE_RACE, "scarne": SCARNE, "racing aces": RACING_ACES}
ORACLE = {
    "superfecta": races_oracle.SUPERFECTA,
    "horse race": races_oracle.HORSE_RACE,
    "scarne": races_oracle.SCARNE,
    "racing aces": races_oracle.RACING_ACES,
}


@kernel
def race_many(orders, counts, decks, lengths, swaps, cards, deck, key, finish, places, reshuffle_at):
    for i in range(orders.shape[0]):
        stream = fold(key, np.uint64(i))
        deal_rail(deck, cards, swaps, counts[i], fold(stream, np.uint64(1)), reshuffle_at)
        orders[i], lengths[i] = run_race(deck, swaps, fold(stream, np.uint64(2)), finish, places)
        if i < decks.shape[0]:
            decks[i] = deck


def races(track, count, places=3, kept=0, seed=0):
    orders, counts = np.empty(count, np.int64), np.zeros((count, 4), np.int8)
    decks, lengths = np.empty((kept, DECK_SIZE), np.int8), np.empty(count, np.int64)
    scratch = np.empty(track.rail, np.int8), np.empty(track.rail, np.int8), np.empty(DECK_SIZE, np.int8)
    again = track.reshuffle_at or 127
    race_many(orders, counts, decks, lengths, *scratch, root_key(seed), track.finish, places, again)
    return orders, counts, decks, lengths


@pytest.mark.parametrize("name", TRACKS)
@pytest.mark.parametrize("places", [1, 2, 3])
def test_every_deal_is_a_whole_deck_and_the_plain_race_agrees(name, places):
    orders, counts, decks, lengths = races(TRACKS[name], 300, places, kept=300)
    for order, count, deck, length in zip(orders, counts, decks, lengths, strict=True):
        assert sorted(deck) == DECK.tolist()
        record = races_oracle.run_race(deck.tolist(), ORACLE[name], places)
        assert ORDERS[order, :places].tolist() == list(record.order)[:places]
        assert count.tolist() == list(record.rail_counts)
        # the race stops at the card that decides the last place asked for
        stock = deck[TRACKS[name].rail : length] // 13
        assert np.count_nonzero(stock == ORDERS[order, places - 1]) == TRACKS[name].finish
        assert deck[length - 1] // 13 == ORDERS[order, places - 1]


@kernel
def win_many(winners, quick, laid, swaps, cards, counts, deck, key, finish, reshuffle_at):
    for i in range(winners.shape[0]):
        stream = fold(key, np.uint64(i))
        deal_rail(deck, cards, swaps[i], counts, fold(stream, np.uint64(1)), reshuffle_at)
        stock = fold(stream, np.uint64(2))
        quick[i] = win_race(deck, laid, swaps, i, stock, finish)
        winners[i] = run_race(deck, swaps[i], stock, finish, 1)[0] // 6


@pytest.mark.parametrize("name", TRACKS)
def test_the_quicker_way_to_the_winner_finds_the_same(name):
    track, count = TRACKS[name], 100_000
    winners, quick = np.empty(count, np.int64), np.empty(count, np.int64)
    laid, swaps = np.zeros((count, track.rail), np.int8), np.empty((count, track.rail), np.int8)
    scratch = np.empty(track.rail, np.int8), np.empty(4, np.int8), np.empty(DECK_SIZE, np.int8)
    win_many(winners, quick, laid, swaps, *scratch, root_key(3), track.finish, track.reshuffle_at or 127)
    told = quick >= 0
    assert (quick == winners)[told].all()
    assert np.bincount(quick[told], minlength=4).min() > count // 5  # a quarter each
    # it gives up where one of 30 draws at most leaves a rest below 48 of 2^32: 3 in 10^7
    assert np.count_nonzero(~told) <= 2
    assert (laid == swaps).all()


@pytest.mark.parametrize("name", TRACKS)
def test_a_million_races_agree_with_the_exact_law_on_all_24_orders(name):
    track, count = TRACKS[name], 1_000_000
    orders, counts, _, _ = races(track, count, seed=20)
    chance_of_rail = np.array([float(p) for p in rail_probability(track)])
    expected = chance_of_rail @ order_table(track)
    seen = np.bincount(orders, minlength=24) / count
    assert (abs(seen - expected) < 4 * np.sqrt(expected * (1 - expected) / count)).all()
    # and given the rail: chi-square over rails met often enough to expect 10 or more of every possible order
    rail, table = rail_index(track, counts), order_table(track)
    met = np.bincount(rail, minlength=len(table))
    together = np.bincount(rail * 24 + orders, minlength=len(table) * 24).reshape(len(table), 24)
    chi_square = degrees = 0.0
    for place, races_met in enumerate(met):
        possible = table[place] > 0
        assert together[place][~possible].sum() == 0
        wanted = races_met * table[place][possible]
        if wanted.size and wanted.min() >= 10:
            chi_square += ((together[place][possible] - wanted) ** 2 / wanted).sum()
            degrees += possible.sum() - 1
    assert abs(chi_square - degrees) < 4 * np.sqrt(2 * degrees)
    assert degrees > 20


def test_racing_aces_deals_the_rail_again_while_a_suit_shows_five():
    _, counts, _, _ = races(RACING_ACES, 20_000)
    assert counts.max() == 4
    _, counts, _, _ = races(SUPERFECTA, 20_000)
    assert counts.max() >= 5
