"""Bettors that go by the last race."""

import pytest

from railbird.agents.superfecta.followers import Chaser, Follower
from railbird.games.superfecta.settings import SuperfectaSettings

TWO = SuperfectaSettings(seats=2)


def test_follower_backs_the_winner_of_the_last_race(look, ticket):
    assert ticket(Follower(TWO), look(race=1, last_order="DCHS")) == "$1 WIN D"
    assert ticket(Follower(TWO), look(race=1, last_order="SCHD")) == "$1 WIN S"


def test_follower_waits_for_the_first_race(look, ticket):
    assert ticket(Follower(TWO), look()) == ""


def test_follower_without_chips_bets_nothing(look, ticket):
    rules = SuperfectaSettings(seats=2, minimum_bets=(2, 3, 5))
    assert ticket(Follower(rules), look(race=1, last_order="DCHS", bankrolls=(1, 9))) == ""


@pytest.mark.parametrize(
    ("staked", "paid", "bankroll", "wager"),
    [
        (0, 0, 100, "$1 WIN S"),  # no ticket before: one minimum bet
        (2, 0, 100, "$4 WIN S"),  # lost 2: 4
        (2, 5, 100, "$1 WIN S"),  # won: one again
        (4, 0, 100, "$1 WIN S"),  # 8 would be a third doubling: one again
        (2, 0, 3, "$3 WIN S"),  # 4 wanted, 3 left
        (2, 0, 0, ""),
    ],
)
def test_chaser_doubles_after_a_loss(look, ticket, staked, paid, bankroll, wager):
    view = look(
        "HHHDDC",
        bankrolls=(bankroll, 50),
        last_tickets=[f"${staked} WIN H" if staked else "", "$9 WIN D"],
        last_payouts=[paid, 0],
    )
    assert ticket(Chaser(TWO, doublings=2), view) == wager


def test_chaser_bets_multiples_of_the_minimum_bet(look, ticket):
    rules = SuperfectaSettings(seats=2, minimum_bets=(2, 3, 5))
    # 8 wanted, 5 left: 4 is the largest multiple of 2
    view = look("HHHDDC", bankrolls=(5, 50), last_tickets=["$4 WIN H", ""])
    assert ticket(Chaser(rules), view) == "$4 WIN S"


def test_chaser_keeps_to_the_largest_wager(look, ticket):
    rules = SuperfectaSettings(seats=2, max_wager=6)
    view = look("HHHDDC", last_tickets=["$4 WIN H", ""])  # 8 is above 6: one again
    assert ticket(Chaser(rules), view) == "$1 WIN S"
