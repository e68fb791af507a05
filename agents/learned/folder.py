"""The agent folder: ``agent.json`` says what was learned, ``policy.safetensors`` holds the weights.

Reading one executes nothing: JSON, and tensors whose names, shapes and values are checked against the JSON.
What does not fit is refused with a `BrokenFile` that says what is wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as load_tensors

from ...games.errors import BrokenFile
from ...games.registry import SPECS
from .network import DEEPEST, WIDEST, Network, Normalisation, build_network, build_recurrence, tensor_of

FORMAT: Final = 1  # of the folder; rises when older folders can no longer be read
FACTS: Final = "agent.json"
WEIGHTS: Final = "policy.safetensors"
PRETRAINED: Final = Path(__file__).resolve().parents[1] / "pretrained"
LARGEST: Final = {FACTS: 2**20, WEIGHTS: 2**28}  # bytes of a file that are read
MOST: Final = re.compile(r"1|1/[1-9]\d{0,5}|(?!0)\d{1,6}/1000000")  # as training writes it
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EncodingFacts:
    """Which encoding a policy sees and acts through."""

    version: int
    options: dict[str, Any]  # as the encoding takes them, beside the settings
    features: int
    actions: int
    digest: str  # of the meaning of features and actions, see `digest_of`


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """What ``agent.json`` says."""

    game: str
    encoding: EncodingFacts
    outputs: int  # scores of the network: one for each action, or for each line a share
    most: str  # share of the bankroll a ticket by shares may cost, "1/20"; empty: it is written by actions
    masked: bool  # chooses among legal actions; else an illegal choice is replaced by the lowest legal one
    hidden: tuple[int, ...]  # units of the hidden layers
    activation: str
    memory: int  # units of a long short-term memory before them; 0: none
    clip: float | None  # of normalised observations; None: they are not normalised
    epsilon: float
    rules: dict[str, Any]  # settings of the game it was trained in
    training: dict[str, Any]  # algorithm, steps, seed, opponents, seat: for people and for `railbird eval`
    weights: tuple[int, str]  # bytes and SHA-256 of ``policy.safetensors``


@dataclass(frozen=True, slots=True)
class AgentFolder:
    """A folder that was read."""

    path: Path
    facts: AgentFacts
    network: Network

    @property
    def files(self) -> tuple[Path, Path]:
        """The files it consists of."""
        return self.path / FACTS, self.path / WEIGHTS


def find_agent(text: str) -> Path | None:
    """The agent folder a path names: itself, or ``agent`` in a run's folder; None where there is neither."""
    for path in (Path(text), Path(text) / "agent"):
        with suppress(OSError):  # a name no file can have, or a folder nobody may look into
            if (path / FACTS).is_file():
                return path
    return None


def pretrained(game: str) -> dict[str, Path]:
    """The agent folders that come with the package for a game, by name."""
    return {name: path for name, (path, trained_for) in _shipped().items() if trained_for == game}


@cache
def _shipped() -> dict[str, tuple[Path, str]]:
    """Name -> folder and game."""
    found = {}
    for file in sorted(PRETRAINED.glob(f"*/{FACTS}")):
        found[file.parent.name] = file.parent, parse_facts(_content(file)).game
    return found


def read_agent(path: Path) -> AgentFolder:
    """The agent in a folder.

    Raises:
        BrokenFile: a file is missing, cut off, altered, or not what it says it is.
    """
    stamps = []
    for name in (FACTS, WEIGHTS):
        try:
            seen = (path / name).stat()
        except (OSError, ValueError) as error:
            raise BrokenFile(f"{path} is no agent folder: {name} cannot be read: {_reason(error)}") from error
        stamps.append((seen.st_mtime_ns, seen.st_size, seen.st_ino))
    return _read(path, tuple(stamps))


@lru_cache(maxsize=64)
def _read(path: Path, _: tuple[tuple[int, int, int], ...]) -> AgentFolder:
    """The agent of files with these stamps: blocks of a tournament make the same agent again and again."""
    try:
        facts = parse_facts(_content(path / FACTS))
        content = _content(path / WEIGHTS)
        size, told = facts.weights
        if len(content) != size:
            raise BrokenFile(
                f"{WEIGHTS} has {len(content):,} bytes, not {size:,}: it is cut off or another's"
            )
        if hashlib.sha256(content).hexdigest() != told:
            raise BrokenFile(f"{WEIGHTS} has been changed since it was written, or is another agent's")
        return AgentFolder(path, facts, network_of(facts, content))
    except BrokenFile as error:
        raise BrokenFile(f"agent folder {path}: {error}; export or copy it again") from error


def _content(file: Path) -> bytes:
    try:
        if file.stat().st_size > LARGEST[file.name]:
            raise BrokenFile(f"{file.name} is larger than {LARGEST[file.name]:,} bytes")
        return file.read_bytes()
    except OSError as error:
        raise BrokenFile(f"{file.name} cannot be read: {_reason(error)}") from error


def network_of(facts: AgentFacts, content: bytes) -> Network:
    """The network in the bytes of a ``policy.safetensors``.

    Raises:
        BrokenFile: they are no such file, or hold other tensors than the facts say.
    """
    tensors = read_tensors(content)
    features = facts.encoding.features
    layers = build_network(
        tensors, (facts.memory or features, *facts.hidden, facts.outputs), facts.activation
    )
    known = {f"layers.{number}.{part}" for number in range(len(layers)) for part in ("weight", "bias")}
    normalisation, recurrence = None, None
    if facts.memory:
        recurrence = build_recurrence(tensors, features, facts.memory)
        known |= {"memory.inward", "memory.onward", "memory.bias"}
    if facts.clip is not None:
        mean, variance = (
            tensor_of(tensors, f"observation.{part}", (features,), np.float64)
            for part in ("mean", "variance")
        )
        known |= {"observation.mean", "observation.variance"}
        if (variance < 0).any():
            raise BrokenFile("tensor 'observation.variance' holds negative numbers")
        normalisation = Normalisation(mean, variance, facts.epsilon, facts.clip)
    if tensors.keys() - known:
        raise BrokenFile(f"tensor {min(tensors.keys() - known)!r} belongs to no part of the network")
    return Network(layers, facts.activation, normalisation, recurrence)


def read_tensors(content: bytes) -> dict[str, NDArray[Any]]:
    """The tensors in the bytes of a safetensors file, read-only.

    Raises:
        BrokenFile: they are no such file.
    """
    try:
        return load_tensors(content)
    except (SafetensorError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise BrokenFile(f"no readable safetensors file: {_reason(error)}") from error


def parse_facts(content: bytes) -> AgentFacts:
    """The facts in the bytes of an ``agent.json``.

    Raises:
        BrokenFile: they are no JSON, of a later format, or something is missing or of the wrong kind.
    """
    try:
        written = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BrokenFile(f"{FACTS} is no JSON: {_reason(error)}") from error
    if not isinstance(written, dict):
        raise BrokenFile(f"{FACTS} holds no object")
    if _take(written, "format", int) != FORMAT:
        raise BrokenFile(f"{FACTS} has format {written['format']}; this version reads {FORMAT}")
    game = _take(written, "game", str)
    if game not in SPECS:
        raise BrokenFile(f"{FACTS}: there is no game {game[:40]!r}; known: {', '.join(SPECS)}")
    network, weights = _take(written, "network", dict), _take(written, "weights", dict)
    hidden = tuple(_take(network, "hidden", list))
    if len(hidden) > DEEPEST or not all(type(units) is int and 1 <= units <= WIDEST for units in hidden):
        raise BrokenFile(f"{FACTS}: hidden is a list of at most {DEEPEST} numbers of 1 to {WIDEST} units")
    clip, epsilon = _normalisation(network)
    most = _take(written, "most", str)
    if most and not MOST.fullmatch(most):
        raise BrokenFile(f"{FACTS}: most is a share above 0 and at most 1, such as '1/20', not {most[:40]!r}")
    memory, outputs = _take(network, "memory", int), _take(network, "outputs", int)
    if not 1 <= outputs <= WIDEST:
        raise BrokenFile(f"{FACTS}: outputs are from 1 to {WIDEST}, not {outputs}")
    encoding = _encoding(_take(written, "encoding", dict))
    if not most and outputs != encoding.actions:
        raise BrokenFile(f"{FACTS}: outputs are {outputs}, but there are {encoding.actions} actions")
    if not 0 <= memory <= WIDEST:
        raise BrokenFile(f"{FACTS}: memory is from 0 to {WIDEST} units, not {memory}")
    return AgentFacts(
        game, encoding, outputs, most,
        _take(written, "masked", bool), hidden,
        _take(network, "activation", str), memory, clip, epsilon, _take(written, "rules", dict),
        _take(written, "training", dict), (_take(weights, "bytes", int), _take(weights, "sha256", str)),
    )  # fmt: skip


def _encoding(written: dict[str, Any]) -> EncodingFacts:
    features, actions = _take(written, "features", int), _take(written, "actions", int)
    if not (1 <= features <= WIDEST and 1 <= actions <= WIDEST):
        raise BrokenFile(f"{FACTS}: features and actions are from 1 to {WIDEST}, not {features}, {actions}")
    options = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in _take(written, "options", dict).items()
    }
    version, digest = _take(written, "version", int), _take(written, "digest", str)
    return EncodingFacts(version, options, features, actions, digest)


def _normalisation(network: dict[str, Any]) -> tuple[float | None, float]:
    """Clip and epsilon of the observations' normalisation; None and 0 without one."""
    if network.get("normalisation") is None:
        return None, 0.0
    written = _take(network, "normalisation", dict)
    clip, epsilon = _take(written, "clip", float), _take(written, "epsilon", float)
    if not (isfinite(clip) and clip > 0 and isfinite(epsilon) and epsilon > 0):
        raise BrokenFile(f"{FACTS}: clip and epsilon are finite numbers above 0, not {clip}, {epsilon}")
    return clip, epsilon


def _take(written: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """An entry of an object, of exactly this kind."""
    if name not in written:
        raise BrokenFile(f"{FACTS} has no {name!r}")
    value = written[name]
    if type(value) is not kind:
        raise BrokenFile(f"{FACTS}: {name!r} is a {type(value).__name__}, not a {kind.__name__}")
    return value


def write_facts(facts: AgentFacts) -> bytes:
    """The bytes of an ``agent.json``, what `parse_facts` reads."""
    normalisation = None if facts.clip is None else {"clip": facts.clip, "epsilon": facts.epsilon}
    encoding = facts.encoding
    written = {
        "format": FORMAT,
        "game": facts.game,
        "encoding": {
            "version": encoding.version,
            "options": encoding.options,
            "features": encoding.features,
            "actions": encoding.actions,
            "digest": encoding.digest,
        },
        "masked": facts.masked,
        "most": facts.most,
        "network": {
            "outputs": facts.outputs,
            "hidden": facts.hidden,
            "activation": facts.activation,
            "memory": facts.memory,
            "normalisation": normalisation,
        },
        "rules": facts.rules,
        "training": facts.training,
        "weights": {"bytes": facts.weights[0], "sha256": facts.weights[1]},
    }
    return (json.dumps(written, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def describe_encoding(encoding: Any, options: Mapping[str, Any]) -> EncodingFacts:
    """The facts of an encoding that was made with these options."""
    return EncodingFacts(
        int(encoding.version), dict(options), int(encoding.features), int(encoding.actions),
        digest_of(encoding),
    )  # fmt: skip


def digest_of(encoding: Any) -> str:
    """A hash of what features and actions mean: two encodings of one digest can stand for each other."""
    blocks = [
        (block.name, block.start, block.size, block.low, block.high) for block in encoding.layout.blocks
    ]
    actions = [encoding.action_text(action) for action in range(encoding.actions)]
    return hashlib.sha256(repr((blocks, actions)).encode()).hexdigest()[:16]


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())[:200] or type(error).__name__
