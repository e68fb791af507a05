"""PettingZoo's Leduc hold'em, one table, both seats played."""

from __future__ import annotations

from collections.abc import Callable

from pettingzoo.classic import leduc_holdem_v4

from .dice import throws

PACKAGES = ("pettingzoo", "rlcard", "numpy")
GAMES = 20


def stepped() -> Callable[[], float]:
    """The usual loop, `last` and then `step`; the steps of agents that are done do not count."""
    env = leduc_holdem_v4.env()
    env.reset(seed=0)
    dice = throws()

    def work() -> float:
        decisions = 0
        for _ in range(GAMES):
            env.reset()
            for _ in env.agent_iter():
                observation, _, ended, truncated, _ = env.last()
                if ended or truncated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[next(dice) % len(legal)]))
                decisions += 1
        return float(decisions)

    return work


FORMS = {"leduc": stepped}
