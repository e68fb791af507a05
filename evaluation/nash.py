"""Populations as games: Nash averaging where two meet, gains by deviating where more sit at a table.

An average over opponents depends on who happens to be there, copies included. The Nash average (Balduzzi,
Tuyls, Perolat and Graepel, "Re-evaluating evaluation", 2018) lets a second player choose the opponents: each
picks an agent, the payoff is what theirs wins of the other's. The mixture of greatest entropy among the
equilibrium ones is unique, does not change when a copy enters except that copies share its weight, and gives
agents that are beaten by it no weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..games.errors import InvalidSettings
from ..games.kernels import Chips, Floats, Rows
from .estimates import Moments

ANTISYMMETRIC = 1e-9  # of the largest payoff: how far a payoff and its opposite may differ
SLACK = 1e-6  # of the largest payoff: what the equilibrium may lose, ten times what the linear program may
LAST_BARRIER = 1e-10
NEAR = 1e-6  # a Newton step that promises less is as good as it looks
SETTLED = 1e-24  # what a step promises where it changes nothing: the square of rounding errors
MOST_STEPS = 100  # of Newton for one barrier; about ten are needed


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

    The equilibrium mixtures p are those with payoff @ p ≤ 0. A linear program finds one; from there entropy is
    raised by Newton's method with a logarithmic barrier (Boyd and Vandenberghe, "Convex optimization", 2004,
    chapter 11). A millionth of the largest payoff is allowed to be lost, so that copies whose payoffs differ by
    rounding errors are still copies; weights are good to about as much.

    Raises:
        InvalidSettings: the payoffs are no antisymmetric matrix of finite numbers.
    """
    _check(payoff)
    payoff = (payoff - payoff.T) / 2
    weight = np.ones(1)
    if len(payoff) > 1:
        unit = payoff / (np.abs(payoff).max() or 1.0)
        weight = _most_even(unit, _equilibrium(unit))
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
            f"what one wins the other loses, but agents {one} and {two} win {payoff[one, two]!r}"
            f" and {payoff[two, one]!r} of each other"
        )


def _equilibrium(payoff: Floats) -> Floats:
    """An equilibrium mixture (agents,) of payoffs up to 1: the least loss against the best reply, which is 0."""
    from scipy.optimize import linprog  # half a second to load: only where it is asked for

    agents = len(payoff)
    found = linprog(
        np.append(np.zeros(agents), 1.0),
        A_ub=np.hstack([payoff, -np.ones((agents, 1))]),
        b_ub=np.zeros(agents),
        A_eq=np.append(np.ones(agents), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * agents + [(None, None)],
    )
    mixture: Floats = found.x[:agents].clip(0)
    return mixture / mixture.sum()


def _most_even(payoff: Floats, start: Floats) -> Floats:
    """The mixture p (n,) of greatest entropy with payoff @ p ≤ `SLACK`, beginning at an equilibrium."""
    agents = len(payoff)
    moves = np.linalg.svd(np.ones((1, agents)))[2][1:]  # (n − 1, n) directions that keep the sum
    mixture = start + SLACK / 4 * (1 / agents - start)  # off the edges
    barrier = 1.0
    while barrier > LAST_BARRIER:
        mixture = _centre(mixture, moves, payoff, barrier)
        barrier /= 10
    return mixture


def _centre(mixture: Floats, moves: Floats, payoff: Floats, barrier: float) -> Floats:
    """The least of Σ p log p − barrier · Σ log(SLACK − payoff @ p), from a mixture inside."""

    def height(p: Floats) -> float:
        slack = SLACK - payoff @ p
        if min(p.min(), slack.min()) <= 0:
            return float("inf")
        return float(p @ np.log(p) - barrier * np.log(slack).sum())

    for _ in range(MOST_STEPS):
        root, slope = np.sqrt(mixture), np.log(mixture) + 1
        pull = payoff / (SLACK - payoff @ mixture)[:, None]
        # the step is least squares: twice as many digits as from the equations that follow from it
        rows = np.concatenate([moves.T / root[:, None], np.sqrt(barrier) * pull @ moves.T])
        wanted = np.concatenate([-root * slope, np.full(len(pull), -np.sqrt(barrier))])
        step = np.linalg.lstsq(rows, wanted)[0] @ moves
        promise = -float(slope @ step + barrier * (pull @ step).sum())
        if promise < SETTLED:
            break
        enough = height(mixture) if promise > NEAR else np.finfo(np.float64).max
        while height(mixture + step) > enough:
            step /= 2
        mixture = mixture + step
    return mixture


@dataclass(frozen=True, slots=True)
class DeviationGains:
    """What each agent leaves to whoever would sit down in its place, all (agents,), chips per context.

    NaN where an agent has held too few places to say.
    """

    gain: Floats  # max over agents of the mean in its places − its own; ≥ 0, too high by the luck of the choice
    reply: Rows  # int64: who earns that, the agent itself where nobody earns more; −1 where unknown
    tested: Floats  # the same without that luck: the best in one half of its places, measured in the other
    low: Floats  # 95 % interval of ``tested``, which may be below 0
    high: Floats
    places: Rows  # int64: contexts in which it held the place


def deviation_gains(held: Rows, earned: Chips | Floats) -> DeviationGains:
    """max_k u_i(k, rest) − u_i for every agent i, from agents tried in each other's place.

    ``rest`` are the rivals of those places and their draws, the same for all that are tried. In an equilibrium
    of the agents at hand nobody gains; what none of them plays is not seen.

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
        raise InvalidSettings(f"places are held by agents 0 to {agents - 1}, not {held.min()} to {held.max()}")
    gain, tested, low, high = (np.full(agents, np.nan) for _ in range(4))
    reply, places = np.full(agents, -1), np.bincount(held, minlength=agents)
    for agent in np.flatnonzero(places):
        more = (earned[held == agent] - earned[held == agent][:, [agent]]).astype(np.float64)
        mean = more.mean(axis=0)
        gain[agent] = mean.max()
        reply[agent] = agent if mean.max() <= 0 else mean.argmax()
        if len(more) > 1:
            moments = _crossed(more)
            found = moments.estimates()
            tested[agent], low[agent], high[agent] = float(found.mean), float(found.low), float(found.high)
    return DeviationGains(gain, reply, tested, low, high, places)


def _crossed(more: Floats) -> Moments:
    """What the best of one half gains in the other, and the other way round: (contexts, agents) -> a value for
    each context.
    """
    moments = Moments(())
    halves = np.array_split(more, 2)
    for chosen_on, measured_on in (halves, halves[::-1]):
        moments.add(measured_on[:, chosen_on.mean(axis=0).argmax()])
    return moments
