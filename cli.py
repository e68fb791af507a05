"""The command line: parses, calls one function of the packages below, prints. No logic.

Everything heavy is imported inside the command that needs it, so that ``railbird --help`` is quick.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from .games.errors import RailbirdError

app = typer.Typer(
    name="railbird",
    help="Betting games on horse races run with cards: odds, agents, tournaments.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Game = Annotated[str, typer.Argument(help="The game, as in superfecta, horse-race or save-the-bet.")]
Seed = Annotated[int, typer.Option(help="Root seed of all chance, 0 or more.")]
Seats = Annotated[int | None, typer.Option(help="Players at a table; without it the game's own number.")]
Races = Annotated[int | None, typer.Option(help="Races in a game; without it the game's own number.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="A rule of the game, as in --set split=pro_rata; repeatable."),
]
Agents = Annotated[
    str | None,
    typer.Option(help="Agents parted by commas, as in favourite,kelly:fraction=0.25; without it the zoo."),
]
Banker = Annotated[str | None, typer.Option(help="Who quotes for the house (horse-race).")]
Bettors = Annotated[
    str | None,
    typer.Option(help="Whom bankers are ranked against (bookmaker), parted by commas."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


@app.command()
def tournament(
    game: Game,
    agents: Agents = None,
    deals: Annotated[
        int | None, typer.Option(help="Deals to play; each is played by every line-up in every seat.")
    ] = None,
    seats: Seats = None,
    races: Races = None,
    seed: Seed = 1,
    settings: Settings = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that share the work; the result is the same for any number.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder to keep everything in; the same command goes on where it was broken off."),
    ] = None,
    json: AsJson = False,
    banker: Banker = None,
    bettors: Bettors = None,
    bank: Annotated[str | None, typer.Option(help="Who keeps the bank: house or rotate.")] = None,
    engine: Annotated[str, typer.Option(help="Where it is played: local, or ray for a cluster.")] = "local",
    address: Annotated[
        str | None, typer.Option(help="Of the Ray cluster, or auto; without it one is started here.")
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Seconds an agent may think at once, about a whole block; then it is at fault."),
    ] = None,
    substitute: Annotated[
        str | None,
        typer.Option(
            help="Deals in which agents are tried in each other's place: all, none, or every so-many-th;"
            " without it the first 100 and every 20th."
        ),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(help="Stop when all intervals are within so many chips, --deals at the latest."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="Chips a race that count as no difference; without it 0.5 % of the mean stake."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Strangers among whom the agents are tried as well, parted by commas.")
    ] = None,
    leave_one_out: Annotated[
        bool, typer.Option("--leave-one-out", help="Give the order again without each agent in turn.")
    ] = False,
) -> None:
    """Play agents against one another on the same deals and rank them by what they earn."""
    from .console.tournament import Judging
    from .console.tournament import tournament as run

    rules = _rules(settings, seats=seats, races=races, bank=bank)
    judging = Judging(substitute, until, margin, against, leave_one_out)
    run(
        game, agents, deals, rules, seed, workers, out, json, banker, bettors, engine, address, time_limit,
        judging,
    )  # fmt: skip


@app.command()
def results(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament, as --out named it.")],
    sql: Annotated[
        str | None,
        typer.Option(help="One SELECT over deals, substitutes, duels and faults; without it a summary."),
    ] = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")] = False,
) -> None:
    """Show what a tournament's folder holds, or ask it in SQL."""
    from .console.results import results as run

    run(folder, sql, json, csv)


@app.command()
def odds(
    game: Game,
    rail: Annotated[str, typer.Argument(help="The suits on the rail, as in HHDDCS.")],
    json: AsJson = False,
) -> None:
    """Print the exact chance of every line, given the cards on the rail."""
    from .console.odds import odds as run

    run(game, rail, json)


@app.command()
def watch(
    game: Game,
    seed: Seed = 1,
    agents: Agents = None,
    seats: Seats = None,
    races: Annotated[int | None, typer.Option(help="Races to show; without it one.")] = None,
    settings: Settings = None,
    speed: Annotated[float, typer.Option(help="Cards a second on a terminal.")] = 3.0,
    banker: Banker = None,
    bettors: Bettors = None,
) -> None:
    """Watch agents play a game, each race card by card with the live exact chances."""
    from .agents.registry import split_agents
    from .console.watch import watch as run

    run(
        game, seed, races, seats, split_agents(agents or ""), _rules(settings), speed,
        banker=banker or "", bettors=split_agents(bettors or ""),
    )  # fmt: skip


@app.command()
def play(
    game: Game,
    against: Annotated[
        str | None, typer.Option("--against", "--vs", help="The agents you play against.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Root seed of all chance; without it a new one.")] = None,
    seats: Seats = None,
    races: Races = None,
    settings: Settings = None,
    seat: Annotated[int, typer.Option(help="Where you sit, 0 or more.")] = 0,
    speed: Annotated[float, typer.Option(help="Cards a second on a terminal.")] = 6.0,
    banker: Banker = None,
) -> None:
    """Write tickets yourself, against agents."""
    from .agents.registry import split_agents
    from .console.play import play as run

    rules = _rules(settings, races=races)
    run(game, seed, split_agents(against or ""), seats, rules, seat, speed, banker=banker or "")


@app.command()
def agents(game: Game, json: AsJson = False) -> None:
    """List the agents of a game: idea, settings, cost of a decision."""
    from .console.agents import show_agents

    show_agents(game, json)


@app.command("check-agent")
def check_agent(
    agent: Annotated[str, typer.Argument(help="Your agent as module:Class, or the name of one of ours.")],
    game: Game,
    settings: Settings = None,
) -> None:
    """Say whether an agent is legal, deterministic, isolated between lanes and fast enough."""
    from .console.agents import check

    if not check(agent, game, _rules(settings)):
        raise typer.Exit(1)


@app.command()
def bench(
    json: AsJson = False,
    only: Annotated[str | None, typer.Option(help="Only the figures with this in their name.")] = None,
) -> None:
    """Measure Railbird's speed and memory on this machine."""
    from .benchmarks.figures import bench as run

    run(json, only)


@app.command("warm-up", hidden=True)
def warm_up() -> None:
    """Compile the kernels into their cache."""
    from .console.warm_up import warm_up as run

    run()


@app.callback(invoke_without_command=True)
def opening(
    context: typer.Context,
    show: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Betting games on horse races run with cards: odds, agents, tournaments."""
    if show:
        from . import __version__

        typer.echo(__version__)
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _rules(pairs: list[str] | None, **given: int | str | None) -> dict[str, Any]:
    """The settings of the game that the options of a command spell."""
    from .console.settings import read_settings

    return read_settings(pairs or [], **given)


def main() -> None:
    """Runs the command line; bad input is one line on stderr and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False))
    except RailbirdError as error:
        _stop(str(error), 2)
    except TyperException as error:
        _stop(f"{error.format_message()} (railbird --help shows what there is)", 2)
    except (KeyboardInterrupt, typer.Abort):
        _stop("stopped", 130)
    except BrokenPipeError:  # the reader of our output has gone: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _stop(message: str, code: int) -> None:
    sys.stderr.write(f"railbird: {' '.join(message.split())}\n")
    sys.exit(code)
