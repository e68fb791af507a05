"""What a learner sees and does at Pasteboard Derby, worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from railbird.games.errors import InvalidSettings
from railbird.games.pasteboard_derby.encoding import PasteboardDerbyEncoding
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.pasteboard_derby.table import PasteboardDerby

H, D, C, S = 1, 2, 3, 4


def planned(races=2, **options):
    """One lane after races in which the six seats named H D D S C H, and then H D D D C H."""
    game = PasteboardDerby(PasteboardDerbySettings(**options), seed=4)
    game.start()
    for fourth in (S, D)[:races]:
        game.submit(np.array([[[H], [D], [D], [fourth], [C], [H]]], np.int8))
    return game


def observe(game, seat):
    encoding = PasteboardDerbyEncoding(game.settings)
    view = game.view(seat)
    return encoding, encoding.observe(view, encoding.begin(view))[0]


def test_every_block_of_the_observation_by_hand():
    game = planned()
    encoding, seen = observe(game, seat=1)
    state, layout = game.state, encoding.layout
    assert seen.shape == (74,)  # 1 + 1 + 6 + 6 + 4 + 4 + 24 + 24 + 4
    assert seen[layout["race"]] == pytest.approx(2 / 12)
    assert seen[layout["bank"]] == pytest.approx(state.bank[0] / 600)
    assert seen[layout["bankrolls"]] == pytest.approx(np.roll(state.bankrolls[0], -1) / 600)
    assert seen[layout["payers"]].tolist() == [1] * 6
    assert seen[layout["winner"]].tolist() == np.eye(4)[state.last_winner[0]].tolist()
    assert seen[layout["second"]].tolist() == [0] * 4
    # from seat 1 on, the last race's horses: D D D C H H
    assert seen[layout["named"]].reshape(6, 4).argmax(1).tolist() == [1, 1, 1, 2, 0, 0]
    assert seen[layout["named"]].reshape(6, 4).sum(1).tolist() == [1] * 6
    # seat 3, two places on, named S once and D once in two races
    assert seen[layout["habits"]].reshape(6, 4)[2].tolist() == [0, 1 / 2, 0, 1 / 2]
    assert seen[layout["habits"]].reshape(6, 4)[0].tolist() == [0, 1, 0, 0]
    # of the five others two named H, two D, one C
    assert seen[layout["company"]] == pytest.approx([2 / 5, 2 / 5, 1 / 5, 0])


def test_second_horse_is_shown_where_second_place_was_run_for():
    game = planned(places=2)
    encoding, seen = observe(game, seat=0)
    assert seen[encoding.layout["second"]].tolist() == np.eye(4)[game.state.last_second[0]].tolist()


def test_nothing_of_an_earlier_game_is_shown():
    game = planned()
    game.start()
    encoding, seen = observe(game, seat=3)
    for block in ("race", "bank", "winner", "second", "named", "habits", "company"):
        assert (seen[encoding.layout[block]] == 0).all(), block
    assert seen[encoding.layout["bankrolls"]] == pytest.approx([1 / 6] * 6)


def test_the_layout_covers_every_feature_once():
    encoding = PasteboardDerbyEncoding(PasteboardDerbySettings(seats=3))
    # 1 + 1 + 3 + 3 + 4 + 4 + 12 + 12 + 4
    assert encoding.features == 44
    assert encoding.layout.table().splitlines()[-1].startswith("40-43   company     0..1   last race: share")


def test_all_seats_at_once_equals_seat_by_seat():
    for game in (planned(), planned(bankroll=2)):
        encoding = PasteboardDerbyEncoding(game.settings)
        together = np.full((1, 6, encoding.features), np.nan, np.float32)
        encoding.observe_all(game.state, together)
        for seat in range(6):
            assert (observe(game, seat)[1] == together[0, seat]).all()


def sitting_out():
    """A table at which seats 1 and 3 cannot pay the ante of 2."""
    game = PasteboardDerby(PasteboardDerbySettings(seats=5), seed=4)
    game.start()
    chips = np.array([[5, 1, 2, 0, 9]])
    view = replace(game.view(0), bankrolls=chips, payers=chips >= 2)
    return PasteboardDerby.from_view(game.settings, view)


def test_payers_must_name_a_horse_and_others_have_nothing_to_decide():
    game = sitting_out()
    encoding = PasteboardDerbyEncoding(game.settings)
    for seat, mask in enumerate([[0, 1, 1, 1, 1], [1, 0, 0, 0, 0], [0, 1, 1, 1, 1], [1, 0, 0, 0, 0]]):
        view = game.view(seat)
        assert encoding.mask(view, encoding.begin(view)).tolist() == [mask]
        assert encoding.mask(view, encoding.begin(view)).dtype == np.int8
    assert observe(game, 1)[1][encoding.layout["payers"]].tolist() == [0, 1, 0, 1, 1]


def test_action_0_is_the_only_one_once_a_game_is_over():
    game = planned(races=2, bankroll=100)
    while not game.over.all():
        game.submit(game.fallback())
    encoding = PasteboardDerbyEncoding(game.settings)
    view = game.view(0)
    assert encoding.mask(view, encoding.begin(view)).tolist() == [[1, 0, 0, 0, 0]]


def test_an_action_names_a_horse_and_hands_it_in_at_once():
    game = PasteboardDerby(seed=4, lanes=3)
    game.start()
    encoding = PasteboardDerbyEncoding(game.settings)
    draft = encoding.begin(game.view(0))
    done = encoding.write(draft, np.array([3, 4, 1]), np.array([True, False, True]))
    assert done.tolist() == [True, False, True]
    decision = encoding.decision(draft)
    assert decision.tolist() == [[3], [0], [1]]
    assert decision.dtype == np.int8


def test_actions_and_horses_are_one_to_one():
    encoding = PasteboardDerbyEncoding(PasteboardDerbySettings())
    assert encoding.actions == 5
    assert [encoding.decode(action)[0] for action in range(5)] == ["", "H", "D", "C", "S"]
    assert [encoding.encode(*encoding.decode(action)) for action in range(5)] == list(range(5))
    assert [encoding.action_text(action) for action in range(3)] == ["nothing to decide", "H", "D"]


def test_an_unknown_horse_or_action_is_refused():
    encoding = PasteboardDerbyEncoding(PasteboardDerbySettings())
    with pytest.raises(InvalidSettings, match="'X' is no suit"):
        encoding.encode("X")
    with pytest.raises(InvalidSettings, match="action is a whole number from 0 to 4, not 5"):
        encoding.decode(5)


@pytest.mark.parametrize(
    "options", [{"bankroll": 2}, {"bankroll": 3, "ante": 1, "places": 2}, {"bankroll": 2**40}]
)
def test_observations_and_masks_stay_within_their_bounds(options):
    game = PasteboardDerby(PasteboardDerbySettings(seats=7, **options), seed=4, lanes=50)
    encoding = PasteboardDerbyEncoding(game.settings)
    low, high = encoding.layout.bounds
    rng = np.random.default_rng(0)
    game.start()
    while True:
        decisions = game.fallback()
        for seat in range(7):
            view = game.view(seat)
            draft = encoding.begin(view)
            seen, mask = encoding.observe(view, draft), encoding.mask(view, draft)
            assert seen.dtype == np.float32
            assert (seen >= low).all() and (seen <= high).all()
            assert (mask.max(1) == 1).all()
            actions = (rng.random(mask.shape) * mask).argmax(1)
            encoding.write(draft, actions, np.ones(50, bool))
            decisions[:, seat] = encoding.decision(draft)
        if game.over.all():
            break
        assert not game.faults(decisions).any()
        game.submit(decisions)
