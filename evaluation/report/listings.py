"""The report's tables: titles, what each column says, and cells as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...games.registry import load
from ..results import Interval, TournamentResult
from ..wording import give_or_take, rank_text


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column."""

    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table of text."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


def leaderboard_listing(result: TournamentResult) -> Listing:
    """The standings."""
    columns = [
        Column("agent"),
        Column("rank", "the ranks that the deals leave open, for all agents together"),
        Column("profit", "a race, without luck, with its 95 % interval"),
        Column("cash", "a race, what really changed hands"),
    ]
    contest = load(result.settings["game"]).contest
    if contest:
        columns += [Column("won"), Column("drawn"), Column("lost"), Column("turns", "mean length of a game")]
    else:
        columns += [
            Column("ROI", "cash / chips staked"),
            Column("ruin", "share of its games"),
            Column("refused"),
        ]
    columns.append(Column("faults", "decisions replaced by the empty one"))
    rows = []
    for it in result.leaderboard:
        told = (
            [_share(it.won), _share(it.drawn), _share(it.lost), f"{it.turns:.1f}"]
            if contest
            else ["–" if it.roi is None else f"{it.roi:+.1%}", _share(it.ruin), f"{it.refused:,}"]
        )
        profit = give_or_take(it.profit_per_race, it.interval)
        cash = give_or_take(it.cash_per_race, it.cash_interval)
        rows.append((it.agent, rank_text(it.rank), profit, cash, *told, f"{it.faults:,}"))
    return Listing("", tuple(columns), tuple(rows))


def bankroll_listing(result: TournamentResult) -> tuple[Listing, ...]:
    """Growth, ruin and drawdown."""
    if result.bankrolls is None:
        return ()
    columns = (
        Column("agent"),
        Column("ROI", "profit / chips staked"),
        Column("log growth", "mean of log(end / start) a race; who is broke is taken to have a chip left"),
        Column("median", "the same, of the median game"),
        Column(
            "ruin", "share of games in which it could not pay for a bet at any time, 95 % Wilson interval"
        ),
        Column("drawdown", "greatest fall from the highest bankroll so far, mean over games"),
        Column("worst"),
        Column("turnover", "chips staked / chips at the start"),
        Column("hit rate", "share of the races with a bet that paid more than they cost"),
        Column("Kelly", "chips staked / what the Kelly bettor would stake"),
    )
    rows = tuple(
        (
            it.agent,
            "–" if it.roi is None else f"{it.roi:+.1%}",
            give_or_take(it.mean_growth, it.growth_interval, 4),
            f"{it.median_growth:+.4f}",
            f"{it.ruin:.1%} ({it.ruin_interval[0]:.1%}–{it.ruin_interval[1]:.1%})"
            if it.ruin
            else f"0, at most {it.ruin_at_most:.1%}",
            f"{it.drawdown:.1%}",
            f"{it.worst_drawdown:.1%}",
            f"{it.turnover:.2f}",
            "–" if it.hit_rate is None else f"{it.hit_rate:.1%}",
            "–" if it.kelly_multiple is None else f"{it.kelly_multiple:.2f}",
        )
        for it in result.bankrolls.standings
    )
    return (Listing(f"All games of the first {result.bankrolls.deals:,} deals", columns, rows),)


def comparison_listing(result: TournamentResult) -> tuple[Listing, ...]:
    """The first of the leaderboard against each other agent, and what the places of each are worth."""
    return (*_first_against_rivals(result), *_replies(result))


def _first_against_rivals(result: TournamentResult) -> tuple[Listing, ...]:
    first = result.leaderboard[0].agent
    pairs = [it for it in result.comparisons if it.agent == first]
    columns = (
        Column("rival"),
        Column("verdict", "95 % certain for all pairs together"),
        Column("difference", "of the pair on its own, same deals, seats and rivals"),
        Column("all together", "the interval that holds for all pairs at once"),
    )
    rows = tuple(
        (it.rival, it.verdict, give_or_take(it.difference, it.interval), _span(it.simultaneous_interval))
        for it in pairs
    )
    return (Listing(f"{first} in the same place as …", columns, rows),) if rows else ()


def _replies(result: TournamentResult) -> tuple[Listing, ...]:
    columns = (
        Column("agent"),
        Column("best reply", "who earns most in the places it held"),
        Column("gain", "chosen on all of its places: too high by the luck of the choice"),
        Column("tested", "chosen in half of them, measured in the rest"),
        Column("places"),
    )
    rows = tuple(
        (
            it.agent,
            it.reply or "–",
            f"{it.gain:+.3f}",
            "–" if it.tested is None else give_or_take(it.tested, it.interval),
            f"{it.places:,}",
        )
        for it in result.deviations
        if it.gain is not None
    )
    return (Listing("What an agent leaves to whoever takes its place", columns, rows),) if rows else ()


def score_listing(result: TournamentResult) -> tuple[Listing, ...]:
    """How good the pools' forecasts were."""
    if result.market is None or not result.market.scores:
        return ()
    columns = (
        Column("pool"),
        Column("races", "with money in the pool"),
        Column("log: money", "expected logarithm of the chance given to what came; 0 is perfect"),
        Column("log: even"),
        Column("log: exact"),
        Column("Brier: money", "expected squared error; 0 is perfect"),
        Column("Brier: even"),
        Column("Brier: exact"),
    )
    rows = tuple(
        (it.pool, f"{it.races:,}", *(f"{value:.4f}" for value in (*it.log, *it.brier)))
        for it in result.market.scores
    )
    return (Listing("The money as a forecast, beside an even book and the exact chances", columns, rows),)


def regret_listing(result: TournamentResult) -> tuple[Listing, ...]:
    """What each agent left to be had."""
    if not result.regrets:
        return ()
    columns = (
        Column("agent"),
        Column("regret", "best reply less own, a race"),
        Column("own ticket", "expected payouts less cost"),
        Column("best reply", "of a last mover who knows all other tickets"),
        Column("tickets"),
    )
    rows = tuple(
        (
            it.agent,
            give_or_take(it.regret, it.interval),
            f"{it.own:+.3f}",
            f"{it.best:+.3f}",
            f"{it.tickets:,}",
        )
        for it in result.regrets
    )
    return (Listing("Regret", columns, rows),)


def rating_listings(result: TournamentResult) -> tuple[Listing, ...]:
    """Ratings, and the mixture nobody beats."""
    return (*_rated(result), *_mixture(result))


def _rated(result: TournamentResult) -> tuple[Listing, ...]:
    if result.ratings is None:
        return ()
    columns = (
        Column("agent"),
        Column("place", "in its group"),
        Column("rating", "Elo points above an average opponent"),
        Column("interval"),
        Column("group", "agents of different groups never met"),
    )
    rows = tuple(
        (it.agent, str(it.place), f"{it.rating:+.0f}", _span(it.interval, 0), str(it.group + 1))
        for it in result.ratings.standings
    )
    model = "–".join(part.capitalize() for part in result.ratings.model.split("-"))
    return (Listing(model, columns, rows),)


def _mixture(result: TournamentResult) -> tuple[Listing, ...]:
    if result.nash is None:
        return ()
    columns = (Column("agent"), Column("weight"), Column("against it", "games won less lost, a game"))
    rows = tuple((it.agent, f"{it.weight:.1%}", f"{it.skill:+.3f}") for it in result.nash.shares)
    return (Listing("The mixture that nobody beats", columns, rows),)


def fault_listing(result: TournamentResult) -> tuple[Listing, ...]:
    """The first fault of each kind of each agent."""
    if not result.faults:
        return ()
    columns = (
        Column("agent"),
        Column("fault"),
        Column("deal"),
        Column("turn"),
        Column("seat"),
        Column("reason"),
    )
    rows = tuple(
        (it.agent, it.fault, str(it.deal), str(it.turn), str(it.seat), it.reason) for it in result.faults
    )
    return (Listing("", columns, rows),)


def settings_listings(result: TournamentResult) -> tuple[Listing, ...]:
    """Everything that was set, and what followed from it."""
    columns = (Column("setting"), Column("value"))
    design = {name: value for name, value in result.design.items() if name != "line_ups"}
    return (
        Listing("Rules", columns, _flat(result.settings["rules"])),
        Listing("Design", columns, _flat({"seed": result.seed, **design})),
    )


def _flat(values: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple((name.replace("_", " "), _told(value)) for name, value in values.items())


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_told(each)}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_told, value))
    return "–" if value is None else str(value)


def _share(value: float) -> str:
    return f"{value:.1%}"


def _span(interval: Interval, digits: int = 3) -> str:
    low, high = interval
    ends = ("−∞" if low is None else f"{low:+.{digits}f}", "∞" if high is None else f"{high:+.{digits}f}")
    return "–" if low is None and high is None else f"{ends[0]} … {ends[1]}"
