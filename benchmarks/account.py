"""Where each nanosecond goes: a race of Superfecta, a step of every environment, and what the machine can do.

All by processor time on one core, 4,096 lanes at once unless a name says otherwise.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..games.kernels import kernel
from ..games.race import DECK_SIZE, deal_card, deal_rail, lay_out, run_race
from ..games.streams import gamma_of, mix64, splitmix64
from .cores import SCRIPTS, STEPS, environment, stepping
from .measure import REPETITIONS, Figure, figure, rates
from .stopwatch import Stopwatch

LANES = 4096
DRAWS = 2**16
BLOCK = 2**23  # float64 numbers, 64 MiB: far beyond the caches of a core
FINISH, PLACES, NEVER = 7, 3, 127  # Superfecta's track: cards to come home, places run for, no second rail
# what is watched of a table: where it is reached from there, the method, and the part it is counted as
WATCHED = (
    ("", "step", "bookkeeping"),
    ("", "observe", "bookkeeping"),
    ("", "masks", "bookkeeping"),
    ("", "reset", "bookkeeping"),
    ("rivals", "decide", "asking rivals"),
    ("game", "_view", "views"),
    ("game", "faults", "checking"),
    ("game", "_play", "play"),
    ("encoding", "observe", "observation"),
    ("encoding", "mask", "masks"),
    ("encoding", "begin", "ticket"),
    ("encoding", "write", "ticket"),
    ("encoding", "decision", "ticket"),
    ("actions", "legal", "ticket"),
)


@kernel
def shuffle(decks, keys, cards):  # type: ignore[no-untyped-def]
    """Shuffles decks (n, 48) as far as so many cards are dealt, with streams of these keys (n,)."""
    for i in range(keys.shape[0]):
        lay_out(decks[i])
        state, gamma, word = keys[i], gamma_of(keys[i]), np.uint64(0)
        for place in range(cards):
            if place & 1 == 0:
                state += gamma
                word = mix64(state)
            _, _, state = deal_card(decks[i], place, word >> np.uint64(32), state, gamma)
            word <<= np.uint64(32)


@kernel
def deal_races(orders, rail_cards, swaps, rails, deck, keys):  # type: ignore[no-untyped-def]
    """A rail and the race behind it for each key (n,): what a Superfecta table does with cards."""
    for i in range(keys.shape[0]):
        deal_rail(deck, rail_cards[i], swaps[i], rails[i], keys[i], NEVER)
        orders[i], _ = run_race(deck, swaps[i], keys[i], FINISH, PLACES)


def account() -> Iterator[Figure]:
    """The machine's limits, the race kernel's parts, and the parts of a step of every environment."""
    yield from limits()
    yield from race_parts()
    for name in SCRIPTS:
        yield from step_parts(name)


def limits() -> Iterator[Figure]:
    """What one core can do: draws, shuffles, copies, stores."""
    numbers, keys = np.empty(DRAWS, np.uint64), np.arange(LANES, dtype=np.uint64)
    decks = np.empty((LANES, DECK_SIZE), np.int8)
    source, to = np.ones(BLOCK), np.zeros(BLOCK)

    def draw() -> float:
        splitmix64(numbers, np.uint64(1), np.uint64(0x9E3779B97F4A7C15))
        return DRAWS

    def mix(cards: int) -> float:
        shuffle(decks, keys, cards)
        return LANES

    def copy() -> float:
        np.copyto(to, source)
        return source.nbytes

    def store() -> float:
        to.fill(2.0)
        return to.nbytes

    yield figure("limit_draw", nanoseconds(draw), "ns/draw")
    yield figure("limit_shuffle_48", nanoseconds(lambda: mix(DECK_SIZE - 1)), "ns/deck")
    yield figure("limit_shuffle_10", nanoseconds(lambda: mix(10)), "ns/deck")
    yield figure("limit_copy", [rate / 1e9 for rate in rates(copy)], "GB/s")
    yield figure("limit_store", [rate / 1e9 for rate in rates(store)], "GB/s")


def race_parts() -> Iterator[Figure]:
    """A race of Superfecta with six tickets given, and what of it can be done alone."""
    from ..games.superfecta.encoding import SuperfectaEncoding
    from ..games.superfecta.pools import rules_of, settle_tables
    from ..games.superfecta.settings import SuperfectaSettings
    from ..games.superfecta.table import Superfecta

    settings = SuperfectaSettings(races=1000, bankroll=100_000)
    game, encoding = Superfecta(settings, 0, LANES), SuperfectaEncoding(settings)
    tickets = (np.random.default_rng(0).random((LANES, 6, 40)) < 0.05).astype(np.int16)
    keys = np.arange(LANES, dtype=np.uint64)
    orders, deck = np.zeros(LANES, np.int64), np.empty(DECK_SIZE, np.int8)
    cards, swaps = (np.empty((LANES, 6), np.int8) for _ in range(2))
    rails, payouts = np.empty((LANES, 4), np.int8), np.empty((LANES, 6), np.int64)
    pools, taken = np.zeros((LANES, 3), np.int64), np.empty(LANES, np.int64)
    seen = np.empty((LANES, 6, encoding.features), np.float32)

    def race() -> float:
        if game.over.any():
            game.start()
        game.submit(tickets)
        return LANES

    def deal() -> float:
        deal_races(orders, cards, swaps, rails, deck, keys)
        return LANES

    def settle() -> float:
        pools[:] = 0
        settle_tables(payouts, pools, taken, rules_of(settings), tickets, orders)
        return LANES

    def check() -> float:
        game.faults(tickets)
        return LANES

    def observe() -> float:
        encoding.observe_all(game.state, seen)
        return LANES

    yield figure("race_in_all", nanoseconds(race), "ns/race")
    yield figure("race_cards", nanoseconds(deal), "ns/race")  # rail, shuffle, order of finish
    yield figure("race_pools", nanoseconds(settle), "ns/race")  # stakes added up, three pools, six payouts
    yield figure("race_checking", nanoseconds(check), "ns/race")  # are six tickets legal?
    yield figure("race_observations", nanoseconds(observe), "ns/race")  # not part of the race: what six see


def step_parts(name: str) -> Iterator[Figure]:
    """The parts of the steps of an environment, of Superfecta by race, and Python's part alone."""
    settings, actions = SCRIPTS[name]
    label, unit = ("superfecta_race", "race") if name == "Superfecta" else (f"{name}_step", "step")
    env = environment(name, LANES, threads=1, **settings)
    env.reset(seed=0)
    work = stepping(env, actions, time.process_time)
    steps = 1 if unit == "race" else len(actions) or STEPS
    scale = 1e9 / (LANES * steps)
    whole = [scale * min(work() for _ in range(5)) for _ in range(REPETITIONS)]
    yield figure(f"{label}_in_all", whole, f"ns/{unit}")
    found = [parts_of(env, work, scale) for _ in range(REPETITIONS)]
    for part in found[0]:
        yield figure(f"{label}: {part}", [one[part] for one in found], f"ns/{unit}")
    one = environment(name, 1, **settings)
    one.reset(seed=0)
    single = stepping(one, actions, time.process_time)
    python = [1e6 / steps * min(single() for _ in range(20)) for _ in range(REPETITIONS)]
    yield figure(f"{label}, 1 lane", python, f"us/{unit}")


def parts_of(env: Any, work: Any, scale: float, passes: int = 5) -> dict[str, float]:
    """The median of each part over some passes, in ``scale`` of a second of a pass."""
    table = env.unwrapped.table
    watch = Stopwatch()
    touched = []
    for owner, method, part in WATCHED:
        thing = getattr(table, owner) if owner else table
        watch.watch(thing, method, part)
        touched.append((thing, method))
    for agent, who in zip(table.rivals._agents, table.rivals.names, strict=True):
        watch.watch(agent, "act", f"rival {who}")
        touched.append((agent, "act"))
    watch.watch(env.unwrapped, "step", "door")
    touched.append((env.unwrapped, "step"))
    seen: list[dict[str, float]] = []
    for _ in range(passes):
        watch.seconds.clear()
        work()
        seen.append(dict(watch.seconds))
    for thing, method in touched:
        delattr(thing, method)  # the class's own is behind it
    names = dict.fromkeys(part for one in seen for part in one)
    return {part: scale * statistics.median(one.get(part, 0.0) for one in seen) for part in names}


def nanoseconds(work: Any) -> list[float]:
    """Nanoseconds of processor time a unit of work, a value for each repetition."""
    return [1e9 / rate for rate in rates(work, 0.2)]
