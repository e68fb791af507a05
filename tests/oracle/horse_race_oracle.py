"""Horse Race and Scarne's Horse Race: a bookmaker's odds in the plainest words.

Rule: RULES.md §3. A quote is four indices into `PRICES`, a ticket a dict from suit to chips; decks are
handed in.

Reading: a suit with 0 chips on it is no wager. All tickets are looked at before any money moves.
Reading: a wager above the suit's limit, or on a closed suit (limit 0), is illegal, since limits are public;
a ticket that costs more than the player's chips is refused whole.
Reading: with a rotating bank the number of bettors B is every seat but the banker's, with chips or without;
the banker does not bet. Against the house the bank is unlimited, so the limit is the cap of each suit.
Reading: "with chips" is one chip or more. The bank moves on only after `rotate_every` races: a banker who
loses everything keeps the bank until then, with every suit closed whose payoff is not 0.
Reading: the next banker is looked for round the table, the old one last, who keeps the bank if nobody else
has a chip.
Reading: all the races are run; nothing is divided at the end, for there is no common pool.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import races_oracle

Ticket = Mapping[int, int]
Odds = tuple[Fraction, ...]

BOARD = (
    "1/2 4/6 4/5 10/11 1/1 6/5 5/4 11/8 6/4 7/4 2/1 9/4 5/2 11/4 3/1 7/2 4/1 9/2 5/1 6/1 7/1 8/1 10/1 "
    "12/1 14/1 16/1 20/1 25/1 33/1 50/1 66/1 100/1 150/1"
)
PRICES: Odds = tuple(Fraction(price) for price in BOARD.split())


@dataclass(frozen=True)
class Settings:
    """The table's rules, money in chips. `track` is `races_oracle.SCARNE` for Scarne's Horse Race."""

    seats: int = 6
    races: int = 12
    bankroll: int = 1_000
    minimum: int = 10
    cap: int = 1_000
    bank: str = "house"
    rotate_every: int = 4
    max_wager: int = 32_767
    track: races_oracle.Track = races_oracle.HORSE_RACE

    def __post_init__(self) -> None:
        check_table(self.bank, self.seats)
        if not 1 <= self.minimum <= self.cap <= self.max_wager:
            raise ValueError("minimum, cap and largest wager must not fall in this order")
        if min(self.races, self.rotate_every) < 1:
            raise ValueError("races and rotate_every are at least 1")


def check_table(bank: str, seats: int) -> None:
    """Raise `ValueError` for an unknown bank or a number of seats that the bank does not allow."""
    if bank not in ("house", "rotate"):
        raise ValueError("bank is 'house' or 'rotate'")
    if not (1 if bank == "house" else 2) <= seats <= 12:
        raise ValueError("1 to 12 seats against the house, 2 to 12 with a rotating bank")


def winnings(stake: int, odds: Fraction) -> int:
    """What a winning stake earns on top of itself, rounded down for the bank."""
    exact = stake * odds
    return exact.numerator // exact.denominator


def payout(stake: int, odds: Fraction) -> int:
    """What comes back for a winning stake, the stake in it; nothing for no stake."""
    return stake + winnings(stake, odds)


def limit(odds: Fraction, minimum: int, cap: int, bettors: int, bank: int) -> int:
    """The largest wager on a suit that a bank of `bank` chips can cover; 0 when the suit is closed."""
    largest = 0
    stake = minimum
    while stake <= cap and bettors * winnings(stake, odds) <= bank:
        largest = stake
        stake += minimum
    return largest


@dataclass(frozen=True)
class Record:
    """One settled race. Per seat: refused, payouts, profits, bankrolls; the banker's payout is 0."""

    race: int
    rail_counts: tuple[int, ...]
    winner: int
    banker: int | None  # None: the house
    odds: Odds
    limits: tuple[int, ...]
    refused: tuple[bool, ...]
    tickets: tuple[dict[int, int], ...]  # as they counted: empty where refused
    payouts: tuple[int, ...]
    profits: tuple[int, ...]
    house_profit: int
    bankrolls: tuple[int, ...]


class Book:
    """The money of a table with a bookmaker, whoever makes the odds. Suits are settled on the winner only."""

    def __init__(self, seats: int, bankroll: int, bank: str, minimum: int) -> None:
        self.minimum = minimum
        self.brought_in = seats * bankroll
        self.bankrolls = [bankroll] * seats
        self.house = 0
        self.banker = None if bank == "house" else 0

    def check(self) -> None:
        """Bankrolls + house = chips brought in, and no player owes anything."""
        assert sum(self.bankrolls) + self.house == self.brought_in, "the books do not balance"
        assert min(self.bankrolls) >= 0, "no player owes chips"

    def limits(self, odds: Odds, cap: int) -> tuple[int, ...]:
        """The largest wager on each suit under these odds, 0 where the suit is closed."""
        if self.banker is None:
            return (cap - cap % self.minimum,) * 4
        bettors = len(self.bankrolls) - 1
        bank = self.bankrolls[self.banker]
        return tuple(limit(price, self.minimum, cap, bettors, bank) for price in odds)

    def close(
        self, tickets: Sequence[Ticket], limits: Sequence[int]
    ) -> tuple[list[dict[int, int]], list[bool]]:
        """The tickets as they count, and which were refused. Raises `ValueError` for an illegal wager."""
        if len(tickets) != len(self.bankrolls):
            raise ValueError("one ticket a seat, empty ones included")
        closed: list[dict[int, int]] = []
        refused: list[bool] = []
        for seat, ticket in enumerate(tickets):
            for suit, chips in ticket.items():
                self._check_wager(suit, chips, limits)
            wagers = {suit: chips for suit, chips in ticket.items() if chips > 0}
            if seat == self.banker and wagers:
                raise ValueError("the banker does not bet")
            too_dear = sum(wagers.values()) > self.bankrolls[seat]
            refused.append(too_dear)
            closed.append({} if too_dear else wagers)
        return closed, refused

    def _check_wager(self, suit: int, chips: int, limits: Sequence[int]) -> None:
        if suit not in races_oracle.SUITS:
            raise ValueError(f"suit {suit}: the suits are 0 to 3")
        if chips < 0:
            raise ValueError(f"suit {suit}: {chips} chips, a stake is never negative")
        if chips % self.minimum != 0:
            raise ValueError(f"suit {suit}: {chips} chips is no multiple of the minimum")
        if chips > limits[suit]:
            raise ValueError(f"suit {suit}: {chips} chips is above the limit of {limits[suit]}")

    def profits(self, closed: Sequence[Ticket], odds: Odds, winner: int) -> tuple[list[int], list[int], int]:
        """What this winner would pay: payouts and profits a seat, and the house's profit. Moves no money."""
        payouts = [payout(ticket.get(winner, 0), odds[winner]) for ticket in closed]
        profits = [back - sum(ticket.values()) for back, ticket in zip(payouts, closed, strict=True)]
        bank_profit = -sum(profits)
        if self.banker is None:
            return payouts, profits, bank_profit
        profits[self.banker] = bank_profit
        return payouts, profits, 0

    def expected_profits(
        self, closed: Sequence[Ticket], odds: Odds, chances: Sequence[Fraction]
    ) -> list[Fraction]:
        """Each seat's exact expected profit, the banker's too."""
        expectation = [Fraction(0)] * len(closed)
        for winner, chance in enumerate(chances):
            _, profits, _ = self.profits(closed, odds, winner)
            expectation = [
                so_far + chance * profit for so_far, profit in zip(expectation, profits, strict=True)
            ]
        return expectation

    def pay(self, profits: Sequence[int], house_profit: int) -> None:
        """Move the money of one race."""
        for seat, profit in enumerate(profits):
            self.bankrolls[seat] += profit
        self.house += house_profit
        self.check()

    def pass_the_bank(self) -> None:
        """Give the bank to the next seat with chips; the house keeps it."""
        if self.banker is None:
            return
        seats = len(self.bankrolls)
        for step in range(1, seats + 1):
            seat = (self.banker + step) % seats
            if self.bankrolls[seat] > 0:
                self.banker = seat
                return


class HorseRace:
    """One table of Horse Race. `start`, then `play` once a race until `over`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.start()

    def start(self) -> None:
        """Begin a new game with full bankrolls; seat 0 is the first banker of a rotating bank."""
        settings = self.settings
        self.race = 0
        self.over = False
        self.book = Book(settings.seats, settings.bankroll, settings.bank, settings.minimum)

    def odds(self, quotes: Sequence[int]) -> Odds:
        """The net odds behind four price indices. Raises `ValueError` for anything else."""
        if len(quotes) != 4 or any(quote not in range(len(PRICES)) for quote in quotes):
            raise ValueError("a quote is four indices into the 33 prices")
        return tuple(PRICES[quote] for quote in quotes)

    def limits(self, quotes: Sequence[int]) -> tuple[int, ...]:
        """The largest wager on each suit under this quote, 0 where the suit is closed."""
        return self.book.limits(self.odds(quotes), self.settings.cap)

    def play(self, deck: Sequence[int], quotes: Sequence[int], tickets: Sequence[Ticket]) -> Record:
        """Close the tickets at the banker's quote, run the race with this deck and settle it."""
        if self.over:
            raise ValueError("the game is over")
        odds = self.odds(quotes)
        limits = self.limits(quotes)
        closed, refused = self.book.close(tickets, limits)
        race = races_oracle.run_race(deck, self.settings.track, places=1)
        banker = self.book.banker
        payouts, profits, house_profit = self.book.profits(closed, odds, race.order[0])
        self.book.pay(profits, house_profit)
        self.race += 1
        self.over = self.race == self.settings.races
        if self.race % self.settings.rotate_every == 0:
            self.book.pass_the_bank()
        return Record(
            race=self.race - 1,
            rail_counts=race.rail_counts,
            winner=race.order[0],
            banker=banker,
            odds=odds,
            limits=limits,
            refused=tuple(refused),
            tickets=tuple(closed),
            payouts=tuple(payouts),
            profits=tuple(profits),
            house_profit=house_profit,
            bankrolls=tuple(self.book.bankrolls),
        )

    def expected_profit(
        self, rail_counts: Sequence[int], quotes: Sequence[int], tickets: Sequence[Ticket]
    ) -> list[Fraction]:
        """Each seat's exact expected profit of these tickets in the current race; changes nothing."""
        closed, _ = self.book.close(tickets, self.limits(quotes))
        chances = races_oracle.win_chances(rail_counts, self.settings.track.finish)
        return self.book.expected_profits(closed, self.odds(quotes), chances)
