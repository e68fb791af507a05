"""A seat that keeps the bank by turns: one agent quotes for it, another bets. Rule: RULES.md §3."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...games.bookmaking.settings import BookmakerSettings
from ...games.bookmaking.state import BookmakerView, Phase
from ...games.kernels import Flags, Rows, read_only
from ...games.streams import Draws
from ...games.track import SUITS
from ..contract import Agent
from .banker import Banker

V = TypeVar("V", bound=Any)


class Pair(Agent[BookmakerView]):
    """Written ``banker+bettor``. Each of the two is asked for the rows that are its own; their memories stay
    apart. A banker of the zoo also watches the races in which the seat only bets.
    """

    idea: ClassVar[str] = (
        "Quotes as one agent while it keeps the bank, and bets as another while it does not."
    )
    source: ClassVar[str] = "the bank goes round the table (RULES.md §3)"

    def __init__(self, settings: BookmakerSettings, banker: Agent[Any], bettor: Agent[Any]) -> None:
        super().__init__(settings)
        self.banker = banker
        self.bettor = bettor

    def begin(self, lanes: Flags) -> None:
        self.banker.begin(lanes.copy())
        self.bettor.begin(lanes)

    def act(self, view: BookmakerView, draws: Draws) -> NDArray[Any]:
        quotes = view.phase == Phase.QUOTE
        if quotes.all():
            return self.banker.act(view, draws)
        bets = np.flatnonzero(~quotes)
        betting = view if len(bets) == len(quotes) else take_rows(view, bets)
        if isinstance(self.banker, Banker):
            self.banker.watch(betting)
        stakes = self.bettor.act(betting, draws.rows(bets))
        if betting is view:
            return stakes
        own = np.flatnonzero(quotes)
        prices = self.banker.act(take_rows(view, own), draws.rows(own))
        decisions = np.empty((len(quotes), SUITS), np.result_type(stakes, prices))
        decisions[bets], decisions[own] = stakes, prices
        return decisions


def take_rows(view: V, index: Rows) -> V:
    """Some rows of a view, any frozen dataclass of arrays with a row for each lane: read-only copies."""
    taken = {part.name: read_only(getattr(view, part.name)[index]) for part in fields(view)}
    changed: V = replace(view, **taken)
    return changed
