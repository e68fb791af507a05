"""Views and tickets written by hand."""

import numpy as np
import pytest

from railbird.games.cards import SUIT_LETTERS
from railbird.games.order_law import ORDERS
from railbird.games.streams import Draws
from railbird.games.superfecta.settings import SuperfectaSettings
from railbird.games.superfecta.state import SuperfectaView
from railbird.games.superfecta.tickets import parse_ticket, print_ticket
from railbird.games.track import SUPERFECTA

WIDE = SuperfectaSettings(max_wager=32_767)  # reads any ticket in whole chips


def counts(rail):
    return [rail.count(suit) for suit in SUIT_LETTERS]


def order_number(order):
    return ORDERS.tolist().index([SUIT_LETTERS.index(suit) for suit in order])


@pytest.fixture
def look():
    """One seat's view of one table: ``look(rail="HHDDCS", pools=(0, 7, 0), bankrolls=(100, 100))``.

    With ``last_tickets`` (texts by seat) and ``last_order`` a race has been run, on ``last_rail`` or the
    same rail.
    """

    def build(
        rail="HHDDCS",
        pools=(0, 0, 0),
        bankrolls=(100, 100),
        seat=0,
        lane=0,
        race=None,
        last_rail=None,
        last_order=None,
        last_tickets=None,
        last_payouts=None,
    ):
        seats = len(bankrolls)
        race = (1 if last_tickets else 0) if race is None else race
        stakes = [parse_ticket(text, WIDE) for text in last_tickets or [""] * seats]
        ran = last_order or ("HDCS" if race else None)
        return SuperfectaView(
            lane=np.array([lane]),
            seat=np.array([seat]),
            race=np.array([race]),
            rail_cards=np.zeros((1, SUPERFECTA.rail), np.int8),
            rail=np.array([counts(rail)], np.int8),
            pools=np.array([pools]),
            bankrolls=np.array([bankrolls]),
            refused=np.zeros((1, seats), np.int64),
            last_rail=np.array([counts(last_rail or rail) if race else [0, 0, 0, 0]], np.int8),
            last_order=np.array([order_number(ran) if ran else -1], np.int8),
            last_stakes=np.array([stakes], np.int16),
            last_pools=np.zeros((1, 3), np.int64),
            last_payouts=np.array([last_payouts or [0] * seats]),
        )

    return build


@pytest.fixture
def draws():
    """The draws of one row."""
    return Draws(np.array([7], np.uint64))


@pytest.fixture
def ticket(draws):
    """What an agent writes on seeing a view of one table, as one line: ``"$1 WIN D; $1 EXA D/C"``."""

    def write(agent, view):
        agent.begin(np.ones(int(view.lane[0]) + 1, bool))
        return "; ".join(print_ticket(agent.act(view, draws)[0]).splitlines())

    return write
