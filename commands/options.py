"""Options that several commands share, and how settings are read from them."""

from pathlib import Path
from typing import Annotated, Any

import typer

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
    typer.Option(
        help="Agents parted by commas, as in favourite,kelly:fraction=0.25; without it the zoo, and in a"
        " tournament behind it the trained agent of the game."
    ),
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


def read_rules(pairs: list[str] | None, **given: int | str | None) -> dict[str, Any]:
    """The settings that the options of a command spell: pairs as in split=pro_rata, and those of options of
    their own.

    Raises:
        InvalidSettings: a pair is no pair, or a setting is given twice.
    """
    from ..console.settings import read_settings

    return read_settings(pairs or [], **given)
