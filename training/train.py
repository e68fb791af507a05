"""A training run in a folder: begins it, or goes on where it was broken off, exactly.

``run.json`` (all settings), ``progress.csv`` (the log), ``curve.png``, ``checkpoints/``, and at the end
``agent/`` (the agent folder) and ``score.json``. A checkpoint is taken between two updates, when no rollout
is half done; from it on, the run is the one that was never broken off, bit for bit on one machine and with
the same number of threads.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from ..games.errors import BrokenFile, RailbirdError
from ..games.registry import load
from .checkpoints import Checkpoint, Checkpoints
from .durable import write_file
from .export import export
from .generators import generator_states, kept_process, set_generators
from .imitation import Imitation
from .journal import METRICS, Entry, Journal, draw_curve
from .learners import OnPolicySettings
from .models import make_model, model_state, set_model_state
from .run_folder import open_run
from .run_settings import RunSettings
from .scoring import Score, score_folder
from .tables import TrainingTables
from .warm_start import CHECKPOINTS, WarmStart

SCORE: Final = "score.json"
TRAINING_ROOTS: Final = 2**64  # the seed is added: tournaments and scores, of small seeds, deal other games
NEVER: Final = 2**62  # updates after which Stable-Baselines3 writes its own log
MOST_ROWS: Final = 1_000  # of the log

Watch = Callable[[Entry, int], None]  # told of each stretch, and of the steps in all


class Paused(KeyboardInterrupt):
    """Training was interrupted and has been saved."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What a finished run has to show."""

    folder: Path
    agent: Path
    score: Score
    curve: Path | None  # None where no episode was finished
    on_tensorboard: bool


class Companion(Protocol):
    """What else belongs to a run, is told between updates, and goes into its checkpoints: a pool of past
    selves, say. It may change who sits at the session's tables; it draws from `games.streams` alone.
    """

    @property
    def name(self) -> str:
        """Under which it is saved; of one run each has another."""

    def begin(self, session: Session) -> None:
        """Called once the model and its tables have been made, before anything is played or loaded."""

    def between_updates(self, session: Session) -> None:
        """Called before each update, behind the checkpoint if one is taken there: once at each step in all,
        however often the run is broken off.
        """

    def note(self, session: Session) -> Mapping[str, float]:
        """Called for each row of the log, which takes over those of its numbers that it has columns for."""

    def save(self) -> Any:
        """What it must remember, as JSON data."""

    def load(self, saved: Any, session: Session) -> None:
        """Goes on from what `save` gave, before the tables do.

        Raises:
            BrokenFile: it cannot be read.
        """


def train(
    run: RunSettings,
    folder: Path,
    watch: Watch | None = None,
    threads: int = 1,
    companions: Sequence[Companion] = (),
) -> Trained:
    """Trains an agent, from the start or from the last checkpoint in the folder, and scores it.

    Args:
        run: what is trained.
        folder: of the run; made if it is not there.
        watch: told how it goes.
        threads: of torch; another number may give another agent, as sums are added up otherwise.
        companions: what else belongs to the run.

    Raises:
        Paused: interrupted; a checkpoint has been saved.
        InvalidSettings: the folder holds another run.
        BrokenFile: the last checkpoint is damaged.
        RailbirdError: the folder cannot be written to; or the networks have diverged.
    """
    companions = (*_begun_by(run, companions), *companions)
    if run.self_play is not None:
        from .self_play import SelfPlay

        companions = (*companions, SelfPlay(run, run.self_play))
    open_run(run, folder)
    checkpoints = Checkpoints(folder / CHECKPOINTS)
    with kept_process(threads):
        session = Session(run, folder, checkpoints.last(), watch, companions)
        try:
            with interrupts_noted(session):
                session.learn()
            seen = session.tables.statistics.get("obs")
            agent = export(run, session.model, seen, folder / "agent")
        finally:
            session.journal.close()
    score = score_folder(str(agent), run.deals)
    write_file(folder / SCORE, (score.to_json() + "\n").encode())
    title = f"{load(run.game).title}: {run.learner.algorithm}, seed {run.seed}"
    return Trained(folder, agent, score, draw_curve(folder, title), session.journal.on_tensorboard)


def _begun_by(run: RunSettings, companions: Sequence[Companion]) -> Sequence[Companion]:
    """Whom the run begins by imitating, unless it starts where another ended."""
    if run.teacher is None or any(it.name == WarmStart.name for it in companions):
        return ()
    return (Imitation(run),)


class Session:
    """A model at its tables, between two checkpoints.

    Args:
        run: what is trained.
        folder: of the run.
        checkpoint: to go on from; None: from the start.
        watch: told how it goes.
        companions: what else belongs to the run.
    """

    def __init__(
        self,
        run: RunSettings,
        folder: Path,
        checkpoint: Checkpoint | None,
        watch: Watch | None = None,
        companions: Sequence[Companion] = (),
    ) -> None:
        self.companions = tuple(companions)
        self.run, self.folder, self.watch = run, folder, watch
        self.checkpoints = Checkpoints(folder / CHECKPOINTS)
        self.tables = TrainingTables(run)
        self.model = make_model(run.learner, self.tables.venv, run.seed)
        self.model.set_logger(Logger(None, []))
        self.tables.venv.seed(TRAINING_ROOTS + run.seed)
        for companion in self.companions:
            companion.begin(self)
        self.interrupted = False
        self.seconds = 0.0  # of training before this session
        self._begun = self._row_begun = time.monotonic()
        self.saved_at = self._row_step = 0
        if checkpoint is not None:
            self._go_on(checkpoint)
        self.journal = Journal(folder, self.step)

    @property
    def step(self) -> int:
        """Actions taken in all."""
        return int(self.model.num_timesteps)

    def _go_on(self, checkpoint: Checkpoint) -> None:
        data = checkpoint.data
        try:
            set_model_state(self.model, checkpoint.tensors, data["model"])
            for companion in self.companions:
                companion.load(data["companions"][companion.name], self)
            self.tables.load(data["tables"])
            self.seconds = float(data["seconds"])
            set_generators(data["generators"])  # last: nothing may draw before training goes on
        except (KeyError, TypeError, ValueError) as error:
            place = self.checkpoints.place(checkpoint.step)
            raise BrokenFile(f"{place} cannot be read: {type(error).__name__} {error}") from error
        self.saved_at = self._row_step = self.step

    def learn(self) -> None:
        """Trains up to the number of steps asked for, and saves the end.

        Raises:
            Paused: interrupted; a checkpoint has been saved.
            RailbirdError: the networks have diverged.
        """
        left = self.run.steps - self.step
        if left > 0:
            begun = self.step > 0
            try:
                self.model.learn(
                    left, callback=_Rounds(self), log_interval=NEVER, reset_num_timesteps=not begun
                )
            except ValueError as error:
                raise self._diverged(error) from error
            self.note(at_once=True)
        if self.saved_at < self.step:
            self.save()

    def _diverged(self, error: ValueError) -> RailbirdError:
        """What to say of an error of torch's: its distributions refuse parameters that are not numbers."""
        if "nan" not in str(error).lower():
            raise error
        return RailbirdError(
            f"the networks diverged after {self.step:,} steps (not a number); the checkpoints are kept:"
            " lower learning_rate or max_grad_norm in a new folder"
        )

    def between_updates(self) -> None:
        """Called where a checkpoint may be taken: writes the log, saves if it is time.

        Raises:
            Paused: an interrupt was noted.
        """
        if self.step > self._row_step:
            self.note(at_once=self.interrupted)
        if self.step - self.saved_at >= self.run.checkpoint_every or (
            self.interrupted and self.step > self.saved_at
        ):
            self.save()
        if self.interrupted:
            raise Paused
        if isinstance(self.run.learner, OnPolicySettings):
            model: Any = self.model  # which knows no schedule of it
            model.ent_coef = self.run.learner.entropy_at(self.step / self.run.steps)
        for companion in self.companions:
            companion.between_updates(self)

    def note(self, at_once: bool = False) -> None:
        """Writes a row of the log and tells who watches, if enough has happened since the last."""
        if self.step - self._row_step < self.run.steps // MOST_ROWS and not at_once:
            return
        now = time.monotonic()
        episodes, earned = self.tables.meter.take()
        told = self.model.logger.name_to_value
        metrics = {
            name: float(told[key])
            for name in METRICS
            for key in (f"train/{name}", f"rollout/{name}")
            if key in told
        }
        for companion in self.companions:
            metrics |= companion.note(self)
        races = int(getattr(self.run.make_rules(), "races", 1))
        speed = (self.step - self._row_step) / max(now - self._row_begun, 1e-9)
        entry = Entry(self.step, round(self.spent, 3), round(speed, 1), episodes, earned / races, metrics)
        self.journal.add(entry)
        self._row_begun, self._row_step = now, self.step
        if self.watch is not None:
            self.watch(entry, self.run.steps)

    @property
    def spent(self) -> float:
        """Seconds of training in all sessions."""
        return self.seconds + time.monotonic() - self._begun

    def save(self) -> None:
        """Takes a checkpoint.

        Raises:
            RailbirdError: it cannot be written; earlier ones are as they were.
        """
        tensors, model = model_state(self.model)
        data = {
            "model": model,
            "tables": self.tables.save(),
            "companions": {companion.name: companion.save() for companion in self.companions},
            "generators": generator_states(),
            "seconds": self.spent,
        }
        self.checkpoints.add(self.step, tensors, data)
        self.saved_at = self.step


class _Rounds(BaseCallback):
    """Tells a session when no rollout is half done."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def _on_rollout_start(self) -> None:
        self.session.between_updates()

    def _on_step(self) -> bool:
        return True


@contextmanager
def interrupts_noted(session: Session) -> Iterator[None]:
    """Lets the first Ctrl-C wait for the end of the update; the second breaks off at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(number: int, frame: Any) -> None:
        if session.interrupted:
            raise KeyboardInterrupt
        session.interrupted = True

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
