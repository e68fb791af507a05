"""Save The Bet in OpenSpiel, ``railbird_save_the_bet``. Rule: RULES.md §6.

Players: 2, zero-sum: +1 for a game won, -1 for one lost, 0 for a draw.

Chance: each seat's hand, card by card in ascending order, so that every deal comes once; then each gamble,
every card of the stack being equally likely. Outcomes are card codes.

Actions: those of the other doors, 0 to 52: a bet is written card by card and handed in with 0, a save is one
card or 0. Bets are made at once, and so are saves: seat 0 writes first and seat 1 does not see it.

Parameters: those of `SaveTheBetSettings`.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import asdict, replace
from math import comb
from typing import Final

import numpy as np

from ...games.cards import CARDS, card_text
from ...games.kernels import Features, Rows
from ...games.save_the_bet.bets import print_cards
from ...games.save_the_bet.encoding import SaveTheBetEncoding
from ...games.save_the_bet.odds import unknown_cards
from ...games.save_the_bet.sets import SUIT_SET, cards_in, set_of
from ...games.save_the_bet.settings import SaveTheBetSettings
from ...games.save_the_bet.state import NO_CARD, Phase
from ...games.save_the_bet.table import SaveTheBet
from ...games.streams import Draws
from .games import Params, Size, TableGame, game_type
from .laws import Chances

PARAMS: Final[Params] = asdict(SaveTheBetSettings())
RECORD: Final = ("last_gamble", "last_bets", "last_saves", "last_won")  # of the state: both have seen it
SAVE_THE_BET_TYPE: Final = game_type("railbird_save_the_bet", "Railbird: Save The Bet", (2, 2), PARAMS, 0)


class SaveTheBetGame(TableGame):
    """Save The Bet; see the module.

    Raises:
        InvalidSettings: a parameter is out of range.
    """

    def __init__(self, params: Params | None = None) -> None:
        params = PARAMS | (params or {})
        settings = SaveTheBetSettings(**params)
        table = SaveTheBet(settings)
        table.start()
        turns = settings.max_turns
        size = Size(
            outcomes=CARDS,
            actions=2 * turns * (settings.ranks + 2),  # a bet of all ranks, handed in, and a save
            deals=2 * settings.hand_size + turns,
            turns=2 * turns,
            lowest=-1,
            highest=1,
            total=0,
        )
        super().__init__(SAVE_THE_BET_TYPE, params, SaveTheBetLaw(settings), table, size)


class SaveTheBetLaw:
    """The chance of Save The Bet; see `railbird.envs.open_spiel.laws.Law`."""

    def __init__(self, settings: SaveTheBetSettings) -> None:
        self.settings = settings
        self.encoding = SaveTheBetEncoding(settings)
        self.recorded = 5 * CARDS

    def to_deal(self, table: SaveTheBet, dealt: tuple[int, ...]) -> Chances:
        size = self.settings.hand_size
        if table.state.turn[0] > 0 or len(dealt) == 2 * size:
            return ()
        own = dealt[len(dealt) // size * size :]
        others = dealt[: len(dealt) - len(own)]
        rest = [
            card
            for card in cards_in(self.settings.deck)
            if card not in others and (not own or card > own[-1])
        ]
        need, count = size - len(own), len(rest)
        ways = comb(count, need)  # to choose the rest of the hand; those in which this card is the lowest:
        return tuple(
            (card, comb(count - 1 - place, need - 1) / ways)
            for place, card in enumerate(rest)
            if count - 1 - place >= need - 1
        )

    def lay(self, table: SaveTheBet, dealt: tuple[int, ...]) -> SaveTheBet:
        if not dealt:
            return table
        size = self.settings.hand_size
        hand, other = set_of(dealt[:size]), set_of(dealt[size:])
        view = replace(table.view(0), hand=np.array([hand]))
        return SaveTheBet.from_view(self.settings, view, np.array([[other, 0]], np.uint64))

    def to_turn(self, table: SaveTheBet) -> Chances:
        if table.phase[0] != Phase.BET:
            return ()
        stack = cards_in(table.state.stack[0])
        return tuple((card, 1 / len(stack)) for card in stack)

    def cause(self, table: SaveTheBet) -> Hashable:
        return int(table.state.turn[0]), int(table.state.stack[0])

    def came(self, table: SaveTheBet) -> Rows:
        return table.state.gamble.astype(np.int64)

    def resample(self, table: SaveTheBet, seat: int, draws: Draws) -> SaveTheBet:
        view = table.view(seat)
        unknown, public = int(unknown_cards(self.settings, view)[0]), int(view.other_public[0])
        bet = _bet(unknown, public, int(view.held[0, 1]), int(view.wagered[0, 1]), draws)
        held = cards_in(public & ~bet)
        rest = cards_in(unknown & ~bet)
        hand = set_of([*held, *_some(rest, int(view.held[0, 1]) - len(held), draws)])
        other = SaveTheBet.from_view(self.settings, view, np.array([[hand, bet]], np.uint64))
        for name in RECORD:
            getattr(other.state, name)[:] = getattr(table.state, name)
        return other

    def seen(self, table: SaveTheBet, seat: int) -> str:
        view, state = table.view(seat), table.state
        parts = [
            f"hand {print_cards(view.hand[0])}, bet {print_cards(view.bet[0])}",
            f"theirs {print_cards(view.other_public[0])}, {view.held[0, 1]}+{view.wagered[0, 1]} cards",
            f"back {print_cards(view.returned[0])}",
        ]
        if state.last_gamble[0] != NO_CARD:
            tables = [
                f"{print_cards(state.last_bets[0, i])}+{print_cards(state.last_saves[0, i])}" for i in (0, 1)
            ]
            parts.append(f"last {card_text(state.last_gamble[0])} {' '.join(tables)}")
        if view.gamble[0] != NO_CARD:
            parts.append(f"gamble {card_text(view.gamble[0])}")
        return f"turn {view.turn[0]}: " + ", ".join(parts)

    def record(self, table: SaveTheBet) -> Features:
        """Zeros and ones, 52 each: the last bets of seats 0 and 1, their saves, the gamble."""
        state = table.state
        gamble = int(state.last_gamble[0])
        shown = set_of([] if gamble == NO_CARD else [gamble])
        sets = np.array([*state.last_bets[0], *state.last_saves[0], shown], np.uint64)
        return (sets[:, None] >> np.arange(CARDS, dtype=np.uint64) & np.uint64(1)).astype(np.float32).ravel()

    def deal_text(self, outcome: int, dealt: tuple[int, ...]) -> str:
        return f"{card_text(outcome)} to seat {len(dealt) // self.settings.hand_size}"

    def turn_text(self, outcome: int) -> str:
        return f"gamble {card_text(outcome)}"


def _bet(unknown: int, public: int, held: int, wagered: int, draws: Draws) -> int:
    """A bet of the other's, drawn so that all pairs of a bet and a hand that fit are equally likely.

    Args:
        unknown: the cards the other or the stack has.
        public: the cards known to be the other's.
        held: how many it has in hand.
        wagered: how many it has bet, all of one suit.
        draws: one lane.
    """
    if not wagered:
        return 0
    kinds: list[
        tuple[list[int], list[int], int]
    ] = []  # known cards of a suit, unknown ones, how many of these
    ways: list[int] = []
    hidden = held + wagered - public.bit_count()  # unknown cards the other has
    for suit in np.unique(SUIT_SET).tolist():
        known, more = cards_in(public & suit), cards_in(unknown & suit)
        for count in range(min(wagered, hidden) + 1):
            hands = comb(unknown.bit_count() - count, hidden - count)
            ways.append(comb(len(known), wagered - count) * comb(len(more), count) * hands)
            kinds.append((known, more, count))
    shares = np.cumsum(np.array(ways) / sum(ways))
    kind = int(np.searchsorted(shares, draws.uniform(1)[0, 0], side="right"))
    known, more, count = kinds[min(kind, len(kinds) - 1)]
    return int(set_of([*_some(known, wagered - count, draws), *_some(more, count, draws)]))


def _some(cards: list[int], count: int, draws: Draws) -> list[int]:
    """So many of the cards, every set of them equally likely."""
    return [cards[place] for place in np.argsort(draws.uniform(len(cards))[0])[:count]]
