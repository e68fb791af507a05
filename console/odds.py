"""The exact chances of a rail, line by line, as a table or as JSON. No game is loaded for it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, Final, TypeAlias

from rich.console import Console

from ..games.bookmaking.prices import BOARD, PUBLISHED, price_text
from ..games.cards import SUIT_LETTERS, SUIT_SYMBOLS
from ..games.errors import InvalidSettings, UnknownName
from ..games.order_law import ORDERS, order_law, parse_rail
from ..games.scene import Grid, Scene
from ..games.track import HORSE_RACE, RACING_ACES, SCARNE, SUITS, SUPERFECTA, Track
from .screen import Screen

Odds: TypeAlias = dict[str, dict[str, Fraction]]  # pool -> line, as its horses -> exact chance


@dataclass(frozen=True, slots=True)
class Wagers:
    """The race a game is run as, and what can be bet on it."""

    title: str
    track: Track
    pools: tuple[tuple[str, int], ...] = (("win", 1),)  # how many horses a wager names, pool by pool
    priced: str = ""  # who sets the odds: "table" where they are published, "bank" where they are quoted


@dataclass(frozen=True, slots=True)
class Price:
    """What a bookmaker's horse is worth."""

    fair: Fraction | None  # net odds at which a bet is worth nothing; None for a horse that cannot win
    board: int | None  # the price published, or the highest of the board that is not above the fair odds
    expected: Fraction | None  # expected profit of a chip at that price, before payouts are rounded down


WAGERS: Final = {
    "superfecta": Wagers("Superfecta", SUPERFECTA, (("win", 1), ("exacta", 2), ("superfecta", 4))),
    "horse-race": Wagers("Horse Race", HORSE_RACE, priced="bank"),
    "scarne-horse-race": Wagers("Scarne's Horse Race", SCARNE, priced="bank"),
    "bookmaker": Wagers("Horse Race", HORSE_RACE, priced="bank"),
    "racing-aces": Wagers("Racing Aces", RACING_ACES, priced="table"),
}
HIDDEN: Final = {
    "pasteboard-derby": "the track lies face down and no horse is ahead, so all four are alike",
    "save-the-bet": "hands and stack are hidden; `railbird play` shows the chances by counting",
}  # games with nothing on show before the bets, and why


def has_odds(game_name: str) -> bool:
    """Whether a game's horses can be told apart before the bets, by a rail."""
    return game_name in WAGERS


def odds(game_name: str, rail_text: str, as_json: bool = False, console: Console | None = None) -> None:
    """Prints the exact chance of every line on a rail, and what a bookmaker's prices are worth.

    Args:
        game_name: the game, as on the command line.
        rail_text: the rail as suit letters, such as "HHDDCS".
        as_json: prints one JSON object, see `odds_object`.
        console: where to; None: standard output.

    Raises:
        UnknownName: there is no such game.
        InvalidSettings: the rail cannot occur, or the game has none.
    """
    screen = Screen(console)
    if as_json:
        screen.console.file.write(json.dumps(odds_object(game_name, rail_text)) + "\n")
    else:
        screen.show(odds_scene(game_name, rail_text))


def exact_odds(game_name: str, rail_text: str) -> Odds:
    """The exact chance that each line wins, pools and lines in the order of their numbers.

    Raises:
        UnknownName: there is no such game.
        InvalidSettings: the rail cannot occur, or the game has none.
    """
    wagers = _wagers(game_name)
    law = order_law(wagers.track, parse_rail(rail_text, wagers.track))
    exact: Odds = {}
    for pool, length in wagers.pools:
        exact[pool] = {_line(horses): Fraction(0) for horses in permutations(range(SUITS), length)}
        for order, chance in zip(ORDERS.tolist(), law, strict=True):
            exact[pool][_line(order[:length])] += chance
    return exact


def exact_prices(game_name: str, rail_text: str) -> dict[str, Price]:
    """What each horse is worth at a bookmaker's table: its fair odds, its price, the worth of a chip on it.

    Raises:
        UnknownName: there is no such game.
        InvalidSettings: the rail cannot occur, or the game has none or no bookmaker.
    """
    wagers = _wagers(game_name)
    if not wagers.priced:
        raise InvalidSettings(f"no bookmaker sets odds in {game_name}")
    rail = parse_rail(rail_text, wagers.track)
    prices = {}
    for letter, count, chance in zip(SUIT_LETTERS, rail, _win(exact_odds(game_name, rail_text)), strict=True):
        fair = (1 - chance) / chance if chance else None
        board = int(PUBLISHED[count]) if wagers.priced == "table" else not_above(fair)
        expected = None if board is None else chance * (1 + Fraction(*BOARD[board])) - 1
        prices[letter] = Price(fair, board, expected)
    return prices


def odds_object(game_name: str, rail_text: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The chances as JSON has them: ``{pool: {line: {"exact": "n/d", "p": float}}}``.

    A bookmaker's horse also has ``odds`` (its price: the one published, or the highest of the board not
    above the fair odds), ``fair`` and ``expectation`` (of a chip at that price), both
    ``{"exact": "n/d", "value": float}``; each is null where there is none.

    Raises:
        UnknownName: there is no such game.
        InvalidSettings: the rail cannot occur, or the game has none.
    """
    pools: dict[str, dict[str, dict[str, Any]]] = {
        pool: {line: {"exact": _fraction(chance), "p": float(chance)} for line, chance in lines.items()}
        for pool, lines in exact_odds(game_name, rail_text).items()
    }
    for horse, price in exact_prices(game_name, rail_text).items() if _wagers(game_name).priced else ():
        pools["win"][horse] |= {
            "odds": None if price.board is None else price_text(price.board),
            "fair": _value(price.fair),
            "expectation": _value(price.expected),
        }
    return pools


def odds_scene(game_name: str, rail_text: str) -> Scene:
    """The chances as a grid a pool, likeliest first, the likeliest marked; a bookmaker's horses in order.

    Raises:
        UnknownName: there is no such game.
        InvalidSettings: the rail cannot occur, or the game has none.
    """
    wagers = _wagers(game_name)
    rail = parse_rail(rail_text, wagers.track)
    shown = " ".join(symbol * count for symbol, count in zip(SUIT_SYMBOLS, rail, strict=True) if count)
    note = "Exact chances of all lines, likeliest first; * the likeliest of its pool."
    if wagers.priced:
        grids, note = _price_grids(game_name, rail_text), _price_note(wagers)
    else:
        grids = [_pool_grid(pool, lines) for pool, lines in exact_odds(game_name, rail_text).items()]
    return Scene(wagers.title, f"rail {shown}", grids=tuple(grids), note=note)


def _wagers(game_name: str) -> Wagers:
    if game_name in HIDDEN:
        raise InvalidSettings(f"{game_name} has nothing on show before the bets: {HIDDEN[game_name]}")
    if game_name not in WAGERS:
        raise UnknownName("game with odds", game_name, WAGERS)
    return WAGERS[game_name]


def _win(exact: Odds) -> list[Fraction]:
    return list(exact["win"].values())


def not_above(fair: Fraction | None) -> int | None:
    """The highest board price that is not above these net odds; None where even the lowest is."""
    within = [price for price, odds in enumerate(BOARD) if fair is None or Fraction(*odds) <= fair]
    return within[-1] if within else None


def _pool_grid(pool: str, lines: dict[str, Fraction]) -> Grid:
    likeliest = max(lines.values())
    rows = [
        (line, str(chance), f"{float(chance):.4f}", "*" if chance == likeliest else "")
        for line, chance in sorted(lines.items(), key=lambda item: -item[1])
    ]
    return Grid(pool.capitalize(), ("Line", "Exact", "Chance", ""), tuple(rows))


def _price_grids(game_name: str, rail_text: str) -> list[Grid]:
    """The chances and fair odds of the horses, and their prices with what a chip at each is worth."""
    prices = exact_prices(game_name, rail_text)
    chances = [
        (SUIT_SYMBOLS[suit], str(chance), f"{float(chance):.4f}", _fair_text(prices[SUIT_LETTERS[suit]].fair))
        for suit, chance in enumerate(_win(exact_odds(game_name, rail_text)))
    ]
    worth = []
    for symbol, price in zip(SUIT_SYMBOLS, prices.values(), strict=True):
        board = "none" if price.board is None else price_text(price.board)
        told = ("", "") if price.expected is None else (str(price.expected), f"{float(price.expected):+.6f}")
        worth.append((symbol, board, *told))
    title = "Published odds" if _wagers(game_name).priced == "table" else "Board prices"
    return [
        Grid("Win chances", ("Horse", "Exact", "Chance", "Fair odds"), tuple(chances)),
        Grid(title, ("Horse", "Odds", "Exact", "Per chip"), tuple(worth)),
    ]


def _fair_text(fair: Fraction | None) -> str:
    return "never wins" if fair is None else f"{float(fair):.3f}/1"


def _price_note(wagers: Wagers) -> str:
    if wagers.priced == "table":
        return "Exact chances to win, the published odds, and the expected profit of a chip on each horse."
    return (
        "Exact chances to win, the odds at which a bet is worth nothing, the highest price of the board not"
        " above them, and the expected profit of a chip at that price, before payouts are rounded down."
    )


def _line(horses: tuple[int, ...] | list[int]) -> str:
    """A line as its horses: ``"D/C"``."""
    return "/".join(SUIT_LETTERS[suit] for suit in horses)


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _value(value: Fraction | None) -> dict[str, str | float] | None:
    return None if value is None else {"exact": _fraction(value), "value": float(value)}
