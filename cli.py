"""The command line: the commands under their names, and how it ends when something goes wrong.

Everything heavy is imported inside the command that needs it, so that ``railbird --help`` is quick.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer
from typer.exceptions import TyperException

from .commands import judging, playing, training
from .commands.options import AsJson
from .games.errors import RailbirdError

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small products: waiting threads cost 100-fold

app = typer.Typer(
    name="railbird",
    help="Betting games on horse races run with cards: odds, agents, tournaments.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "tournament": judging.tournament,
    "results": judging.results,
    "odds": playing.odds,
    "watch": playing.watch,
    "play": playing.play,
    "replay": playing.replay,
    "trajectories": judging.trajectories,
    "agents": judging.agents,
    "check-agent": judging.check_agent,
    "check-env": judging.check_env,
    "train": training.train,
    "sweep": training.sweep,
    "league": training.league,
    "convert": training.convert,
    "eval": training.evaluate,
}  # in the order of the help
for name, command in COMMANDS.items():
    app.command(name)(command)


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
