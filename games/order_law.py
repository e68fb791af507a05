"""The exact law of the order of finish of the four-horse card race, as fractions, before and during a race.

The stock is a row of cards in random order, so a chance is a number of rows, cards of a suit being alike,
over the number of all rows. Rows are counted suit by suit: once those in which some horses come home in a
wanted order are counted by the card that brings the last of them home, laying the next suit's cards between
them is two binomial coefficients (`_bring_home`). Cards of a horse that is home, or cannot come home, leave
the order of the others as it is, so they are never counted.

Rule: RULES.md §1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, permutations, product
from math import comb
from operator import index
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .cards import SUIT_LETTERS
from .errors import InvalidSettings
from .track import CARDS_PER_SUIT, SUITS, Track

Counts: TypeAlias = tuple[int, int, int, int]  # cards of H, D, C, S
Horse: TypeAlias = tuple[int, int]  # stock cards it still needs, stock cards of its suit still to come
Table: TypeAlias = NDArray[np.float64]

_ORDERS = tuple(permutations(range(SUITS)))
_ORDER_INDEX = {order: i for i, order in enumerate(_ORDERS)}
ORDERS: NDArray[np.int8] = np.array(_ORDERS, dtype=np.int8)  # (24, 4): suits first to last, lexicographic
ORDERS.flags.writeable = False
BASES = (CARDS_PER_SUIT + 1) ** np.arange(SUITS)  # (4,): rail counts as the digits of one number


def rails(track: Track) -> list[Counts]:
    """Every rail that can occur, as counts of H, D, C, S in lexicographic order (Superfecta: 84 of them)."""
    shown = range(track.most_shown + 1)
    found: list[Counts] = []
    for hearts, diamonds, clubs in product(shown, repeat=SUITS - 1):
        spades = track.rail - hearts - diamonds - clubs
        if spades in shown:
            found.append((hearts, diamonds, clubs, spades))
    return found


def rail_index(track: Track, counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """The place of each rail in `rails(track)`.

    `counts` is `(..., 4)` of any integer dtype, the result `(...,)`.

    Raises:
        InvalidSettings: where one of the rails cannot occur.
    """
    counts = np.asarray(counts)
    if counts.shape[-1:] != (SUITS,) or not np.issubdtype(counts.dtype, np.integer):
        raise InvalidSettings(
            f"rail counts are {counts.dtype} of shape {counts.shape};"
            f" allowed are integers of shape (..., {SUITS})"
        )
    if (
        counts.size and not 0 <= counts.min() <= counts.max() <= CARDS_PER_SUIT
    ):  # the look-up would wrap around
        _checked_rail(track, counts[((counts < 0) | (counts > CARDS_PER_SUIT)).any(axis=-1)][0])
    places = np.asarray(_rail_places(track)[counts.astype(np.int64) @ BASES])  # (..., 4) -> (...,)
    if places.size and places.min() < 0:
        _checked_rail(track, counts[places < 0][0])
    return places


def rail_probability(track: Track) -> list[Fraction]:
    """The exact chance that each rail of `rails(track)` lies at the start.

    The cards are drawn without replacement from twelve of each suit; where a rail that shows a suit too often
    is dealt again, the chances are those of the rails that are kept.
    """
    deals = [_deals(rail) for rail in rails(track)]
    kept = sum(deals)
    return [Fraction(ways, kept) for ways in deals]


def order_law(
    track: Track,
    rail_counts: Iterable[int],
    dealt: Iterable[int] = (0, 0, 0, 0),
    finished: Iterable[int] = (),
) -> list[Fraction]:
    """The exact chance of each of the 24 orders of finish, in the order of `ORDERS`.

    `rail_counts` and `dealt` count the rail cards and the stock cards dealt so far by suit (H, D, C, S), a
    finished horse's ignored cards too; `finished` lists the horses already home, first to last: exactly those
    with `track.finish` or more cards dealt. A horse with too few cards left to come home is last for certain.
    Where several are in that state (never on the four tracks of the games) the cards decide nothing between
    them, and they are put last in the order of their suit index.

    Raises:
        InvalidSettings: where the rail, the cards dealt or the list of finished horses cannot occur.
    """
    home = tuple(index(suit) for suit in finished)
    horses = _horses(track, _checked_rail(track, rail_counts), dealt, home)
    still_out = [suit for suit in range(SUITS) if suit not in home]
    never = [suit for suit in still_out if horses[suit][0] > horses[suit][1]]
    # Sorted, so that rails which differ only by the names of their suits share one computation.
    racing = sorted((suit for suit in still_out if suit not in never), key=horses.__getitem__)
    law = [Fraction(0)] * len(_ORDERS)
    chances = _racing_law(tuple(horses[suit] for suit in racing))
    for order, chance in zip(permutations(racing), chances, strict=True):
        law[_ORDER_INDEX[*home, *order, *never]] = chance
    return law


def win_law(
    track: Track,
    rail_counts: Iterable[int],
    dealt: Iterable[int] = (0, 0, 0, 0),
    finished: Iterable[int] = (),
) -> list[Fraction]:
    """The exact chance of each suit (H, D, C, S) to come home first; arguments as for `order_law`.

    Raises:
        InvalidSettings: where the rail, the cards dealt or the list of finished horses cannot occur.
    """
    return _summed(order_law(track, rail_counts, dealt, finished), SUITS)


@cache
def win_table(track: Track) -> Table:
    """Win chances of the four suits for every rail: `(rails, 4) float64`, read-only, rows as in `rails`."""
    return _rounded([_summed(law, SUITS) for law in _laws(track)])


@cache
def order_table(track: Track) -> Table:
    """Chances of the 24 orders for every rail: `(rails, 24) float64`, read-only, columns as in `ORDERS`."""
    return _rounded(_laws(track))


@cache
def line_table(track: Track) -> Table:
    """The chance that each Superfecta line wins, for every rail: `(rails, 40) float64`, read-only.

    Columns: WIN 0-3, exacta 4-15, superfecta 16-39, each in lexicographic order of suits. Rule: RULES.md §2.
    """
    exactas = SUITS * (SUITS - 1)
    return _rounded([_summed(law, SUITS) + _summed(law, exactas) + law for law in _laws(track)])


def parse_rail(text: str, track: Track) -> Counts:
    """Counts of H, D, C, S of a rail written as suit letters, such as "HHDDCS".

    Upper and lower case are the same; spaces and commas are passed over.

    Raises:
        InvalidSettings: where another character appears or the rail cannot occur.
    """
    letters = [letter for letter in text.upper() if not letter.isspace() and letter != ","]
    for letter in letters:
        if letter not in SUIT_LETTERS:
            raise InvalidSettings(
                f"rail {text!r} has {letter!r}; allowed are {track.rail} of the letters H, D, C, S"
            )
    if len(letters) != track.rail:
        raise InvalidSettings(f"rail {text!r} has {len(letters)} cards; this track lays {track.rail}")
    return _checked_rail(track, (letters.count(suit) for suit in SUIT_LETTERS))


def _laws(track: Track) -> list[list[Fraction]]:
    return [order_law(track, rail) for rail in rails(track)]


def _summed(law: list[Fraction], lines: int) -> list[Fraction]:
    """Chances of the first (4 lines) or the first two (12): orders sharing them are adjacent in `ORDERS`."""
    run = len(law) // lines
    return [sum(law[i : i + run], Fraction(0)) for i in range(0, len(law), run)]


def _rounded(laws: list[list[Fraction]]) -> Table:
    table = np.array([[float(chance) for chance in law] for law in laws])
    table.flags.writeable = False
    return table


@lru_cache(maxsize=4096)
def _racing_law(horses: tuple[Horse, ...]) -> tuple[Fraction, ...]:
    """Chances of the orders of horses that can all come home, in the order of `permutations(horses)`."""
    rows, cards = 1, 0
    for _, to_come in horses:
        cards += to_come
        rows *= comb(cards, to_come)
    return tuple(Fraction(count, rows) for count in _rows_by_order([1], horses))


def _rows_by_order(home_by: list[int], still_out: tuple[Horse, ...]) -> Iterator[int]:
    if not still_out:
        yield home_by[-1]
    for i, horse in enumerate(still_out):
        yield from _rows_by_order(_bring_home(home_by, horse), still_out[:i] + still_out[i + 1 :])


def _bring_home(home_by: list[int], horse: Horse) -> list[int]:
    """Rows of the earlier suits' cards and this horse's in which it comes home next, counted by card.

    `home_by[n]` is the number of rows of the earlier suits' cards whose horses are all home, in the wanted
    order, after n cards; the result is the same with this horse as the last of them. It comes home on card n
    when needs - 1 of its cards are among the n - 1 before, the others' cards before being n - needs.
    """
    needs, to_come = horse
    spare = to_come - needs
    cards = len(home_by) - 1 + to_come
    home_on = [
        home_by[n - needs] * comb(n - 1, needs - 1) * comb(cards - n, spare)
        for n in range(needs, cards - spare + 1)
    ]
    return list(accumulate([0] * needs + home_on + [0] * spare))


def _horses(track: Track, rail: Counts, dealt: Iterable[int], home: tuple[int, ...]) -> list[Horse]:
    """What each suit needs and has to come, the state of the race checked."""
    moved = tuple(index(count) for count in dealt)
    stock = [CARDS_PER_SUIT - shown for shown in rail]
    if len(moved) != SUITS or not all(0 <= m <= left for m, left in zip(moved, stock, strict=False)):
        raise InvalidSettings(
            f"dealt is {moved}; with rail counts {rail} allowed are 0 to {', '.join(map(str, stock))}"
            " stock cards of H, D, C, S"
        )
    due = [suit for suit in range(SUITS) if moved[suit] >= track.finish]
    if sorted(home) != due:
        raise InvalidSettings(
            f"finished is {home}; it must list once each suit with {track.finish} or more cards dealt,"
            f" with dealt {moved} the suits {due}"
        )
    return [(track.finish - m, left - m) for m, left in zip(moved, stock, strict=True)]


def _checked_rail(track: Track, rail_counts: Iterable[int]) -> Counts:
    counts = tuple(index(count) for count in rail_counts)
    most = track.most_shown
    if len(counts) == SUITS and sum(counts) == track.rail and all(0 <= count <= most for count in counts):
        hearts, diamonds, clubs, spades = counts
        return hearts, diamonds, clubs, spades
    limit = track.reshuffle_at
    again = "" if limit is None else f" (a rail with {limit} or more of a suit is dealt again)"
    raise InvalidSettings(
        f"rail counts are {counts}; allowed are 0 to {most} of each of H, D, C, S, {track.rail} in all{again}"
    )


@cache
def _rail_places(track: Track) -> NDArray[np.int64]:
    """The place in `rails` by the four counts as digits of a number, `(13**4,)`; -1 where none occurs."""
    places = np.full((CARDS_PER_SUIT + 1) ** SUITS, -1, dtype=np.int64)
    for place, rail in enumerate(rails(track)):
        places[np.array(rail) @ BASES] = place
    return places


def _deals(rail: Counts) -> int:
    """Sets of rail cards with these counts."""
    ways = 1
    for count in rail:
        ways *= comb(CARDS_PER_SUIT, count)
    return ways
