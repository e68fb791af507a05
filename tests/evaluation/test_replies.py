"""The best reply to a closed book: by hand, and against every ticket there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from railbird.evaluation.replies import derby_replies, superfecta_replies
from railbird.games.order_law import order_table, rail_index
from railbird.games.pasteboard_derby.settings import PasteboardDerbySettings
from railbird.games.superfecta.pools import settle
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import parse_ticket
from railbird.games.track import SUPERFECTA

RAIL = np.array(
    [[6, 0, 0, 0]], np.int8
)  # the first can never finish, the others win a third each (RULES.md §1)


def book(settings, *tickets):
    """(1, seats, 40) the stakes of these tickets, empty ones behind them."""
    stakes = np.zeros((1, settings.seats, 40), np.int64)
    for seat, text in enumerate(tickets):
        stakes[0, seat] = parse_ticket(text, settings)
    return stakes


def replies(settings, stakes, carried=(0, 0, 0), chips=100, rail=RAIL):
    bankrolls = np.full((1, settings.seats), chips)
    own, best = superfecta_replies(settings, rail, stakes, np.array([carried]), bankrolls)
    return own[0], best[0]


def test_equal_shares_by_hand():
    # 30 chips carried in WIN, seat 1 holds D with 3 chips, seat 0 nothing. k lines of seat 0 make a pool of
    # 33 + k. C and S alone: 2/3 · 35 − 2 = 21 1/3. C, S and a half of D: 2/3 · 36 + 1/3 · 18 − 3 = 27. The H
    # line never wins. So the best is 27.
    settings = SuperfectaSettings(seats=2)
    own, best = replies(settings, book(settings, "", "$3 WIN D"), (30, 0, 0))
    assert best[0] == pytest.approx(27)
    assert own[0] == 0
    # seat 1's own ticket: 1/3 · 33 − 3 = 8; alone in the pool it would best hold D, C and S: 33 − 3 = 30
    assert own[1] == pytest.approx(8)
    assert best[1] == pytest.approx(30)


def test_a_budget_of_one_chip_takes_the_best_line():
    # C alone: 1/3 · 34 − 1 = 10 1/3; a half of D: 1/3 · 17 − 1 = 4 2/3
    settings = SuperfectaSettings(seats=2)
    _, best = replies(settings, book(settings, "", "$3 WIN D"), (30, 0, 0), chips=1)
    assert best[0] == pytest.approx(31 / 3)
    _, best = replies(settings, book(settings, "", "$3 WIN D"), (30, 0, 0), chips=0)
    assert best[0] == 0


def test_pro_rata_by_hand():
    # Minimum and breakage 1, no takeout. Seat 1 has 4 on D, nothing carried. x on D: the dividend is
    # (4 + x)/(4 + x) = 1: 1/3 · x − x < 0. One on C: 1/3 · 5 − 1 = 2/3; one on C and S each: 2/3 · 6 − 2 = 2;
    # a second chip on C: the dividend is floor(7/2) = 3, so 1/3 · 6 + 1/3 · 7 − 3 = 4/3. With D too:
    # 2/3 · 7 + 1/3 · floor(7/5) − 3 = 2. So 2 is the best.
    settings = SuperfectaSettings(seats=2, split="pro_rata", minimum_bets=(1, 1, 1), breakage=1, bankroll=100)
    _, best = replies(settings, book(settings, "", "$4 WIN D"))
    assert best[0] == pytest.approx(2)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"minimum_bets": (1, 2, 1)},
        {"split": "pro_rata", "minimum_bets": (1, 1, 1), "breakage": 1, "bankroll": 50},
        {
            "split": "pro_rata", "minimum_bets": (2, 1, 1), "breakage": 3, "bankroll": 50,
            "rate": Fraction(1, 6),
        },
        {
            "split": "pro_rata", "minimum_bets": (1, 1, 1), "breakage": 2, "bankroll": 50,
            "minimum_dividend": 3, "max_wager": 2,
        },
    ],
)  # fmt: skip
def test_no_ticket_of_three_chips_beats_the_best_reply(options):
    settings, rng = SuperfectaSettings(seats=3, **options), np.random.default_rng(4)
    least = np.repeat(settings.minimums, (4, 12, 24))
    tickets = np.zeros((1, 40), np.int64)
    for size in (1, 2, 3):
        chosen = np.array(list(combinations_with_replacement(range(40), size)))
        more = np.zeros((len(chosen), 40), np.int64)
        np.add.at(more, (np.arange(len(chosen))[:, None], chosen), least[chosen])
        tickets = np.concatenate([tickets, more])
    tickets = tickets[(tickets.sum(1) <= 3) & (tickets.max(1) <= settings.max_wager)]
    for _ in range(3):
        rail = rng.permutation([3, 2, 1, 0])[None].astype(np.int8)
        stakes = (rng.random((1, 3, 40)) < 0.15) * rng.integers(1, 3, (1, 3, 40)) * least
        stakes = np.minimum(stakes, settings.max_wager // least * least)
        carried = rng.integers(0, 25, (1, 3))
        own, best = replies(settings, stakes, carried[0], 3, rail)
        seat = int(rng.integers(3))
        books = np.repeat(stakes, len(tickets), axis=0)
        books[:, seat] = tickets
        books = np.concatenate([books, stakes])  # the last is the ticket that was played
        chances = order_table(SUPERFECTA)[rail_index(SUPERFECTA, rail)[0]]
        earned = -books[:, seat].sum(1).astype(float)
        for order in range(24):
            pools = np.repeat(carried, len(books), axis=0)
            paid = settle(books, pools, np.full(len(books), order), settings).payouts[:, seat]
            earned += chances[order] * paid
        assert best[seat] == pytest.approx(earned[:-1].max(), abs=1e-9)
        assert own[seat] == pytest.approx(earned[-1], abs=1e-9)


def test_a_rich_pro_rata_pool_is_no_trouble():
    settings, rng = SuperfectaSettings(split="pro_rata", rate="1/10"), np.random.default_rng(1)
    stakes = (rng.random((4, 6, 40)) < 0.1) * 100 * rng.integers(1, 4, (4, 6, 40))
    rail = np.tile(np.array([[2, 2, 1, 1]], np.int8), (4, 1))
    own, best = superfecta_replies(settings, rail, stakes, np.zeros((4, 3)), np.full((4, 6), 30_000))
    assert (best >= own - 1e-9).all()
    assert (best >= 0).all()


def test_the_best_horse_of_the_derby_by_hand():
    # Five pay 2 each, 1 is carried: bank 11. Named H, H, D, C, C. Seat 0 on H: 1/4 · floor(11/2) − 2 = −3/4;
    # on S, which nobody has: 1/4 · 11 − 2 = 3/4, the best. Seat 2 has D alone: 3/4, and cannot do better.
    settings = PasteboardDerbySettings(seats=6, ante=2)
    own, best = derby_replies(settings, [[1, 1, 2, 3, 3, 0]], [11], [False])
    assert own[0].tolist() == pytest.approx([-3 / 4, -3 / 4, 3 / 4, -3 / 4, -3 / 4, 0])
    assert best[0].tolist() == pytest.approx([3 / 4, 3 / 4, 3 / 4, 3 / 4, 3 / 4, 0])


def test_the_second_horse_of_the_derby_counts_too():
    # With pips every ordered pair has chance 1/12, so each horse is second with 1/4. Six name H, H, D, D, C,
    # C at ante 2, bank 12. Seat 0 on H: it wins with 1/4: the second's two backers get 2 each, so 12 − 4 = 8
    # for two, 4; but where S is second, 1/12, 12 for two: 6. It is second with 1/4: 2 back; nobody backs S,
    # who wins with 1/4, yet the antes still come back. 2/12 · 4 + 1/12 · 6 + 1/4 · 2 − 2 = −1/3.
    # Seat 0 on S, alone: it wins with 1/4. H second (1/12): one backer, 10; D or C second (2/12): 8. Second
    # with 1/4: 2. 1/12 · 10 + 2/12 · 8 + 1/4 · 2 − 2 = 2/3.
    settings = PasteboardDerbySettings(seats=6, ante=2, places=2, advance="pips")
    own, best = derby_replies(settings, [[1, 1, 2, 2, 3, 3]], [12], [True])
    assert own[0, 0] == pytest.approx(-1 / 3)
    assert best[0, 0] == pytest.approx(2 / 3)
