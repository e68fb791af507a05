"""Recorded games: an environment whose results change needs a new version of its id.

Where a change is meant and released versions are concerned, raise the id's version and record its games anew;
a change that is only faster leaves every hash as it is.
"""

from __future__ import annotations

import hashlib
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

make_vec: Any = gym.make_vec  # our environments have more than its type says

LANES = 20
GAMES = 200
RECORDED = {
    ("railbird/Superfecta-v0", "default"): "5f6b986ff3bdd1c1",
    ("railbird/Superfecta-v0", "pro_rata"): "9f66c951ac2dbb16",
    ("railbird/Superfecta-v0", "rotating"): "211d3a53300b8137",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "pro_rata": {"split": "pro_rata", "rate": 0.2, "seats": 4, "races": 5},
    "rotating": {"seat": "rotate", "seats": 3, "races": 4, "bankroll": 9, "reward": "expected"},
}


def scripted(masks, step):
    """A legal action in each lane: every fourth step hands in, the others take turns among the wagers."""
    actions = np.zeros(len(masks), np.int64)
    for lane, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        actions[lane] = 0 if (step + lane) % 4 == 3 else legal[(7 * step + 3 * lane) % len(legal)]
    return actions


def fingerprint(name, settings):
    """A hash of all that an environment returns in its first games."""
    env = make_vec(name, LANES, autoreset_mode="SameStep", **settings)
    told = hashlib.sha256()
    seen, infos = env.reset(seed=2024)
    games = step = 0
    while games < GAMES:
        masks = infos["action_mask"]
        told.update(seen.tobytes() + masks.tobytes())
        seen, rewards, ended, _, infos = env.step(scripted(masks, step))
        told.update(rewards.tobytes() + ended.tobytes())
        games += int(ended.sum())
        step += 1
    return told.hexdigest()[:16]


@pytest.mark.parametrize(("name", "configuration"), RECORDED)
def test_results_are_those_recorded_for_this_version(name, configuration):
    recorded = RECORDED[name, configuration]
    assert fingerprint(name, SETTINGS[configuration]) == recorded, "raise the id's version, then record anew"


def test_every_variant_is_recorded(variant):
    assert {configuration for name, configuration in RECORDED if name == variant.id} >= {"default"}
