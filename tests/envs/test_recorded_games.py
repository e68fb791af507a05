"""Recorded games: an environment whose results change needs a new version of its id.

Where a change is meant and released versions are concerned, raise the id's version and record its games anew;
a change that is only faster leaves every hash as it is. Results rest on the agents at the other seats too.
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
ROTATING = {"bank": "rotate", "seats": 4, "seat": "rotate", "races": 6}
SETTINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("railbird/Superfecta-v0", "default"): {},
    ("railbird/Superfecta-v0", "pro_rata"): {"split": "pro_rata", "rate": 0.2, "seats": 4, "races": 5},
    ("railbird/Superfecta-v0", "rotating"): {
        "seat": "rotate", "seats": 3, "races": 4, "bankroll": 9, "reward": "expected",
    },
    ("railbird/HorseRace-v0", "default"): {},
    ("railbird/HorseRace-v0", "rotating bank"): {
        **ROTATING, "rotate_every": 2, "opponents": "margin+kelly,fair+value,even-money+favourite",
    },
    ("railbird/ScarneHorseRace-v0", "default"): {},
    ("railbird/ScarneHorseRace-v0", "few chips"): {
        "bankroll": 60, "reward": "expected", "banker": "balanced",
    },
    ("railbird/Bookmaker-v0", "default"): {},
    ("railbird/Bookmaker-v0", "kelly"): {"opponents": "kelly,biased,value", "seats": 3, "reward": "expected"},
    ("railbird/RacingAces-v0", "default"): {},
    ("railbird/RacingAces-v0", "rotating bank"): {**ROTATING, "bankroll": 12},
    ("railbird/RacingAces-v0", "two wagers"): {"max_wagers": 2, "stakes": (1, 3), "seats": 3, "bankroll": 9},
    ("railbird/PasteboardDerby-v0", "default"): {},
    ("railbird/PasteboardDerby-v0", "two places"): {
        "places": 2, "seats": 8, "seat": "rotate", "bankroll": 12,
    },
    ("railbird/PasteboardDerby-v0", "pips"): {"advance": "pips", "reward": "expected"},
    ("railbird/SaveTheBet-v0", "default"): {},
    ("railbird/SaveTheBet-v0", "few cards"): {
        "suits": 2, "ranks": 3, "hand_size": 1, "target": 3, "max_turns": 6, "draw_returns": "swap",
        "wins_by": "value", "seat": "rotate",
    },
}  # fmt: skip
RECORDED = {
    ("railbird/Superfecta-v0", "default"): "5f6b986ff3bdd1c1",
    ("railbird/Superfecta-v0", "pro_rata"): "9f66c951ac2dbb16",
    ("railbird/Superfecta-v0", "rotating"): "211d3a53300b8137",
    ("railbird/HorseRace-v0", "default"): "71eecd40cb95896d",
    ("railbird/HorseRace-v0", "rotating bank"): "7ac88e5a62dd57d3",
    ("railbird/ScarneHorseRace-v0", "default"): "a3d6d4dec4b4c1e8",
    ("railbird/ScarneHorseRace-v0", "few chips"): "998af31581db4686",
    ("railbird/Bookmaker-v0", "default"): "110551bf23577c91",
    ("railbird/Bookmaker-v0", "kelly"): "4d711319d492a7e2",
    ("railbird/RacingAces-v0", "default"): "0b44123575b4f058",
    ("railbird/RacingAces-v0", "rotating bank"): "12117c66cd3ab8df",
    ("railbird/RacingAces-v0", "two wagers"): "f56c414536d485c1",
    ("railbird/PasteboardDerby-v0", "default"): "e32d0f866eca79cc",
    ("railbird/PasteboardDerby-v0", "two places"): "e2a5cafca247fd5e",
    ("railbird/PasteboardDerby-v0", "pips"): "f3cc3cd580e85cd1",
    ("railbird/SaveTheBet-v0", "default"): "593bcddfdee6b4d5",
    ("railbird/SaveTheBet-v0", "few cards"): "6ebe3bbb3135d931",
}


def scripted(masks, step):
    """A legal action in each lane: every fourth step hands in where it can, else they take turns."""
    actions = np.zeros(len(masks), np.int64)
    for lane, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        hands_in = (step + lane) % 4 == 3 and mask[0]
        actions[lane] = 0 if hands_in else legal[(7 * step + 3 * lane) % len(legal)]
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


@pytest.mark.parametrize(("name", "configuration"), SETTINGS)
def test_results_are_those_recorded_for_this_version(name, configuration):
    recorded = RECORDED[name, configuration]
    found = fingerprint(name, SETTINGS[name, configuration])
    assert found == recorded, "raise the id's version, then record anew"


def test_every_variant_is_recorded_by_default_and_in_another_way(variant):
    recorded = {configuration for name, configuration in RECORDED if name == variant.id}
    assert recorded > {"default"}
