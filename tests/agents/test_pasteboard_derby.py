"""What each agent of Pasteboard Derby names, worked out by hand. Horses are written H, D, C, S."""

import numpy as np
import pytest

from railbird.agents.pasteboard_derby.backer import habits
from railbird.agents.pasteboard_derby.equilibrium import Equilibrium
from railbird.agents.pasteboard_derby.repliers import Avoider, LevelOne, LevelTwo
from railbird.agents.registry import parse_agent
from railbird.games.errors import InvalidSettings
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby

SIX = PasteboardDerbySettings()
TABLES = 400


def counts(names):
    """How often each of H, D, C, S stands in a text."""
    return [names.count(horse) for horse in "HDCS"]


def tables(last=None, tally=None, broke=(), rules=SIX):
    """Many tables in the same position: the horse each seat named last, and all it has named, as texts."""
    game = PasteboardDerby(rules, seed=4, lanes=TABLES)
    game.start()
    state = game.state
    if last is not None:
        state.turn[:] = 1
        state.last_winner[:] = 0
        state.last_named[:] = ["-HDCS".index(horse) for horse in last]
        state.tally[:] = [counts(names) for names in tally or last]
    state.bankrolls[:, list(broke)] = rules.ante - 1
    return game


def named(text, game, seat=0):
    """How many of the tables see each of H, D, C, S named by an agent in a seat; 400 are all."""
    agent = parse_agent(text, "pasteboard-derby").make(game.settings)
    agent.begin(np.ones(game.lanes, bool))
    decisions = agent.act(game.view(seat), game.draws(seat))
    assert decisions.shape == (TABLES, 1)
    return np.bincount(decisions[:, 0], minlength=5)[1:].tolist()


def assert_drawn(found, horses):
    """These horses, each as often as the others; no other one. 5 standard deviations are allowed."""
    chance = 1 / len(horses)
    margin = 5 * np.sqrt(TABLES * chance * (1 - chance))
    for horse, count in zip("HDCS", found, strict=True):
        assert abs(count - TABLES * chance) <= margin if horse in horses else count == 0


@pytest.mark.parametrize("text", ["random", "equilibrium"])
@pytest.mark.parametrize("last", [None, "HHHHHH"])
def test_an_even_draw_heeds_nothing(text, last):
    assert_drawn(named(text, tables(last)), "HDCS")


def test_equilibrium_draws_what_random_draws():
    game = tables("HHDDCS")
    drawn = parse_agent("random", "pasteboard-derby").make(SIX).act(game.view(2), game.draws(2))
    assert np.array_equal(Equilibrium(SIX).act(game.view(2), game.draws(2)), drawn)


def test_loyal_stays_with_the_horse_of_its_seat():
    for seat, horse in enumerate("HHDDCS"):
        assert named("loyal", tables("HHDDCS"), seat) == [TABLES * (horse == own) for own in "HDCS"]


def test_loyal_draws_its_first_horse():
    assert_drawn(named("loyal", tables()), "HDCS")


@pytest.mark.parametrize("last", [None, "HHDDCS"])
def test_loyal_can_be_given_a_horse(last):
    assert named("loyal:horse=c", tables(last)) == [0, 0, TABLES, 0]


@pytest.mark.parametrize(
    ("last", "horses"),
    [
        ("SHHHDD", "H"),  # three of the others on H, two on D
        ("DHHDDC", "HD"),  # own D does not count: two of the others on each of H and D
        ("DHHDCS", "H"),  # with its own there would be two on D as well
    ],
)
def test_crowd_goes_where_most_of_the_others_were(last, horses):
    assert_drawn(named("crowd", tables(last)), horses)


def test_crowd_can_go_by_all_races():
    # of the others' ten namings H has 3, D 2, C 4, S 1; last time C had none of them
    game = tables("CHHHDS", ["CC", "CH", "CH", "CH", "CD", "DS"])
    assert named("crowd:memory=all", game) == [0, 0, TABLES, 0]
    assert named("crowd", game) == [TABLES, 0, 0, 0]


@pytest.mark.parametrize(
    ("last", "tally", "horses"),
    [
        ("CHHHDS", ["CC", "CH", "CH", "CH", "CD", "DS"], "S"),  # others: H 3, D 2, C 4, S 1
        ("SHHDCS", ["SS", "DH", "DH", "DD", "CC", "HS"], "S"),  # H 3, D 4, C 2, S 1; with its own S 3
        ("HHHDDC", ["HC", "HC", "HC", "DH", "DS", "CS"], "DS"),  # H 3, D 2, C 3, S 2
    ],
)
def test_contrarian_goes_where_fewest_of_the_others_were(last, tally, horses):
    assert_drawn(named("contrarian", tables(last, tally)), horses)


def test_contrarian_can_go_by_the_last_race():
    # others in all: H 3, D 2, C 4, S 1; in the last race H 3, D 1, C 0, S 1
    game = tables("CHHHDS", ["CC", "CH", "CH", "CH", "CD", "DS"])
    assert named("contrarian:memory=last", game) == [0, 0, TABLES, 0]


@pytest.mark.parametrize("text", ["crowd", "contrarian"])
def test_watchers_draw_in_the_first_race(text):
    assert_drawn(named(text, tables()), "HDCS")


def test_who_sits_out_is_no_company():
    # others who pay: D and D, H, C; the two of S are broke
    game = tables("CDDHCSS", broke=(5, 6), rules=PasteboardDerbySettings(seats=7))
    assert named("contrarian", game) == [0, 0, 0, TABLES]
    assert named("level-1", game) == [0, 0, 0, TABLES]
    assert named("avoider", game) == [0, 0, 0, TABLES]
    # without them D leads with two; one each on H and C
    assert named("crowd", game) == [0, TABLES, 0, 0]


def test_level_1_names_the_horse_worth_most_if_all_repeat():
    # others: H 2, D 2, C 1, S 0. Bank 12, a sixth of what stays counts. Worth, /4:
    #   S: 12 if it wins, nothing stays otherwise = 12; C: 6, and 12/6 if S wins = 8; H, D: 4 + 2 = 6
    assert named("level-1", tables("CHHDDC")) == [0, 0, 0, TABLES]


def test_level_1_and_level_2_go_by_the_last_race_alone():
    early = ["SSSC", "SSSH", "SSSH", "HHHD", "HHHD", "DDDC"]
    assert named("level-1", tables("CHHDDC", early)) == [0, 0, 0, TABLES]
    three = PasteboardDerbySettings(seats=3)  # see test_level_2_avoids_where_level_1_would_go
    assert_drawn(named("level-2", tables("HDD", ["CCH", "HHD", "HHD"], rules=three)), "HD")


def test_level_1_shares_with_the_one_rather_than_the_two():
    # others of seven: H 2, D 2, C 1, S 1. H, D: 14/3 -> 4 each; C, S: 7 each
    assert_drawn(named("level-1", tables("CHHDDCS", rules=PasteboardDerbySettings(seats=7))), "CS")


def test_level_2_avoids_where_level_1_would_go():
    # Three seats; seat 1 expects H and D (of seats 0 and 2) and draws C or S, and so does seat 2. Beside
    # these two, bank 6, a third of what stays counts; each line is /4:
    #   H: 6; D wins, nobody on it: 6/3 = 2; C or S wins, nobody on it with chance 1/4: 2/4 each: 9
    #   C: alone 1/4, beside one 1/2, beside two 1/4: 6/4 + 3/2 + 2/4 = 3.5; H or D wins: 2 each; S: 2/4: 8
    # So H or D; level 1 sees D and D and takes any other.
    game = tables("HDD", rules=PasteboardDerbySettings(seats=3))
    assert_drawn(named("level-2", game), "HD")
    assert_drawn(named("level-1", game), "HCS")


@pytest.mark.parametrize("text", ["level-1", "level-2", "avoider"])
@pytest.mark.parametrize("places", [1, 2])
def test_repliers_draw_in_the_first_race(text, places):
    assert_drawn(named(text, tables(rules=PasteboardDerbySettings(places=places))), "HDCS")


@pytest.mark.parametrize("kind", [LevelOne, LevelTwo, Avoider])
def test_in_the_first_race_every_horse_is_worth_the_ante(kind):
    assert kind(SIX).liking(tables().view(0)) == pytest.approx(np.full((TABLES, 4), 2.0), rel=1e-12)


def test_a_habit_is_the_share_of_its_races_drawn_towards_even():
    seen = np.array([[[3, 0, 1, 0], [0, 2, 0, 0], [0, 0, 0, 0]]])
    assert habits(seen).tolist() == [[[0.75, 0, 0.25, 0], [0, 1, 0, 0], [0.25] * 4]]
    # prior 4: one more of each horse, over 4 + 4 and 2 + 4 races
    expected = [[4 / 8, 1 / 8, 2 / 8, 1 / 8], [1 / 6, 3 / 6, 1 / 6, 1 / 6], [1 / 4] * 4]
    assert habits(seen, 4.0)[0] == pytest.approx(np.array(expected), rel=1e-12)


def test_avoider_counts_an_even_guess_as_one_race():
    # Three seats, the two others on H in their only race: 1.25/2 = 0.625 for H, 0.125 for each other horse.
    # Bank 6, 1/3 of what stays counts. Nobody on D, C or S: 0.875² = 0.765625, worth 6/3; on H 0.140625.
    #   H: (6 · 0.140625 + 3 · 0.46875 + 2 · 0.390625 + 3 · 2 · 0.765625)/4 = 7.625/4
    #   D: (6 · 0.765625 + 3 · 0.21875 + 2 · 0.015625 + 2 · 0.140625 + 2 · 2 · 0.765625)/4 = 8.625/4
    rules = PasteboardDerbySettings(seats=3)
    found = Avoider(rules).liking(tables("HHH", rules=rules).view(0))
    assert found[0] == pytest.approx([7.625 / 4] + [8.625 / 4] * 3, rel=1e-12)


def test_avoider_prefers_company_that_may_stay_away_to_company_that_is_sure():
    # Four others, of equal expected company on every horse: one always on C, one always on S, two on H and D
    # in turns. With prior 1 after four races a steady seat has (4 + 1/4)/5 = 0.85 and 0.05 thrice, the others
    # 0.45 twice and 0.05 twice: 0.85 + 3 · 0.05 = 1 on C or S, 2 · 0.45 + 2 · 0.05 = 1 on H or D. A horse
    # pays most when nobody else is on it: C or S with 0.15 · 0.95³ = 0.13, H or D with 0.55² · 0.95² = 0.27.
    game = tables("CCSHDH", ["CCCC", "CCCC", "SSSS", "HDHD", "DHDH", "HHHH"], broke=(5,))
    assert_drawn(named("avoider", game), "HD")
    assert_drawn(named("contrarian", game), "HDCS")


def test_avoider_believes_in_habits_the_less_the_greater_its_prior():
    # Four others, bank 10, a fifth of what stays counts. Two have named C, or S, in 19 of 20 races, the
    # others H and D ten times each. When its horse wins a seat has, more than if it had not named it, beside
    # nobody 10 - 10/5 = 8, beside one 5, beside two 3 + 1/5, beside three 2 + 2/5 - 1/5 = 2.2. Believed, C
    # has nobody with chance 0.05, else one; H has 0, 1, 2 or 3, from a twentieth and two coins:
    #   C, S: 0.05 · 8 + 0.95 · 5 = 5.15
    #   H, D: 0.2375 · 8 + 0.4875 · 5 + 0.2625 · 3.2 + 0.0125 · 2.2 = 5.205
    # Hardly believed, all guesses are nearly even and the sums decide: 19 for C and S, 21 for H and D.
    halves = "HD" * 10
    game = tables("HCSHDH", ["H" * 20, "C" * 19 + "H", "S" * 19 + "D", halves, halves, "H" * 20], broke=(5,))
    assert_drawn(named("avoider:prior=0.001", game), "HD")
    assert_drawn(named("avoider:prior=1000", game), "CS")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("loyal:horse=X", "'X' is no suit; the suits are H, D, C and S"),
        ("crowd:memory=none", "memory is one of 'last', 'all', not 'none'"),
        ("contrarian:memory=2", "memory is one of 'last', 'all', not '2'"),
        ("avoider:prior=0", "prior is a number of races above 0, not 0.0"),
        ("avoider:prior=inf", "prior is a number of races above 0, not inf"),
        ("avoider:prior=nan", "prior is a number of races above 0, not nan"),
    ],
)
def test_an_option_out_of_range_is_refused(text, message):
    with pytest.raises(InvalidSettings, match=message):
        parse_agent(text, "pasteboard-derby").make(SIX)
