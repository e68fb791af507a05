"""What a newcomer gains over a mixture of agents, and what two agents win of each other, on fixed deals.

The gain is a substitution effect (DESIGN: judging): a table is seated by the mixture, seat by seat; then the
newcomer takes one of its places, with the same deal, rivals and draws. What it earns there more than who sat
there, averaged over deals, is what playing it gains where all others play the mixture. In an equilibrium no
agent gains anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..agents.registry import AgentSpec
from ..evaluation.blocks import TABLES_PER_BLOCK, Idle, make_agent
from ..evaluation.estimates import Moments
from ..evaluation.match import play
from ..evaluation.results import Interval, figure, interval_of
from ..evaluation.tournament import TournamentSettings
from ..evaluation.tournament import run as run_tournament
from ..evaluation.verdicts import FixedNumber
from ..games.contract import house_seat
from ..games.kernels import Floats, Rows
from ..games.registry import load
from ..games.streams import Draws, extend, root_key
from .pool_rivals import count_copies

SEATED: Final = -5  # in a stream's name where games have their lane number, which is never negative


@dataclass(frozen=True, slots=True)
class Gain:
    """What a newcomer earned more than the mixture in its places, in chips per race, without luck."""

    gain: float
    interval: Interval
    own: float  # what it earned there
    cash_gain: float  # the gain with the luck of the payouts
    deals: int

    @property
    def significant(self) -> bool:
        """Whether the whole interval lies above 0, seen in deals enough to conclude anything."""
        low = self.interval[0]
        return low is not None and low > 0 and self.deals >= FixedNumber.fewest


@dataclass(frozen=True, slots=True)
class Payoff:
    """What an agent won of another at a table of two, a game, each deal from both sides."""

    profit: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Mixture:
    """Agents, and with what chance each takes a seat."""

    agents: tuple[AgentSpec, ...]
    weights: tuple[float, ...]  # ≥ 0, sum 1

    def seat(self, deals: Rows, seats: int, seed: int) -> Rows:
        """(n, seats): a number of an agent for each seat of each deal (n,)."""
        keys = extend(extend(np.full(len(deals), root_key(seed), np.uint64), SEATED), deals)
        ends = np.cumsum(self.weights)
        drawn = np.searchsorted(ends / ends[-1], Draws(keys).uniform(seats), side="right")
        return np.minimum(drawn, int(np.flatnonzero(self.weights)[-1]))


def gain_over(
    mixture: Mixture, newcomer: AgentSpec, rules: Any, banker: AgentSpec | None, deals: int, seed: int
) -> Gain:
    """What a newcomer gains by sitting down in the places of a mixture; from deal to deal in the next seat.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    races = int(getattr(rules, "races", 1))
    fixed = FixedNumber(seed)
    gain, own, cash = Moments((1,)), Moments((1,)), Moments((1,))
    step = TABLES_PER_BLOCK // 2
    for first in range(0, deals, step):
        numbers = np.arange(first, min(first + step, deals))
        adjusted, money = _try(mixture, newcomer, rules, banker, numbers, seed)
        gain.add((adjusted[:, :1] - adjusted[:, 1:]) / races)
        cash.add((money[:, :1] - money[:, 1:]) / races)
        own.add(adjusted[:, :1] / races)
    found = gain.estimates(fixed.single(gain.count))
    return Gain(
        figure(found.mean[0]), interval_of(found, 0), figure(own.mean[0]), figure(cash.mean[0]), deals
    )


def _try(
    mixture: Mixture, newcomer: AgentSpec, rules: Any, banker: AgentSpec | None, deals: Rows, seed: int
) -> tuple[Floats, Floats]:
    """(deals, 2) profit without luck and cash, of the newcomer and of who else has its place."""
    seats, spec = int(rules.seats), load(newcomer.game)
    drawn = mixture.seat(deals, seats, seed)
    codes = drawn * seats + count_copies(drawn)  # an instance sits at a table once
    used, seating = np.unique(codes, return_inverse=True)
    factories = [mixture.agents[code // seats] for code in used.tolist()]
    seating = np.repeat(seating.reshape(codes.shape), 2, axis=0)
    seat = deals % seats
    seating[2 * np.arange(len(deals)), seat] = len(factories)
    if house_seat(rules) is not None:
        seating = np.column_stack([seating, np.full(len(seating), len(factories) + 1)])
    players = [make_agent(factory, rules) for factory in (*factories, newcomer, banker or Idle())]
    played = play(spec, rules, seed, np.repeat(deals, 2), players, seating.astype(np.int64))
    places = np.arange(len(seating)), np.repeat(seat, 2)
    return played.adjusted[places].reshape(-1, 2), played.cash[places].reshape(-1, 2).astype(np.float64)


def pay_off(one: AgentSpec, other: AgentSpec, rules: Any, deals: int, seed: int) -> Payoff:
    """What one agent wins of another in a contest of two, by a tournament of them.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    settings = TournamentSettings(one.game, (one, other), rules, deals, seed, substitutes=0)
    (duel,) = run_tournament(settings).duels
    return Payoff(duel.profit, duel.interval)


def payoff_matrix(size: int, known: Sequence[tuple[int, int, Payoff]]) -> Floats:
    """(size, size): what the first wins of the second."""
    payoff = np.zeros((size, size))
    for one, other, found in known:
        payoff[one, other], payoff[other, one] = found.profit, -found.profit
    return payoff
