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

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small products: waiting threads cost 100-fold

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
Save = Annotated[Path | None, typer.Option(help="A new file for the replay of the game.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Format = Annotated[
    str | None,
    typer.Option("--format", help="How to print it: text, json, csv or md (a table in Markdown)."),
]


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
    output: Format = None,
) -> None:
    """Play agents against one another on the same deals and rank them by what they earn."""
    from .console.tournament import Judging
    from .console.tournament import tournament as run

    rules = _rules(settings, seats=seats, races=races, bank=bank)
    judging = Judging(substitute, until, margin, against, leave_one_out)
    run(
        game, agents, deals, rules, seed, workers, out, json, banker, bettors, engine, address, time_limit,
        judging, output,
    )  # fmt: skip


@app.command()
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
    from .console.results import results as run

    run(folder, sql, json, csv, output)


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
    save: Save = None,
) -> None:
    """Watch agents play a game, each race card by card with the live exact chances."""
    from .agents.registry import split_agents
    from .console.watch import watch as run

    run(
        game, seed, races, seats, split_agents(agents or ""), _rules(settings), speed,
        banker=banker or "", bettors=split_agents(bettors or ""), save=save,
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
    save: Save = None,
) -> None:
    """Write tickets yourself, against agents."""
    from .agents.registry import split_agents
    from .console.play import play as run

    rules = _rules(settings, races=races)
    run(game, seed, split_agents(against or ""), seats, rules, seat, speed, banker=banker or "", save=save)


@app.command()
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
    from .console.replay import replay as run

    run(file, speed, race, frame, seat, json)


@app.command()
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
    reward: Annotated[str, typer.Option(help="As in the environments: cash or expected.")] = "cash",
    workers: Annotated[
        int, typer.Option(help="Processes that share the work; the file is the same for any number.")
    ] = 1,
    banker: Banker = None,
    bettors: Bettors = None,
    bank: Annotated[str | None, typer.Option(help="Who keeps the bank: house or rotate.")] = None,
    json: AsJson = False,
) -> None:
    """Write what agents see, do and earn as data to learn from, step by step."""
    from .console.trajectories import trajectories as run

    run(
        game, agents, deals, out, seat or "", seed, _rules(settings, seats=seats, races=races, bank=bank),
        _rules(encoding), reward, workers, banker or "", bettors or "", json,
    )  # fmt: skip


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


@app.command("check-env")
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
    from .console.check_env import check

    if not check(env, _rules(settings), json):
        raise typer.Exit(1)


TrainedGame = Annotated[str | None, typer.Argument(help="The game to learn; or name it in --config.")]
Algorithm = Annotated[
    str | None,
    typer.Option(help="maskable-ppo, ppo, a2c, dqn, recurrent-ppo or sac; without it the recipe's."),
]
Steps = Annotated[int | None, typer.Option(help="Actions to learn from; without it those of the recipe.")]
Opponents = Annotated[
    str | None, typer.Option(help="Who else sits there: default, zoo, or agents parted by commas.")
]
FirstSeed = Annotated[int | None, typer.Option(help="Of networks, exploration and games; without it 1.")]
RunFolder = Annotated[
    Path | None, typer.Option(help="Folder of the run; the same command goes on where it was broken off.")
]
TrainingSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="A setting of the algorithm, the game or its environment: --set learning_rate=3e-4."
    ),
]
Config = Annotated[Path | None, typer.Option(help="TOML file of such options; those given here win.")]
CheckpointEvery = Annotated[
    int | None, typer.Option(help="Steps between checkpoints; without it a twentieth of all.")
]
ScoreDeals = Annotated[int | None, typer.Option(help="Deals of the score at the end; without it 2,000.")]
Threads = Annotated[int, typer.Option(help="Threads of PyTorch; another number trains another agent.")]
SelfPlay = Annotated[
    bool, typer.Option("--self-play", help="Train against its latest self and a pool of frozen opponents.")
]
PoolOf = Annotated[
    str | None,
    typer.Option(help="Of self-play, by commas: heuristics, snapshots, agents; without it the first two."),
]


@app.command()
def train(
    game: TrainedGame = None,
    algo: Algorithm = None,
    steps: Steps = None,
    opponents: Opponents = None,
    seed: FirstSeed = None,
    out: RunFolder = None,
    settings: TrainingSettings = None,
    config: Config = None,
    banker: Banker = None,
    checkpoint_every: CheckpointEvery = None,
    deals: ScoreDeals = None,
    self_play: SelfPlay = False,
    pool: PoolOf = None,
    threads: Threads = 1,
    json: AsJson = False,
    show: Annotated[
        bool, typer.Option("--settings", help="List the algorithm's settings with their meaning and stop.")
    ] = False,
) -> None:
    """Train an agent with PPO, A2C, DQN or SAC: a folder that tournaments seat, with its score."""
    from .console.train import show_settings
    from .console.train import train as run

    if show:
        show_settings(algo or "", game or "", self_play)
        return
    given = {
        "algo": algo, "steps": steps, "opponents": opponents, "seed": seed, "banker": banker, "deals": deals,
        "checkpoint_every": checkpoint_every, "settings": _rules(settings), "self_play": self_play or None,
        "pool": pool,
    }  # fmt: skip
    run(game, given, config, out, threads, json)


@app.command()
def sweep(
    game: TrainedGame = None,
    seeds: Annotated[int, typer.Option(help="How many seeds, counted from --seed.")] = 10,
    algo: Algorithm = None,
    steps: Steps = None,
    opponents: Opponents = None,
    seed: FirstSeed = None,
    out: RunFolder = None,
    settings: TrainingSettings = None,
    config: Config = None,
    banker: Banker = None,
    checkpoint_every: CheckpointEvery = None,
    deals: ScoreDeals = None,
    workers: Annotated[int, typer.Option(help="Processes that share the seeds.")] = 1,
    threads: Threads = 1,
    json: AsJson = False,
) -> None:
    """Train the same from several seeds and report them all, their mean and interquartile mean."""
    from .console.sweep import train_seeds as run

    given = {
        "algo": algo, "steps": steps, "opponents": opponents, "seed": seed, "banker": banker, "deals": deals,
        "checkpoint_every": checkpoint_every, "settings": _rules(settings),
    }  # fmt: skip
    run(game, seeds, given, config, out, workers, threads, json)


@app.command()
def league(
    game: TrainedGame = None,
    rounds: Annotated[int, typer.Option(help="At most so many best responses.")] = 5,
    algo: Algorithm = None,
    steps: Steps = None,
    pool: Annotated[
        str | None, typer.Option(help="Who it begins with, parted by commas; without it the heuristics.")
    ] = None,
    seed: FirstSeed = None,
    out: RunFolder = None,
    settings: TrainingSettings = None,
    config: Config = None,
    banker: Banker = None,
    checkpoint_every: CheckpointEvery = None,
    deals: Annotated[int, typer.Option(help="Deals on which agents meet.")] = 2_000,
    threads: Threads = 1,
    json: AsJson = False,
) -> None:
    """Train best responses to a pool, round by round, until a new one gains nothing that is sure."""
    from .console.league import league as run

    given = {
        "algo": algo, "steps": steps, "pool": pool, "seed": seed, "banker": banker,
        "checkpoint_every": checkpoint_every, "settings": _rules(settings),
    }  # fmt: skip
    run(game, rounds, deals, given, config, out, threads, json)


@app.command()
def convert(
    file: Annotated[Path, typer.Argument(help="The zip that a model of Stable-Baselines3 was saved as.")],
    game: Game,
    algo: Algorithm = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the agent; without it named as the zip.")
    ] = None,
    settings: TrainingSettings = None,
    opponents: Opponents = None,
    banker: Banker = None,
    trust: Annotated[bool, typer.Option("--trust", help="Load the zip, which can run code.")] = False,
) -> None:
    """Make an agent folder of a model that Stable-Baselines3 saved."""
    from .console.train import convert as run

    given = {"algo": algo, "opponents": opponents, "banker": banker, "settings": _rules(settings)}
    run(file, game, given, out, trust)


@app.command("eval")
def evaluate(
    folder: Annotated[str, typer.Argument(help="The folder of an agent, or of the run it comes from.")],
    deals: Annotated[int, typer.Option(help="Deals to play.")] = 2_000,
    seed: Seed = 1,
    opponents: Annotated[
        str | None, typer.Option(help="The rivals, parted by commas; without it those of its training.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Agents to compare it with in the same seat, parted by commas.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Score a saved agent in the seat it learned in, against the rivals it learned with."""
    from .agents.registry import split_agents
    from .console.evaluate import evaluate as run

    run(folder, deals, seed, opponents, split_agents(against or ""), json)


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
