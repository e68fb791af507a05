"""Speed of Save The Bet: card-by-card decisions with masks and observations, and whole games of an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..games.kernels import kernel
from ..games.save_the_bet.encoding import SaveTheBetEncoding
from ..games.save_the_bet.settings import SaveTheBetSettings
from ..games.save_the_bet.table import SaveTheBet
from .measure import Figure, figure, rates

LANES = 4096


@kernel
def choose(actions, masks, dice):  # type: ignore[no-untyped-def]
    """Fills actions (n,) with a legal one of masks (n, actions), picked by dice (n,) of [0, 1)."""
    for i in range(actions.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action]
        left = np.int64(dice[i] * legal)
        for action in range(masks.shape[1]):
            left -= masks[i, action]
            if left < 0:
                actions[i] = action
                break


def card_decisions() -> Iterator[Figure]:
    """Both seats write legal cards at random, with masks and observations before each."""
    settings = SaveTheBetSettings()
    encoding = SaveTheBetEncoding(settings)
    for name, observe in (("float32", encoding.observe), ("uint8", encoding.observe_compact)):
        work = card_by_card(settings, encoding, observe)
        yield figure(f"save_the_bet_decisions_{name}", rates(work), "decisions/s", 3_000_000)


def card_by_card(
    settings: SaveTheBetSettings, encoding: SaveTheBetEncoding, observe: Callable[[Any, Any], Any]
) -> Callable[[], float]:
    """A pass over one phase of both seats; the decisions made in it."""
    game = SaveTheBet(settings, 0, LANES)
    dice = np.random.default_rng(0).random((64, LANES))
    actions = np.zeros(LANES, np.int64)
    state = {"turn": 0}

    def work() -> float:
        game.start(game.over.copy())
        decisions, made = game.fallback(), 0
        for seat in range(2):
            view = game.view(seat)
            draft = encoding.begin(view)
            writing = game.to_act[:, seat]
            while writing.any():
                mask = encoding.mask(view, draft)
                observe(view, draft)
                state["turn"] += 1
                choose(actions, mask, dice[state["turn"] % 64])
                made += int(writing.sum())
                writing = writing & ~encoding.write(draft, actions, writing)
            asked = game.to_act[:, seat]
            decisions[asked, seat] = encoding.decision(draft)[asked]
        game.submit(decisions)
        return float(made)

    return work


def whole_games() -> Iterator[Figure]:
    """Games of ``likeliest`` against itself, a minute."""
    from ..agents.registry import parse_agent
    from ..evaluation.match import play
    from ..games.registry import load

    spec = load("save-the-bet")
    settings = spec.make_settings()
    seating = np.tile(np.arange(2), (LANES, 1))

    def work() -> float:
        players = [parse_agent("likeliest", spec.name).make(settings) for _ in range(2)]
        play(spec, settings, 0, np.arange(LANES), players, seating)
        return float(LANES)

    yield figure("save_the_bet_likeliest_games", [60 * rate for rate in rates(work)], "games/minute", 200_000)
