"""A tournament in the terminal: progress while it runs, then the leaderboard, what it means, what to try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ..games.errors import InvalidSettings
from ..games.registry import load
from .estimates import CONFIDENCE, student
from .results import Comparison, Duel, Interval, Standing, TournamentResult, plain
from .tournament import Progress as Callback

WIDE, MEDIUM = 76, 64  # columns of a terminal from which more of the table is shown
MOST_CROSSED = 14  # agents in a cross table
MOST_NAMED = 6  # agents named in a sentence; beyond that they are counted


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
    table = Table(title=f"{title}: {unit}, {CONFIDENCE:.0%} intervals", title_justify="left")
    all_columns = CONTEST_COLUMNS if contest else COLUMNS
    columns = [column for column in all_columns if width >= column.width and column.says(result)]
    for column in columns:
        table.add_column(column.title, justify="left" if column.field == "agent" else "right", no_wrap=True)
    for place, standing in enumerate(result.leaderboard, start=1):
        table.add_row(*(column.cell(place, standing) for column in columns))
    return table


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the leaderboard."""

    title: str
    field: str
    width: int = 0  # of the terminal, from which it is shown
    always: bool = True  # also where it is 0 for every agent

    def says(self, result: TournamentResult) -> bool:
        """Whether the column has anything to show."""
        return self.always or any(getattr(standing, self.field) for standing in result.leaderboard)

    def cell(self, place: int, standing: Standing) -> str:
        """The text of an agent's line."""
        match self.field:
            case "place":
                return str(place)
            case "agent":
                return escape(standing.agent)
            case "profit_per_race":
                return with_interval(standing.profit_per_race, standing.interval)
            case "adjusted_profit_per_race":
                return with_interval(standing.adjusted_profit_per_race, standing.adjusted_interval)
            case "roi":
                return "–" if standing.roi is None else f"{standing.roi:+.1%}"
            case "ruin" | "won" | "drawn" | "lost":
                return f"{getattr(standing, self.field):.1%}"
            case "turns":
                return f"{standing.turns:.1f}"
        return f"{getattr(standing, self.field):,}"


COLUMNS = (
    Column("", "place"),
    Column("agent", "agent"),
    Column("profit", "profit_per_race"),
    Column("without luck", "adjusted_profit_per_race", width=MEDIUM),
    Column("ROI", "roi", width=WIDE),
    Column("ruin", "ruin", width=MEDIUM),
    Column("refused", "refused", width=WIDE, always=False),
    Column("faults", "faults", always=False),
)


CONTEST_COLUMNS = (
    Column("", "place"),
    Column("agent", "agent"),
    Column("result", "profit_per_race"),
    Column("won", "won"),
    Column("drawn", "drawn", width=MEDIUM),
    Column("lost", "lost", width=MEDIUM),
    Column("turns", "turns", width=WIDE),
    Column("faults", "faults", always=False),
)


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


def with_interval(value: float, interval: Interval) -> str:
    """``+0.312 ± 0.041``, green above zero and red below where the interval says so."""
    low, high = interval
    if low is None or high is None:
        return f"{value:+.3f}"
    text = f"{value:+.3f} ± {(high - low) / 2:.3f}"
    if low > 0:
        return f"[green]{text}[/]"
    return f"[red]{text}[/]" if high < 0 else text


def meaning(result: TournamentResult) -> list[str]:
    """What the numbers say, in sentences."""
    settings, design, first = result.settings, result.design, result.leaderboard[0]
    contest = load(settings["game"]).contest
    sentences = [_played(result, contest)]
    if design["contexts"] < 2 or len(result.leaderboard) < 2:
        return [*sentences, "Too few deals to tell anybody apart."]
    better, level, worse = split_rivals(result)
    rivals = len(result.leaderboard) - 1
    told = [
        f"{verb} {named(group, rivals)}"
        for verb, group in (("more than", better), ("less than", worse))
        if group
    ]
    luck = "" if contest else "luck taken out, "
    sentences.append(
        f"In the same place against the same rivals, {first.agent} earns"
        f" {' and '.join(told) or 'no more and no less than anybody'}"
        f" ({luck}{CONFIDENCE:.0%} certain for all {rivals} comparisons together)."
    )
    if level and told:
        sentences.append(f"It cannot be told apart from {named(level, rivals)}; more deals may do that.")
    return sentences


def _played(result: TournamentResult, contest: bool) -> str:
    """How much was played, and how a table of results is to be read."""
    settings, design = result.settings, result.design
    tables = settings["deals"] * design["tables_per_deal"]
    if contest:
        return f"{settings['deals']:,} deals, each played by every pair from both sides: {tables:,} games."
    played = f"{len(design['line_ups'])} line-up(s) in every seat rotation"
    if len(design["line_ups"][0]) == 1:
        played = f"every one of {len(result.leaderboard)} agents"
    races = tables * int(settings["rules"].get("races", 1))
    return (
        f"{settings['deals']:,} deals, each played by {played}: {races:,} races. “Without luck” replaces each"
        " race's payouts by their exact expectation: the same mean, mostly with less noise."
    )


def split_rivals(result: TournamentResult) -> tuple[list[str], list[str], list[str]]:
    """The agents the first of the leaderboard is better than, level with and worse than in the same place.

    Intervals are widened by Bonferroni's rule to hold for all of these comparisons together.
    """
    first = result.leaderboard[0].agent
    pairs = [pair for pair in result.comparisons if pair.agent == first]
    freedom = result.design["contexts"] - 1
    wider = student(freedom, 1 - (1 - CONFIDENCE) / len(pairs)) / student(freedom, CONFIDENCE)
    signs = {pair.rival: _sign(pair, wider) for pair in pairs}
    better, level, worse = ([rival for rival, sign in signs.items() if sign == which] for which in (1, 0, -1))
    return better, level, worse


def _sign(pair: Comparison, wider: float) -> int:
    """1 or −1 where the difference is certain, else 0."""
    low, high = pair.adjusted_interval
    assert low is not None and high is not None
    half = wider * (high - low) / 2
    return int(pair.adjusted_difference > half) - int(pair.adjusted_difference < -half)


def named(agents: list[str], rivals: int) -> str:
    """The agents by name, or how many of all the rivals where they are many."""
    if len(agents) <= MOST_NAMED:
        return ", ".join(agents)
    return "every other agent" if len(agents) == rivals else f"{len(agents)} of the {rivals} others"


def next_steps(result: TournamentResult) -> list[tuple[str, str]]:
    """Commands worth trying after this one, each with its purpose."""
    game, names = result.settings["game"], [standing.agent.split("#")[0] for standing in result.leaderboard]
    pair = ",".join(dict.fromkeys(names[:2]))
    again = f"railbird tournament {game}{_options(result)}"
    return [
        (f"{again} --agents {pair} --seed {result.seed + 1}", "the best two, other deals"),
        (f"{again} --seed {result.seed} --out results", "keep it: result.json, deals.csv"),
        (f"railbird agents {game}", "who they are and how they decide"),
        (f"railbird play {game}", "play against them yourself"),
    ]


def _options(result: TournamentResult) -> str:
    """The rules that were not the game's own and who sat there unranked, as the command line takes them."""
    spec = load(result.settings["game"])
    rules, usual = result.settings["rules"], plain(spec.make_settings())
    needed = {name: value for name, value in rules.items() if usual.get(name) != value and value is not None}
    for name in reversed(list(needed)):  # what follows from the other rules need not be written
        fewer = {other: value for other, value in needed.items() if other != name}
        with suppress(InvalidSettings):
            needed = fewer if plain(spec.make_settings(**fewer)) == rules else needed
    written = ""
    for name, value in needed.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        written += f" --{name} {text}" if name in FLAGS else f" --set {name}={text}"
    fixed = result.settings["fixed"]
    if fixed:
        written += f" --bettors {','.join(fixed)}" if spec.players else f" --banker {fixed[0]}"
    return written


FLAGS = ("seats", "races", "bank")  # rules with an option of their own
