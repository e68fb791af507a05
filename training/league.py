"""A league: round by round a best response to the mixture of all before is trained, judged and taken in.

After "policy-space response oracles" (Lanctot et al., "A unified game-theoretic approach to multiagent
reinforcement learning", NeurIPS 2017). In contests of two the mixture is the Nash average of the empirical
payoffs, what each two of the members win of each other; where more sit at a table, or money comes from a
house, all members have the same weight. A round's agent plays fixed deals in the mixture's places
(`best_reply`). If what it gains is surely above 0 it becomes a member; if not, it is left out and the league
stops: nothing better than the mixture has been found with so many steps.

All is in one folder: ``league.json``, ``payoffs.csv`` and a training run for each round. Kill it anywhere;
the same command goes on, and ends as if it had not been broken off.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from .. import __version__
from ..agents.registry import AgentSpec
from ..agents.seating import parse_banker, parse_player
from ..evaluation.nash import nash_average
from ..evaluation.results import figure
from ..games.checks import whole
from ..games.errors import BrokenFile, InvalidSettings
from ..games.registry import load
from .best_reply import Gain, Mixture, Payoff, gain_over, pay_off, payoff_matrix
from .durable import write_file
from .fields import check_word
from .learners import OnPolicySettings
from .run_settings import RunSettings
from .scoring import ROTATE
from .self_play_settings import SNAPSHOTS, SelfPlaySettings, named_agents
from .train import Watch, train
from .warm_start import WarmStart, newest

LEAGUE: Final = "league.json"
PAYOFFS: Final = "payoffs.csv"
FORMAT: Final = 2  # of league.json
DEALS: Final = 2_000
MOST_ROUNDS: Final = 1_000
STARTS: Final = ("newest", "scratch")
LEAST: Final = 1e-4  # weights below are 0: a Nash average is good to about as much
Step = Callable[[str], None]  # told what is done next
Watching = Callable[[RunSettings], AbstractContextManager[Watch]]


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the league."""

    number: int  # from 1
    agent: str  # its folder
    mixture: tuple[float, ...]  # of the members before it
    gain: Gain
    taken: bool  # whether it became a member
    start: str = ""  # folder of the agent from whose policy it was trained on; empty: from scratch


@dataclass(frozen=True, slots=True)
class League:
    """How a league stands."""

    game: str
    members: tuple[str, ...]
    mixture: tuple[float, ...]  # of them
    payoffs: tuple[tuple[int, int, Payoff], ...]  # of every two; none but in contests of two
    rounds: tuple[Round, ...]
    settled: bool  # whether the last agent gained nothing

    def to_json(self) -> str:
        """The league as a JSON object, the same bytes for the same league."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """What a league does.

    Raises:
        InvalidSettings: a value is out of range, or there is nobody to begin with.
    """

    run: RunSettings
    """How a best response is trained: its pool is who the league begins with; its seed grows by rounds."""
    rounds: int
    """At most so many."""
    deals: int = DEALS
    """On which agents meet."""
    start: str = STARTS[0]
    """Where best responses start: newest, at the policy of the latest member that was trained with the same
    network (from scratch where there is none), or scratch."""

    def __post_init__(self) -> None:
        whole("rounds", self.rounds, 1, MOST_ROUNDS)
        whole("deals", self.deals, 30, 10**9)
        check_word(self, "start", STARTS)
        if self.run.self_play is None or not self.run.self_play.named:
            raise InvalidSettings("a league begins with agents: name some, or heuristics, as its pool")
        if SNAPSHOTS in self.run.self_play.pool:
            raise InvalidSettings("a league takes agents in round by round; leave snapshots out of its pool")
        if self.run.door.get("seat") != ROTATE:
            raise InvalidSettings("members of a league sit in every seat; leave seat at 'rotate'")

    @property
    def contest(self) -> bool:
        """Whether two play, and one wins what the other loses."""
        return load(self.run.game).contest and int(self.run.make_rules().seats) == 2

    def to_dict(self) -> dict[str, Any]:
        """All that makes it this league, as JSON has it."""
        kept = self.run.to_dict()
        del kept["deals"], kept["checkpoint_every"]  # of the training runs, which look after them
        return {**kept, "league_deals": self.deals, "start": self.start}


def run_league(
    settings: LeagueSettings,
    folder: Path,
    told: Step | None = None,
    watching: Watching | None = None,
    threads: int = 1,
) -> League:
    """Plays a league to its end, from the start or from where it was broken off.

    Args:
        settings: what it does.
        folder: of the league; made if it is not there.
        told: what is done next.
        watching: opens, for the training of a round, who is told how it goes.
        threads: of torch.

    Raises:
        InvalidSettings: the folder holds another league.
        BrokenFile: ``league.json`` cannot be read, or an agent is damaged.
        Paused, RailbirdError: what `train` raises.
    """
    league = read_league(settings, folder)
    say: Step = told or (lambda text: None)
    while True:
        league = _met(league, settings, folder, say)
        number = len(league.rounds) + 1
        if league.settled or number > settings.rounds:
            return league
        run = round_run(settings, league, number)
        start = newest(league.members, run) if settings.start == "newest" else None
        at = "" if start is None else f", starting at {start}"
        say(f"round {number}: training against {mixture_text(league)}{at}")
        newcomer = _trained(run, start, folder / f"round-{number:03}", watching, threads)
        say(f"round {number}: {settings.deals:,} deals in the mixture's places")
        gain = gain_over(
            _mixture(league, settings), newcomer, run.make_rules(), _banker(run), settings.deals, run.seed
        )
        league = taken_in(league, newcomer, gain, "" if start is None else str(start))
        write_league(league, settings, folder)


def _trained(
    run: RunSettings, start: Path | None, folder: Path, watching: Watching | None, threads: int
) -> AgentSpec:
    """The agent of a round, trained from scratch or from where another ended."""
    companions = () if start is None else (WarmStart(start),)
    with watching(run) if watching else nullcontext() as watch:
        agent = train(run, folder, watch, threads, companions).agent
    return seated(str(agent), run, isinstance(run.learner, OnPolicySettings) and not run.whole)


def taken_in(league: League, newcomer: AgentSpec, gain: Gain, start: str = "") -> League:
    """The league after a round; the newcomer is a member if it gains something."""
    played = Round(len(league.rounds) + 1, newcomer.text, league.mixture, gain, gain.significant, start)
    rounds = (*league.rounds, played)
    if not gain.significant:
        return replace(league, rounds=rounds, settled=True)
    return replace(league, rounds=rounds, members=(*league.members, newcomer.text), mixture=())


def round_run(settings: LeagueSettings, league: League, number: int) -> RunSettings:
    """The training run of a round, against the mixture and nobody else."""
    met = [(name, weight) for name, weight in zip(league.members, league.mixture, strict=True) if weight]
    pool = SelfPlaySettings(
        pool=tuple(name for name, _ in met), weights=tuple(weight for _, weight in met),
        sampling="uniform", latest_share=0, snapshot_share=0, heuristic_share=1,
    )  # fmt: skip
    return replace(settings.run, seed=settings.run.seed + number - 1, self_play=pool)


def _met(league: League, settings: LeagueSettings, folder: Path, say: Step) -> League:
    """The league with all its members met, each two, and with its mixture."""
    size = len(league.members)
    if settings.contest:
        known = {(one, other) for one, other, _ in league.payoffs}
        specs = [seated(name, settings.run) for name in league.members]
        rules = settings.run.make_rules()
        for other in range(size):
            for one in range(other):
                if (one, other) not in known:
                    say(f"{specs[one].text} meets {specs[other].text}")
                    found = pay_off(specs[one], specs[other], rules, settings.deals, settings.run.seed)
                    league = replace(league, payoffs=(*league.payoffs, (one, other, found)))
                    write_league(league, settings, folder)
    if not league.mixture:
        league = replace(league, mixture=mixture_of(size, league.payoffs, settings.contest))
        write_league(league, settings, folder)
    return league


def mixture_of(size: int, payoffs: Sequence[tuple[int, int, Payoff]], contest: bool) -> tuple[float, ...]:
    """The weights of the members: their Nash average in a contest of two, else the same for each."""
    if not contest:
        return (1 / size,) * size
    weight = nash_average(payoff_matrix(size, payoffs)).weight
    weight = np.where(weight < LEAST, 0.0, weight)
    return tuple(figure(value) for value in weight / weight.sum())


def seated(text: str, run: RunSettings, sampled: bool = False) -> AgentSpec:
    """An agent at the league's tables; a learned one draws its actions with its policy's chances."""
    text = f"{text}:sample=true" if sampled else text
    return parse_player(text, load(run.game), run.make_rules(), run.banker)


def _banker(run: RunSettings) -> AgentSpec | None:
    return parse_banker(run.banker, load(run.game), run.make_rules())


def _mixture(league: League, settings: LeagueSettings) -> Mixture:
    return Mixture(tuple(seated(name, settings.run) for name in league.members), league.mixture)


def mixture_text(league: League) -> str:
    """Who has weight, the greatest first, as in "0.62 hoarder, 0.38 cards"."""
    parts = sorted(zip(league.mixture, league.members, strict=True), key=lambda it: -it[0])
    return ", ".join(f"{weight:.2f} {name}" for weight, name in parts if weight)


# ---- in a folder


def read_league(settings: LeagueSettings, folder: Path) -> League:
    """How the league in a folder stands; a new one where there is none.

    Raises:
        InvalidSettings: the folder holds another league.
        BrokenFile: ``league.json`` cannot be read.
    """
    path = folder / LEAGUE
    if not path.exists():
        run = settings.run
        pool = (
            ()
            if run.self_play is None
            else named_agents(run.self_play, run.game, run.make_rules(), run.banker)
        )
        return League(run.game, tuple(spec.text for spec in pool), (), (), (), False)
    try:
        written = json.loads(path.read_text(encoding="utf-8"))
        league = _parse(written["league"]) if written["format"] == FORMAT else None
        asked = written["settings"]
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise BrokenFile(f"{path} cannot be read; choose another folder") from error
    if league is None:
        raise BrokenFile(f"{path} has format {written['format']}, not {FORMAT}; choose another folder")
    own = json.loads(json.dumps(settings.to_dict()))
    for name in own:
        if asked.get(name) != own[name]:
            raise InvalidSettings(
                f"{folder} holds a league with {name} {asked.get(name)!r}, not {own[name]!r};"
                " choose another folder"
            )
    return league


def _parse(written: Any) -> League:
    """A league as `League.to_json` wrote it."""

    def gain(it: Any) -> Gain:
        return Gain(it["gain"], tuple(it["interval"]), it["own"], it["cash_gain"], it["deals"])

    def payoff(it: Any) -> Payoff:
        return Payoff(it["profit"], tuple(it["interval"]))

    return League(
        written["game"], tuple(written["members"]), tuple(written["mixture"]),
        tuple((one, other, payoff(it)) for one, other, it in written["payoffs"]),
        tuple(
            Round(
                it["number"], it["agent"], tuple(it["mixture"]), gain(it["gain"]), it["taken"], it["start"]
            )
            for it in written["rounds"]
        ),
        written["settled"],
    )  # fmt: skip


def write_league(league: League, settings: LeagueSettings, folder: Path) -> None:
    """Writes ``league.json`` and, in contests of two, ``payoffs.csv``.

    Raises:
        RailbirdError: the folder cannot be written to.
    """
    written = {
        "format": FORMAT, "version": __version__, "settings": settings.to_dict(), "league": asdict(league),
    }  # fmt: skip
    write_file(folder / LEAGUE, (json.dumps(written, indent=2, ensure_ascii=False) + "\n").encode())
    if league.payoffs:
        write_file(folder / PAYOFFS, _payoffs_text(league).encode())


def _payoffs_text(league: League) -> str:
    """A row for each two that have met."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["agent", "rival", "profit", "low", "high"])
    for one, other, found in league.payoffs:
        writer.writerow([league.members[one], league.members[other], found.profit, *found.interval])
    return out.getvalue()
