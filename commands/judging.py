"""Commands about agents and environments: tournaments, their results, data to learn from, checks."""

from pathlib import Path
from typing import Annotated

import typer

from .options import (
    Agents,
    AsJson,
    Banker,
    Bettors,
    Format,
    Game,
    Races,
    Seats,
    Seed,
    Settings,
    read_rules,
)


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
    output: Format = None,
) -> None:
    """Play agents against one another on the same deals and rank them by what they earn."""
    from ..console.tournament import Options
    from ..console.tournament import tournament as run

    options = Options(
        game=game, agents=agents, deals=deals, seed=seed, workers=workers, out=out, as_json=json,
        rules=read_rules(settings, seats=seats, races=races, bank=bank), banker=banker, bettors=bettors,
        engine=engine, address=address, time_limit=time_limit, substitute=substitute, until=until,
        margin=margin, against=against, leave_one_out=leave_one_out, output=output,
    )  # fmt: skip
    run(options)


def results(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament, as --out named it.")],
    sql: Annotated[
        str | None,
        typer.Option(help="One SELECT over the tables that the summary names; without it the summary."),
    ] = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")] = False,
    output: Format = None,
) -> None:
    """Show what a tournament's folder holds, or ask it in SQL."""
    from ..console.results import results as run

    run(folder, sql, json, csv, output)


def trajectories(
    game: Game,
    agents: Annotated[
        str, typer.Option(help="Who sits in seats 0, 1, …, parted by commas, repeated if they are fewer.")
    ],
    deals: Annotated[int, typer.Option(help="Deals to play.")],
    out: Annotated[Path, typer.Option(help="A new Parquet file.")],
    seat: Annotated[
        str | None, typer.Option(help="Seats to record, parted by commas; without it every agent's.")
    ] = None,
    seats: Seats = None,
    races: Races = None,
    seed: Seed = 1,
    settings: Settings = None,
    encoding: Annotated[
        list[str] | None,
        typer.Option(help="How decisions are spelled, as in --encoding stakes=1,5,20; repeatable."),
    ] = None,
    reward: Annotated[str, typer.Option(help="As in the environments: cash, expected or adjusted.")] = "cash",
    workers: Annotated[
        int, typer.Option(help="Processes that share the work; the file is the same for any number.")
    ] = 1,
    banker: Banker = None,
    bettors: Bettors = None,
    bank: Annotated[str | None, typer.Option(help="Who keeps the bank: house or rotate.")] = None,
    json: AsJson = False,
) -> None:
    """Write what agents see, do and earn as data to learn from, step by step."""
    from ..console.trajectories import trajectories as run

    run(
        game, agents, deals, out, seats=seat or "", seed=seed,
        rules=read_rules(settings, seats=seats, races=races, bank=bank), encoding=read_rules(encoding),
        reward=reward, workers=workers, banker=banker or "", bettors=bettors or "", as_json=json,
    )  # fmt: skip


def agents(game: Game, json: AsJson = False) -> None:
    """List the agents of a game: idea, settings, cost of a decision."""
    from ..console.agents import show_agents

    show_agents(game, json)


def check_agent(
    agent: Annotated[str, typer.Argument(help="Your agent as module:Class, or the name of one of ours.")],
    game: Game,
    settings: Settings = None,
) -> None:
    """Say whether an agent is legal, deterministic, isolated between lanes and fast enough."""
    from ..console.agents import check

    if not check(agent, game, read_rules(settings)):
        raise typer.Exit(1)


def check_env(
    env: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="A game, one of our ids, or an environment of your own as module:Id or module:Class.",
        ),
    ],
    settings: Settings = None,
    json: AsJson = False,
) -> None:
    """Say whether an environment keeps the contract: its doors, masks, seeds, copies and money."""
    from ..console.check_env import check

    if not check(env, read_rules(settings), json):
        raise typer.Exit(1)
