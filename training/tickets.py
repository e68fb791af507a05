"""A policy that fills in a whole ticket at once, rewritten as one that writes it wager by wager.

Learning with whole tickets a race is one decision, and its reward says at once what that was worth. Played is
the same network: of the choices on a line the one it prefers becomes a wager that scores by how much it is
preferred to none, and handing in scores 0. So the wagers it wants are written, the surest first, then the
ticket is handed in; where the chips run out the rest is left off, where a whole ticket would be refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..games.errors import InvalidSettings

WRITTEN: Final = ("draft", "spent")  # features of what has been written so far: none, to a whole ticket

Tensors = dict[str, NDArray[Any]]


def by_wagers(tensors: Mapping[str, NDArray[Any]], encoding: Any) -> Tensors:
    """The tensors of the policy that writes wager by wager what these fill in at once.

    Args:
        tensors: of the layers, ``layers.0.weight`` and so on; the last has a score for each choice of each
            part of a ticket, none first.
        encoding: of the game.

    Raises:
        InvalidSettings: the parts of a ticket are not the lines of wagers: a banker quotes.
    """
    sizes = np.asarray(encoding.nvec, np.int64)
    last = max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    if int((sizes - 1).sum()) + 1 != encoding.actions:
        raise InvalidSettings("only wagers are learned by whole tickets; leave action at 'wager'")
    changed = dict(tensors)
    for part in ("weight", "bias"):
        scores = tensors[f"layers.{last}.{part}"]  # (choices, …)
        lines = np.split(scores, np.cumsum(sizes)[:-1])
        wagers = [line[1:] - line[:1] for line in lines]
        changed[f"layers.{last}.{part}"] = np.concatenate([np.zeros_like(scores[:1]), *wagers])
    first = tensors["layers.0.weight"].copy()  # (units, features)
    for block in encoding.layout.blocks:
        if block.name in WRITTEN:
            first[:, block.start : block.start + block.size] = 0
    changed["layers.0.weight"] = first
    return changed
