"""Who decides: an agent plays one seat of every table in a batch.

Agents come from factories, one instance a seat; memory lives on the instance, indexed by ``view.lane``.
They decide in the game's own terms (Superfecta: stakes (n, 40)) and draw only from the `Draws` they are
given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from numpy.typing import NDArray

from ..games.kernels import Flags
from ..games.streams import Draws

V = TypeVar("V")


class Agent(ABC, Generic[V]):
    """One seat's player. Subclasses take the game's settings, then options by keyword.

    Options are declared by the keyword arguments of ``__init__`` (with defaults) and documented in the class
    docstring's ``Options:`` section, a line each.
    """

    idea: ClassVar[str]  # one sentence: how it decides
    source: ClassVar[str]  # where the idea is from

    def __init__(self, settings: Any) -> None:
        self.settings = settings

    def begin(self, lanes: Flags) -> None:
        """A new episode starts in these lanes (lanes,) bool: forget what was remembered of them."""

    @abstractmethod
    def act(self, view: V, draws: Draws) -> NDArray[Any]:
        """The decisions (n, *decision_shape) of the rows of the view, in any integer dtype."""
