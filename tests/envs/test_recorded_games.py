"""Recorded games: an environment whose results change needs a new version of its id.

Where a change is meant and released versions are concerned, raise the id's version and record its games anew;
a change that is only faster leaves every hash as it is. Results rest on the agents at the other seats too.
"""

from __future__ import annotations

from typing import Any

import pytest

from railbird.envs.checking import records
from railbird.envs.checking.cases import BY_ID, Case
from railbird.envs.checking.doors import doors_of

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


@pytest.mark.parametrize(("name", "configuration"), SETTINGS)
def test_results_are_those_recorded_for_this_version(name, configuration):
    doors = doors_of(Case(BY_ID[name], SETTINGS[name, configuration]))
    records.results_are_those_recorded(doors, RECORDED[name, configuration])


def test_every_variant_is_recorded_by_default_and_in_another_way(variant):
    recorded = {configuration for name, configuration in RECORDED if name == variant.id}
    assert recorded > {"default"}
