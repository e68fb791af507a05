"""The pool of opponents: who is in it, how the learner fares against each, and who is met next.

Prioritised fictitious self-play (Vinyals et al., "Grandmaster level in StarCraft II using multi-agent
reinforcement learning", Nature 575, 2019): an opponent the learner beats with chance p is met with a chance
proportional to f(p), f_hard(p) = (1 − p)^power or f_var(p) = p(1 − p). A game is won if it ended in profit;
a drawn one counts half.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..agents.contract import Agent
from ..games.errors import BrokenFile
from ..games.kernels import Floats, Rows
from .self_play_settings import SelfPlaySettings

PRIOR: Final = 2.0  # games, half of them won, that p of an opponent begins with
COUNTS: Final = ("games", "won", "drawn", "known", "seen", "recent_games", "recent_points")  # saved


class Kind(IntEnum):
    """What an opponent is."""

    LATEST = 0
    SNAPSHOT = 1
    NAMED = 2


@dataclass(slots=True)
class Member:
    """An opponent, and the learner's games against it."""

    name: str
    kind: Kind
    make: Callable[[], Agent[Any]]  # a fresh instance for one seat
    sha256: str = ""  # of its files, if it has any
    step: int = 0  # at which it was taken
    active: bool = True  # whether it is still drawn
    games: int = 0  # finished, of the whole run
    won: int = 0
    drawn: int = 0
    known: int = 0  # games that p already knows
    seen: float = 0.0  # points of them
    recent_games: float = 0.0  # that p reaches back
    recent_points: float = 0.0

    @property
    def points(self) -> float:
        """Games won and half of those drawn."""
        return self.won + self.drawn / 2

    @property
    def win_rate(self) -> float | None:
        """Points of a game, over the whole run; None before the first."""
        return self.points / self.games if self.games else None

    @property
    def chance(self) -> float:
        """p: of the recent games, and of none at first."""
        return (self.recent_points + PRIOR / 2) / (self.recent_games + PRIOR)

    def learn(self, window: int) -> None:
        """Lets p know the games finished since the last call."""
        self.recent_games += self.games - self.known
        self.recent_points += self.points - self.seen
        self.known, self.seen = self.games, self.points
        if self.recent_games > window:
            self.recent_points *= window / self.recent_games
            self.recent_games = float(window)


class Pool:
    """Members, in the order in which they came; a number once given stands for one of them for ever."""

    def __init__(self, settings: SelfPlaySettings, members: Sequence[Member]) -> None:
        self.settings = settings
        self.members = list(members)
        self._drawn: dict[Kind, tuple[Rows, Floats]] = {}  # who of a kind is met, and with what chance
        self.renew()

    def of(self, kind: Kind) -> list[int]:
        """The numbers of the members of a kind that are drawn."""
        return [number for number, member in enumerate(self.members) if member.kind is kind and member.active]

    def add(self, member: Member) -> None:
        """Takes in a snapshot; where that makes too many, the one beaten most often leaves, of equal ones the
        older, never the new one.
        """
        others = self.of(Kind.SNAPSHOT)
        self.members.append(member)
        if len(others) >= self.settings.snapshots:
            easiest = max(others, key=lambda number: (self.members[number].chance, -number))
            self.members[easiest].active = False
        self.renew()

    def renew(self) -> None:
        """Counts the games finished since the last call into every p, and weighs anew who is met next."""
        for member in self.members:
            member.learn(self.settings.window)
        self._weigh()

    def _weigh(self) -> None:
        self._drawn = {kind: self._weigh_kind(kind) for kind in Kind}

    def _weigh_kind(self, kind: Kind) -> tuple[Rows, Floats]:
        numbers = self.of(kind)
        settings = self.settings
        p = np.array([self.members[number].chance for number in numbers])
        weight = np.ones(len(numbers))
        if kind is Kind.NAMED and settings.weights:
            weight = np.array(settings.weights)
        elif settings.sampling == "hard":
            weight = f_hard(p, settings.power)
        elif settings.sampling == "var":
            weight = f_var(p)
        total = float(weight.sum())
        chances = weight / total if total > 0 else np.full(len(numbers), 1 / max(len(numbers), 1))
        return np.array(numbers, np.int64), chances

    def chances(self) -> Floats:
        """(members,): of each, to be who a seat of its kind is given to."""
        found = np.zeros(len(self.members))
        for numbers, chances in self._drawn.values():
            found[numbers] = chances
        return found

    def draw(self, kinds: NDArray[Any], uniform: Floats) -> Rows:
        """(n,) int64: a member for each seat, of its kind (n,), by numbers of [0, 1) (n,). Where a kind has
        nobody, it is the latest self.
        """
        found = np.full(len(kinds), self._drawn[Kind.LATEST][0][0], np.int64)
        for kind, (numbers, chances) in self._drawn.items():
            asked = kinds == kind
            if len(numbers):
                place = np.searchsorted(np.cumsum(chances), uniform[asked], side="right")
                found[asked] = numbers[np.minimum(place, np.flatnonzero(chances)[-1])]
        return found

    def count(self, members: Rows, profits: Rows) -> None:
        """Counts games that are over: whom they were against (n,), and what the learner earned (n,)."""
        size = len(self.members)
        played, won, drawn = (
            np.bincount(part, minlength=size).tolist()
            for part in (members, members[profits > 0], members[profits == 0])
        )
        for number, member in enumerate(self.members):
            member.games += played[number]
            member.won += won[number]
            member.drawn += drawn[number]

    def save(self) -> list[dict[str, Any]]:
        """What each member is and how the learner fares against it, as JSON data."""
        kept = ("name", "kind", "sha256", "step", "active", *COUNTS)
        return [{name: getattr(member, name) for name in kept} for member in self.members]

    def load(
        self, saved: Sequence[Mapping[str, Any]], restore: Callable[[Mapping[str, Any]], Member]
    ) -> None:
        """Goes on from what `save` gave; ``restore`` finds a snapshot again.

        Raises:
            BrokenFile: it is of other members; or what ``restore`` raises.
        """
        own = [(member.name, member.kind, member.sha256) for member in self.members]
        rest = saved[len(own) :]
        found = [(it["name"], Kind(it["kind"]), it["sha256"]) for it in saved[: len(own)]]
        if found != own or any(Kind(it["kind"]) is not Kind.SNAPSHOT for it in rest):
            changed = [name for name, *_ in set(own) ^ set(found)]
            raise BrokenFile(f"the pool has changed since it was saved: {', '.join(sorted(changed))}")
        self.members += [restore(it) for it in rest]
        for member, it in zip(self.members, saved, strict=True):
            member.active = bool(it["active"])
            for name in COUNTS:
                setattr(member, name, type(getattr(member, name))(it[name]))
        self._weigh()


def f_hard(p: Floats, power: float) -> Floats:
    """(n,): how much is learned from who is beaten with chance p (n,), if hard opponents teach most."""
    weight: Floats = (1 - p) ** power
    return weight


def f_var(p: Floats) -> Floats:
    """(n,): the same, if opponents of the same strength do."""
    return p * (1 - p)
