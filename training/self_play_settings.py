"""How an agent trains against itself: who is in the pool, how often each is met, what is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Final

from ..agents.registry import AgentSpec, split_agents, zoo
from ..agents.seating import parse_player
from ..games.errors import InvalidSettings, UnknownName
from ..games.registry import load
from .fields import check_range, check_word, read_value

HEURISTICS: Final = "heuristics"  # in a pool: the game's zoo
SNAPSHOTS: Final = "snapshots"  # in a pool: past selves, frozen
TOO_SLOW: Final = {"save-the-bet": ("tree",)}  # of a zoo: milliseconds a decision; in a pool if it is named
SAMPLINGS: Final = ("hard", "var", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlaySettings:
    """Who the learner plays against.

    Every seat beside the learner belongs to one of three kinds for the whole run, as the shares say: the
    latest self, snapshots, the agents named in the pool. Who of its kind sits there is drawn anew when a game
    begins, and stays until it is over. A seat for a snapshot goes to the latest self while there is none.

    Raises:
        InvalidSettings: a value is out of range.
    """

    pool: tuple[str, ...] = (HEURISTICS, SNAPSHOTS)
    """Who is in the pool: heuristics, snapshots, agents by name."""
    sampling: str = "hard"
    """Who of its kind is met: hard goes by (1 - p)^power, var by p(1 - p), p the games won; or uniform."""
    power: float = 2.0
    """Of hard: how much oftener those are met who are hard to beat."""
    window: int = 200
    """Games with an opponent that its p reaches back."""
    snapshot_every: int = 50_000
    """Actions from one snapshot to the next."""
    snapshots: int = 16
    """Snapshots in the pool at most; of more, the one that is beaten most often leaves, never the newest."""
    latest_share: float = 0.4
    """Of the seats beside the learner, for its latest self; shares are relative to each other."""
    snapshot_share: float = 0.3
    """The same for snapshots."""
    heuristic_share: float = 0.3
    """The same for the agents named in the pool, heuristics among them."""
    weights: tuple[float, ...] = ()
    """Chances of the agents named, in their order, that never change; none: by sampling."""

    def __post_init__(self) -> None:
        if not self.pool:
            raise InvalidSettings(f"a pool is {HEURISTICS}, {SNAPSHOTS} or agents by name, not nobody")
        check_word(self, "sampling", SAMPLINGS)
        check_range(self, "power", 0, 100)
        check_range(self, "window", 1, 10**9)
        check_range(self, "snapshot_every", 1, 10**12)
        check_range(self, "snapshots", 1, 1_000)
        for name in ("latest_share", "snapshot_share", "heuristic_share"):
            check_range(self, name, 0, 1e6)
        if sum(self.shares) == 0:
            raise InvalidSettings("nobody would be met: give a share above 0 to somebody in the pool")
        if self.weights and not (
            len(self.weights) == len(self.pool)
            and all(isfinite(weight) and weight >= 0 for weight in self.weights)
            and sum(self.weights) > 0
        ):
            raise InvalidSettings(
                f"weights are {len(self.pool)} numbers of 0 or more, not all 0, not {self.weights}"
            )

    @property
    def named(self) -> tuple[str, ...]:
        """What the pool names beside snapshots."""
        return tuple(name for name in self.pool if name != SNAPSHOTS)

    @property
    def shares(self) -> tuple[float, float, float]:
        """Of the latest self, snapshots and the agents named; 0 for who is not in the pool."""
        return (
            self.latest_share,
            self.snapshot_share if SNAPSHOTS in self.pool else 0.0,
            self.heuristic_share if self.named else 0.0,
        )

    @classmethod
    def of(cls, pool: str, given: Mapping[str, Any]) -> SelfPlaySettings:
        """The settings from what is written on the command line or in a file.

        Args:
            pool: parted by commas; empty: heuristics and snapshots.
            given: any other settings, as text or as values.

        Raises:
            UnknownName: there is no such setting; the nearest is suggested.
            InvalidSettings: a value is not allowed.
        """
        kinds = {name: kind for name, kind in _kinds().items() if name in settable()}
        for name in given:
            if name not in kinds:
                raise UnknownName("setting of self-play", name, kinds)
        read = {name: read_value(name, value, kinds[name]) for name, value in given.items()}
        if pool:
            read["pool"] = tuple(dict.fromkeys(split_agents(pool)))
        return cls(**read)


def _kinds() -> dict[str, str]:
    return {field.name: str(field.type) for field in fields(SelfPlaySettings)}


def settable() -> set[str]:
    """What may be set by name."""
    return {field.name for field in fields(SelfPlaySettings)} - {"pool", "weights"}


def named_agents(settings: SelfPlaySettings, game: str, rules: Any, banker: str) -> tuple[AgentSpec, ...]:
    """The agents that a pool names, each once, in its order.

    Raises:
        InvalidSettings: the learner meets nobody, or nobody who plays as it does; or what is named cannot be
            read.
        UnknownName: an agent does not exist; the nearest is suggested.
    """
    spec = load(game)
    if spec.players:
        raise InvalidSettings(
            f"the learner of {game} keeps the bank and meets bettors, never itself; train it with --opponents"
        )
    if int(rules.seats) < 2:
        raise InvalidSettings("the learner sits alone; self-play takes a table of two seats or more")
    found: dict[str, AgentSpec] = {}
    for word in settings.named:
        slow = TOO_SLOW.get(game, ())
        for text in [name for name in zoo(game) if name not in slow] if word == HEURISTICS else [word]:
            agent = parse_player(text, spec, rules, banker)
            found.setdefault(agent.text, agent)
    return tuple(found.values())
