"""What a learner sees and does at Save The Bet, worked out by hand, and bets as text. Rule: RULES.md §6."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.games.cards import parse_card
from railbird.games.errors import BadTicket, InvalidSettings
from railbird.games.save_the_bet.bets import parse_bet, print_bet, print_cards
from railbird.games.save_the_bet.encoding import SaveTheBetEncoding
from railbird.games.save_the_bet.sets import cards_in, set_of
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.table import SaveTheBet

RULES = SaveTheBetSettings()
ENCODING = SaveTheBetEncoding(RULES)


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def table(hand_0, hand_1, bet_0="", bet_1="", gamble=""):
    """One lane in the bet phase, or with a gamble in the save phase."""
    game = SaveTheBet(RULES)
    game.start()
    state = game.state
    state.hands[0], state.bets[0] = (cards(hand_0), cards(hand_1)), (cards(bet_0), cards(bet_1))
    if gamble:
        state.gamble[0], state.turn[0] = parse_card(gamble), 1
    used = cards(f"{hand_0} {hand_1} {bet_0} {bet_1} {gamble}")
    state.stack[0] = np.uint64(RULES.deck) & ~used
    game.check()
    return game


def legal(view, draft):
    """The legal actions of the first row as text, 0 as "enough"."""
    return [ENCODING.action_text(int(action)) for action in np.flatnonzero(ENCODING.mask(view, draft)[0])]


def write(draft, *texts):
    """Writes cards ("" for enough) and says whether the draft was handed in by the last one."""
    for text in texts:
        done = ENCODING.write(draft, np.array([ENCODING.encode(text)]), np.array([True]))
    return bool(done[0])


def all_bets(view, path=()):
    """Every set of cards that the masks allow to be handed in, as often as it can be spelled."""
    draft = ENCODING.begin(view)
    for action in path:
        ENCODING.write(draft, np.array([action]), np.array([True]))
    bets = []
    for action in np.flatnonzero(ENCODING.mask(view, draft)[0]).tolist():
        bets += all_bets(view, (*path, action)) if action else [int(draft.cards[0])]
    return bets


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("5H 2H KH 4D 10C 9C 6C 2C", 7 + 1 + 15),  # 2^3 - 1, 2^1 - 1, 2^4 - 1
        ("AH 2D 3C 4S 5S 6S", 1 + 1 + 1 + 7),
        ("AD 2D 3D 4D 5D 6D 7D 8D 9D 10D", 1023),
        ("3H", 1),
        ("", 1),  # nothing, and it may be handed in
    ],
)
def test_masks_spell_every_legal_bet_once(hand, count):
    game = table(hand, "3S")
    bets = all_bets(game.view(0))
    assert len(bets) == len(set(bets)) == count
    for bet in bets:
        assert not game.faults(np.array([[[bet], [cards("3S")]]], np.uint64)).any()


def test_no_other_set_of_the_hand_is_legal():
    hand = ["5H", "2H", "KH", "4D", "10C", "9C", "6C", "2C"]
    game = table(" ".join(hand), "3S")
    bets = set(all_bets(game.view(0)))
    subsets = [
        set_of(parse_card(card) for card in some) for size in range(9) for some in combinations(hand, size)
    ]
    assert len(subsets) == 256
    for subset in subsets:
        faults = game.faults(np.array([[[subset], [cards("3S")]]]))
        assert (faults[0, 0] == 0) == (int(subset) in bets)


def test_bet_is_written_card_by_card_in_ascending_order():
    view = table("5H 2H KH 4D", "3S").view(0)
    draft = ENCODING.begin(view)
    assert legal(view, draft) == ["2H", "5H", "KH", "4D"]
    assert not write(draft, "2H")
    assert legal(view, draft) == ["enough", "5H", "KH"]
    assert not write(draft, "KH")
    assert legal(view, draft) == ["enough"]
    assert write(draft, "")
    assert ENCODING.decision(draft).tolist() == [[cards("2H KH")]]
    assert ENCODING.decision(draft).dtype == np.uint64


def test_saved_card_is_handed_in_at_once():
    game = table("6C 2C 3H", "9S", "4D", "3S", gamble="10C")
    view = game.view(0)
    draft = ENCODING.begin(view)
    assert legal(view, draft) == ["enough", "2C", "6C"]
    assert write(draft, "6C")
    assert ENCODING.decision(draft).tolist() == [[cards("6C")]]
    no_save = ENCODING.begin(view)
    assert write(no_save, "") and ENCODING.decision(no_save).tolist() == [[0]]


def test_nothing_to_decide_leaves_action_0():
    empty = table("", "3S").view(0)
    assert legal(empty, ENCODING.begin(empty)) == ["enough"]
    no_bet = table("", "9S", "", "3S", gamble="10C").view(0)
    assert legal(no_bet, ENCODING.begin(no_bet)) == ["enough"]
    game = table("6C", "9S", "4D", "3S", gamble="10C")
    game.state.over[0] = True
    over = game.view(0)
    assert legal(over, ENCODING.begin(over)) == ["enough"]


def test_only_drafts_of_the_mask_are_written():
    game = SaveTheBet(RULES, lanes=3)
    game.start()
    draft = ENCODING.begin(game.view(0))
    done = ENCODING.write(draft, np.array([1, 0, 2]), np.array([True, False, False]))
    assert draft.cards.tolist() == [1, 0, 0] and done.tolist() == [False, False, False]
    done = ENCODING.write(draft, np.array([0, 0, 0]), np.array([True, False, True]))
    assert done.tolist() == [True, False, True]


def test_every_block_of_the_observation_by_hand():
    game = table("6C 2C 3H", "9S 8S", "4D", "3S 2S", gamble="10C")
    state, layout = game.state, ENCODING.layout
    state.public[0], state.returned[0] = (cards("4D"), cards("9S 3S")), cards("JD QD")
    state.turn[0] = 2 * 50 + 1
    view = game.view(0)
    seen = ENCODING.observe(view, ENCODING.begin(view))[0]
    assert seen.shape == (267,) and seen.dtype == np.float32  # 5 x 52 + 5 + 1 + 1
    for block, text in [
        ("hand", "6C 2C 3H"), ("other", "9S 3S"), ("returned", "JD QD"), ("bet", "4D"), ("gamble", "10C"),
    ]:  # fmt: skip
        assert seen[layout[block]].tolist() == [float(card in cards_in(cards(text))) for card in range(52)]
    # the stack: 51 - 3 - 2 - 1 - 2 - 1 = 42
    assert seen[layout["counts"]] == pytest.approx(np.array([3, 2, 1, 2, 42]) / 51)
    assert seen[layout["saving"]] == 1
    assert seen[layout["turn"]] == pytest.approx(50 / 200)
    compact = ENCODING.observe_compact(view, ENCODING.begin(view))[0]
    assert compact.dtype == np.uint8 and (compact[:260] == seen[:260]).all()
    assert compact[260:].tolist() == [3, 2, 1, 2, 42, 1, 63]  # 255 * 50 / 200 = 63.75


def test_bet_being_written_is_seen_and_stays_in_hand_until_it_is_handed_in():
    view = table("5H 2H KH 4D", "3S").view(0)
    draft = ENCODING.begin(view)
    write(draft, "2H")
    seen, layout = ENCODING.observe(view, draft)[0], ENCODING.layout
    assert set_of(np.flatnonzero(seen[layout["bet"]])) == cards("2H")
    assert set_of(np.flatnonzero(seen[layout["hand"]])) == cards("5H 2H KH 4D")
    assert not seen[layout["gamble"]].any() and seen[layout["saving"]] == 0
    assert seen[layout["counts"]] == pytest.approx(np.array([4, 1, 0, 0, 46]) / 51)


def test_observations_stay_within_their_bounds_and_decisions_spelled_by_masks_are_legal():
    rules = SaveTheBetSettings(suits=3, ranks=7, missing_ace=False, hand_size=3, target=11, max_turns=40)
    encoding, rng = SaveTheBetEncoding(rules), np.random.default_rng(2)
    game = SaveTheBet(rules, seed=1, lanes=200)
    game.start()
    low, high = encoding.layout.bounds
    while not game.over.all():
        decisions = game.blank()
        for seat in (0, 1):
            view = game.view(seat)
            draft, live = encoding.begin(view), ~game.over
            while live.any():
                seen, mask = encoding.observe(view, draft), encoding.mask(view, draft)
                assert (low <= seen).all() and (seen <= high).all()
                assert (mask.any(1)).all() and set(np.unique(mask)) <= {0, 1}
                actions = np.where(mask == 1, rng.random(mask.shape), -1).argmax(1)
                live &= ~encoding.write(draft, actions, live)
            decisions[:, seat] = encoding.decision(draft)
        game.submit(decisions)
        game.check()


def test_actions_are_numbered_in_suit_then_rank_order_and_round_trip():
    assert [ENCODING.encode(text) for text in ("", "AH", "KH", "AD", "KS")] == [0, 1, 13, 14, 52]
    for action in range(ENCODING.actions):
        assert ENCODING.encode(*ENCODING.decode(action)) == action
    assert ENCODING.actions == 53
    assert ENCODING.action_text(0) == "enough" and ENCODING.action_text(10) == "10H"
    with pytest.raises(InvalidSettings, match="action is a whole number from 0 to 52"):
        ENCODING.decode(53)
    with pytest.raises(InvalidSettings, match="'1H' is no card"):
        ENCODING.encode("1H")


def test_card_left_out_is_never_legal():
    spades = SaveTheBet(RULES, lanes=500)
    spades.start()
    view = spades.view(1)
    assert not ENCODING.mask(view, ENCODING.begin(view))[:, ENCODING.encode("AS")].any()


def test_index_table_names_every_feature():
    assert ENCODING.layout.table().splitlines()[0] == (
        "0-51    hand        0..1   own cards in hand, those being written included"
    )
    assert ENCODING.layout["turn"] == slice(266, 267) and ENCODING.features == 267


# ---- text


@given(st.integers(0, 3), st.sets(st.integers(0, 12)))
def test_text_of_a_bet_round_trips(suit, ranks):
    bet = np.array([set_of(13 * suit + rank for rank in ranks if (suit, rank) != (3, 0))])
    text = print_bet(bet)
    assert (parse_bet(text, RULES) == bet).all() and print_bet(parse_bet(text, RULES)) == text


def test_printing_is_canonical():
    assert print_bet(np.array([cards("2H 5H")])) == "5H 2H"
    assert print_bet(np.zeros(1, np.uint64)) == "-"
    assert print_cards(cards("3S KS AD 10D 5H")) == "5H 10D AD KS 3S"


@pytest.mark.parametrize("text", ["2H 5H", "5h,2h", " 5♥ + 2♥ ", "5H+2H"])
def test_ways_to_write_a_bet(text):
    bet = parse_bet(text, RULES)
    assert bet.tolist() == [cards("5H 2H")] and bet.dtype == np.uint64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no card; write cards of one suit, as in '5H 2H', or - for none"),
        (" + ", "names no card"),
        ("5H 1H", "'1H' is no card; .* and - alone means none"),
        ("5H -", "'-' is no card"),
        ("5H 5h", "5H is named twice"),
        ("5H 2D", "5H and 2D are of different suits; cards bet together share one"),
        ("AS", "AS is not in the deck of 51 cards"),
    ],
)
def test_text_that_is_no_bet_says_why(text, message):
    with pytest.raises(BadTicket, match=message):
        parse_bet(text, RULES)


def test_card_that_a_small_deck_lacks_is_refused():
    tiny = SaveTheBetSettings(suits=2, ranks=3, hand_size=1, target=3)
    assert parse_bet("3D", tiny).tolist() == [cards("3D")]
    for text in ("4D", "AD", "3C"):
        with pytest.raises(BadTicket, match=f"{text} is not in the deck of 5 cards"):
            parse_bet(text, tiny)
