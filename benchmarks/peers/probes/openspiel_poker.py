"""OpenSpiel's Leduc and Kuhn poker from Python, one table, both seats played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pyspiel

from .dice import throws

PACKAGES = ("open-spiel", "numpy")
GAMES = 50


def stepped(name: str) -> Callable[[], float]:
    """A call of `apply_action` is a decision or a card; cards do not count. No observation is asked for."""
    game = pyspiel.load_game(name)
    dice = throws()

    def work() -> float:
        decisions = 0
        for _ in range(GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                decisions += not state.is_chance_node()
                legal = state.legal_actions()  # at a chance node the cards, all equally likely in these games
                state.apply_action(legal[next(dice) % len(legal)])
        return float(decisions)

    return work


FORMS = {"leduc": partial(stepped, "leduc_poker"), "kuhn": partial(stepped, "kuhn_poker")}
