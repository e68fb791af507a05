"""What a step of the learners brings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..games.kernels import Chips, Flags, Floats


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step brought, a row a lane; 0 and False in lanes that were not stepped."""

    rewards: Floats  # (lanes,) float64, as the setting ``reward`` says
    profits: Chips  # (lanes,) int64, change of the learner's bankroll in chips
    ended: Flags  # (lanes,) bool, whether the episode ended in this step
    illegal: Flags  # (lanes,) bool, whether the action was illegal and another took its place

    @classmethod
    def nothing(cls, lanes: int) -> Outcome:
        """The outcome of no step at all."""
        no = np.zeros(lanes, bool)
        return cls(np.zeros(lanes), np.zeros(lanes, np.int64), no, no.copy())

    def put(self, lanes: slice, other: Outcome) -> None:
        """Takes over, in these lanes, the outcome of a table of them."""
        self.rewards[lanes], self.profits[lanes] = other.rewards, other.profits
        self.ended[lanes], self.illegal[lanes] = other.ended, other.illegal

    def only(self, lanes: Flags) -> Outcome:
        """The outcome in these lanes and nothing in the others."""
        return Outcome(
            np.where(lanes, self.rewards, 0.0),
            np.where(lanes, self.profits, 0),
            self.ended & lanes,
            self.illegal & lanes,
        )
