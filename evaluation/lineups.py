"""Who plays whom: labels, balanced line-ups, seat rotations, and the contexts of the paired comparison.

Method. With as many agents as seats there is one line-up. With more, every agent appears in r line-ups, where
r is the least number with which they fill whole tables (r · agents divisible by seats) and an agent can have
met every other (r · (seats − 1) ≥ agents − 1). They are dealt round the tables in turn; then agents of two
line-ups change places wherever that does not raise the sum of squares, over all pairs, of how often the pair
meets. If pairs still differ by more than one meeting, or one never meets, the next possible r is tried, three
in all, and the best taken. The result is a balanced incomplete block design wherever the exchange finds one
(16 agents at six seats: 16 line-ups, every pair meets twice). Each line-up is played in all cyclic rotations
of its seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from ..games.kernels import Rows, kernel
from ..games.streams import Draws, root_key

EXCHANGES = 40_000  # tried between two looks at the balance
LOOKS = 25
ATTEMPTS = 3  # numbers of line-ups tried
EVEN = (False, 1)  # every pair meets, none more than once oftener than another


def label_entries(texts: Sequence[str], seats: int) -> list[tuple[str, int]]:
    """The entries of a tournament: a label, and which of the texts it stands for.

    Too few to fill a table are repeated in turn; the second of a name is ``name#2``.
    """
    entries, seen = [], dict.fromkeys(texts, 0)
    for place in range(max(len(texts), seats)):
        index = place % len(texts)
        text = texts[index]
        seen[text] += 1
        entries.append((text if seen[text] == 1 else f"{text}#{seen[text]}", index))
    return entries


@lru_cache(maxsize=64)
def balanced_line_ups(agents: int, seats: int) -> Rows:
    """Line-ups (line-ups, seats) int64 of agent numbers, read-only: every agent equally often, pairs as
    evenly as the method above gets them. ``agents`` ≥ ``seats``.
    """
    best: Rows = np.arange(seats, dtype=np.int64)[None]
    if seats == 1:  # nobody meets anybody
        best = np.arange(agents, dtype=np.int64)[:, None]
    elif seats == 2 and agents > 2:  # every pair once
        best = np.array(list(combinations(range(agents), 2)), np.int64)
    least: tuple[bool, int] | None = None
    for appearances in _appearances(agents, seats) if agents > seats > 2 else ():
        line_ups = (np.arange(agents * appearances) % agents).reshape(-1, seats)
        uneven = _exchange(line_ups, agents)
        if least is None or uneven < least:
            best, least = line_ups, uneven
        if least <= EVEN:
            break
    best.flags.writeable = False
    return best


def _appearances(agents: int, seats: int) -> list[int]:
    """The numbers of line-ups of an agent that are tried, ascending."""
    least = -(-(agents - 1) // (seats - 1))
    return [r for r in range(least, least + ATTEMPTS * seats) if r * agents % seats == 0][:ATTEMPTS]


def _exchange(line_ups: Rows, agents: int) -> tuple[bool, int]:
    """Evens out the pairs in place; returns whether some pair never meets, and by how much the meetings of
    the pairs differ.
    """
    draws = Draws(np.array([root_key(agents)], np.uint64))
    met = count_meetings(line_ups, agents)
    pairs = np.triu_indices(agents, 1)
    uneven = (True, agents)
    for _ in range(LOOKS):
        picks = draws.integers(line_ups.size, 2 * EXCHANGES)[0].reshape(-1, 2)
        exchange_agents(line_ups, met, picks)
        low, high = int(met[pairs].min()), int(met[pairs].max())
        uneven = (low == 0, high - low)
        if uneven <= EVEN:
            break
    return uneven


def count_meetings(line_ups: Rows, agents: int) -> Rows:
    """(agents, agents) int64: in how many line-ups two agents meet; 0 on the diagonal."""
    sits = np.zeros((len(line_ups), agents), np.int64)
    sits[np.arange(len(line_ups))[:, None], line_ups] = 1
    met: Rows = sits.T @ sits
    np.fill_diagonal(met, 0)
    return met


@kernel
def shift_meetings(met, line_up, place, agent, step) -> int:  # type: ignore[no-untyped-def]
    """Counts ``step`` meetings of ``agent`` with all of a line-up but its ``place``; returns by how much the
    sum of squares over pairs has grown.
    """
    grown = 0
    for other in range(line_up.shape[0]):
        if other != place:
            rival = line_up[other]
            grown += 2 * step * met[agent, rival] + 1
            met[agent, rival] += step
            met[rival, agent] += step
    return grown


@kernel
def exchange_agents(line_ups, met, picks) -> None:  # type: ignore[no-untyped-def]
    """Lets the agents of two cells change places wherever that does not raise the sum of squares."""
    seats = line_ups.shape[1]
    for pick in range(picks.shape[0]):
        one, here = divmod(picks[pick, 0], seats)
        two, there = divmod(picks[pick, 1], seats)
        a, b = line_ups[one, here], line_ups[two, there]
        clash = one == two or a == b
        for place in range(seats):
            clash = clash or line_ups[one, place] == b or line_ups[two, place] == a
        if clash:
            continue
        grown = shift_meetings(met, line_ups[one], here, a, -1)
        grown += shift_meetings(met, line_ups[two], there, b, -1)
        grown += shift_meetings(met, line_ups[one], here, b, 1)
        grown += shift_meetings(met, line_ups[two], there, a, 1)
        if grown <= 0:
            line_ups[one, here], line_ups[two, there] = b, a
        else:
            shift_meetings(met, line_ups[one], here, b, -1)
            shift_meetings(met, line_ups[two], there, a, -1)
            shift_meetings(met, line_ups[one], here, a, 1)
            shift_meetings(met, line_ups[two], there, b, 1)


def rotate(line_ups: Rows) -> Rows:
    """(line-ups · seats, seats): each line-up in all cyclic rotations, one behind the other."""
    seats = line_ups.shape[1]
    turned = (np.arange(seats)[None, :] - np.arange(seats)[:, None]) % seats  # (rotations, seats)
    return line_ups[:, turned].reshape(-1, seats)


@dataclass(frozen=True, slots=True)
class Contexts:
    """Places at the table for which every agent is tried: one for each of some deals."""

    rivals: Rows  # (n, seats) the seating, the place itself included
    seat: Rows  # (n,) the seat that is tried


def contexts_of(deals: Rows, line_ups: Rows) -> Contexts:
    """The context of each deal (n,): from deal to deal the next line-up, then the next agent of it to give
    its place, then the next seat for that place. After line-ups · seats · seats deals each has been once.
    """
    count, seats = line_ups.shape
    place = deals // count % seats
    seat = (place + deals // (count * seats)) % seats
    turned = (np.arange(seats)[None, :] - (seat - place)[:, None]) % seats  # (n, seats): place in the line-up
    return Contexts(line_ups[(deals % count)[:, None], turned], seat)
