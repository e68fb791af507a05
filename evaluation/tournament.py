"""The tournament: agents at common tables, fair deals, honest intervals.

Two questions are asked and kept apart. *Table profit*: what an agent earns a race at tables where the field
sits, every line-up in every seat rotation on the same deals. *Substitution*: what it earns more than another
in the same place, with the same deal, seat, rivals and draws; one place for each of some deals, into which
every agent is put in turn. Both come as cash and without the luck of the payouts (`match.play`).

Who else sits there decides what betting earns. So the same can be asked of places among strangers, who are
not ranked themselves (``against``), and of the line-ups that are left when an agent is left out
(``leave_one_out``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..games.checks import whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings
from ..games.kernels import Rows
from ..games.registry import load
from .blocks import AgentFactory, BlockResult, Idle, Plan, make_agent, make_agents, make_fixed
from .executors import Engine, Executor
from .lineups import balanced_line_ups, label_entries, rotate
from .results import TournamentResult, plain
from .tally import Tally

if TYPE_CHECKING:
    from .store import Store

HERE: Final = Engine()  # this machine, no time limit
DEFAULT_RACES = 1_000_000  # table races of a tournament for which no number of deals is asked
MOST_DEALS = 10**9
MOST_AGENTS = 200
EVERY = 20  # deals of which one has agents tried in each other's place, unless something else is asked for
FIRST = 100  # and all of these from the start, so that short tournaments have enough

Progress = Callable[[int, int], None]  # called with races played and races in all


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """What a tournament plays.

    Raises:
        InvalidSettings: a value is out of range, or there is no agent.
    """

    game: str
    """Name of the game."""
    agents: tuple[AgentFactory, ...]
    """Who is ranked; repeated in turn if they are fewer than seats."""
    rules: Any
    """The game's own settings: seats, races, …"""
    deals: int | None = None
    """Deals, each played by every line-up in every rotation; None: as many as make a million table races."""
    seed: int = 0
    """Root seed of the deals."""
    substitutes: int | None = None
    """Agents are tried in each other's place in every so-many-th deal; 0: never; None: in the first 100 deals
    and every 20th."""
    fixed: tuple[AgentFactory, ...] = ()
    """Who keeps a seat at every table: the house's banker, or the players that bankers are ranked against."""
    until: float | None = None
    """Stop when the 95 % intervals of all agents' profits, chips a race, are no wider than this to each side;
    they then hold at any time of looking, and ``deals`` is the most that are played."""
    margin: float | None = None
    """Chips a race up to which a difference counts as none; None: 0.5 % of the mean stake of a race."""
    against: tuple[AgentFactory, ...] = ()
    """Strangers among whom the agents are tried as well, one at a time; repeated in turn if they are few."""
    leave_one_out: bool = False
    """Give the order again with each agent left out in turn."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.agents) <= MOST_AGENTS:
            raise InvalidSettings(f"a tournament has 1 to {MOST_AGENTS} agents, not {len(self.agents)}")
        if self.deals is not None:
            whole("deals", self.deals, 1, MOST_DEALS)
        if self.substitutes is not None:
            whole("substitutes", self.substitutes, 0, MOST_DEALS)
        whole("seed", self.seed, 0, 2**256)
        if self.until is not None and not (isfinite(self.until) and self.until > 0):
            raise InvalidSettings(f"until is a number of chips above 0, not {self.until}")
        if self.margin is not None and not (isfinite(self.margin) and self.margin >= 0):
            raise InvalidSettings(f"margin is a number of chips, 0 or more, not {self.margin}")
        self._check_company()

    def _check_company(self) -> None:
        """Whether there is company to vary."""
        seats = len(self._ranked_seats())
        if self.against and seats == 1:
            raise InvalidSettings(
                f"agents of {self.game} are ranked one at a table; nobody sits against them"
            )
        if self.against and self.substitutes == 0:
            raise InvalidSettings("against takes places of deals with substitutes, and none are asked for")
        if self.leave_one_out and len(self.agents) <= seats:
            raise InvalidSettings(
                f"to leave one out there must be more agents than seats, {seats}, not {len(self.agents)}"
            )

    @classmethod
    def of(
        cls,
        game: str,
        agents: Sequence[str] = (),
        deals: int | None = None,
        seed: int = 0,
        substitutes: int | None = None,
        banker: str = "",
        bettors: Sequence[str] = (),
        until: float | None = None,
        margin: float | None = None,
        against: Sequence[str] = (),
        leave_one_out: bool = False,
        **rules: Any,
    ) -> TournamentSettings:
        """The settings from what is written on the command line; no agents means the whole zoo and the
        trained agents that come with the package.

        ``banker`` quotes for the house; ``bettors`` are the players where bankers are ranked, repeated in
        turn if they are fewer than seats (none: the game's own choice); ``against`` names the strangers.

        Raises:
            UnknownName: no such game, agent or rule; the nearest name is suggested.
            InvalidSettings: a value is not allowed.
        """
        from ..agents.registry import parse_agent
        from ..agents.seating import check_house, parse_banker, parse_player, usual_agents

        spec = load(game)
        settings = spec.make_settings(**rules)
        check_house(spec, settings)
        texts = agents or usual_agents(game, settings)
        if spec.players:
            seated = bettors or spec.bettors
            others = [seated[seat % len(seated)] for seat in range(int(settings.seats))]
            ranked = tuple(parse_agent(text, game) for text in texts)
            fixed = tuple(parse_player(text, spec, settings) for text in others)
        else:
            if bettors:
                raise InvalidSettings(f"the agents of {game} are its players; name them with --agents")
            ranked = tuple(parse_player(text, spec, settings, banker) for text in texts)
            quoting = parse_banker(banker, spec, settings)
            fixed = () if quoting is None else (quoting,)
        strangers = tuple(parse_player(text, spec, settings, banker) for text in against)
        return cls(
            game, ranked, settings, deals, seed, substitutes, fixed, until, margin, strangers, leave_one_out
        )

    def plan(self) -> Plan:
        """What that comes to: entries, line-ups, tables and the number of deals."""
        ranked = self._ranked_seats()
        entries = label_entries([factory.text for factory in self.agents], len(ranked))
        line_ups = balanced_line_ups(len(entries), len(ranked))
        seating = rotate(line_ups)
        races = len(seating) * int(getattr(self.rules, "races", 1))
        deals = max(DEFAULT_RACES // races, 2) if self.deals is None else self.deals
        every, first = (EVERY, FIRST) if self.substitutes is None else (self.substitutes, 0)
        strangers = self._strangers(len(ranked))
        return Plan(
            self.game, self.rules, self.seed, deals, every,
            tuple(label for label, _ in entries), tuple(self.agents[index] for _, index in entries),
            line_ups, seating, ranked, self._others(len(ranked)), first, strangers,
            balanced_line_ups(max(len(strangers), len(ranked)), len(ranked)), self.leave_one_out, self.until,
            self.margin,
        )  # fmt: skip

    def _ranked_seats(self) -> Rows:
        """The seats in which the ranked agents sit: the players', or the house's."""
        if load(self.game).players:
            return np.array([house_seat(self.rules)])
        return np.arange(int(self.rules.seats))

    def _others(self, ranked: int) -> tuple[AgentFactory, ...]:
        """Who sits in the other seats; a house that nobody quotes for is kept by one that does nothing."""
        seats = int(self.rules.seats) + (house_seat(self.rules) is not None)
        return self.fixed or (Idle(),) * (seats - ranked)

    def _strangers(self, seats: int) -> tuple[AgentFactory, ...]:
        """The strangers, repeated in turn to fill a table; none if none are asked for."""
        named = label_entries([factory.text for factory in self.against], seats) if self.against else []
        return tuple(self.against[index] for _, index in named)

    def to_dict(self, plan: Plan) -> dict[str, Any]:
        """The settings as JSON has them, with the number of deals, the most where they are not fixed."""
        return {
            "game": self.game,
            "agents": [factory.text for factory in self.agents],
            "deals": plan.deals,
            "substitutes": self.substitutes,
            "fixed": [factory.text for factory in self.fixed],
            "until": self.until,
            "margin": self.margin,
            "against": [factory.text for factory in self.against],
            "leave_one_out": self.leave_one_out,
            "rules": plain(self.rules),
        }


def run(
    settings: TournamentSettings,
    progress: Progress | None = None,
    workers: int | None = 1,
    out: Path | None = None,
    engine: Engine = HERE,
) -> TournamentResult:
    """Plays a tournament. The result does not depend on the number of workers, nor on where they are.

    Args:
        settings: what is played.
        progress: told after each block how many races have been played, of how many.
        workers: processes; None: by the processors at hand, one for a short tournament. A script that asks
            for several must be importable (``if __name__ == "__main__":``), as `multiprocessing` wants it.
        out: folder to keep everything in (see `store`). What is finished there is not played again.
        engine: where it is played, and how long an agent may think.

    Raises:
        InvalidSettings: an agent cannot be made, or ``out`` holds another tournament or is in use.
        BrokenFile: a file in ``out`` is missing, cut off or changed.
        RailbirdError: the disk is full, or blocks cannot be played.
    """
    plan = settings.plan()
    make_fixed(plan)
    make_agents(plan)  # an agent that cannot be made should be known before anything is played
    for factory in plan.strangers:
        make_agent(factory, plan.rules)
    described = settings.to_dict(plan)
    executor = engine.executor(plan, workers)
    with nullcontext() if out is None else _store(out, plan, described) as store:
        tally, done, total = Tally(plan), 0, count_races(plan, plan.deals)
        with closing(_blocks(plan, executor, store)) as blocks:
            for block in blocks:
                tally.add(block)
                done += len(block.deals)
                if progress is not None:
                    progress(count_races(plan, done), total)
                if tally.narrow_enough:
                    break
        result = tally.result(described)
        if store is not None:
            store.finish(result)
    return result


def _store(out: Path, plan: Plan, described: dict[str, Any]) -> Store:
    from .store import Store, describe  # loads DuckDB

    return Store(out, plan, describe(plan, described))


def _blocks(plan: Plan, executor: Executor, store: Store | None) -> Generator[BlockResult]:
    """All blocks of a plan in order: those that are finished, and those that are played now."""
    if store is None:
        yield from executor.play(plan, range(plan.blocks))
        return
    missing = (number for number in range(plan.blocks) if number not in store)
    with closing(executor.play(plan, missing)) as played:
        for number in range(plan.blocks):
            if number in store:
                yield store.read(number)
            else:
                block = next(played)
                store.add(number, block)
                yield block


def count_races(plan: Plan, deals: int) -> int:
    """Races that are run in the first so many deals, those with agents in each other's place included."""
    contexts = int(plan.contexts_before(np.array([deals]))[0]) * (2 if plan.strangers else 1)
    return (deals * len(plan.seating) + contexts * len(plan.labels)) * plan.races
