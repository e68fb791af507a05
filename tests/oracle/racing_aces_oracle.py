"""Racing Aces: published odds by the number of rail cards, in the plainest words.

Rule: RULES.md §4. A ticket is a dict from suit to chips. Each race takes decks, the first of them whose rail
shows four cards of a suit at most being the one that is run.

Reading: against the house a wager is limited by `max_wager` alone; the limits of §3, with their cap of 1,000
chips, belong to the rotating bank, which also changes hands after each race as described there.
Reading: which stakes an environment offers is its own matter; any number of chips is taken here. The number
of suits backed is checked, and a ticket that backs more than `max_wagers` is illegal.
The readings of `horse_race_oracle` hold for refused tickets, the number of bettors and the next banker.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import horse_race_oracle
import races_oracle

Ticket = Mapping[int, int]
MINIMUM = 1
ODDS_BY_RAIL_CARDS = {0: 1, 1: 2, 2: 3, 3: 5, 4: 10}  # to one


def published_odds(rail_counts: Sequence[int]) -> tuple[Fraction, ...]:
    """The net odds of each suit for a rail that stands."""
    return tuple(Fraction(ODDS_BY_RAIL_CARDS[count]) for count in rail_counts)


@dataclass(frozen=True)
class Settings:
    """The table's rules, money in chips; `cap` matters with a rotating bank only."""

    seats: int = 1
    races: int = 12
    bankroll: int = 100
    max_wagers: int = 1
    bank: str = "house"
    rotate_every: int = 1
    cap: int = 1_000
    max_wager: int = 32_767

    def __post_init__(self) -> None:
        horse_race_oracle.check_table(self.bank, self.seats)
        if not 1 <= self.max_wagers <= 4:
            raise ValueError("a ticket backs one to four suits")
        if min(self.races, self.rotate_every) < 1:
            raise ValueError("races and rotate_every are at least 1")
        if not 1 <= self.cap <= self.max_wager:
            raise ValueError("the cap lies between 1 and the largest wager")


class RacingAces:
    """One table. `start`, then `play` once a race until `over`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.start()

    def start(self) -> None:
        """Begin a new game with full bankrolls; seat 0 is the first banker of a rotating bank."""
        settings = self.settings
        self.race = 0
        self.over = False
        self.book = horse_race_oracle.Book(settings.seats, settings.bankroll, settings.bank, MINIMUM)

    def limits(self, rail_counts: Sequence[int]) -> tuple[int, ...]:
        """The largest wager on each suit for this rail, 0 where the suit is closed."""
        if self.book.banker is None:
            return (self.settings.max_wager,) * 4
        return self.book.limits(published_odds(rail_counts), self.settings.cap)

    def _close(
        self, rail_counts: Sequence[int], tickets: Sequence[Ticket]
    ) -> tuple[list[dict[int, int]], list[bool]]:
        for ticket in tickets:
            backed = sum(1 for chips in ticket.values() if chips > 0)
            if backed > self.settings.max_wagers:
                raise ValueError(f"{backed} suits backed, at most {self.settings.max_wagers} are allowed")
        return self.book.close(tickets, self.limits(rail_counts))

    def play(
        self, decks: Iterable[Sequence[int]] | Callable[[], Sequence[int]], tickets: Sequence[Ticket]
    ) -> horse_race_oracle.Record:
        """Deal decks until a rail stands, close the tickets, run the race and settle it."""
        if self.over:
            raise ValueError("the game is over")
        deck, used = races_oracle.next_deck(decks, races_oracle.RACING_ACES)
        race = races_oracle.run_race(deck, races_oracle.RACING_ACES, places=1, decks_used=used)
        odds = published_odds(race.rail_counts)
        limits = self.limits(race.rail_counts)
        closed, refused = self._close(race.rail_counts, tickets)
        banker = self.book.banker
        payouts, profits, house_profit = self.book.profits(closed, odds, race.order[0])
        self.book.pay(profits, house_profit)
        self.race += 1
        self.over = self.race == self.settings.races
        if self.race % self.settings.rotate_every == 0:
            self.book.pass_the_bank()
        return horse_race_oracle.Record(
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

    def expected_profit(self, rail_counts: Sequence[int], tickets: Sequence[Ticket]) -> list[Fraction]:
        """Each seat's exact expected profit of these tickets in the current race; changes nothing."""
        closed, _ = self._close(rail_counts, tickets)
        chances = races_oracle.win_chances(rail_counts, races_oracle.RACING_ACES.finish)
        return self.book.expected_profits(closed, published_odds(rail_counts), chances)
