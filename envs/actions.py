"""How a learner's actions become a decision: wager by wager, or a whole ticket at once.

Both read a game's encoding and work on many lanes; a *draft* is the decision that is being written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ..games.errors import InvalidSettings
from ..games.kernels import Flags, Rows, kernel

Mask = NDArray[np.int8]


class Actions(Protocol):
    """One way of acting, for all games that have it."""

    space: spaces.Space[Any]  # of one lane
    choices: int  # length of a lane's action mask
    nothing: Mask  # (choices,) the mask of a lane that has nothing to decide

    def mask(self, view: Any, draft: Any) -> Mask:
        """(n, choices) int8: 1 where an action is legal; never all zero."""

    def read(self, actions: Any, lanes: int) -> Rows:
        """What was handed in, as int64 with a row a lane.

        Raises:
            InvalidSettings: no integers, or the wrong shape.
        """

    def legal(self, mask: Mask, actions: Rows) -> Flags:
        """(n,) bool: whether the mask allows the action; one outside the space is never legal."""

    def passing(self, mask: Mask) -> Rows:
        """The actions that stand in for illegal ones in lanes of these masks (n, choices): 0, or the lowest
        legal one where 0 is not legal.
        """

    def write(self, draft: Any, actions: Rows, lanes: Flags) -> Flags:
        """Writes legal actions into the drafts of these lanes; (n,) bool: which are now handed in."""

    def describe(self, mask: Mask, action: Rows) -> str:
        """One lane's illegal action in words, with what its mask (choices,) allows."""


class Wagers:
    """One wager a step, the encoding's flat actions; action 0 hands the ticket in."""

    def __init__(self, encoding: Any) -> None:
        self.encoding = encoding
        self.choices = int(encoding.actions)
        self.space: spaces.Space[Any] = spaces.Discrete(self.choices)
        self.nothing = _only([0], self.choices)

    def mask(self, view: Any, draft: Any) -> Mask:
        allowed: Mask = self.encoding.mask(view, draft)
        return allowed

    def read(self, actions: Any, lanes: int) -> Rows:
        return read_integers(actions, (lanes,))

    def legal(self, mask: Mask, actions: Rows) -> Flags:
        legal = np.empty(len(mask), bool)
        find_legal(legal, mask, actions)  # type: ignore[no-untyped-call]  # a kernel's types are Numba's
        return legal

    def passing(self, mask: Mask) -> Rows:
        lowest: Rows = mask.argmax(1)
        return lowest

    def write(self, draft: Any, actions: Rows, lanes: Flags) -> Flags:
        handed_in: Flags = self.encoding.write(draft, actions, lanes)
        return handed_in

    def describe(self, mask: Mask, action: Rows) -> str:
        if not 0 <= action < self.choices:
            return f"action {action} is none of 0 to {self.choices - 1}"
        legal = np.flatnonzero(mask).tolist()
        words = self.encoding.action_text(int(action))
        return f"action {action} ({words}) is not legal now; legal are {legal}"


class Tickets:
    """A whole ticket a step: for each of its parts a choice, 0 for none or the number of a stake size.

    The mask is flat, the choices of the first part, then those of the second, …: 0 and what could be chosen
    there alone. A quote is a ticket that must be whole, and all its choices are legal. Choices that are legal
    one by one may break a rule together, which the table finds out, or be too dear, which is no fault: what
    happens then is the game's rule (a ticket beyond the learner's chips is refused).
    """

    def __init__(self, encoding: Any) -> None:
        self.encoding = encoding
        sizes = np.asarray(encoding.nvec, np.int64)
        self.choices = int(sizes.sum())
        self.space: spaces.Space[Any] = spaces.MultiDiscrete(sizes)
        self._sizes = sizes
        self._starts = np.cumsum(sizes) - sizes  # of each part in the flat mask
        stakes = np.arange(1, len(encoding.stakes) + 1)
        self._wagers = (self._starts[:, None] + stakes).ravel()  # flat places, in the order of single wagers
        self.nothing = _only(self._starts, self.choices)

    def mask(self, view: Any, draft: Any) -> Mask:
        single = self.encoding.mask(view, draft)
        out = np.tile(self.nothing, (len(single), 1))
        out[:, self._wagers] = single[:, 1 : 1 + len(self._wagers)]
        out[single[:, 0] == 0] = 1  # nothing cannot be handed in: a quote
        return out

    def read(self, actions: Any, lanes: int) -> Rows:
        return read_integers(actions, (lanes, len(self._sizes)))

    def legal(self, mask: Mask, actions: Rows) -> Flags:
        inside = (actions >= 0) & (actions < self._sizes)
        places = self._starts + np.where(inside, actions, 0)
        allowed = np.take_along_axis(mask, places, axis=1) == 1
        legal: Flags = (inside & allowed).all(1)
        return legal

    def passing(self, mask: Mask) -> Rows:
        return np.zeros((len(mask), len(self._sizes)), np.int64)

    def write(self, draft: Any, actions: Rows, lanes: Flags) -> Flags:
        self.encoding.whole(draft, actions, lanes)
        return lanes.copy()

    def describe(self, mask: Mask, action: Rows) -> str:
        for part, choice in enumerate(action.tolist()):
            start, size = int(self._starts[part]), int(self._sizes[part])
            if not (0 <= choice < size and mask[start + choice]):
                legal = np.flatnonzero(mask[start : start + size]).tolist()
                return f"choice {choice} in part {part} of the ticket is not legal now; legal are {legal}"
        return "every choice of the ticket is legal"


@kernel
def find_legal(legal, masks, actions):  # type: ignore[no-untyped-def]
    """Fills legal (n,) bool: whether masks (n, choices) allow actions (n,), whatever integers they are."""
    for i in range(masks.shape[0]):
        legal[i] = 0 <= actions[i] < masks.shape[1] and masks[i, actions[i]] == 1


def _only(places: Sequence[int] | Rows, choices: int) -> Mask:
    """A mask (choices,) that allows these alone."""
    mask = np.zeros(choices, np.int8)
    mask[places] = 1
    return mask


def read_integers(actions: Any, shape: tuple[int, ...]) -> Rows:
    """Actions as int64 of a shape.

    Raises:
        InvalidSettings: no integers, or another shape.
    """
    given = np.asarray(actions)
    if given.shape != shape or given.dtype.kind not in "iu":
        came = f"{given.dtype} of shape {given.shape}"
        raise InvalidSettings(f"actions are integers of shape {shape}, not {came}")
    return np.ascontiguousarray(given, np.int64)
