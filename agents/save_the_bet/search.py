"""The kernels of the tree search: worlds, nodes, simulations, and what a position is worth.

A world is the position with the other's hand filled in and a key that the gambles to come hang on. The n-th
try of any first bet is made in the n-th world, so bets are compared by the same hands and gambles. The rules
are played by the game's own kernel, on a board that the world is copied to. Within a simulation the seat's
choices depend on nothing but the hand it would hold then and what it would know.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...games.kernels import Counts, Flags, Floats, Keys, Rows, inline_kernel, kernel
from ...games.save_the_bet.counting import MOST_BETS, count_stock, likeliest_bet
from ...games.save_the_bet.kernels import SAVE, play_phases
from ...games.save_the_bet.sets import NO_CARDS, CardSets, size_of
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import SaveTheBetState
from ...games.streams import fold, gamma_of
from .cards import score_bets, worth_of
from .one_turn import draw_hand
from .player import winning_save

HANDS: Final = np.uint64(1)  # word of the stream that deals the hidden hands
SPREAD: Final = 0.5  # cards of gain that make a bet's share of the first tries e times larger
RATE: Final = 0.105
POSITION: Final = np.array([42.0, 8.0, 6.0, 9.0, 9.0])
"""RATE is the log odds of winning the game for each card one is ahead, and POSITION (5,) the cards that the
chances of the best bets in hand are worth, one after the other: a logistic regression on 10,000 games of
`thrifty` against itself, both hands known.
"""


class Rules(NamedTuple):
    """What the kernels need of the settings."""

    deck: np.uint64
    by_suit: bool
    swaps_draws: bool
    target: int
    max_turns: int


class Tables(NamedTuple):
    """The arrays of a game's state that are played on, lane first; see `SaveTheBetState`."""

    hands: CardSets
    bets: CardSets
    public: CardSets
    stack: CardSets
    returned: CardSets
    gamble: Counts
    last_gamble: Counts
    last_bets: CardSets
    last_saves: CardSets
    last_won: Flags
    profit: Rows
    over: Flags
    key: Keys
    turn: Rows


class Nodes(NamedTuple):
    """The tree of one row. A node is a hand held after some turns; its bets are those of `weigh_bets`."""

    slots: Rows  # (a power of 2,) node of a slot, -1 for none
    hand: CardSets  # (nodes,)
    depth: Rows  # (nodes,) turns played
    choices: Rows  # (nodes,) bets
    bets: CardSets  # (nodes, 40)
    priors: Floats  # (nodes, 40)
    visits: Rows  # (nodes, 40)
    results: Floats  # (nodes, 40) sums of the values reached


def tables_of(state: SaveTheBetState) -> Tables:
    """The arrays of a state, not copied."""
    return Tables(*(getattr(state, name) for name in Tables._fields))


def rules_of(settings: SaveTheBetSettings) -> Rules:
    """The settings as kernels take them."""
    return Rules(
        np.uint64(settings.deck), settings.wins_by == "suit_or_value", settings.draw_returns == "swap",
        settings.target, settings.max_turns,
    )  # fmt: skip


def room_for(nodes: int) -> Nodes:
    """An empty tree with room for so many nodes."""
    size = 4
    while size < 2 * nodes:
        size *= 2
    wide = (nodes, MOST_BETS)
    return Nodes(
        np.empty(size, np.int64), np.empty(nodes, np.uint64), np.empty(nodes, np.int64),
        np.empty(nodes, np.int64), np.empty(wide, np.uint64), np.empty(wide), np.empty(wide, np.int64),
        np.empty(wide),
    )  # fmt: skip


@kernel
def write_saves(out, phase, hand, bet, public, gamble, by_suit):  # type: ignore[no-untyped-def]
    """Fills out (n, 1) with the winning saves, where a save is asked."""
    for i in range(out.shape[0]):
        if phase[i] == SAVE:
            out[i, 0] = winning_save(hand[i], bet[i], public[i], gamble[i], by_suit)


@kernel
def deal_worlds(hidden, streams, keys, worlds, unknown, public, held):  # type: ignore[no-untyped-def]
    """Fills hidden (n, 2) with hands of the other (and no bet) and streams (n,) with the keys of the worlds,
    so many of them for each of ``keys``.
    """
    for i in range(hidden.shape[0]):
        streams[i] = fold(keys[i // worlds], np.uint64(i % worlds))
        start = fold(streams[i], HANDS)
        hidden[i, 0], _ = draw_hand(unknown[i], public[i], held[i, 1], start, gamma_of(start))


@inline_kernel
def set_up(board, worlds, world):  # type: ignore[no-untyped-def]
    """Copies a world to the board."""
    for seat in range(2):
        board.hands[0, seat] = worlds.hands[world, seat]
        board.bets[0, seat] = NO_CARDS
        board.public[0, seat] = worlds.public[world, seat]
        board.profit[0, seat] = 0
    board.stack[0] = worlds.stack[world]
    board.returned[0] = worlds.returned[world]
    board.gamble[0] = worlds.gamble[world]
    board.over[0] = False
    board.key[0] = worlds.key[world]
    board.turn[0] = worlds.turn[world]


@kernel
def stock_seen(tables, lane, seat, deck):  # type: ignore[no-untyped-def]
    """What the gamble is drawn from for all that a seat knows before a bet, and the cards in the stack."""
    unknown = deck & ~(tables.hands[lane, seat] | tables.public[lane, 1 - seat] | tables.returned[lane])
    stacked = size_of(tables.stack[lane])
    return count_stock(unknown, tables.returned[lane], stacked), stacked


@kernel
def position_value(board, own, sets, rules):  # type: ignore[no-untyped-def]
    """The chance of a seat to win the game from here, half a win for a game drawn."""
    if board.over[0]:
        return 0.5 + 0.5 * board.profit[0, own]
    lead = np.float64(size_of(board.hands[0, own]) - size_of(board.hands[0, 1 - own]))
    for seat in range(2):
        stock, stacked = stock_seen(board, 0, seat, rules.deck)
        worth = worth_of(sets, POSITION, board.hands[0, seat], stock, stacked, rules.by_suit)
        lead += worth if seat == own else -worth
    return 1.0 / (1.0 + np.exp(-RATE * lead))


@kernel
def find_slot(nodes, hand, depth):  # type: ignore[no-untyped-def]
    """The slot of the node of a hand held after so many turns, or the empty one where it belongs."""
    mask = np.uint64(nodes.slots.shape[0] - 1)
    slot = fold(hand, np.uint64(depth)) & mask
    while True:
        node = nodes.slots[slot]
        if node < 0 or (nodes.hand[node] == hand and nodes.depth[node] == depth):
            return slot
        slot = (slot + np.uint64(1)) & mask


@kernel
def add_node(nodes, node, slot, depth, tables, lane, own, sets, worth, rules):  # type: ignore[no-untyped-def]
    """Enters the node of a seat's hand; the better `thrifty` thinks of a bet, the larger its share."""
    hand = tables.hands[lane, own]
    nodes.slots[slot], nodes.hand[node], nodes.depth[node] = node, hand, depth
    nodes.visits[node] = 0
    nodes.results[node] = 0.0
    won = np.empty(MOST_BETS, np.uint64)
    weights = np.empty(MOST_BETS, np.int64)
    stock, stacked = stock_seen(tables, lane, own, rules.deck)
    shares = nodes.priors[node]
    count = score_bets(
        shares, nodes.bets[node], won, weights, sets, worth, hand, stock, stacked, rules.by_suit,
        rules.swaps_draws,
    )  # fmt: skip
    nodes.choices[node] = count
    highest = shares[:count].max()
    total = 0.0
    for k in range(count):
        shares[k] = np.exp((shares[k] - highest) / SPREAD)
        total += shares[k]
    for k in range(count):
        shares[k] /= total


@kernel
def choose(nodes, node, exploration):  # type: ignore[no-untyped-def]
    """The place of the bet to try, by PUCT; a bet not tried yet is taken to do as the node does."""
    count = nodes.choices[node]
    visits, results = nodes.visits[node], nodes.results[node]
    tried = visits[:count].sum()
    mean = results[:count].sum() / tried if tried > 0 else 0.5
    best, most = 0, -np.inf
    for k in range(count):
        result = results[k] / visits[k] if visits[k] > 0 else mean
        hope = result + exploration * nodes.priors[node, k] * np.sqrt(tried + 1.0) / (1.0 + visits[k])
        if hope > most:
            best, most = k, hope
    return best


@kernel
def play_turn(board, decisions, rules):  # type: ignore[no-untyped-def]
    """Plays the bets of decisions (1, 2, 1), the gamble and the winning saves on the board."""
    lanes = np.zeros(1, np.int64)
    for phase in range(2):
        if phase == SAVE:
            for seat in range(2):
                decisions[0, seat, 0] = winning_save(
                    board.hands[0, seat], board.bets[0, seat], board.public[0, seat],
                    np.int64(board.gamble[0]), rules.by_suit,
                )  # fmt: skip
        play_phases(
            board.hands, board.bets, board.public, board.stack, board.returned, board.gamble,
            board.last_gamble, board.last_bets, board.last_saves, board.last_won, board.profit, board.over,
            decisions, lanes, board.key, board.turn, rules.by_suit, rules.swaps_draws, rules.target,
            rules.max_turns,
        )  # fmt: skip
        board.turn[0] += 1


@kernel
def grow_trees(  # type: ignore[no-untyped-def]
    chosen, seats, worlds, board, nodes, simulations, turns, exploration, sets, worth, rules
):
    """Fills chosen (n,) with the bet tried most often in each row's tree; ``worlds`` has ``simulations``
    lanes for each row.
    """
    path = np.empty((turns, 2), np.int64)  # node and bet
    decisions = np.empty((1, 2, 1), np.uint64)
    for i in range(chosen.shape[0]):
        own = seats[i]
        first = i * simulations
        nodes.slots[:] = -1
        add_node(
            nodes, 0, find_slot(nodes, worlds.hands[first, own], 0), 0, worlds, first, own, sets,
            worth, rules,
        )  # fmt: skip
        grown = 1
        for _ in range(simulations):
            bet = choose(nodes, 0, exploration)
            set_up(board, worlds, first + nodes.visits[0, bet])
            path[0, 0], path[0, 1] = 0, bet
            steps = 1
            inside = True  # no new node has been met yet
            for depth in range(turns):
                for seat in range(2):
                    stock, _ = stock_seen(board, 0, seat, rules.deck)
                    decisions[0, seat, 0], _ = likeliest_bet(
                        sets, board.hands[0, seat], stock, rules.by_suit, True
                    )
                hand = board.hands[0, own]
                if depth == 0:
                    decisions[0, own, 0] = nodes.bets[0, bet]
                elif inside and hand != 0:
                    slot = find_slot(nodes, hand, depth)
                    node = nodes.slots[slot]
                    if node < 0:
                        inside = False
                        node = grown
                        add_node(nodes, node, slot, depth, board, 0, own, sets, worth, rules)
                        grown += 1
                    path[steps, 0], path[steps, 1] = node, choose(nodes, node, exploration)
                    decisions[0, own, 0] = nodes.bets[node, path[steps, 1]]
                    steps += 1
                play_turn(board, decisions, rules)
                if board.over[0]:
                    break
            value = position_value(board, own, sets, rules)
            for step in range(steps):
                nodes.visits[path[step, 0], path[step, 1]] += 1
                nodes.results[path[step, 0], path[step, 1]] += value
        chosen[i] = nodes.bets[0, np.argmax(nodes.visits[0, : nodes.choices[0]])]
