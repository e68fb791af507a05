"""What a training run is: the game and its rules, who else sits there, the algorithm, steps and seed.

From the command line or a TOML file; written down whole in the run's folder, so that the same command goes on
with it and nothing else does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

from ..envs.options import Options, read_options
from ..envs.variants import Variant, variant_of
from ..evaluation.results import plain
from ..games.checks import whole
from ..games.errors import InvalidSettings, UnknownName
from ..games.registry import load
from .learners import LEARNERS, LearnerSettings, learner_settings
from .opponents import LineUp, line_ups

DOOR: Final = ("reward", "seat")  # settings of the environment, beside the encoding's, that a run may choose
STEPS: Final = 1_000_000
CHECKPOINTS: Final = 20  # of a run for which nothing else is asked
KEYS: Final = (
    "game", "algo", "steps", "seed", "opponents", "banker", "checkpoint_every", "deals", "settings",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunSettings:
    """A training run.

    Raises:
        InvalidSettings: a value is out of range.
    """

    game: str
    """Name of the game."""
    learner: LearnerSettings
    """The algorithm and its settings."""
    steps: int
    """Actions in all."""
    seed: int
    """Seed of the networks, of exploration and of the games played."""
    opponents: str
    """Who else sits there: default, zoo, or agents parted by commas."""
    banker: str
    """Who quotes for the house; empty: the game's own choice, or nobody."""
    rules: dict[str, Any]
    """Settings of the game that are not its defaults."""
    door: dict[str, Any]
    """Settings of the environment: reward, seat, stakes."""
    checkpoint_every: int
    """Actions between checkpoints."""
    deals: int
    """Deals on which the agent is scored at the end."""

    def __post_init__(self) -> None:
        whole("steps", self.steps, 1, 10**12)
        whole("seed", self.seed, 0, 2**32 - 1)  # what NumPy's global generator takes
        whole("checkpoint_every", self.checkpoint_every, 1, 10**12)
        whole("deals", self.deals, 1, 10**9)

    @property
    def variant(self) -> Variant:
        """The environment."""
        return variant_of(self.game)

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """The line-ups of rivals; tables are shared out among them."""
        return line_ups(self.variant, self.make_rules(), self.opponents)

    def make_rules(self) -> Any:
        """The game's settings."""
        return load(self.game).make_settings(**self.rules)

    def environment(self, line_up: LineUp) -> dict[str, Any]:
        """The keywords of the environment with these rivals."""
        banker = {"banker": self.banker} if self.banker else {}
        return {**self.rules, **self.door, **banker, "opponents": list(line_up)}

    def options(self) -> Options:
        """The environment's settings with the first line-up, checked and complete."""
        return read_options(self.variant, self.environment(self.line_ups[0]))

    def to_dict(self) -> dict[str, Any]:
        """All settings as JSON has them."""
        return {
            **{
                field.name: plain(getattr(self, field.name))
                for field in fields(self)
                if field.name != "learner"
            },
            "algo": self.learner.algorithm,
            "learner": {name: plain(value) for name, value in asdict(self.learner).items()},
        }


def make_run(
    game: str,
    algo: str = "",
    steps: int | None = None,
    seed: int = 1,
    opponents: str = "default",
    banker: str = "",
    checkpoint_every: int | None = None,
    deals: int = 2_000,
    settings: Mapping[str, Any] | None = None,
) -> RunSettings:
    """A run from what is written on the command line or in a file.

    Args:
        game: its name, or the id of its environment.
        algo: one of `LEARNERS`; empty: the first.
        steps: actions in all; None: a million.
        seed: of everything random.
        opponents: default, zoo, or agents parted by commas.
        banker: who quotes for the house.
        checkpoint_every: actions between checkpoints; None: a twentieth of the steps.
        deals: on which the agent is scored at the end.
        settings: any settings of the algorithm, of the game and of its environment, by name.

    Raises:
        UnknownName: a name that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    variant = variant_of(game)
    algo = algo or next(iter(LEARNERS))
    if algo not in LEARNERS:
        raise UnknownName("algorithm", algo, LEARNERS)
    spec = load(variant.game)
    of_rules = {field.name for field in fields(spec.settings)}
    of_door = {*spec.encoding_options, *DOOR} - ({"seat"} if spec.players else set())
    of_learner = {field.name for field in fields(LEARNERS[algo])}
    given = dict(settings or {})
    for name in given:
        if name not in of_rules | of_door | of_learner:
            raise UnknownName(f"setting of {algo} or {variant.game}", name, of_rules | of_door | of_learner)
    door = {"reward": "expected"} | ({} if spec.players else {"seat": "rotate"})
    for name in spec.encoding_options:
        if name in given and not isinstance(given[name], tuple | list):
            given[name] = (given[name],)
    steps = STEPS if steps is None else steps
    run = RunSettings(
        variant.game,
        learner_settings(algo, variant.game, {name: given[name] for name in given if name in of_learner}),
        steps, seed, opponents, banker,
        {name: value for name, value in given.items() if name in of_rules},
        door | {name: value for name, value in given.items() if name in of_door},
        max(steps // CHECKPOINTS, 1) if checkpoint_every is None else checkpoint_every, deals,
    )  # fmt: skip
    run.options()
    return run


def read_config(file: Path) -> dict[str, Any]:
    """What a TOML file says about a run: the arguments of `make_run`.

    The algorithm's, the game's and the environment's settings stand in the table ``[settings]``.

    Raises:
        InvalidSettings: the file cannot be read, or is no TOML.
        UnknownName: a key nobody reads; the nearest is suggested.
    """
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InvalidSettings(f"{file} is no TOML: {error}") from error
    numbers = ("steps", "seed", "checkpoint_every", "deals")
    kinds: dict[str, type[Any]] = {name: int if name in numbers else str for name in KEYS} | {
        "settings": dict
    }
    for name, value in written.items():
        if name not in kinds:
            raise UnknownName(f"key of {file}", name, KEYS)
        if type(value) is not kinds[name]:
            raise InvalidSettings(
                f"{file}: {name} is a {kinds[name].__name__}, not {type(value).__name__} {value!r}"
            )
    return written
