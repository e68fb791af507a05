"""The batched table against the slow oracle, its chance, its copies and its secrets. Rule: RULES.md §6."""

import random
from dataclasses import fields

import numpy as np
import pytest

import save_the_bet_oracle
from railbird.games.cards import parse_card
from railbird.games.errors import InvalidSettings
from railbird.games.save_the_bet.encoding import SaveTheBetEncoding
from railbird.games.save_the_bet.odds import counting_odds
from railbird.games.save_the_bet.sets import cards_in, set_of
from railbird.games.save_the_bet.settings import SaveTheBetSettings
from railbird.games.save_the_bet.state import Phase
from railbird.games.save_the_bet.table import SaveTheBet

SEVEN = {"suits": 2, "ranks": 4, "hand_size": 2, "target": 4}  # 7 cards
# rules, lanes, chance of betting another card: 5,800 games
VARIANTS = [
    ({"suits": 2, "ranks": 3, "hand_size": 1, "target": 3, "max_turns": 4}, 1_400, 0.5),
    ({**SEVEN, "suits": 1, "ranks": 7, "missing_ace": False, "wins_by": "value", "max_turns": 15}, 800, 0.7),
    ({**SEVEN, "max_turns": 9, "draw_returns": "swap"}, 1_000, 0.5),
    ({**SEVEN, "max_turns": 6, "wins_by": "value"}, 800, 0.6),
    ({"suits": 3, "ranks": 7, "missing_ace": False, "hand_size": 3, "target": 8, "max_turns": 12}, 500, 0.6),
    ({"suits": 4, "ranks": 6, "hand_size": 4, "target": 9, "max_turns": 12, "wins_by": "value"}, 400, 0.4),
    ({"target": 14, "max_turns": 25, "draw_returns": "swap"}, 200, 0.3),
    ({"hand_size": 20, "target": 24}, 200, 0.8),
    ({}, 500, 0.4),
]


def oracle_of(rules, hands, stack):
    settings = save_the_bet_oracle.Settings(
        hand_size=rules.hand_size,
        target=rules.target,
        max_turns=rules.max_turns,
        wins_by=rules.wins_by,
        draw_returns=rules.draw_returns,
        suits=rules.suits,
        ranks=rules.ranks,
        excluded=13 * (rules.suits - 1) if rules.missing_ace else None,
    )
    deal = [*cards_in(hands[0]), *cards_in(hands[1]), *cards_in(stack)]
    return save_the_bet_oracle.SaveTheBet(settings, deal, lambda order: order)


def random_bet(hand, rng, more):
    """Cards of one suit: the suit of a random card, then each further card of it with a chance."""
    if not hand:
        return []
    first = rng.choice(sorted(hand))
    return [card for card in hand if card // 13 == first // 13 and (card == first or rng.random() < more)]


def assert_same_table(state, lane, oracle):
    assert [set_of(hand) for hand in oracle.hands] == state.hands[lane].tolist()
    assert [set_of(bet) for bet in oracle.bets] == state.bets[lane].tolist()
    assert [set_of(known) for known in oracle.known] == state.public[lane].tolist()
    assert set_of(oracle.stack) == state.stack[lane]
    assert set_of(oracle.known_in_stack) == state.returned[lane]
    assert state.gamble[lane] == (-1 if oracle.gamble is None else oracle.gamble)
    assert state.over[lane] == oracle.over


def assert_same_turn(game, lane, turn):
    state = game.state
    assert state.last_won[lane].tolist() == list(turn.won)
    assert state.last_gamble[lane] == turn.gamble
    assert state.last_bets[lane].tolist() == [set_of(bet) for bet in turn.bets]
    assert state.last_saves[lane].tolist() == [0 if card is None else 1 << card for card in turn.saves]
    sign = {None: 0, 0: 1, 1: -1}[turn.winner]
    assert game.profit[lane].tolist() == [sign, -sign]


@pytest.mark.parametrize(("changes", "lanes", "more"), VARIANTS)
def test_games_equal_the_oracle_turn_by_turn(changes, lanes, more):
    rules = SaveTheBetSettings(**changes)
    game, rng = SaveTheBet(rules, seed=11, lanes=lanes), random.Random(5)
    game.start()
    state = game.state
    oracles = [oracle_of(rules, state.hands[lane], state.stack[lane]) for lane in range(lanes)]
    outcomes = set()
    while not game.over.all():
        live = np.flatnonzero(~game.over)
        bets = {lane: [random_bet(hand, rng, more) for hand in oracles[lane].hands] for lane in live}
        decisions = game.blank()
        for lane, both in bets.items():
            decisions[lane, :, 0] = [set_of(bet) for bet in both]
        assert (game.to_act == ~game.over[:, None]).all()
        game.submit(decisions)
        for lane in live:
            oracle, gamble = oracles[lane], int(state.gamble[lane])
            oracle.stack.remove(gamble)  # the oracle's top card is the one that was turned up here
            oracle.stack.insert(0, gamble)
            assert oracle.bet(*bets[lane]) == gamble
            assert_same_table(state, lane, oracle)
        asked, decisions = game.to_act, game.blank()
        saves = {lane: [rng.choice([None, *oracles[lane].legal_saves(s)]) for s in (0, 1)] for lane in live}
        for lane, both in saves.items():
            assert asked[lane].tolist() == list(oracles[lane].to_act())
            decisions[lane, :, 0] = [0 if card is None else 1 << card for card in both]
        game.submit(decisions)
        game.check()
        for lane in live:
            turn = oracles[lane].save(*saves[lane])
            outcomes.add(turn.outcome)
            assert_same_turn(game, lane, turn)
            assert_same_table(state, lane, oracles[lane])
    assert outcomes == {"seat 0", "seat 1", "draw", "blank"}


def test_variants_are_at_least_5000_games():
    assert sum(lanes for _, lanes, _ in VARIANTS) >= 5_000


def test_faults_are_what_the_oracle_refuses():
    rules = SaveTheBetSettings(suits=2, ranks=4, hand_size=2, target=4)
    lanes, rng = 300, np.random.default_rng(3)
    game = SaveTheBet(rules, seed=2, lanes=lanes)
    game.start()
    state, refused = game.state, {Phase.BET: 0, Phase.SAVE: 0}
    oracles = [oracle_of(rules, state.hands[lane], state.stack[lane]) for lane in range(lanes)]
    deck = np.array(cards_in(rules.deck))
    for phase in (Phase.BET, Phase.SAVE):
        for _ in range(12):
            chosen = rng.random((lanes, 2, len(deck))) < rng.choice([0.1, 0.3])
            decisions = (chosen * (np.uint64(1) << deck.astype(np.uint64))).sum(2, dtype=np.uint64)[
                :, :, None
            ]
            codes = game.faults(decisions)
            for lane in range(lanes):
                for seat in (0, 1):
                    wanted = cards_in(decisions[lane, seat, 0])
                    if phase == Phase.BET:
                        legal = is_accepted(oracles[lane], seat, wanted)
                    else:
                        legal = not wanted or (
                            wanted[0] in oracles[lane].legal_saves(seat) and len(wanted) == 1
                        )
                    assert (codes[lane, seat] == 0) == legal
                    refused[phase] += not legal
        if phase == Phase.BET:
            bets = game.fallback()
            game.submit(bets)
            for lane, oracle in enumerate(oracles):
                oracle.stack.sort(key=lambda card, lane=lane: card != state.gamble[lane])
                oracle.bet(*(cards_in(bets[lane, seat, 0]) for seat in (0, 1)))
    assert min(refused.values()) > 1_000


def is_accepted(oracle, seat, bet):
    try:
        oracle._check_bet(seat, bet)
    except ValueError:
        return False
    return True


# ---- chance


def chi_square(counts):
    expected = counts.sum() / counts.size
    return ((counts - expected) ** 2 / expected).sum()


def test_deal_and_first_gamble_are_uniform():
    tiny = SaveTheBetSettings(suits=2, ranks=3, hand_size=1, target=3)  # AH 2H 3H 2D 3D
    game = SaveTheBet(tiny, seed=1, lanes=60_000)
    game.start()
    hands = np.log2(game.state.hands.astype(float)).astype(int)
    game.submit(game.fallback())
    _, counts = np.unique(np.column_stack([hands, game.state.gamble]), axis=0, return_counts=True)
    assert counts.size == 5 * 4 * 3  # a thousand of each are expected
    assert chi_square(counts) < 59 + 4 * np.sqrt(2 * 59)


def test_after_a_blank_the_stack_is_shuffled_anew():
    game = SaveTheBet(SaveTheBetSettings(2, 4, hand_size=2, target=4, wins_by="value"), seed=1, lanes=60_000)
    game.start()
    game.submit(game.fallback())
    first = game.state.gamble.copy()
    game.submit(game.fallback())
    blank = ~game.state.last_won.any(1) & ~game.over
    game.submit(game.fallback())
    # The stack holds three cards, in both turns the same: each turns up again in a third of the games.
    again = (game.state.gamble == first)[blank]
    assert again.size > 10_000
    assert again.mean() == pytest.approx(1 / 3, abs=4 * np.sqrt(2 / 9 / again.size))


def test_tables_of_one_deal_turn_up_the_same_card_as_far_as_their_stacks_are_alike():
    game = SaveTheBet(seed=4, lanes=2_000)
    game.start()
    other = SaveTheBet(seed=9, lanes=2_000)
    other.load(game.save())
    lowest = other.state.stack & (~other.state.stack + np.uint64(1))
    other.state.stack ^= lowest
    other.state.hands[:, 0] |= lowest
    bets = game.fallback()
    game.submit(bets)
    other.submit(bets)
    gone = np.uint64(1) << game.state.gamble.astype(np.uint64) == lowest
    assert 20 < gone.sum() < 90  # 2,000 / 39 = 51 expected, with a standard deviation of 7
    assert (game.state.gamble == other.state.gamble)[~gone].all()


def test_lane_plays_the_same_games_alone_or_beside_others():
    many, one = SaveTheBet(seed=3, lanes=40), SaveTheBet(seed=3, lanes=[17])
    many.start()
    one.start()
    for _ in range(60):
        one.submit(one.fallback())
        many.submit(many.fallback(), ~many.over)
        for field in fields(one.state):
            assert (getattr(many.state, field.name)[17] == getattr(one.state, field.name)[0]).all()
        if one.over.all():
            one.start()
            many.start(np.arange(40) == 17)


def test_lanes_in_different_phases_are_played_side_by_side():
    game = SaveTheBet(seed=3, lanes=2)
    game.start()
    game.submit(game.fallback(), np.array([True, False]))
    assert game.phase.tolist() == [Phase.SAVE, Phase.BET]
    assert game.to_act.all()
    before = game.save()
    game.submit(game.fallback())
    assert game.phase.tolist() == [Phase.BET, Phase.SAVE]
    assert game.view(0).phase.tolist() == [Phase.BET, Phase.SAVE]
    alone = SaveTheBet(seed=3, lanes=[0])
    alone.load({name: array[:1] for name, array in before.items()})
    alone.submit(alone.fallback())
    assert (alone.state.hands[0] == game.state.hands[0]).all()
    game.check()


# ---- copies


def played_randomly(game, rng, phases):
    """Plays random legal phases; yields before each."""
    for _ in range(phases):
        if game.over.all():
            return
        yield
        game.submit(random_decisions(game, rng))


def random_decisions(game, rng):
    decisions, state, phase = game.blank(), game.state, game.phase
    for lane in range(game.lanes):
        for seat in (0, 1):
            hand = cards_in(state.hands[lane, seat])
            if phase[lane] == Phase.BET:
                decisions[lane, seat, 0] = set_of(random_bet(hand, rng, 0.4))
            elif phase[lane] == Phase.SAVE and state.bets[lane, seat]:
                fitting = [card for card in hand if card // 13 == state.gamble[lane] // 13]
                decisions[lane, seat, 0] = rng.choice([0, *(1 << card for card in fitting)])
    return decisions


def test_copy_taken_at_any_moment_plays_the_same_future():
    rules = SaveTheBetSettings(max_turns=15)
    game, copies = SaveTheBet(rules, seed=8, lanes=3), []
    game.start()
    for _ in range(30):
        copies.append(SaveTheBet(rules, seed=0, lanes=3))
        copies[-1].load(game.save())
        decisions = random_decisions(game, random.Random(1))
        live = ~game.over
        for copy in [game, *copies]:
            copy.submit(decisions, live)
        for copy in copies:
            assert all((copy.save()[name] == array).all() for name, array in game.save().items())
    assert game.over.all() and len(copies) == 30


def hidden_of(game, seat):
    lanes = np.arange(game.lanes)
    return np.column_stack([game.state.hands[lanes, 1 - seat], game.state.bets[lanes, 1 - seat]])


def test_table_from_a_view_and_the_true_hidden_cards_is_the_table():
    game, rng = SaveTheBet(SaveTheBetSettings(max_turns=12), seed=5, lanes=8), random.Random(2)
    game.start()
    for _ in played_randomly(game, rng, 24):
        seats = np.array([rng.randrange(2) for _ in range(8)])
        copy = SaveTheBet.from_view(game.settings, game.view(seats), hidden_of(game, seats), seed=1)
        copy.check()
        for name in ("hands", "bets", "public", "stack", "returned", "gamble", "turn", "over"):
            assert (getattr(copy.state, name) == getattr(game.state, name)).all()
        copy.submit(random_decisions(copy, rng))
        copy.check()


@pytest.mark.parametrize(
    ("hand", "bet", "message"),
    [
        ("4H 7S", "9S", "other's hand has the wrong number of cards; hidden are 4H 7S in hand and 9S bet"),
        ("4H", "9S 3S", "other's bet has the wrong number"),
        ("10C", "9S", "where the seat knows it is not"),  # the gamble
        ("6C", "9S", "where the seat knows it is not"),  # the seat's own
        ("AS", "9S", "where the seat knows it is not"),  # not in the deck
        ("9S", "9S", "in the other's hand and bet at once"),
    ],
)
def test_hidden_cards_that_contradict_the_view_are_refused(hand, bet, message):
    view = seat_zero_in_the_save_phase().view(0)
    hidden = np.array([[cards(hand), cards(bet)]])
    with pytest.raises(InvalidSettings, match=message):
        SaveTheBet.from_view(SaveTheBetSettings(), view, hidden)


def test_hidden_cards_are_needed_with_all_that_are_known_and_bets_of_one_suit():
    game = seat_zero_in_the_save_phase()
    rules = game.settings
    with pytest.raises(InvalidSettings, match=r"uint64 of shape \(1, 2\), not None"):
        SaveTheBet.from_view(rules, game.view(0), None)
    with pytest.raises(InvalidSettings, match=r"not int64 of shape \(1,\)"):
        SaveTheBet.from_view(rules, game.view(0), np.zeros(1, np.int64))
    game.state.public[0, 1] = cards("9S")
    with pytest.raises(InvalidSettings, match="a card known to be the other's is missing"):
        SaveTheBet.from_view(rules, game.view(0), np.array([[cards("4H"), cards("8S")]]))
    game.state.hands[0, 1], game.state.bets[0, 1] = 0, cards("4H 9S")
    with pytest.raises(InvalidSettings, match="bet mixes suits"):
        SaveTheBet.from_view(rules, game.view(0), np.array([[0, cards("4H 9S")]], np.uint64))


def cards(text):
    return np.uint64(sum(1 << parse_card(word) for word in text.split()))


def seat_zero_in_the_save_phase():
    """Seat 0 has 6C in hand and 4D bet, seat 1 4H in hand and 9S bet; the gamble is 10C."""
    game = SaveTheBet()
    game.start()
    state = game.state
    state.hands[0], state.bets[0] = (cards("6C"), cards("4H")), (cards("4D"), cards("9S"))
    state.gamble[0], state.turn[0] = parse_card("10C"), 1
    state.stack[0] = np.uint64(game.settings.deck) & ~cards("6C 4H 4D 9S 10C")
    game.check()
    return game


# ---- secrets


def deal_hidden_again(game, seat, rng):
    """Other hidden cards for what the seat knows: the other's unknown cards and the stack's are mixed, and
    in the save phase the other's bet is any bet of that size from its cards.
    """
    state, deck = game.state, game.settings.deck
    for lane in range(game.lanes):
        known_other, returned = int(state.public[lane, 1 - seat]), int(state.returned[lane])
        gamble = 1 << int(state.gamble[lane]) if state.gamble[lane] >= 0 else 0
        own = int(state.hands[lane, seat] | state.bets[lane, seat])
        unknown = cards_in(deck & ~(own | known_other | returned | gamble))
        size = int(np.bitwise_count(state.hands[lane, 1 - seat] | state.bets[lane, 1 - seat]))
        bet_size = int(np.bitwise_count(state.bets[lane, 1 - seat]))
        while True:
            dealt = rng.sample(unknown, size - known_other.bit_count())
            theirs = sorted({*dealt, *cards_in(known_other)})
            suit = rng.randrange(4)
            fitting = [card for card in theirs if card // 13 == suit]
            if len(fitting) >= bet_size:
                break
        bet = set_of(rng.sample(fitting, bet_size))
        state.hands[lane, 1 - seat], state.bets[lane, 1 - seat] = set_of(theirs) & ~bet, bet
        state.stack[lane] = (set_of(unknown) | np.uint64(returned)) & ~set_of(theirs)


def seen_by(game, seat):
    """All that a seat is shown, as bytes."""
    encoding, view = SaveTheBetEncoding(game.settings), game.view(seat)
    draft = encoding.begin(view)
    arrays = [getattr(view, field.name) for field in fields(view)]
    arrays += [
        encoding.observe(view, draft),
        encoding.observe_compact(view, draft),
        encoding.mask(view, draft),
    ]
    arrays += [game.to_act, game.phase, game.over, game.out, game.profit, counting_odds(game.settings, view)]
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("seat", [0, 1])
def test_states_that_differ_only_in_hidden_cards_look_the_same_to_a_seat(seat):
    game, rng, changed = SaveTheBet(SaveTheBetSettings(max_turns=25), seed=6, lanes=12), random.Random(3), 0
    game.start()
    for _ in played_randomly(game, rng, 50):
        before, hands = seen_by(game, seat), game.state.hands.copy()
        deal_hidden_again(game, seat, rng)
        game.check()
        assert seen_by(game, seat) == before
        changed += int((game.state.hands != hands).any(1).sum())
    assert changed > 300  # of 12 x 50


def test_view_is_read_only_and_no_window_into_the_table():
    game = SaveTheBet(lanes=2)
    game.start()
    view = game.view(0)
    for field in fields(view):
        array = getattr(view, field.name)
        assert not array.flags.writeable and array.base is None
        assert not any(np.shares_memory(array, kept) for kept in game.save().values())
    hand = view.hand.copy()
    game.submit(game.fallback())
    assert (view.hand == hand).all() and (game.view(0).hand != hand).any()


def test_view_of_the_save_phase_by_hand():
    game = seat_zero_in_the_save_phase()
    game.state.public[0] = cards("4D"), cards("9S")
    game.state.returned[0] = cards("2H 3H")
    view = game.view(1)
    assert (view.hand[0], view.bet[0]) == (cards("4H"), cards("9S"))
    assert (view.own_public[0], view.other_public[0], view.returned[0]) == (
        cards("9S"),
        cards("4D"),
        cards("2H 3H"),
    )
    assert (view.gamble[0], view.turn[0], view.phase[0]) == (parse_card("10C"), 0, Phase.SAVE)
    assert (view.held.tolist(), view.wagered.tolist(), view.stacked.tolist()) == ([[1, 1]], [[1, 1]], [46])
