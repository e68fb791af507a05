"""The index table of an observation: which features stand where, what they mean and their bounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .kernels import Features


@dataclass(frozen=True, slots=True)
class Block:
    """A run of neighbouring features of one meaning."""

    name: str
    start: int
    size: int
    low: float
    high: float
    meaning: str

    @property
    def slice(self) -> slice:
        """Where the block stands in an observation."""
        return slice(self.start, self.start + self.size)


@dataclass(frozen=True, slots=True)
class Layout:
    """All blocks of an observation, in order and without gaps."""

    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, parts: Iterable[tuple[str, int, float, float, str]]) -> Layout:
        """The layout of (name, size, low, high, meaning) parts, laid one behind the other."""
        blocks, start = [], 0
        for name, size, low, high, meaning in parts:
            blocks.append(Block(name, start, size, low, high, meaning))
            start += size
        return cls(tuple(blocks))

    def __getitem__(self, name: str) -> slice:
        return next(block.slice for block in self.blocks if block.name == name)

    @property
    def size(self) -> int:
        """Number of features."""
        return self.blocks[-1].start + self.blocks[-1].size

    @property
    def bounds(self) -> tuple[Features, Features]:
        """The lowest and highest value of each feature, both (size,) float32."""
        low = np.concatenate([np.full(block.size, block.low, np.float32) for block in self.blocks])
        high = np.concatenate([np.full(block.size, block.high, np.float32) for block in self.blocks])
        return low, high

    def table(self) -> str:
        """The index table as text, a line a block: ``0-3    rail    0..1   meaning``."""
        return "\n".join(
            f"{f'{block.start}-{block.start + block.size - 1}' if block.size > 1 else block.start!s:<8}"
            f"{block.name:<12}{block.low:g}..{block.high:g}   {block.meaning}"
            for block in self.blocks
        )
