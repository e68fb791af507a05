"""The manifest: what a tournament is and by which code it is played, and whether two are the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from ...games.errors import BrokenFile, InvalidSettings
from ...games.registry import load
from ..blocks import Plan, make_agent
from ..provenance import commit, source_of, versions

FORMAT = 2  # of the folder; rises when older folders can no longer be read
LONGEST_VALUE = 120  # characters of a setting that are quoted in a message


def describe(plan: Plan, settings: dict[str, Any]) -> dict[str, Any]:
    """The manifest of a tournament: nothing in it depends on when, where or by how many it is played.

    Raises:
        InvalidSettings: an agent cannot be made.
    """
    factories = (*plan.factories, *plan.fixed, *plan.strangers)
    sources = {factory.text: source_of(make_agent(factory, plan.rules)) for factory in factories}
    content = {
        "format": FORMAT,
        "settings": settings,
        "seed": plan.seed,
        "entries": list(plan.labels),
        "design": {
            "tables_per_deal": len(plan.seating),
            "tables_per_agent": plan.appearances,
            "races": plan.races,
            "blocks": plan.blocks,
        },
        "agents": sources,
        "value_function": load(plan.game).game.value_hash(plan.rules),
        "versions": versions(),
        "commit": commit(),
    }
    return {**content, "digest": digest(content)}


def digest(content: dict[str, Any]) -> str:
    """SHA-256 of a manifest without its own ``digest``."""
    counted = {name: value for name, value in content.items() if name != "digest"}
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()


def read_manifest(path: Path) -> dict[str, Any]:
    """The manifest of a folder.

    Raises:
        BrokenFile: it cannot be read, or has been changed.
    """
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        told, format_ = content["digest"], content["format"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BrokenFile(f"{path} is no manifest of a tournament; choose another folder") from error
    if format_ != FORMAT:
        raise BrokenFile(f"{path} has format {format_}, not {FORMAT}; choose another folder")
    if told != digest(content):
        raise BrokenFile(
            f"{path} has been changed since it was written; restore it, or choose another folder"
        )
    return content


def check_same(folder: Path, found: dict[str, Any], asked: dict[str, Any]) -> None:
    """Refuses to go on in a folder with a tournament that is not the one asked for.

    Another commit is no difference: what it may have changed in the code is told by the hash of the code.

    Raises:
        InvalidSettings: it says what differs.
    """
    asked = json.loads(json.dumps(asked))
    told = {"commit": None, "digest": None}
    if found | told != asked | told:
        raise InvalidSettings(f"{folder} {_difference(found, asked)}; choose another folder")


def _difference(found: dict[str, Any], asked: dict[str, Any]) -> str:
    """The first thing that differs, in words."""
    old, new = found["settings"], asked["settings"]
    for name in {**new, **old}:
        if old.get(name) != new.get(name):
            return f"holds a tournament with {name} {_short(old.get(name))}, not {_short(new.get(name))}"
    for name in ("seed", "entries"):
        if found[name] != asked[name]:
            return f"holds a tournament with {name} {_short(found[name])}, not {_short(asked[name])}"
    for text, source in asked["agents"].items():
        if found["agents"].get(text) != source:
            return f"was begun with another agent {text}: {', '.join(source['files'])} has changed since"
    for name, value in asked["versions"].items():
        former = found["versions"].get(name)
        if former != value:
            if name == "code":
                return "was begun with other code of Railbird, which has changed since"
            return f"was begun with {name} {former}, not {value}"
    return "holds another tournament"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"
