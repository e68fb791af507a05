"""The plainest bettors. Win chances: RULES.md §1, e.g. rail 3,2,1,0 -> 0.0928 0.1775 0.2926 0.4371."""

import numpy as np
import pytest

from railbird.agents.superfecta.anchors import Favourite, Longshot, Null, Random, WinCover
from railbird.games.errors import InvalidSettings
from railbird.games.streams import Draws
from railbird.games.superfecta.settings import SuperfectaSettings

TWO = SuperfectaSettings(seats=2)


def many(view, rows):
    """The same view in so many lanes, with draws of their own."""
    columns = {name: np.repeat(getattr(view, name), rows, axis=0) for name in type(view).__slots__}
    columns["lane"] = np.arange(rows)
    return type(view)(**columns), Draws(np.arange(rows, dtype=np.uint64))


def test_null_never_bets(look, ticket):
    assert ticket(Null(TWO), look(pools=(500, 500, 500))) == ""


@pytest.mark.parametrize(
    ("rail", "wager"),
    [
        ("HHHDDC", "$1 WIN S"),  # spades show none: 0.4371
        ("HHDDCS", "$1 WIN C"),  # clubs and spades show one each, 0.3108: the first suit
        ("HHHHHH", "$1 WIN D"),  # 1/3 each for D, C and S
    ],
)
def test_favourite_backs_the_horse_with_the_fewest_cards(look, ticket, rail, wager):
    assert ticket(Favourite(TWO), look(rail)) == wager


@pytest.mark.parametrize(
    ("rail", "wager"),
    [
        ("HHHDDC", "$1 WIN H"),  # hearts show three: 0.0928
        ("SSDDCH", "$1 WIN D"),  # diamonds and spades show two each, 0.1892: the first suit
        ("HHHHHH", "$1 WIN D"),  # hearts have six cards left and need seven; 1/3 each for the others
    ],
)
def test_longshot_backs_the_least_likely_horse_that_can_win(look, ticket, rail, wager):
    assert ticket(Longshot(TWO), look(rail)) == wager


def test_win_cover_backs_every_horse_that_can_win(look, ticket):
    assert ticket(WinCover(TWO), look("HHDDCS")) == "$1 WIN H; $1 WIN D; $1 WIN C; $1 WIN S"
    assert ticket(WinCover(TWO), look("HHHHHH")) == "$1 WIN D; $1 WIN C; $1 WIN S"


def test_win_cover_buys_the_likeliest_when_short_of_chips(look, ticket):
    # C and S have 0.3108, H and D 0.1892: with three chips C, S and the first of the others
    assert ticket(WinCover(TWO), look("HHDDCS", bankrolls=(3, 100))) == "$1 WIN H; $1 WIN C; $1 WIN S"
    rules = SuperfectaSettings(seats=2, minimum_bets=(2, 3, 5))
    assert ticket(WinCover(rules), look("HHDDCS", bankrolls=(3, 100))) == "$2 WIN C"


def test_random_holds_the_lines_whose_draw_is_below_the_probability(look):
    view, draws = many(look(), 50)
    stakes = Random(TWO, probability=0.3).act(view, draws)
    drawn = Draws(np.arange(50, dtype=np.uint64)).uniform(40)  # the same draws again
    assert np.array_equal(stakes, drawn < 0.3)


def test_random_holds_a_tenth_of_the_lines_by_default(look):
    view, draws = many(look(), 4_000)
    held = Random(TWO).act(view, draws).sum()
    # 160,000 throws at 0.1: 16,000, standard deviation √(160,000 · 0.09) = 120
    assert abs(held - 16_000) < 4 * 120


def test_random_cuts_a_ticket_it_cannot_pay_in_the_order_of_its_draws(look):
    rules = SuperfectaSettings(seats=2, minimum_bets=(2, 3, 5))
    view, draws = many(look(bankrolls=(9, 100)), 50)
    stakes = Random(rules, probability=1.0).act(view, draws)
    drawn = Draws(np.arange(50, dtype=np.uint64)).uniform(40)
    for row in range(50):
        left, bought = 9, np.zeros(40, int)
        for line in np.argsort(drawn[row]):
            price = 2 if line < 4 else 3 if line < 16 else 5
            if price <= left:
                bought[line] = price
                left -= price
        assert np.array_equal(stakes[row], bought)


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan")])
def test_random_refuses_what_is_no_probability(probability):
    with pytest.raises(InvalidSettings, match="probability is a number from 0 to 1"):
        Random(TWO, probability=probability)
