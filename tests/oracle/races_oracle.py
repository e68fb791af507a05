"""The track race from real cards, and its exact law, written as plainly as possible.

Rule: RULES.md §1. Chance is handed in as whole deck orders; nothing here draws a card by itself.

Reading: a race stops at the card that settles the last place asked for. Once three horses have finished
the fourth is last by elimination, and no further card is dealt.
Reading: a place that the stock cannot settle (two or more horses that can never finish) is a `ValueError`;
under the four settings of the track table this never happens.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations

SUITS = (0, 1, 2, 3)  # H, D, C, S
RANKS = 13  # card = 13 * suit + rank, rank 0 is the ace
CARDS_PER_SUIT = 12  # without the ace

Order = tuple[int, ...]
Counts = tuple[int, ...]

ORDERS: tuple[Order, ...] = tuple(permutations(SUITS))  # the order index is a position in this tuple


@dataclass(frozen=True)
class Track:
    """One row of the track table. A rail with `redeal_at` or more cards of a suit is dealt again."""

    rail: int
    finish: int
    redeal_at: int | None = None


SUPERFECTA = Track(rail=6, finish=7)
HORSE_RACE = Track(rail=6, finish=7)
SCARNE = Track(rail=6, finish=6)
RACING_ACES = Track(rail=7, finish=8, redeal_at=5)


@dataclass(frozen=True)
class Race:
    """A finished race: `order` names the suits in the places asked for, `dealt` the stock cards used."""

    rail: tuple[int, ...]
    rail_counts: Counts
    order: Order
    dealt: tuple[int, ...]
    decks_used: int


def suit_of(card: int) -> int:
    """The suit of a card, 0 to 3."""
    return card // RANKS


def check_deck(deck: Sequence[int]) -> None:
    """Raise `ValueError` unless the deck holds each of the 48 cards that are not aces once."""
    wanted = [card for card in range(4 * RANKS) if card % RANKS != 0]
    if sorted(deck) != wanted:
        raise ValueError("a race deck holds each of the 48 non-ace cards exactly once")


def rail_counts(deck: Sequence[int], track: Track) -> Counts:
    """How many rail cards each suit shows: four ints in suit order."""
    shown = Counter(suit_of(card) for card in deck[: track.rail])
    return tuple(shown[suit] for suit in SUITS)


def next_deck(
    decks: Iterable[Sequence[int]] | Callable[[], Sequence[int]], track: Track
) -> tuple[list[int], int]:
    """The first deck whose rail stands, and how many decks were looked at.

    `decks` holds the deals in order, or is called for each; of an iterator no more is taken than needed.
    """
    source = iter(decks) if isinstance(decks, Iterable) else iter(decks, None)
    for used, deck in enumerate(source, start=1):
        check_deck(deck)
        if track.redeal_at is None or max(rail_counts(deck, track)) < track.redeal_at:
            return list(deck), used
    raise ValueError("the decks handed in ended before a rail stood")


def run_race(deck: Sequence[int], track: Track, places: int = 4, decks_used: int = 1) -> Race:
    """Deal the stock card by card until the first `places` (1 to 4) places are settled."""
    check_deck(deck)
    counts = rail_counts(deck, track)
    if track.redeal_at is not None and max(counts) >= track.redeal_at:
        raise ValueError("this rail has to be dealt again")
    spaces = [0, 0, 0, 0]
    order: list[int] = []
    dealt: list[int] = []
    for card in deck[track.rail :]:
        if len(order) >= min(places, 3):
            break
        dealt.append(card)
        suit = suit_of(card)
        if suit in order:
            continue  # this horse is home, its cards are ignored
        spaces[suit] += 1
        if spaces[suit] == track.finish:
            order.append(suit)
    if len(order) < min(places, 3):
        raise ValueError("the stock ran out before the places were settled")
    if places == 4:
        order.append(next(suit for suit in SUITS if suit not in order))
    return Race(tuple(deck[: track.rail]), counts, tuple(order), tuple(dealt), decks_used)


def chances_from(left: Counts, to_go: Counts, home: Order, places: int) -> dict[Order, Fraction]:
    """The chance of each list of the first `places` (1 to 3) horses, from the middle of a race.

    `left[suit]` cards are in the stock, the horse has `to_go[suit]` spaces to go, `home` has finished.
    Cards of a finished horse change nothing, so only the next card that moves a horse is looked at: it
    is of a suit still running with chance proportional to the cards of that suit in the stock.
    """
    running = {(left, to_go, home): Fraction(1)}
    settled: dict[Order, Fraction] = {}
    while running:
        after_one_card: dict[tuple[Counts, Counts, Order], Fraction] = {}
        for (cards, spaces, order), chance in running.items():
            if len(order) >= places:
                settled[order[:places]] = settled.get(order[:places], Fraction(0)) + chance
                continue
            movable = [suit for suit in SUITS if suit not in order]
            total = sum(cards[suit] for suit in movable)
            if total == 0:
                raise ValueError("the stock can run out before the places are settled")
            for suit in movable:
                if cards[suit] == 0:
                    continue
                fewer = tuple(cards[s] - (s == suit) for s in SUITS)
                nearer = tuple(spaces[s] - (s == suit) for s in SUITS)
                home_now = (*order, suit) if nearer[suit] == 0 else order
                state = (fewer, nearer, home_now)
                step = chance * Fraction(cards[suit], total)
                after_one_card[state] = after_one_card.get(state, Fraction(0)) + step
        running = after_one_card
    assert sum(settled.values()) == 1
    return settled


@cache
def _order_chances(counts: Counts, finish: int) -> dict[Order, Fraction]:
    left = tuple(CARDS_PER_SUIT - count for count in counts)
    first_three = chances_from(left, (finish,) * 4, (), 3)
    chances = {order: Fraction(0) for order in ORDERS}
    for order in ORDERS:  # the fourth is known by elimination
        chances[order] = first_three.get(order[:3], Fraction(0))
    return chances


def order_chances(counts: Sequence[int], finish: int) -> dict[Order, Fraction]:
    """The exact chance of each of the 24 orders of finish given the rail counts; they add up to 1."""
    return dict(_order_chances(tuple(counts), finish))


@cache
def _win_chances(counts: Counts, finish: int) -> tuple[Fraction, ...]:
    left = tuple(CARDS_PER_SUIT - count for count in counts)
    winner = chances_from(left, (finish,) * 4, (), 1)
    return tuple(winner.get((suit,), Fraction(0)) for suit in SUITS)


def win_chances(counts: Sequence[int], finish: int) -> tuple[Fraction, ...]:
    """The exact chance of each suit to come first given the rail counts."""
    return _win_chances(tuple(counts), finish)
