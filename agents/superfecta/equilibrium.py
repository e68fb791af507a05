"""Play that is its own answer: the symmetric logit equilibrium of the exact price.

All N seats hold line l with the same chance q_l, independently, and buy the better the surer (temperature T,
in minimum bets, as all money here):

    q_l = 1 / (1 + exp(-(price_l(q) - 1) / T)),
    price_l = P_l · ((C + kept · N · Σ_{k≠l} q_k) · R(q_l) + kept),

which is the price of `pricing` with K binomial: C is carried, every seat's other wagers go into the pool, and
R(q) = E[1 / (1 + K)] = (1 + (1-q) + … + (1-q)^(N-1)) / N.

Solving: at fixed other lines the right side falls in q_l, so each line has one answer. It rises with every
other line, so going round the lines from nobody betting climbs to the smallest fixed point without ever
overshooting, where a plain damped iteration swings about in a large pool.

The answer depends on the rail only through how many cards each horse shows, best first (9 kinds), and on C:
it is solved when first needed and kept, at whole C up to 64, beyond at steps of 2^(1/8), and read linearly in
between. Source: McKelvey and Palfrey, "Quantal response equilibria for normal form games" (1995).
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar, Final, TypeAlias

import numpy as np

from ...games.errors import InvalidSettings
from ...games.kernels import Flags, Floats, Rows, Stakes, inline_kernel, kernel
from ...games.order_law import line_table, rail_index, rails
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_START, POOLS
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from ...games.track import SUPERFECTA
from .anchors import write_drawn
from .bettor import Bettor
from .memory import ROLES

WHOLE: Final = 64  # carried minimum bets that are solved one by one
STEPS: Final = 8  # beyond, for each doubling
GRID: Final = WHOLE + STEPS * 40  # reaches 2^46, more than 12 seats of 2^40 chips
TOLERANCE: Final = 1e-9
ROUNDS: Final = 1000

Solved: TypeAlias = tuple[Floats, Flags]


def _kinds() -> tuple[Rows, Rows]:
    every = rails(SUPERFECTA)
    best_first = np.array([sorted(shown) for shown in every], np.int8)
    places = rail_index(SUPERFECTA, best_first)
    of_kind, kind = np.unique(places, return_inverse=True)
    return of_kind, kind.astype(np.int64)


# KIND_RAIL (9,): the rail of each kind whose suits stand best first; KIND (84,): rail -> kind
KIND_RAIL, KIND = _kinds()


class Equilibrium(Bettor):
    """Holds each line by a throw against its equilibrium chance. Draws 40 numbers a decision.

    A ticket it cannot pay for is cut down in random order.

    Options:
        temperature: how far prices may differ from the stake before the choice is clear, in minimum bets,
            0.02 or more.
    """

    idea: ClassVar[str] = "Plays the mixed strategy that is a noisy best reply to everybody playing it."
    source: ClassVar[str] = "logit quantal response equilibrium (McKelvey and Palfrey 1995)"

    def __init__(self, settings: SuperfectaSettings, *, temperature: float = 0.1) -> None:
        super().__init__(settings)
        if not 0.02 <= temperature < np.inf:
            raise InvalidSettings(f"temperature is a number of 0.02 or more, not {temperature!r}")
        self.temperature = float(temperature)
        self._kind_chances = np.ascontiguousarray(self.chances[KIND_RAIL])  # (9, 40), by role

    def holding(self, view: SuperfectaView) -> Floats:
        """(n, 40) the chance with which each line is held."""
        wanted = np.empty((len(view.lane), LINES))
        solved, known = solutions(self.settings.seats, self.temperature, self.kept)
        write_holding(
            wanted, solved, known, self.rails(view), KIND, ROLES, view.pools, self.least,
            self._kind_chances, self.settings.seats, self.temperature, self.kept,
        )  # fmt: skip
        return wanted

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        stakes = np.empty((len(view.lane), LINES), np.int16)
        write_drawn(stakes, draws.uniform(LINES), self.holding(view), view.bankroll, self.least)
        return stakes


@cache
def solutions(seats: int, temperature: float, kept: float) -> Solved:
    """The answers found so far, shared by all agents of these options: chances (9, GRID, 40) by kind of rail,
    pool size and role, and which (9, GRID, 3) are filled in. Each is a function of its place alone.
    """
    return np.zeros((len(KIND_RAIL), GRID, LINES)), np.zeros((len(KIND_RAIL), GRID, POOLS), bool)


def solve(carried: Floats, rail: int, seats: int, temperature: float, kept: float = 1.0) -> Floats:
    """The equilibrium chances (40,) for pools that carry ``carried`` (3,) minimum bets, afresh."""
    chances = line_table(SUPERFECTA)[rail]
    found = np.empty(LINES)
    for pool in range(POOLS):
        first, end = int(POOL_START[pool]), int(POOL_START[pool + 1])
        solve_pool(found, first, end, float(carried[pool]), chances, seats, temperature, kept)
    return found


@inline_kernel
def gap(hold, others, carried, chance, seats, temperature, kept):  # type: ignore[no-untyped-def]
    """How far the logit reply lies above ``hold``, the other lines' chances summing to ``others``, and the
    slope of that in ``hold``, at most -1.
    """
    sharing = 1.0
    falling = 0.0  # the derivative of sharing in 1 - hold
    for _ in range(seats - 1):
        falling = sharing + (1.0 - hold) * falling
        sharing = 1.0 + (1.0 - hold) * sharing
    pool = carried + kept * seats * others
    price = chance * (pool * sharing / seats + kept)
    reply = 1.0 / (1.0 + np.exp((1.0 - price) / temperature))
    slope = -reply * (1.0 - reply) / temperature * chance * pool * falling / seats
    return reply - hold, slope - 1.0


@kernel
def answer(hold, others, carried, chance, seats, temperature, kept):  # type: ignore[no-untyped-def]
    """Where a line's own reply meets its chance, sought from ``hold`` below it by Newton's steps, by halves
    where these go above. The result is never above.
    """
    high = 1.0
    ahead, slope = gap(hold, others, carried, chance, seats, temperature, kept)
    while ahead > TOLERANCE / 10 and high - hold > TOLERANCE / 10:
        trial = hold - ahead / slope
        if trial >= high:
            trial = 0.5 * (hold + high)
        there, tilt = gap(trial, others, carried, chance, seats, temperature, kept)
        if there >= 0.0:
            hold, ahead, slope = trial, there, tilt
        else:
            high = trial
    return hold


@kernel
def solve_pool(found, first, end, carried, chances, seats, temperature, kept):  # type: ignore[no-untyped-def]
    """Fills found[first:end] with the smallest equilibrium of one pool."""
    total = 0.0
    found[first:end] = 0.0
    for _ in range(ROUNDS):
        moved = 0.0
        for line in range(first, end):
            others = total - found[line]
            hold = answer(found[line], others, carried, chances[line], seats, temperature, kept)
            moved = max(moved, hold - found[line])
            found[line] = hold
            total = others + hold
        if moved < TOLERANCE:
            break


@kernel
def write_holding(  # type: ignore[no-untyped-def]
    wanted, solved, known, rails, kinds, roles, pools, least, kind_chances, seats, temperature, kept
):
    """Fills wanted (n, 40) from the table, solving what it lacks."""
    for i in range(wanted.shape[0]):
        kind = kinds[rails[i]]
        for pool in range(POOLS):
            first = POOL_START[pool]
            end = POOL_START[pool + 1]
            carried = pools[i, pool] / least[first]
            at = int(carried)
            if carried >= WHOLE:
                at = WHOLE + int(STEPS * np.log2(carried / WHOLE))
            below = pool_size(at)
            part = (carried - below) / (pool_size(at + 1) - below)
            for place in range(at, at + 2 if part > 0.0 else at + 1):
                if not known[kind, place, pool]:
                    solve_pool(
                        solved[kind, place], first, end, pool_size(place), kind_chances[kind], seats,
                        temperature, kept,
                    )  # fmt: skip
                    known[kind, place, pool] = True
            for line in range(first, end):
                role = roles[rails[i], line]
                wanted[i, line] = solved[kind, at, role]
                if part > 0.0:
                    wanted[i, line] += part * (solved[kind, at + 1, role] - solved[kind, at, role])


@inline_kernel
def pool_size(place):  # type: ignore[no-untyped-def]
    """The carried minimum bets that a place of the grid stands for."""
    if place <= WHOLE:
        return float(place)
    return WHOLE * 2.0 ** ((place - WHOLE) / STEPS)
