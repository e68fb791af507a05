"""Streams of chance: reference vectors, independence, uniformity."""

import hashlib

import numpy as np
import pytest

from railbird.games.errors import InvalidSettings
from railbird.games.race import DECK, DECK_SIZE
from railbird.games.streams import GOLDEN, Draws, extend, root_key, splitmix64
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta


def first_deals(game: Superfecta) -> np.ndarray:
    """Rail and stock of each lane's first race, as far as dealt, padded: (lanes, 48)."""
    game.start()
    game.submit(game.blank())
    deals = np.full((game.lanes, DECK_SIZE), -1, np.int8)
    for lane in range(game.lanes):
        dealt = game.dealt(lane)
        deals[lane, : len(dealt)] = dealt
    return deals


def test_splitmix64_gives_the_published_numbers():
    # The widely published outputs of SplitMix64 for seed 1234567 and the golden gamma.
    out = np.empty(5, np.uint64)
    splitmix64(out, np.uint64(1234567), GOLDEN)
    assert out.tolist() == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_no_two_of_100_seeds_by_64_lanes_share_a_first_deck():
    decks = {deal.tobytes() for seed in range(100) for deal in first_deals(Superfecta(seed=seed, lanes=64))}
    assert len(decks) == 100 * 64


def test_first_rail_cards_are_uniform_by_chi_square():
    game = Superfecta(seed=11, lanes=48_000)
    game.start()
    seen = np.bincount(game.state.rail_cards[:, 0], minlength=52)[DECK]
    assert seen.sum() == 48_000
    chi_square = ((seen - 1000) ** 2 / 1000).sum()  # 48,000 / 48 cards = 1,000 each
    # 47 degrees of freedom: mean 47, sd sqrt(94) = 9.7; five sd either side
    assert 10 < chi_square < 96


def test_first_stock_cards_are_uniform_by_chi_square():
    game = Superfecta(SuperfectaSettings(races=1), seed=12, lanes=9_600)
    seventh = first_deals(game)[:, 6]
    seen = np.bincount(seventh, minlength=52)[DECK]
    chi_square = ((seen - 200) ** 2 / 200).sum()  # 9,600 / 48 = 200 each
    assert 10 < chi_square < 96


@pytest.mark.parametrize("lanes", [3, 64])
def test_lane_0_plays_the_same_episodes_whatever_the_number_of_lanes(lanes):
    def history(count):
        game, digest = Superfecta(SuperfectaSettings(races=2), seed=5, lanes=count), hashlib.sha256()
        for _ in range(100):
            game.start()
            for _ in range(2):
                game.submit(game.blank())
                digest.update(game.dealt(0).tobytes())
        return digest.hexdigest()

    assert history(lanes) == history(1)


def test_actions_of_lane_0_leave_lane_1_alone():
    quiet, busy = Superfecta(seed=3, lanes=2), Superfecta(seed=3, lanes=2)
    quiet.start()
    busy.start()
    tickets = busy.blank()
    tickets[0, :, 0] = 5
    for race in range(12):
        quiet.submit(quiet.blank())
        busy.submit(tickets)
        assert quiet.dealt(1).tolist() == busy.dealt(1).tolist(), race
    assert (busy.state.bankrolls[1] == 100).all()


def test_a_lane_number_names_its_chance_not_its_position():
    whole, part = Superfecta(seed=9, lanes=8), Superfecta(seed=9, lanes=[5, 2])
    assert first_deals(whole)[[5, 2]].tolist() == first_deals(part).tolist()


def test_an_episode_is_played_again_only_under_its_own_seed():
    game = Superfecta(seed=1, lanes=2)
    game.start()
    first = game.state.rail_cards.copy()
    game.start()
    assert (game.state.rail_cards != first).any()
    game.start(seeds=1)
    assert (game.state.rail_cards == first).all()


def test_draws_do_not_depend_on_the_rows_beside_them():
    keys = extend(np.full(5, root_key(7)), np.arange(5))
    together, alone = Draws(keys), Draws(keys[3:4])
    assert together.uniform(4)[3].tolist() == alone.uniform(4)[0].tolist()
    assert together.integers(6, 9)[3].tolist() == alone.integers(6, 9)[0].tolist()
    assert together.rows(np.array([3])).uniform(2).tolist() == Draws(keys[3:4]).uniform(2).tolist()


def test_bounded_draws_are_uniform_for_each_row_bound():
    keys = extend(np.full(2, root_key(7)), np.arange(2))
    drawn = Draws(keys).integers(np.array([3, 7]), 21_000)
    for row, bound in enumerate((3, 7)):
        seen = np.bincount(drawn[row], minlength=bound)
        expected = 21_000 / bound
        assert len(seen) == bound
        # binomial: five sd of a count with chance 1/bound
        assert (abs(seen - expected) < 5 * (expected * (1 - 1 / bound)) ** 0.5).all()


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, None])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(InvalidSettings, match="a root seed is an integer of 0 or more"):
        root_key(seed)


def test_seeds_beyond_64_bits_are_told_apart():
    assert len({int(root_key(seed)) for seed in (0, 1, 2**64, 2**64 + 1, 2**128)}) == 5


@pytest.mark.parametrize("high", [0, 2**32 + 1])
def test_draws_below_an_impossible_bound_are_refused(high):
    with pytest.raises(InvalidSettings, match=r"a bound of 1 to 2\^32"):
        Draws(np.zeros(1, np.uint64)).integers(high, 1)
