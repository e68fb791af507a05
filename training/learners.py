"""The settings of the learning algorithms: one dataclass each, a line of help under every field.

Fields that Stable-Baselines3's constructor takes have its names and are handed on to it; the others
(`OURS`) are read here. Whatever is not set has a default that learns with the large batches of many tables:
gradient steps cost most of the time, so a rollout is short and wide and its mini-batches are large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final

from ..games.errors import InvalidSettings, UnknownName
from .fields import check_range, check_word, most_text, read_value
from .recipes import recipe_of

OURS: Final = frozenset(
    {
        "lanes", "hidden", "activation", "schedule", "normalize_observations", "normalize_rewards", "most",
        "ent_coef_end", "imitate", "imitate_deals", "imitate_epochs", "imitate_rate",
    }
)  # fmt: skip
ACTIVATIONS: Final = ("tanh", "relu")
SCHEDULES: Final = ("constant", "linear")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerSettings:
    """What all algorithms have in common.

    Raises:
        InvalidSettings: a value is out of range.
    """

    algorithm: ClassVar[str]  # as on the command line
    masked: ClassVar[bool] = False  # whether it chooses among the legal actions only

    lanes: int = 256
    """Tables played at once, 1-65,536."""
    hidden: tuple[int, ...] = (64, 64)
    """Units of each hidden layer, parted by commas."""
    activation: str = "tanh"
    """Of the hidden layers: tanh or relu."""
    learning_rate: float = 1e-3
    """Step size of the optimizer, above 0."""
    schedule: str = "constant"
    """How the learning rate goes: constant, or linear down to 0 at the last step."""
    gamma: float = 0.99
    """Discount of a reward for each action it is away, 0-1."""
    normalize_observations: bool = True
    """Whether features are brought to mean 0 and variance 1; the agent folder carries what that takes."""
    normalize_rewards: bool = True
    """Whether rewards are divided by the running deviation of the discounted return."""

    def __post_init__(self) -> None:
        check_range(self, "lanes", 1, 65_536)
        if not 1 <= len(self.hidden) <= 8 or not all(1 <= units <= 8_192 for units in self.hidden):
            raise InvalidSettings(f"hidden is 1 to 8 numbers of 1 to 8,192 units, not {self.hidden}")
        check_word(self, "activation", ACTIVATIONS)
        check_word(self, "schedule", SCHEDULES)
        check_range(self, "learning_rate", 1e-12, 10)
        check_range(self, "gamma", 0, 1)

    @property
    def handed_on(self) -> dict[str, Any]:
        """What the constructor of the algorithm takes, but for the learning rate."""
        kept = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in OURS}
        del kept["learning_rate"]
        return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPolicySettings(LearnerSettings):
    """What algorithms have in common that learn from a rollout and throw it away."""

    n_steps: int = 32
    """Actions at each table in a rollout, 1 or more."""
    gae_lambda: float = 0.95
    """Bias against variance of the advantage, 0-1."""
    ent_coef: float = 0.02
    """Weight of the entropy; less, and a policy may stop betting before it has learned how."""
    ent_coef_end: float | None = None
    """That weight at the last step, to which it goes evenly; none: it stays."""
    vf_coef: float = 0.5
    """Weight of the value function's loss."""
    max_grad_norm: float = 0.5
    """Length to which gradients are cut."""
    imitate: str = ""
    """Agent whose play is learned first, before training begins; empty: nobody's."""
    imitate_deals: int = 20_000
    """Deals it is watched in."""
    imitate_epochs: int = 2
    """Times each of them is gone through."""
    imitate_rate: float = 3e-3
    """Step size of the optimizer at first; it goes down evenly."""

    def __post_init__(self) -> None:
        LearnerSettings.__post_init__(self)
        check_range(self, "n_steps", 1, 100_000)
        check_range(self, "imitate_deals", 1, 10**9)
        check_range(self, "imitate_epochs", 1, 1_000)
        check_range(self, "imitate_rate", 1e-12, 10)
        check_range(self, "gae_lambda", 0, 1)
        for name in ("ent_coef", "vf_coef"):
            check_range(self, name, 0, 100)
        if self.ent_coef_end is not None:
            check_range(self, "ent_coef_end", 0, 100)
        check_range(self, "max_grad_norm", 1e-9, 1e9)

    def entropy_at(self, share: float) -> float:
        """The weight of the entropy when a share of the steps has been made."""
        end = self.ent_coef if self.ent_coef_end is None else self.ent_coef_end
        return self.ent_coef + (end - self.ent_coef) * min(share, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PpoSettings(OnPolicySettings):
    """Proximal policy optimization (Schulman et al. 2017)."""

    algorithm = "ppo"

    batch_size: int = 4_096
    """Actions in a mini-batch; large ones are far quicker."""
    n_epochs: int = 4
    """Times each rollout is gone through."""
    clip_range: float = 0.2
    """How far the policy may move in an update, 0-1."""
    normalize_advantage: bool = True
    """Whether advantages are brought to variance 1 in each mini-batch."""
    target_kl: float | None = None
    """Divergence at which an update is broken off; none: never."""

    def __post_init__(self) -> None:
        OnPolicySettings.__post_init__(self)
        check_range(self, "batch_size", 2, 2**24)
        check_range(self, "n_epochs", 1, 1_000)
        check_range(self, "clip_range", 1e-9, 1)
        if self.target_kl is not None:
            check_range(self, "target_kl", 1e-12, 1e3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskablePpoSettings(PpoSettings):
    """PPO that chooses among the legal actions (Huang and Ontañón 2022)."""

    algorithm = "maskable-ppo"
    masked = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RecurrentPpoSettings(PpoSettings):
    """PPO with a memory (LSTM) of what it has seen in the episode."""

    algorithm = "recurrent-ppo"

    lanes: int = 64
    """Tables played at once, 1-65,536."""
    lstm_hidden_size: int = 64
    """Units of the memory."""

    def __post_init__(self) -> None:
        PpoSettings.__post_init__(self)
        check_range(self, "lstm_hidden_size", 1, 4_096)

    @property
    def handed_on(self) -> dict[str, Any]:
        kept = PpoSettings.handed_on.fget(self)  # type: ignore[attr-defined]
        del kept["lstm_hidden_size"]
        return kept  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True, kw_only=True)
class A2cSettings(OnPolicySettings):
    """Advantage actor-critic (Mnih et al. 2016)."""

    algorithm = "a2c"

    n_steps: int = 8
    """Actions at each table in a rollout, 1 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DqnSettings(LearnerSettings):
    """Deep Q-learning (Mnih et al. 2015)."""

    algorithm = "dqn"

    lanes: int = 64
    """Tables played at once, 1-65,536."""
    buffer_size: int = 200_000
    """Actions remembered."""
    learning_starts: int = 10_000
    """Actions before the first update."""
    batch_size: int = 1_024
    """Actions in a mini-batch."""
    tau: float = 1.0
    """How much of the network goes into the target network at an update, 0-1."""
    train_freq: int = 4
    """Actions at each table between updates."""
    gradient_steps: int = 4
    """Mini-batches of an update."""
    target_update_interval: int = 10_000
    """Actions between updates of the target network."""
    exploration_fraction: float = 0.3
    """Share of the training in which exploration goes down."""
    exploration_initial_eps: float = 1.0
    """Chance of a random action at first."""
    exploration_final_eps: float = 0.05
    """Chance of a random action afterwards."""
    max_grad_norm: float = 10.0
    """Length to which gradients are cut."""

    def __post_init__(self) -> None:
        LearnerSettings.__post_init__(self)
        for name in ("buffer_size", "batch_size", "train_freq", "gradient_steps", "target_update_interval"):
            check_range(self, name, 1, 2**31)
        check_range(self, "learning_starts", 0, 2**31)
        for name in ("tau", "exploration_initial_eps", "exploration_final_eps"):
            check_range(self, name, 0, 1)
        check_range(self, "exploration_fraction", 1e-9, 1)
        check_range(self, "max_grad_norm", 1e-9, 1e9)
        if self.buffer_size < self.lanes:
            raise InvalidSettings(f"buffer_size is at least one action a table, {self.lanes}")
        if self.target_update_interval < self.lanes:
            raise InvalidSettings(f"target_update_interval is at least one action a table, {self.lanes}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SacSettings(LearnerSettings):
    """Soft actor-critic (Haarnoja et al. 2018), which says what share of the bankroll goes on each line."""

    algorithm = "sac"

    lanes: int = 64
    """Tables played at once, 1-65,536."""
    learning_rate: float = 3e-4
    """Step size of the optimizer, above 0."""
    activation: str = "relu"
    """Of the hidden layers: tanh or relu."""
    most: str = "1/20"
    """Share of the bankroll that a ticket may cost, above 0 and at most 1."""
    buffer_size: int = 200_000
    """Actions remembered."""
    learning_starts: int = 5_000
    """Actions before the first update."""
    batch_size: int = 512
    """Actions in a mini-batch."""
    tau: float = 0.005
    """How much of the network goes into the target network at an update, 0-1."""
    train_freq: int = 1
    """Actions at each table between updates."""
    gradient_steps: int = 4
    """Mini-batches of an update."""
    ent_coef: str = "auto"
    """Weight of the entropy: a number, or auto to have it learned."""

    def __post_init__(self) -> None:
        LearnerSettings.__post_init__(self)
        for name in ("buffer_size", "batch_size", "train_freq", "gradient_steps"):
            check_range(self, name, 1, 2**31)
        check_range(self, "learning_starts", 0, 2**31)
        check_range(self, "tau", 0, 1)
        object.__setattr__(self, "most", most_text(self.most))
        if self.ent_coef != "auto" and not 0 <= float(read_value("ent_coef", self.ent_coef, "float")) <= 100:
            raise InvalidSettings(f"ent_coef is auto or a number from 0 to 100, not {self.ent_coef}")

    @property
    def handed_on(self) -> dict[str, Any]:
        kept = LearnerSettings.handed_on.fget(self)  # type: ignore[attr-defined]
        if self.ent_coef != "auto":
            kept["ent_coef"] = float(self.ent_coef)
        return kept  # type: ignore[no-any-return]


LEARNERS: Final[dict[str, type[LearnerSettings]]] = {
    made.algorithm: made
    for made in (
        MaskablePpoSettings,
        PpoSettings,
        A2cSettings,
        DqnSettings,
        RecurrentPpoSettings,
        SacSettings,
    )
}  # by name on the command line, the default first
GAMES: Final[dict[str, dict[str, Any]]] = {
    "racing-aces": {"gamma": 0.9},
    "bookmaker": {"gamma": 0.95},
}  # defaults that a game has of its own


def learner_settings(
    algorithm: str, game: str, given: Mapping[str, Any], action: str | None = None
) -> LearnerSettings:
    """The settings of an algorithm for a game: those given, as text or as values, and defaults, which are the
    game's recipe where it holds for the algorithm and the action; None: nothing was said of actions.

    Raises:
        UnknownName: there is no such algorithm or setting; the nearest is suggested.
        InvalidSettings: a value is not allowed.
    """
    if algorithm not in LEARNERS:
        raise UnknownName("algorithm", algorithm, LEARNERS)
    made = LEARNERS[algorithm]
    kinds = {field.name: str(field.type) for field in fields(made)}
    for name in given:
        if name not in kinds:
            raise UnknownName(f"setting of {algorithm}", name, kinds)
    read = {name: read_value(name, value, kinds[name]) for name, value in given.items()}
    recipe = recipe_of(game, algorithm, action)
    own = GAMES.get(game, {}) if recipe is None else recipe.settings
    return replace(made(), **{**own, **read})
