"""Populations as games: Nash averaging where two meet, gains by deviating where more sit at a table.

An average over opponents depends on who happens to be there, copies included. The Nash average (Balduzzi,
Tuyls, Perolat and Graepel, "Re-evaluating evaluation", 2018) lets a second player choose the opponents: each
picks an agent, the payoff is what theirs wins of the other's. The mixture of greatest entropy among the
equilibrium ones is unique, does not change when a copy enters except that copies share its weight, and gives
agents that are beaten by it no weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ..games.errors import InvalidSettings
from ..games.kernels import Chips, Floats, Rows
from .estimates import CONFIDENCE, student

ANTISYMMETRIC = 1e-9  # of the largest payoff: how far a payoff and its opposite may differ
LOSS = 1e-7  # of the largest payoff: what an equilibrium mixture may lose to a pure reply
FALL = 10.0  # by how much the loss allowed shrinks at a time; all at once, Newton may not settle
SETTLED = 1e-4  # of the loss: a Newton step that promises less is the last
MOST_STEPS = 1000  # of Newton for one loss; about ten are needed


@dataclass(frozen=True, slots=True)
class NashAverage:
    """The equilibrium mixture of greatest entropy, and what everybody earns against it."""

    weight: Floats  # (agents,) > 0, sum 1
    skill: Floats  # (agents,) in the units of the payoffs: 0 for all that have weight, less for the others
    cyclic_share: float  # 0 … 1: how much of the payoffs no scalar rating can tell (0 if all are 0)


def nash_average(payoff: Floats) -> NashAverage:
    """The Nash average of agents that meet in twos.

    Args:
        payoff: (agents, agents) float64, what the first wins of the second: antisymmetric.

    The equilibrium mixtures p are those with payoff @ p ≤ 0. The one of greatest entropy is p_i ∝ exp(−Σ λ_j
    payoff_ji) for the prices λ ≥ 0, one for each reply j, with the least log Σ exp. To this ε Σ (λ − log λ)
    is added, which keeps the prices finite and allows a loss of ε, and ε is made small (a barrier as in Boyd
    and Vandenberghe, "Convex optimization", 2004, chapter 11). So payoffs that differ by less than `LOSS` of
    the largest count as equal, copies among them, and weights are good to about as much.

    Raises:
        InvalidSettings: the payoffs are no antisymmetric matrix of finite numbers.
    """
    _check(payoff)
    payoff = (payoff - payoff.T) / 2
    weight = np.ones(1)
    if len(payoff) > 1:
        unit = payoff / (np.abs(payoff).max() or 1.0)
        weight = _most_even(unit)
    return NashAverage(weight, payoff @ weight, cyclic_share(payoff))


def cyclic_share(payoff: Floats) -> float:
    """The share of the squared payoffs (agents, agents) that differences of a rating cannot tell: those of
    the means of the rows come nearest. 0 for strict order, 1 for rock, paper and scissors.
    """
    mean = payoff.mean(axis=1)
    square = float((payoff**2).sum())
    rest = float(((payoff - (mean[:, None] - mean[None, :])) ** 2).sum())
    return rest / square if square > 0 else 0.0


def _check(payoff: Floats) -> None:
    if payoff.ndim != 2 or payoff.shape[0] != payoff.shape[1] or not len(payoff):
        raise InvalidSettings(f"payoffs are (agents, agents), not {payoff.shape}")
    if not np.isfinite(payoff).all():
        raise InvalidSettings("payoffs are finite numbers: every two agents have to meet")
    off = np.abs(payoff + payoff.T)
    if off.max() > ANTISYMMETRIC * np.abs(payoff).max():
        one, two = (int(place) for place in np.unravel_index(off.argmax(), off.shape))
        raise InvalidSettings(
            f"what one wins the other loses, but agents {one} and {two} win {payoff[one, two]}"
            f" and {payoff[two, one]} of each other"
        )


def _most_even(payoff: Floats) -> Floats:
    """The mixture (n,) of greatest entropy that loses no more than `LOSS`; payoffs are up to 1."""
    prices, loss = np.ones(len(payoff)), 1.0
    while loss > LOSS:
        loss = max(LOSS, loss / FALL)
        prices = _settle(prices, payoff, loss)
    return _mixture(prices, payoff)[0]


def _mixture(prices: Floats, payoff: Floats) -> tuple[Floats, float]:
    """The mixture (n,) that prices (n,) lead to, and log Σ exp."""
    logits = -prices @ payoff
    worth = np.exp(logits - logits.max())
    return worth / worth.sum(), float(logits.max() + np.log(worth.sum()))


def _settle(prices: Floats, payoff: Floats, loss: float) -> Floats:
    """The prices with the least sum of log Σ exp and the barrier, by Newton's method."""

    def height(prices: Floats) -> float:
        return _mixture(prices, payoff)[1] + loss * float((prices - np.log(prices)).sum())

    for _ in range(MOST_STEPS):
        mixture = _mixture(prices, payoff)[0]
        reply = payoff @ mixture
        slope = prices * (loss - reply) - loss  # by the logarithms of the prices
        spread = (payoff - reply[:, None]) * np.sqrt(mixture) * prices[:, None]
        # the curvature is R.T @ R; forming it would lose half of the digits
        R = np.linalg.qr(np.concatenate([spread.T, np.sqrt(loss) * np.eye(len(prices))]))[1]
        step = -prices * np.linalg.solve(R, np.linalg.solve(R.T, slope))
        promise = -float(slope @ (step / prices))
        if promise < SETTLED * loss:
            return prices + step
        length = min(1.0, 0.9 / max(0.9, float((-step / prices).max())))
        enough = height(prices)
        while height(prices + length * step) > enough - 0.1 * length * promise:
            length /= 2
        prices = prices + length * step
    raise ArithmeticError(f"the Nash average did not settle in {MOST_STEPS} steps")


@dataclass(frozen=True, slots=True)
class DeviationGains:
    """What each agent leaves to whoever would sit down in its place, all (agents,), chips per context.

    NaN where an agent has held too few places to say.
    """

    gain: Floats  # greatest mean of an agent in its places − its own, ≥ 0; too high by the luck of the choice
    reply: Rows  # int64: who earns that, the agent itself where nobody earns more; −1 where unknown
    tested: Floats  # the same without that luck: the best in one half of its places, measured in the other
    low: Floats  # 95 % interval of ``tested``, which may be below 0
    high: Floats
    places: Rows  # int64: contexts in which it held the place


def deviation_gains(held: Rows, earned: Chips | Floats) -> DeviationGains:
    """max_k u_i(k, rest) − u_i for every agent i, from agents tried in each other's place.

    ``rest`` are the rivals of those places and their draws, the same for all that are tried. In an
    equilibrium of the agents at hand nobody gains; what none of them plays is not seen.

    Args:
        held: (contexts,) whose place it was, by deal.
        earned: (contexts, agents) profit of every agent in that place, its holder's too.

    Raises:
        InvalidSettings: the shapes do not fit, or a place belongs to nobody here.
    """
    if earned.ndim != 2 or held.shape != earned.shape[:1]:
        raise InvalidSettings(
            f"held is (contexts,) and earned (contexts, agents), not {held.shape} and {earned.shape}"
        )
    agents = earned.shape[1]
    if held.size and not 0 <= held.min() <= held.max() < agents:
        raise InvalidSettings(
            f"places are held by agents 0 to {agents - 1}, not {held.min()} to {held.max()}"
        )
    gain, tested, low, high = (np.full(agents, np.nan) for _ in range(4))
    reply, places = np.full(agents, -1), np.bincount(held, minlength=agents)
    for agent in np.flatnonzero(places):
        more = (earned[held == agent] - earned[held == agent][:, [agent]]).astype(np.float64)
        mean = more.mean(axis=0)
        gain[agent] = mean.max()
        reply[agent] = agent if mean.max() <= 0 else mean.argmax()
        if len(more) > 1:
            seen = _crossed(more)
            half = student(len(seen) - 1, CONFIDENCE) * seen.std(ddof=1) / sqrt(len(seen))
            tested[agent] = seen.mean()
            low[agent], high[agent] = tested[agent] - half, tested[agent] + half
    return DeviationGains(gain, reply, tested, low, high, places)


def _crossed(more: Floats) -> Floats:
    """(contexts,) what the best of one half of the contexts (contexts, agents) gains in the other half."""
    one, two = np.array_split(more, 2)
    return np.concatenate([one[:, two.mean(axis=0).argmax()], two[:, one.mean(axis=0).argmax()]])
