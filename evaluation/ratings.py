"""Ratings: how strong agents are by who finished ahead of whom. Secondary to money, and blind to its amount.

A strength is a log-odds. In a set of agents, i is first with chance exp(s_i) / Σ exp(s_j) over the set: the
model of Bradley and Terry for two, of Plackett and Luce for more (`choices` says what is counted and how
level profits are). With half a win for a draw, the chance is that of a win plus half that of a draw, as in
Elo's expected score. 400 / ln 10 Elo points are one unit, so 400 points ahead is 10 : 1.

All results are fitted at once, so no order of play exists. The fit is the greatest likelihood with one draw
added for each agent against an opponent of strength 0 (`PRIOR`). That is weak, keeps whoever won all or
nothing finite, makes the greatest point the only one, and is the same for all, so equals stay equal. It also
says where 0 is: at that point the agents' chances against the added opponent are 1/2 on average.

Hunter, "MM algorithms for generalized Bradley–Terry models", 2004, climbs this likelihood by a step that
never fails, but beside an agent that won all of n tables it needs some n of them. Here Newton's step is
taken, shortened so that it never fails either: where β is the greatest change of a difference of strengths,
the curvature along the step stays between exp(−β) and exp(β) times that at its start, for which log(1 + β) /
β of the step is best (Sun and Tran-Dinh, "Generalized self-concordant functions", 2019). The point is the
same.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from ..games.errors import InvalidSettings
from ..games.kernels import Flags, Floats, Rows, kernel
from .choices import Choices, Sets
from .estimates import CONFIDENCE

PRIOR = 1.0  # draws against an average opponent
ELO_POINTS = 400 / log(10)
SETTLED = 1e-6  # a Newton step so small leaves an error of its square
MOST_STEPS = 1000
TINY = 1e-300  # instead of 0 below a fraction line
LEVEL = 1e-9  # strengths as close as this share a place


@dataclass(frozen=True, slots=True)
class Ratings:
    """Strengths with intervals, all (agents,). Each interval holds on its own, not all of them together.

    Agents are of one *group* if a chain of tables links them. Of agents in different groups nothing is known
    about who is stronger. Within a group, agents are of one *league* if a chain of tables leads from each to
    each other, at every one of which the next finished behind or level. Where a group has several leagues,
    only the added draws keep these from drifting apart (Ford, "Solution of a ranking problem from binary
    comparisons", 1957): what nobody outside it has ever beaten has no upper bound, what has never beaten
    anybody outside it no lower one.
    """

    strength: Floats  # log-odds against an average opponent of its group
    low: Floats  # NaN with fewer than two deals or no replicates; −inf and inf where there is no bound
    high: Floats
    group: Rows  # int64 from 0, in the order of the first agent
    league: Rows  # int64 from 0, in the order of the first agent
    place: Rows  # int64: 1 is the strongest of its group; the level ones share the better place

    @property
    def is_connected(self) -> bool:
        """Whether all agents can be ranked together."""
        return not self.group.any()


def elo(strength: Floats) -> Floats:
    """Log-odds in Elo points: 400 for ten to one."""
    return strength * ELO_POINTS


def rate(choices: Choices, *, prior: float = PRIOR, confidence: float = CONFIDENCE) -> Ratings:
    """The strengths that fit the choices best: Plackett–Luce or Bradley–Terry, as they were counted.

    Intervals go from quantile to quantile of the replicates. They need some thirty deals to be worth their
    name.

    Raises:
        InvalidSettings: ``prior`` is not above 0 or ``confidence`` not between 0 and 1.
    """
    if not prior > 0 or not 0 < confidence < 1:
        raise InvalidSettings(
            f"prior is above 0 and confidence between 0 and 1, not {prior!r} and {confidence!r}"
        )
    group = _labels(_linked(choices.scores + choices.scores.T > 0))
    ahead = _linked(choices.scores > 0)
    league = _labels(ahead & ahead.T)
    strength, low, high = _fit(choices, group, prior, confidence)
    has_better, has_worse = (ahead.T & ~ahead).any(axis=1), (ahead & ~ahead.T).any(axis=1)
    low = np.where(has_better & ~has_worse, -np.inf, low)
    high = np.where(has_worse & ~has_better, np.inf, high)
    return Ratings(strength, low, high, group, league, _places(strength, group))


@dataclass(frozen=True, slots=True)
class _Model:
    """What is the same for all replicates."""

    members: Rows  # (sets, most members) of the sets, filled up with 0
    sizes: Rows  # (sets,)
    same_group: Floats  # (agents, agents) 1 / number of agents of the group that both are in, else 0
    draws: float  # of each agent against strength 0, in units


def _fit(choices: Choices, group: Rows, prior: float, confidence: float) -> tuple[Floats, Floats, Floats]:
    """The strengths and the ends of their intervals, (agents,) each."""
    same = (group[:, None] == group[None, :]).astype(np.float64)
    model = _Model(*_listed(choices.sets), same / same.sum(axis=0), prior * choices.unit)
    asked, chosen = choices.asked.astype(np.float64), choices.chosen.astype(np.float64)
    whole = _climb(model, asked[:1], chosen[:1], np.zeros(chosen.shape[1]))[0]
    if choices.deals < 2 or len(asked) == 1:
        return whole, np.full_like(whole, np.nan), np.full_like(whole, np.nan)
    spread = _climb(model, asked[1:], chosen[1:], whole)
    low, high = np.quantile(spread, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return whole, low, high


def _listed(sets: Sets) -> tuple[Rows, Rows]:
    """(sets, most members) the members, filled up with 0, and (sets,) how many there are."""
    sizes = np.array([len(members) for members in sets], np.int64)
    listed = np.zeros((len(sets), sizes.max(initial=0)), np.int64)
    for row, members in enumerate(sets):
        listed[row, : len(members)] = members
    return listed, sizes


def _climb(model: _Model, asked: Floats, chosen: Floats, start: Floats) -> Floats:
    """(n, agents) the strengths of greatest likelihood for each row of counts (n, sets) and (n, agents)."""
    strength = np.tile(start, (len(chosen), 1))
    curve = np.empty((*chosen.shape, chosen.shape[1]))
    certain, rest, chances = np.empty_like(chosen), np.empty_like(chosen), np.empty(model.members.shape[1])
    diagonal = np.arange(chosen.shape[1])
    for _ in range(MOST_STEPS):
        certain[:], rest[:], curve[:] = chosen, 0, 0
        compare_with_chances(certain, rest, curve, chances, strength, asked, model.members, model.sizes)
        tilt = np.tanh(strength / 2)  # a win less a loss against strength 0
        rest -= model.draws * tilt / 2
        curve[:, diagonal, diagonal] += model.draws * (1 - tilt**2) / 4
        step = np.linalg.solve(curve, (certain + rest)[:, :, None])[:, :, 0]
        change = step.max(axis=1).clip(0) - step.min(axis=1).clip(None, 0)  # strength 0 itself stays
        strength += step * (np.log1p(change) / np.where(change > 0, change, 1))[:, None]
        strength = _anchored(strength, model.same_group)
        if np.abs(step - step @ model.same_group).max(initial=0) < SETTLED:
            return strength
    raise ArithmeticError(f"ratings did not settle in {MOST_STEPS} steps")


def _anchored(strength: Floats, same_group: Floats) -> Floats:
    """The strengths (n, agents) shifted, group by group, to the greatest likelihood of the added draws.

    The tables leave the shift open. With many of them their rounding errors would drown what Newton's step
    says of it.
    """
    for _ in range(MOST_STEPS):
        tilt = np.tanh(strength / 2)
        bend = ((1 - tilt**2) / 2) @ same_group
        shift = (-(tilt @ same_group) / np.maximum(bend, TINY)).clip(-1, 1)
        strength = strength + shift
        if np.abs(shift).max(initial=0) < SETTLED:
            break
    return strength


@kernel
def compare_with_chances(certain, rest, curve, chances, strength, asked, members, sizes) -> None:  # type: ignore[no-untyped-def]
    """Adds to the slope of the log-likelihood, ``certain`` + ``rest`` (n, agents), and to minus its curvature
    (n, agents, agents) what the sets contribute: times chosen, already there, less times expected.

    A chance above one half is taken as 1, which whole numbers subtract without rounding, less the chances of
    the others: so the slope of an agent that hardly ever loses keeps all its digits. ``chances`` is scratch.
    """
    for row in range(strength.shape[0]):
        for at in range(sizes.shape[0]):
            times, size = asked[row, at], sizes[at]
            if times == 0:
                continue
            best = strength[row, members[at, 0]]
            for one in range(1, size):
                best = max(best, strength[row, members[at, one]])
            total = 0.0
            for one in range(size):
                chances[one] = np.exp(strength[row, members[at, one]] - best)
                total += chances[one]
            for one in range(size):
                chances[one] /= total
            for one in range(size):
                agent, others = members[at, one], 0.0
                for two in range(size):
                    if two != one:
                        both = times * chances[one] * chances[two]
                        curve[row, agent, members[at, two]] -= both
                        curve[row, agent, agent] += both
                        others += chances[two]
                if chances[one] > 0.5:
                    certain[row, agent] -= times
                    rest[row, agent] += times * others
                else:
                    rest[row, agent] -= times * chances[one]


def _linked(step: Flags) -> Flags:
    """(agents, agents) whether a chain of steps leads from the first to the second; to itself always."""
    reached: Flags = step | np.eye(len(step), dtype=bool)
    for _ in range(len(step).bit_length()):  # chains twice as long each time
        reached = (reached.astype(np.float64) @ reached.astype(np.float64)) > 0
    return reached


def _labels(same: Flags) -> Rows:
    """(agents,) numbers of the classes of an equivalence, from 0 in the order of their first member."""
    labels: Rows = np.unique(same.argmax(axis=1), return_inverse=True)[1].astype(np.int64)
    return labels


def _places(strength: Floats, group: Rows) -> Rows:
    """(agents,) 1 + the number of stronger agents of the same group."""
    stronger = (strength[None, :] > strength[:, None] + LEVEL) & (group[None, :] == group[:, None])
    places: Rows = 1 + stronger.sum(axis=1, dtype=np.int64)
    return places
