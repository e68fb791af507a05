"""Speed and memory of Superfecta: kernels, environments, match play, agents."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .measure import Figure, figure, rates, ratios

LANES = 4096
CHEAP = ("favourite", "longshot", "box", "wheel", "dutch", "random")
RIVALS = ("favourite", "longshot", "box", "wheel", "random")  # the environment's own choice


def settling() -> Iterator[Figure]:
    """Deal, race, three pools and six payouts for given tickets; with and without all six observations."""
    from ..games.superfecta.encoding import SuperfectaEncoding
    from ..games.superfecta.settings import SuperfectaSettings
    from ..games.superfecta.table import Superfecta

    game = Superfecta(SuperfectaSettings(), 0, LANES)
    encoding = SuperfectaEncoding(game.settings)
    tickets = (np.random.default_rng(0).random((LANES, 6, 40)) < 0.05).astype(np.int16)
    seen = np.empty((LANES, 6, encoding.features), np.float32)

    def settle() -> float:
        game.start()
        for _ in range(game.settings.races):
            game.submit(tickets)
        return LANES * game.settings.races

    def settle_and_observe() -> float:
        game.start()
        for _ in range(game.settings.races):
            game.submit(tickets)
            encoding.observe_all(game.state, seen)
        return LANES * game.settings.races

    yield figure("superfecta_settle", rates(settle), "tables/s", 2_000_000)
    yield figure("superfecta_settle_observed", rates(settle_and_observe), "tables/s", 1_500_000)


def environments() -> Iterator[Figure]:
    """The vector environment with five zoo agents, the learner writing three wagers and handing in."""
    import gymnasium as gym

    from ..envs.registration import register_envs

    register_envs()

    def three_wagers(env: gym.vector.VectorEnv) -> Callable[[], float]:
        """A pass of four steps: WIN H, EXA H/D, SFC H/D/C/S, hand in; broke learners pass."""
        actions = [np.full(env.num_envs, action) for action in (1, 5, 17, 0)]

        def work() -> float:
            for action in actions:
                env.step(action)
            return float(env.num_envs)

        env.reset(seed=0)
        return work

    options: dict[str, Any] = {"opponents": RIVALS, "bankroll": 100_000, "races": 1000}
    native = gym.make_vec("railbird/Superfecta-v0", LANES, vectorization_mode="vector_entry_point", **options)
    races = rates(three_wagers(native))
    yield figure("superfecta_vector_races", races, "races/s", 100_000)
    yield figure("superfecta_vector_steps", [4 * rate for rate in races], "steps/s", 500_000)
    few = gym.make_vec("railbird/Superfecta-v0", 64, vectorization_mode="vector_entry_point", **options)
    plain = gym.make_vec("railbird/Superfecta-v0", 64, vectorization_mode="sync", **options)
    ratio = ratios(three_wagers(few), three_wagers(plain))
    yield figure("superfecta_vector_over_sync", ratio, "times SyncVectorEnv", 50)


def match_play() -> Iterator[Figure]:
    """Six cheap heuristics at one table, every seat asked every race."""
    from ..agents.registry import parse_agent
    from ..evaluation.match import play
    from ..games.registry import load

    spec = load("superfecta")
    settings = spec.make_settings()
    seating = np.tile(np.arange(6), (LANES, 1))

    def work() -> float:
        players = [parse_agent(name, spec.name).make(settings) for name in CHEAP]
        play(spec, settings, 0, np.arange(LANES), players, seating)
        return float(LANES * settings.races)

    yield figure("superfecta_match", rates(work), "races/s", 100_000)


def agent_costs() -> Iterator[Figure]:
    """What each zoo agent takes for a decision, in a batch, after a race has been seen."""
    from ..agents.registry import parse_agent, zoo
    from ..games.registry import load

    spec = load("superfecta")
    for name in zoo("superfecta"):
        split = "pro_rata" if name in ("isaacs", "kelly") else "equal"
        settings = spec.make_settings(split=split)
        game = spec.game(settings, 0, LANES)
        game.start()
        random = parse_agent("random", "superfecta").make(settings)
        random.begin(np.ones(LANES, bool))
        tickets = game.blank()
        for seat in range(game.seats):
            tickets[:, seat] = random.act(game.view(seat), game.draws(seat))
        agent = parse_agent(name, "superfecta").make(settings)
        agent.begin(np.ones(LANES, bool))
        agent.act(game.view(0), game.draws(0))
        game.submit(tickets)
        view, draws = game.view(0), game.draws(0)

        def work(agent=agent, view=view, draws=draws) -> float:  # type: ignore[no-untyped-def]
            agent.act(view, draws)
            return float(LANES)

        costs = [1e6 / rate for rate in rates(work, 0.1)]
        yield figure(f"superfecta_agent_{name}", costs, "us/decision", smaller_is_better=True)


def memory() -> Iterator[Figure]:
    """Peak memory of a process that steps 65,536 lanes of the vector environment."""
    code = (
        "import gymnasium as gym, numpy as np, railbird, resource;"
        "env = gym.make_vec('railbird/Superfecta-v0', 65_536, vectorization_mode='vector_entry_point',"
        f" opponents={RIVALS!r});"
        "env.reset(seed=0);"
        "[env.step(np.full(65_536, a)) for _ in range(3) for a in (1, 0)];"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = [
        int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        / 1024
        for _ in range(2)
    ]
    yield figure("superfecta_memory_65536", peaks, "MiB", 1024, smaller_is_better=True)


def help_page() -> Iterator[Figure]:
    """How long ``railbird --help`` takes, start to end."""
    import time

    seconds = []
    for _ in range(7):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "railbird", "--help"], capture_output=True, check=True)
        seconds.append(time.perf_counter() - began)
    yield figure("help_page", seconds, "s", 0.4, smaller_is_better=True)
