"""The batched table against the slow oracle, its books, its copies and its views. Rule: RULES.md §5."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import derby_oracle
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.pasteboard_derby.law import pair_chances
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby
from railbird.games.race import DECK

H, D, C, S = 1, 2, 3, 4  # as a decision names them
COMPARED = [
    {"races": 4},
    {"seats": 3, "races": 6, "bankroll": 4},
    {"seats": 12, "races": 3, "bankroll": 9, "ante": 3, "places": 2},
    {"seats": 7, "races": 6, "bankroll": 2, "ante": 1, "places": 2},
    {"seats": 6, "races": 5, "bankroll": 5, "ante": 2, "places": 2, "advance": "pips"},
    {"seats": 4, "races": 8, "bankroll": 11, "ante": 5, "advance": "pips"},
    {"seats": 8, "races": 2, "bankroll": 7, "ante": 7, "places": 2, "advance": "pips"},
    {"seats": 5, "races": 5, "bankroll": 3, "ante": 1, "places": 2},
]


def random_horses(game, rng):
    """Decisions that often agree, so that some races end without a winner and some seats go broke."""
    favourite = rng.integers(1, 5, (game.lanes, 1))
    named = np.where(
        rng.random((game.lanes, game.seats)) < 0.3, favourite, rng.integers(1, 5, (game.lanes, game.seats))
    )
    return named.astype(np.int8)[:, :, None]


def deck_of(record):
    """The deck the oracle is given: track, cards dealt, and what was left in any order."""
    track, cards = record.track.tolist(), record.cards.tolist()
    assert len(cards) <= 41  # longer races are compared in test_pasteboard_derby_race.py
    return track + cards + sorted(set(DECK.tolist()) - set(track) - set(cards))


def never(cards):
    raise AssertionError("the stock lasts")


@pytest.mark.parametrize("options", COMPARED)
def test_games_equal_the_oracle_chip_by_chip(options):
    rules, lanes, rng = PasteboardDerbySettings(**options), 260, np.random.default_rng(12)
    game = PasteboardDerby(rules, seed=12, lanes=lanes)
    oracles = [derby_oracle.Derby(derby_oracle.Settings(**options)) for _ in range(lanes)]
    game.start()
    while not game.over.all():
        playing = ~game.over
        state, named, to_act = game.state, random_horses(game, rng), game.to_act
        game.submit(named)
        for lane in np.flatnonzero(playing):
            oracle = oracles[lane]
            assert oracle.payers() == to_act[lane].tolist()
            horses = [
                int(name) - 1 if pays else None
                for name, pays in zip(named[lane, :, 0], to_act[lane], strict=True)
            ]
            record = oracle.play(deck_of(game.record(int(lane))), horses, never)
            finish = record.finish
            assert finish.winner == state.last_winner[lane]
            assert (-1 if finish.second is None else finish.second) == state.last_second[lane]
            assert record.bank == state.last_bank[lane]
            assert list(record.payouts) == state.last_payouts[lane].tolist()
            assert list(record.profits) == game.profit[lane].tolist()
            assert list(record.bankrolls) == state.bankrolls[lane].tolist()
            assert (oracle.bank, oracle.undivided) == (state.bank[lane], state.undivided[lane])
            assert oracle.over == game.over[lane]
            assert oracle.race == state.turn[lane]


def expected_by_hand(game, lane, before, races_left):
    """The oracle's settlement of every result, by its chance; before are the bankrolls before the antes."""
    rules, state = game.settings, game.state
    horses = [int(name) - 1 if name else None for name in state.last_named[lane]]
    two_places = rules.places == 2 and sum(horse is not None for horse in horses) >= 6
    pairs = pair_chances(rules.advance)
    total = np.zeros(rules.seats)
    for first, second in itertools.permutations(range(4), 2):
        payouts, left = derby_oracle.settle(
            int(state.last_bank[lane]), rules.ante, horses, first, second if two_places else None
        )
        gained = [
            payout - rules.ante * (horse is not None) for payout, horse in zip(payouts, horses, strict=True)
        ]
        able = sum(chips + gain >= rules.ante for chips, gain in zip(before, gained, strict=True))
        part = left // rules.seats if races_left == 0 or able < 3 else 0
        total += pairs[first, second] * (np.array(gained) + part)
    return total


@pytest.mark.parametrize("options", COMPARED)
def test_expected_profit_sums_over_all_results_final_division_included(options):
    rules, rng = PasteboardDerbySettings(**options), np.random.default_rng(13)
    game = PasteboardDerby(rules, seed=13, lanes=25)
    game.start()
    assert (game.expected_profit() == 0).all()
    while not game.over.all():
        playing, before = ~game.over, game.state.bankrolls.copy()
        game.submit(random_horses(game, rng))
        expected = game.expected_profit(playing)
        for row, lane in enumerate(np.flatnonzero(playing)):
            left = rules.races - int(game.state.turn[lane])
            by_hand = expected_by_hand(game, lane, before[lane].tolist(), left)
            assert expected[row] == pytest.approx(by_hand, abs=1e-9)


@pytest.mark.parametrize("places", [1, 2])
def test_profit_is_expected_profit_in_the_long_run(places):
    game = PasteboardDerby(PasteboardDerbySettings(places=places, races=1), seed=14, lanes=40_000)
    game.start()
    named = np.array([H, H, H, D, C, S], np.int8)
    game.submit(np.broadcast_to(named[:, None], (40_000, 6, 1)).copy())
    expected = game.expected_profit()
    assert (expected == expected[0]).all()
    # bank 12, ante 2: hearts' three backers get 4 each, the others 12, all with chance 1/4: 1 - 2 and 3 - 2
    if places == 1:
        assert expected[0] == pytest.approx([-1, -1, -1, 1, 1, 1])
    sd = game.profit.std(0) / 200  # the root of 40,000
    assert (abs(game.profit.mean(0) - expected[0]) < 4 * sd).all()


def books(game):
    """Everything that was brought in, counted where it now is, for each lane."""
    state = game.state
    return state.bankrolls.sum(1) + state.bank + state.undivided


@settings(max_examples=150)
@given(
    st.fixed_dictionaries(
        {
            "seats": st.integers(3, 12),
            "races": st.integers(1, 6),
            "ante": st.sampled_from([1, 2, 7, 32_767]),
            "advance": st.sampled_from(["affinity", "pips"]),
            "places": st.sampled_from([1, 2]),
        }
    ),
    st.sampled_from([0, 1, 5, 100, 2**24 + 1, 2**40 - 32_767]),
    st.lists(st.lists(st.integers(1, 4), min_size=12, max_size=12), min_size=6, max_size=6),
    st.integers(0, 1_000),
)
def test_books_balance_at_every_moment(options, beyond_the_ante, choices, seed):
    rules = PasteboardDerbySettings(**options, bankroll=options["ante"] + beyond_the_ante)
    game = PasteboardDerby(rules, seed=seed, lanes=2)
    game.start()
    brought_in = rules.bankroll * rules.seats
    assert (books(game) == brought_in).all()
    for named in choices:
        if game.over.all():
            break
        before, playing, to_act = game.state.bankrolls.copy(), ~game.over, game.to_act
        assert (to_act.sum(1)[playing] >= 3).all()
        decisions = game.blank()
        decisions[:] = np.array(named[: rules.seats], np.int8)[:, None]
        game.submit(decisions)
        assert (books(game) == brought_in).all()
        assert (game.state.bankrolls >= 0).all() and (game.state.bank >= 0).all()
        assert (game.state.bankrolls - before == game.profit)[playing].all()
        assert (game.state.last_named[playing] > 0).tolist() == to_act[playing].tolist()
    assert game.over.all()
    assert (game.state.bank == 0).all()
    assert (game.state.undivided < rules.seats).all()


def tables_with(bankrolls, bank=0, lanes=1, **options):
    """Tables before a race in which the seats have these chips."""
    rules = PasteboardDerbySettings(seats=len(bankrolls), **options)
    game = PasteboardDerby(rules, seed=0, lanes=lanes)
    game.start()
    chips = np.tile(np.array(bankrolls, np.int64), (lanes, 1))
    view = replace(game.view(0), bankrolls=chips, payers=chips >= rules.ante, bank=np.full(lanes, bank))
    return PasteboardDerby.from_view(rules, view, seed=31)


def decide(game, *horses):
    game.submit(np.tile(np.array(horses, np.int8)[:, None], (game.lanes, 1, 1)))


def test_a_seat_that_cannot_pay_the_ante_sits_out_and_is_not_read():
    game = tables_with([5, 1, 4, 0, 9])
    assert game.to_act[0].tolist() == [True, False, True, False, True]
    assert game.out[0].tolist() == [False, True, False, True, False]
    decide(game, H, 99, D, -7, C)
    assert game.state.last_named[0].tolist() == [H, 0, D, 0, C]
    assert game.state.last_bank[0] == 6  # three antes of 2
    assert game.staked[0].tolist() == [2, 0, 2, 0, 2]
    assert not game.refused.any()
    assert game.state.tally[0].sum(1).tolist() == [1, 0, 1, 0, 1]
    assert game.profit[0, [1, 3]].tolist() == [0, 0]


def test_second_place_needs_six_payers_in_that_race():
    six = tables_with([2, 2, 2, 2, 2, 2, 0], places=2, lanes=20)
    decide(six, H, H, D, D, C, S, 0)
    assert (six.state.last_second >= 0).all()
    assert (six.state.last_second != six.state.last_winner).all()
    five = tables_with([2, 2, 2, 2, 2, 1, 0], places=2, lanes=20)
    decide(five, H, H, D, D, C, S, 0)
    assert (five.state.last_second == -1).all()
    one_place = tables_with([2] * 7, places=1, lanes=20)
    decide(one_place, H, H, D, D, C, S, S)
    assert (one_place.state.last_second == -1).all()


def test_fewer_than_three_payers_end_the_game_with_the_final_division():
    game = tables_with([2, 2, 2, 0, 0], bank=1, bankroll=2, lanes=200)
    decide(game, H, H, D, 0, 0)
    won = game.state.last_winner
    results = zip(
        won.tolist(), game.state.bankrolls.tolist(), game.profit.tolist(), game.state.undivided, strict=True
    )
    for winner, bankrolls, profit, undivided in results:
        # bank 3 * 2 + 1 = 7; nobody has chips beside it, and at most two seats are paid: the game is over
        if winner == H - 1:  # 3 each, 1 stays: 1 // 5 = 0 each, 1 undivided
            assert (bankrolls, profit, undivided) == ([3, 3, 0, 0, 0], [1, 1, -2, 0, 0], 1)
        elif winner == D - 1:
            assert (bankrolls, profit, undivided) == ([0, 0, 7, 0, 0], [-2, -2, 5, 0, 0], 0)
        else:  # 7 // 5 = 1 each, broke seats too, 2 undivided
            assert (bankrolls, profit, undivided) == ([1, 1, 1, 1, 1], [-1, -1, -1, 1, 1], 2)
    assert set(won.tolist()) == {0, 1, 2, 3}
    assert game.over.all() and not game.to_act.any()
    assert (game.state.bank == 0).all()


def test_three_payers_go_on():
    game = tables_with([2, 2, 2, 0], lanes=50)
    decide(game, H, H, H, 0)
    # hearts pay 2 each and all go on; any other horse leaves nobody a chip
    assert (game.over == (game.state.last_winner != 0)).all()
    assert game.over.any() and not game.over.all()


def test_after_the_last_race_the_bank_is_divided_among_all():
    game = tables_with([10, 10, 10, 0], bank=3, races=1, lanes=50)
    decide(game, H, H, H, 0)
    lost = game.state.last_winner != 0
    # bank 3 * 2 + 3 = 9 nobody won: 9 // 4 = 2 each, 1 undivided; or 3 each to three backers
    assert (game.profit[lost] == [0, 0, 0, 2]).all()
    assert (game.profit[~lost] == [1, 1, 1, 0]).all()
    assert (game.state.undivided == lost).all()
    assert game.over.all() and 0 < lost.sum() < 50


@pytest.mark.parametrize(
    ("horse", "message"),
    [
        (0, "lane 1, seat 2: no horse named; a seat that pays the ante names one: 1 .hearts., 2"),
        (5, "lane 1, seat 2: 5 is no horse; name 1 .hearts., 2 .diamonds., 3 .clubs. or 4 .spades."),
        (-1, "lane 1, seat 2: -1 is no horse"),
    ],
)
def test_a_payer_that_names_no_horse_is_at_fault_and_nothing_is_played(horse, message):
    game = PasteboardDerby(seed=0, lanes=2)
    game.start()
    before, decisions = game.save(), game.fallback()
    decisions[1, 2] = horse
    with pytest.raises(IllegalDecision, match=message):
        game.submit(decisions)
    assert all((before[name] == array).all() for name, array in game.save().items())


def test_the_fallback_is_hearts_for_payers_and_nothing_for_the_others():
    game = tables_with([5, 1, 2, 0, 9])
    assert game.fallback()[0, :, 0].tolist() == [1, 0, 1, 0, 1]
    assert game.fallback().dtype == np.int8
    assert not game.faults(game.fallback()).any()


def test_a_masked_turn_leaves_other_lanes_untouched():
    rng = np.random.default_rng(4)
    together, parted = PasteboardDerby(seed=2, lanes=3), PasteboardDerby(seed=2, lanes=3)
    together.start()
    parted.start()
    for _ in range(12):
        named = random_horses(together, rng)
        together.submit(named)
        for lane in (1, 0, 2):
            parted.submit(named, np.arange(3) == lane)
    assert all((together.save()[name] == array).all() for name, array in parted.save().items())


def test_a_lane_races_the_same_alone_or_among_others():
    many, alone = PasteboardDerby(seed=2, lanes=5), PasteboardDerby(seed=2, lanes=[3])
    many.start()
    alone.start()
    for _ in range(12):
        many.submit(many.fallback())
        alone.submit(alone.fallback())
        assert many.record(3).cards.tolist() == alone.record(0).cards.tolist()


@pytest.mark.parametrize("options", [{}, {"bankroll": 4, "places": 2, "seats": 8}])
def test_a_copy_saved_at_any_turn_plays_the_same_future(options):
    rules, rng = PasteboardDerbySettings(**options), np.random.default_rng(5)
    game = PasteboardDerby(rules, seed=8, lanes=6)
    named = [random_horses(game, rng) for _ in range(13)]

    def play_on(table, turns):
        """The rest of the game and the first race of the next."""
        for turn in turns:
            if not table.over.all():
                table.submit(named[turn])
        table.start()
        table.submit(named[12])
        return table.save()

    straight = PasteboardDerby(rules, seed=8, lanes=6)
    straight.start()
    end = play_on(straight, range(12))
    game.start()
    for turn in range(12):
        copy = PasteboardDerby(rules, seed=99, lanes=6)
        copy.load(game.save())
        assert all((end[name] == array).all() for name, array in play_on(copy, range(turn, 12)).items())
        if not game.over.all():
            game.submit(named[turn])


def view_bytes(view):
    return {name: getattr(view, name).tobytes() for name in view.__dataclass_fields__}


def test_no_view_tells_the_cards_or_the_horses_being_named():
    # The same public past under two chances: nothing shown leads to the cards or the key behind them.
    game, other = PasteboardDerby(seed=8), PasteboardDerby(seed=8)
    game.start()
    game.submit(game.fallback())
    other.load(game.save() | {"key": np.array([123], np.uint64), "root": np.array([4], np.uint64)})
    for seat in range(6):
        assert view_bytes(game.view(seat)) == view_bytes(other.view(seat))
    game.submit(game.fallback())
    other.submit(other.fallback())
    assert game.record(0).cards.tolist() != other.record(0).cards.tolist()
    assert game.record(0).track.tolist() != other.record(0).track.tolist()


def test_view_arrays_are_read_only_and_own_their_memory():
    game = PasteboardDerby(seed=8, lanes=2)
    game.start()
    for lanes in (None, np.array([False, True])):
        view = game.view(np.array([1, 2]) if lanes is None else 2, lanes)
        for name in view.__dataclass_fields__:
            array = getattr(view, name)
            assert array.flags.owndata, name
            assert not array.flags.writeable, name
    assert (view.lane.tolist(), view.seat.tolist()) == ([1], [2])
    assert (view.bankroll.tolist(), view.pays.tolist()) == ([100], [True])


def test_tables_set_up_from_a_view_agree_with_it_and_race_afresh():
    game = PasteboardDerby(PasteboardDerbySettings(places=2), seed=8)
    game.start()
    for horse in (H, D, C):
        decide(game, H, horse, D, C, S, S)
    seen = game.view(2)
    copies = {name: np.repeat(getattr(seen, name), 4_000, axis=0) for name in seen.__dataclass_fields__}
    copies["lane"] = np.arange(4_000)
    view = type(seen)(**copies)
    search = PasteboardDerby.from_view(game.settings, view, seed=77)
    again = search.view(2)
    for name in view.__dataclass_fields__:
        assert (getattr(view, name) == getattr(again, name)).all(), name
    assert (books(search) == 600).all()
    assert (search.profit == game.profit).all()
    assert (search.expected_profit() == game.expected_profit()).all()
    with pytest.raises(InvalidSettings, match="no race has been run in lane 5 yet"):
        search.record(5)  # the last race was run elsewhere
    search.submit(search.fallback())
    wins = np.bincount(search.state.last_winner, minlength=4) / 4_000
    assert (abs(wins - 1 / 4) <= 4 * (3 / 16 / 4_000) ** 0.5).all()  # four sd of a share of 4,000 races


def test_nothing_but_chance_is_hidden_from_a_seat():
    game = PasteboardDerby(seed=8)
    game.start()
    with pytest.raises(InvalidSettings, match="hidden must be None"):
        PasteboardDerby.from_view(game.settings, game.view(0), hidden=np.zeros(1))
