"""Games of an environment as replays: what a learner and its rivals played, to be seen again.

::

    with Recorder(env, "games", episodes=3):
        ...  # reset and step the environment as ever

    railbird replay games/superfecta-7-0-0.jsonl
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gymnasium import logger

from ..games.checks import whole
from ..games.errors import InvalidSettings
from ..games.kernels import Flags
from ..games.replay import Start
from ..games.replay_writer import ReplayWriter
from ..games.streams import root_key
from .learner_table import LearnerTable


class Recorder:
    """Writes games of an environment down while they are played, a file a game; used in a ``with``.

    A file is called ``GAME-SEED-LANE-EPISODE.jsonl`` and is whole when its game is over; that of a game which
    is left before says so. The frames are those the learner may see. A copy of the environment plays on
    without being recorded.

    Args:
        env: one of Railbird's with a single learner a table: single, vector or Stable-Baselines3's, wrapped
            or not. It may have begun: recording starts with the next episode.
        folder: made if it is not there; a file that exists is left alone.
        lanes: which lanes of the environment, counted from 0.
        episodes: games of each of these lanes to write down; None: all.

    Raises:
        InvalidSettings: it is no such environment, it has no such lane, or the folder cannot be made.
    """

    def __init__(
        self, env: Any, folder: str | Path, lanes: Sequence[int] = (0,), episodes: int | None = None
    ) -> None:
        self._table = _table_of(env)
        rows = [whole("a lane to record", lane, 0, self._table.lanes - 1) for lane in lanes]
        most = None if episodes is None else whole("episodes", episodes, 1, 2**62)
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidSettings(f"cannot write to {folder}: {reason}; choose another folder") from error
        self.files: list[Path] = []  # of the games written down so far, the one being played included
        self._left: dict[int, int | None] = dict.fromkeys(rows, most)  # lane -> games still to be written
        self._writers: dict[int, ReplayWriter] = {}
        self._table.watchers.append(self)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[Deaf], tuple[()]]:
        return Deaf, ()

    def close(self) -> None:
        """Stops recording; games that are being played are left as they stand.

        Raises:
            RailbirdError: the disk is full or gone.
        """
        if self in self._table.watchers:
            self._table.watchers.remove(self)
        while self._writers:
            self._writers.popitem()[1].finish()

    def began(self, lanes: Flags) -> None:
        """Opens a file for each lane in which a game is to be written down.

        Raises:
            InvalidSettings: the file exists.
            RailbirdError: it cannot be written.
        """
        for row, left in self._left.items():
            if not lanes[row]:
                continue
            if row in self._writers:
                self._writers.pop(row).finish()
            if left != 0 and self._seed_known(row):
                self._open(row)
                self._left[row] = None if left is None else left - 1

    def _seed_known(self, row: int) -> bool:
        """Whether the lane plays games of the root seed it was last given."""
        root = self._table.roots[row]
        known = root is not None and root_key(root) == self._table.game.state.root[row]
        if not known:
            logger.warn(
                f"the root seed of lane {row} came with a saved state; reset it with a seed to record"
            )
        return known

    def _open(self, row: int) -> None:
        table = self._table
        state, options, seat = table.game.state, table.options, int(table.seat[row])
        root, lane, episode = table.roots[row], int(state.number[row]), int(state.episode[row])
        names = tuple(table.around(row))
        start = Start(options.game, options.settings, int(root), lane, episode, names, seat)
        path = self.folder / f"{options.game}-{root}-{lane}-{episode}.jsonl"
        self._writers[row] = ReplayWriter(path, start, table.game, row)
        self.files.append(path)

    def played(self, lanes: Flags) -> None:
        """Writes the turn down that has been played in these lanes.

        Raises:
            RailbirdError: the disk is full or gone.
        """
        for row in [row for row in self._writers if lanes[row]]:
            writer = self._writers[row]
            if not writer.follows:
                self._writers.pop(row).close()
                logger.warn(f"lane {row} was put into another state; {writer.path} ends before that")
                continue
            writer.turn(self._table.decisions[row])
            if self._table.game.over[row]:
                self._writers.pop(row).finish()


class Deaf:
    """A recorder's place in a copy of its environment: nothing is written down there."""

    def began(self, lanes: Flags) -> None:
        """An episode begins in these lanes."""

    def played(self, lanes: Flags) -> None:
        """A turn has been played in these lanes."""


def _table_of(env: Any) -> LearnerTable:
    """The tables behind an environment."""
    table = getattr(getattr(env, "unwrapped", None), "table", None)
    if not isinstance(table, LearnerTable):
        raise InvalidSettings(
            f"only environments of Railbird with one learner a table are recorded, not {env!r}"
        )
    return table
