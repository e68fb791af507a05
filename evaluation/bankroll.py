"""What became of the money: return, growth, ruin and drawdown of bankrolls over races.

`follow` boils the paths of a block down to a few figures each, which can be kept and joined; `measure` makes
the metrics of them. Each is defined for every path: flat, of one bet, bust at once, never betting, of no
races. Shares of nothing are None; nothing is ever NaN or infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import sqrt
from statistics import NormalDist

import numpy as np

from ..games.errors import InvalidSettings
from ..games.kernels import Chips, Flags, Floats, Rows
from .estimates import CONFIDENCE, student

LEAST_LEFT = 1  # chips: growth counts a path that has less at the end as if it had this

Interval = tuple[float | None, float | None]  # None with fewer than two deals


@dataclass(frozen=True, slots=True)
class BankrollPaths:
    """The figures of bankroll paths, all (paths,)."""

    races: Rows
    bets: Rows  # races in which something was staked
    hits: Rows  # bets that paid more than they cost
    start: Chips
    profit: Chips  # what was there at the end less the start
    staked: Chips
    growth: Floats  # log(end / start) a race, the end taken as `LEAST_LEFT` at least
    broke: Flags  # whether less than that was left at the end
    ruined: Flags  # whether it could not afford the least bet at any time, start and end included
    drawdown: Floats  # greatest fall from the highest bankroll so far, as a share of that; the start counts
    compared: Floats  # chips staked in races whose Kelly stake is known
    kelly: Floats  # the Kelly stakes of those races


@dataclass(frozen=True, slots=True)
class BankrollMetrics:
    """The bankrolls of an agent in figures. Intervals are of 95 % unless asked for otherwise.

    They cluster by deal: with e the sum over a deal of what its paths are off the mean, the error of a mean
    of n paths of D deals is √(D / (D − 1) · Σ e²) / n (Cochran, "Sampling techniques", 1977, chapter 11),
    that of a ratio the same with the paths' residuals, and Student's t of D − 1 degrees of freedom makes the
    interval.
    """

    paths: int
    deals: int
    races: int  # of all paths together
    bets: int  # races in which something was staked
    staked: int  # chips
    profit: int  # chips
    roi: float | None  # Σ profit / Σ stake; None if nothing was staked
    roi_interval: Interval
    turnover: float  # mean over paths of chips staked / chips at the start
    hit_rate: float | None  # share of the bets that paid more than they cost; None without bets
    mean_growth: float  # mean over paths of log(end / start) a race, a broke path ending with one chip
    growth_interval: Interval
    median_growth: float
    broke: float  # share of the paths that ended without a chip, so whose growth is a matter of definition
    ruin: float  # share of the paths that could not afford the least bet at any time
    ruin_interval: tuple[float, float]
    ruin_at_most: float  # one-sided upper bound; none seen in n paths: 1 − 0.05^(1/n), about 3 / n
    drawdown: float  # mean over paths of the maximum drawdown
    worst_drawdown: float  # of the worst path; grows with the number of paths
    kelly_multiple: float | None  # Σ stake / Σ Kelly stake where known; None where Kelly stakes nothing


def follow(bankroll: Chips, stakes: Chips, *, least: int = 1, kelly: Floats | None = None) -> BankrollPaths:
    """The figures of paths of equally many races.

    A bet is all that is staked in a race. What a race pays is the change of the bankroll.

    Args:
        bankroll: (paths, races + 1) whole chips, before the first race and after each; at least 1 at first.
        stakes: (paths, races) whole chips ≥ 0.
        least: chips that the cheapest bet costs. Who has less is ruined.
        kelly: (paths, races) chips that the Kelly bettor would stake, its own effect on the pools included;
            NaN where not known.

    Raises:
        InvalidSettings: shapes or numbers are not as said.
    """
    _check(bankroll, stakes, least, kelly)
    races = stakes.shape[1]
    start, end = bankroll[:, 0], bankroll[:, -1]
    bet = stakes > 0
    peak = np.maximum.accumulate(bankroll, axis=1)
    compared = kelly_sum = np.zeros(len(stakes))
    if kelly is not None:
        known = ~np.isnan(kelly)
        compared = np.where(known, stakes, 0).sum(axis=1).astype(np.float64)
        kelly_sum = np.where(known, kelly, 0.0).sum(axis=1)
    return BankrollPaths(
        races=np.full(len(stakes), races, np.int64),
        bets=bet.sum(axis=1, dtype=np.int64),
        hits=(bet & (np.diff(bankroll, axis=1) > 0)).sum(axis=1, dtype=np.int64),
        start=start.astype(np.int64),
        profit=(end - start).astype(np.int64),
        staked=stakes.sum(axis=1, dtype=np.int64),
        growth=np.log(np.maximum(end, LEAST_LEFT) / start) / max(races, 1),
        broke=end < LEAST_LEFT,
        ruined=bankroll.min(axis=1) < least,
        drawdown=((peak - bankroll) / peak).max(axis=1),
        compared=compared,
        kelly=kelly_sum,
    )


def join(parts: Sequence[BankrollPaths]) -> BankrollPaths:
    """The paths of several blocks, one behind the other; one part at least."""
    return BankrollPaths(
        *(np.concatenate([getattr(part, item.name) for part in parts]) for item in fields(BankrollPaths))
    )


def measure(
    paths: BankrollPaths, deals: Rows | None = None, *, confidence: float = CONFIDENCE
) -> BankrollMetrics:
    """The metrics of one agent's paths.

    Args:
        paths: of `follow`, one at least.
        deals: (paths,) number of each path's deal; those of one deal share their cards. None: no two do.
        confidence: of the intervals.

    Ruin is a share of independent deals at best, so its intervals take the number of paths that as many
    independent ones would have to be for the same error, or the number of deals where no or every path is
    ruined (Korn and Graubard, "Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data", 1998): Wilson's interval ("Probable inference, the law of succession,
    and statistical inference", 1927) and Clopper and Pearson's exact upper bound (1934).

    Raises:
        InvalidSettings: there are no paths, deals do not fit them, or the confidence is not between 0 and 1.
    """
    count = len(paths.races)
    if count == 0 or (deals is not None and deals.shape != (count,)) or not 0 < confidence < 1:
        raise InvalidSettings(
            f"metrics need a path, a deal for each and a confidence between 0 and 1, not {count} paths, "
            f"{None if deals is None else deals.shape} deals and {confidence!r}"
        )
    cluster = np.arange(count) if deals is None else np.unique(deals, return_inverse=True)[1]
    staked, profit, bets = _total(paths.staked), _total(paths.profit), _total(paths.bets)
    roi = profit / staked if staked else None
    residual = paths.profit - (roi or 0.0) * paths.staked
    growth, ruin = float(paths.growth.mean()), float(paths.ruined.mean())
    trials = _worth_of_paths(paths.ruined, cluster)
    kelly = float(paths.kelly.sum())
    return BankrollMetrics(
        paths=count,
        deals=int(cluster.max()) + 1,
        races=_total(paths.races),
        bets=bets,
        staked=staked,
        profit=profit,
        roi=roi,
        roi_interval=(None, None) if roi is None else _interval(roi, residual / staked, cluster, confidence),
        turnover=float((paths.staked / paths.start).mean()),
        hit_rate=_total(paths.hits) / bets if bets else None,
        mean_growth=growth,
        growth_interval=_interval(growth, (paths.growth - growth) / count, cluster, confidence),
        median_growth=float(np.median(paths.growth)),
        broke=float(paths.broke.mean()),
        ruin=ruin,
        ruin_interval=wilson(ruin, trials, confidence),
        ruin_at_most=clopper_pearson(ruin, trials, confidence),
        drawdown=float(paths.drawdown.mean()),
        worst_drawdown=float(paths.drawdown.max()),
        kelly_multiple=float(paths.compared.sum()) / kelly if kelly > 0 else None,
    )


def wilson(share: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the chances p from which a share of independent trials is no further than z standard
    errors √(p (1 − p) / trials): (p̂ + z²/2n ± z √(p̂ (1 − p̂)/n + z²/4n²)) / (1 + z²/n). Within 0 … 1.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    odd = z * z / trials
    centre, half = share + odd / 2, z * sqrt(share * (1 - share) / trials + odd / (4 * trials))
    return max(0.0, (centre - half) / (1 + odd)), min(1.0, (centre + half) / (1 + odd))


def clopper_pearson(share: float, trials: float, confidence: float = CONFIDENCE) -> float:
    """The chance at which this share or less of independent trials would be seen 1 − confidence of the time;
    no larger one fits better. With none seen it is 1 − (1 − confidence)^(1/trials): the rule of three.
    """
    if share <= 0:
        return float(1 - (1 - confidence) ** (1 / trials))
    if share >= 1:
        return 1.0
    from scipy.special import betaincinv  # a third of a second to load: only where it is asked for

    return float(betaincinv(share * trials + 1, trials - share * trials, confidence))


def _check(bankroll: Chips, stakes: Chips, least: int, kelly: Floats | None) -> None:
    if bankroll.ndim != 2 or stakes.shape != (bankroll.shape[0], bankroll.shape[1] - 1):
        raise InvalidSettings(
            "bankroll is (paths, races + 1) and stakes (paths, races), not "
            f"{bankroll.shape} and {stakes.shape}"
        )
    if bankroll.dtype.kind not in "iu" or stakes.dtype.kind not in "iu":
        raise InvalidSettings(f"chips are whole, not {bankroll.dtype} and {stakes.dtype}")
    if (bankroll[:, 0] < 1).any() or (stakes < 0).any() or least < 1:
        raise InvalidSettings(
            "a path starts with 1 chip or more, stakes are 0 or more, a bet costs 1 or more"
        )
    if kelly is None:
        return
    if kelly.shape != stakes.shape or (kelly < 0).any() or np.isinf(kelly).any():
        raise InvalidSettings(f"Kelly stakes are {stakes.shape} finite numbers from 0, NaN where not known")


def _total(values: Rows) -> int:
    """An exact sum, which may exceed 64 bits."""
    return sum(values.tolist())


def _error(residuals: Floats, cluster: Rows) -> float:
    """The standard error of a sum of residuals (paths,) whose mean is 0; of two deals or more."""
    sums = np.bincount(cluster, residuals)
    return sqrt(len(sums) / (len(sums) - 1) * float((sums**2).sum()))


def _interval(centre: float, residuals: Floats, cluster: Rows, confidence: float) -> Interval:
    freedom = int(cluster.max())
    if freedom < 1:
        return None, None
    half = student(freedom, confidence) * _error(residuals, cluster)
    return centre - half, centre + half


def _worth_of_paths(ruined: Flags, cluster: Rows) -> float:
    """How many independent paths tell as much about the chance of ruin as these."""
    paths, deals = len(ruined), int(cluster.max()) + 1
    share = float(ruined.mean())
    variance = share * (1 - share)
    if deals == paths or variance == 0 or deals < 2:
        return float(deals)
    error = _error((ruined - share) / paths, cluster)
    return min(float(paths), variance / error**2) if error > 0 else float(paths)
