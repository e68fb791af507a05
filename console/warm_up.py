"""Compiles every kernel into its cache by playing a little of everything."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..agents.learned.network import Layer, Network, Recurrence, choose_best, choose_drawn
from ..evaluation.tournament import TournamentSettings, run
from ..games.registry import load, names


def warm_up() -> None:
    """Plays a short deal of every game with its whole zoo and its trained agent, rates it, writes every kind
    of observation, and decides as trained agents of every kind do.
    """
    for game in names():
        spec = load(game)
        fields = spec.settings.__dataclass_fields__
        short: dict[str, Any] = {name: 2 for name in ("races", "max_turns") if name in fields}
        run(TournamentSettings.of(game, deals=1, **short), workers=1)
        table = spec.game(spec.make_settings(), 0, 1)
        table.start()
        encoding = spec.encoding(table.settings)
        view = table.view(0)
        draft = encoding.begin(view)
        encoding.mask(view, draft)
        encoding.observe(view, draft)
    decide_as_trained()


def decide_as_trained() -> None:
    """Takes decisions with a network of one unit that remembers: the best and a drawn one."""
    one = np.ones((1, 1), np.float32)
    layer = Layer(one, one[0])
    gates = np.ones((1, 4), np.float32)
    network = Network((layer, layer), "tanh", recurrence=Recurrence(gates, gates, gates[0]))
    scores, mask = network.scores(one, (one.copy(), one.copy())), np.ones((1, 1), np.int8)
    choose_best(np.empty(1, np.int64), scores, mask, True)
    choose_drawn(np.empty(1, np.int64), scores, mask, True, np.zeros(1))
