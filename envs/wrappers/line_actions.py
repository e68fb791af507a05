"""Whole tickets at one stake: each line is bought or left."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from ...games.errors import InvalidSettings
from ...games.kernels import Rows
from ..actions import Tickets


class LineActions(Tickets):
    """A 1 for each line that is bought; the same tickets as `Tickets` hands in where there is one stake.

    Forty yes-or-no choices are one array of chances to a policy, not forty distributions, which is several
    times quicker.

    Raises:
        InvalidSettings: there are several stakes.
    """

    def __init__(self, encoding: Any) -> None:
        super().__init__(encoding)
        if not (np.asarray(encoding.nvec) == 2).all():
            raise InvalidSettings(f"lines are bought or left at one stake, not at {encoding.stakes}")
        self.space: spaces.Space[Any] = spaces.MultiBinary(len(encoding.nvec))

    def read(self, actions: Any, lanes: int) -> Rows:
        given = np.asarray(actions)
        if given.dtype.kind == "f" and np.isin(given, (0, 1)).all():  # as torch draws them
            given = given.astype(np.int64)
        return super().read(given, lanes)
