"""Whole tickets of Superfecta as actions, for solvers that need few of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Flags, Rows, Stakes
from ...games.superfecta.encoding import SuperfectaEncoding, Ticket
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.superfecta.tickets import parse_ticket, print_ticket


class Catalogue(SuperfectaEncoding):
    """Observations as in `SuperfectaEncoding`; a whole ticket of a list is one action.

    Args:
        settings: the rules of the table.
        tickets: their texts, parted by |.
    """

    def __init__(self, settings: SuperfectaSettings, tickets: str) -> None:
        super().__init__(settings)
        texts = [""] + [text.strip() for text in tickets.split("|")]
        self.tickets: Stakes = np.array([parse_ticket(text, settings) for text in texts])  # (actions, 40)
        self.costs: Chips = self.tickets.sum(axis=1, dtype=np.int64)
        if len(np.unique(self.tickets, axis=0)) < len(texts):
            raise InvalidSettings(f"tickets are different ones, none of them empty, not {tickets!r}")
        self.actions = len(texts)

    def mask(self, view: SuperfectaView, draft: Ticket) -> NDArray[np.int8]:
        """(n, actions) int8: the tickets that can be paid for."""
        return (self.costs <= view.bankroll[:, None]).astype(np.int8)

    def write(self, draft: Ticket, actions: Rows, rows: Flags) -> Flags:
        """Writes a whole ticket into each draft of the mask, which hands it in."""
        draft.stakes[rows], draft.cost[rows] = self.tickets[actions[rows]], self.costs[actions[rows]]
        return rows.copy()

    def action_text(self, action: int) -> str:
        """A ticket in a line, ``"no wager"`` for the empty one."""
        return print_ticket(self.tickets[action]).replace("\n", "; ") or "no wager"
