"""RLCard's Leduc hold'em, one table, both seats played."""

from __future__ import annotations

from collections.abc import Callable

import rlcard

from .dice import throws

PACKAGES = ("rlcard", "numpy")
GAMES = 20


def stepped() -> Callable[[], float]:
    """A call is a decision; states with observations and legal actions come with it."""
    env = rlcard.make("leduc-holdem", config={"seed": 0})
    dice = throws()

    def work() -> float:
        decisions = 0
        for _ in range(GAMES):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[next(dice) % len(legal)])
                decisions += 1
        return float(decisions)

    return work


FORMS = {"leduc": stepped}
