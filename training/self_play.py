"""Self-play: what belongs to a run whose learner meets its latest self, frozen snapshots and named agents.

Every so many actions, between two updates, the policy is written down as an agent folder below ``pool/`` of
the run's and joins the pool. From then on it plays from memory as it was written; its hash belongs to the
checkpoint, and a run does not go on with a snapshot that was changed. The latest self is the policy of the
last update, and is in no file. Both draw their actions with the policy's chances, as the learner does, where
it learned chances.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..agents.contract import Agent
from ..agents.learned.folder import FACTS, WEIGHTS, AgentFolder, find_agent, network_of, pretrained
from ..agents.learned.policy import Learned, agent_class
from ..agents.registry import AgentSpec, is_learned
from ..envs.snapshot import pack, unpack
from ..games.errors import BrokenFile, InvalidSettings
from .export import agent_files, export
from .learners import OnPolicySettings
from .pool import Kind, Member, Pool
from .pool_files import drop_later, lines, write_pool
from .pool_rivals import PoolRivals, Results
from .run_settings import RunSettings
from .self_play_settings import SelfPlaySettings

if TYPE_CHECKING:
    from .train import Session

FOLDER: Final = "pool"  # of the run's, with the snapshots
LATEST: Final = "latest"


class Latest(Learned):
    """The policy of the last update."""

    idea = "Plays the policy that is being trained."
    source = "the run"


class SelfPlay:
    """The companion of a run with self-play.

    Args:
        run: what is trained.
        settings: whom it meets.
    """

    name = "self-play"

    def __init__(self, run: RunSettings, settings: SelfPlaySettings) -> None:
        self.run, self.settings = run, settings
        self.taken = 0  # step of the last snapshot
        self.latest: type[Learned] = type("Latest", (Latest,), {})
        rules = run.make_rules()
        members = [Member(LATEST, Kind.LATEST, partial(self._play, self.latest, rules))]
        members += [_named(spec, rules) for spec in run.pool_agents()]
        self.pool = Pool(settings, members)
        self._results: Results | None = None

    def _play(self, made: type[Learned], rules: Any) -> Agent[Any]:
        """An instance that acts as the learner does."""
        return made(rules, sample=isinstance(self.run.learner, OnPolicySettings))

    # ---- as a companion of the run

    def begin(self, session: Session) -> None:
        """Seats the pool at the session's tables, before anything is dealt."""
        table = session.tables.seats.table
        self._renew_latest(session)
        table.rivals = PoolRivals(table.options, table.game, self.pool, self.run.seed)
        self._results = Results(table, self.pool)
        table.watchers.append(self._results)

    def between_updates(self, session: Session) -> None:
        """Takes a snapshot if it is time, lets the latest self catch up, and weighs who is met next."""
        if session.step - self.taken >= self.settings.snapshot_every and self.settings.shares[Kind.SNAPSHOT]:
            self.take(session)
        self._renew_latest(session)
        self.pool.renew()

    def take(self, session: Session) -> None:
        """Takes a snapshot into the pool.

        Raises:
            RailbirdError: it cannot be written.
        """
        self.taken = session.step
        name = f"snapshot-{self.taken:012}"
        seen = session.tables.statistics.get("obs")
        export(self.run, session.model, seen, session.folder / FOLDER / name)
        self.pool.add(self._frozen(session.folder / FOLDER / name, self.taken))

    def _frozen(self, folder: Path, step: int) -> Member:
        """A snapshot as a member that plays from memory.

        Raises:
            BrokenFile: the folder is missing or damaged.
        """
        made = agent_class(folder, self.run.game)
        play = partial(self._play, made, self.run.make_rules())
        return Member(folder.name, Kind.SNAPSHOT, play, hash_folder(folder), step)

    def _renew_latest(self, session: Session) -> None:
        seen = session.tables.statistics.get("obs")
        facts, content = agent_files(self.run, session.model, seen)
        self.latest.folder = AgentFolder(session.folder, facts, network_of(facts, content))

    def note(self, session: Session) -> dict[str, float]:
        """Writes down how things stand; returns the mean and the least win rate against the pool."""
        write_pool(session.folder, session.step, self.pool)
        rates = [line.recent for line in lines(self.pool) if line.drawn_now and line.kind != "latest"]
        return {"win_rate": float(np.mean(rates)), "lowest_win_rate": min(rates)} if rates else {}

    def save(self) -> Any:
        """The pool, its games and what they have brought so far, as JSON data."""
        running = None if self._results is None else pack(self._results.running)
        return {"taken": self.taken, "pool": self.pool.save(), "running": running}

    def load(self, saved: Any, session: Session) -> None:
        """Goes on from what `save` gave.

        Raises:
            BrokenFile: it cannot be read, or a snapshot is missing or has been changed.
        """

        def restore(it: Mapping[str, Any]) -> Member:
            folder = session.folder / FOLDER / str(it["name"])
            member = self._frozen(folder, int(it["step"]))
            if member.sha256 != it["sha256"]:
                raise BrokenFile(f"{folder} has been changed since it was taken; put the old one back")
            return member

        self.taken = int(saved["taken"])
        self.pool.load(saved["pool"], restore)
        if self._results is not None:
            self._results.running[:] = unpack(saved["running"])
        drop_later(session.folder, session.step)


def _named(spec: AgentSpec, rules: Any) -> Member:
    """A named agent as a member; one that is read from a folder plays from memory."""
    if not is_learned(spec.text, spec.game):
        return Member(spec.text, Kind.NAMED, partial(spec.make, rules))
    folder = pretrained(spec.game).get(spec.name) or find_agent(spec.name) or Path(spec.name)
    made: type[Any] = agent_class(folder, spec.game)

    def play() -> Agent[Any]:
        agent: Agent[Any] = made(rules, **dict(spec.options))
        return agent

    return Member(spec.text, Kind.NAMED, play, hash_folder(folder))


def hash_folder(folder: Path) -> str:
    """The SHA-256 of an agent folder's files.

    Raises:
        InvalidSettings: one cannot be read.
    """
    found = hashlib.sha256()
    for name in (FACTS, WEIGHTS):
        try:
            found.update((folder / name).read_bytes())
        except OSError as error:
            raise InvalidSettings(f"{folder / name} cannot be read: {error.strerror or error}") from error
    return found.hexdigest()
