"""Backers that go by where the others were, and do not ask what that is worth."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...games.kernels import Floats
from ...games.pasteboard_derby.settings import PasteboardDerbySettings
from ...games.pasteboard_derby.state import PasteboardDerbyView
from .backer import Backer, memory_of, rivals, times_named


class _Watcher(Backer):
    """Counts how often the others have named each horse. Seats that sit out by now are not counted."""

    def __init__(self, settings: PasteboardDerbySettings, memory: str) -> None:
        super().__init__(settings)
        self.memory = memory_of(memory)

    def company(self, view: PasteboardDerbyView) -> Floats:
        """(n, 4) times the others have named each horse."""
        counted: Floats = np.einsum("ijh,ij->ih", times_named(view, self.memory), rivals(view)).astype(float)
        return counted


class Crowd(_Watcher):
    """Names the horse most of the others named; a draw among equals, and so in the first race.

    Options:
        memory: what it goes by, the "last" race or "all" of the game.
    """

    idea: ClassVar[str] = "Goes where most of the others went."
    source: ClassVar[str] = "herding (Banerjee 1992)"

    def __init__(self, settings: PasteboardDerbySettings, *, memory: str = "last") -> None:
        super().__init__(settings, memory)

    def liking(self, view: PasteboardDerbyView) -> Floats:
        return self.company(view)


class Contrarian(_Watcher):
    """Names the horse the others named least; a draw among equals, and so in the first race.

    Options:
        memory: what it goes by, the "last" race or "all" of the game.
    """

    idea: ClassVar[str] = "Goes where the fewest of the others went."
    source: ClassVar[str] = "the minority game (Challet and Zhang 1997)"

    def __init__(self, settings: PasteboardDerbySettings, *, memory: str = "all") -> None:
        super().__init__(settings, memory)

    def liking(self, view: PasteboardDerbyView) -> Floats:
        return -self.company(view)
