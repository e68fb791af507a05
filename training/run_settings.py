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

from ..agents.registry import AgentSpec
from ..agents.seating import parse_player
from ..envs.options import Options, read_options
from ..envs.variants import Variant, variant_of
from ..evaluation.results import plain
from ..games.checks import whole
from ..games.errors import InvalidSettings, UnknownName
from ..games.registry import load
from ..games.spec import GameSpec
from .fields import read_sight
from .learners import LEARNERS, LearnerSettings, OnPolicySettings, RecurrentPpoSettings, learner_settings
from .opponents import DEFAULT, LineUp, line_ups
from .recipes import TICKET, WAGER, Recipe, default_algorithm, recipe_of, whole_decisions
from .self_play_settings import SelfPlaySettings, named_agents, settable

DOOR: Final = ("reward", "seat", "action")  # settings of the environment a run may choose, beside its sight
STEPS: Final = 1_000_000
CHECKPOINTS: Final = 20  # of a run for which nothing else is asked
KEYS: Final = (
    "game", "algo", "steps", "seed", "opponents", "banker", "checkpoint_every", "deals", "settings",
    "self_play", "pool",
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
    self_play: SelfPlaySettings | None = None
    """Whom it meets instead of the opponents, against whom it is then only scored; None: these."""

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
    def whole(self) -> bool:
        """Whether an action is a whole ticket or quote."""
        return bool(self.door.get("action") == TICKET)

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

    def pool_agents(self) -> tuple[AgentSpec, ...]:
        """The agents that the pool of self-play names."""
        if self.self_play is None:
            return ()
        return named_agents(self.self_play, self.game, self.make_rules(), self.banker)

    @property
    def teacher(self) -> AgentSpec | None:
        """Whom the learner imitates before it trains; None: nobody.

        Raises:
            UnknownName: there is no such agent.
            InvalidSettings: it cannot sit there.
        """
        name = getattr(self.learner, "imitate", "")
        return parse_player(name, load(self.game), self.make_rules(), self.banker) if name else None

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
    opponents: str = "",
    banker: str = "",
    checkpoint_every: int | None = None,
    deals: int = 2_000,
    settings: Mapping[str, Any] | None = None,
    self_play: bool = False,
    pool: str = "",
) -> RunSettings:
    """A run from what is written on the command line or in a file.

    Args:
        game: its name, or the id of its environment.
        algo: one of `LEARNERS`; empty: that of the game's recipe, else the first.
        steps: actions in all; None: as many as the recipe says, else a million.
        seed: of everything random.
        opponents: default (those of the environment), zoo, or agents parted by commas; empty: as the recipe
            says, else default. By self-play, which has no recipes of rivals, default.
        banker: who quotes for the house.
        checkpoint_every: actions between checkpoints; None: a twentieth of the steps.
        deals: on which the agent is scored at the end.
        settings: any settings of the algorithm, of the game, of its environment and of self-play, by name.
        self_play: whether it plays against itself and a pool.
        pool: who is in the pool, parted by commas; empty: heuristics and snapshots.

    Raises:
        UnknownName: a name that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    variant = variant_of(game)
    asked = (settings or {}).get("action", WAGER if self_play else None)
    algo = algo or default_algorithm(variant.game, asked) or next(iter(LEARNERS))
    if algo not in LEARNERS:
        raise UnknownName("algorithm", algo, LEARNERS)
    if pool and not self_play:
        raise InvalidSettings(f"a pool, {pool}, is for self-play; ask for it with --self-play")
    given = _sort_out(settings or {}, variant.game, algo, self_play)
    action = _choose_action(asked, variant.game, algo, given)
    recipe = recipe_of(variant.game, algo, action)
    if steps is None:
        steps = STEPS if recipe is None else recipe.steps
    if not opponents:
        opponents = DEFAULT if recipe is None or self_play else recipe.opponents
    if checkpoint_every is None:
        checkpoint_every = max(steps // CHECKPOINTS, 1)
    run = RunSettings(
        variant.game, learner_settings(algo, variant.game, given.learner, action), steps, seed, opponents,
        banker, given.rules, _usual_door(variant.game, recipe, asked, action) | given.door, checkpoint_every,
        deals, SelfPlaySettings.of(pool, given.pool) if self_play else None,
    )  # fmt: skip
    _check_action(run)
    run.pool_agents()
    return run


@dataclass(frozen=True, slots=True)
class _Given:
    """Settings by what they are settings of."""

    rules: dict[str, Any]
    door: dict[str, Any]
    learner: dict[str, Any]
    pool: dict[str, Any]


def _sort_out(settings: Mapping[str, Any], game: str, algo: str, self_play: bool) -> _Given:
    """The settings by what they belong to.

    Raises:
        UnknownName: one belongs nowhere; the nearest is suggested.
        InvalidSettings: an option of the encoding is of another kind.
    """
    spec = load(game)
    parts = {
        "rules": {field.name for field in fields(spec.settings)},
        "door": {*spec.encoding_options, *DOOR} - ({"seat"} if spec.players else set()),
        "learner": {field.name for field in fields(LEARNERS[algo])},
        "pool": settable() if self_play else set(),
    }
    known = set().union(*parts.values())
    for name in settings:
        if name not in known:
            raise UnknownName(f"setting of {algo} or {game}", name, known)
    given = read_sight(spec, settings)
    return _Given(
        **{part: {name: given[name] for name in given if name in names} for part, names in parts.items()}
    )


def _choose_action(asked: str | None, game: str, algo: str, given: _Given) -> str | None:
    """What an action is: what was asked for, or else a whole decision where the game's recipe learns those
    and its table has them; None: the environment's own choice.
    """
    recipe = recipe_of(game, algo, asked)
    if asked is not None or recipe is None or recipe.action != TICKET:
        return asked
    return TICKET if _decides_whole(load(game), given) else WAGER


def _decides_whole(spec: GameSpec, given: _Given) -> bool:
    """Whether a decision can be learned whole at a table of these settings."""
    sight = {name: given.door[name] for name in spec.encoding_options if name in given.door}
    return bool(whole_decisions(spec.encoding(spec.make_settings(**given.rules), **sight)))


def _usual_door(game: str, recipe: Recipe | None, asked: str | None, action: str | None) -> dict[str, Any]:
    """What a run chooses of its environment where nothing else is set."""
    door: dict[str, Any] = {"reward": "expected"} | ({} if recipe is None else dict(recipe.door))
    if not load(game).players:
        door["seat"] = "rotate"
    if asked is None and action == TICKET:
        door["action"] = TICKET
    return door


def _check_action(run: RunSettings) -> None:
    """Whether this learner can act so at this table.

    Raises:
        UnknownName, InvalidSettings: it cannot, or there is no such table.
    """
    options, learner = run.options(), run.learner
    if run.teacher is not None and (run.whole or isinstance(learner, RecurrentPpoSettings)):
        raise InvalidSettings(
            "whole tickets and recurrent-ppo learn from nobody; leave imitate empty, or action at 'wager' and"
            " take maskable-ppo, ppo or a2c"
        )
    if not run.whole:
        return
    if not isinstance(learner, OnPolicySettings) or isinstance(learner, RecurrentPpoSettings):
        raise InvalidSettings(
            f"{learner.algorithm} does not learn whole tickets; leave action at 'wager', or take"
            " maskable-ppo, ppo or a2c"
        )
    if run.self_play is not None:
        raise InvalidSettings("self-play is learned wager by wager; leave action at 'wager'")
    kind = whole_decisions(options.encoding)
    if not kind:
        raise InvalidSettings("seats that both bet and quote learn wager by wager; leave action at 'wager'")
    if kind == "quotes" and not (learner.activation == "relu" and learner.normalize_observations):
        raise InvalidSettings(
            "whole quotes are learned with activation=relu and normalize_observations=true; set them, or"
            " leave action at 'wager'"
        )


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
        "settings": dict,
        "self_play": bool,
    }
    for name, value in written.items():
        if name not in kinds:
            raise UnknownName(f"key of {file}", name, KEYS)
        if type(value) is not kinds[name]:
            raise InvalidSettings(
                f"{file}: {name} is a {kinds[name].__name__}, not {type(value).__name__} {value!r}"
            )
    return written
