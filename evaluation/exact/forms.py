"""A two-player zero-sum game as a matrix over sequences; best responses and equilibria are worked out on it.

A *sequence* is the list of choices one seat has made on the way to some point of the game. A seat that
forgets nothing comes to each of its information sets by one sequence of its own, so its sets hang together as
a tree, and all that chance and the rules add is a sparse matrix: for a sequence of either seat, the winnings
of all endings they lead to, each times the chance of its cards. A seat's *plan* gives each of its sequences
the product of the chances with which it makes these choices.

Source: von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 1996.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ...games.errors import InvalidSettings
from ...games.kernels import Floats, Rows, kernel

TOLERANCE = 1e-9  # of sums of chances, in float64; what is lost to rounding is far less


@dataclass(frozen=True, slots=True)
class Side:
    """One seat's information sets and sequences.

    Sequence 0 is the empty one. Set i is reached by sequence ``parent[i]`` and offers the sequences
    ``first[i]`` … ``first[i + 1] - 1``, one for each choice. Sets are numbered so that those on the way to a
    set come before it.
    """

    parent: Rows  # (sets,)
    first: Rows  # (sets + 1,)

    @property
    def sets(self) -> int:
        """Information sets."""
        return len(self.parent)

    @property
    def sequences(self) -> int:
        """Sequences, the empty one included."""
        return int(self.first[-1])

    @property
    def choices(self) -> Rows:
        """(sets,) choices in each set."""
        return np.diff(self.first)


@dataclass(frozen=True, slots=True)
class Endings:
    """The ways a game can end, a row for each."""

    sequences: Rows  # (n, 2) what either seat has chosen
    chance: Floats  # (n,) product of the chances on the way
    winnings: Floats  # (n,) what seat 0 wins and seat 1 loses


class SmallGame:
    """A whole game; see the module.

    Args:
        sides: the two seats.
        endings: every way the game can end.

    Raises:
        InvalidSettings: the chances of the endings do not sum to 1 when both seats choose evenly.
    """

    def __init__(self, sides: tuple[Side, Side], endings: Endings) -> None:
        self.sides = sides
        self.endings = endings
        shape = (sides[0].sequences, sides[1].sequences)
        places = (endings.sequences[:, 0], endings.sequences[:, 1])
        self._matrix = sparse.csr_array((endings.chance * endings.winnings, places), shape=shape)
        self._turned = self._matrix.T.tocsr()  # (sequences of seat 1, of seat 0)
        even = [even_plan(side)[places[seat]] for seat, side in enumerate(sides)]
        total = float(endings.chance @ (even[0] * even[1]))
        if abs(total - 1) > TOLERANCE:
            raise InvalidSettings(f"the chances of the endings sum to {total!r} instead of 1")

    def earnings(self, seat: int, rival: Floats) -> Floats:
        """What each of a seat's sequences (sequences,) brings at its endings against the other's plan."""
        earned: Floats = self._matrix @ rival if seat == 0 else -(self._turned @ rival)
        return earned

    def value(self, plans: tuple[Floats, Floats]) -> float:
        """What seat 0 wins on average when both play these plans."""
        return float(plans[0] @ self.earnings(0, plans[1]))


def even_plan(side: Side) -> Floats:
    """The plan that takes each choice of a set with the same chance."""
    return plan_of(side, even_behaviour(side))


def even_behaviour(side: Side) -> Floats:
    """(sequences,) one part of the choices in each set; 1 for the empty sequence."""
    return np.concatenate([[1.0], np.repeat(1 / side.choices, side.choices)])


def plan_of(side: Side, behaviour: Floats) -> Floats:
    """The plan (sequences,) of a seat: for each sequence, the chance that the seat does its part in it.

    Args:
        side: the seat.
        behaviour: (sequences,), the chance of the last choice of each sequence, once its set is reached. The
            entry of the empty sequence is not read.

    Raises:
        InvalidSettings: the chances in a set are negative or do not sum to 1.
    """
    if behaviour.shape != (side.sequences,):
        raise InvalidSettings(
            f"a strategy has a number for each of {side.sequences} sequences, not shape {behaviour.shape}"
        )
    sums = np.add.reduceat(behaviour, side.first[:-1]) if side.sets else np.ones(0)
    wrong = np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE))
    if len(wrong) or not (behaviour[1:] >= 0).all():
        what = f"information set {wrong[0]} sum to {sums[wrong[0]]:g}" if len(wrong) else "a set are negative"
        raise InvalidSettings(f"chances of the choices in {what}; they are 0 or more and sum to 1")
    plan = np.empty(side.sequences)
    fill_plan(plan, behaviour, side.parent, side.first)
    return plan


def behaviour_of(side: Side, plan: Floats) -> Floats:
    """(sequences,) the chance of each sequence's last choice; even in sets that the plan never comes to."""
    reached = np.repeat(plan[side.parent], side.choices)  # (sequences - 1,)
    behaviour = even_behaviour(side)
    np.divide(plan[1:], reached, out=behaviour[1:], where=reached > 0)
    return behaviour


@kernel
def fill_plan(plan, behaviour, parent, first) -> None:  # type: ignore[no-untyped-def]
    """Fills plan (sequences,) with the products of the behaviour along each sequence."""
    plan[0] = 1.0
    for i in range(parent.shape[0]):
        for sequence in range(first[i], first[i + 1]):
            plan[sequence] = plan[parent[i]] * behaviour[sequence]
