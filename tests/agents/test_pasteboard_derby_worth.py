"""What naming a horse is worth: by hand, and against every choice of the others settled one by one."""

import itertools

import numpy as np
import pytest

from railbird.agents.pasteboard_derby.backer import rivals
from railbird.agents.pasteboard_derby.worth import Pricer
from railbird.games.pasteboard_derby.bank import settle
from railbird.games.pasteboard_derby.law import OTHER_COLOUR, SAME_COLOUR, pair_chances
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby

SIX = PasteboardDerbySettings()
TWO_PLACES = PasteboardDerbySettings(places=2)


def look(rules=SIX, seat=0, bank=0, race=1, broke=()):
    """A seat's view of one table before a race."""
    game = PasteboardDerby(rules, seed=0)
    game.start()
    game.state.turn[:] = race
    game.state.bank[:] = bank
    game.state.bankrolls[:, list(broke)] = rules.ante - 1
    return game.view(seat)


def sure(names):
    """A forecast that is certain: the horse of each seat, as a text."""
    return np.array([[[horse == name for horse in "HDCS"] for name in names]], float)


def worth(view, forecast, rules=SIX):
    return Pricer(rules).worth(view, forecast)[0]


@pytest.mark.parametrize(
    ("bank", "race", "broke", "names", "expected"),
    [
        # others H 2, D 2, C 1, S 0; 12 to be won, 1/6 of what stays counts; each line is /4
        #   H: 4 + 12/6 (S wins)    C: 6 + 12/6    S: 12
        (0, 1, (), "-HHDDC", [6 / 4, 6 / 4, 8 / 4, 12 / 4]),
        # 13 to be won. H: 4 each, 1 stays: 4 + 1/6; D stays 1: 1/6; C 0; S 13/6. D likewise
        #   C: 6 each, 1 stays: 6 + 1/6; H and D 1/6 each; S 13/6    S: 13; H and D 1/6 each
        (1, 1, (), "-HHDDC", [(4 + 15 / 6) / 4, (4 + 15 / 6) / 4, (6 + 16 / 6) / 4, (13 + 2 / 6) / 4]),
        # seats 4 and 5 are broke: four pay 8, others H, D, C; 1/4 of what stays counts
        #   H: 4 + 8/4 (S wins); S: 8
        (0, 1, (4, 5), "-HDCCC", [6 / 4, 6 / 4, 6 / 4, 8 / 4]),
        # the last race: what stays is divided among all six
        (0, 11, (4, 5), "-HDCCC", [(4 + 8 / 6) / 4] * 3 + [8 / 4]),
    ],
)
def test_a_horse_is_worth_its_share_and_a_part_of_what_stays(bank, race, broke, names, expected):
    assert worth(look(bank=bank, race=race, broke=broke), sure(names)) == pytest.approx(expected, rel=1e-12)


def test_half_chances_are_weighed_by_their_law():
    # Others of five: C, S, and two on H or D by the toss of a coin; bank 10, 1/5 of what stays counts.
    #   H wins: alone 1/4: 10; with one 1/2: 5; with two 1/4: 3 + 1/5; D wins: nobody there 1/4: 10/5
    #   C wins: 5; H or D wins: 1/4 · 10/5 each
    forecast = sure("-CSHH")
    forecast[0, 3:] = [0.5, 0.5, 0, 0]
    found = worth(look(PasteboardDerbySettings(seats=5)), forecast, PasteboardDerbySettings(seats=5))
    H = (10 / 4 + 5 / 2 + 3.2 / 4 + 2 / 4) / 4
    assert found == pytest.approx([H, H, (5 + 0.5 + 0.5) / 4, 1.5], rel=1e-12)


def test_the_second_place_makes_colours_differ():
    # All five others on H, bank 12, 1/6 of what stays counts; s, o: chances of an ordered pair of one colour,
    # of two colours. The second's backers get 2 each back before the winner's divide.
    #   H: first 12/6 = 2, second 2: 1/2 + 1/2; else, winner and second not H, 12 stay: (4 o + 2 s) · 12/6
    #   D: first before H 12 - 10 = 2, before C or S 12: 2 s + 24 o; second 2: 1/2. What stays: H before D
    #      (12 - 2)/5 leaves 0, H before C or S 2; C or S before H 2, before D 10, before the other 12:
    #      (4 o + 4 o + 20 o + 24 s)/6
    #   C: first before H 2, before D 12, before S 12: 14 o + 12 s; second 1/2. H before D 2, before C 0,
    #      before S 2; D before H 2, before C 10, before S 12; S before H 2, before D 12, before C 10:
    #      (14 s + 38 o)/6
    s, o = SAME_COLOUR, OTHER_COLOUR
    C = 14 * o + 12 * s + 0.5 + (14 * s + 38 * o) / 6
    expected = [1 + 8 * o + 4 * s, 2 * s + 24 * o + 0.5 + (24 * s + 28 * o) / 6, C, C]
    found = worth(look(TWO_PLACES), sure("-HHHHH"), TWO_PLACES)
    assert found == pytest.approx(expected, rel=1e-12)
    assert found[1] - found[2] > 0.2  # company on H is seldom second to D, the other red horse


def test_five_payers_run_for_the_first_place_only():
    view = look(TWO_PLACES, broke=(5,))
    # bank 10, four others on H, 1/5 of what stays counts, /4. H: 10/5 + 3 · 10/5
    # D: 10; C or S wins: 10/5 each; H wins: 2 each, 2 stay: 2/5
    found = worth(view, sure("-HHHHC"), TWO_PLACES)
    assert found == pytest.approx([8 / 4, 14.4 / 4, 14.4 / 4, 14.4 / 4], rel=1e-12)


def by_enumeration(view, forecast, rules):
    """The worth of each horse with all choices of the others and all results written out."""
    payers = view.payers[0]
    others = np.flatnonzero(payers & (np.arange(rules.seats) != view.seat[0]))
    combos = np.array(list(itertools.product(range(4), repeat=len(others))))
    chances = np.prod([forecast[0, seat, combos[:, i]] for i, seat in enumerate(others)], axis=0)
    named = np.zeros((len(combos), rules.seats), np.int8)
    named[:, others] = combos + 1
    bank = np.full(len(combos), view.bank[0] + rules.ante * payers.sum())
    part = 1 / (rules.seats if view.race[0] + 1 == rules.races else payers.sum())
    results = [(first, -1, 0.25) for first in range(4)]
    if rules.places == 2 and payers.sum() >= 6:
        pairs = pair_chances(rules.advance)
        results = [(*pair, pairs[pair]) for pair in itertools.permutations(range(4), 2)]
    found = np.zeros(4)
    for horse in range(4):
        named[:, view.seat[0]] = horse + 1
        for first, second, chance in results:
            rows = np.ones(len(combos), int)
            paid = settle(named, bank, first * rows, second * rows, rules)
            got = paid.payouts[:, view.seat[0]] + part * paid.bank
            found[horse] += chance * (chances * got).sum()
    return found


@pytest.mark.parametrize("number", range(12))
def test_worth_is_that_of_all_choices_settled_one_by_one(number):
    rng = np.random.default_rng(number)
    rules = PasteboardDerbySettings(
        seats=6 if number < 9 else 7,
        ante=int(rng.integers(1, 4)),
        places=1 + number % 2,
        advance=["affinity", "pips"][number % 3 == 2],
    )
    broke = rng.permutation(np.arange(1, 6))[: [0, 0, 1, 3][number % 4]]
    view = look(rules, 0, bank=int(rng.integers(0, 30)), race=[1, 11][number % 5 == 4], broke=broke)
    forecast = rng.dirichlet([0.5] * 4, (1, rules.seats))
    forecast[0, 1] = [0, 0, 1, 0]  # a certainty among the guesses
    expected = by_enumeration(view, forecast, rules)
    assert worth(view, forecast, rules) == pytest.approx(expected, rel=1e-12)


def test_worth_does_not_read_what_does_not_matter():
    forecast = np.full((1, 6, 4), 0.25)
    expected = worth(look(broke=(4,)), forecast)
    forecast[0, [0, 4]] = np.nan  # the looking seat and one that sits out
    assert np.array_equal(worth(look(broke=(4,)), forecast), expected)
    assert worth(look(broke=(0,)), forecast).tolist() == [0, 0, 0, 0]  # a seat that cannot pay has no choice


@pytest.mark.parametrize("advance", ["affinity", "pips"])
@pytest.mark.parametrize(("places", "broke"), [(1, ()), (1, (1, 3)), (2, ()), (2, (2,))])
@pytest.mark.parametrize(("bank", "race"), [(0, 0), (7, 4), (23, 11)])
def test_beside_even_draws_all_horses_are_equally_good(advance, places, broke, bank, race):
    rules = PasteboardDerbySettings(seats=7, places=places, advance=advance)
    found = worth(look(rules, bank=bank, race=race, broke=broke), np.full((1, 7, 4), 0.25), rules)
    assert found == pytest.approx([found[0]] * 4, rel=1e-12)
    # and what seven equals bring they take: the antes, 2 each, and their parts of what is carried
    if not broke:
        assert found[0] == pytest.approx(2 + bank / 7, rel=1e-12)


@pytest.mark.parametrize("places", [1, 2])
def test_where_all_lean_to_a_horse_the_others_are_better(places):
    rules = PasteboardDerbySettings(places=places)
    found = worth(look(rules), np.tile([0.28, 0.24, 0.24, 0.24], (1, 6, 1)), rules)
    assert (found[0] < found[1:]).all()


def test_replies_are_the_best_horses_of_each_rival():
    rng = np.random.default_rng(3)
    for places in (1, 2):
        rules = PasteboardDerbySettings(seats=7, places=places)
        view = look(rules, bank=5, broke=(2,) if places == 1 else ())
        forecast = rng.dirichlet([0.5] * 4, (1, 7))
        found = Pricer(rules).replies(view, forecast, rivals(view))[0]
        assert found[~rivals(view)[0]].sum() == 0
        for seat in np.flatnonzero(rivals(view)[0]):
            seen = worth(look(rules, seat, bank=5, broke=(2,) if places == 1 else ()), forecast, rules)
            assert found[seat].tolist() == [float(horse == seen.argmax()) for horse in range(4)]


def test_equally_good_replies_are_equally_likely():
    # three seats on H, D, D: seat 1 sees H and D and finds C and S free; seat 2 likewise
    rules = PasteboardDerbySettings(seats=3)
    view = look(rules)
    found = Pricer(rules).replies(view, sure("HDD"), rivals(view))[0]
    assert found.tolist() == [[0, 0, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0.5, 0.5]]
