"""What counting says of bets and cards, worked out by hand, and what holds in any game. Rule: RULES §6."""

from fractions import Fraction
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from railbird.games.cards import parse_card
from railbird.games.errors import InvalidSettings
from railbird.games.save_the_bet.chances import BLOCKS, SIZE
from railbird.games.save_the_bet.encoding import PLAIN, SaveTheBetEncoding
from railbird.games.save_the_bet.sets import VALUE_OF_RANK, cards_in
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

FULL = SaveTheBetSettings()
# AH 2H 3H 4H, 2D 3D 4D
TINY: dict[str, Any] = {"suits": 2, "ranks": 4, "hand_size": 3, "target": 4}


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def table(rules, hand_0, hand_1, *, public="", returned="", bet_0="", bet_1="", gamble=""):
    """One lane in the bet phase, or with a gamble in the save phase; all other cards are in the stack."""
    game = SaveTheBet(rules)
    game.start()
    state = game.state
    state.hands[0], state.bets[0] = (cards(hand_0), cards(hand_1)), (cards(bet_0), cards(bet_1))
    state.public[0], state.returned[0] = (cards(""), cards(public)), cards(returned)
    if gamble:
        state.gamble[0], state.turn[0] = parse_card(gamble), 1
    state.stack[0] = np.uint64(rules.deck) & ~cards(f"{hand_0} {hand_1} {bet_0} {bet_1} {gamble}")
    game.check()
    return game


def chances_of(game, *written):
    """What seat 0 sees by the name of the block: `best` as it is, the others by the action's card, "" for
    enough, without those that are 0.
    """
    encoding = SaveTheBetEncoding(game.settings, chances=True)
    view = game.view(0)
    draft = encoding.begin(view)
    for text in written:
        encoding.write(draft, np.array([encoding.encode(text)]), np.array([True]))
    seen = encoding.observe(view, draft)[0]
    found: dict[str, Any] = {"best": seen[encoding.layout["best"]].tolist()}
    for name, *_ in BLOCKS[1:]:
        block = seen[encoding.layout[name]]
        found[name] = {encoding.decode(action)[0]: block[action] for action in np.flatnonzero(block).tolist()}
    return found


def about(**wanted):
    """The same with Fractions, which features are but for their rounding to float32."""
    return {
        name: pytest.approx({card: float(part) for card, part in value.items()}, abs=1e-6)
        if isinstance(value, dict)
        else pytest.approx([float(part) for part in value], abs=1e-6)
        for name, value in wanted.items()
    }


HALF, THIRD, QUARTER, EIGHTH = (Fraction(1, n) for n in (2, 3, 4, 8))


def test_before_a_bet_is_written():
    # Not seen are 3H 4H 2D 4D; three of them are the stack: each is the gamble with 3/4 · 1/3 = 1/4.
    found = chances_of(table(SaveTheBetSettings(**TINY), "AH 2H 3D", "4D"))
    assert found == about(
        # 3D: 2D and 4D by suit, 3H by value, 4H with the AH saved: 1. Without it, 2H: 3H, 4H by suit, 2D by
        # value: 3/4. Then AH: 3H, 4H by suit: 1/2.
        best=[1, 3 * QUARTER, HALF, 0, 0],
        # AH: 3H, 4H by suit, 4D with the 3D saved. 2H: as above, no save adds to it.
        wins={"AH": 3 * QUARTER, "2H": 3 * QUARTER, "3D": 1},
        behind={"AH": QUARTER, "2H": QUARTER},
        # Without AH: 2H has 3/4 (3H, 4H, 2D), then 3D has 3/4 (2D, 4D, 3H). Without 2H: 3D has 1, then AH
        # 1/2. Without 3D: 2H has 3/4, then AH 1/2.
        costs_1={"AH": QUARTER, "3D": QUARTER},
        costs_2={
            "AH": (3 * QUARTER + HALF - 3 * QUARTER) / 2,  # 1/4
            "2H": (3 * QUARTER + HALF - HALF) / 2,  # 3/8
            "3D": (3 * QUARTER + HALF - HALF) / 2,  # 3/8
        },
        costs_4={},
    )


def test_with_a_card_written():
    found = chances_of(table(SaveTheBetSettings(**TINY), "AH 2H 3D", "4D"), "AH")
    assert found == about(
        best=[3 * QUARTER, 3 * QUARTER, 0, 0, 0],  # of 2H 3D, as above
        # AH as it lies: 3/4 as above. AH 2H, sum 3: 3H, 4H by suit; 3 + 3 is nobody's value here.
        wins={"": 3 * QUARTER, "2H": HALF},
        behind={"2H": QUARTER},
        costs_1={},  # 3D alone has 3/4 as well
        costs_2={"2H": 3 * EIGHTH},  # (3/4 + 0 - 0 - 0) / 2
        costs_4={},
    )


def test_where_suits_win_nothing():
    found = chances_of(table(SaveTheBetSettings(**TINY, wins_by="value"), "AH 2H 3D", "4D"))
    assert found == about(
        # AH: 3H with the 2H, 4D with the 3D. 2H: 2D, and 3H with the AH. 3D: 3H, and 4H with the AH. All 1/2,
        # and AH has the lowest sum. Then 2H: 2D, and 3D: 3H.
        best=[HALF, QUARTER, QUARTER, 0, 0],
        wins={"AH": HALF, "2H": HALF, "3D": HALF},
        behind={},
        # Without AH: 2H 1/4, 3D 1/4. Without 2H: AH has 1/4 (4D), 3D has 1/2 (3H, 4H), then AH 0 (nothing
        # not seen is worth 1). Without 3D: AH has 1/4 (3H), 2H has 1/2 (2D, 3H), then AH 0.
        costs_1={"AH": QUARTER},
        costs_2={"AH": EIGHTH, "2H": QUARTER, "3D": QUARTER},  # (1/4 + 1/4 - 1/4) / 2, (1/4 + 1/4 - 0) / 2
        costs_4={},
    )


@pytest.mark.parametrize(
    ("wins_by", "gamble", "wins", "behind"),
    [
        ("suit_or_value", "4H", {"AH": 1}, {"": 1, "2H": 1}),  # 3 + 1 = 4; 3 + 2 = 5
        ("suit_or_value", "4D", {"": 1}, {}),  # diamonds; no card to save
        ("value", "4D", {}, {}),  # 3 is not 4
        ("value", "3H", {"": 1}, {"AH": 1, "2H": 1}),  # 3 = 3, and any save spoils it
        ("suit_or_value", "2H", {}, {}),
    ],
)
def test_when_a_save_is_asked_for_it_wins_or_does_not(wins_by, gamble, wins, behind):
    hand = "AH 2H" if gamble != "2H" else "AH 4H"
    game = table(SaveTheBetSettings(**TINY, wins_by=wins_by), hand, "", bet_0="3D", bet_1="2D", gamble=gamble)
    found = chances_of(game)
    assert (found["wins"], found["behind"]) == (wins, behind)


def test_when_a_save_is_asked_for_the_best_bets_are_those_of_the_next_turn():
    # Bets 3D and 2D, gamble 4H. Not seen are 3H 2D 4D, of which two are the stack: each with 2/3 · 1/2 = 1/3.
    game = table(SaveTheBetSettings(**TINY), "AH 2H", "", bet_0="3D", bet_1="2D", gamble="4H")
    found = chances_of(game)
    assert found == about(
        best=[2 * THIRD, THIRD, 0, 0, 0],  # 2H: 3H by suit, 2D by value; then AH: 3H
        wins={"AH": 1},
        behind={"": 1, "2H": 1},
        costs_1={"2H": THIRD},  # 2/3 - 1/3: AH alone
        costs_2={"AH": THIRD / 2, "2H": THIRD / 2},  # one bet is left: (1/3 + 0 - 0 - 0) / 2
        costs_4={},
    )


# 51 cards: 3 in hand, 6 with the other, of which 2H and 3C are known, 42 in the stack, of which KH and 9C are
# known. Of 44 not seen 40 are in the stack: each is the gamble with 40/44 · 1/42 = 40/1848, KH with 1/42,
# which is 44/1848.
def full(**rules):
    return table(
        SaveTheBetSettings(**rules), "8H 9H AD", "2H 3C 4S 5S 6S 7S", public="2H 3C", returned="KH 9C"
    )


UNSEEN, KNOWN = Fraction(40, 1848), Fraction(44, 1848)


def test_chances_of_a_full_deck_are_fractions_of_the_cards_not_seen():
    found = chances_of(full())
    # AD: by suit 12 diamonds; by value AH AC, JH QH, J Q K of clubs and of spades, and the known KH; 10H with
    # the 9H saved (9H with the 8H is in hand): 12 + 2 + 2 + 6 + 1 = 23 not seen, 1 known.
    assert found["wins"]["AD"] == pytest.approx(float(23 * UNSEEN + KNOWN), abs=1e-6)
    # 8H: by suit A 3 4 5 6 7 10 J Q and the known KH; by value 8D 8C 8S; 9D with the AD saved.
    eight = 13 * UNSEEN + KNOWN
    assert found["wins"]["8H"] == pytest.approx(float(eight), abs=1e-6)
    # 9H: by suit the same; by value 9D 9S and the known 9C; 10D with the AD saved.
    nine = 12 * UNSEEN + 2 * KNOWN
    assert found["wins"]["9H"] == pytest.approx(float(nine), abs=1e-6)
    # AD is best. 8H and 9H then have no save: 8H 12 and 1 known, 9H 11 and 2 known, which is more.
    best = [23 * UNSEEN + KNOWN, 11 * UNSEEN + 2 * KNOWN, 12 * UNSEEN + KNOWN, 0, 0]
    assert found["best"] == pytest.approx([float(part) for part in best], abs=1e-6)


@pytest.mark.parametrize(("rule", "suited"), [("suit_or_value", 9 * UNSEEN + KNOWN), ("value", Fraction(0))])
def test_a_bet_of_more_than_ten_wins_by_its_suit_alone(rule, suited):
    found = chances_of(full(wins_by=rule), "8H")
    lies = 4 * UNSEEN + suited  # 8D 8C 8S, 9D with the AD saved
    wanted = {"": lies, "9H": suited}  # 8 + 9 = 17
    assert found["wins"] == about(x={card: part for card, part in wanted.items() if part})["x"]
    assert found["behind"] == about(x={"9H": 4 * UNSEEN})["x"]


def test_the_fourth_and_fifth_bet_are_reckoned_together():
    # All that is not in hand is in the stack but for the other's card: each with 44/45 · 1/44 = 1/45.
    found = chances_of(table(SaveTheBetSettings(wins_by="value"), "5H 6D 7C 8H 9D 10C", "3S"))
    # No two of these make 10 or less. 5H can win on 5D 5C 5S, the others on three of their value alike; of
    # equals the lowest sum is first: 5, 6, 7, 8, 9 have 3/45 each, and so has 10 if one of them goes.
    three = Fraction(3, 45)
    assert found["best"] == pytest.approx([float(three)] * 5, abs=1e-6)
    assert found["wins"] == about(x=dict.fromkeys(["5H", "6D", "7C", "8H", "9D", "10C"], three))["x"]
    assert found["costs_1"] == found["costs_2"] == found["costs_4"] == {}
    fewer = chances_of(table(SaveTheBetSettings(wins_by="value"), "5H 6D 7C 8H 9D", "3S"))
    # Of five any that goes leaves four, the fifth is lost: (3/46 + 3/46 - 3/46 - 0) / 2
    half = Fraction(3, 46) / 2
    assert fewer["costs_4"] == about(x=dict.fromkeys(["5H", "6D", "7C", "8H", "9D"], half))["x"]
    assert fewer["costs_1"] == fewer["costs_2"] == {}


def test_a_hand_without_cards_has_no_chances():
    found = chances_of(table(FULL, "", "3S"))
    assert found == {"best": [0.0] * 5, **{name: {} for name, *_ in BLOCKS[1:]}}


def test_the_last_card_of_the_stack():
    rules = SaveTheBetSettings(**TINY)
    # Not known: 3H 4H 2D 4D, one of which is the stack: 1/4 each, as where three of them are
    found = chances_of(table(rules, "AH 2H 3D", "4H 2D 4D"))
    assert found["best"] == [1, 0.75, 0.5, 0, 0]
    # Known, 3H: hearts win by suit, 3D by value; of equals the lowest sum comes first. So it is if all the
    # other's cards are known, too.
    for public in ("", "4H 2D 4D"):
        found = chances_of(table(rules, "AH 2H 3D", "4H 2D 4D", public=public, returned="3H"))
        assert found["best"] == [1, 1, 1, 0, 0]
        assert found["wins"] == {"AH": 1, "2H": 1, "3D": 1}
        # two of three bets are left: (1 + 1 - 1 - 0) / 2
        assert (found["costs_1"], found["costs_2"]) == ({}, {"AH": 0.5, "2H": 0.5, "3D": 0.5})


def test_where_the_gamble_was_the_last_card_nothing_can_be_said_of_the_next():
    game = table(SaveTheBetSettings(**TINY), "AH 2H", "4H 2D", bet_0="3D", bet_1="4D", gamble="3H")
    assert game.view(0).stacked.tolist() == [0]
    found = chances_of(game)
    assert found["best"] == [0] * 5
    assert (found["wins"], found["behind"]) == ({"": 1}, {"AH": 1, "2H": 1})  # 3 = 3; a save spoils it


# ---- what holds in any game


RULES = [
    {},
    {"wins_by": "value"},
    {"suits": 3, "ranks": 7, "missing_ace": False, "hand_size": 3, "target": 11, "max_turns": 40},
    {**TINY, "draw_returns": "swap", "max_turns": 30},
]


def walk(rules, lanes=60, turns=25, seed=1):
    """Views, drafts and masks met in games of random play, hands half written included."""
    encoding, rng = SaveTheBetEncoding(rules, chances=True), np.random.default_rng(seed)
    game = SaveTheBet(rules, seed=seed, lanes=lanes)
    game.start()
    for _ in range(turns):
        if game.over.all():
            return
        decisions = game.blank()
        for seat in (0, 1):
            view = game.view(seat)
            draft, live = encoding.begin(view), ~game.over
            while live.any():
                mask = encoding.mask(view, draft)
                yield encoding, view, draft, mask, live
                actions = np.where(mask == 1, rng.random(mask.shape), -1).argmax(1)
                live &= ~encoding.write(draft, actions, live)
            decisions[:, seat] = encoding.decision(draft)
        game.submit(decisions, ~game.over)


@pytest.mark.parametrize("given", RULES)
def test_features_stay_within_their_bounds_and_say_nothing_of_illegal_actions(given):
    count = 0
    for encoding, view, draft, mask, _ in walk(SaveTheBetSettings(**given)):
        seen = encoding.observe(view, draft)
        low, high = encoding.layout.bounds
        assert np.isfinite(seen).all() and (low <= seen).all() and (seen <= high).all()
        for name in ("wins", "behind", "costs_1", "costs_2", "costs_4"):
            assert not seen[:, encoding.layout[name]][mask == 0].any()
        asked = seen[:, encoding.layout["wins"]].max(1) > 0
        behind = np.where(mask == 1, seen[:, encoding.layout["behind"]], 1)
        assert (behind[asked].min(1) == 0).all()  # some legal action is the best
        count += len(seen)
    assert count > 1_000


@pytest.mark.parametrize("given", RULES[:2])
def test_plain_features_are_the_same_with_and_without_and_a_row_alone_is_a_row_of_many(given):
    rules = SaveTheBetSettings(**given)
    plain = SaveTheBetEncoding(rules)
    assert (plain.features, SaveTheBetEncoding(rules, chances=True).features) == (PLAIN, PLAIN + SIZE)
    rows = 0
    for encoding, view, draft, _, _ in walk(rules, lanes=8, turns=10):
        seen = encoding.observe(view, draft)
        np.testing.assert_array_equal(seen[:, :PLAIN], plain.observe(view, draft))
        for row in range(0, len(seen), 3):
            one = [
                type(whole)(*(getattr(whole, name)[row : row + 1] for name in whole.__slots__))
                for whole in (view, draft)
            ]
            np.testing.assert_array_equal(encoding.observe(*one), seen[row : row + 1])
            rows += 1
    assert rows > 100


def chance_by_trial(rules, view, row, bet, left):
    """The chance of a bet by trying every card as the gamble, with and without every card to save."""
    known = cards_in(view.returned[row])
    gone = int(view.hand[row] | view.bet[row] | view.other_public[row] | view.returned[row])
    unseen = cards_in(rules.deck & ~gone)
    stacked = int(view.stacked[row])
    total = Fraction(0)
    for gamble in (*unseen, *known):
        part = Fraction(stacked - len(known), len(unseen)) if gamble in unseen else Fraction(1)
        worth = VALUE_OF_RANK[gamble % 13]
        sums = [sum(VALUE_OF_RANK[card % 13] for card in bet)]
        sums += [sums[0] + VALUE_OF_RANK[card % 13] for card in left if card // 13 == gamble // 13]
        if worth in sums or (rules.wins_by == "suit_or_value" and bet[0] // 13 == gamble // 13):
            total += part / stacked
    return total


@pytest.mark.parametrize("given", RULES[:3])
def test_chances_are_those_of_trying_every_card(given):
    rules, tried = SaveTheBetSettings(**given), 0
    for encoding, view, draft, mask, live in walk(rules, lanes=4, turns=14, seed=3):
        seen = encoding.observe(view, draft)[:, encoding.layout["wins"]]
        for row in np.flatnonzero(live & (view.phase == 0)):
            for action in np.flatnonzero(mask[row]):
                bet = cards_in(draft.cards[row]) + ([int(action) - 1] if action else [])
                if bet:
                    left = [card for card in cards_in(view.hand[row]) if card not in bet]
                    wanted = float(chance_by_trial(rules, view, row, bet, left))
                    assert seen[row, action] == pytest.approx(wanted, abs=1e-6)
                    tried += 1
    assert tried > 300


# ---- asking for them


@pytest.mark.parametrize("chances", ["true", 1, None, 0.0])
def test_whether_chances_are_seen_is_true_or_false(chances):
    told = f"chances is True or False, not {chances!r}"
    with pytest.raises(InvalidSettings, match=told):
        SaveTheBetEncoding(FULL, chances=chances)
    with pytest.raises(InvalidSettings, match=told):
        gym.make("railbird/SaveTheBet-v0", chances=chances)
    with pytest.raises(InvalidSettings, match=told):
        gym.make_vec("railbird/SaveTheBet-v0", 2, chances=chances)


def test_an_environment_shows_them_where_it_is_asked_to():
    for chances, features in ((False, 267), (True, 267 + 5 + 5 * 53)):
        env = gym.make("railbird/SaveTheBet-v0", chances=chances)
        seen, _ = env.reset(seed=1)
        assert seen.shape == (features,)
        assert env.observation_space.contains(seen)
        assert (seen[267:] > 0).any() == chances
