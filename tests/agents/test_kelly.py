"""Kelly stakes against textbook values and against every single change."""

from typing import Any

import numpy as np
import pytest

from railbird.agents.superfecta.kelly import Kelly
from railbird.games.errors import InvalidSettings
from railbird.games.order_law import order_table, rails
from railbird.games.superfecta.lines import POOL_SLICES, WINNING
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.tickets import print_ticket
from railbird.games.track import SUPERFECTA

RULES: dict[str, Any] = {"seats": 2, "split": "pro_rata", "minimum_bets": (1, 1, 1), "breakage": 1}
PRO_RATA = SuperfectaSettings(**RULES)
CROWD = ["", "$7000 WIN D\n$28000 WIN C\n$28000 WIN S"]


@pytest.mark.parametrize(("fraction", "stake"), [(1.0, 25), (0.4, 10), (0.0, 0)])
def test_a_small_bettor_in_a_large_pool_bets_the_textbook_share(look, ticket, fraction, stake):
    # D, C, S win by 1/3 and return 9, 2.25, 2.25 a chip: D is worth 3, C and S 0.75. Reserve rate after D:
    # (1 - 1/3) / (1 - 1/9) = 0.75, so C and S are left out, and D gets 1/3 - 0.75 / 9 = 1/4 of the wealth.
    view = look("HHHHHH", bankrolls=(100, 100_000), last_tickets=CROWD)
    expected = f"${stake} WIN D" if stake else ""
    assert ticket(Kelly(PRO_RATA, fraction=fraction), view) == expected


def test_own_money_lowers_the_odds(look, ticket):
    # The crowd of the test before, a hundredth as rich. x chips on D pay (630 + x) · x / (70 + x) by 1/3, so
    # the best x is that of the highest growth below; without impact it would be 25.
    tickets = ["", "$70 WIN D\n$280 WIN C\n$280 WIN S"]
    written = ticket(
        Kelly(PRO_RATA, fraction=1.0), look("HHHHHH", bankrolls=(100, 100), last_tickets=tickets)
    )
    stake = int(written.split()[0][1:])
    assert written == f"${stake} WIN D"

    def growth(x):
        return 1 / 3 * np.log(100 - x + (630 + x) * x / (70 + x)) + 2 / 3 * np.log(100 - x)

    assert stake == max(range(100), key=growth)
    assert stake < 25


def expected_log(stakes, money, carried, wealth, orders):
    after = np.full(24, wealth - stakes.sum())
    for pool, lines in enumerate(POOL_SLICES):
        full = carried[pool] + (stakes + money)[lines].sum()
        won = WINNING[:, pool]
        held = stakes[won] > 0
        after[held] += full * stakes[won][held] / (stakes + money)[won][held]
    return float(orders @ np.log(after))


@pytest.mark.parametrize("seed", range(6))
def test_no_single_chip_more_or_less_raises_the_expected_logarithm(look, draws, seed):
    rng = np.random.default_rng(seed)
    money = rng.integers(0, 12, 40) * rng.integers(0, 2, 40)
    carried = rng.integers(0, 40, 3)
    agent = Kelly(PRO_RATA, fraction=1.0)
    agent.begin(np.ones(1, bool))
    view = look("SSSCCD", pools=tuple(carried), bankrolls=(90, 9), last_tickets=["", print_ticket(money)])
    found = agent.act(view, draws)[0].astype(float)
    orders = order_table(SUPERFECTA)[rails(SUPERFECTA).index((0, 1, 2, 3))]
    best = expected_log(found, money, carried, 90.0, orders)
    assert 0 < found.sum() < 90
    for line in range(40):
        for change in (1, -1):
            other = found.copy()
            other[line] += change
            if other[line] >= 0 and other.sum() < 90:
                assert expected_log(other, money, carried, 90.0, orders) <= best + 1e-12


def test_an_equal_split_is_bet_flat(look, ticket):
    view = look("HHHHHH", bankrolls=(100, 100_000), last_tickets=CROWD)
    assert ticket(Kelly(SuperfectaSettings(seats=2), fraction=1.0), view) == "$1 WIN D"


def test_a_fraction_is_a_share():
    with pytest.raises(InvalidSettings, match="fraction is a number from 0 to 1, not 2"):
        Kelly(PRO_RATA, fraction=2)
