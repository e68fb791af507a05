"""Commands that make learned agents and score them."""

from pathlib import Path
from typing import Annotated

import typer

from .options import AsJson, Banker, Game, Seed, read_rules

TrainedGame = Annotated[str | None, typer.Argument(help="The game to learn; or name it in --config.")]
Algorithm = Annotated[
    str | None,
    typer.Option(help="maskable-ppo, ppo, a2c, dqn, recurrent-ppo or sac; without it the recipe's."),
]
Steps = Annotated[int | None, typer.Option(help="Actions to learn from; without it those of the recipe.")]
Opponents = Annotated[
    str | None,
    typer.Option(
        help="Who else sits there: default, zoo, or agents parted by commas; without it as the recipe says."
    ),
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
    from ..console.train import show_settings
    from ..console.train import train as run

    if show:
        show_settings(algo or "", game or "", self_play)
        return
    given = {
        "algo": algo, "steps": steps, "opponents": opponents, "seed": seed, "banker": banker, "deals": deals,
        "checkpoint_every": checkpoint_every, "settings": read_rules(settings),
        "self_play": self_play or None, "pool": pool,
    }  # fmt: skip
    run(game, given, config, out, threads, json)


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
    self_play: SelfPlay = False,
    pool: PoolOf = None,
    workers: Annotated[int, typer.Option(help="Processes that share the seeds.")] = 1,
    threads: Threads = 1,
    json: AsJson = False,
) -> None:
    """Train the same from several seeds and report them all, their mean and interquartile mean."""
    from ..console.sweep import train_seeds as run

    given = {
        "algo": algo, "steps": steps, "opponents": opponents, "seed": seed, "banker": banker, "deals": deals,
        "checkpoint_every": checkpoint_every, "settings": read_rules(settings),
        "self_play": self_play or None, "pool": pool,
    }  # fmt: skip
    run(game, seeds, given, config, out, workers, threads, json)


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
    start: Annotated[
        str,
        typer.Option(
            help="Where best responses start: newest, at the latest policy in the league of the same network,"
            " or scratch."
        ),
    ] = "newest",
    threads: Threads = 1,
    json: AsJson = False,
) -> None:
    """Train best responses to a pool, round by round, until a new one gains nothing that is sure."""
    from ..console.league import league as run

    given = {
        "algo": algo, "steps": steps, "pool": pool, "seed": seed, "banker": banker,
        "checkpoint_every": checkpoint_every, "settings": read_rules(settings),
    }  # fmt: skip
    run(game, rounds, deals, start, given, config, out, threads, json)


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
    from ..console.train import convert as run

    given = {"algo": algo, "opponents": opponents, "banker": banker, "settings": read_rules(settings)}
    run(file, game, given, out, trust)


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
    from ..agents.registry import split_agents
    from ..console.evaluate import evaluate as run

    run(folder, deals, seed, opponents, split_agents(against or ""), json)
