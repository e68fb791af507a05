"""Where the time of training goes: short runs of every game, watched.

Each game is learned by its recipe, against the rivals of its trial (`achievements`), as long as so many
updates take; a run of one update before warms it up. What is measured is the whole of learning, log and
checkpoints included, without setting up and scoring. A part that calls another stops while that one runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from .measure import Figure, figure
from .stopwatch import Stopwatch

UPDATES: Final = 16  # of a run
RUNS: Final = 3  # of a game, from different seeds
REST: Final = "the rest"  # buffers, advantages, the loop itself, log and checkpoints
TABLES: Final = ("tables", "rivals")  # parts of the environment
PARTS: Final = ("gradient steps", "policy", "normalising", REST, *TABLES)


def training_time() -> Iterator[Figure]:
    """Actions learned from a second, and how that second is shared out, game by game."""
    from ..games.registry import names

    for game in names():
        yield from shares_of(game)


def shares_of(game: str, updates: int = UPDATES, runs: int = RUNS) -> Iterator[Figure]:
    """The figures of a game: the rate, the environment's share, which should be less than the learner's, and
    the share of each part.
    """
    watched(game, 1, 0)
    found = [watched(game, updates, seed) for seed in range(1, runs + 1)]
    yield figure(f"{game}_learning", [steps / sum(parts.values()) for steps, parts in found], "actions/s")
    shares = [{name: 100 * parts[name] / sum(parts.values()) for name in PARTS} for _, parts in found]
    environment = [sum(share[name] for name in TABLES) for share in shares]
    yield figure(f"{game}_environment", environment, "%", 50, smaller_is_better=True)
    for name in PARTS:
        yield figure(f"{game}: {name}", [share[name] for share in shares], "%")


def watched(game: str, updates: int, seed: int) -> tuple[int, dict[str, float]]:
    """The actions of a run and the seconds of processor time of each part."""
    from ..training.generators import kept_process
    from ..training.run_settings import make_run
    from ..training.train import Session
    from .achievements import TRIALS, Trial

    whole = make_run(game, seed=seed, opponents=TRIALS.get(game, Trial()).opponents)
    learner: Any = whole.learner
    watch = Stopwatch()
    with TemporaryDirectory() as folder, kept_process(threads=1):
        run = make_run(
            game, steps=updates * learner.lanes * learner.n_steps, seed=seed, opponents=whole.opponents,
            checkpoint_every=whole.checkpoint_every,
        )  # fmt: skip
        session = Session(run, Path(folder), None)
        watch_session(watch, session)
        try:
            session.learn()
        finally:
            session.journal.close()
            session.tables.venv.close()
    return run.steps, {name: watch.seconds[name] for name in PARTS}


def watch_session(watch: Stopwatch, session: Any) -> None:
    """Counts a session's time by part from now on."""
    model, tables = session.model, session.tables
    watch.watch(session, "learn", REST)
    watch.watch(model, "train", "gradient steps")
    for method in ("forward", "predict_values"):
        watch.watch(model.policy, method, "policy")
    watch.watch(tables.normalizer, "step_wait", "normalising")
    for method in ("reset", "step_wait", "env_method"):  # the masks are asked for by env_method
        watch.watch(tables.seats, method, "tables")
    table = tables.seats.table
    for part in getattr(table, "parts", [table]):
        watch.watch(part.rivals, "decide", "rivals")  # not the agents: what they keep is saved
