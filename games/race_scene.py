"""What there is to see of a race with a rail, card by card: the horses, their chances, the cards dealt.

Rule: RULES.md §1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .cards import CARDS, RANKS, SUIT_SYMBOLS
from .order_law import ORDERS, order_law
from .scene import CardRow, Course, Runner, card_sign
from .track import SUITS, Track

PLACES: Final = ("1st", "2nd", "3rd", "4th")
SHOWN: Final = 5  # stock cards left in sight behind the last one dealt


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a race has come, from the cards themselves."""

    track: Track
    places: int  # raced for: 1, or 3, which leaves the last place by elimination
    rail: tuple[int, ...]  # (4,) rail cards of each suit
    stock: tuple[int, ...]  # cards dealt from the stock, first to last
    dealt: tuple[int, ...]  # (4,) stock cards of each suit
    finished: tuple[int, ...]  # horses home, first to last
    chances: tuple[Fraction, ...]  # (4,) of being the next horse home, 0 for those that are

    @property
    def decided(self) -> bool:
        """Whether all places that are raced for are known."""
        return len(self.finished) == self.places

    @property
    def size(self) -> int:
        """Cards behind the rail when the race begins."""
        return CARDS - SUITS - self.track.rail

    @property
    def stage(self) -> str:
        """How far it is, in words."""
        return "finished" if self.decided else f"{len(self.stock)} of {self.size} stock cards dealt"

    def place(self, suit: int) -> str:
        """The place of a horse, empty while it has none."""
        if suit in self.finished:
            return PLACES[self.finished.index(suit)]
        return PLACES[-1] if self.decided and self.places == SUITS - 1 else ""


def progress(track: Track, places: int, rail: Sequence[int], stock: Sequence[int] = ()) -> Progress:
    """A race for so many places after these stock cards; ``rail`` (4,) counts those of H, D, C, S."""
    dealt = [0] * SUITS
    finished = []
    for card in stock:
        suit = card // RANKS
        dealt[suit] += 1
        if dealt[suit] == track.finish:
            finished.append(suit)
    chances = [Fraction(0)] * SUITS
    place = len(finished)
    if place < places:
        for order, chance in zip(ORDERS, order_law(track, rail, dealt, finished), strict=True):
            chances[order[place]] += chance
    shown = tuple(int(count) for count in rail)
    return Progress(track, places, shown, tuple(stock), tuple(dealt), tuple(finished), tuple(chances))


def card_rows(now: Progress) -> tuple[CardRow, ...]:
    """The newest cards and the stock; the last one dealt lies beside the stock."""
    return CardRow("Dealt", now.stock[-SHOWN:]), CardRow(f"Stock {now.size - len(now.stock)}", (None,))


def course_of(now: Progress, rail: Sequence[int], beside: Sequence[str] = ("",) * SUITS) -> Course:
    """The track with the rail's cards, each horse with its live chance or place and what else stands
    ``beside`` it, its odds for instance.
    """
    runners = []
    for suit in range(SUITS):
        place = now.place(suit)
        chance = None if now.decided or place else float(now.chances[suit])
        words = (place if chance is None else f"{100 * chance:.2f} %", beside[suit])
        note = " · ".join(word for word in words if word)
        steps = min(now.dealt[suit], now.track.finish)
        runners.append(Runner(suit, steps, note, home=suit in now.finished, chance=chance))
    cards = CardRow("Rail", tuple(int(card) for card in rail))
    return Course(now.track.finish, tuple(runners), cards)


def card_note(now: Progress) -> str:
    """What the last stock card did."""
    card = now.stock[-1]
    horse = SUIT_SYMBOLS[card // RANKS]
    count, finish = now.dealt[card // RANKS], now.track.finish
    if count > finish:
        return f"{card_sign(card)} is ignored: {horse} is home already."
    if count == finish:
        return f"{card_sign(card)} brings {horse} home {now.place(card // RANKS)}."
    return f"{card_sign(card)} moves {horse} on to space {count}."
