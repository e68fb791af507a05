"""Every random number of games, environments and agents: a pure function of what it is for.

A *stream* is named by (root seed, lane number, episode, role, index). The name is hashed into the start
and the odd gamma of a SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number
generators", OOPSLA 2014), so lane 0 plays the same games alone or beside 4,096 others, neighbouring seeds
share nothing, and no stream can shift another. Nothing here reads or writes a global generator.

Hashing feeds each word forward (`mix64(x) ^ x`), so a stream's key does not lead back to the root.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from .errors import InvalidSettings
from .kernels import Floats, Keys, Rows, inline_kernel, kernel

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, odd
LOW_32: Final = np.uint64(0xFFFFFFFF)
TO_UNIT: Final = 2.0**-53


class Role(IntEnum):
    """What a stream is for. A seat's own choices use ``SEAT + seat``."""

    RAIL = 1
    STOCK = 2
    EXPLORATION = 3
    SEAT = 16


@inline_kernel
def mix64(z):  # type: ignore[no-untyped-def]
    """The finaliser of SplitMix64 ("variant 13" of Stafford): a bijection of 64 bits."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inline_kernel
def fold(key, word):  # type: ignore[no-untyped-def]
    """The key of a name one word longer."""
    x = (key ^ mix64(word + GOLDEN)) + GOLDEN
    return mix64(x) ^ x


@inline_kernel
def stream_of(key, role, index):  # type: ignore[no-untyped-def]
    """The key of an episode's stream for a role, the index-th of its kind: the stock of a race."""
    return fold(key, (np.uint64(index) << np.uint64(8)) | role)


@inline_kernel
def gamma_of(key):  # type: ignore[no-untyped-def]
    """The odd step of the stream with this key, repaired as Steele, Lea and Flood do where it has fewer
    than 24 places at which neighbouring bits differ (such a step mixes poorly).
    """
    gamma = mix64(key ^ np.uint64(0xD1342543DE82EF95)) | np.uint64(1)
    ones = gamma ^ (gamma >> np.uint64(1))
    ones = ones - ((ones >> np.uint64(1)) & np.uint64(0x5555555555555555))
    ones = (ones & np.uint64(0x3333333333333333)) + ((ones >> np.uint64(2)) & np.uint64(0x3333333333333333))
    ones = (ones + (ones >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    if (ones * np.uint64(0x0101010101010101)) >> np.uint64(56) < np.uint64(24):
        gamma ^= np.uint64(0xAAAAAAAAAAAAAAAA)
    return gamma


@inline_kernel
def bounded(state, gamma, bound):  # type: ignore[no-untyped-def]
    """An exactly uniform integer below ``bound`` (≤ 2^32) and the stream's next state.

    Source: Lemire, "Fast random integer generation in an interval", TOMACS 2019.
    """
    state += gamma
    product = (mix64(state) >> np.uint64(32)) * bound
    if (product & LOW_32) < bound:
        threshold = (np.uint64(0x100000000) - bound) % bound
        while (product & LOW_32) < threshold:
            state += gamma
            product = (mix64(state) >> np.uint64(32)) * bound
    return product >> np.uint64(32), state


@kernel
def splitmix64(out, seed, gamma):  # type: ignore[no-untyped-def]
    """Fills ``out`` (n,) uint64 with the generator started at ``seed`` and stepping by ``gamma``."""
    for i in range(out.shape[0]):
        seed += gamma
        out[i] = mix64(seed)


@kernel
def fold_keys(out, keys, words):  # type: ignore[no-untyped-def]
    """``out[i] = fold(keys[i], words[i])``, all (n,) uint64."""
    for i in range(out.shape[0]):
        out[i] = fold(keys[i], words[i])


@kernel
def fill_unit(out, keys, call):  # type: ignore[no-untyped-def]
    """Fills (n, k) float64 with numbers of [0, 1): row i from the stream (keys[i], call)."""
    for i in range(out.shape[0]):
        state = fold(keys[i], call)
        gamma = gamma_of(state)
        for j in range(out.shape[1]):
            state += gamma
            out[i, j] = (mix64(state) >> np.uint64(11)) * TO_UNIT


@kernel
def fill_bounded(out, keys, call, bounds):  # type: ignore[no-untyped-def]
    """Fills (n, k) int64 with integers below bounds[i] (n,) uint64: row i from (keys[i], call)."""
    for i in range(out.shape[0]):
        state = fold(keys[i], call)
        gamma = gamma_of(state)
        for j in range(out.shape[1]):
            drawn, state = bounded(state, gamma, bounds[i])
            out[i, j] = np.int64(drawn)


def root_key(seed: int) -> np.uint64:
    """The key of a root seed, any integer ≥ 0 however large.

    Raises:
        InvalidSettings: the seed is negative or no integer.
    """
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidSettings(f"a root seed is an integer of 0 or more, not {seed!r}")
    key, rest = np.zeros(1, np.uint64), int(seed)
    while True:
        fold_keys(key, key, np.array([rest & (2**64 - 1)], np.uint64))
        rest >>= 64
        if rest == 0:
            return np.uint64(key[0])


def extend(keys: Keys, words: Rows | int) -> Keys:
    """The keys of names one word longer, (n,) uint64; ``words`` is one integer or (n,)."""
    out = np.empty_like(keys)
    fold_keys(out, keys, np.broadcast_to(np.asarray(words, np.int64), keys.shape).astype(np.uint64))
    return out


class Draws:
    """The random choices of one seat for one decision, a row for each lane asked.

    Args:
        keys: (n,) uint64, keys of streams.
        words: what the names of the streams have behind them, (n,) each.

    Each call takes the next call number, the same for every row, so what a row draws does not depend on
    which other rows are beside it.
    """

    __slots__ = ("_calls", "_name", "_started")

    def __init__(self, keys: Keys, *words: Rows) -> None:
        self._started = keys  # folded with the words when the first number is drawn: many agents draw none
        self._name = words
        self._calls = 0

    def __len__(self) -> int:
        return len(self._started)

    @property
    def _keys(self) -> Keys:
        while self._name:
            self._started, self._name = extend(self._started, self._name[0]), self._name[1:]
        return self._started

    def _next_call(self) -> np.uint64:
        self._calls += 1
        return np.uint64(self._calls)

    def uniform(self, columns: int) -> Floats:
        """Numbers of [0, 1), (n, columns) float64."""
        out = np.empty((len(self._keys), columns))
        fill_unit(out, self._keys, self._next_call())
        return out

    def integers(self, high: int | Rows, columns: int) -> Rows:
        """Integers of 0 … high − 1, (n, columns) int64; ``high`` (≥ 1) is one number or one for each row."""
        out = np.empty((len(self._keys), columns), np.int64)
        bounds = np.broadcast_to(np.asarray(high, np.int64), (len(self._keys),)).astype(np.uint64)
        if bounds.size and not 1 <= bounds.min() <= bounds.max() <= 2**32:
            raise InvalidSettings(f"draws are below a bound of 1 to 2^32, not {high!r}")
        fill_bounded(out, self._keys, self._next_call(), bounds)
        return out

    def rows(self, index: Rows) -> Draws:
        """The draws of some of the rows, for an agent that handles them in groups."""
        return Draws(self._keys[index])
