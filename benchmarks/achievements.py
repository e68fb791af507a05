"""What trained agents achieve: ``python -m railbird.benchmarks.achievements --game superfecta --seeds 1,2``.

Trains a game's recipe (`railbird.training.recipes`) from each of these seeds, as ``railbird train`` does, and
measures the agent folder it ends in. No seed is left out. Policies take their likeliest action. In Racing
Aces the measure is the exact profit as a share of the best there is, looked at while training goes on; in
the other games it is luck-adjusted profit per race in the learner's seat, and how much that is above what
others earn in the same seat on the same deals, with 95 % intervals over deals. In Save The Bet it is the
share of games won against each named agent, a draw being half a game.

Deals of the measurement are never those of training. Times are those of the training alone: processor time of
the process, and beside it what the clock on the wall said, which depends on who else works on the machine.
"""

from __future__ import annotations

import json as json_format
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from ..agents.registry import parse_agent
from ..evaluation.exact.racing_aces import exact_score
from ..evaluation.present import with_interval
from ..evaluation.results import Comparison, Interval
from ..games.bookmaking.prices import price_text
from ..games.errors import UnknownName
from ..games.order_law import rail_probability, rails
from ..games.registry import load
from ..training.export import export
from ..training.run_settings import make_run
from ..training.scoring import Score, score_folder
from ..training.train import Session, train
from .figures import machine
from .informed import overrounds, quoted

INFORMED: Final = "railbird.benchmarks.informed:Informed"
GLANCE: Final = 2.0  # seconds of processor time between looks at the exact score


@dataclass(frozen=True, slots=True)
class Trial:
    """How a game's agents are put to the test."""

    against: tuple[str, ...] = ()  # who takes the same seat
    opponents: str = ""  # empty: those of the recipe
    deals: int = 4_000
    duels: tuple[tuple[str, int], ...] = ()  # who is met alone, and in how many deals
    self_play: bool = False


BETTORS: Final = Trial(("null", "random", "favourite", "longshot", "value", "kelly", "biased"))
TRIALS: Final = {
    "racing-aces": Trial(),
    "superfecta": Trial(
        ("favourite", "box", "wheel", "carryover", "value", "level-1", "level-2", "equilibrium"),
        "favourite,box,wheel,carryover,value",
    ),
    "pasteboard-derby": Trial(
        ("random", "loyal", "crowd", "contrarian", "level-1", "level-2", "equilibrium", "avoider")
    ),
    "horse-race": BETTORS,
    "scarne-horse-race": BETTORS,
    "bookmaker": Trial(
        (
            "fair", "margin", "margin:share=0.3", "margin:share=1", "even-money", "published", "balanced",
            "profit", INFORMED,
        )
    ),
    "save-the-bet": Trial(
        opponents="thrifty",
        duels=(
            ("random", 2_000), ("shortest", 4_000), ("face-card", 4_000), ("likeliest", 4_000),
            ("likeliest-save", 4_000), ("cards", 4_000), ("thrifty", 8_000), ("hoarder", 4_000),
            ("one-turn", 8_000), ("tree:simulations=100", 4_000),
        ),
        self_play=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """The exact score on the way, as shares of the optimum."""

    step: int
    seconds: float  # of processor time
    wall: float
    first: float  # in the first race of a game
    worst: float  # in the race in which it is lowest


@dataclass(frozen=True, slots=True)
class Margin:
    """What a banker quotes where the rail shows so many cards of the four suits."""

    rail: tuple[int, ...]  # most first
    share: float  # of deals
    learned: float  # what the chances of its book add up to beyond 1, mean over the rails of this kind
    informed: float  # the same of the banker that is told the bettors
    prices: tuple[str, ...]  # at the rail that lists the suits so, the likeliest loser first


@dataclass(frozen=True, slots=True)
class Duel:
    """Games with one other, a draw being half a game won."""

    rival: str
    deals: int
    won: float  # share of them
    interval: tuple[float, float]  # of that share
    fair: float  # share without the luck of the gambles
    fair_interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a seed."""

    seed: int
    steps: int
    seconds: float  # of processor time, the whole training
    wall: float
    marks: tuple[Mark, ...]
    score: Score | None
    margins: tuple[Margin, ...]  # of a banker
    duels: tuple[Duel, ...] = ()

    def reached(self, share: float) -> Mark | None:
        """The first mark from which on the score never was below a share of the optimum."""
        found = None
        for mark in reversed(self.marks):
            if mark.worst < share:
                break
            found = mark
        return found


class Glances:
    """Looks at the exact score between updates, and keeps that time apart."""

    name = "glances"

    def __init__(self, every: float, folder: Path) -> None:
        self.marks: list[Mark] = []
        self.apart = self.apart_wall = 0.0
        self._every, self._folder, self._next = every, folder, every
        self._began = time.process_time(), time.perf_counter()

    def spent(self) -> tuple[float, float]:
        """Seconds of processor and wall time since it began, the looks left out."""
        began, began_wall = self._began
        return time.process_time() - began - self.apart, time.perf_counter() - began_wall - self.apart_wall

    def begin(self, session: Session) -> None:
        """Nothing is to be made ready."""

    def note(self, session: Session) -> Mapping[str, float]:
        """Nothing for the log."""
        return {}

    def between_updates(self, session: Session) -> None:
        """Looks if it is time."""
        seconds, wall = self.spent()
        if seconds < self._next:
            return
        self._next += self._every
        since, since_wall = time.process_time(), time.perf_counter()
        seen = session.tables.statistics.get("obs")
        agent = export(session.run, session.model, seen, self._folder)
        self.look(agent, session.step, seconds, wall)
        self.apart += time.process_time() - since
        self.apart_wall += time.perf_counter() - since_wall

    def look(self, agent: Path, step: int, seconds: float, wall: float) -> None:
        """Adds the mark of an agent folder."""
        settings = load("racing-aces").make_settings()
        found = exact_score(parse_agent(str(agent), "racing-aces").make(settings), settings)
        self.marks.append(Mark(step, round(seconds, 1), round(wall, 1), found.first, found.worst))

    def save(self) -> None:
        """Nothing of it belongs to the run."""

    def load(self, saved: Any, session: Session) -> None:
        """As `save`."""


def run_seed(game: str, seed: int, steps: int | None, folder: Path) -> Run:
    """Trains from a seed, or takes the run that is in the folder, and measures."""
    trial = TRIALS[game]
    asked = make_run(
        game, steps=steps, seed=seed, opponents=trial.opponents, deals=1, self_play=trial.self_play
    )
    exact = game == "racing-aces"
    glances = Glances(GLANCE, folder / "glance")
    trained = train(asked, folder, companions=(glances,) if exact else ())
    seconds, wall = glances.spent()
    agent = str(trained.agent)
    if exact:
        glances.look(trained.agent, asked.steps, seconds, wall)
    score = None if exact or trial.duels else score_folder(agent, trial.deals, against=trial.against)
    margins = margins_of(agent) if game == "bookmaker" else ()
    duels = tuple(duel(agent, rival, deals) for rival, deals in trial.duels)
    return Run(
        seed, asked.steps, round(seconds, 1), round(wall, 1), tuple(glances.marks), score, margins, duels
    )


def duel(agent: str, rival: str, deals: int) -> Duel:
    """How an agent folder fares against one other, in both seats in turn."""
    score = score_folder(agent, deals, opponents=rival)

    fair, cash = _won(score.profit_per_race, score.interval), _won(score.cash_per_race, score.cash_interval)
    return Duel(rival, deals, cash[0], (cash[1], cash[2]), fair[0], (fair[1], fair[2]))


def _won(profit: float, interval: Interval) -> tuple[float, float, float]:
    """The share of games won that a mean profit of +1, 0 and -1 a game stands for, and its interval."""
    low, high = ((1 + float("nan" if end is None else end)) / 2 for end in interval)
    return round((1 + profit) / 2, 4), round(low, 4), round(high, 4)


def margins_of(agent: str) -> tuple[Margin, ...]:
    """What a banker has learned to quote, the commonest rails first."""
    rules = load("bookmaker").make_settings()
    chances = [float(chance) for chance in rail_probability(rules.course)]
    every: list[tuple[int, ...]] = list(rails(rules.course))
    kinds: dict[tuple[int, ...], list[int]] = {}
    for place, rail in enumerate(every):
        kinds.setdefault(tuple(sorted(rail, reverse=True)), []).append(place)
    learned, informed = (
        quoted(parse_agent(name, "bookmaker").make(rules), rules) for name in (agent, INFORMED)
    )
    over, best = overrounds(learned), overrounds(informed)
    found = [
        Margin(
            kind, sum(chances[place] for place in places), float(over[places].mean()),
            float(best[places].mean()),
            tuple(price_text(int(price)) for price in learned[every.index(kind)]),
        )
        for kind, places in kinds.items()
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda margin: -margin.share))


def show(game: str, runs: Sequence[Run], console: Console) -> None:
    """Prints every seed."""
    if game == "racing-aces":
        _show_exact(runs, console)
        return
    if TRIALS[game].duels:
        _show_duels(game, runs, console)
        return
    table = Table(title=f"{game}: chips per race, 95 % intervals over {TRIALS[game].deals:,} deals", box=None)
    table.title_justify = "left"
    table.add_column("")
    for run in runs:
        table.add_column(f"seed {run.seed}", justify="right")
    scores = [run.score for run in runs if run.score is not None]
    table.add_row("profit", *(with_interval(score.profit_per_race, score.interval) for score in scores))
    for place, rival in enumerate(TRIALS[game].against):
        found: list[Comparison] = [score.comparisons[place] for score in scores]
        words = rival.rpartition(":")[2] if rival == INFORMED else rival
        table.add_row(f"above {words}", *(with_interval(one.difference, one.interval) for one in found))
    table.add_row("steps", *(f"{run.steps:,}" for run in runs))
    table.add_row("processor time", *(f"{run.seconds:.0f} s" for run in runs))
    table.add_row("wall time", *(f"{run.wall:.0f} s" for run in runs))
    console.print(table)
    for run in runs:
        if run.margins:
            _show_margins(run, console)


def _show_duels(game: str, runs: Sequence[Run], console: Console) -> None:
    title = f"{game}: games won without the luck of the gambles (and with it), 95 % intervals over deals"
    table = Table(title=title, box=None, title_justify="left")
    for heading in ("against", "deals", *(f"seed {run.seed}" for run in runs)):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, (rival, deals) in enumerate(TRIALS[game].duels):
        found = [run.duels[place] for run in runs]
        table.add_row(rival, f"{deals:,}", *(_share(one.fair, one.fair_interval, one.won) for one in found))
    table.add_row("processor time", "", *(f"{run.seconds:.0f} s" for run in runs))
    table.add_row("wall time", "", *(f"{run.wall:.0f} s" for run in runs))
    console.print(table)


def _share(fair: float, interval: tuple[float, float], won: float) -> str:
    return f"{fair:.1%} ± {(interval[1] - interval[0]) / 2:.1%} ({won:.1%})"


def _show_margins(run: Run, console: Console) -> None:
    table = Table(title=f"seed {run.seed}: what the book adds up to beyond 1", box=None, title_justify="left")
    for title in ("rail", "share of deals", "learned", "informed", "prices learned"):
        table.add_column(title, justify="right", no_wrap=True)
    for margin in run.margins:
        table.add_row(
            ",".join(map(str, margin.rail)), f"{margin.share:.4f}", f"{margin.learned:.2f}",
            f"{margin.informed:.2f}", " ".join(margin.prices),
        )  # fmt: skip
    console.print(table)


def _show_exact(runs: Sequence[Run], console: Console) -> None:
    table = Table(title="racing-aces: exact profit, share of the optimum", box=None, title_justify="left")
    for title in ("seed", "profit", "worst race", "96.6 % in", "99 % in", "steps", "processor", "wall"):
        table.add_column(title, justify="right", no_wrap=True)
    for run in runs:
        last = run.marks[-1]
        reached = [run.reached(share) for share in (0.966, 0.99)]
        table.add_row(
            str(run.seed), f"{last.first:.3%}", f"{last.worst:.3%}",
            *("never" if mark is None else f"{mark.seconds:.0f} s" for mark in reached),
            f"{run.steps:,}", f"{run.seconds:.0f} s", f"{run.wall:.0f} s",
        )  # fmt: skip
    console.print(table)


def main(
    game: Annotated[str, typer.Option(help=f"One of {', '.join(TRIALS)}.")] = "racing-aces",
    seeds: Annotated[str, typer.Option(help="Parted by commas; every one is reported.")] = "1,2,3,4,5",
    steps: Annotated[
        int | None, typer.Option(help="Actions of each run; without it those of the recipe.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the runs are kept; without it nowhere.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Trains a game's recipe from several seeds and measures what each agent achieves."""
    if game not in TRIALS:
        raise UnknownName("game with a trial", game, TRIALS)
    progress = Console(stderr=True)
    runs = []
    with TemporaryDirectory() as scratch:
        for seed in (int(text) for text in seeds.split(",")):
            runs.append(run_seed(game, seed, steps, (out or Path(scratch)) / f"{game}-{seed}"))
            show(game, runs[-1:], progress)
    if json:
        told = {
            "game": game,
            "machine": machine(),
            "trial": asdict(TRIALS[game]),
            "runs": [asdict(r) for r in runs],
        }
        print(json_format.dumps(told, indent=2))
        return
    show(game, runs, Console())
    print(", ".join(f"{name} {text}" for name, text in machine().items()))


if __name__ == "__main__":
    typer.run(main)
