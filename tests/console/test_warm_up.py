"""The warm-up: what it compiles of the trained agents is all that these call."""

import subprocess
import sys

import pytest

PLAYED = """
import numpy as np
from railbird.agents.learned import network
from railbird.agents.registry import parse_agent
from railbird.console.warm_up import decide_as_trained
from railbird.games.registry import load

kernels = [getattr(network, name) for name in ("run_layer", "renew_memory", "choose_best", "choose_drawn")]

def compiled():
    return [list(kernel.signatures) for kernel in kernels]

assert compiled() == [[], [], [], []]
decide_as_trained()
warm = compiled()
for game, agent, seat in (
    ("superfecta", "ppo-superfecta", 0),
    ("bookmaker", "ppo-bookmaker", 6),
    ("racing-aces", "ppo-racing-aces:sample=true", 0),
):
    spec = load(game)
    table = spec.game(spec.make_settings(), 0, 3)
    table.start()
    player = parse_agent(agent, game).make(table.settings)
    player.begin(np.ones(3, bool))
    player.act(table.view(seat), table.draws(seat))
tensors = {
    "memory.inward": np.ones((8, 5), np.float32), "memory.onward": np.ones((8, 2), np.float32),
    "memory.bias": np.ones(8, np.float32),
    "layers.0.weight": np.ones((3, 2), np.float32), "layers.0.bias": np.ones(3, np.float32),
}
layers = network.build_network(tensors, (2, 3), "relu")
remembering = network.Network(layers, "relu", None, network.build_recurrence(tensors, 5, 2))
remembering.scores(np.ones((4, 5), np.float32), (np.ones((4, 2), np.float32), np.ones((4, 2), np.float32)))
assert compiled() == warm, (warm, compiled())
print([len(signatures) for signatures in warm])
"""


@pytest.mark.slow  # a process of its own: kernels that others have called are compiled already
def test_no_kernel_of_a_trained_agent_is_left_to_its_first_game():
    done = subprocess.run([sys.executable, "-c", PLAYED], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[1, 1, 1, 1]"


def test_every_trained_agent_plays_in_it(monkeypatch):
    from railbird.agents.learned.folder import pretrained
    from railbird.console import warm_up
    from railbird.games.registry import names

    seated = []
    monkeypatch.setattr(warm_up, "run", lambda settings, workers: seated.append(settings))
    warm_up.warm_up()
    assert [settings.game for settings in seated] == list(names())
    for settings in seated:
        assert {*pretrained(settings.game)} <= {agent.text for agent in settings.agents}
