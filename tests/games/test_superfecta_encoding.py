"""What a learner sees and does at Superfecta, worked out by hand."""

import numpy as np
import pytest

from railbird.games.errors import InvalidSettings
from railbird.games.order_law import ORDERS
from railbird.games.superfecta.encoding import SuperfectaEncoding
from railbird.games.superfecta.lines import LINE_OF
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.table import Superfecta

H, D, C, S = range(4)


def planned(**options):
    """One lane after a race in which seat 0 held WIN H and EXA D/C, seat 1 WIN H, seat 2 3 chips on WIN S."""
    game = Superfecta(SuperfectaSettings(**options), seed=4)
    game.start()
    tickets = game.blank()
    least = game.settings.minimums
    tickets[0, 0, 0], tickets[0, 0, LINE_OF[D, C]], tickets[0, 1, 0], tickets[0, 2, 3] = (
        least[0], least[1], least[0], 3 * least[0],
    )  # fmt: skip
    game.submit(tickets)
    return game


def observe(game, seat, stakes=None):
    encoding = SuperfectaEncoding(game.settings, stakes)
    view = game.view(seat)
    return encoding, encoding.observe(view, encoding.begin(view))[0]


def test_every_block_of_the_observation_by_hand():
    game = planned()
    encoding, seen = observe(game, seat=1)
    state, layout = game.state, encoding.layout
    assert seen.shape == (99,)  # 4 + 3 + 6 + 1 + 1 + 40 + 4 + 40
    assert seen[layout["rail"]] == pytest.approx(state.rail[0] / 6)
    assert seen[layout["pools"]] == pytest.approx(state.pools[0] / 600)
    assert seen[layout["bankrolls"]] == pytest.approx(np.roll(state.bankrolls[0], -1) / 600)
    assert seen[layout["race"]] == pytest.approx(1 / 12)
    assert seen[layout["spent"]] == 0
    assert (seen[layout["draft"]] == 0).all()
    coverage = seen[layout["coverage"]]
    # seen from seat 1: of the five others one holds WIN H, one WIN S, one EXA D/C
    assert coverage[[0, 3, LINE_OF[D, C]]] == pytest.approx([1 / 5] * 3)
    assert coverage.sum() == pytest.approx(3 / 5)


def test_last_order_scores_the_places_and_is_empty_before_the_first_race():
    game = planned()
    encoding, seen = observe(game, seat=0)
    order = game.state.last_order[0]
    first, second, third, fourth = ORDERS[order]
    scores = seen[encoding.layout["last_order"]]
    assert scores[[first, second, third, fourth]] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    game.start()
    encoding, seen = observe(game, seat=0)
    assert (seen[encoding.layout["last_order"]] == 0).all()
    assert (seen[encoding.layout["coverage"]] == 0).all()


def test_pro_rata_coverage_is_the_others_share_of_the_money():
    encoding, seen = observe(planned(split="pro_rata"), seat=0)
    coverage = seen[encoding.layout["coverage"]]
    # the others of seat 0 put 100 on WIN H and 300 on WIN S: 1/4 and 3/4; nobody else is in EXA
    assert coverage[[0, 3]] == pytest.approx([1 / 4, 3 / 4])
    assert coverage.sum() == pytest.approx(1)


def test_all_seats_at_once_equals_seat_by_seat():
    game = planned()
    encoding = SuperfectaEncoding(game.settings)
    together = np.full((1, 6, encoding.features), np.nan, np.float32)
    encoding.observe_all(game.state, together)
    for seat in range(6):
        assert (observe(game, seat)[1] == together[0, seat]).all()


def test_a_ticket_is_written_wager_by_wager_each_line_once():
    game = Superfecta(SuperfectaSettings(bankroll=4), seed=4)
    game.start()
    encoding = SuperfectaEncoding(game.settings, stakes=(1, 3))
    view = game.view(0)
    draft = encoding.begin(view)
    assert encoding.mask(view, draft)[0].all()  # 4 chips afford a stake of 3 everywhere
    action = encoding.encode("EXA", "D/C", 3)
    assert not encoding.write(draft, np.array([action]), np.array([True]))[0]
    mask = encoding.mask(view, draft)[0]
    line = LINE_OF[D, C]
    assert mask[0] == 1
    assert mask[1 + 2 * line : 3 + 2 * line].tolist() == [0, 0]  # written
    assert mask[1:3].tolist() == [1, 0]  # 1 chip left: a stake of 1, none of 3
    assert mask.sum() == 1 + 39
    seen = encoding.observe(view, draft)[0]
    assert seen[encoding.layout["spent"]] == pytest.approx(3 / 4)
    assert seen[encoding.layout["draft"]][line] == pytest.approx(1.0)
    assert encoding.write(draft, np.array([0]), np.array([True]))[0]
    decision = encoding.decision(draft)
    assert decision[0, line] == 3
    assert decision.sum() == 3


def test_rows_outside_the_mask_are_not_written():
    game = Superfecta(seed=4, lanes=2)
    game.start()
    encoding = SuperfectaEncoding(game.settings)
    draft = encoding.begin(game.view(0))
    done = encoding.write(draft, np.array([1, 0]), np.array([True, False]))
    assert done.tolist() == [False, False]
    assert draft.stakes.sum(1).tolist() == [1, 0]


@pytest.mark.parametrize(("split", "stakes"), [("equal", None), ("equal", (1, 2, 5)), ("pro_rata", None)])
def test_actions_and_wagers_are_one_to_one(split, stakes):
    encoding = SuperfectaEncoding(SuperfectaSettings(split=split), stakes)
    assert [encoding.encode(*encoding.decode(action)) for action in range(encoding.actions)] == list(
        range(encoding.actions)
    )
    assert len({encoding.action_text(action) for action in range(encoding.actions)}) == encoding.actions


def test_action_texts_by_hand():
    encoding = SuperfectaEncoding(SuperfectaSettings(), stakes=(1, 5))
    assert encoding.action_text(0) == "hand in"
    assert encoding.action_text(2) == "$5 WIN H"  # line 0, second size
    assert encoding.decode(1 + 2 * 39) == ("SFC", "S/C/D/H", 1)


def test_whole_tickets_choose_a_size_on_every_line():
    encoding = SuperfectaEncoding(SuperfectaSettings(minimum_bets=(1, 2, 3)), stakes=(1, 4))
    game = Superfecta(encoding.settings, seed=4)
    game.start()
    draft = encoding.begin(game.view(0))
    choice = np.zeros((1, 40), np.int64)
    choice[0, [0, 4, 16]] = (1, 2, 2)  # 1 chip on WIN H, 4 * 2 on EXA H/D, 4 * 3 on SFC H/D/C/S
    encoding.whole(draft, choice, np.array([True]))
    assert draft.stakes[0, [0, 4, 16]].tolist() == [1, 8, 12]
    assert draft.cost.tolist() == [21]


@pytest.mark.parametrize("bankroll", [0, 1, 2**24 + 1, 2**40])
def test_observations_stay_within_their_bounds_at_any_bankroll(bankroll):
    game = Superfecta(SuperfectaSettings(bankroll=bankroll), seed=4, lanes=50)
    encoding = SuperfectaEncoding(game.settings)
    low, high = encoding.layout.bounds
    game.start()
    rng = np.random.default_rng(0)
    while not game.over.all():
        view = game.view(3)
        draft = encoding.begin(view)
        for _ in range(3):
            mask = encoding.mask(view, draft)
            assert (mask.max(1) == 1).all()
            actions = (rng.random(mask.shape) * mask).argmax(1)
            encoding.write(draft, actions, np.ones(50, bool))
            seen = encoding.observe(view, draft)
            assert seen.dtype == np.float32
            assert np.isfinite(seen).all()
            assert (seen >= low).all()
            assert (seen <= high).all()
        tickets = game.blank()
        tickets[:, 3] = encoding.decision(draft)
        game.submit(tickets)
        assert (game.state.refused == 0).all()


@pytest.mark.parametrize("stakes", [(), (2, 1), (1, 1), (0,), (40_000,), (1.5,)])
def test_impossible_stake_sizes_are_refused(stakes):
    with pytest.raises(InvalidSettings, match=r"stake size|stakes are ascending"):
        SuperfectaEncoding(SuperfectaSettings(), stakes)


def test_an_unknown_wager_or_action_is_refused():
    encoding = SuperfectaEncoding(SuperfectaSettings())
    with pytest.raises(InvalidSettings, match="there is no line EXA D"):
        encoding.encode("EXA", "D", 1)
    with pytest.raises(InvalidSettings, match=r"a stake in WIN is one of \[1\] chips, not 2"):
        encoding.encode("WIN", "D", 2)
    with pytest.raises(InvalidSettings, match="action is a whole number from 0 to 40, not 41"):
        encoding.decode(41)
