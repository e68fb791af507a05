"""The exact law of the order of finish against RULES.md, a plain recursion and the laws of probability."""

from collections import defaultdict
from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest

from railbird.games import order_law as module
from railbird.games.errors import InvalidSettings
from railbird.games.order_law import (
    ORDERS,
    line_table,
    order_law,
    order_table,
    parse_rail,
    rail_index,
    rail_probability,
    rails,
    win_law,
    win_table,
)
from railbird.games.track import HORSE_RACE, RACING_ACES, SCARNE, SUPERFECTA, TRACKS, Track

ALL_ORDERS = list(permutations(range(4)))

# RULES.md §4: net odds by the number of rail cards of the suit
RACING_ACES_ODDS = {0: 1, 1: 2, 2: 3, 3: 5, 4: 10}


def law_by_dealing_card_by_card(track, rail, dealt=(0, 0, 0, 0), finished=()):
    """Chance of each complete order, by following every state of the race from one card to the next."""
    chances = {(dealt, finished): Fraction(1)}
    law: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    while chances:
        after: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction] = defaultdict(Fraction)
        for (moved, home), chance in chances.items():
            left = [12 - shown - m for shown, m in zip(rail, moved, strict=True)]
            if len(home) == 3 or sum(left) == 0:  # the last by elimination, the never home by their index
                law[home + tuple(suit for suit in range(4) if suit not in home)] += chance
            else:
                for suit in range(4):
                    if left[suit]:
                        state = state_after(track, moved, home, suit)
                        after[state] += chance * Fraction(left[suit], sum(left))
        chances = after
    return [law[order] for order in ALL_ORDERS]


def state_after(track, dealt, finished, suit):
    moved = tuple(m + (i == suit) for i, m in enumerate(dealt))
    return moved, (*finished, suit) if moved[suit] == track.finish else finished


def best_profit(rail):
    """Largest expected profit of one chip on a suit of this Racing Aces rail."""
    return max(profits(rail))


def profits(rail):
    wins = win_law(RACING_ACES, rail)
    return [win * (RACING_ACES_ODDS[shown] + 1) - 1 for win, shown in zip(wins, rail, strict=True)]


@pytest.mark.parametrize(
    ("rail", "wins"),
    [
        ((2, 2, 1, 1), (0.1892, 0.1892, 0.3108, 0.3108)),
        ((3, 1, 1, 1), (0.0959, 0.3014, 0.3014, 0.3014)),
        ((3, 2, 1, 0), (0.0928, 0.1775, 0.2926, 0.4371)),
        ((5, 1, 0, 0), (0.0073, 0.2472, 0.3728, 0.3728)),
    ],
)
def test_superfecta_win_chances_are_those_of_the_rules(rail, wins):
    assert win_law(SUPERFECTA, rail) == pytest.approx(wins, abs=0.00005)


def test_suit_with_six_on_the_rail_never_wins_and_the_others_are_equal():
    third = Fraction(1, 3)
    assert win_law(SUPERFECTA, (6, 0, 0, 0)) == [0, third, third, third]


def test_likeliest_orders_of_rail_2211_are_the_four_twins_of_spades_clubs_diamonds_hearts():
    law = dict(zip(ALL_ORDERS, order_law(SUPERFECTA, (2, 2, 1, 1)), strict=True))
    twins = {(3, 2, 1, 0), (3, 2, 0, 1), (2, 3, 1, 0), (2, 3, 0, 1)}
    assert {order for order in ALL_ORDERS if law[order] == max(law.values())} == twins
    assert law[3, 2, 1, 0] == pytest.approx(0.0665, abs=0.00005)


@pytest.mark.parametrize(
    ("rail", "share", "best_shows", "win", "profit"),
    [
        ((3, 2, 1, 1), 0.3509, 1, 0.359, 0.078),
        ((2, 2, 2, 1), 0.1930, 1, 0.378, 0.133),
        ((3, 2, 2, 0), 0.1608, 0, 0.546, 0.091),
        ((4, 2, 1, 0), 0.1316, 0, 0.500, 0.0004),
        ((3, 3, 1, 0), 0.0975, 0, 0.521, 0.043),
        ((4, 1, 1, 1), 0.0479, 1, 0.327, -0.020),
        ((4, 3, 0, 0), 0.0183, 0, 0.459, -0.081),
    ],
)
def test_racing_aces_rails_have_the_shares_and_best_bets_of_the_rules(rail, share, best_shows, win, profit):
    twins = set(permutations(rail))
    chances = zip(rails(RACING_ACES), rail_probability(RACING_ACES), strict=True)
    assert sum(chance for twin, chance in chances if twin in twins) == pytest.approx(share, abs=0.00005)
    best = profits(rail).index(best_profit(rail))
    assert rail[best] == best_shows
    assert win_law(RACING_ACES, rail)[best] == pytest.approx(win, abs=0.0005)
    digits = 0.00005 if profit == 0.0004 else 0.0005
    assert best_profit(rail) == pytest.approx(profit, abs=digits)


def test_racing_aces_optimum_and_its_two_rivals_earn_what_the_rules_say():
    best = fewest = every = Fraction(0)
    for rail, chance in zip(rails(RACING_ACES), rail_probability(RACING_ACES), strict=True):
        best += chance * max(best_profit(rail), Fraction(0))
        fewest += chance * profits(rail)[rail.index(min(rail))]
        every += chance * sum(profit for profit in profits(rail) if profit > 0)
    assert best == pytest.approx(0.071857, abs=0.0000005)
    assert fewest == pytest.approx(0.069439, abs=0.0000005)
    assert every == pytest.approx(0.09917, abs=0.000005)


@pytest.mark.parametrize(
    ("track", "rail"),
    [
        (SUPERFECTA, (2, 2, 1, 1)),
        (SUPERFECTA, (0, 3, 1, 2)),
        (SUPERFECTA, (0, 0, 6, 0)),
        (SCARNE, (1, 0, 5, 0)),
        (SCARNE, (0, 6, 0, 0)),
        (RACING_ACES, (1, 2, 0, 4)),
        (RACING_ACES, (2, 1, 2, 2)),
        (Track(8, 9, None), (4, 0, 0, 4)),
        (Track(2, 1, None), (1, 1, 0, 0)),
    ],
)
def test_law_equals_dealing_card_by_card(track, rail):
    assert order_law(track, rail) == law_by_dealing_card_by_card(track, rail)


@pytest.mark.parametrize(
    ("rail", "dealt", "finished"),
    [
        ((2, 2, 1, 1), (5, 4, 6, 2), ()),
        ((0, 0, 0, 6), (9, 6, 3, 6), (0,)),
        ((1, 0, 3, 2), (8, 10, 2, 0), (1, 0)),
    ],
)
def test_law_in_mid_race_equals_dealing_card_by_card(rail, dealt, finished):
    law = law_by_dealing_card_by_card(SUPERFECTA, rail, dealt, finished)
    assert order_law(SUPERFECTA, rail, dealt, finished) == law


@pytest.mark.parametrize(
    ("track", "rail", "dealt", "finished"),
    [
        (SUPERFECTA, (2, 2, 1, 1), (0, 0, 0, 0), ()),
        (SUPERFECTA, (3, 2, 1, 0), (6, 6, 6, 6), ()),
        (SUPERFECTA, (6, 0, 0, 0), (3, 6, 7, 2), (2,)),
        (SUPERFECTA, (1, 1, 1, 3), (9, 6, 7, 6), (2, 0)),
        (SCARNE, (0, 0, 1, 5), (2, 5, 5, 4), ()),
        (RACING_ACES, (4, 2, 1, 0), (1, 7, 3, 7), ()),
    ],
)
def test_law_now_is_the_mean_of_the_laws_after_the_next_card(track, rail, dealt, finished):
    left = [12 - shown - m for shown, m in zip(rail, dealt, strict=True)]
    mean = [Fraction(0)] * 24
    for suit in range(4):
        if left[suit]:
            law = order_law(track, rail, *state_after(track, dealt, finished, suit))
            mean = [m + Fraction(left[suit], sum(left)) * chance for m, chance in zip(mean, law, strict=True)]
    assert order_law(track, rail, dealt, finished) == mean


@pytest.mark.parametrize("track", TRACKS)
def test_chances_of_every_rail_sum_to_exactly_one(track):
    for rail in rails(track):
        assert sum(order_law(track, rail)) == 1
        assert sum(win_law(track, rail)) == 1


def test_renaming_the_suits_renames_the_orders():
    law = dict(zip(ALL_ORDERS, order_law(SUPERFECTA, (3, 2, 1, 0)), strict=True))
    for renamed in permutations(range(4)):  # suit s is called renamed[s]
        rail = [0, 0, 0, 0]
        for suit, shown in enumerate((3, 2, 1, 0)):
            rail[renamed[suit]] = shown
        other = dict(zip(ALL_ORDERS, order_law(SUPERFECTA, rail), strict=True))
        for order, chance in law.items():
            assert other[tuple(renamed[suit] for suit in order)] == chance


def test_suit_that_cannot_finish_is_last_for_certain():
    law = dict(zip(ALL_ORDERS, order_law(SUPERFECTA, (0, 6, 0, 0)), strict=True))
    for order, chance in law.items():
        # The other three have twelve cards each, so their six orders are equally likely.
        assert chance == (Fraction(1, 6) if order[3] == 1 else 0)


def test_suits_that_cannot_finish_are_put_last_in_index_order_and_the_win_chances_stay_right():
    # A horse needs 9 of its 12 cards; hearts and clubs have 8 left.
    track, rail = Track(8, 9, None), (4, 0, 4, 0)
    half = Fraction(1, 2)
    law = dict(zip(ALL_ORDERS, order_law(track, rail), strict=True))
    possible = {order: chance for order, chance in law.items() if chance}
    assert possible == {(1, 3, 0, 2): half, (3, 1, 0, 2): half}
    assert win_law(track, rail) == [0, half, 0, half]


def test_finished_race_has_one_order():
    law = order_law(SUPERFECTA, (1, 2, 1, 2), (7, 3, 7, 8), (3, 0, 2))
    assert law == [Fraction(order == (3, 0, 2, 1)) for order in ALL_ORDERS]


def test_winner_once_home_has_win_chance_one():
    assert win_law(RACING_ACES, (1, 2, 2, 2), (8, 3, 9, 0), (2, 0)) == [0, 0, 1, 0]


def test_horses_all_one_card_short_win_by_the_cards_left_of_each():
    # The next card decides; left in the stock are 12 - 0 - 6 = 6 hearts, 5 diamonds, 4 clubs and 3 spades.
    wins = win_law(SUPERFECTA, (0, 1, 2, 3), (6, 6, 6, 6))
    assert wins == [Fraction(6, 18), Fraction(5, 18), Fraction(4, 18), Fraction(3, 18)]


def test_rails_of_each_track_are_counted_and_in_lexicographic_order():
    # Six cards over four suits: C(9,3) = 84.
    # Seven: C(10,3) = 120, less 4 · C(5,3) = 40 with five or more of one suit.
    assert [len(rails(track)) for track in TRACKS] == [84, 84, 84, 80]
    for track in TRACKS:
        assert rails(track) == sorted(set(rails(track)))
        assert {sum(rail) for rail in rails(track)} == {track.rail}
    assert max(max(rail) for rail in rails(RACING_ACES)) == 4


def test_rail_probability_of_a_superfecta_rail_counts_its_card_sets():
    chance = dict(zip(rails(SUPERFECTA), rail_probability(SUPERFECTA), strict=True))
    # 2,2,1,1: C(12,2)² · 12² of the C(48,6) sets of six cards
    assert chance[2, 2, 1, 1] == Fraction(66**2 * 12**2, comb(48, 6))
    assert chance[0, 6, 0, 0] == Fraction(comb(12, 6), comb(48, 6))


@pytest.mark.parametrize("track", TRACKS)
def test_rail_probabilities_sum_to_one(track):
    assert sum(rail_probability(track)) == 1


def test_racing_aces_rails_are_conditioned_on_no_suit_showing_five():
    chance = dict(zip(rails(RACING_ACES), rail_probability(RACING_ACES), strict=True))
    # Sets of seven with five, six or seven of one suit, the rest from the other 36 cards.
    refused = 4 * (comb(12, 5) * comb(36, 2) + comb(12, 6) * 36 + comb(12, 7))
    assert chance[1, 2, 2, 2] == Fraction(12 * 66**3, comb(48, 7) - refused)


@pytest.mark.parametrize("track", TRACKS)
def test_rail_index_finds_every_rail(track):
    counts = np.array(rails(track), dtype=np.int8)
    np.testing.assert_array_equal(rail_index(track, counts), np.arange(len(counts)))
    grid = counts[:80].reshape(8, 10, 4)
    np.testing.assert_array_equal(rail_index(track, grid), np.arange(80).reshape(8, 10))
    assert rail_index(track, counts[5]) == 5


def test_rail_index_refuses_a_rail_that_cannot_occur():
    counts = np.array([[2, 2, 2, 1], [5, 1, 1, 0]])
    with pytest.raises(InvalidSettings, match=r"\(5, 1, 1, 0\); allowed are 0 to 4 of each .* dealt again"):
        rail_index(RACING_ACES, counts)
    with pytest.raises(InvalidSettings, match=r"\(7, -1, 0, 0\); allowed are 0 to 6 of each .* 6 in all"):
        rail_index(SUPERFECTA, np.array([7, -1, 0, 0]))
    with pytest.raises(InvalidSettings, match=r"\(99, 0, 0, 0\)"):
        rail_index(SUPERFECTA, np.array([[99, 0, 0, 0]]))
    with pytest.raises(InvalidSettings, match=r"\(6, 0, 0, -3\)"):  # not taken for 6, 0, 0, 0
        rail_index(SUPERFECTA, np.array([6, 0, 0, -3]))
    with pytest.raises(InvalidSettings, match=r"float64 of shape \(4,\); allowed are integers of shape"):
        rail_index(SUPERFECTA, np.array([3.0, 1.0, 1.0, 1.0]))
    with pytest.raises(InvalidSettings, match=r"of shape \(2, 3\)"):
        rail_index(SUPERFECTA, np.ones((2, 3), dtype=int))


@pytest.mark.parametrize("track", TRACKS)
def test_tables_are_the_fractions_rounded_once(track):
    for row, rail in enumerate(rails(track)):
        law = order_law(track, rail)
        assert order_table(track)[row].tolist() == [float(chance) for chance in law]
        assert win_table(track)[row].tolist() == [float(chance) for chance in win_law(track, rail)]


def test_lines_are_four_winners_twelve_exactas_and_24_superfectas_in_lexicographic_order():
    rail = (0, 3, 1, 2)
    law = dict(zip(ALL_ORDERS, order_law(SUPERFECTA, rail), strict=True))
    starts = [start for length in (1, 2, 4) for start in permutations(range(4), length)]
    expected = [float(sum(law[o] for o in ALL_ORDERS if o[: len(start)] == start)) for start in starts]
    lines = line_table(SUPERFECTA)[rails(SUPERFECTA).index(rail)]
    assert lines.tolist() == expected


@pytest.mark.parametrize(("table", "columns"), [(win_table, 4), (order_table, 24), (line_table, 40)])
def test_tables_are_shared_and_cannot_be_written(table, columns):
    assert table(SUPERFECTA) is table(SUPERFECTA)
    assert table(SUPERFECTA).shape == (84, columns)
    with pytest.raises(ValueError, match="read-only"):
        table(SUPERFECTA)[0, 0] = 0.5


def test_orders_are_lexicographic_and_cannot_be_written():
    assert ORDERS.dtype == np.int8
    assert ORDERS.tolist() == [list(order) for order in ALL_ORDERS]
    with pytest.raises(ValueError, match="read-only"):
        ORDERS[0, 0] = 1


def test_all_84_superfecta_rails_take_nine_computations():
    # Six cards over four nameless suits: 6, 51, 42, 411, 33, 321, 3111, 222, 2211.
    module._racing_law.cache_clear()
    for rail in rails(SUPERFECTA):
        order_law(SUPERFECTA, rail)
    assert module._racing_law.cache_info().misses == 9


@pytest.mark.parametrize("rail", [(7, -1, 0, 0), (2, 2, 1, 0), (2, 2, 2, 1), (6, 0, 0), (3, 3, 0, 0, 0)])
def test_rail_that_cannot_occur_is_refused(rail):
    with pytest.raises(InvalidSettings, match=r"rail counts are \(.*\); allowed are 0 to 6 of each"):
        order_law(SUPERFECTA, rail)


def test_rail_with_more_than_twelve_of_a_suit_is_refused():
    with pytest.raises(InvalidSettings, match=r"\(13, 1, 0, 0\); allowed are 0 to 12 of each .* 14 in all"):
        win_law(Track(14, 1, None), (13, 1, 0, 0))


def test_racing_aces_rail_that_is_dealt_again_is_refused():
    with pytest.raises(InvalidSettings, match=r"0 to 4 of each .* 7 in all .* 5 or more of a suit"):
        order_law(RACING_ACES, (5, 1, 1, 0))


@pytest.mark.parametrize("dealt", [(-1, 0, 0, 0), (0, 0, 0, 12), (1, 1, 1)])
def test_stock_cards_that_are_not_there_are_refused(dealt):
    with pytest.raises(InvalidSettings, match=r"dealt is .*; .* allowed are 0 to 10, 10, 11, 11 stock"):
        order_law(SUPERFECTA, (2, 2, 1, 1), dealt)


@pytest.mark.parametrize("finished", [(), (0,), (0, 2, 2), (0, 2, 1), (0, 4)])
def test_finished_must_list_exactly_the_horses_that_are_home(finished):
    with pytest.raises(InvalidSettings, match=r"finished is .*; it must list once .* 7 or more .* \[0, 2\]"):
        order_law(SUPERFECTA, (2, 2, 1, 1), (7, 6, 8, 0), finished)


def test_tracks_are_those_of_the_rules():
    # RULES.md §1: rail, finish, and the number of one suit at which the rail is dealt again
    expected = [Track(6, 7, None), Track(6, 7, None), Track(6, 6, None), Track(7, 8, 5)]
    assert list(TRACKS) == expected
    assert expected == [SUPERFECTA, HORSE_RACE, SCARNE, RACING_ACES]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((6, 0, None), "finish is 0; allowed are 1 to 12"),
        ((6, 13, None), "finish is 13; allowed are 1 to 12"),
        ((-1, 7, None), "rail is -1; with finish 7 allowed are 0 to 23"),
        # With 24 on the rail every suit may show six and have six left, and nobody can come home.
        ((24, 7, None), "rail is 24; with finish 7 allowed are 0 to 23"),
        ((7, 8, 2), "reshuffle_at is 2, so no rail of 7 is ever kept; allowed are 3 or more"),
    ],
)
def test_track_that_cannot_be_run_is_refused(values, message):
    with pytest.raises(InvalidSettings, match=message):
        Track(*values)


def test_longest_rail_always_leaves_a_horse_that_can_finish():
    track = Track(23, 7, None)
    assert sum(win_law(track, (6, 6, 6, 5))) == win_law(track, (6, 6, 6, 5))[3] == 1


@pytest.mark.parametrize("text", ["HHDDCS", "scddhh", "h h d d c s", "H,D,H,D,S,C"])
def test_rail_text_is_counted_by_suit(text):
    assert parse_rail(text, HORSE_RACE) == (2, 2, 1, 1)


@pytest.mark.parametrize(
    ("text", "track", "message"),
    [
        ("HHDDCX", SUPERFECTA, "'HHDDCX' has 'X'; allowed are 6 of the letters H, D, C, S"),
        ("HHDDC", SUPERFECTA, "'HHDDC' has 5 cards; this track lays 6"),
        ("", RACING_ACES, "'' has 0 cards; this track lays 7"),
        ("HHHHHDC", RACING_ACES, r"\(5, 1, 1, 0\); allowed are 0 to 4"),
    ],
)
def test_rail_text_that_cannot_be_read_is_refused(text, track, message):
    with pytest.raises(InvalidSettings, match=message):
        parse_rail(text, track)
