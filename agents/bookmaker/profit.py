"""A banker that sets the prices which, by its model of the bettors, bring the most.

The model. Every wager is one smallest stake m. At odds n/d on a suit of chance p a chip brings back
r = p · (n + d) / d on average, rounding aside. Two kinds of bettors come to each suit by themselves:

- noise bettors, whose money is r^elasticity, 1 at fair odds: the dearer a suit, the fewer want it;
- value bettors, who know p but for a factor that is log-normal with standard deviation ``doubt`` and bet
  where they believe r > 1: Φ(log r / doubt) of them do.

With the share ``sharp`` of value bettors the bank expects of that suit

    (sharp · Φ(log r / doubt) + (1 − sharp) · r^elasticity) · (1 − p − p · floor(m n / d) / m),

where the last factor is its exact profit of a chip staked, rounding included. Suits do not depend on each
other, so the best of the 33 prices of each suit is the best book. With noise bettors alone and no board it
would be r = elasticity / (1 + elasticity).
"""

from __future__ import annotations

from functools import cache
from math import erf, log, sqrt
from typing import ClassVar

import numpy as np

from ...games.bookmaking.prices import IMPLIED, NET, PER, PRICES
from ...games.bookmaking.settings import BookmakerSettings
from ...games.kernels import Counts, Floats, read_only
from ...games.order_law import win_table
from ...games.track import Track
from ..bookmaking.banker import TableBanker
from ..bookmaking.options import number


class Profit(TableBanker):
    """Quotes for each suit the board price of the highest expected profit against bettors of the model, the
    longest of equals.

    Options:
        elasticity: by how many percent noise money grows with one percent more return, 0-100.
        sharp: share of the money that is value bettors', 0-1.
        doubt: standard deviation of the logarithm of a value bettor's error, 0.001-10.
    """

    idea: ClassVar[str] = "Quotes the prices of highest expected profit against noise and value bettors."
    source: ClassVar[str] = (
        "monopoly pricing at constant elasticity; sharp money as in Lorig, Zhou and Zou 2021"
    )

    def __init__(
        self, settings: BookmakerSettings, *, elasticity: float = 4.0, sharp: float = 0.3, doubt: float = 0.1
    ) -> None:
        super().__init__(settings)
        self.elasticity = number("elasticity", elasticity, 0, 100)
        self.sharp = number("sharp", sharp, 0, 1)
        self.doubt = number("doubt", doubt, 0.001, 10)
        self.quotes = profit_quotes(
            settings.course, settings.minimum, self.elasticity, self.sharp, self.doubt
        )


@cache
def profit_quotes(course: Track, minimum: int, elasticity: float, sharp: float, doubt: float) -> Counts:
    """The quote for every rail, (rails, 4) int8, read-only."""
    profits = expected_profits(win_table(course), minimum, elasticity, sharp, doubt)
    longest = PRICES - 1 - profits[..., ::-1].argmax(-1)  # of equals the last
    return read_only(longest.astype(np.int8))


def expected_profits(chances: Floats, minimum: int, elasticity: float, sharp: float, doubt: float) -> Floats:
    """What the bank expects of each suit at each price, (rails, 4, 33), for chances (rails, 4)."""
    p = chances[..., None]
    back = p / IMPLIED  # (rails, 4, 33)
    takers = [1 / 2 * (1 + erf(log(r) / doubt / sqrt(2))) if r > 0 else 0.0 for r in back.ravel()]
    money = sharp * np.reshape(takers, back.shape) + (1 - sharp) * back**elasticity
    profits: Floats = money * (1 - p - p * (minimum * NET // PER) / minimum)
    return profits
