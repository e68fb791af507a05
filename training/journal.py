"""The log of a run: a row of `progress.csv` for each stretch of training, the same on TensorBoard where that
is installed, and the learning curve as a picture.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any, Final

from ..games.errors import BrokenFile, RailbirdError
from .durable import write_file

LOG: Final = "progress.csv"
CURVE: Final = "curve.png"
METRICS: Final = (
    "loss",
    "policy_gradient_loss",
    "policy_loss",
    "value_loss",
    "entropy_loss",
    "approx_kl",
    "clip_fraction",
    "explained_variance",
    "exploration_rate",
    "learning_rate",
    "win_rate",  # with self-play: the mean over the pool
    "lowest_win_rate",
)  # what the algorithms tell of themselves; each tells some
POINTS: Final = 200  # of the picture; rows are averaged to no more than these


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known after a stretch of training."""

    step: int
    seconds: float  # of training, interruptions left out
    steps_per_second: float  # of this stretch
    episodes: int  # finished in this stretch
    profit: float  # per race, as the environment's reward counts it, mean of those episodes; NaN without any
    metrics: Mapping[str, float] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        """The cells of the log, empty where nothing is known."""
        known = {name: value for name, value in asdict(self).items() if name != "metrics"} | dict(
            self.metrics
        )
        return {name: value for name, value in known.items() if isfinite(value)}


COLUMNS: Final = tuple(part.name for part in fields(Entry) if part.name != "metrics") + METRICS


class Journal:
    """Writes the log of a run into its folder.

    Args:
        folder: of the run.
        step: rows of later steps, written after the checkpoint from which the run goes on, are dropped.

    Raises:
        RailbirdError: the folder cannot be written to.
        BrokenFile: a log that is there cannot be read.
    """

    def __init__(self, folder: Path, step: int) -> None:
        self.path = folder / LOG
        rows = [row for row in read_log(self.path) if int(row["step"]) <= step] if self.path.exists() else []
        write_file(self.path, _text(rows, head=True).encode())
        self._board: Any = None
        if find_spec("tensorboard") is not None:
            from torch.utils.tensorboard import SummaryWriter

            self._board = SummaryWriter(str(folder / "tensorboard"), purge_step=step)

    @property
    def on_tensorboard(self) -> bool:
        """Whether TensorBoard is installed."""
        return self._board is not None

    def add(self, entry: Entry) -> None:
        """Writes a row.

        Raises:
            RailbirdError: the disk is full.
        """
        row = entry.row()
        try:
            with self.path.open("a", encoding="utf-8", newline="") as file:
                file.write(_text([row], head=False))
        except OSError as error:
            raise RailbirdError(f"cannot write {self.path}: {error.strerror or error}; make room") from error
        if self._board is not None:
            for name, value in row.items():
                if name != "step":
                    self._board.add_scalar(name, value, entry.step)

    def close(self) -> None:
        """Lets go of TensorBoard's file."""
        if self._board is not None:
            self._board.close()


def _text(rows: Sequence[Mapping[str, Any]], head: bool) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    if head:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read_log(path: Path) -> list[dict[str, str]]:
    """The rows of a log; a last one that was cut off is left out.

    Raises:
        BrokenFile: it is no such log.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = [row for row in reader if None not in row.values() and row["step"].isdecimal()]
    except (OSError, ValueError, KeyError, csv.Error) as error:
        raise BrokenFile(f"{path} cannot be read: {error}; remove it to begin a new log") from error
    if tuple(reader.fieldnames or ()) not in (COLUMNS, ()):
        raise BrokenFile(f"{path} is not the log of a training run; remove it to begin a new one")
    return rows


def draw_curve(folder: Path, title: str, earned: str = "profit per race") -> Path | None:
    """Draws what is earned over steps from a run's log; None where no episode has finished.

    Raises:
        BrokenFile: there is no log, or it cannot be read.
        RailbirdError: the picture cannot be written.
    """
    import vl_convert  # a third of a second to load

    known = [row for row in read_log(folder / LOG) if row["profit"]]
    if not known:
        return None
    width = -(-len(known) // POINTS)
    groups = [known[start : start + width] for start in range(0, len(known), width)]
    points = [
        {
            "step": int(group[-1]["step"]),
            "profit": sum(float(row["profit"]) * int(row["episodes"]) for row in group)
            / sum(int(row["episodes"]) for row in group),
        }
        for group in groups
    ]
    line = {
        "mark": {"type": "line", "strokeWidth": 2},
        "data": {"values": points},
        "encoding": {
            "x": {"field": "step", "type": "quantitative", "title": "actions", "axis": {"tickCount": 6}},
            "y": {"field": "profit", "type": "quantitative", "title": f"{earned}, chips"},
        },
    }
    zero = {
        "mark": {"type": "rule", "strokeDash": [4, 4]},
        "data": {"values": [{"zero": 0}]},
        "encoding": {"y": {"field": "zero", "type": "quantitative"}},
    }
    chart = {"width": 640, "height": 320, "title": title, "layer": [zero, line]}
    write_file(folder / CURVE, vl_convert.vegalite_to_png(chart, scale=2))
    return folder / CURVE
