"""Pasteboard Derby, card by card, in the plainest words: the independent check of the fast game.

Rule: RULES.md §5. A race takes a deck order (the first seven cards are the track, which nobody sees and
nothing depends on; the rest is the stock) and, for the rare race that deals the whole stock, a callable that
is given the dealt cards in the order they were dealt and returns them in the order of the new stock.

Reading: the dealt cards are shuffled when a card is wanted and the stock is empty, if need be in the middle
of a round; the cards of that round are among them.
Reading: a run-off deals in the order H, D, S, C to the horses that are level, one card each, again and again.
The first that is ahead alone has won it; the others of the last card are ranked by where they stand, and all
of them stay ahead of those that fell behind earlier. Moves in a run-off count on from where the horses stand.
Reading: the loser of a run-off for first is second, whatever the horses did that took no part in it. If
several are level behind the winner, they run off for it with the same rule, on from where they stand.
Reading: whether second place is raced for depends on six payers alone, not on anybody having named a horse
that could be second.
Reading: every payer has to name a horse; a seat that sits out names None.
Reading: the end is looked for after each race: after the last one, or when fewer than three can pay the next
ante, the bank is divided among all seats, and the share belongs to that race's profit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import races_oracle

H, D, C, S = races_oracle.SUITS
DEALING_ORDER = (H, D, S, C)
TRACK_CARDS = 7
START = 1  # under the first track card
PAST_THE_LINE = TRACK_CARDS + 1
PAYERS_FOR_SECOND_PLACE = 6
PAYERS_AT_LEAST = 3

Reshuffle = Callable[[list[int]], Sequence[int]]


@dataclass(frozen=True)
class Settings:
    """The table's rules, money in chips."""

    seats: int = 6
    races: int = 12
    bankroll: int = 100
    ante: int = 2
    places: int = 1
    advance: str = "affinity"

    def __post_init__(self) -> None:
        if not 3 <= self.seats <= 12:
            raise ValueError("a Derby has 3 to 12 seats")
        if self.places not in (1, 2):
            raise ValueError("places is 1 or 2")
        if self.advance not in ("affinity", "pips"):
            raise ValueError("advance is 'affinity' or 'pips'")
        if self.races < 1 or not 1 <= self.ante <= self.bankroll:
            raise ValueError("at least one race, and an ante that everybody can pay once")


def is_red(suit: int) -> bool:
    """Whether the suit is hearts or diamonds."""
    return suit in (H, D)


def move(horse: int, card: int, advance: str) -> int:
    """How many spaces this card moves this horse."""
    if advance == "pips":
        return card % races_oracle.RANKS + 1  # rank 1 is the two, 12 the king: 13
    suit = races_oracle.suit_of(card)
    if suit == horse:
        return 3
    return 2 if is_red(suit) == is_red(horse) else 1


class Dealer:
    """The stock and the cards dealt from it; the track is not among them."""

    def __init__(self, deck: Sequence[int], reshuffle: Reshuffle) -> None:
        races_oracle.check_deck(deck)
        self.stock = list(deck[TRACK_CARDS:])
        self.dealt: list[int] = []
        self.reshuffle = reshuffle
        self.reshuffles = 0

    def deal(self) -> int:
        """The next card; the dealt cards are shuffled first if the stock has run out."""
        if not self.stock:
            shuffled = list(self.reshuffle(list(self.dealt)))
            if sorted(shuffled) != sorted(self.dealt):
                raise ValueError("the new stock has to hold the cards dealt before")
            self.stock = shuffled
            self.dealt = []
            self.reshuffles += 1
        card = self.stock.pop(0)
        self.dealt.append(card)
        return card


@dataclass(frozen=True)
class Finish:
    """How a race ended. `second` is None in a race for first only. Positions are those at the very end."""

    winner: int
    second: int | None
    rounds: int  # until somebody was past the line
    positions: tuple[int, ...]
    cards: tuple[int, ...]  # all dealt cards, in order
    run_offs: int  # cards each that horses level with each other took, for first and for second
    reshuffles: int


class Running:
    """One race under way."""

    def __init__(self, deck: Sequence[int], advance: str, reshuffle: Reshuffle) -> None:
        self.dealer = Dealer(deck, reshuffle)
        self.advance = advance
        self.position = [START] * 4
        self.cards: list[int] = []
        self.rounds = 0
        self.run_offs = 0

    def card_each(self, horses: Sequence[int]) -> None:
        """Deal one card to each of these horses, in the dealer's order."""
        for horse in DEALING_ORDER:
            if horse in horses:
                card = self.dealer.deal()
                self.cards.append(card)
                self.position[horse] += move(horse, card, self.advance)

    def past_the_line(self, horses: Sequence[int]) -> list[int]:
        """Those of the horses that have passed the seventh track card."""
        return [horse for horse in horses if self.position[horse] >= PAST_THE_LINE]

    def farthest(self, horses: Sequence[int]) -> list[int]:
        """Those of the horses that are farthest on."""
        best = max(self.position[horse] for horse in horses)
        return [horse for horse in horses if self.position[horse] == best]

    def run_off(self, level: Sequence[int]) -> tuple[int, list[int]]:
        """The winner among level horses, and those who shared the last card with it; none if it was alone."""
        level = list(level)
        losers: list[int] = []
        while len(level) > 1:
            self.run_offs += 1
            self.card_each(level)
            ahead = self.farthest(level)
            losers = [horse for horse in level if horse not in ahead]
            level = ahead
        return level[0], losers

    def second_place(self, winner: int, run_off_losers: list[int]) -> int:
        """The second horse, once the winner and those who lost the run-off for first are known."""
        others = [horse for horse in DEALING_ORDER if horse != winner]
        candidates = run_off_losers or self.past_the_line(others)
        while not candidates:
            self.card_each(others)
            candidates = self.past_the_line(others)
        second, _ = self.run_off(self.farthest(candidates))
        return second

    def race(self, places: int) -> Finish:
        """Run it to the first or the second place."""
        while not self.past_the_line(DEALING_ORDER):
            self.card_each(DEALING_ORDER)
            self.rounds += 1
        winner, losers = self.run_off(self.farthest(DEALING_ORDER))
        second = self.second_place(winner, losers) if places == 2 else None
        return Finish(
            winner=winner,
            second=second,
            rounds=self.rounds,
            positions=tuple(self.position),
            cards=tuple(self.cards),
            run_offs=self.run_offs,
            reshuffles=self.dealer.reshuffles,
        )


def run_race(deck: Sequence[int], advance: str, places: int, reshuffle: Reshuffle) -> Finish:
    """Run one race to `places` (1 or 2) places."""
    return Running(deck, advance, reshuffle).race(places)


def settle(
    bank: int, ante: int, horses: Sequence[int | None], winner: int, second: int | None
) -> tuple[list[int], int]:
    """What each seat gets out of the bank, and what stays in it. Moves no money."""
    payouts = [0] * len(horses)
    left = bank
    for seat, horse in enumerate(horses):
        if second is not None and horse == second:
            payouts[seat] = ante
            left -= ante
    backers = [seat for seat, horse in enumerate(horses) if horse == winner]
    share = left // len(backers) if backers else 0
    for seat in backers:
        payouts[seat] = share
        left -= share
    assert left >= 0, "the bank never pays more than it holds"
    return payouts, left


@dataclass(frozen=True)
class Record:
    """One settled race; the last one's profits hold the final division."""

    race: int
    payers: tuple[bool, ...]
    finish: Finish
    bank: int  # with all antes in it, before anything is paid
    payouts: tuple[int, ...]
    carried: int  # after the settlement, before the final division
    final_share: int
    profits: tuple[int, ...]
    bankrolls: tuple[int, ...]
    undivided: int


class Derby:
    """One table. `start`, then `play` once a race until `over`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.start()

    def start(self) -> None:
        """Begin a new game with full bankrolls and an empty bank."""
        self.race = 0
        self.bankrolls = [self.settings.bankroll] * self.settings.seats
        self.bank = 0
        self.undivided = 0
        self.over = False

    def payers(self) -> list[bool]:
        """Which seats can pay the ante."""
        return [chips >= self.settings.ante for chips in self.bankrolls]

    def check_books(self) -> None:
        """Bankrolls + bank + undivided = chips brought in."""
        held = sum(self.bankrolls) + self.bank + self.undivided
        assert held == self.settings.seats * self.settings.bankroll, "the books do not balance"
        assert min(self.bankrolls) >= 0, "nobody owes chips"

    def _check_horses(self, horses: Sequence[int | None], payers: Sequence[bool]) -> None:
        if len(horses) != self.settings.seats:
            raise ValueError("one horse a seat, None for those who sit out")
        for seat, (horse, pays) in enumerate(zip(horses, payers, strict=True)):
            if pays and horse not in races_oracle.SUITS:
                raise ValueError(f"seat {seat} pays the ante and has to name a horse 0 to 3")
            if not pays and horse is not None:
                raise ValueError(f"seat {seat} cannot pay the ante and sits out")

    def play(self, deck: Sequence[int], horses: Sequence[int | None], reshuffle: Reshuffle) -> Record:
        """Take the antes, run the race with this deck and settle it."""
        if self.over:
            raise ValueError("the game is over")
        payers = self.payers()
        self._check_horses(horses, payers)
        before = list(self.bankrolls)
        for seat, pays in enumerate(payers):
            if pays:
                self.bankrolls[seat] -= self.settings.ante
                self.bank += self.settings.ante
        self.check_books()
        places = self.settings.places if sum(payers) >= PAYERS_FOR_SECOND_PLACE else 1
        finish = run_race(deck, self.settings.advance, places, reshuffle)
        bank = self.bank
        payouts, carried = settle(bank, self.settings.ante, horses, finish.winner, finish.second)
        for seat, payout in enumerate(payouts):
            self.bankrolls[seat] += payout
        self.bank = carried
        self.check_books()
        self.race += 1
        share = 0
        if self.race == self.settings.races or sum(self.payers()) < PAYERS_AT_LEAST:
            share = self._divide_finally()
        return Record(
            race=self.race - 1,
            payers=tuple(payers),
            finish=finish,
            bank=bank,
            payouts=tuple(payouts),
            carried=carried,
            final_share=share,
            profits=tuple(now - then for now, then in zip(self.bankrolls, before, strict=True)),
            bankrolls=tuple(self.bankrolls),
            undivided=self.undivided,
        )

    def _divide_finally(self) -> int:
        share, rest = divmod(self.bank, self.settings.seats)
        for seat in range(self.settings.seats):
            self.bankrolls[seat] += share
        self.undivided = rest
        self.bank = 0
        self.over = True
        self.check_books()
        return share
