"""Tables of Save The Bet as rows: copied, told apart, and asked what is legal and what can be turned up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from math import ceil, comb, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.contract import State
from ...games.kernels import Keys, Rows
from ...games.save_the_bet.sets import ONE, CardSets
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.table import SaveTheBet


def table_of(settings: SaveTheBetSettings, tables: State) -> SaveTheBet:
    """A game with a lane for each of these tables."""
    game = SaveTheBet(settings, 0, len(tables["over"]))
    game.load(tables)
    return game


def tables_in(game: SaveTheBet, rows: Rows) -> State:
    """The tables in some of the game's lanes, copied."""
    return {item.name: getattr(game.state, item.name)[rows] for item in fields(game.state)}


def take(tables: State, rows: Rows) -> State:
    """Some of the tables, any number of times each."""
    return {name: array[rows] for name, array in tables.items()}


def distinct(columns: Iterable[NDArray[Any]]) -> tuple[Rows, Rows]:
    """Which of the different rows each row is, (n,), and the first row of each kind.

    Args:
        columns: integers or flags, (n,) or (n, k) each.
    """
    kind: Rows = np.zeros(1, np.int64)
    for column in columns:
        for part in column.reshape(len(column), -1).T:
            values, place = np.unique(part, return_inverse=True)
            if len(values) > 1:
                kind = np.unique(kind * len(values) + place, return_inverse=True)[1]  # below n² < 2^63
    return kind, np.unique(kind, return_index=True)[1]


def number_of_deals(settings: SaveTheBetSettings) -> int:
    """In how many ways two hands can be dealt."""
    cards, size = settings.cards, settings.hand_size
    return comb(cards, size) * comb(cards - size, size)


def all_deals(settings: SaveTheBetSettings) -> State:
    """A table for each deal, as the game deals them, before the first bet."""
    deals, seed = number_of_deals(settings), 0
    while True:
        game = SaveTheBet(settings, seed, enough(deals))
        game.start()
        rows = distinct([game.state.hands])[1]
        if len(rows) == deals:
            return tables_in(game, rows)
        seed += 1


def legal_decisions(game: SaveTheBet, seat: int) -> tuple[Rows, CardSets]:
    """All decisions of a seat that the game finds no fault with: the lane of each, ascending, and the cards.

    A seat that is not to act has one, the empty set.
    """
    rest = game.state.hands[:, seat].copy()
    held = np.bitwise_count(rest).astype(np.int64)[:, None]
    parts = np.zeros((game.lanes, 1), np.uint64)  # of the hand, ascending; a hand of n cards has 2^n
    for _ in range(int(held.max())):
        lowest = rest & (~rest + ONE)
        parts = np.column_stack([parts, parts | lowest[:, None]])
        rest ^= lowest
    asked = game.to_act[:, seat]
    legal = (np.arange(parts.shape[1]) < 1 << held) & asked[:, None]
    decisions = game.blank()
    for place in range(parts.shape[1]):
        decisions[:, seat, 0] = parts[:, place]
        legal[:, place] &= game.faults(decisions)[:, seat] == 0
    legal[:, 0] |= ~asked
    lanes, places = np.nonzero(legal)
    return lanes, parts[lanes, places]


def keys_of_gambles(settings: SaveTheBetSettings, turn: int) -> Keys:
    """(52,) for each card of the deck the key of an episode in which it is this turn's gamble (turns from 0).

    The game turns up the first of a stream of random cards that lies in the stack. A card that comes first
    from a stack of the whole deck therefore comes first from any stack it is in.
    """
    found: dict[int, np.uint64] = {}
    seed = 0
    while len(found) < settings.cards:
        game = SaveTheBet(settings, seed, enough(settings.cards))
        game.start()
        game.state.hands[:] = 0
        game.state.stack[:] = settings.deck
        game.state.turn[:] = 2 * turn
        game.submit(game.blank())
        found |= dict(zip(game.state.gamble.tolist(), game.state.key, strict=True))
        seed += 1
    keys = np.zeros(52, np.uint64)
    keys[list(found)] = list(found.values())
    return keys


def enough(kinds: int) -> int:
    """Draws after which equally likely kinds have all come up, but for about once in 3,000 times (e^-8)."""
    return kinds * (8 + ceil(log(kinds)))
