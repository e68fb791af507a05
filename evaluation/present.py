"""A tournament in the terminal: progress while it runs, then the leaderboard, what it means, what to try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..games.registry import load
from .estimates import CONFIDENCE
from .results import Bankroll, Duel, Interval, Rated, Standing, TournamentResult
from .tournament import Progress as Callback
from .wording import give_or_take, meaning, next_steps, rank_text

WIDEST, WIDE, MEDIUM = 96, 76, 64  # columns of a terminal from which more of the table is shown
MOST_CROSSED = 14  # agents in a cross table
NAME = 32  # columns of a name for which others give way; a longer one goes on in the next line


@contextmanager
def watching(console: Console | None = None) -> Iterator[Callback]:
    """A progress bar on stderr: races done, races a second, time left. Gives what `run` takes as progress."""
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} races"),
        TextColumn("{task.fields[pace]}"),
        TimeRemainingColumn(compact=True),
        console=console or Console(stderr=True),
    )
    with bar:
        task = bar.add_task("", total=None, visible=False, pace="")

        def tell(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            pace = f"{speed:,.0f} races/s" if speed else ""
            bar.update(task, completed=done, total=total, visible=True, pace=pace)

        yield tell


def show_result(result: TournamentResult, console: Console) -> None:
    """Prints the leaderboard, two or three sentences on it, faults if there were any, and commands to try."""
    console.print(leaderboard(result, console.width))
    console.print()
    if load(result.settings["game"]).contest and 2 <= len(result.leaderboard) <= MOST_CROSSED:
        console.print(cross_table(result))
        console.print()
    if result.bankrolls is not None:
        console.print(bankroll_table(result, console.width))
        console.print()
    for sentence in meaning(result):
        console.print(escape(sentence), highlight=False)
    for note in result.faults:
        console.print(
            f"[red]fault[/] of {escape(note.agent)}, first in deal {note.deal}, turn {note.turn}:"
            f" {escape(note.reason)}",
            highlight=False,
        )
    console.print("\nTry next:", highlight=False)
    for command, purpose in next_steps(result):
        console.print(f"  [bold]{escape(command)}[/]  {escape(purpose)}", highlight=False, soft_wrap=True)


def leaderboard(result: TournamentResult, width: int) -> Table:
    """The standings; a narrow terminal gets fewer columns."""
    title = load(result.settings["game"]).title
    contest = load(result.settings["game"]).contest
    unit = "games won less games lost, a game" if contest else "chips per race"
    looking = " valid at any time" if result.design["intervals"] == "sequence" else ""
    table = Table(title=f"{title}: {unit}, {CONFIDENCE:.0%} intervals{looking}", title_justify="left")
    all_columns = CONTEST_COLUMNS if contest else COLUMNS
    columns = [column for column in all_columns if width >= column.width and column.says(result.leaderboard)]
    if result.ratings is None:
        columns = [column for column in columns if column.field != "rating"]
    cells = {column: [column.cell(standing, result) for standing in result.leaderboard] for column in columns}
    return filled(table, cells, width)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the leaderboard."""

    title: str
    field: str
    width: int = 0  # of the terminal, from which it is shown
    always: bool = True  # also where it is 0 for every agent

    def says(self, lines: Sequence[Standing | Bankroll]) -> bool:
        """Whether the column has anything to show."""
        return self.always or any(getattr(line, self.field) for line in lines)

    def cell(self, standing: Standing, result: TournamentResult) -> str:
        """The text of an agent's line."""
        match self.field:
            case "rank":
                return rank_text(standing.rank)
            case "agent":
                return escape(standing.agent)
            case "profit_per_race":
                return with_interval(standing.profit_per_race, standing.interval)
            case "rating":
                return _rating(standing.agent, result)
            case "cash_per_race":
                return with_interval(standing.cash_per_race, standing.cash_interval)
            case "roi":
                return "–" if standing.roi is None else f"{standing.roi:+.1%}"
            case "ruin" | "won" | "drawn" | "lost":
                return f"{getattr(standing, self.field):.1%}"
            case "turns":
                return f"{standing.turns:.1f}"
        return f"{getattr(standing, self.field):,}"


def filled(table: Table, cells: Mapping[Column, Sequence[str]], width: int) -> Table:
    """The table with these columns. Where they are wider than the terminal, those that only wide ones get are
    left out, the widest demand first; then names are folded.
    """
    needed = {column: _width(column, texts) for column, texts in cells.items()}
    while sum(needed.values()) + 1 > width:
        least = max(needed, key=lambda column: column.width)
        if not least.width:
            break
        del needed[least]
    for column in needed:
        named = column.field == "agent"
        justify: JustifyMethod = "left" if named else "right"
        table.add_column(column.title, justify=justify, no_wrap=not named, overflow="fold")
    for row in zip(*(cells[column] for column in needed), strict=True):
        table.add_row(*row)
    return table


def _width(column: Column, texts: Sequence[str]) -> int:
    """What a column takes of a terminal, its frame and the room beside its text included."""
    widest = max(Text.from_markup(text).cell_len for text in (escape(column.title), *texts))
    return 3 + (min(widest, NAME) if column.field == "agent" else widest)


COLUMNS = (
    Column("rank", "rank"),
    Column("agent", "agent"),
    Column("profit", "profit_per_race"),
    Column("rating", "rating", width=WIDEST),
    Column("cash", "cash_per_race", width=MEDIUM),
    Column("ROI", "roi", width=WIDE),
    Column("ruin", "ruin", width=MEDIUM),
    Column("refused", "refused", width=WIDE, always=False),
    Column("faults", "faults", always=False),
)


CONTEST_COLUMNS = (
    Column("rank", "rank"),
    Column("agent", "agent"),
    Column("result", "profit_per_race"),
    Column("rating", "rating", width=WIDEST),
    Column("won", "won"),
    Column("drawn", "drawn", width=MEDIUM),
    Column("lost", "lost", width=MEDIUM),
    Column("turns", "turns", width=WIDE),
    Column("faults", "faults", always=False),
)


def _rating(agent: str, result: TournamentResult) -> str:
    """``+174 ± 15`` Elo points, ``+174 > 159`` or ``-900 < -850`` where the interval has one end."""
    standings = () if result.ratings is None else result.ratings.standings
    rated: Rated = next(rated for rated in standings if rated.agent == agent)
    low, high = rated.interval
    text = f"{rated.rating:+.0f}"
    if low is not None and high is not None:
        return f"{text} ± {(high - low) / 2:.0f}"
    return text + (f" > {low:+.0f}" if low is not None else f" < {high:+.0f}" if high is not None else "")


def bankroll_table(result: TournamentResult, width: int) -> Table:
    """What became of the money over the races of a game; a narrow terminal gets fewer columns."""
    found = result.bankrolls
    assert found is not None
    title = f"Bankrolls of {found.start:,} chips over {found.races:,} races, the first {found.deals:,} deals"
    columns = [
        column for column in BANKROLL_COLUMNS if width >= column.width and column.says(found.standings)
    ]
    table = Table(title=title, title_justify="left")
    cells = {column: [_bankroll_cell(line, column.field) for line in found.standings] for column in columns}
    return filled(table, cells, width)


BANKROLL_COLUMNS = (
    Column("agent", "agent"),
    Column("growth a race", "mean_growth"),
    Column("ruin", "ruin"),
    Column("drawdown", "drawdown", width=MEDIUM),
    Column("end, 5–95 %", "fan", width=WIDE),
    Column("turnover", "turnover", width=WIDEST),
    Column("hits", "hit_rate", width=WIDEST),
    Column("of Kelly", "kelly_multiple", width=WIDEST, always=False),
)


def _bankroll_cell(bankroll: Bankroll, field: str) -> str:
    """The text of an agent's line: growth in percent, ruin never seen as its upper bound."""
    value = getattr(bankroll, field)
    match field:
        case "agent":
            return escape(bankroll.agent)
        case "mean_growth":
            low, high = bankroll.growth_interval
            percent = (None, None) if low is None or high is None else (100 * low, 100 * high)
            return with_interval(100 * value, percent, 2, " %")
        case "ruin":
            return f"{value:.1%}" if value else f"≤ {bankroll.ruin_at_most:.1%}"
        case "fan":
            return f"{value[-1][0]:,.0f}–{value[-1][-1]:,.0f}"
        case "turnover" | "kelly_multiple":
            return "–" if value is None else f"{value:.2f}×"
    return "–" if value is None else f"{value:.1%}"


def cross_table(result: TournamentResult) -> Table:
    """What the agent of a row won of the agent of a column, a game: each deal is played from both sides."""
    names = [standing.agent for standing in result.leaderboard]
    won = {(duel.agent, duel.rival): duel for duel in result.duels}
    table = Table(title="Row against column", title_justify="left")
    table.add_column("")
    for place in range(len(names)):
        table.add_column(str(place + 1), justify="right")
    for place, name in enumerate(names, start=1):
        table.add_row(f"{place} {escape(name)}", *(_duel(won, name, other) for other in names))
    return table


def _duel(won: dict[tuple[str, str], Duel], agent: str, rival: str) -> str:
    sign = 1 if (agent, rival) in won else -1
    duel = won.get((agent, rival)) or won.get((rival, agent))
    if duel is None:
        return ""
    low, high = (None, None) if duel.interval[0] is None else duel.interval
    text = f"{sign * duel.profit:+.2f}"
    if low is None or high is None or low <= 0 <= high:
        return text
    return f"[green]{text}[/]" if sign * duel.profit > 0 else f"[red]{text}[/]"


def with_interval(value: float, interval: Interval, digits: int = 3, unit: str = "") -> str:
    """``+0.312 ± 0.041``, green above zero and red below where the interval says so."""
    low, high = interval
    text = give_or_take(value, interval, digits) + unit
    if low is None or high is None:
        return text
    if low > 0:
        return f"[green]{text}[/]"
    return f"[red]{text}[/]" if high < 0 else text
