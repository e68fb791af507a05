"""The exact answers to the published odds. Rule: RULES.md §4."""

from __future__ import annotations

from typing import ClassVar

from ..bookmaking.value import Value


class Optimal(Value):
    """Bets on the suit of the highest expected profit if that is above 0, and on no other.

    That is the best there is under the default rules, which allow one wager a race: 0.071857 chips a race.
    """

    idea: ClassVar[str] = "Backs the suit of the highest expected profit, and nothing where none is above 0."
    source: ClassVar[str] = "the exact law of the race; the published odds can be beaten (RULES.md §4)"

    suits: ClassVar[int] = 1


class Cover(Value):
    """Bets on every suit of positive expectation, the best of them where the rules allow fewer wagers.

    With a chip on each, ``max_wagers=4``, that is 0.09917 chips a race.
    """

    idea: ClassVar[str] = "Backs every suit of positive expectation that the rules let it."
    source: ClassVar[str] = "the exact law of the race; the published odds can be beaten (RULES.md §4)"
