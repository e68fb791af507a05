"""CFR, sampling and search of OpenSpiel on Railbird's games, and Railbird's exact solver beside them.

    pip install -c constraints.txt -e '.[open-spiel]'
    python examples/open_spiel_cfr.py --steps 100

Three things are shown:

1. Save The Bet on a deck of five cards, two turns: CFR, then external-sampling MCCFR; how exploitable their
   average strategies are, and the value of the game by Railbird's own solver, which plays all histories out
   by itself.
2. A Superfecta race of two players with 60 chips in the superfecta pool: how many of the 24 orders of finish
   is it worth to buy when the other player buys too and nobody sees the other's ticket?
3. Save The Bet on nine cards: information-set search (ISMCTS) against a player that plays by lot.
"""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, external_sampling_mccfr, ismcts, mcts
from open_spiel.python.algorithms.exploitability import exploitability

import railbird.envs.open_spiel  # noqa: F401 - it registers the games
from railbird.evaluation.exact.reports import solve
from railbird.games.save_the_bet.settings import SaveTheBetSettings

RULES: dict[str, Any] = {"suits": 2, "ranks": 3, "hand_size": 2, "target": 3, "max_turns": 2}
LIKELY = ["C/S/D/H", "C/S/H/D", "S/C/D/H", "S/C/H/D"]  # orders, where the rail shows HHDDCS
HALF = [f"{a}/{b}/{c}/{d}" for a, b, c, d in itertools.permutations("CSHD") if a in "CS"]
ALL = ["/".join(order) for order in itertools.permutations("CSHD")]
RACE = {
    "rail": "HHDDCS",
    "minimum_bet": 2,  # a multiple of 1 and 2 seats, so that nothing is ever indivisible
    "carried": "0 0 60",
    "tickets": "|".join("; ".join(f"$2 SFC {order}" for order in orders) for orders in (LIKELY, HALF, ALL)),
}

GAMES, SIMULATIONS = 8, 50


def solve_save_the_bet(steps: int) -> None:
    game = pyspiel.load_game("railbird_save_the_bet", RULES)
    even = exploitability(game, policy.UniformRandomPolicy(game))
    print(f"Save The Bet, 5 cards: by lot {even:.6f} exploitable")
    solver = cfr.CFRSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    print(f"  CFR, {steps} iterations: {exploitability(game, solver.average_policy()):.6f}")
    sampler = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(10 * steps):
        sampler.iteration()
    print(
        f"  external sampling, {10 * steps} iterations: {exploitability(game, sampler.average_policy()):.6f}"
    )
    for figure in solve(SaveTheBetSettings(**RULES)).figures:
        print(f"  Railbird: {figure}")


def solve_race(steps: int) -> None:
    game = pyspiel.load_game("railbird_superfecta", RACE)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    left = exploitability(game, average)
    print(f"Superfecta, one race: CFR+, {steps} iterations: {left:.6f} chips exploitable")
    state = game.new_initial_state()
    for action, chance in average.action_probabilities(state).items():
        lines = state.action_to_string(action).count("SFC")
        print(f"  {lines:>2} of 24 orders: {chance:.3f}")


def search(seed: int) -> None:
    """Some games, the search in either seat."""
    game = pyspiel.load_game("railbird_save_the_bet(suits=2,ranks=5,hand_size=2,target=5,max_turns=6)")
    draw = np.random.default_rng(seed)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    bot = ismcts.ISMCTSBot(game, rollouts, 1.0, SIMULATIONS, random_state=np.random.RandomState(seed))
    bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, draw.uniform))
    won = [play(game, bot, number % 2, draw) for number in range(GAMES)]
    counts = [won.count(result) for result in (1.0, 0.0, -1.0)]
    print("Save The Bet, 9 cards, search against lots: {} won, {} drawn, {} lost".format(*counts))


def play(game: pyspiel.Game, bot: pyspiel.Bot, seat: int, draw: np.random.Generator) -> float:
    """What the bot wins in a seat."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = draw.choice(outcomes, p=chances)
        elif state.current_player() == seat:
            action = bot.step(state)
        else:
            action = draw.choice(state.legal_actions())
        state.apply_action(int(action))
    return float(state.returns()[seat])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=100, help="iterations of CFR")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    np.random.seed(options.seed)  # noqa: NPY002 - OpenSpiel's sampling draws from the global generator
    solve_save_the_bet(options.steps)
    solve_race(options.steps)
    search(options.seed)


if __name__ == "__main__":
    main()
