"""The report's pictures as Vega-Lite specs. They carry their data and no colours of paper or ink: the page
adds the light or the dark theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import altair as alt

from ...games.registry import load
from ..results import TournamentResult

Spec: TypeAlias = dict[str, Any]
Rows: TypeAlias = list[dict[str, Any]]

STEP: Final = 20  # pixels of a line of agents
HEIGHT: Final = 280
MOST_WRITTEN: Final = 12  # agents in a heat map whose numbers are written in its cells
ACCENT: Final = "#2a9d6f"
MUTED: Final = "#8d8d86"
POOL_COLORS: Final = ("#2a9d6f", "#d08a1d", "#7a6ff0")
DIVERGING: Final = "redblue"
WIDE: Final = "container"


def charts_of(result: TournamentResult) -> dict[str, Spec]:
    """The specs by the name of their place in the page; what the tournament does not tell has none."""
    found = {
        "leaderboard": leaderboard(result),
        "ratings": ratings(result),
        "fans": fans(result),
        "seats": seats(result),
        "cross": cross(result) or substitutions(result),
        "calibration": calibration(result),
        "pools": pools(result),
        "regrets": regrets(result),
    }
    return {name: chart.to_dict(context={}) for name, chart in found.items() if chart is not None}


def leaderboard(result: TournamentResult) -> Any:
    """Profit with its interval, an agent a line; cash beside it as a hollow point."""
    rows = [
        {
            "agent": it.agent, "profit": it.profit_per_race, "low": it.interval[0], "high": it.interval[1],
            "cash": it.cash_per_race, "place": place,
        }
        for place, it in enumerate(result.leaderboard)
    ]  # fmt: skip
    base = alt.Chart(_data(rows), width=WIDE, height=alt.Step(STEP)).encode(y=_agents(rows))
    bars = base.mark_rule(strokeWidth=3, color=ACCENT).encode(
        x=alt.X("low:Q", title=_unit(result)), x2="high:Q", tooltip=_tips(rows)
    )
    points = base.mark_point(filled=True, size=70, color=ACCENT, opacity=1).encode(
        x="profit:Q", tooltip=_tips(rows)
    )
    cash = base.mark_point(filled=False, size=50, color=MUTED).encode(x="cash:Q", tooltip=_tips(rows))
    return _zero() + bars + cash + points


def ratings(result: TournamentResult) -> Any:
    """Elo points with their intervals."""
    if result.ratings is None:
        return None
    rows = [
        {"agent": it.agent, "rating": it.rating, "low": it.interval[0], "high": it.interval[1]}
        for it in result.ratings.standings
    ]
    base = alt.Chart(_data(rows), width=WIDE, height=alt.Step(STEP)).encode(y=_agents(rows))
    bars = base.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(
        strokeWidth=3, color=ACCENT
    )
    return (
        _zero()
        + bars.encode(x=alt.X("low:Q", title="Elo points"), x2="high:Q", tooltip=_tips(rows))
        + base.mark_point(filled=True, size=70, color=ACCENT, opacity=1).encode(x="rating:Q")
    )


def fans(result: TournamentResult) -> Any:
    """The bankrolls of one agent over the races as a fan, the medians of all as thin lines."""
    if result.bankrolls is None:
        return None
    names = [it.agent for it in result.bankrolls.standings]
    rows = [
        {"agent": it.agent, "race": race, "p5": q[0], "p25": q[1], "median": q[2], "p75": q[3], "p95": q[4]}
        for it in result.bankrolls.standings
        for race, q in enumerate(it.fan)
    ]
    chosen = alt.selection_point(
        name="who", fields=["agent"], value=names[0],
        bind=alt.binding_select(options=names, name="Bankroll of "),
    )  # fmt: skip
    base = alt.Chart(_data(rows), width=WIDE, height=HEIGHT).encode(
        x=alt.X("race:Q", title="races run", axis=alt.Axis(tickMinStep=1))
    )
    one = base.transform_filter(chosen)
    tips = ["agent:N", "race:Q", "p5:Q", "p25:Q", "median:Q", "p75:Q", "p95:Q"]
    return (
        base.mark_line(strokeWidth=1, color=MUTED, opacity=0.5).encode(
            y=alt.Y("median:Q", title="chips: median, 50 % and 90 % of its games"), detail="agent:N"
        )
        + one.mark_area(opacity=0.18, color=ACCENT).encode(y="p5:Q", y2="p95:Q")
        + one.mark_area(opacity=0.3, color=ACCENT).encode(y="p25:Q", y2="p75:Q")
        + one.mark_line(strokeWidth=2.5, color=ACCENT, point=alt.OverlayMarkDef(color=ACCENT)).encode(
            y="median:Q", tooltip=tips
        )
    ).add_params(chosen)


def seats(result: TournamentResult) -> Any:
    """Profit by agent and seat as a heat map."""
    rows = [
        {"agent": it.agent, "seat": it.seat, "profit": it.profit_per_race, **_ends(it.interval)}
        for it in result.seats
    ]
    if not rows:
        return None
    x = alt.X("seat:O", title="seat", axis=alt.Axis(labelAngle=0))
    return _heat(rows, x, _agents(rows), "profit", _unit(result))


def cross(result: TournamentResult) -> Any:
    """What the agent of a row won of the agent of a column; contests of two only."""
    if not load(result.settings["game"]).contest or not result.duels:
        return None
    rows: Rows = []
    for duel in result.duels:
        low, high = duel.interval
        rows.append({"agent": duel.agent, "rival": duel.rival, "won": duel.profit, **_ends(duel.interval)})
        mirrored = {"low": None if high is None else -high, "high": None if low is None else -low}
        rows.append({"agent": duel.rival, "rival": duel.agent, "won": -duel.profit, **mirrored})
    names = [it.agent for it in result.leaderboard]
    x = alt.X("rival:N", sort=names, title="against", axis=alt.Axis(labelAngle=-40))
    y = alt.Y("agent:N", sort=names, title=None)
    return _heat(rows, x, y, "won", "games won less lost, a game")


def substitutions(result: TournamentResult) -> Any:
    """What the agent of a row earned more than the agent of a column in the latter's places."""
    if not result.substitutions:
        return None
    names = [it.agent for it in result.leaderboard]
    rows = [
        {
            "agent": it.agent, "holder": it.holder, "more": it.difference, **_ends(it.interval),
            "places": it.places,
        }
        for it in result.substitutions
        if it.places
    ]  # fmt: skip
    x = alt.X("holder:N", sort=names, title="in the places of", axis=alt.Axis(labelAngle=-40))
    return _heat(rows, x, alt.Y("agent:N", sort=names, title=None), "more", f"more {_unit(result)}")


def calibration(result: TournamentResult) -> Any:
    """Implied against exact chances, the favourite–longshot curve: below the line was believed too much."""
    if result.market is None:
        return None
    rows: Rows = [
        {"pool": it.pool, "implied": it.implied, "exact": it.exact, "lines": it.lines}
        for it in result.market.curve
    ]
    top = max((max(it.implied, it.exact) for it in result.market.curve), default=1.0)
    scale = alt.Scale(type="sqrt", domain=[0, min(1.0, top * 1.05)])
    diagonal = alt.Chart(_data([{"at": 0.0}, {"at": top}])).mark_line(strokeDash=[4, 4], color=MUTED)
    points = alt.Chart(_data(rows), width=WIDE, height=HEIGHT).mark_line(point=True)
    return diagonal.encode(x="at:Q", y="at:Q") + points.encode(
        x=alt.X("implied:Q", title="chance the money implied (square-root scale)", scale=scale),
        y=alt.Y("exact:Q", title="exact chance", scale=scale),
        color=_pools(result),
        tooltip=_tips(rows),
    )


def pools(result: TournamentResult) -> Any:
    """Chips staked in each pool by race, and chips carried into it as broken lines, with the middle 90 %."""
    if result.market is None:
        return None
    rows: Rows = []
    for it in result.market.pools:
        for kind, money in (("staked", it.staked), ("carried in", it.carried)):
            rows.append(
                {"pool": it.pool, "race": it.race, "money": kind, "mean": money.mean, "low": money.low,
                 "high": money.high}
            )  # fmt: skip
    base = alt.Chart(_data(rows), width=WIDE, height=HEIGHT).encode(
        x=alt.X("race:Q", title="race", axis=alt.Axis(tickMinStep=1)), color=_pools(result)
    )
    band = base.transform_filter("datum.money == 'staked'").mark_area(opacity=0.12)
    return base.mark_line(point=True).encode(
        y=alt.Y("mean:Q", title="chips"),
        strokeDash=alt.StrokeDash("money:N", title="money", sort=["staked", "carried in"]),
        tooltip=_tips(rows),
    ) + band.encode(y="low:Q", y2="high:Q")


def regrets(result: TournamentResult) -> Any:
    """Expected profit lost to the best reply, an agent a line."""
    rows = [
        {"agent": it.agent, "regret": it.regret, **_ends(it.interval), "own": it.own, "best": it.best}
        for it in result.regrets
    ]
    if not rows:
        return None
    base = alt.Chart(_data(rows), width=WIDE, height=alt.Step(STEP)).encode(y=_agents(rows))
    bars = base.mark_bar(color=ACCENT, opacity=0.75).encode(
        x=alt.X("regret:Q", title="chips a race less than the best reply to the others' tickets"),
        tooltip=_tips(rows),
    )
    ends = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    return bars + ends


def _data(rows: Rows) -> Any:
    return alt.InlineData(values=rows)


def _unit(result: TournamentResult) -> str:
    """What profits are counted in."""
    contest = load(result.settings["game"]).contest
    return "games won less lost, a game" if contest else "chips a race"


def _agents(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Agents down the side, in the order of the rows."""
    names = list(dict.fromkeys(row["agent"] for row in rows))
    return alt.Y("agent:N", sort=names, title=None, axis=alt.Axis(labelLimit=160))


def _tips(rows: Rows) -> list[Any]:
    """All columns of the rows, in the little window under the pointer."""
    kinds = {
        name: "N" if isinstance(value, str) else "Q" for name, value in (rows[0] if rows else {}).items()
    }
    return [
        alt.Tooltip(f"{name}:{kind}", format=".4~f") if kind == "Q" else alt.Tooltip(f"{name}:{kind}")
        for name, kind in kinds.items()
        if name != "place"
    ]


def _ends(interval: tuple[float | None, float | None]) -> dict[str, float | None]:
    return {"low": interval[0], "high": interval[1]}


def _zero() -> Any:
    """A line at 0."""
    return alt.Chart(_data([{"at": 0}])).mark_rule(color=MUTED, strokeDash=[3, 3]).encode(x="at:Q")


def _pools(result: TournamentResult) -> Any:
    assert result.market is not None
    names = [it.pool for it in result.market.scores]
    scale = alt.Scale(domain=names, range=list(POOL_COLORS[: len(names)]))
    return alt.Color("pool:N", title="pool", scale=scale, legend=alt.Legend(symbolOpacity=1))


def _heat(rows: Rows, x: Any, y: Any, value: str, title: str) -> Any:
    """A heat map around 0: red below, blue above; numbers in the cells where there is room."""
    most = max((abs(row[value]) for row in rows), default=1.0) or 1.0
    color = alt.Color(
        f"{value}:Q", title=title, scale=alt.Scale(scheme=DIVERGING, domain=[-most, most]),
        legend=alt.Legend(orient="bottom", gradientLength=160, titleLimit=260),
    )  # fmt: skip
    base = alt.Chart(_data(rows), width=WIDE, height=alt.Step(STEP + 4)).encode(x=x, y=y)
    cells = base.mark_rect().encode(color=color, tooltip=_tips(rows))
    if len({row["agent"] for row in rows}) > MOST_WRITTEN:
        return cells
    strong = f"abs(datum.{value}) > {0.6 * most}"
    ink = alt.condition(strong, alt.value("white"), alt.value("#222"))
    return cells + base.mark_text(fontSize=11).encode(text=alt.Text(f"{value}:Q", format="+.2f"), color=ink)
