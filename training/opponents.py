"""Who sits at the learner's tables: line-ups of rivals, among which the tables are shared out."""

from __future__ import annotations

from math import gcd
from typing import Any, Final, TypeAlias

from ..agents.registry import split_agents, zoo
from ..envs.variants import Variant
from ..games.registry import load

LineUp: TypeAlias = tuple[str, ...]
DEFAULT: Final = "default"  # the rivals of the environment
ZOO: Final = "zoo"  # every agent of the game's zoo, over several line-ups
MOST_LINE_UPS: Final = 8  # more make batches of tables too small to be quick


def line_ups(variant: Variant, rules: Any, opponents: str) -> tuple[LineUp, ...]:
    """The line-ups that a run's ``opponents`` mean, each of as many agents as there are other players.

    Args:
        variant: the environment.
        rules: the game's settings.
        opponents: ``default``, ``zoo``, or agents parted by commas, repeated in turn to fill a table.
    """
    spec = load(variant.game)
    others = int(rules.seats) - (0 if spec.players else 1)
    if not others:
        return ((),)
    if opponents == ZOO:
        return _through(tuple(zoo(spec.players or variant.game)), others)
    named = variant.opponents if opponents == DEFAULT else tuple(split_agents(opponents))
    if not named or len(named) >= others:
        return (named[:others] if opponents == DEFAULT else named,)
    return (tuple(named[place % len(named)] for place in range(others)),)


def _through(names: LineUp, others: int) -> tuple[LineUp, ...]:
    """Line-ups that go through the names in turn, as many as it takes until all have sat equally often."""
    count = min(len(names) // gcd(len(names), others), MOST_LINE_UPS)
    return tuple(
        tuple(names[(number * others + place) % len(names)] for place in range(others))
        for number in range(count)
    )
