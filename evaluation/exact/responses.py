"""Best responses and exploitability, exact by going through every information set once.

All is float64: sums of products of chances, right to some 1e-12 for winnings of about 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...games.kernels import Floats, kernel
from .forms import SmallGame


@dataclass(frozen=True, slots=True)
class Response:
    """A best response of one seat: a pure strategy."""

    value: float  # what the seat wins with it on average
    plan: Floats  # (sequences,) 0 or 1


def best_response(game: SmallGame, seat: int, rival: Floats) -> Response:
    """The best a seat can do against a plan of the other's, and what that brings.

    Where several choices are as good it takes the first.
    """
    side = game.sides[seat]
    worth = game.earnings(seat, rival)
    plan = np.zeros(side.sequences)
    respond(plan, worth, side.parent, side.first)
    return Response(float(worth[0]), plan)


def gains(game: SmallGame, plans: tuple[Floats, Floats]) -> tuple[float, float]:
    """What each seat would win more by a best response than by its plan, the other keeping to its own.

    0 or more but for rounding.
    """
    value = game.value(plans)
    first, second = (best_response(game, seat, plans[1 - seat]).value for seat in (0, 1))
    return first - value, second + value


def exploitability(game: SmallGame, plans: tuple[Floats, Floats]) -> float:
    """Half of what both seats together would gain by best responses (half of NashConv), 0 in an equilibrium.

    In a game that is alike for both seats, with both playing one strategy, it is what that strategy loses to
    its best response.
    """
    return max(0.0, sum(gains(game, plans)) / 2)  # a hair below 0 is rounding


@kernel
def respond(plan, worth, parent, first) -> None:  # type: ignore[no-untyped-def]
    """Fills plan (sequences,), zeros before, with the best response.

    ``worth`` (sequences,) comes as what each sequence earns at its endings, and leaves as what the seat wins
    from it on, its later choices being the best.
    """
    for i in range(parent.shape[0] - 1, -1, -1):
        best = first[i]
        for sequence in range(first[i] + 1, first[i + 1]):
            if worth[sequence] > worth[best]:
                best = sequence
        plan[best] = 1.0
        worth[parent[i]] += worth[best]
    plan[0] = 1.0
    for i in range(parent.shape[0]):
        for sequence in range(first[i], first[i + 1]):
            plan[sequence] *= plan[parent[i]]
