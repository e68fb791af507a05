"""More to see: exact odds by the figures of the rules, past races as they were settled."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.envs.wrappers import ExactOdds, PastRaces, vector
from railbird.games.bookmaking.facts import suit_odds
from railbird.games.bookmaking.prices import parse_price
from railbird.games.order_law import line_table, rail_index
from railbird.games.superfecta.lines import LINE_OF
from railbird.games.track import SUPERFECTA as TRACK

make: Any = gym.make  # our environments have more than its type says
make_vec: Any = gym.make_vec

SUPERFECTA = "railbird/Superfecta-v0"
HORSE_RACE = "railbird/HorseRace-v0"
RACING_ACES = "railbird/RacingAces-v0"
ORDERS = [
    (a, b, c, 6 - a - b - c) for a in range(4) for b in range(4) for c in range(4) if len({a, b, c}) == 3
]  # first to last, lexicographic


def odds_at(env_id, rail, quotes=(-1,) * 4):
    """The features of exact odds at a rail and board prices."""
    env = ExactOdds(make(env_id))
    view = SimpleNamespace(rail=np.array([rail], np.int8), quotes=np.array([quotes], np.int8))
    (features,) = env.core.features(view)
    return features


def test_chances_of_lines_with_a_suit_that_cannot_come_home():
    # Rail 6,0,0,0: hearts is fourth for certain and the others are alike (RULES.md §1: 0, 1/3, 1/3, 1/3).
    # Each ordered pair of D, C, S has 1/6, and so has each order of them with H last.
    seen = odds_at(SUPERFECTA, (6, 0, 0, 0))
    assert seen[:4] == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    for line in range(4, 40):
        (horses,) = (named for named, number in LINE_OF.items() if number == line)
        possible = 0 not in horses[:3]
        assert seen[line] == pytest.approx(1 / 6 if possible else 0), horses


def test_chances_are_those_the_rules_state():
    # RULES.md §1: 2,2,1,1 wins 0.1892 and 0.3108; the likeliest full orders, S/C/D/H among them, 0.0665 each.
    seen = odds_at(SUPERFECTA, (2, 2, 1, 1))
    assert seen[:4] == pytest.approx([0.1892, 0.1892, 0.3108, 0.3108], abs=5e-5)
    assert seen[LINE_OF[3, 2, 1, 0]] == pytest.approx(0.0665, abs=5e-5) == seen[16:].max()
    assert [seen[:4].sum(), seen[4:16].sum(), seen[16:].sum()] == pytest.approx([1, 1, 1])


@pytest.mark.parametrize(
    ("rail", "best", "chance", "value"),  # RULES.md §4
    [
        ((3, 2, 1, 1), 2, 0.359, 0.078),
        ((2, 2, 2, 1), 3, 0.378, 0.133),
        ((3, 2, 2, 0), 3, 0.546, 0.091),
        ((4, 1, 1, 1), 1, 0.327, -0.020),
        ((4, 3, 0, 0), 2, 0.459, -0.081),
    ],
)
def test_values_of_racing_aces_are_those_the_rules_state(rail, best, chance, value):
    # 0 cards pay 1/1, 1 card 2/1, 2 cards 3/1, 3 cards 5/1, 4 cards 10/1
    quotes = [parse_price(("1/1", "2/1", "3/1", "5/1", "10/1")[shown]) for shown in rail]
    seen = odds_at(RACING_ACES, rail, quotes)
    assert seen[best] == pytest.approx(chance, abs=5e-4)
    assert seen[4 + best] == pytest.approx(value, abs=5e-4)
    assert seen[4:].max() == seen[4 + best]


def test_values_at_horse_race_are_of_the_smallest_stake_with_its_payout_rounded_down():
    # Ten chips at 11/8 bring floor(13.75) = 13, at 6/4 they bring 15, at 10/11 floor(9.09) = 9.
    quotes = [parse_price(price) for price in ("11/8", "6/4", "10/11", "150/1")]
    settings = make(HORSE_RACE).unwrapped.table.options.settings
    seen = odds_at(HORSE_RACE, (2, 2, 1, 1), quotes)
    exact = suit_odds(settings, (2, 2, 1, 1), quotes)
    for suit, gain in enumerate((13, 15, 9, 1500)):
        chance = exact[suit].chance
        per_chip = chance * Fraction(gain, 10) - (1 - chance)
        assert exact[suit].expected / 10 == per_chip
        assert seen[4 + suit] == pytest.approx(float(per_chip), rel=1e-6)


def test_values_are_0_before_the_odds_are_known_and_a_house_has_none():
    assert odds_at(HORSE_RACE, (2, 2, 1, 1))[4:].tolist() == [0] * 4
    house = ExactOdds(make("railbird/Bookmaker-v0"))
    assert [block.name for block in house.layout.blocks][-2:] == ["last_money", "chance"]


def test_odds_of_the_coming_race_stand_behind_the_observation(legal_actions):
    native = make_vec(SUPERFECTA, 4, vectorization_mode="vector_entry_point", races=3, bankroll=9)
    env = vector.ExactOdds(native)
    own = native.encoding.inner.features
    assert env.layout["chance_win"] == slice(own, own + 4) and env.layout.size == own + 40
    assert env.observation_space.shape == (4, own + 40)
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    for _ in range(40):
        rails = native.table.game.state.rail
        expected = line_table(TRACK)[rail_index(TRACK, rails)].astype(np.float32)
        np.testing.assert_array_equal(seen[:, own:], expected)
        np.testing.assert_array_equal(seen[:, :4], (rails / 6).astype(np.float32))
        seen, *_ = env.step(legal_actions(env.action_masks(), rng))


# ---- past races


def block(env, seen, name):
    return seen[env.layout[name]].tolist()


def test_a_race_of_superfecta_is_kept_as_it_was_settled(on_line):
    # The learner passes, one rival has 2 chips on WIN H and one 6 on WIN C, of 300 chips at the table.
    rivals = [on_line(0, 2), on_line(2, 6)]
    env = PastRaces(make(SUPERFECTA, seats=3, opponents=rivals), races=2)
    state = env.unwrapped.table.game.state
    seen, _ = env.reset(seed=1)
    assert not seen[env.layout["rail_1"].start :].any()
    rail = state.rail[0].copy()
    seen, *_ = env.step(0)
    scores = [0.0] * 4
    for suit, score in zip(ORDERS[int(state.last_order[0])], (1, 2 / 3, 1 / 3, 0), strict=True):
        scores[suit] = score
    assert block(env, seen, "order_1") == pytest.approx(scores)
    assert block(env, seen, "rail_1") == pytest.approx((rail / 6).tolist())
    assert block(env, seen, "pools_1") == pytest.approx([8 / 300, 0, 0])
    # a quarter of the money on H, three quarters on C
    assert block(env, seen, "money_1") == [0.25, 0, 0.75, 0] + [0] * 36
    assert not seen[env.layout["rail_2"].start :].any()


def test_a_race_of_the_derby_is_kept_as_it_was_settled(rival):
    # Four seats pay 2 each into the bank: the learner names D, the others H, the lowest.
    seats = [rival("railbird/PasteboardDerby-v0")] * 3
    env = PastRaces(make("railbird/PasteboardDerby-v0", seats=4, opponents=seats), races=1)
    env.reset(seed=1)
    seen, *_ = env.step(2)
    winner = int(env.unwrapped.table.game.state.last_winner[0])
    assert block(env, seen, "winner_1") == [float(suit == winner) for suit in range(4)]
    assert block(env, seen, "second_1") == [0] * 4
    assert block(env, seen, "named_1") == [0.75, 0.25, 0, 0]
    assert block(env, seen, "bank_1") == pytest.approx([8 / 400])


def test_a_race_with_a_bookmaker_is_kept_as_it_was_settled():
    # Rail cards 0 to 4 pay 1/1, 2/1, 3/1, 5/1 and 10/1, fair at 1/2, 1/3, 1/4, 1/6 and 1/11.
    env = PastRaces(make(RACING_ACES), races=1)
    state = env.unwrapped.table.game.state
    env.reset(seed=1)
    rail = state.rail[0].tolist()
    seen, *_ = env.step(3)  # a chip on C
    assert block(env, seen, "winner_1") == [float(suit == state.last_winner[0]) for suit in range(4)]
    assert block(env, seen, "rail_1") == pytest.approx([shown / 7 for shown in rail])
    fair = (1 / 2, 1 / 3, 1 / 4, 1 / 6, 1 / 11)
    assert block(env, seen, "quotes_1") == pytest.approx([fair[shown] for shown in rail])
    assert block(env, seen, "money_1") == [0, 0, 1, 0]


def test_a_turn_in_which_the_bank_quotes_is_no_race():
    env = PastRaces(make(HORSE_RACE, races=4), races=4)
    seen, _ = env.reset(seed=1)  # the first quote has been made
    for run in range(4):
        winners = [block(env, seen, f"winner_{ago}") for ago in range(1, 5)]
        assert [sum(winner) for winner in winners] == [1] * run + [0] * (4 - run)
        seen, *_ = env.step(0)


def test_races_move_back_one_by_one_and_an_episode_begins_with_none(legal_actions):
    native = make_vec(SUPERFECTA, 3, vectorization_mode="vector_entry_point", races=4, bankroll=9)
    env = vector.PastRaces(native, races=2)
    width = env.layout["rail_2"].start - env.layout["rail_1"].start
    start = env.layout["rail_1"].start
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    state, moved, cleared = native.table.game.state, 0, 0
    for _ in range(60):
        before, turn, episode = seen, state.turn.copy(), state.episode.copy()
        seen, _, _, _, _ = env.step(legal_actions(env.action_masks(), rng))
        for lane in range(3):
            newest, older = np.split(seen[lane, start:], [width])
            if state.episode[lane] != episode[lane]:
                assert not newest.any() and not older.any()
                cleared += 1
            elif state.turn[lane] == turn[lane]:
                np.testing.assert_array_equal(seen[lane, start:], before[lane, start:])
            elif state.turn[lane] == turn[lane] + 1:  # a ruined learner sees the end of its game at once
                np.testing.assert_array_equal(older, before[lane, start : start + width])
                moved += 1
    assert moved > 20 and cleared > 5


def test_the_last_observation_of_an_episode_has_its_last_race():
    native = make_vec(
        SUPERFECTA, 2, vectorization_mode="vector_entry_point", races=1, autoreset_mode="SameStep"
    )
    env = vector.PastRaces(native, races=1)
    env.reset(seed=1)
    seen, _, _, _, infos = env.step(np.zeros(2, np.int64))
    place = env.layout["order_1"]
    for lane in range(2):
        assert sorted(infos["final_obs"][lane][place].tolist()) == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert not seen[:, place].any()


def test_races_the_learner_was_not_asked_about_are_kept_too():
    # Seat 0 banks in the first of three races and every third: it is not asked then.
    rules = {"bank": "rotate", "seats": 3, "races": 6}
    env = PastRaces(make(RACING_ACES, **rules), races=6)
    seen, _ = env.reset(seed=1)

    def kept():
        return sum(bool(sum(block(env, seen, f"winner_{ago}"))) for ago in range(1, 7))

    told = [kept()]
    ended = False
    while not ended:
        seen, _, ended, _, _ = env.step(0)
        told.append(kept())
    # one before its first decision; the bet after which it banks once more brings two
    assert told == [1, 2, 4, 5, 6]
