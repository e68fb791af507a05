"""A finished turn as it can be told afterwards: what was bet, saved, won and taken. Rule: RULES.md §6."""

from __future__ import annotations

from dataclasses import dataclass

from ..cards import suit_of
from .sets import VALUE, CardSets, cards_in
from .settings import SaveTheBetSettings
from .state import NO_CARD, SaveTheBetState


@dataclass(frozen=True, slots=True)
class Turn:
    """The last whole turn of a table. Sets of cards are bit masks, a pair has one of each seat."""

    gamble: int  # card code
    bets: tuple[int, int]
    saves: tuple[int, int]
    won: tuple[bool, bool]
    gained: tuple[int, int]  # the cards each took into its hand when the turn was over
    held: tuple[int, int]  # what each had left in hand behind its bet, the card it was to save included
    ways: tuple[str, str]  # "won by suit", "won by value", "won by suit and value", "lost" or "nothing bet"

    def kept(self, seat: int, saved: bool) -> int:
        """What a seat has in hand, with or without the card it saves."""
        return self.held[seat] & ~self.saves[seat] if saved else self.held[seat]

    def change(self, seat: int) -> int:
        """By how many cards a seat holds more than before the turn."""
        return self.gained[seat].bit_count() - self.bets[seat].bit_count() - self.saves[seat].bit_count()


def last_turn(state: SaveTheBetState, settings: SaveTheBetSettings, lane: int) -> Turn | None:
    """The lane's last whole turn, None before the first."""
    gamble = int(state.last_gamble[lane])
    if gamble == NO_CARD:
        return None
    bets, saves = _pair(state.last_bets[lane]), _pair(state.last_saves[lane])
    won = (bool(state.last_won[lane, 0]), bool(state.last_won[lane, 1]))
    gained = _gained(gamble, bets, saves, won, settings.draw_returns == "swap")
    hands = _pair(state.hands[lane] | state.bets[lane])  # with what has been bet since
    held = (hands[0] & ~gained[0] | saves[0], hands[1] & ~gained[1] | saves[1])
    by_suit = settings.wins_by == "suit_or_value"
    ways = tuple(_way(bets[seat], saves[seat], gamble, by_suit) for seat in (0, 1))
    return Turn(gamble, bets, saves, won, gained, held, (ways[0], ways[1]))


def _pair(sets: CardSets) -> tuple[int, int]:
    first, second = (int(cards) for cards in sets)
    return first, second


def _gained(
    gamble: int, bets: tuple[int, int], saves: tuple[int, int], won: tuple[bool, bool], swap_draws: bool
) -> tuple[int, int]:
    """The cards each seat takes: all of them for one winner, else each its own or the other's."""
    table = (bets[0] | saves[0], bets[1] | saves[1])
    if won[0] != won[1]:
        everything = table[0] | table[1] | 1 << gamble
        return (everything, 0) if won[0] else (0, everything)
    return (table[1], table[0]) if not won[0] or swap_draws else table


def _way(bet: int, saved: int, gamble: int, by_suit: bool) -> str:
    """How a bet was won, or that it was not."""
    if not bet:
        return "nothing bet"
    suits = by_suit and suit_of(gamble) == suit_of(cards_in(bet)[0])
    value = worth(bet) + worth(saved) == int(VALUE[gamble])
    ways = [word for word, wins in (("suit", suits), ("value", value)) if wins]
    return f"won by {' and '.join(ways)}" if ways else "lost"


def worth(cards: int) -> int:
    """The sum of the values of some cards."""
    return sum(int(VALUE[card]) for card in cards_in(cards))
