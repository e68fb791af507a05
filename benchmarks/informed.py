"""The banker that is told who bets: the mark a learned banker is measured by.

Named ``railbird.benchmarks.informed:Informed`` wherever a banker can be named.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import ClassVar, Final

import numpy as np

from ..agents.bookmaking.banker import TableBanker
from ..agents.contract import Agent
from ..agents.registry import parse_agent
from ..games.bookmaking.ledger import winnings
from ..games.bookmaking.prices import IMPLIED, PRICES
from ..games.bookmaking.settings import BookmakerSettings
from ..games.bookmaking.state import BookmakerView
from ..games.horse_race.table import HorseRace
from ..games.kernels import Counts, Floats
from ..games.order_law import rails, win_table
from ..games.streams import Draws, extend, root_key
from ..games.track import SUITS

TRIES: Final = 400  # decisions of each bettor at each rail and price, by which chance is averaged out


class Informed(TableBanker):
    """Asks the very bettors of its table what they would stake at each price, and quotes the best for each
    suit, the shortest of equals.

    They are asked with all suits at the same price and with the chips they begin with; what a bettor would
    do with fewer chips, or remembers of earlier races, is left out. Exact up to the draws of those who throw
    dice.

    Options:
        population: the bettors, parted by +.
    """

    idea: ClassVar[str] = "Knows who bets, and quotes for each suit what brings the most from them."
    source: ClassVar[str] = "search over all 33 prices of each suit at each rail"

    def __init__(
        self,
        settings: BookmakerSettings,
        *,
        population: str = "favourite+longshot+random+value+biased+hunch",
    ) -> None:
        super().__init__(settings)
        self.quotes = best_quotes(settings, population)


@cache
def best_quotes(settings: BookmakerSettings, population: str) -> Counts:
    """(rails, 4) int8: the price of each suit at each rail that brings the most from these bettors."""
    best: Counts = income(settings, population).argmax(2).astype(np.int8)
    return best


@cache
def income(settings: BookmakerSettings, population: str) -> Floats:
    """(rails, 4, 33) chips: what the bank expects of a suit at a rail and a price."""
    course = settings.course
    every = np.repeat(np.array(rails(course), np.int8), TRIES, axis=0)  # (rails · tries, 4)
    chances = win_table(course)  # (rails, 4)
    table = HorseRace(settings, 0, len(every))  # type: ignore[arg-type]  # of any track
    found = np.empty((len(chances), SUITS, PRICES))
    for price in range(PRICES):
        table.start(np.ones(len(every), bool), 0)
        quotes = table.blank()
        quotes[:, -1] = price
        table.submit(quotes, np.ones(len(every), bool))
        found[:, :, price] = 0
        for seat, name in enumerate(population.split("+")):
            bettor = parse_agent(name, "horse-race").make(settings)
            view = replace(table.view(seat), rail=every)
            bettor.begin(np.ones(len(every), bool))
            draws = Draws(extend(np.full(len(every), root_key(seat)), view.lane))
            stakes = bettor.act(view, draws).astype(np.int64)  # (rails · tries, 4)
            paid = np.array([winnings(int(stake), price) for stake in np.unique(stakes)])
            won = paid[np.searchsorted(np.unique(stakes), stakes)]
            shape = (len(chances), TRIES, SUITS)
            staked, owed = stakes.reshape(shape).mean(1), won.reshape(shape).mean(1)
            found[:, :, price] += (1 - chances) * staked - chances * owed
    return found


def quoted(banker: Agent[BookmakerView], settings: BookmakerSettings) -> Counts:
    """(rails, 4) int8: what a banker quotes at each rail in the first race of a game."""
    every = np.array(rails(settings.course), np.int8)
    table = HorseRace(settings, 0, len(every))  # type: ignore[arg-type]  # of any track
    table.start(np.ones(len(every), bool), 0)
    view = replace(table.view(settings.seats), rail=every)
    banker.begin(np.ones(len(every), bool))
    draws = Draws(extend(np.full(len(every), root_key(0)), view.lane))
    return np.asarray(banker.act(view, draws), np.int8)


def overrounds(quotes: Counts) -> Floats:
    """(rails,): what the chances at which quotes (rails, 4) are fair add up to beyond 1."""
    total: Floats = IMPLIED[quotes].sum(1) - 1
    return total
