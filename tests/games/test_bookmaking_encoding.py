"""What a learner sees and does at a bookmaker's table, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.games.bookmaking.encoding import BookmakerEncoding
from railbird.games.bookmaking.table import BookmakerTable
from railbird.games.errors import IllegalDecision, InvalidSettings
from railbird.games.horse_race.settings import HorseRaceSettings
from railbird.games.horse_race.table import HorseRace
from railbird.games.racing_aces.settings import RacingAcesSettings
from railbird.games.racing_aces.table import RacingAces

EVENS, TWO, THREE = 4, 10, 14  # 1/1, 2/1 and 3/1 on the board
ALL = np.ones(1, bool)


def quoted(rules=None, prices=(EVENS, TWO, THREE, 22)):
    """A table whose bank has quoted 1/1, 2/1, 3/1 and 10/1."""
    game = HorseRace(rules or HorseRaceSettings(seats=3), seed=4)
    game.start()
    quotes = game.blank()
    quotes[0, game.state.bank[0]] = prices
    game.submit(quotes)
    return game


def features(game, encoding, seat, draft=None):
    view = game.view(seat)
    return encoding.observe(view, draft or encoding.begin(view))[0]


def test_a_bettors_observation_by_hand():
    game = quoted()
    game.submit(np.array([[[20, 0, 0, 0], [0, 0, 60, 0], [0, 0, 0, 0], [0, 0, 0, 0]]], np.int16))
    quotes = game.blank()
    quotes[0, 3] = (EVENS, EVENS, THREE, 32)
    game.submit(quotes)
    encoding = BookmakerEncoding(game.settings)
    seen, layout, state = features(game, encoding, seat=1), encoding.layout, game.state
    assert seen.shape == (35,)  # 4 + 4 + 4 + 3 + 1 + 1 + 1 + 1 + 4 + 4 + 4 + 4
    assert seen[layout["rail"]] == pytest.approx(state.rail[0] / 6)
    # odds n/d show as d / (n + d)
    assert seen[layout["quotes"]] == pytest.approx([1 / 2, 1 / 2, 1 / 4, 1 / 151])
    # the cap is 1,000 and the largest stake on offer 20 · 10
    assert seen[layout["limits"]] == pytest.approx([1, 1, 1, 1])
    # 3,000 were brought in; own chips first
    own, after, before = state.bankrolls[0, [1, 2, 0]]
    assert seen[layout["bankrolls"]] == pytest.approx([b / (b + 3_000) for b in (own, after, before)])
    house = state.bankrolls[0, 3]
    assert house != 0
    assert seen[layout["house"]] == pytest.approx([house / (abs(house) + 3_000)])
    assert seen[layout["race"]] == pytest.approx([1 / 12])
    assert seen[layout["quoting"]] == 0
    assert (seen[layout["spent"]], *seen[layout["draft"]]) == (0, 0, 0, 0, 0)
    assert seen[layout["last_winner"]].tolist() == [suit == state.last_winner[0] for suit in range(4)]
    assert seen[layout["last_quotes"]] == pytest.approx([1 / 2, 1 / 3, 1 / 4, 1 / 11])
    assert seen[layout["last_money"]] == pytest.approx([20 / 80, 0, 60 / 80, 0])


def test_before_the_first_quote_nothing_of_odds_or_an_earlier_race_is_seen():
    game = HorseRace(HorseRaceSettings(seats=2), seed=1)
    game.start()
    encoding = BookmakerEncoding(game.settings)
    seen, layout = features(game, encoding, seat=0), encoding.layout
    for block in ("quotes", "limits", "house", "race", "last_winner", "last_quotes", "last_money"):
        assert (seen[layout[block]] == 0).all()
    assert seen[layout["quoting"]] == 1


def test_the_house_sees_the_players_from_seat_0():
    game = quoted()
    game.submit(np.array([[[100, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]], np.int16))
    encoding = BookmakerEncoding(game.settings, role="banker")
    seen = features(game, encoding, seat=3)[encoding.layout["bankrolls"]]
    assert seen == pytest.approx([b / (b + 3_000) for b in game.state.bankrolls[0, :3]])


def test_a_rotating_bank_is_marked_in_the_order_of_bankrolls():
    game = quoted(HorseRaceSettings(seats=3, bank="rotate"))
    encoding = BookmakerEncoding(game.settings)
    assert features(game, encoding, seat=0)[encoding.layout["bank"]].tolist() == [1, 0, 0]
    assert features(game, encoding, seat=1)[encoding.layout["bank"]].tolist() == [0, 0, 1]
    # bank 1,000, 2 bettors: 500 at 1/1, 250 at 2/1, 160 at 3/1, 50 at 10/1; 200 is the largest on offer
    limits = features(game, encoding, seat=1)[encoding.layout["limits"]]
    assert limits == pytest.approx([1, 1, 160 / 200, 50 / 200])
    assert "house" not in [block.name for block in encoding.layout.blocks]


@pytest.mark.parametrize("bank", ["house", "rotate"])
@pytest.mark.parametrize("quoting", [False, True])
def test_all_seats_at_once_equal_seat_by_seat(bank, quoting):
    game = quoted(HorseRaceSettings(seats=4, bank=bank))
    if quoting:
        game.submit(game.blank())
    encoding = BookmakerEncoding(game.settings)
    together = np.full((1, game.seats, encoding.features), np.nan, np.float32)
    encoding.observe_all(game.state, together)
    for seat in range(game.seats):
        assert features(game, encoding, seat).tolist() == together[0, seat].tolist()


@given(st.integers(0, 2**32), st.sampled_from(["house", "rotate", "aces", "aces rotating"]))
def test_every_feature_keeps_its_bounds(seed, kind):
    rng = np.random.default_rng(seed)
    game: BookmakerTable
    if kind.startswith("aces"):
        bank = "rotate" if "rotating" in kind else "house"
        game = RacingAces(RacingAcesSettings(seats=2, bank=bank, bankroll=1), seed=1, lanes=4)
    else:
        game = HorseRace(HorseRaceSettings(seats=2, bank=kind, bankroll=10), seed=1, lanes=4)
    game.start()
    game.state.bankrolls[:, : game.settings.seats] = rng.integers(0, 2**40, (4, game.settings.seats))
    encoding = BookmakerEncoding(game.settings)
    low, high = encoding.layout.bounds
    for _ in range(3):
        for seat in range(game.seats):
            view = game.view(seat)
            draft = encoding.begin(view)
            for _ in range(2):
                mask = encoding.mask(view, draft)
                actions = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
                encoding.write(draft, actions, actions > 0)
                seen = encoding.observe(view, draft)
                assert (seen >= low).all()
                assert (seen <= high).all()
        game.submit(game.blank())


def test_a_ticket_is_written_wager_by_wager_within_chips_and_limits():
    game = quoted(HorseRaceSettings(seats=2, bankroll=120, bank="rotate", rotate_every=12))
    # bank 120, 1 bettor: 120 at 1/1, 60 at 2/1, 40 at 3/1, 10 at 10/1; sizes 10, 20, 50, 100, 200
    encoding = BookmakerEncoding(game.settings, role="bettor")
    view = game.view(1)
    draft = encoding.begin(view)
    offered = [encoding.decode(action) for action in np.flatnonzero(encoding.mask(view, draft)[0]).tolist()]
    assert offered == [
        (), ("H", 10), ("H", 20), ("H", 50), ("H", 100), ("D", 10), ("D", 20), ("D", 50),
        ("C", 10), ("C", 20), ("S", 10),
    ]  # fmt: skip
    assert not encoding.write(draft, np.array([encoding.encode("H", 100)]), ALL)[0]
    offered = [encoding.decode(action) for action in np.flatnonzero(encoding.mask(view, draft)[0]).tolist()]
    assert offered == [(), ("D", 10), ("D", 20), ("C", 10), ("C", 20), ("S", 10)]  # 20 chips are left
    seen = encoding.observe(view, draft)[0]
    assert seen[encoding.layout["spent"]] == pytest.approx([100 / 120])
    assert seen[encoding.layout["draft"]] == pytest.approx([100 / 200, 0, 0, 0])
    assert not encoding.write(draft, np.array([encoding.encode("S", 10)]), ALL)[0]
    assert encoding.write(draft, np.array([0]), ALL)[0]
    assert encoding.decision(draft).tolist() == [[100, 0, 0, 10]]


def test_the_last_wager_allowed_hands_the_ticket_in():
    game = quoted()
    encoding = BookmakerEncoding(game.settings)
    draft = encoding.begin(game.view(0))
    handed_in = [encoding.write(draft, np.array([encoding.encode(suit, 10)]), ALL)[0] for suit in "HDCS"]
    assert handed_in == [False, False, False, True]


def test_at_racing_aces_choosing_a_suit_is_the_whole_decision():
    game = RacingAces(seed=2)
    game.start()
    encoding = BookmakerEncoding(game.settings)
    assert encoding.actions == 5
    view = game.view(0)
    draft = encoding.begin(view)
    assert encoding.mask(view, draft).tolist() == [[1, 1, 1, 1, 1]]
    assert encoding.write(draft, np.array([3]), ALL)[0]
    assert encoding.decision(draft).tolist() == [[0, 0, 1, 0]]
    game.state.bankrolls[0, 0] = 0
    view = game.view(0)
    assert encoding.mask(view, encoding.begin(view)).tolist() == [[1, 0, 0, 0, 0]]


def test_more_stakes_and_wagers_make_more_actions():
    rules = RacingAcesSettings(stakes=(1, 5), max_wagers=2)
    game, encoding = RacingAces(rules, seed=2), BookmakerEncoding(rules)
    game.start()
    assert encoding.actions == 1 + 4 * 2
    view = game.view(0)
    draft = encoding.begin(view)
    assert not encoding.write(draft, np.array([encoding.encode("H", 5)]), ALL)[0]
    assert encoding.mask(view, draft)[0].tolist() == [1, 0, 0, 1, 1, 1, 1, 1, 1]  # no second wager on H
    assert encoding.write(draft, np.array([encoding.encode("S", 1)]), ALL)[0]
    assert encoding.decision(draft).tolist() == [[5, 0, 0, 1]]


def test_a_quote_is_written_suit_by_suit_and_the_fourth_price_hands_it_in():
    game = HorseRace(HorseRaceSettings(seats=2), seed=1)
    game.start()
    encoding = BookmakerEncoding(game.settings, role="banker")
    assert encoding.actions == 34
    view = game.view(2)
    draft = encoding.begin(view)
    assert encoding.mask(view, draft).tolist() == [[0] + [1] * 33]
    prices = [encoding.encode(price) for price in ("1/2", "3/1", "1/1", "150/1")]
    assert prices == [1, 15, 5, 33]
    handed_in = [encoding.write(draft, np.array([price]), ALL)[0] for price in prices[:2]]
    assert handed_in == [False, False]
    # 1/2 shows as 2/3, 3/1 as 1/4, what is not quoted yet as 0
    seen = encoding.observe(view, draft)[0][encoding.layout["draft"]]
    assert seen == pytest.approx([2 / 3, 1 / 4, 0, 0])
    assert [encoding.write(draft, np.array([price]), ALL)[0] for price in prices[2:]] == [False, True]
    assert encoding.decision(draft).tolist() == [[0, 14, 4, 32]]


def test_a_seat_with_nothing_to_decide_has_action_0_alone():
    rules = HorseRaceSettings(seats=2, races=1, bank="rotate")
    game = HorseRace(rules, seed=1)
    game.start()
    encoding = BookmakerEncoding(rules)

    def actions_of(seat):
        view = game.view(seat)
        return np.flatnonzero(encoding.mask(view, encoding.begin(view))[0]).tolist()

    wagers, prices = list(range(21)), list(range(21, 54))  # 0, 4 · 5 wagers, 33 prices
    assert (actions_of(0), actions_of(1)) == (prices, [0])
    game.submit(game.blank())  # four times 1/2: everything on offer is within the limits
    assert (actions_of(0), actions_of(1)) == ([0], wagers)
    game.submit(game.blank())
    assert (actions_of(0), actions_of(1)) == ([0], [0])  # over


def test_the_house_and_the_bettors_wait_for_each_other():
    game = HorseRace(HorseRaceSettings(seats=1), seed=1)
    game.start()
    bettor, banker = BookmakerEncoding(game.settings), BookmakerEncoding(game.settings, role="banker")

    def choices(encoding, seat):
        view = game.view(seat)
        return int(encoding.mask(view, encoding.begin(view)).sum())

    assert (choices(bettor, 0), choices(banker, 1)) == (1, 33)
    game.submit(game.blank())
    assert (choices(bettor, 0), choices(banker, 1)) == (21, 1)


@pytest.mark.parametrize("role", ["bettor", "banker", "both"])
def test_actions_and_what_they_spell_round_trip(role):
    encoding = BookmakerEncoding(HorseRaceSettings(bank="rotate"), role=role)
    assert encoding.actions == {"bettor": 21, "banker": 34, "both": 54}[role]
    for action in range(encoding.actions):
        assert encoding.encode(*encoding.decode(action)) == action
    texts = [encoding.action_text(action) for action in range(encoding.actions)]
    assert texts[0] == "hand in"
    assert texts[1] == ("1/2" if role == "banker" else "$10 H")
    assert texts[-1] == ("$200 S" if role == "bettor" else "150/1")
    assert len(set(texts)) == encoding.actions


def test_a_whole_ticket_and_a_whole_quote_are_written_at_once():
    rules = HorseRaceSettings(seats=2, bank="rotate")
    game, encoding = HorseRace(rules, seed=1), BookmakerEncoding(rules)
    game.start()
    assert encoding.nvec.tolist() == [33] * 4
    assert BookmakerEncoding(rules, role="bettor").nvec.tolist() == [6] * 4
    draft = encoding.begin(game.view(0))
    encoding.whole(draft, np.array([[32, 0, 4, 14]]), ALL)
    assert encoding.decision(draft).tolist() == [[32, 0, 4, 14]]
    game.submit(game.blank())
    draft = encoding.begin(game.view(1))
    encoding.whole(draft, np.array([[0, 1, 5, 2]]), ALL)
    assert encoding.decision(draft).tolist() == [[0, 10, 200, 20]]
    assert draft.cost.tolist() == [230]


def test_a_whole_ticket_beyond_the_offer_is_a_fault_of_the_decision():
    rules = HorseRaceSettings(seats=2, bank="rotate")
    game, encoding = HorseRace(rules, seed=1), BookmakerEncoding(rules)
    game.start()
    game.submit(game.blank())
    draft = encoding.begin(game.view(1))
    encoding.whole(draft, np.array([[0, 6, 0, 0]]), ALL)  # there are five sizes
    decisions = game.blank()
    decisions[:, 1] = encoding.decision(draft)
    with pytest.raises(IllegalDecision, match="-1 chips on D; a stake is never negative"):
        game.submit(decisions)


def test_rows_outside_the_mask_are_left_as_they_are():
    game = RacingAces(RacingAcesSettings(max_wagers=4), seed=1, lanes=2)
    game.start()
    encoding = BookmakerEncoding(game.settings)
    draft = encoding.begin(game.view(0))
    only_second = np.array([False, True])
    assert encoding.write(draft, np.array([1, 2]), only_second).tolist() == [False, False]
    assert encoding.decision(draft).tolist() == [[0, 0, 0, 0], [0, 1, 0, 0]]
    encoding.whole(draft, np.array([[1, 1, 1, 1], [0, 0, 0, 1]]), only_second)
    assert encoding.decision(draft).tolist() == [[0, 0, 0, 0], [0, 0, 0, 1]]


def test_sizes_on_offer_keep_to_the_rules():
    # sizes are in minimum stakes; 20 · 10 would be above a cap of 150
    assert BookmakerEncoding(HorseRaceSettings(cap=150)).stakes == (10, 20, 50, 100)
    assert BookmakerEncoding(HorseRaceSettings(), stakes=(3, 7)).stakes == (30, 70)
    assert BookmakerEncoding(RacingAcesSettings(stakes=(2, 9))).stakes == (2, 9)


@pytest.mark.parametrize(
    ("rules", "options", "message"),
    [
        (HorseRaceSettings(), {"stakes": (2, 1)}, "ascending sizes in minimum stakes"),
        (HorseRaceSettings(), {"stakes": ()}, "ascending sizes in minimum stakes"),
        (HorseRaceSettings(), {"stakes": (101,)}, "from 1 to 100, not 101"),
        (
            RacingAcesSettings(stakes=(2, 4)),
            {"stakes": (3,)},
            "a stake of 3 is not allowed; a stake is one of 2, 4",
        ),
        (HorseRaceSettings(), {"role": "punter"}, "role is one of 'bettor', 'banker', 'both', not 'punter'"),
        (RacingAcesSettings(), {"role": "banker"}, "odds of this game are published"),
    ],
)
def test_an_encoding_that_makes_no_sense_is_an_error(rules, options, message):
    with pytest.raises(InvalidSettings, match=message):
        BookmakerEncoding(rules, **options)


@pytest.mark.parametrize(
    ("role", "parts", "message"),
    [
        ("bettor", ("H", 15), r"a stake is one of \[10, 20, 50, 100, 200\] chips, not 15"),
        ("bettor", ("X", 10), "'X' is no suit"),
        ("bettor", ("3/1",), "an action is a suit and chips, or nothing"),
        ("banker", ("H", 10), "an action is a price, or nothing"),
        ("banker", ("3/2",), "'3/2' is no board price"),
    ],
)
def test_an_action_that_is_not_on_offer_is_an_error(role, parts, message):
    with pytest.raises(InvalidSettings, match=message):
        BookmakerEncoding(HorseRaceSettings(), role=role).encode(*parts)
