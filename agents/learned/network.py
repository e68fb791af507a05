"""A policy network in NumPy and Numba: fully connected layers, played row by row in one fixed order.

Each row's sums are added up from the first input to the last, whatever rows stand beside it, so a decision
does not depend on how tables were grouped into batches.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.errors import BrokenFile
from ...games.kernels import Features, Flags, Floats, inline_kernel, kernel

ACTIVATIONS: Final = ("tanh", "relu")  # of the hidden layers
ROWS: Final = 256  # go through all layers together: their hidden values stay in the cache
LINEAR: Final = -1  # the last layer has no activation
WIDEST: Final = 65_536  # units of a layer
DEEPEST: Final = 32  # layers
# tanh(x) = x P(x²) / Q(x²) for |x| < 7.9053, beyond which it is ±1 in float32: the minimax fit of Eigen
# (MathFunctionsImpl.h), within a few units in the last place.
TANH_LIMIT: Final = 7.90531110763549805
P: Final = (
    4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
    -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
)  # fmt: skip
Q: Final = (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: ``inputs @ weight + bias``."""

    weight: Features  # (inputs, outputs) float32, contiguous
    bias: Features  # (outputs,) float32


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A long short-term memory before the layers (Hochreiter and Schmidhuber 1997), its gates side by side:
    input, forget, candidate, output.
    """

    inward: Features  # (inputs, 4 · units) float32
    onward: Features  # (units, 4 · units) float32
    bias: Features  # (4 · units,) float32

    @property
    def units(self) -> int:
        """Units of the memory."""
        return len(self.onward)


@dataclass(frozen=True, slots=True)
class Normalisation:
    """How observations are brought to mean 0 and variance 1 before the first layer."""

    mean: Floats  # (features,)
    variance: Floats  # (features,), 0 or more
    epsilon: float  # added to the variance
    clip: float  # normalised values are cut off at ± this

    def __call__(self, seen: Features) -> Features:
        """The normalised observations (n, features)."""
        scaled = (seen - self.mean) / np.sqrt(self.variance + self.epsilon)
        clipped: Features = np.clip(scaled, -self.clip, self.clip).astype(np.float32)
        return clipped


@dataclass(frozen=True, slots=True)
class Network:
    """A network from observations to a score for each action."""

    layers: tuple[Layer, ...]
    activation: str  # one of ACTIVATIONS
    normalisation: Normalisation | None = None
    recurrence: Recurrence | None = None

    @property
    def outputs(self) -> int:
        """Scores of an observation."""
        return len(self.layers[-1].bias)

    @property
    def hidden(self) -> tuple[int, ...]:
        """Units of each hidden layer."""
        return tuple(len(layer.bias) for layer in self.layers[:-1])

    @property
    def reads(self) -> Flags:
        """(inputs,) bool: which numbers of an observation it reads at all."""
        first = self.layers[0].weight if self.recurrence is None else self.recurrence.inward
        read: Flags = np.asarray(first.any(axis=1))
        return read

    def scores(self, seen: Features, memory: tuple[Features, Features] | None = None) -> Features:
        """(n, outputs) float32: the scores of observations (n, inputs) float32.

        A network with a memory reads and renews ``memory``: hidden and cell state, both (n, units) float32.
        """
        if self.normalisation is not None:
            seen = self.normalisation(seen)
        if self.recurrence is not None and memory is not None:
            own = self.recurrence
            gates = np.empty((len(seen), len(own.bias)), np.float32)
            renew_memory(*memory, gates, np.ascontiguousarray(seen), own.inward, own.onward, own.bias)
            seen = memory[0]
        out = np.empty((len(seen), self.outputs), np.float32)
        kinds = [ACTIVATIONS.index(self.activation)] * len(self.hidden) + [LINEAR]
        spaces = [np.empty((min(ROWS, len(seen)), units), np.float32) for units in self.hidden]
        for start in range(0, len(seen), ROWS):
            values = np.ascontiguousarray(seen[start : start + ROWS])
            targets = [*(space[: len(values)] for space in spaces), out[start : start + ROWS]]
            for layer, target, kind in zip(self.layers, targets, kinds, strict=True):
                run_layer(target, values, layer.weight, layer.bias, kind)
                values = target
        return out


@inline_kernel
def tanh32(x):  # type: ignore[no-untyped-def]
    """The hyperbolic tangent in float32, plain arithmetic, so that units go eight at a time."""
    x = min(max(x, np.float32(-TANH_LIMIT)), np.float32(TANH_LIMIT))
    square = x * x
    above = np.float32(P[6])
    for power in (5, 4, 3, 2, 1, 0):
        above = above * square + np.float32(P[power])
    below = np.float32(Q[3])
    for power in (2, 1, 0):
        below = below * square + np.float32(Q[power])
    return x * above / below


@kernel
def run_layer(out, values, weight, bias, kind):  # type: ignore[no-untyped-def]
    """Fills out (n, outputs) from values (n, inputs), weight (inputs, outputs) and bias (outputs,)."""
    for i in range(out.shape[0]):
        row = out[i]
        for unit in range(row.shape[0]):
            row[unit] = bias[unit]
        for feature in range(weight.shape[0]):
            value = values[i, feature]
            if value != 0:  # most of an observation is 0
                for unit in range(row.shape[0]):
                    row[unit] += value * weight[feature, unit]
        if kind == 0:
            for unit in range(row.shape[0]):
                row[unit] = tanh32(row[unit])
        elif kind == 1:
            for unit in range(row.shape[0]):
                row[unit] = max(row[unit], np.float32(0))


@inline_kernel
def sigmoid32(x):  # type: ignore[no-untyped-def]
    """The logistic function in float32."""
    return np.float32(0.5) * tanh32(np.float32(0.5) * x) + np.float32(0.5)


@kernel
def renew_memory(hidden, cell, gates, values, inward, onward, bias):  # type: ignore[no-untyped-def]
    """Renews hidden and cell (n, units) by values (n, inputs); gates (n, 4 · units) is room to work in."""
    units = cell.shape[1]
    for i in range(cell.shape[0]):
        row = gates[i]
        for gate in range(row.shape[0]):
            row[gate] = bias[gate]
        for feature in range(inward.shape[0]):
            value = values[i, feature]
            if value != 0:
                for gate in range(row.shape[0]):
                    row[gate] += value * inward[feature, gate]
        for unit in range(units):
            value = hidden[i, unit]
            for gate in range(row.shape[0]):
                row[gate] += value * onward[unit, gate]
        for unit in range(units):
            fresh = sigmoid32(row[unit]) * tanh32(row[2 * units + unit])
            cell[i, unit] = sigmoid32(row[units + unit]) * cell[i, unit] + fresh
            hidden[i, unit] = sigmoid32(row[3 * units + unit]) * tanh32(cell[i, unit])


@kernel
def choose_best(out, scores, mask, masked):  # type: ignore[no-untyped-def]
    """Fills out (n,) int64 with the action of the highest score, the first among equals: of the legal ones
    where ``masked``; else of all, and the lowest legal one where that is not legal.
    """
    for i in range(out.shape[0]):
        best = -1
        lowest = -1
        for action in range(scores.shape[1]):
            legal = mask[i, action] == 1
            if legal and lowest < 0:
                lowest = action
            if (legal or not masked) and (best < 0 or scores[i, action] > scores[i, best]):
                best = action
        out[i] = best if mask[i, best] == 1 else lowest


@kernel
def choose_drawn(out, scores, mask, masked, drawn):  # type: ignore[no-untyped-def]
    """Fills out (n,) int64 with an action drawn with chances proportional to the exponential of its score,
    by drawn (n,) of [0, 1): of the legal ones where ``masked``; else of all, and the lowest legal one where
    that is not legal.
    """
    for i in range(out.shape[0]):
        top = -np.inf
        lowest = -1
        for action in range(scores.shape[1]):
            if mask[i, action] == 1 and lowest < 0:
                lowest = action
            if mask[i, action] == 1 or not masked:
                top = max(top, np.float64(scores[i, action]))
        total = 0.0
        for action in range(scores.shape[1]):
            if mask[i, action] == 1 or not masked:
                total += math.exp(scores[i, action] - top)
        left = drawn[i] * total
        chosen = lowest
        for action in range(scores.shape[1]):
            if mask[i, action] == 1 or not masked:
                chosen = action
                left -= math.exp(scores[i, action] - top)
                if left < 0:
                    break
        out[i] = chosen if mask[i, chosen] == 1 else lowest


def build_network(
    tensors: Mapping[str, NDArray[Any]], sizes: Sequence[int], activation: str
) -> tuple[Layer, ...]:
    """The layers of a network of these sizes (inputs, hidden units …, outputs) from tensors named
    ``layers.0.weight`` (outputs, inputs), ``layers.0.bias`` (outputs,) and so on, float32.

    Raises:
        BrokenFile: a tensor is missing, left over, of another shape or dtype, or not finite.
    """
    if activation not in ACTIVATIONS:
        raise BrokenFile(f"an activation is one of {', '.join(ACTIVATIONS)}, not {activation!r}")
    layers = []
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        weight = tensor_of(tensors, f"layers.{number}.weight", (outputs, inputs), np.float32)
        bias = tensor_of(tensors, f"layers.{number}.bias", (outputs,), np.float32)
        layers.append(Layer(np.ascontiguousarray(weight.T), bias))
    return tuple(layers)


def build_recurrence(tensors: Mapping[str, NDArray[Any]], inputs: int, units: int) -> Recurrence:
    """The memory of so many units from the tensors ``memory.inward`` (4 · units, inputs), ``memory.onward``
    (4 · units, units) and ``memory.bias`` (4 · units,), float32.

    Raises:
        BrokenFile: a tensor is missing, of another shape or dtype, or not finite.
    """
    inward, onward = (
        tensor_of(tensors, f"memory.{name}", (4 * units, size), np.float32)
        for name, size in (("inward", inputs), ("onward", units))
    )
    bias = tensor_of(tensors, "memory.bias", (4 * units,), np.float32)
    return Recurrence(np.ascontiguousarray(inward.T), np.ascontiguousarray(onward.T), bias)


def tensor_of(
    tensors: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, ...], dtype: type[np.generic]
) -> NDArray[Any]:
    """A fresh copy of one of the tensors.

    Raises:
        BrokenFile: it is missing, of another shape or dtype, or not finite.
    """
    if name not in tensors:
        raise BrokenFile(f"tensor {name!r} is missing")
    tensor = tensors[name]
    if tensor.shape != shape or tensor.dtype != dtype:
        due = f"{np.dtype(dtype)} of shape {shape}"
        raise BrokenFile(f"tensor {name!r} is {tensor.dtype} of shape {tensor.shape}, not {due}")
    if not np.isfinite(tensor).all():
        raise BrokenFile(f"tensor {name!r} holds numbers that are not finite")
    return tensor.copy()
