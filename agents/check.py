"""Whether an agent is fit to play: the logic of ``railbird check-agent``.

The agent plays whole games against agents of the zoo, several times over: the same games again, a lane alone,
lanes in another order, lanes asked in two calls, lanes that start at different times, and a later game first.
A table's chance is a function of its lane number, so an agent that keeps the contract decides the same every
time. Whatever the agent does is a finding; only a wrong question raises.
"""

from __future__ import annotations

import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.contract import Game, house_seat
from ..games.errors import InvalidSettings
from ..games.kernels import Flags, Rows
from ..games.registry import load
from ..games.spec import GameSpec
from .contract import Agent
from .registry import AgentSpec, parse_agent, zoo
from .seating import check_house, parse_banker, parse_player

LIMIT: Final = 100.0  # µs a decision
BATCH: Final = tuple(range(8))  # lane numbers of the games played
ALONE: Final = (3,)
SHUFFLED: Final = (6, 1, 4)
GAMES: Final = 2  # games played in each lane
LATE: Final = 1  # turns by which every other lane starts late in the staggered games
SEED: Final = 20_240
TIMED_LANES: Final = 4_096
TIMED_TURNS: Final = 6  # as many of each kind of decision in games that know two

_RAISED: Final = object()  # stands for the answer of an agent that raised

Key: TypeAlias = tuple[int, int, int]  # lane number, game, turn
Row: TypeAlias = int | np.integer[Any]
Decision: TypeAlias = NDArray[Any] | None  # None: it could not be used


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    item: str
    ok: bool
    text: str  # what was seen, in one line


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found about an agent."""

    agent: str
    game: str
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it."""
        return all(finding.ok for finding in self.findings)

    def __str__(self) -> str:
        """The findings, a line each, and the verdict."""
        lines = [
            f"{'ok    ' if found.ok else 'FAILED'} {found.item}: {found.text}" for found in self.findings
        ]
        verdict = "is fit to play" if self.ok else "is not fit to play yet"
        return "\n".join([*lines, f"{self.agent} {verdict} {self.game}"])


def check_agent(agent: AgentSpec | str, game: str, **rules: Any) -> CheckReport:
    """Plays the agent, looks at all it does, and says what is wrong.

    Args:
        agent: the agent, or its text.
        game: the name of the game.
        **rules: settings of the game other than the defaults.

    Raises:
        UnknownName: there is no such game, agent or setting.
        InvalidSettings: the agent's text cannot be read, or a setting is not allowed.
    """
    spec = agent if isinstance(agent, AgentSpec) else parse_agent(agent, game)
    trial = Trial(spec, load(game), load(game).make_settings(**rules))
    with GlobalGenerators() as generators:
        try:
            spec.make(trial.settings)
        except InvalidSettings as error:
            return CheckReport(spec.text, game, (Finding("made", False, str(error)),))
        base = trial.play(BATCH)
        findings = (
            Finding("made", True, "its constructor takes the settings"),
            _plays(base),
            _legal(base),
            _same("deterministic", base, [("played again", trial.play(BATCH))]),
            _same("isolated", base, list(_regroupings(trial))),
            _all_well("arguments", base.altered, "leaves what it is given as it was"),
            _all_well("random numbers", generators.used(), "uses none but the draws it is given"),
            _fast(trial),
        )
    return CheckReport(spec.text, game, findings)


def cost_per_decision(agent: AgentSpec, settings: Any) -> float:
    """The time ``act`` takes for one decision in a batch of 4,096 lanes, µs: the mean of six turns.

    An agent far above the limit in a batch of 64 is not asked for more; one that is only slow to warm up is.
    """
    trial = Trial(agent, load(agent.game), settings)
    few = trial.cost(64)
    return few if few > 4 * LIMIT else trial.cost(TIMED_LANES)


@dataclass(slots=True)
class Record:
    """What an agent did in some games."""

    spec: GameSpec
    decisions: dict[Key, Decision] = field(default_factory=dict)
    phases: dict[Key, int] = field(default_factory=dict)  # which kind of decision it was
    raised: list[str] = field(default_factory=list)
    illegal: list[str] = field(default_factory=list)
    altered: list[str] = field(default_factory=list)
    refused: int = 0  # tickets beyond the player's chips, in games that refuse them

    @property
    def used(self) -> int:
        """The number of decisions that could be used."""
        return sum(decision is not None for decision in self.decisions.values())


class Trial:
    """Plays one agent against agents of the zoo; in lane number k it sits in seat k modulo players, or it is
    the house, where that is what the game is about.
    """

    def __init__(self, agent: AgentSpec, spec: GameSpec, settings: Any) -> None:
        check_house(spec, settings)
        players, house = int(settings.seats), house_seat(settings)
        names = zoo(spec.players or spec.name)
        others = players if spec.players else players - 1
        self.spec, self.settings = spec, settings
        self.agent = agent if spec.players else parse_player(agent.text, spec, settings)
        self.rivals = [parse_player(names[(1 + 3 * i) % len(names)], spec, settings) for i in range(others)]
        self.banker = parse_banker("", spec, settings)
        self.house = house if spec.players else None

    def play(self, numbers: Sequence[int], calls: int = 1, late: int = 0, first: int = 0) -> Record:
        """Plays these lane numbers: the agent asked for them in ``calls`` parts each turn, every other lane
        ``late`` turns later, beginning with game ``first``.
        """
        game = self.spec.game(self.settings, SEED, list(numbers))
        for _ in range(first):
            game.start()
        game.state.over[:] = True
        table = self._table(game, self.rivals)
        every = np.arange(game.lanes)
        due = every % 2 * late
        turn = 0
        while True:
            table.start(game.over & (game.state.episode < GAMES - 1) & (due <= turn))
            if game.over.all() and (due <= turn).all():
                return table.record
            table.turn([every % calls == call for call in range(calls)])
            turn += 1

    def cost(self, lanes: int) -> float:
        """µs a decision takes in a batch of so many lanes, the mean of some turns after the first. At
        the other seats sit the first of the rivals.
        """
        game = self.spec.game(self.settings, SEED, lanes)
        table = self._table(game, self.rivals[:1] * len(self.rivals))
        times: list[float] = []
        while len(times) <= TIMED_TURNS:
            table.start(game.over.copy())
            table.turn([np.ones(lanes, bool)], times)
        return fmean(times[1:]) * 1e6

    def _table(self, game: Game[Any, Any], rivals: Sequence[AgentSpec]) -> _Table:
        """The tables of a game, with fresh agents in their seats."""
        players, none = int(self.settings.seats), game.state.number * 0
        tested: Rows = game.state.number % players if self.house is None else none + self.house
        seated = []
        for place, rival in enumerate(rivals):
            seats = (tested + 1 + place) % players if self.house is None else none + place
            seated.append((rival.make(self.settings), seats))
        if self.banker is not None:
            seated.append((self.banker.make(self.settings), none + players))
        return _Table(game, self.agent.make(self.settings), tested, seated, Record(self.spec))


class _Table:
    """The tables of a trial, turn by turn."""

    def __init__(
        self,
        game: Game[Any, Any],
        tested: Agent[Any],
        seats: Rows,
        rivals: list[tuple[Agent[Any], Rows]],
        record: Record,
    ) -> None:
        self.game, self.tested, self.rivals, self.record = game, tested, rivals, record
        self.seats = seats  # (lanes,) of the tested agent; a rival comes with its own

    def start(self, lanes: Flags) -> None:
        """Starts a game in these lanes."""
        if not lanes.any():
            return
        self.game.start(lanes)
        for rival, _ in self.rivals:
            rival.begin(lanes.copy())
        told = lanes.copy()
        self._guard("begin", np.flatnonzero(lanes)[0], lambda: self.tested.begin(told))
        if not np.array_equal(told, lanes):
            self.record.altered.append("begin writes into the mask of lanes")

    def turn(self, groups: Sequence[Flags], times: list[float] | None = None) -> None:
        """Plays a turn; the tested agent is asked for each group of lanes by itself. Appends to ``times`` the
        seconds it took for each decision.
        """
        game, every = self.game, np.arange(self.game.lanes)
        active = ~game.over
        decisions = game.fallback()
        for rival, seats in self.rivals:
            asked = active & game.to_act[every, seats]
            if asked.any():
                rows = np.flatnonzero(asked)
                decisions[rows, seats[rows]] = rival.act(
                    game.view(seats[rows], asked), game.draws(seats[rows], asked)
                )
        for group in groups:
            asked = group & active & game.to_act[every, self.seats]
            if asked.any():
                spent = self._ask(asked, decisions)
                if times is not None:
                    times.append(spent / int(asked.sum()))
        self._strike_illegal(decisions, active)
        game.submit(decisions, active)
        self.record.refused += int(game.refused[every, self.seats][active].sum())

    def _ask(self, asked: Flags, decisions: NDArray[Any]) -> float:
        """Writes the tested agent's decisions, notes what is wrong with them; the seconds it took."""
        game, rows = self.game, np.flatnonzero(asked)
        view, draws = game.view(self.seats[rows], asked), game.draws(self.seats[rows], asked)
        before = {part.name: getattr(view, part.name).copy() for part in fields(view)}
        started = time.perf_counter()
        answer = self._guard("act", rows[0], lambda: self.tested.act(view, draws))
        spent = time.perf_counter() - started
        for name, array in before.items():
            if not np.array_equal(getattr(view, name), array):
                self.record.altered.append(f"act writes into view.{name}")
        usable, fault = _whole(answer, (len(rows), *game.decision_shape), np.dtype(game.decision_dtype))
        if fault and answer is not _RAISED:
            self.record.illegal.append(f"{self._when(rows[0])}: {fault}")
        if usable is not None:
            decisions[rows, self.seats[rows]] = usable
        for row in rows:
            decided = None if usable is None else decisions[row, self.seats[row]].copy()
            self.record.decisions[self._key(row)] = decided
            self.record.phases[self._key(row)] = int(game.phase[row])
        return spent

    def _strike_illegal(self, decisions: NDArray[Any], active: Flags) -> None:
        """Replaces and notes the tested agent's decisions that break a rule."""
        game, lanes = self.game, np.flatnonzero(active)
        seats = self.seats[lanes]
        codes = game.faults(decisions, active)[np.arange(len(lanes)), seats]
        for place in np.flatnonzero(codes):
            lane, seat = int(lanes[place]), int(seats[place])
            reason = game.explain(int(codes[place]), decisions[lane, seat], lane, seat)
            self.record.illegal.append(f"{self._when(lane)}: {reason}")
            self.record.decisions[self._key(lane)] = None
            decisions[lane, seat] = game.fallback()[lane, seat]

    def _guard(self, method: str, row: Row, call: Callable[[], Any]) -> Any:
        """What the agent returns; where it raises, that is noted and the result is ``_RAISED``."""
        try:
            return call()
        except (Exception, SystemExit) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(last.filename).name}, line {last.lineno}"
            told = f"{method} raised {type(error).__name__}: {error} ({place})"
            self.record.raised.append(f"{self._when(row)}: {told}")
            return _RAISED

    def _key(self, row: Row) -> Key:
        state = self.game.state
        return int(state.number[row]), int(state.episode[row]), int(state.turn[row])

    def _when(self, row: Row) -> str:
        return _when(self._key(row))


class GlobalGenerators:
    """Keeps the state of the process's own random generators, to see and undo what happened to it."""

    def __enter__(self) -> GlobalGenerators:
        self._random = random.getstate()
        self._numpy = np.random.get_state()  # noqa: NPY002 - watched, not used
        torch: Any = sys.modules.get("torch")
        self._torch = None if torch is None else torch.random.get_rng_state()
        return self

    def __exit__(self, *_: object) -> None:
        random.setstate(self._random)
        np.random.set_state(self._numpy)  # noqa: NPY002 - put back as it was
        torch: Any = sys.modules.get("torch")
        if self._torch is not None:
            torch.random.set_rng_state(self._torch)

    def used(self) -> list[str]:
        """The generators whose state has changed."""
        now = np.random.get_state()  # noqa: NPY002 - watched, not used
        found = []
        if random.getstate() != self._random:
            found.append("uses the global generator of the module random")
        if any(not np.array_equal(part, was) for part, was in zip(now, self._numpy, strict=True)):
            found.append("uses the global generator np.random")
        torch: Any = sys.modules.get("torch")
        if self._torch is not None and not torch.equal(torch.random.get_rng_state(), self._torch):
            found.append("uses the global generator of torch")
        return found


def _whole(answer: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Decision, str]:
    """The answer in the game's dtype, or None and what is wrong with it."""
    if not isinstance(answer, np.ndarray) or answer.dtype.kind not in "biuf":
        return None, f"answers a {type(answer).__name__}; an array of whole numbers of shape {shape} is due"
    given: NDArray[Any] = answer
    if given.shape != shape:
        return (
            None,
            f"answers an array of shape {given.shape}; {shape} is due, a row for each row of the view",
        )
    limits = np.iinfo(dtype)
    fits = (given >= limits.min) & (given <= limits.max) & (given == np.floor(given))
    if not fits.all():
        return None, f"answers {given[~fits][0]}; whole numbers from {limits.min:,} to {limits.max:,} are due"
    return given.astype(dtype), ""


def _when(key: Key) -> str:
    return f"lane {key[0]}, game {key[1] + 1}, turn {key[2] + 1}"


def _regroupings(trial: Trial) -> list[tuple[str, Record]]:
    """The same games with other company, by what is different."""
    return [
        ("alone", trial.play(ALONE)),
        ("among other lanes in another order", trial.play(SHUFFLED)),
        ("when its lanes are asked in two calls", trial.play(BATCH, calls=2)),
        ("when lanes start at different times", trial.play(BATCH, late=LATE)),
        ("without the game before", trial.play(BATCH, first=1)),
    ]


def _all_well(item: str, faults: Sequence[str], well: str) -> Finding:
    """Fails with the first of the faults and their number."""
    if not faults:
        return Finding(item, True, well)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Finding(item, False, faults[0] + more)


def _plays(base: Record) -> Finding:
    games = len({key[:2] for key in base.decisions})
    return _all_well(
        "plays", base.raised, f"{len(base.decisions)} decisions in {games} games against the zoo"
    )


def _legal(base: Record) -> Finding:
    refused = f"; {base.refused} tickets cost more than its chips and were refused" if base.refused else ""
    if not base.used and not base.illegal:
        return Finding("legal", False, "cannot be told: no decision came back")
    return _all_well("legal", base.illegal, f"every decision keeps the rules{refused}")


def _same(item: str, base: Record, others: Sequence[tuple[str, Record]]) -> Finding:
    """Whether the decisions of the records agree with those of the base where both have them."""
    if not base.used:
        return Finding(item, False, "cannot be told: no decision could be used")
    compared = 0
    for how, other in others:
        for key in sorted(other.decisions.keys() & base.decisions.keys()):
            was, now = base.decisions[key], other.decisions[key]
            if was is None and now is None:
                continue
            if was is None or now is None or not np.array_equal(was, now):
                texts = [_text(base.spec, decision, base.phases[key]) for decision in (was, now)]
                return Finding(item, False, f"{_when(key)}: decided {texts[0]}, {how} {texts[1]}")
            compared += 1
    ways = "" if len(others) == 1 else f" in {len(others)} other groupings"
    return Finding(item, True, f"decides the same{ways} ({compared} decisions compared)")


def _text(spec: GameSpec, decision: Decision, phase: int) -> str:
    """A decision in the words of its game."""
    if decision is None:
        return "nothing that could be used"
    written = "; ".join(str(spec.decision_text(decision, phase)).splitlines())
    return f"[{written or 'nothing'}]"


def _fast(trial: Trial) -> Finding:
    spent = cost_per_decision(trial.agent, trial.settings)
    return Finding("fast", spent <= LIMIT, f"{spent:,.2f} µs a decision; the limit is {LIMIT:g}")
