"""Railbird's games as they are: whole decisions of all seats in, money out, all tables in one batch.

Tickets, quotes and horses are drawn beforehand: what is legal does not depend on the table. Cards to bet
or save do, so they are chosen by numbers that were drawn beforehand. A decision is what one seat that can
still pay is asked for once: a ticket of up to 40 wagers, four prices, a horse, a bet of any number of cards,
a save. Tables that are over start again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....games.kernels import Rows, kernel
from ....games.registry import load
from ....games.save_the_bet.encoding import SaveTheBetEncoding
from ....games.save_the_bet.kernels import BET
from ....games.save_the_bet.sets import NO_CARDS, ONE, SUIT_SET, CardSets, size_of
from ....games.save_the_bet.settings import SaveTheBetSettings
from ...save_the_bet import card_by_card
from .dice import ROUNDS

PACKAGES = ("railbird", "numpy", "numba")
LANES = 4096
TICKETS = 16  # batches of decisions before they come round again
PASS = 48  # turns
LINE, SUIT = 0.05, 0.3  # chance of a wager on each line of Superfecta, on each suit of Horse Race

Decisions = NDArray[Any]


def tickets(game: Any, rng: np.random.Generator) -> Decisions:
    """Superfecta: a chip on about two of the 40 lines for every seat."""
    return (rng.random((game.lanes, game.seats, 40)) < LINE).astype(np.int16)


def aces(game: Any, rng: np.random.Generator) -> Decisions:
    """Racing Aces: a chip on one of the suits or on none, all five equally likely."""
    drawn: Decisions = game.blank()
    players = game.settings.seats
    drawn[:, :players] = np.eye(5, 4, dtype=np.int16)[rng.integers(0, 5, (game.lanes, players))]
    return drawn


def book(game: Any, rng: np.random.Generator) -> tuple[Decisions, Decisions]:
    """Horse Race: four prices of the house, then the smallest stake on about one suit for every player."""
    quotes, bets = game.blank(), game.blank()
    quotes[:, -1] = rng.integers(5, 25, (game.lanes, 4))
    bets[:, :-1] = game.settings.minimum * (rng.random(bets[:, :-1].shape) < SUIT)
    return quotes, bets


def horses(game: Any, rng: np.random.Generator) -> Decisions:
    """Pasteboard Derby: a horse for every seat."""
    drawn: Decisions = rng.integers(1, 5, (game.lanes, game.seats, 1)).astype(np.int8)
    return drawn


@kernel
def nth(cards, number):  # type: ignore[no-untyped-def]
    """The set of the number-th lowest card of a set that has more."""
    for _ in range(number):
        cards &= cards - ONE
    return cards & (~cards + ONE)


@kernel
def draw_cards(decisions, turn, hands, bets, gamble, words):  # type: ignore[no-untyped-def]
    """Fills decisions (lanes, 2, 1) from words (lanes, 2) uint64: a random card of the hand and each other of
    its suit with chance 1/2, or no save with chance 1/2 and else any card that may be saved.
    """
    for lane in range(decisions.shape[0]):
        for seat in range(2):
            hand, word = hands[lane, seat], words[lane, seat]
            betting = turn[lane] & 1 == BET
            if not betting:
                hand &= SUIT_SET[gamble[lane]]
                if bets[lane, seat] == 0 or word & ONE:
                    hand = NO_CARDS
            if hand == 0:
                decisions[lane, seat, 0] = NO_CARDS
                continue
            card = nth(hand, ((word >> np.uint64(52)) * np.uint64(size_of(hand))) >> np.uint64(12))
            if betting:
                for suit in range(4):
                    if card & SUIT_SET[13 * suit]:
                        card |= hand & SUIT_SET[13 * suit] & word
            decisions[lane, seat, 0] = card


def save_the_bet(lanes: int = LANES) -> tuple[Any, Callable[[], Decisions]]:
    """The game, and random bets or saves for the phase it is in."""
    spec = load("save-the-bet")
    game = spec.game(spec.make_settings(), 0, lanes)
    words: CardSets = np.random.default_rng(0).integers(0, 2**64, (ROUNDS, lanes, 2), np.uint64)
    drawn, turns = game.blank(), cycle(words)

    def decide() -> Decisions:
        state = game.state
        draw_cards(drawn, state.turn, state.hands, state.bets, state.gamble, next(turns))
        return drawn

    return game, decide


def race_game(
    name: str, draw: Callable[..., Any], lanes: int = LANES, **rules: Any
) -> tuple[Any, Callable[[], Decisions]]:
    """The game, and random decisions drawn before."""
    spec = load(name)
    game = spec.game(spec.make_settings(**rules), 0, lanes)
    rng = np.random.default_rng(0)
    found: list[Decisions] = []
    for _ in range(TICKETS):
        drawn = draw(game, rng)
        found += drawn if isinstance(drawn, tuple) else (drawn,)
    turns = cycle(found)
    return game, lambda: next(turns)


GAMES: dict[str, Callable[[], tuple[Any, Callable[[], Decisions]]]] = {
    "superfecta": partial(race_game, "superfecta", tickets),
    "racing-aces": partial(race_game, "racing-aces", aces),
    "racing-aces-six": partial(race_game, "racing-aces", aces, seats=6),
    "horse-race": partial(race_game, "horse-race", book),
    "pasteboard-derby": partial(race_game, "pasteboard-derby", horses),
    "save-the-bet": save_the_bet,
}


def played(name: str) -> Callable[[], float]:
    """Decisions in, money out."""
    game, decide = GAMES[name]()

    def work() -> float:
        return sum(_turn(game, decide) for _ in range(PASS))

    return work


def observed(name: str) -> Callable[[], float]:
    """The same, and every turn an observation for every seat before it decides."""
    game, decide = GAMES[name]()
    encoding = load(game.name).encoding(game.settings)
    seen = np.empty((game.lanes, game.settings.seats, encoding.features), np.float32)

    def work() -> float:
        made = 0.0
        for _ in range(PASS):
            encoding.observe_all(game.state, seen)
            made += _turn(game, decide)
        return made

    return work


def _turn(game: Any, decide: Callable[[], Decisions]) -> float:
    """Plays a turn in every lane, those that are over having started again; the decisions it took."""
    if game.over.any():
        game.start(game.over.copy())
    asked: Rows = game.to_act & ~game.out
    game.submit(decide())
    return float(np.count_nonzero(asked))


def written() -> Callable[[], float]:
    """Save The Bet action by action, an observation and a mask before each; an action is a decision."""
    settings = SaveTheBetSettings()
    encoding = SaveTheBetEncoding(settings)
    return card_by_card(settings, encoding, encoding.observe)


FORMS = {f"{name}_played": partial(played, name) for name in GAMES} | {
    f"{name}_observed": partial(observed, name) if name != "save-the-bet" else written for name in GAMES
}
