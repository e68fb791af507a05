"""Superfecta, race by race, in the plainest words: the independent check of the fast game.

Rule: RULES.md §2. A ticket is a dict from line (0 to 39) to chips; decks are handed in.

Reading: a line with 0 chips on it is no wager. All stakes are looked at before any money moves, and an
illegal one stops the race even if its ticket would have been refused.
Reading: `max_wager` limits what lies on one line, since wagers on one line add up.
Reading: takeout, breakage and the minimum dividend belong to `pro_rata`; `equal` with a takeout rate above
0 is a settings error.
Reading: a player is broke below the smallest of the three minimum bets; a ticket of a broke player that is
not empty costs more than its chips, so it is refused like any other.
Reading: all the races are run, even when every player is broke.
Decided: the dividend is rounded down to a multiple of the breakage; if that is below the minimum dividend it
is raised to it, but no higher than the pool can pay without breakage.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import races_oracle

Ticket = Mapping[int, int]
POOLS = ("WIN", "EXA", "SFC")
HORSES_NAMED = (1, 2, 4)

# line number -> (pool, the suits named, first to last): 4 + 12 + 24 lines
LINES: tuple[tuple[int, tuple[int, ...]], ...] = tuple(
    (pool, named) for pool in range(3) for named in permutations(races_oracle.SUITS, HORSES_NAMED[pool])
)


def winning_lines(order: Sequence[int]) -> tuple[int, int, int]:
    """The winning line of the WIN, the EXA and the SFC pool for a full order of finish."""
    win, exa, sfc = (LINES.index((pool, tuple(order[: HORSES_NAMED[pool]]))) for pool in range(3))
    return win, exa, sfc


@dataclass(frozen=True)
class Settings:
    """The table's rules; `minimum_bets` and the dividend are per pool WIN, EXA, SFC, money in chips."""

    seats: int = 6
    races: int = 12
    bankroll: int = 100
    minimum_bets: tuple[int, int, int] = (1, 1, 1)
    split: str = "equal"
    rate: Fraction = Fraction(0)
    breakage: int = 1
    minimum_dividend: int | None = None
    max_wager: int = 32_767

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= 12:
            raise ValueError("a Superfecta table has 2 to 12 seats")
        if self.split not in ("equal", "pro_rata"):
            raise ValueError("split is 'equal' or 'pro_rata'")
        if not 0 <= self.rate <= 1:
            raise ValueError("the takeout rate lies between 0 and 1")
        if self.split == "equal" and self.rate != 0:
            raise ValueError("there is no takeout when the winners share equally")
        if min(self.races, self.breakage, *self.minimum_bets) < 1:
            raise ValueError("races, breakage and minimum bets are at least 1")


@dataclass(frozen=True)
class PoolSettlement:
    """What one order of finish does to one pool, in chips; `payouts` has one entry a seat."""

    staked: int
    total: int  # staked now + carried over from before
    takeout: int
    dividend: int  # what one winner gets (equal) or per minimum bet (pro rata); 0 if nobody won
    payouts: list[int]
    carried: int


def settle_pool(
    settings: Settings, pool: int, tickets: Sequence[Ticket], carried: int, order: Sequence[int]
) -> PoolSettlement:
    """Settle one pool; the tickets are closed, those refused already empty. Moves no money."""
    line = winning_lines(order)[pool]
    staked = pool_stakes(tickets, pool)
    total = carried + staked
    stakes = [ticket.get(line, 0) for ticket in tickets]  # on the winning line
    winners = [seat for seat, stake in enumerate(stakes) if stake > 0]
    payouts = [0] * len(tickets)
    takeout = 0
    dividend = 0
    if settings.split == "equal":
        if winners:
            dividend = total // len(winners)
        for seat in winners:
            payouts[seat] = dividend
    else:
        takeout = floor(settings.rate * staked)  # from new money only
        minimum = settings.minimum_bets[pool]
        if winners:
            dividend = pro_rata_dividend(settings, total - takeout, minimum, sum(stakes))
        for seat in winners:
            assert stakes[seat] % minimum == 0
            payouts[seat] = dividend * (stakes[seat] // minimum)
    left = total - takeout - sum(payouts)
    assert left >= 0, "a pool never pays more than it holds"
    return PoolSettlement(staked, total, takeout, dividend, payouts, left)


def settle(
    settings: Settings, tickets: Sequence[Ticket], pools: Sequence[int], order: Sequence[int]
) -> tuple[PoolSettlement, PoolSettlement, PoolSettlement]:
    """Settle closed tickets against the three pools carried over from before. Moves no money."""
    win, exa, sfc = (settle_pool(settings, pool, tickets, pools[pool], order) for pool in range(3))
    return win, exa, sfc


def pool_stakes(tickets: Sequence[Ticket], pool: int) -> int:
    """All chips that the tickets put into one pool."""
    return sum(chips for ticket in tickets for line, chips in ticket.items() if LINES[line][0] == pool)


def pro_rata_dividend(settings: Settings, net: int, minimum: int, winning_stakes: int) -> int:
    """Chips per minimum bet for the winners of a pool that holds `net` chips."""
    exact = Fraction(net * minimum, winning_stakes)
    dividend = floor(exact / settings.breakage) * settings.breakage
    if settings.minimum_dividend is not None and dividend < settings.minimum_dividend:
        dividend = min(settings.minimum_dividend, floor(exact))
    return dividend


def floor(number: Fraction) -> int:
    """The largest integer not above the number."""
    return number.numerator // number.denominator


def total_payouts(pools: Sequence[PoolSettlement]) -> list[int]:
    """What each seat gets from the three pools together."""
    return [sum(parts) for parts in zip(*(pool.payouts for pool in pools), strict=True)]


@dataclass(frozen=True)
class Record:
    """One race as it was settled; the last race's profits hold the final division."""

    race: int
    rail_counts: tuple[int, ...]
    order: tuple[int, ...]
    refused: tuple[bool, ...]
    tickets: tuple[dict[int, int], ...]  # as they counted: empty where refused
    pool_totals: tuple[int, ...]
    takeout: tuple[int, ...]
    dividends: tuple[int, ...]
    carried: tuple[int, ...]  # after the settlement, before the final division
    payouts: tuple[int, ...]
    final_share: int  # what each seat got from the final division, 0 before the last race
    profits: tuple[int, ...]
    bankrolls: tuple[int, ...]
    undivided: int


class Superfecta:
    """One table. `start`, then `play` once a race until `over`; the state is in the public attributes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.start()

    def start(self) -> None:
        """Begin a new game with full bankrolls and empty pools."""
        self.race = 0
        self.bankrolls = [self.settings.bankroll] * self.settings.seats
        self.pools = [0, 0, 0]
        self.takeout = 0
        self.undivided = 0
        self.over = False

    def is_broke(self, seat: int) -> bool:
        """Whether the seat holds fewer chips than the smallest bet."""
        return self.bankrolls[seat] < min(self.settings.minimum_bets)

    def check_books(self) -> None:
        """Bankrolls + pools + takeout + undivided = chips brought in."""
        held = sum(self.bankrolls) + sum(self.pools) + self.takeout + self.undivided
        assert held == self.settings.seats * self.settings.bankroll, "the books do not balance"
        assert min(self.bankrolls + self.pools) >= 0, "nobody and no pool owes chips"

    def close(self, tickets: Sequence[Ticket]) -> tuple[list[dict[int, int]], list[bool]]:
        """The tickets as they count, and which were refused. Raises `ValueError` for an illegal stake."""
        if len(tickets) != self.settings.seats:
            raise ValueError("one ticket a seat, empty ones included")
        for ticket in tickets:
            for line, chips in ticket.items():
                self._check_wager(line, chips)
        closed: list[dict[int, int]] = []
        refused: list[bool] = []
        for seat, ticket in enumerate(tickets):
            too_dear = sum(ticket.values()) > self.bankrolls[seat]
            refused.append(too_dear)
            closed.append({} if too_dear else {line: chips for line, chips in ticket.items() if chips > 0})
        return closed, refused

    def _check_wager(self, line: int, chips: int) -> None:
        if line not in range(40):
            raise ValueError(f"line {line}: the lines are 0 to 39")
        if chips < 0:
            raise ValueError(f"line {line}: {chips} chips, a stake is never negative")
        if chips % self.settings.minimum_bets[LINES[line][0]] != 0:
            raise ValueError(f"line {line}: {chips} chips is no multiple of the pool's minimum bet")
        if chips > self.settings.max_wager:
            raise ValueError(f"line {line}: {chips} chips is above the largest wager")

    def play(self, deck: Sequence[int], tickets: Sequence[Ticket]) -> Record:
        """Close the tickets, run the race with this deck and settle it."""
        if self.over:
            raise ValueError("the game is over")
        closed, refused = self.close(tickets)
        race = races_oracle.run_race(deck, races_oracle.SUPERFECTA)
        before = list(self.bankrolls)
        pools = settle(self.settings, closed, self.pools, race.order)
        self._move_money(closed, pools)
        self.race += 1
        share = self._divide_finally() if self.race == self.settings.races else 0
        self.check_books()
        return Record(
            race=self.race - 1,
            rail_counts=race.rail_counts,
            order=race.order,
            refused=tuple(refused),
            tickets=tuple(closed),
            pool_totals=tuple(pool.total for pool in pools),
            takeout=tuple(pool.takeout for pool in pools),
            dividends=tuple(pool.dividend for pool in pools),
            carried=tuple(pool.carried for pool in pools),
            payouts=tuple(total_payouts(pools)),
            final_share=share,
            profits=tuple(now - then for now, then in zip(self.bankrolls, before, strict=True)),
            bankrolls=tuple(self.bankrolls),
            undivided=self.undivided,
        )

    def _move_money(self, closed: Sequence[Ticket], pools: Sequence[PoolSettlement]) -> None:
        for seat, ticket in enumerate(closed):
            self.bankrolls[seat] -= sum(ticket.values())
        for pool in range(3):
            self.pools[pool] += pool_stakes(closed, pool)
            assert self.pools[pool] == pools[pool].total
        self.check_books()
        for pool in range(3):
            self.pools[pool] = pools[pool].carried
            self.takeout += pools[pool].takeout
        for seat, payout in enumerate(total_payouts(pools)):
            self.bankrolls[seat] += payout
        self.check_books()

    def _divide_finally(self) -> int:
        share, rest = divmod(sum(self.pools), self.settings.seats)
        for seat in range(self.settings.seats):
            self.bankrolls[seat] += share
        self.undivided = rest
        self.pools = [0, 0, 0]
        self.over = True
        return share

    def expected_profit(self, rail_counts: Sequence[int], tickets: Sequence[Ticket]) -> list[Fraction]:
        """Each seat's exact expected profit of these tickets in the current race; changes nothing.

        The final division is part of it in the last race, and only there.
        """
        closed, _ = self.close(tickets)
        last = self.race + 1 == self.settings.races
        expectation = [Fraction(0)] * self.settings.seats
        chances = races_oracle.order_chances(rail_counts, races_oracle.SUPERFECTA.finish)
        for order, chance in chances.items():
            pools = settle(self.settings, closed, self.pools, order)
            share = sum(pool.carried for pool in pools) // self.settings.seats if last else 0
            for seat, payout in enumerate(total_payouts(pools)):
                profit = payout - sum(closed[seat].values()) + share
                expectation[seat] += chance * profit
        return expectation
