"""An encoding with more features behind its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from ...games.kernels import Features
from ...games.layout import Layout

Part: TypeAlias = tuple[str, int, float, float, str]  # name, size, low, high, meaning


class Extra(Protocol):
    """Features a wrapper adds."""

    parts: Sequence[Part]

    def features(self, view: Any) -> Features:
        """(n, sum of sizes) float32 for the rows of a view."""


class Extended:
    """A game's encoding that sees more; all else is as in the one it extends."""

    def __init__(self, inner: Any, extra: Extra) -> None:
        self.inner = inner
        self.extra = extra
        own = [
            (block.name, block.size, block.low, block.high, block.meaning) for block in inner.layout.blocks
        ]
        self.layout = Layout.of([*own, *extra.parts])
        self.features = self.layout.size

    def __getattr__(self, name: str) -> Any:
        if "inner" not in self.__dict__:  # while it is being copied
            raise AttributeError(name)
        return getattr(self.inner, name)

    def observe(self, view: Any, draft: Any) -> Features:
        """(n, features) float32 in the order of `layout`."""
        return np.concatenate([self.inner.observe(view, draft), self.extra.features(view)], axis=1)
