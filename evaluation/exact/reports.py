"""What the exact solver has to say: an equilibrium, or how exploitable an agent is. Figures say their kind.

Exact figures are float64, right to the nine decimals kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from ... import __version__
from ...games.save_the_bet.settings import SaveTheBetSettings
from ..blocks import AgentFactory
from ..results import figure, plain
from .cfr import Solution, find_equilibrium
from .enumeration import MOST_HISTORIES, SmallSaveTheBet, play_out
from .forms import SmallGame, plan_of
from .growing import grow
from .kuhn import KuhnPoker
from .responses import best_response, exploitability
from .strategies import Strategy, strategy_of

ITERATIONS = 1000
DRAWS = 200
LABEL, NUMBER = 58, 12  # columns of the text


class Kind(StrEnum):
    """How far a figure can be trusted."""

    EXACT = "exact"
    LOWER = "lower bound"
    UPPER = "upper bound"
    ESTIMATE = "estimate"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with what it is."""

    name: str
    value: float
    kind: Kind

    def __str__(self) -> str:
        return f"{self.name:<{LABEL}}{self.value:>+{NUMBER}.6f}  {self.kind}"


@dataclass(frozen=True, slots=True)
class Report:
    """An answer, for people as text and for programs as JSON."""

    title: str
    game: dict[str, Any]  # its rules
    endings: int  # ways the game can end
    information_sets: tuple[int, int]  # of either seat
    figures: tuple[Figure, ...]
    trace: tuple[tuple[int, float], ...]  # (iterations, exact exploitability after so many); of solving alone
    notes: tuple[str, ...]
    version: str

    def __str__(self) -> str:
        sets = " and ".join(f"{number:,}" for number in self.information_sets)
        size = f"{self.endings:,} endings, {sets} information sets, all gone through"
        return "\n".join([self.title, size, *map(str, self.figures), *self.notes])

    def to_json(self) -> str:
        """The report as a JSON object, the same bytes for the same report."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


def solve(settings: SaveTheBetSettings, iterations: int = ITERATIONS, most: int = MOST_HISTORIES) -> Report:
    """An equilibrium of Save The Bet on a small deck: how near it is, and what the game is worth.

    Args:
        settings: the rules.
        iterations: rounds of CFR+.
        most: histories of one phase that are allowed.

    Raises:
        InvalidSettings: the game is too large, or iterations is not 1 or more.
    """
    small = play_out(settings, most)
    return _solved(small.form, plain(settings), describe(settings), find_equilibrium(small.form, iterations))


def solve_kuhn(iterations: int = ITERATIONS) -> Report:
    """The same for Kuhn poker, whose value to seat 0 is known to be −1/18.

    Raises:
        InvalidSettings: iterations is not 1 or more.
    """
    form = grow(KuhnPoker()).form
    return _solved(form, {"name": "kuhn poker"}, "Kuhn poker", find_equilibrium(form, iterations))


def exploitability_of(
    agent: AgentFactory,
    settings: SaveTheBetSettings,
    draws: int = DRAWS,
    seed: int = 1,
    most: int = MOST_HISTORIES,
) -> Report:
    """What an agent loses to the best response when it plays Save The Bet on a small deck, in either seat.

    Args:
        agent: as the registry hands it out.
        settings: the rules.
        draws: how often an agent that draws is asked in each information set.
        seed: root seed of these draws.
        most: histories of one phase that are allowed.

    Raises:
        InvalidSettings: the game is too large, the agent cannot be made, or draws is not 2 or more.
    """
    small = play_out(settings, most)
    first, second = (strategy_of(small, seat, agent, draws, seed) for seat in (0, 1))
    title = f"{agent.text} in {describe(settings)}"
    figures = _against(small, (first, second))
    return _report(small.form, plain(settings), title, figures, notes=_notes((first, second), draws))


def describe(settings: SaveTheBetSettings) -> str:
    """The rules of a small game in a line."""
    deck = f"{settings.suits} × {settings.ranks} cards{' less an ace' if settings.missing_ace else ''}"
    return (
        f"Save The Bet, {deck}, hands of {settings.hand_size}, won with {settings.target} cards,"
        f" at most {settings.max_turns} turn{'s' * (settings.max_turns > 1)}"
    )


def _solved(form: SmallGame, game: dict[str, Any], title: str, solution: Solution) -> Report:
    first, second = solution.plans
    figures = (
        Figure("exploitability of the equilibrium found", solution.exploitability, Kind.EXACT),
        Figure(
            "value to seat 0, which its strategy is sure of", -best_response(form, 1, first).value, Kind.LOWER
        ),
        Figure(
            "value to seat 0, which seat 1 can hold it to", best_response(form, 0, second).value, Kind.UPPER
        ),
    )
    return _report(form, game, f"{title}: CFR+, {solution.iterations:,} iterations", figures, solution.trace)


def _against(small: SmallSaveTheBet, strategies: tuple[Strategy, Strategy]) -> list[Figure]:
    """How the best responses do against an agent's strategies in either seat."""
    form = small.form
    exact = strategies[0].exact and strategies[1].exact
    kind = Kind.EXACT if exact else Kind.ESTIMATE
    plans = (plan_of(form.sides[0], strategies[0].behaviour), plan_of(form.sides[1], strategies[1].behaviour))
    figures = [Figure("exploitability", exploitability(form, plans), kind)]
    for seat in (0, 1):
        value = best_response(form, seat, plans[1 - seat]).value
        figures.append(Figure(f"won by the best response in seat {seat}", value, kind))
    if not exact:
        value = sum(_held_out(form, seat, strategies[1 - seat]) for seat in (0, 1)) / 2
        figures.append(Figure("exploitability by responses to other draws", value, kind))
    return figures


def _held_out(form: SmallGame, seat: int, rival: Strategy) -> float:
    """What a seat wins with the best response to one half of the rival's draws against the other half."""
    plans = [plan_of(form.sides[1 - seat], half) for half in rival.halves]
    responses = [best_response(form, seat, plan).plan for plan in plans]
    return float(sum(responses[k] @ form.earnings(seat, plans[1 - k]) for k in (0, 1)) / 2)


def _notes(strategies: tuple[Strategy, Strategy], draws: int) -> list[str]:
    """What a reader has to know of these figures."""
    notes = []
    if not all(strategy.exact for strategy in strategies):
        notes.append(
            f"The agent draws; its chances are estimated from {draws:,} answers in each information set."
            " The exploitability of such an estimate is on average too high, and what responses to one half"
            " of the answers win against the other half is on average too low; more draws bring the two"
            " together."
        )
    for seat, strategy in enumerate(strategies):
        if strategy.faults:
            notes.append(
                f"Seat {seat}: at fault in {strategy.faults:,} of the information sets it comes to, where the"
                f" game's fallback stands; for one, {strategy.reason}"
            )
    return notes


def _report(
    form: SmallGame,
    game: dict[str, Any],
    title: str,
    figures: Sequence[Figure],
    trace: Sequence[tuple[int, float]] = (),
    notes: Sequence[str] = (),
) -> Report:
    return Report(
        title=title,
        game=game,
        endings=len(form.endings.chance),
        information_sets=(form.sides[0].sets, form.sides[1].sets),
        figures=tuple(replace(item, value=figure(item.value)) for item in figures),
        trace=tuple((iteration, figure(value)) for iteration, value in trace),
        notes=tuple(notes),
        version=__version__,
    )
