"""The batched table against the slow oracle, its books, its copies and its views. Rule: RULES.md §2."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import superfecta_oracle
from railbird.games.errors import BrokenFile, IllegalDecision, InvalidSettings
from railbird.games.order_law import ORDERS, line_table
from railbird.games.race import DECK
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta
from railbird.games.track import SUPERFECTA

EQUAL = [
    {"seats": 6, "races": 4, "bankroll": 30},
    {"seats": 2, "races": 3, "bankroll": 5, "minimum_bets": (2, 3, 5)},
    {"seats": 12, "races": 2, "bankroll": 9},
    {"seats": 3, "races": 3, "bankroll": 1},
]
PRO_RATA = [
    {"seats": 6, "races": 4, "bankroll": 3_000, "rate": Fraction(1, 5)},
    {"seats": 4, "races": 3, "bankroll": 40, "minimum_bets": (1, 2, 3), "breakage": 1, "rate": Fraction(1)},
    {"seats": 5, "races": 3, "bankroll": 60, "minimum_bets": (1, 1, 1), "breakage": 3, "minimum_dividend": 2},
    {"seats": 12, "races": 2, "bankroll": 900, "minimum_bets": (100, 50, 20), "minimum_dividend": 130},
]


def random_tickets(game, rng, share):
    """Tickets of a few wagers, some of them beyond the player's chips."""
    least = np.repeat(game.settings.minimums, (4, 12, 24))
    sizes = rng.integers(1, 4, (game.lanes, game.seats, 40)) * least
    return np.where(rng.random(sizes.shape) < share, sizes, 0).astype(np.int16)


def oracle_settings(rules):
    return superfecta_oracle.Settings(
        seats=rules.seats,
        races=rules.races,
        bankroll=rules.chips,
        minimum_bets=rules.minimums,
        split=rules.split,
        rate=rules.rate,
        breakage=rules.breakage,
        minimum_dividend=rules.minimum_dividend,
    )


def whole_deck(dealt):
    """The cards dealt, then the others in any order: what the race did not reach does not matter."""
    return [int(card) for card in dealt] + sorted(set(DECK.tolist()) - set(dealt.tolist()))


def assert_equals_oracle(rules, lanes, seed, with_expectation=False):
    game, rng = Superfecta(rules, seed, lanes), np.random.default_rng(seed)
    oracles = [superfecta_oracle.Superfecta(oracle_settings(rules)) for _ in range(lanes)]
    game.start()
    for oracle in oracles:
        oracle.start()
    for race in range(rules.races):
        tickets = random_tickets(game, rng, share=rng.choice([0.0, 0.02, 0.1, 0.3]))
        rails = game.state.rail.tolist()
        game.submit(tickets)
        state = game.state
        expected = game.expected_profit()
        for lane, oracle in enumerate(oracles):
            written = [{int(line): int(t[line]) for line in np.flatnonzero(t)} for t in tickets[lane]]
            if with_expectation:
                exact = oracle.expected_profit(rails[lane], written)
                assert expected[lane].tolist() == pytest.approx([float(e) for e in exact], abs=1e-9)
            record = oracle.play(whole_deck(game.dealt(lane)), written)
            assert list(record.rail_counts) == rails[lane]
            assert record.order == tuple(ORDERS[state.last_order[lane]].tolist())
            assert list(record.refused) == state.last_refused[lane].tolist()
            assert list(record.payouts) == state.last_payouts[lane].tolist()
            assert list(record.profits) == game.profit[lane].tolist()
            assert list(record.bankrolls) == state.bankrolls[lane].tolist()
            assert sum(oracle.pools) == state.pools[lane].sum()
            assert record.undivided == state.undivided[lane]
            if race + 1 < rules.races:
                assert list(record.carried) == state.pools[lane].tolist()
    assert game.over.all()


@pytest.mark.parametrize("options", EQUAL)
def test_equal_split_equals_the_oracle_chip_by_chip(options):
    assert_equals_oracle(SuperfectaSettings(**options), lanes=250, seed=21)


@pytest.mark.parametrize("options", PRO_RATA)
def test_pro_rata_split_equals_the_oracle_chip_by_chip(options):
    assert_equals_oracle(SuperfectaSettings(split="pro_rata", **options), lanes=250, seed=22)


@pytest.mark.parametrize(("split", "options"), [("equal", EQUAL[0]), ("pro_rata", PRO_RATA[0])])
def test_expected_profit_equals_the_oracle_final_division_included(split, options):
    assert_equals_oracle(SuperfectaSettings(split=split, **options), lanes=25, seed=23, with_expectation=True)


def books(game):
    """Everything that was brought in, counted where it now is, for each lane."""
    state = game.state
    return state.bankrolls.sum(1) + state.pools.sum(1) + state.takeout + state.undivided


rules_drawn = st.fixed_dictionaries(
    {
        "seats": st.integers(2, 12),
        "races": st.integers(1, 3),
        "bankroll": st.sampled_from([0, 1, 7, 100, 2**24 + 1, 2**40]),
        "split": st.sampled_from(["equal", "pro_rata"]),
        "minimum_bets": st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3)),
    }
)
wagers_drawn = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 39), st.sampled_from([1, 2, 50, 10_000])), max_size=12
)


@settings(max_examples=150)
@given(
    rules_drawn,
    st.sampled_from([0, 1, Fraction(1, 3), Fraction(17, 100)]),
    st.lists(wagers_drawn, min_size=3, max_size=3),
)
def test_books_balance_at_every_moment(options, rate, races):
    house = {"rate": rate, "breakage": 10} if options["split"] == "pro_rata" else {}
    rules = SuperfectaSettings(**options, **house)
    game = Superfecta(rules, seed=1, lanes=2)
    game.start()
    brought_in = rules.chips * rules.seats
    assert (books(game) == brought_in).all()
    for wagers in races[: rules.races]:
        tickets = game.blank()
        for seat, line, size in wagers:
            least = rules.minimums[0 if line < 4 else 1 if line < 16 else 2]
            tickets[:, seat % rules.seats, line] = least * size
        before, cost = game.state.bankrolls.copy(), tickets.sum(2, dtype=np.int64)
        game.submit(tickets)
        assert (books(game) == brought_in).all()
        assert (game.state.bankrolls >= 0).all()
        assert (game.state.pools >= 0).all()
        assert (game.state.bankrolls - before == game.profit).all()
        assert (game.state.last_refused == (cost > before)).all()
    assert game.over.all()
    assert (game.state.pools == 0).all()


def test_a_ticket_beyond_the_chips_is_refused_whole():
    game = Superfecta(SuperfectaSettings(bankroll=10, races=2), seed=0)
    game.start()
    tickets = game.blank()
    tickets[0, 0, :3] = (5, 5, 1)  # 11 > 10
    tickets[0, 1, :2] = (5, 5)  # 10 is affordable
    game.submit(tickets)
    assert game.state.last_refused[0].tolist() == [True, False, False, False, False, False]
    assert game.state.last_stakes[0, 0].sum() == 0
    assert game.state.last_stakes[0, 1].sum() == 10
    assert game.state.refused[0].tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("line", "chips", "message"),
    [
        (1, -2, "lane 1, seat 2: -2 chips on WIN D; a stake is never negative"),
        (4, 4, "lane 1, seat 2: 4 chips on EXA H/D; a stake in EXA is a multiple of 3"),
        (16, 60, "lane 1, seat 2: 60 chips on SFC H/D/C/S; a stake is at most 50 chips"),
    ],
)
def test_an_illegal_stake_is_named_and_nothing_is_played(line, chips, message):
    game = Superfecta(SuperfectaSettings(minimum_bets=(2, 3, 5), max_wager=50), seed=0, lanes=2)
    game.start()
    before = game.save()
    tickets = game.blank()
    tickets[1, 2, line] = chips
    with pytest.raises(IllegalDecision, match=message):
        game.submit(tickets)
    assert all((before[name] == array).all() for name, array in game.save().items())


def test_decisions_of_the_wrong_shape_or_type_are_refused():
    game = Superfecta(seed=0, lanes=2)
    game.start()
    with pytest.raises(
        IllegalDecision, match=r"decisions are int16 of shape \(2, 6, 40\), not int16 of shape"
    ):
        game.submit(game.blank()[:1])
    with pytest.raises(IllegalDecision, match="not float64"):
        game.submit(game.blank().astype(float))


def test_a_lane_that_is_over_takes_no_more_decisions():
    game = Superfecta(SuperfectaSettings(races=1), seed=0, lanes=2)
    game.start()
    game.submit(game.blank(), np.array([True, False]))
    assert game.over.tolist() == [True, False]
    with pytest.raises(IllegalDecision, match="lane 0 is over; start it again"):
        game.submit(game.blank(), np.array([True, False]))
    game.submit(game.blank())  # None: the lanes that are not over
    assert game.over.all()
    assert not game.to_act.any()


def test_a_mask_of_the_wrong_kind_is_refused():
    game = Superfecta(seed=0, lanes=2)
    with pytest.raises(InvalidSettings, match=r"a bool mask of shape \(2,\)"):
        game.start(np.array([0, 1]))


@pytest.mark.parametrize("lanes", [0, [], [-1], [0.5]])
def test_impossible_lanes_are_refused(lanes):
    with pytest.raises(InvalidSettings, match="lanes is a number of 1 or more"):
        Superfecta(seed=0, lanes=lanes)


def test_a_masked_turn_leaves_other_lanes_untouched():
    rng = np.random.default_rng(4)
    together, parted = Superfecta(seed=2, lanes=3), Superfecta(seed=2, lanes=3)
    together.start()
    parted.start()
    for _ in range(12):
        tickets = random_tickets(together, rng, 0.05)
        together.submit(tickets)
        for lane in (1, 0, 2):
            parted.submit(tickets, np.arange(3) == lane)
    assert all((together.save()[name] == array).all() for name, array in parted.save().items())


def test_a_copy_saved_at_any_turn_plays_the_same_future():
    rng = np.random.default_rng(5)
    game = Superfecta(seed=8, lanes=4)
    game.start()
    tickets = [random_tickets(game, rng, 0.05) for _ in range(24)]
    for turn in range(12):
        copy = Superfecta(seed=99, lanes=4)
        copy.load(game.save())
        for later in range(turn, 12):
            copy.submit(tickets[later])
        copy.start()
        copy.submit(tickets[12])
        straight = Superfecta(seed=8, lanes=4)
        straight.start()
        for earlier in range(12):
            straight.submit(tickets[earlier])
        straight.start()
        straight.submit(tickets[12])
        assert all((straight.save()[name] == array).all() for name, array in copy.save().items())
        game.submit(tickets[turn])


def test_loading_a_broken_state_names_the_array_and_changes_nothing():
    game = Superfecta(seed=8, lanes=2)
    game.start()
    saved = game.save()
    with pytest.raises(BrokenFile, match="has the arrays"):
        game.load({name: array for name, array in saved.items() if name != "pools"})
    with pytest.raises(BrokenFile, match=r"array 'pools' .* int64 of shape \(2, 3\), not float64"):
        game.load(saved | {"pools": saved["pools"].astype(float)})
    with pytest.raises(BrokenFile, match="load it into a game of the settings"):
        Superfecta(SuperfectaSettings(seats=5), seed=8, lanes=2).load(saved)


def view_bytes(view):
    return {name: getattr(view, name).tobytes() for name in view.__dataclass_fields__}


def test_no_view_tells_the_stock_or_the_tickets_being_written():
    # The same public past under two chances: the rail is shown, the stock and the key behind it are not.
    game = Superfecta(seed=8, lanes=1)
    game.start()
    other = Superfecta(seed=8, lanes=1)
    other.load(game.save() | {"key": np.array([123], np.uint64), "root": np.array([4], np.uint64)})
    for seat in range(6):
        assert view_bytes(game.view(seat)) == view_bytes(other.view(seat))
    tickets = game.blank()
    tickets[0, 3, 0] = 5
    game.submit(game.blank())
    other.submit(tickets)
    assert game.dealt(0).tolist() != other.dealt(0).tolist()


def test_view_arrays_are_read_only_and_own_their_memory():
    game = Superfecta(seed=8, lanes=2)
    game.start()
    for lanes in (None, np.array([False, True])):
        view = game.view(np.array([1, 2]) if lanes is None else 2, lanes)
        for name in view.__dataclass_fields__:
            array = getattr(view, name)
            assert array.flags.owndata, name
            assert not array.flags.writeable, name
    assert view.lane.tolist() == [1]
    assert view.seat.tolist() == [2]
    assert view.bankroll.tolist() == [100]


def test_tables_set_up_from_a_view_agree_with_it_and_race_by_the_exact_law():
    game = Superfecta(seed=8, lanes=1)
    game.start()
    for _ in range(3):
        tickets = game.blank()
        tickets[0, :, 0] = 1
        game.submit(tickets)
    seen = game.view(2)
    copies = {name: np.repeat(getattr(seen, name), 4_000, axis=0) for name in seen.__dataclass_fields__}
    copies["lane"] = np.arange(4_000)
    view = type(seen)(**copies)
    search = Superfecta.from_view(game.settings, view, seed=77)
    again = search.view(2)
    for name in view.__dataclass_fields__:
        assert (getattr(view, name) == getattr(again, name)).all(), name
    assert (books(search) == 600).all()
    search.submit(search.blank())
    place = [tuple(row) for row in itertools.product(range(7), repeat=4) if sum(row) == 6].index(
        tuple(seen.rail[0].tolist())
    )
    chances = line_table(SUPERFECTA)[place, :4]
    wins = np.bincount(ORDERS[search.state.last_order, 0], minlength=4) / 4_000
    # four sd of a share of 4,000 races
    assert (abs(wins - chances) <= 4 * np.sqrt(chances * (1 - chances) / 4_000) + 1e-12).all()


def test_every_race_of_a_game_has_a_deal_of_its_own():
    game = Superfecta(seed=8, lanes=200)
    game.start()
    rails, stocks = [], []
    for _ in range(12):
        rails.append(game.state.rail_cards.copy())
        game.submit(game.blank())
        stocks.append(game.state.last_order.copy())
    for earlier, later in itertools.combinations(range(12), 2):
        # two rails of six cards in order agree once in 48 * 47 * ... * 43 = 8.8e9 deals
        assert not (rails[earlier] == rails[later]).all(axis=1).any()
        # two orders of finish agree about once in 24: 200 / 24 = 8.3, six sd of sqrt(8.3) = 2.9 above is 26
        assert (stocks[earlier] == stocks[later]).sum() < 26


def test_starting_some_lanes_leaves_the_others_in_mid_game():
    game = Superfecta(seed=8, lanes=3)
    game.start()
    tickets = game.blank()
    tickets[:, :, :4] = np.arange(1, 5)  # a pool of 60 shared by all: 10 come back and 10 are paid
    tickets[:, 0, 16] = 3
    game.submit(tickets)
    before = game.save()
    assert (before["bankrolls"][[0, 2]] != 100).any()
    game.start(np.array([False, True, False]))
    after = game.save()
    for name, array in after.items():
        assert (array[[0, 2]] == before[name][[0, 2]]).all(), name
    assert after["bankrolls"][1].tolist() == [100] * 6
    assert after["episode"].tolist() == [0, 1, 0]
