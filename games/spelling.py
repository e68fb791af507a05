"""Decisions as the flat actions that write them: what the encodings' ``spell`` have in common."""

from __future__ import annotations

from typing import Final

import numpy as np

from .kernels import Flags, Rows

NO_ACTION: Final = -1  # stands behind the last action of a row, and throughout where no actions will do


def spelled(written: Rows, closed: Flags, wrong: Flags) -> Rows:
    """(n, k) int64: each row's actions from the left, `NO_ACTION` behind them; k is the longest row's.

    Args:
        written: (n, columns) the actions that write something, in their order, `NO_ACTION` between them.
        closed: (n,) bool, rows that have to be handed in with action 0; the last action of the others does.
        wrong: (n,) bool, rows that no actions spell.
    """
    counts = np.count_nonzero(written != NO_ACTION, axis=1)
    longest = max(1, int((counts + closed).max(initial=1)))
    order = np.argsort(written == NO_ACTION, axis=1, kind="stable")[:, :longest]
    actions: Rows = np.full((len(written), longest), NO_ACTION, np.int64)
    actions[:, : order.shape[1]] = np.take_along_axis(written, order, axis=1)
    ends = np.flatnonzero(closed)
    actions[ends, counts[ends]] = 0
    actions[wrong] = NO_ACTION
    return actions
