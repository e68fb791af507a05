"""An equilibrium by CFR+: both seats learn from regret at their information sets.

In each round a seat works out how much better each choice would have done than its present strategy against
the other's present strategy, adds that to the choice's regret, cuts regrets below 0 off, and from then on
chooses in proportion to regret. The seats take turns. What comes near an equilibrium is not the last strategy
but the mean of all, a round's weight being its number.

Source: Tammelin, "Solving large imperfect information games using CFR+", 2014; Zinkevich, Johanson, Bowling
and Piccione, "Regret minimization in games with incomplete information", 2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...games.checks import whole
from ...games.kernels import Floats, kernel
from .forms import Side, SmallGame, even_plan
from .responses import exploitability

MOST_ITERATIONS = 10_000_000


@dataclass(frozen=True, slots=True)
class Solution:
    """Strategies near an equilibrium, and how near."""

    plans: tuple[Floats, Floats]  # (sequences,) of a seat
    iterations: int
    trace: tuple[tuple[int, float], ...]  # (iterations, exploitability after so many), the last at the end

    @property
    def exploitability(self) -> float:
        """Of the plans, exact."""
        return self.trace[-1][1]


class _Learner:
    """One seat's regrets, present strategy and mean strategy."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.regrets = np.zeros(side.sequences)
        self.plan = even_plan(side)
        self.mean = self.plan.copy()

    def learn(self, earned: Floats, iteration: int) -> None:
        """A round against what the other's present strategy leaves to earn (sequences,), used up here."""
        improve(self.regrets, self.plan, earned, self.side.parent, self.side.first)
        self.mean += (self.plan - self.mean) * (2 / (iteration + 1))  # weights 1, 2, 3, …


def find_equilibrium(game: SmallGame, iterations: int) -> Solution:
    """The mean strategies after so many rounds of CFR+.

    Its exploitability is measured after 1, 2, 4, 8, … rounds and at the end.

    Raises:
        InvalidSettings: iterations is no whole number of 1 or more.
    """
    whole("iterations", iterations, 1, MOST_ITERATIONS)
    learners = (_Learner(game.sides[0]), _Learner(game.sides[1]))
    trace = []
    for iteration in range(1, iterations + 1):
        for seat, learner in enumerate(learners):
            learner.learn(game.earnings(seat, learners[1 - seat].plan), iteration)
        if iteration & (iteration - 1) == 0 or iteration == iterations:
            trace.append((iteration, exploitability(game, (learners[0].mean, learners[1].mean))))
    return Solution((learners[0].mean, learners[1].mean), iterations, tuple(trace))


@kernel
def improve(regrets, plan, worth, parent, first) -> None:  # type: ignore[no-untyped-def]
    """One round of a seat: new regrets, and from them the new plan, both (sequences,).

    ``worth`` (sequences,) comes as what each sequence earns at its endings, and leaves as what the seat wins
    from it on by its old strategy.
    """
    for i in range(parent.shape[0] - 1, -1, -1):
        total = 0.0
        for sequence in range(first[i], first[i + 1]):
            total += regrets[sequence]
        value = 0.0
        for sequence in range(first[i], first[i + 1]):
            part = regrets[sequence] / total if total > 0 else 1.0 / (first[i + 1] - first[i])
            value += part * worth[sequence]
        for sequence in range(first[i], first[i + 1]):
            regrets[sequence] = max(regrets[sequence] + worth[sequence] - value, 0.0)
        worth[parent[i]] += value
    for i in range(parent.shape[0]):
        total = 0.0
        for sequence in range(first[i], first[i + 1]):
            total += regrets[sequence]
        for sequence in range(first[i], first[i + 1]):
            part = regrets[sequence] / total if total > 0 else 1.0 / (first[i + 1] - first[i])
            plan[sequence] = plan[parent[i]] * part
