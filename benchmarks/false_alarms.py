"""How often equal agents are told apart by mistake when one looks again and again and stops early.

``python -m railbird.benchmarks.false_alarms [runs]``. The agents of a run play by one rule and differ in
nothing but their random choices, so every verdict but undecided or equivalent is a false alarm. A run is a
tournament with ``until``, looked at after every block; its promise is at most 5 % of the runs, all pairs and
both questions counted. Beside it stands what comes of looking as often at an interval made for one look.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..agents.contract import Agent
from ..evaluation.blocks import play_block
from ..evaluation.estimates import CONFIDENCE, student
from ..evaluation.sequences import FIRST_LOOK
from ..evaluation.tally import Measure, Tally
from ..evaluation.tournament import TournamentSettings
from ..games.registry import load
from ..games.streams import Draws

RUNS = 400
AGENTS = 4
SEATS = 3
RACES = 2
MOST_DEALS = 4_000
UNTIL = 0.023  # chips a race; reached after some ten blocks
CHANCE = 0.1  # of taking a line


class Equal(Agent[Any]):
    """Takes each line with the same chance, by the ``number``-th of its draws."""

    def __init__(self, settings: Any, number: int) -> None:
        super().__init__(settings)
        self.number = number

    def act(self, view: Any, draws: Draws) -> Any:
        for _ in range(self.number):
            draws.uniform(1)
        return draws.uniform(40) < CHANCE


@dataclass(frozen=True, slots=True)
class EqualFactory:
    """The factory of `Equal`."""

    number: int

    @property
    def text(self) -> str:
        """Its name."""
        return f"equal:number={self.number}"

    def make(self, settings: Any) -> Equal:
        """A fresh instance."""
        return Equal(settings, self.number)


@dataclass(frozen=True, slots=True)
class Run:
    """What was said in a run."""

    deals: int
    looks: int
    at_tables: bool  # somebody was surely better when it stopped
    in_place: bool  # the same, in the same place
    ever: bool  # either, at any of the looks
    peeked: bool  # the first two told apart at one of the looks, by an interval made for one look


def play(seed: int) -> Run:
    """Plays one tournament until it stops."""
    rules = load("superfecta").make_settings(seats=SEATS, races=RACES)
    field = tuple(EqualFactory(number) for number in range(AGENTS))
    plan = TournamentSettings("superfecta", field, rules, MOST_DEALS, seed, until=UNTIL, margin=0.0).plan()
    tally, looks, ever, peeked = Tally(plan), 0, False, False
    for number in range(plan.blocks):
        tally.add(play_block(plan, number))
        looks += tally.tables.count >= FIRST_LOOK
        ever = ever or tells_apart(tally.tables) or tells_apart(tally.swapped)
        peeked = peeked or peeks(tally.tables)
        if tally.narrow_enough:
            break
    at_tables, in_place = tells_apart(tally.tables), tells_apart(tally.swapped)
    return Run(tally.tables.count, looks, at_tables, in_place, ever, peeked)


def tells_apart(measure: Measure) -> bool:
    """Whether anybody is surely better than another."""
    return bool((measure.together().ranks() != [1, AGENTS]).any())


def peeks(measure: Measure) -> bool:
    """Whether the usual interval of one pair leaves out zero."""
    found = measure.profit_pairs.estimates(student(measure.count - 1, CONFIDENCE))
    return bool(found.low[0, 1] > 0 or found.high[0, 1] < 0)


def main(runs: int) -> None:
    """Plays the runs and prints the rates."""
    began = time.perf_counter()
    found = [play(seed) for seed in range(runs)]
    deals, looks = (np.mean([getattr(run, name) for run in found]) for name in ("deals", "looks"))
    print(f"{runs} tournaments of {AGENTS} equal agents, {deals:,.0f} deals and {looks:.1f} looks each")
    for name, says in (
        ("at_tables", "told apart at the tables when it stopped"),
        ("in_place", "told apart in the same place when it stopped"),
        ("ever", "told apart either way at any look"),
        ("peeked", "the first two told apart at some look by an interval made for one look"),
    ):
        print(f"{np.mean([getattr(run, name) for run in found]):7.2%}  {says}")
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
