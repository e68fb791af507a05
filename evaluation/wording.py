"""What a tournament's result says, in sentences, and what to try next."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..agents.seating import usual_agents
from ..games.errors import InvalidSettings
from ..games.registry import load
from .estimates import CONFIDENCE
from .results import Interval, Rank, TournamentResult, plain
from .verdicts import Judgement

MOST_NAMED = 6  # agents named in a sentence; beyond that they are counted
LEAST_WEIGHT = 0.005  # of an agent that is named in a mixture
FLAGS = ("seats", "races", "bank")  # rules with an option of their own
RANKS = {
    "fixed": "Ranks are those the deals leave open, for all agents together.",
    "sequence": "Ranks are those the deals leave open, for all agents together; they and the intervals are"
    " valid at any time of looking.",
}
VERBS = {
    Judgement.BETTER: "more than",
    Judgement.WORSE: "less than",
    Judgement.EQUIVALENT: "as much as",
    Judgement.UNDECIDED: "what cannot be told apart yet from",
}


def rank_text(rank: Rank) -> str:
    """``1``, or ``2–5`` where the deals leave that open."""
    low, high = rank
    return str(low) if low == high else f"{low}–{high}"


def give_or_take(value: float, interval: Interval, digits: int = 3) -> str:
    """``+0.312 ± 0.041``, or the value alone with too few deals."""
    low, high = interval
    half = "" if low is None or high is None else f" ± {(high - low) / 2:.{digits}f}"
    return f"{value:+.{digits}f}{half}"


def meaning(result: TournamentResult) -> list[str]:
    """What the numbers say, in sentences."""
    settings, first = result.settings, result.leaderboard[0].agent
    contest, rivals = load(settings["game"]).contest, len(result.leaderboard) - 1
    sentences = [_played(result, contest)]
    if rivals:
        sentences.append(RANKS[result.design["intervals"]])
        sentences.append(_compared(result, first, rivals, contest))
    sentences += _deviation(result, first) + _population(result)
    if result.abroad is not None:
        best = result.abroad.standings[0]
        sentences.append(
            f"Among strangers ({', '.join(result.abroad.population)}) {best.agent} earns most:"
            f" {give_or_take(best.profit_per_race, best.interval)}, rank {rank_text(best.rank)}."
        )
    if result.left_out:
        sentences.append(_leaders(result, first))
    if result.design["cash_agrees"] is False:
        sentences.append("Cash does not have the mean of profit: what a race pays was not expected right.")
    if result.design["narrow_enough"] is False:
        sentences.append(
            f"The intervals are not yet within {settings['until']:g} to each side; that takes more --deals."
        )
    return sentences


def _compared(result: TournamentResult, first: str, rivals: int, contest: bool) -> str:
    """How the first of the leaderboard compares with the others in the same place."""
    groups = split_rivals(result)
    told = [
        f"{verb} {named(groups[verdict], rivals)}" for verdict, verb in VERBS.items() if verdict in groups
    ]
    if not told:
        return "Nobody was tried in another's place."
    unit, margin = "a game" if contest else "chips a race", result.design["margin"]
    nothing = f"; less than {margin:.3g} {unit} counts as nothing" if margin else ""
    return (
        f"In the same place against the same rivals, {first} earns {', '.join(told)}"
        f" ({CONFIDENCE:.0%} certain for all pairs together{nothing})."
    )


def _deviation(result: TournamentResult, first: str) -> list[str]:
    """Who surely earns more than the first of the leaderboard in the places that it held."""
    for found in result.deviations:
        if found.agent == first and found.tested is not None and (found.interval[0] or 0) > 0:
            more = give_or_take(found.tested, found.interval)
            return [f"In the places that {first} held, {found.reply} earns more: {more}."]
    return []


def _population(result: TournamentResult) -> list[str]:
    """What the order of finish says of all agents together, where a rating alone would mislead."""
    sentences = []
    if result.nash is not None and len(result.nash.shares) > 1:
        mixed = [f"{it.agent} {it.weight:.0%}" for it in result.nash.shares if it.weight >= LEAST_WEIGHT]
        told = ", ".join(mixed[:MOST_NAMED]) + (" and others" if len(mixed) > MOST_NAMED else "")
        sentences.append(
            f"The mixture that nobody beats, by these deals: {told}. {result.nash.cyclic_share:.0%} of the"
            " differences go round in circles, which no rating can tell."
        )
    if result.ratings is not None and not result.ratings.connected:
        sentences.append("Not all agents are linked by tables: compare ratings within a group only.")
    return sentences


def _leaders(result: TournamentResult, first: str) -> str:
    """Who leads where another is left out."""
    others = {it.without: it.standings[0].agent for it in result.left_out if it.without != first}
    changed = [f"{leader} without {without}" for without, leader in others.items() if leader != first]
    if changed:
        return f"The lead changes with an agent left out: {', '.join(changed)}."
    return f"With any other agent left out {first} would lead as well."


def _played(result: TournamentResult, contest: bool) -> str:
    """How much was played, and how a table of results is to be read."""
    settings, design = result.settings, result.design
    deals, tables = design["deals"], design["deals"] * design["tables_per_deal"]
    if contest:
        return f"{deals:,} deals, each played by every pair from both sides: {tables:,} games."
    played = f"{len(design['line_ups'])} line-up(s) in every seat rotation"
    if len(design["line_ups"][0]) == 1:
        played = f"every one of {len(result.leaderboard)} agents"
    races = tables * int(settings["rules"].get("races", 1))
    factor = design["variance_reduction"]["tables"]
    saved = f", and {factor:.3g} times less variance" if factor is not None and factor > 1 else ""
    return (
        f"{deals:,} deals, each played by {played}: {races:,} races. Profit is cash without the luck of the"
        f" races, which has the same mean{saved}."
    )


def split_rivals(result: TournamentResult) -> dict[Judgement, list[str]]:
    """The rivals of the first of the leaderboard by verdict; verdicts of nobody are left out."""
    groups: dict[Judgement, list[str]] = {}
    for pair in result.comparisons:
        if pair.agent == result.leaderboard[0].agent:
            groups.setdefault(Judgement(pair.verdict), []).append(pair.rival)
    return groups


def named(agents: list[str], rivals: int) -> str:
    """The agents by name, or how many of all the rivals where they are many."""
    if len(agents) <= MOST_NAMED:
        return ", ".join(agents)
    return "every other agent" if len(agents) == rivals else f"{len(agents)} of the {rivals} others"


def next_steps(result: TournamentResult) -> list[tuple[str, str]]:
    """Commands worth trying after this one, each with its purpose."""
    game, names = result.settings["game"], [standing.agent.split("#")[0] for standing in result.leaderboard]
    pair = ",".join(dict.fromkeys(names[:2]))
    other = f"railbird tournament {game}{_options(result)}"
    return [
        (f"{other} --agents {pair} --seed {result.seed + 1}", "the best two, other deals"),
        (f"{again(result)} --out results", "keep it: every deal, the result and a report to look at"),
        (f"railbird agents {game}", "who they are and how they decide"),
        (f"railbird play {game}", "play against them yourself"),
    ]


def again(result: TournamentResult) -> str:
    """The command that gives the same result."""
    asked = f"{_options(result)}{_asked(result.settings)}"
    return f"railbird tournament {result.settings['game']}{asked} --seed {result.seed}"


def _options(result: TournamentResult) -> str:
    """The rules that were not the game's own and who sat there unranked, as the command line takes them."""
    spec = load(result.settings["game"])
    rules, usual = result.settings["rules"], plain(spec.make_settings())
    needed = {name: value for name, value in rules.items() if usual.get(name) != value and value is not None}
    for name in reversed(list(needed)):  # what follows from the other rules need not be written
        fewer = {other: value for other, value in needed.items() if other != name}
        with suppress(InvalidSettings):
            needed = fewer if plain(spec.make_settings(**fewer)) == rules else needed
    written = ""
    for name, value in needed.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        written += f" --{name} {text}" if name in FLAGS else f" --set {name}={text}"
    fixed = result.settings["fixed"]
    if fixed:
        written += f" --bettors {','.join(fixed)}" if spec.players else f" --banker {fixed[0]}"
    return written


def _asked(settings: dict[str, Any]) -> str:
    """Who played how much and how it was judged, as the command line takes it."""
    agents, rules = settings["agents"], load(settings["game"]).make_settings(**settings["rules"])
    usual = agents == usual_agents(settings["game"], rules)
    written = "" if usual else f" --agents {','.join(agents)}"
    written += f" --deals {settings['deals']}"
    every = settings["substitutes"]
    if every is not None:
        words = {0: "none", 1: "all"}
        written += f" --substitute {words.get(every, every)}"
    for name in ("until", "margin"):
        if settings[name] is not None:
            written += f" --{name} {settings[name]:g}"
    if settings["against"]:
        written += f" --against {','.join(settings['against'])}"
    return written + (" --leave-one-out" if settings["leave_one_out"] else "")
