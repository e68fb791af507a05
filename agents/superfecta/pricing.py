"""The price of a line, and the best ticket at given prices: what the pricing agents share.

With an equal split a winner shares the pool with K other holders of its line, so a wager on line l is worth

    P(l) · E[pool / (1 + K)],    pool = carried + new money + own stakes.

K counts other seats j, each holding l with its own chance q_j: a Poisson-binomial number. Its generating
function is Π (1 - q_j + q_j t), and 1 / (1 + K) is the integral of t^K from 0 to 1, so

    R = E[1 / (1 + K)] = ∫ Π (1 - q_j + q_j t) dt,

a polynomial of degree at most seats - 1, which Gauss-Legendre quadrature with ⌈seats / 2⌉ nodes integrates
exactly. New money on other lines does not depend on K, each of the K holders adds a minimum bet m to the
pool, and K / (1 + K) = 1 - 1 / (1 + K). So with c own wagers in the pool, A = carried + kept · (others' money
on other lines) and kept = 1 - takeout rate,

    price = P · ((A + kept · m · (c - 1)) · R + kept · m).

Indivisible chips are passed over (a pool pays at most seats - 1 chips less). In a pro rata split the same is
the value of a minimum bet among minimum bets.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...games.kernels import Floats, kernel
from ...games.superfecta.lines import LINES, POOL_START, POOLS

NOTHING: Final = 1e-9  # minimum bets of profit that rounding can feign


def quadrature(seats: int) -> tuple[Floats, Floats]:
    """Nodes and weights on [0, 1] that integrate polynomials of degree seats - 1 exactly."""
    nodes, weights = np.polynomial.legendre.leggauss((seats + 1) // 2)
    return (nodes + 1) / 2, weights / 2


@kernel
def write_reply(  # type: ignore[no-untyped-def]
    stakes, price, slope, ranked, chances, sharing, holders, money, carried, least, kept, margin, bankroll
):
    """Fills stakes (40,) with the best affordable ticket of minimum bets.

    Each pool's lines are ranked by their price as the only own wager, and the prefix is bought that has the
    highest expected profit, less ``margin`` of its stake; own money in the pool counts. What cannot be paid
    is left out, worst value for its stake first. Returns what the ticket would cost uncut. Scratch: price,
    slope (40,) float64, ranked (24,) int64; on return price is that of the lines bought.

    Args:
        chances: (40,) P; sharing: (40,) R; holders: (40,) E[K].
        money: (3,) chips the others are expected to put into each pool; carried: (3,) chips in the pools.
        least: (40,) the minimum bets.
    """
    cost = 0
    for pool in range(POOLS):
        first, end = POOL_START[pool], POOL_START[pool + 1]
        unit = least[first]
        for line in range(first, end):
            elsewhere = carried[pool] + kept * (money[pool] - unit * holders[line])
            price[line] = chances[line] * (elsewhere * sharing[line] + kept * unit)
            slope[line] = chances[line] * kept * unit * sharing[line]
            stakes[line] = 0
            place = line - first
            while place > 0 and price[ranked[place - 1]] < price[line]:
                ranked[place] = ranked[place - 1]
                place -= 1
            ranked[place] = line
        prices = 0.0
        slopes = 0.0
        best = 0.0
        bought = 0
        for count in range(1, end - first + 1):
            prices += price[ranked[count - 1]]
            slopes += slope[ranked[count - 1]]
            profit = prices + (count - 1) * slopes - count * unit * (1.0 + margin)
            if profit > best + NOTHING * unit:
                best = profit
                bought = count
        for place in range(bought):
            line = ranked[place]
            price[line] += (bought - 1) * slope[line]
            stakes[line] = unit
        cost += bought * unit
    if cost > bankroll:
        cut_down(stakes, price, least, bankroll)
    return cost


@kernel
def cut_down(stakes, price, least, bankroll):  # type: ignore[no-untyped-def]
    """Keeps, of the lines held, those with the best price for their stake that can be paid."""
    left = bankroll
    waiting = 0
    for line in range(LINES):
        waiting += stakes[line] > 0
        stakes[line] = -stakes[line]  # wanted, not bought yet
    while waiting > 0:
        best = -1
        for line in range(LINES):
            if stakes[line] < 0 and (best < 0 or price[line] * least[best] > price[best] * least[line]):
                best = line
        stakes[best] = 0
        if least[best] <= left:
            stakes[best] = least[best]
            left -= least[best]
        waiting -= 1
