"""Training on the command line: progress on stderr, the agent's score or one JSON object on stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ..games.errors import InvalidSettings
from ..training.fields import help_of
from ..training.learners import LEARNERS, learner_settings
from ..training.opponents import DEFAULT
from ..training.recipes import WAGER, default_algorithm
from ..training.run_settings import RunSettings, make_run, read_config
from ..training.self_play_settings import SelfPlaySettings, settable
from .evaluate import show_score

WATCHED = 20  # stretches over which the return on the bar is averaged


def train(
    game: str | None,
    given: Mapping[str, Any],
    config: Path | None = None,
    out: Path | None = None,
    threads: int = 1,
    as_json: bool = False,
) -> None:
    """Trains an agent, or goes on with it, and prints what it earns.

    Args:
        game: its name; None: the config names it.
        given: arguments of `make_run` that the command line names; they come before those of the config.
        config: a TOML file of such arguments.
        out: the run's folder; None: ``runs/GAME-ALGO-SEED``, of self-play ``runs/GAME-ALGO-self-play-SEED``.
        threads: of torch.
        as_json: prints the score as one JSON object.

    Raises:
        UnknownName, InvalidSettings, BrokenFile, RailbirdError: what `make_run` and `training.train` raise.
    """
    run = read_run(game, given, config)
    _run(run, out or usual_folder(run, run.seed), threads, as_json)


def usual_folder(run: RunSettings, last: object) -> Path:
    """Where a run is kept for which no folder is named: ``runs/GAME-ALGO-LAST``."""
    kind = run.learner.algorithm if run.self_play is None else f"{run.learner.algorithm}-self-play"
    return Path("runs") / f"{run.game}-{kind}-{last}"


def read_run(game: str | None, given: Mapping[str, Any], config: Path | None) -> RunSettings:
    """The run that a command line and a TOML file ask for together; see `train`.

    Raises:
        UnknownName, InvalidSettings: what `make_run` raises, or no game is named.
    """
    asked = {} if config is None else read_config(config)
    settings = {**asked.pop("settings", {}), **given.get("settings", {})}
    asked |= {name: value for name, value in given.items() if value is not None and name != "settings"}
    if game is not None:
        asked["game"] = game
    if "game" not in asked:
        raise InvalidSettings("name the game to learn, or a --config that does")
    return make_run(**asked, settings={name: _tupled(value) for name, value in settings.items()})


def _run(run: RunSettings, folder: Path, threads: int, as_json: bool) -> None:
    from ..training.checkpoints import Checkpoints
    from ..training.train import Paused, train  # loads PyTorch
    from ..training.warm_start import CHECKPOINTS

    try:
        with progress_bar(run) as watch:
            trained = train(run, folder, watch, threads)
    except KeyboardInterrupt as stopped:
        saved = "saved in" if isinstance(stopped, Paused) else "the last checkpoint is in"
        goes_on = f"{saved} {folder}; the same command goes on from there"
        if not Checkpoints(folder / CHECKPOINTS).steps:
            goes_on = f"there is no checkpoint in {folder} yet; the same command begins anew"
        sys.stderr.write(f"railbird: {goes_on}\n")
        raise
    if as_json:
        sys.stdout.write(trained.score.to_json() + "\n")
        return
    console = Console()
    show_score(trained.score, console)
    pieces = [f"agent {trained.agent}", f"log {folder / 'progress.csv'}"]
    if trained.curve is not None:
        pieces.append(f"curve {trained.curve}")
    if not trained.on_tensorboard:
        pieces.append("no TensorBoard log (pip install tensorboard)")
    console.print(f"\n{'; '.join(pieces)}.", highlight=False, soft_wrap=True)
    for command in (
        f"railbird eval {folder}" + ("" if run.deals == 2_000 else f" --deals {run.deals}"),
        f"railbird tournament {run.game} --agents {trained.agent},{','.join(run.variant.opponents[:3])}",
    ):
        console.print(f"  {command}", highlight=False, soft_wrap=True)


@contextmanager
def progress_bar(run: RunSettings) -> Iterator[Any]:
    """A progress bar on stderr: steps, speed, what is earned, time left."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f} steps"),
        TextColumn("{task.fields[speed]}"), TextColumn("{task.fields[profit]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(f"{run.game} {run.learner.algorithm}", total=run.steps, speed="", profit="")
        earned: list[tuple[int, float]] = []

        def watch(entry: Any, _: int) -> None:
            if "imitated" in entry.metrics:
                told = f"learns from {run.teacher}: {entry.metrics['imitated']:.0%} of its deals"
                progress.update(task, profit=told)
                return
            if entry.episodes:
                earned.append((entry.episodes, entry.profit))
            recent = earned[-WATCHED:]
            count = sum(episodes for episodes, _ in recent)
            mean = sum(episodes * profit for episodes, profit in recent) / count if count else None
            told = "" if mean is None else f"{mean:+.3f} chips a race"
            if "win_rate" in entry.metrics:
                rate, lowest = (entry.metrics[name] for name in ("win_rate", "lowest_win_rate"))
                told += f", wins {rate:.0%} against the pool, {lowest:.0%} at least"
            progress.update(task, completed=entry.step, speed=f"{entry.steps_per_second:,.0f}/s", profit=told)

        yield watch


def show_settings(algorithm: str, game: str, self_play: bool = False) -> None:
    """Prints the settings of an algorithm with their values for a game and a line of help, and if asked for
    those of self-play.

    Raises:
        UnknownName: there is no such algorithm; the nearest is suggested.
    """
    learner = learner_settings(algorithm or default_algorithm(game) or next(iter(LEARNERS)), game, {})
    _show_fields(learner.algorithm, learner, {field.name for field in fields(learner)})
    if self_play:
        _show_fields("self-play", SelfPlaySettings(), settable())


def _show_fields(title: str, settings: Any, shown: set[str]) -> None:
    table = Table(title=f"--set for {title}", title_justify="left", box=None)
    for title in ("setting", "default", "meaning"):
        table.add_column(title)
    meaning = help_of(type(settings))
    for field in fields(settings):
        value = getattr(settings, field.name)
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if field.name in shown:
            table.add_row(field.name, text, meaning[field.name])
    Console().print(table)


def convert(
    file: Path, game: str, given: Mapping[str, Any], out: Path | None = None, trusted: bool = False
) -> None:
    """Makes an agent folder of a model that Stable-Baselines3 saved, and says where it is.

    Args:
        file: the zip.
        game: its name.
        given: the arguments of `make_run` it was trained with.
        out: the agent's folder; None: the zip's name without its ending.
        trusted: the user says that the zip may run code.

    Raises:
        UnknownName, InvalidSettings, BrokenFile, RailbirdError: what `make_run` and `zips.convert` raise.
    """
    given = {
        **given,
        "algo": given.get("algo") or next(iter(LEARNERS)),
        "opponents": given.get("opponents") or DEFAULT,  # no recipe was followed
    }
    given["settings"] = {"action": WAGER, **given.get("settings", {})}
    run = read_run(game, given, None)
    from ..training.zips import convert as make  # loads PyTorch

    folder = make(file, run, out or file.with_suffix(""), trusted)
    sys.stdout.write(f"{folder}\n")


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
