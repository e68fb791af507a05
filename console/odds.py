"""The exact chances of a rail, line by line, as a table or as JSON. No game is loaded for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Final, TypeAlias

from rich.console import Console

from ..games.cards import SUIT_LETTERS, SUIT_SYMBOLS
from ..games.errors import UnknownName
from ..games.order_law import ORDERS, order_law, parse_rail
from ..games.scene import Grid, Scene
from ..games.track import SUITS, SUPERFECTA, Track
from .screen import Screen

Odds: TypeAlias = dict[str, dict[str, Fraction]]  # pool -> line, as its horses -> exact chance


@dataclass(frozen=True, slots=True)
class Wagers:
    """The race a game is run as, and how many horses its wagers name, pool by pool."""

    track: Track
    pools: Mapping[str, int]


WAGERS: Final = {"superfecta": Wagers(SUPERFECTA, {"win": 1, "exacta": 2, "superfecta": 4})}


def odds(game_name: str, rail_text: str, as_json: bool = False, console: Console | None = None) -> None:
    """Prints the exact chance of every line on a rail: tables, or one JSON object.

    Args:
        game_name: the game, as on the command line.
        rail_text: the rail as suit letters, such as "HHDDCS".
        as_json: prints ``{"win": {"H": {"exact": "n/d", "p": 0.1892…}, …}, "exacta": …, "superfecta": …}``.
        console: where to; None: standard output.

    Raises:
        UnknownName: there is no such game, or none with lines to price.
        InvalidSettings: the rail cannot occur.
    """
    screen = Screen(console)
    if as_json:
        screen.console.file.write(json.dumps(odds_object(exact_odds(game_name, rail_text))) + "\n")
    else:
        screen.show(odds_scene(game_name, rail_text))


def exact_odds(game_name: str, rail_text: str) -> Odds:
    """The exact chance that each line wins, pools and lines in the order of their numbers.

    Raises:
        UnknownName: there is no such game, or none with lines to price.
        InvalidSettings: the rail cannot occur.
    """
    if game_name not in WAGERS:
        raise UnknownName("game with odds", game_name, WAGERS)
    wagers = WAGERS[game_name]
    law = order_law(wagers.track, parse_rail(rail_text, wagers.track))
    exact: Odds = {}
    for pool, length in wagers.pools.items():
        exact[pool] = {_line(horses): Fraction(0) for horses in permutations(range(SUITS), length)}
        for order, chance in zip(ORDERS.tolist(), law, strict=True):
            exact[pool][_line(order[:length])] += chance
    return exact


def odds_object(exact: Odds) -> dict[str, dict[str, dict[str, str | float]]]:
    """The chances as JSON has them: ``{pool: {line: {"exact": "n/d", "p": float}}}``."""
    return {
        pool: {
            line: {"exact": f"{chance.numerator}/{chance.denominator}", "p": float(chance)}
            for line, chance in lines.items()
        }
        for pool, lines in exact.items()
    }


def odds_scene(game_name: str, rail_text: str) -> Scene:
    """The chances as a grid a pool, likeliest first, the likeliest marked.

    Raises:
        UnknownName: there is no such game, or none with lines to price.
        InvalidSettings: the rail cannot occur.
    """
    grids = []
    for pool, lines in exact_odds(game_name, rail_text).items():
        likeliest = max(lines.values())
        rows = [
            (line, str(chance), f"{float(chance):.4f}", "*" if chance == likeliest else "")
            for line, chance in sorted(lines.items(), key=lambda item: -item[1])
        ]
        grids.append(Grid(pool.capitalize(), ("Line", "Exact", "Chance", ""), tuple(rows)))
    rail = parse_rail(rail_text, WAGERS[game_name].track)
    shown = " ".join(symbol * count for symbol, count in zip(SUIT_SYMBOLS, rail, strict=True) if count)
    note = "Exact chances of all lines, likeliest first; * the likeliest of its pool."
    return Scene(game_name.replace("-", " ").title(), f"rail {shown}", grids=tuple(grids), note=note)


def _line(horses: tuple[int, ...] | list[int]) -> str:
    """A line as its horses: ``"D/C"``."""
    return "/".join(SUIT_LETTERS[suit] for suit in horses)
