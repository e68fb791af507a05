"""Commands that show a race or a game, or let people play one."""

from pathlib import Path
from typing import Annotated

import typer

from .options import Agents, AsJson, Banker, Bettors, Game, Races, Save, Seats, Seed, Settings, read_rules


def odds(
    game: Game,
    rail: Annotated[str, typer.Argument(help="The suits on the rail, as in HHDDCS.")],
    json: AsJson = False,
) -> None:
    """Print the exact chance of every line, given the cards on the rail."""
    from ..console.odds import odds as run

    run(game, rail, json)


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
    save: Save = None,
) -> None:
    """Watch agents play a game, each race card by card with the live exact chances."""
    from ..agents.registry import split_agents
    from ..console.watch import watch as run

    run(
        game, seed, races, seats, split_agents(agents or ""), read_rules(settings), speed,
        banker=banker or "", bettors=split_agents(bettors or ""), save=save,
    )  # fmt: skip


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
    save: Save = None,
) -> None:
    """Write tickets yourself, against agents."""
    from ..agents.registry import split_agents
    from ..console.play import play as run

    rules = read_rules(settings, races=races)
    run(game, seed, split_agents(against or ""), seats, rules, seat, speed, banker=banker or "", save=save)


def replay(
    file: Annotated[Path, typer.Argument(help="A replay, as --save of watch or play wrote it.")],
    speed: Annotated[float, typer.Option(help="Cards a second on a terminal.")] = 3.0,
    race: Annotated[
        int | None, typer.Option(help="Show this race (or turn, where a game has no races) alone.")
    ] = None,
    frame: Annotated[int | None, typer.Option(help="And of it this frame alone, from 0.")] = None,
    seat: Annotated[int | None, typer.Option(help="Look from this seat; without it as it was seen.")] = None,
    json: AsJson = False,
) -> None:
    """Show a recorded game again, and check on the way that it is what the rules give."""
    from ..console.replay import replay as run

    run(file, speed, race, frame, seat, json)
