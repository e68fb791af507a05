"""Agents that price every line exactly and differ in what they expect of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ...games.errors import InvalidSettings
from ...games.kernels import Flags, Stakes, kernel
from ...games.streams import Draws
from ...games.superfecta.lines import LINES, POOL_OF, POOL_START, POOLS
from ...games.superfecta.settings import SuperfectaSettings
from ...games.superfecta.state import SuperfectaView
from .bettor import Bettor, unit_interval
from .memory import ROLES, Coverage
from .pricing import quadrature, write_reply


class Value(Bettor):
    """Expects of each other seat what its earlier tickets of this game show, role by role.

    After n races of which a seat held a role in h, it is expected to hold it with chance
    (h + weight · prior) / (n + weight); a seat that cannot pay a pool's minimum bet, with chance 0. Each
    holder is taken to stake the minimum bet. Of many lines those look best whose holders are underrated, and
    chips spent for nothing are missed later: hence the margin.

    Options:
        prior: chance that a seat holds a line before anything is known of it, 0-1.
        weight: how many races the prior counts for, above 0.
        margin: profit expected of a chip before it is bet, 0 or more.
    """

    idea: ClassVar[str] = (
        "Forecasts the other holders from earlier tickets and buys lines worth more than they cost."
    )
    source: ClassVar[str] = "exact parimutuel value: P(line) · E[pool / (1 + other holders)]"

    def __init__(
        self, settings: SuperfectaSettings, *, prior: float = 0.25, weight: float = 1.0, margin: float = 0.1
    ) -> None:
        super().__init__(settings)
        self.prior = unit_interval("prior", prior)
        if not 0 < weight < np.inf:
            raise InvalidSettings(f"weight is a number of races above 0, not {weight!r}")
        if not 0 <= margin < np.inf:
            raise InvalidSettings(f"margin is a number of 0 or more, not {margin!r}")
        self.weight = float(weight)
        self.margin = float(margin)
        self._seen = Coverage(settings.seats)
        self._nodes, self._weights = quadrature(settings.seats)

    def begin(self, lanes: Flags) -> None:
        self._seen.forget(lanes)

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        self._seen.read(view)
        stakes = np.empty((len(view.lane), LINES), np.int16)
        write_values(
            stakes, self._seen.held, self._seen.races, view.lane, view.seat, self.rails(view), view.pools,
            view.bankrolls, ROLES, self.chances, self.least, self.kept, self.margin, self.prior, self.weight,
            self._nodes, self._weights,
        )  # fmt: skip
        return stakes


class LevelOne(Bettor):
    """Best reply to seats that hold each line at random. Remembers nothing and draws nothing.

    Options:
        coverage: chance that each other seat holds each line, 0-1.
    """

    idea: ClassVar[str] = "Best reply to a table of random bettors."
    source: ClassVar[str] = "level-k reasoning, level 1 (Stahl and Wilson 1995; Nagel 1995)"

    def __init__(self, settings: SuperfectaSettings, *, coverage: float = 0.1) -> None:
        super().__init__(settings)
        self.coverage = unit_interval("coverage", coverage)
        others = settings.seats - 1
        nodes, weights = quadrature(settings.seats)
        share = float(weights @ (1 - self.coverage * (1 - nodes)) ** others)  # E[1 / (1 + K)], K binomial
        self._sharing = np.full(LINES, share)
        self._holders = np.full(LINES, others * self.coverage)
        units = np.array(settings.minimums, np.float64)
        self._money = np.diff(POOL_START) * units * others * self.coverage

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        return self._reply(write_level_one, view)

    def _reply(self, kernel: Callable[..., None], view: SuperfectaView) -> Stakes:
        stakes = np.empty((len(view.lane), LINES), np.int16)
        kernel(
            stakes, view.seat, self.rails(view), view.pools, view.bankrolls, self.chances, self._sharing,
            self._holders, self._money, self.least, self.kept,
        )  # fmt: skip
        return stakes


class LevelTwo(LevelOne):
    """Best reply to seats that all play `level-1`, each as far as its chips reach.

    Options:
        coverage: what those others expect in their turn: the chance that a seat holds a line, 0-1.
    """

    idea: ClassVar[str] = "Best reply to a table of level-1 bettors."
    source: ClassVar[str] = "level-k reasoning, level 2 (Stahl and Wilson 1995; Nagel 1995)"

    def act(self, view: SuperfectaView, draws: Draws) -> Stakes:
        return self._reply(write_level_two, view)


@kernel
def write_values(  # type: ignore[no-untyped-def]
    stakes, held, races, lane, seat, rails, pools, bankrolls, roles, chances, least, kept, margin, prior,
    weight, nodes, weights,
):  # fmt: skip
    """Fills stakes (n, 40) with the best reply to the coverage forecast from ``held`` (lanes, seats, 40)."""
    at_node = np.empty((nodes.shape[0], LINES))  # the generating function of K at each node
    sharing = np.empty(LINES)
    holders = np.empty(LINES)
    money = np.empty(POOLS)
    price = np.empty(LINES)
    slope = np.empty(LINES)
    ranked = np.empty(LINES, np.int64)
    for i in range(stakes.shape[0]):
        role = roles[rails[i]]
        part = 1.0 / (races[lane[i]] + weight)
        at_node[:] = 1.0
        holders[:] = 0.0
        for other in range(held.shape[1]):
            if other == seat[i]:
                continue
            for line in range(LINES):
                if least[line] <= bankrolls[i, other]:
                    hold = (held[lane[i], other, role[line]] + weight * prior) * part
                    holders[line] += hold
                    for node in range(nodes.shape[0]):
                        at_node[node, line] *= 1.0 - hold * (1.0 - nodes[node])
        sharing[:] = 0.0
        for node in range(nodes.shape[0]):
            for line in range(LINES):
                sharing[line] += weights[node] * at_node[node, line]
        money[:] = 0.0
        for line in range(LINES):
            money[POOL_OF[line]] += least[line] * holders[line]
        write_reply(
            stakes[i], price, slope, ranked, chances[rails[i]], sharing, holders, money, pools[i], least,
            kept, margin, bankrolls[i, seat[i]],
        )  # fmt: skip


@kernel
def write_level_one(  # type: ignore[no-untyped-def]
    stakes, seat, rails, pools, bankrolls, chances, sharing, holders, money, least, kept
):
    """Fills stakes (n, 40) with the best reply to the same ``sharing`` … ``money`` in every row."""
    price = np.empty(LINES)
    slope = np.empty(LINES)
    ranked = np.empty(LINES, np.int64)
    for i in range(stakes.shape[0]):
        write_reply(
            stakes[i], price, slope, ranked, chances[rails[i]], sharing, holders, money, pools[i], least,
            kept, 0.0, bankrolls[i, seat[i]],
        )  # fmt: skip


@kernel
def write_level_two(  # type: ignore[no-untyped-def]
    stakes, seat, rails, pools, bankrolls, chances, sharing, holders, money, least, kept
):
    """Fills stakes (n, 40) with the best reply to others who all play level 1 as far as their chips reach."""
    price = np.empty(LINES)
    slope = np.empty(LINES)
    ranked = np.empty(LINES, np.int64)
    known = np.empty(LINES)  # E[1 / (1 + K)] where K is certain
    count = np.empty(LINES)
    paid = np.empty(POOLS)
    for i in range(stakes.shape[0]):
        count[:] = 0.0
        cost = np.int64(-1)
        uncut = False  # stakes[i] holds the whole level-1 ticket, which costs `cost`
        for other in range(bankrolls.shape[1]):
            if other == seat[i]:
                continue
            reach = bankrolls[i, other]
            if not (uncut and cost <= reach):
                cost = write_reply(
                    stakes[i], price, slope, ranked, chances[rails[i]], sharing, holders, money, pools[i],
                    least, kept, 0.0, reach,
                )  # fmt: skip
                uncut = cost <= reach
            for line in range(LINES):
                count[line] += stakes[i, line] > 0
        paid[:] = 0.0
        for line in range(LINES):
            known[line] = 1.0 / (1.0 + count[line])
            paid[POOL_OF[line]] += count[line] * least[line]
        write_reply(
            stakes[i], price, slope, ranked, chances[rails[i]], known, count, paid, pools[i], least, kept,
            0.0, bankrolls[i, seat[i]],
        )  # fmt: skip
