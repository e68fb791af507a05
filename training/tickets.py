"""A policy that decides a whole ticket or quote at once, rewritten as one that writes it part by part.

Learning with whole tickets a race is one decision, and its reward says at once what that was worth. Played is
the same network, through the same actions as any other agent:

- Of the choices on a line the one it prefers becomes a wager that scores by how much it is preferred to none;
  handing in scores 0. So the wagers it wants are written, the surest first, then the ticket is handed in.
  Where the chips run out the rest is left off, where a whole ticket would be refused.
- A quote is written suit by suit, so the prices of the suit that is next must score highest. One layer more
  sees to that: its units hold the score of each price of each suit, and those of other suits are held at 0 by
  what has been written. Rectified units alone can do that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..games.kernels import Rows
from .recipes import whole_decisions
from .tables import CLIP

WRITTEN: Final = ("draft", "spent")  # features of what has been written so far: none, to a whole ticket
LIFT: Final = 200.0  # above what any score is below 0, so that rectified units hold it whole
SHUT: Final = 2_000.0  # taken from the scores of suits that are not next; more would cost float32 its digits

Tensors = dict[str, NDArray[Any]]


def by_parts(tensors: Mapping[str, NDArray[Any]], encoding: Any) -> Tensors:
    """The tensors of the policy that writes part by part what these decide at once.

    Args:
        tensors: of the layers, ``layers.0.weight`` (units, features) and so on; the last has a score for each
            choice of each part, or where there are two choices, none and one, the odds of the second alone.
            Of quotes: from rectified units, which see normalised observations.
        encoding: of the game.
    """
    changed = dict(tensors)
    first = tensors["layers.0.weight"].copy()
    for block in encoding.layout.blocks:
        if block.name in WRITTEN:
            first[:, block.slice] = 0
    changed["layers.0.weight"] = first
    sizes = np.asarray(encoding.nvec, np.int64)
    if whole_decisions(encoding) == "wagers":
        return _wagers(changed, sizes)
    return _quotes(changed, sizes, encoding.layout["draft"])


def hidden_units(tensors: Mapping[str, NDArray[Any]]) -> tuple[int, ...]:
    """How many units each hidden layer has."""
    return tuple(len(tensors[f"layers.{number}.bias"]) for number in range(layers_of(tensors) - 1))


def layers_of(tensors: Mapping[str, NDArray[Any]]) -> int:
    """How many layers there are."""
    return sum(name.startswith("layers.") and name.endswith(".bias") for name in tensors)


def _wagers(tensors: Tensors, sizes: Rows) -> Tensors:
    last = layers_of(tensors) - 1
    for part in ("weight", "bias"):
        scores = tensors[f"layers.{last}.{part}"]
        if len(scores) == int(sizes.sum()):
            lines = np.split(scores, np.cumsum(sizes)[:-1])
            scores = np.concatenate([line[1:] - line[:1] for line in lines])
        tensors[f"layers.{last}.{part}"] = np.concatenate([np.zeros_like(scores[:1]), scores])
    return tensors


def _quotes(tensors: Tensors, sizes: Rows, draft: slice) -> Tensors:
    """Through all layers goes what has been written: a price that is there is a feature of ``CLIP``, because
    to whole quotes that feature never varied.
    """
    suits, prices, last = len(sizes), int(sizes[0]), layers_of(tensors) - 1
    seen = np.zeros((suits, tensors["layers.0.weight"].shape[1]), np.float32)
    seen[:, draft] = np.eye(suits)
    for number in range(last):
        weight, bias = tensors[f"layers.{number}.weight"], tensors[f"layers.{number}.bias"]
        if number > 0:
            weight = np.pad(weight, ((0, 0), (0, suits)))
            seen = np.pad(np.eye(suits, dtype=np.float32), ((0, 0), (weight.shape[1] - suits, 0)))
        tensors[f"layers.{number}.weight"] = np.concatenate([weight, seen])
        tensors[f"layers.{number}.bias"] = np.pad(bias, (0, suits))
    # a suit is next where the one before it has its price and it has none
    shut = np.eye(suits) - np.eye(suits, k=-1)
    gate = np.repeat(-SHUT / CLIP * shut, prices, axis=0)
    waiting = np.repeat(np.where(np.arange(suits) > 0, SHUT, 0.0), prices)
    scores = tensors[f"layers.{last}.weight"]
    tensors[f"layers.{last}.weight"] = np.concatenate([scores, gate], axis=1).astype(np.float32)
    tensors[f"layers.{last}.bias"] = (tensors[f"layers.{last}.bias"] + LIFT - waiting).astype(np.float32)
    named = np.concatenate([np.zeros((1, suits * prices)), np.tile(np.eye(prices), suits)])
    tensors[f"layers.{last + 1}.weight"] = named.astype(np.float32)
    tensors[f"layers.{last + 1}.bias"] = np.zeros(1 + prices, np.float32)
    return tensors
