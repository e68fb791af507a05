"""The tournament: agents at common tables, fair deals, honest intervals.

Two questions are asked and kept apart. *Table profit*: what an agent earns a race at tables where the field
sits, every line-up in every seat rotation on the same deals. *Substitution*: what it earns more than another
in the same place, with the same deal, seat, rivals and draws; one place for each of some deals, into which
every agent is put in turn. Both come as cash and without the luck of the payouts (`match.play`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..games.checks import whole
from ..games.contract import house_seat
from ..games.errors import InvalidSettings
from ..games.kernels import Rows
from ..games.registry import load
from .blocks import AgentFactory, BlockResult, Idle, Plan, make_agents, make_fixed
from .executors import Engine, Executor
from .lineups import balanced_line_ups, label_entries, rotate
from .results import Tally, TournamentResult, plain

if TYPE_CHECKING:
    from .store import Store

HERE: Final = Engine()  # this machine, no time limit
DEFAULT_RACES = 1_000_000  # table races of a tournament for which no number of deals is asked
MOST_DEALS = 10**9
MOST_AGENTS = 200

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
    substitutes: int = 1
    """Agents are tried in each other's place in every so-many-th deal; 0: never."""
    fixed: tuple[AgentFactory, ...] = ()
    """Who keeps a seat at every table: the house's banker, or the players that bankers are ranked against."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.agents) <= MOST_AGENTS:
            raise InvalidSettings(f"a tournament has 1 to {MOST_AGENTS} agents, not {len(self.agents)}")
        if self.deals is not None:
            whole("deals", self.deals, 1, MOST_DEALS)
        whole("substitutes", self.substitutes, 0, MOST_DEALS)
        whole("seed", self.seed, 0, 2**256)

    @classmethod
    def of(
        cls,
        game: str,
        agents: Sequence[str] = (),
        deals: int | None = None,
        seed: int = 0,
        substitutes: int = 1,
        banker: str = "",
        bettors: Sequence[str] = (),
        **rules: Any,
    ) -> TournamentSettings:
        """The settings from what is written on the command line; no agents means the whole zoo.

        ``banker`` quotes for the house; ``bettors`` are the players where bankers are ranked, repeated in
        turn if they are fewer than seats (none: the game's own choice).

        Raises:
            UnknownName: no such game, agent or rule; the nearest name is suggested.
            InvalidSettings: a value is not allowed.
        """
        from ..agents.registry import parse_agent, zoo
        from ..agents.seating import check_house, parse_banker, parse_player

        spec = load(game)
        settings = spec.make_settings(**rules)
        check_house(spec, settings)
        texts = agents or zoo(game)
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
        return cls(game, ranked, settings, deals, seed, substitutes, fixed)

    def plan(self) -> Plan:
        """What that comes to: entries, line-ups, tables and the number of deals."""
        ranked = self._ranked_seats()
        entries = label_entries([factory.text for factory in self.agents], len(ranked))
        line_ups = balanced_line_ups(len(entries), len(ranked))
        seating = rotate(line_ups)
        races = len(seating) * int(getattr(self.rules, "races", 1))
        deals = max(DEFAULT_RACES // races, 2) if self.deals is None else self.deals
        return Plan(
            self.game, self.rules, self.seed, deals, self.substitutes,
            tuple(label for label, _ in entries), tuple(self.agents[index] for _, index in entries),
            line_ups, seating, ranked, self._others(len(ranked)),
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

    def to_dict(self, plan: Plan) -> dict[str, Any]:
        """The settings as JSON has them, with the number of deals that are played."""
        return {
            "game": self.game,
            "agents": [factory.text for factory in self.agents],
            "deals": plan.deals,
            "substitutes": self.substitutes,
            "fixed": [factory.text for factory in self.fixed],
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
    contexts = -(-deals // plan.substitutes) if plan.substitutes else 0
    return (deals * len(plan.seating) + contexts * len(plan.labels)) * plan.races
