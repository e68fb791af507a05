"""The single door: any game as a `gymnasium.Env` of one learner, the other seats played by agents."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from ..games.errors import UnknownName
from ..games.kernels import Features, Flags
from .learner_table import LearnerTable
from .options import RENDER_MODES, read_options
from .rendering import Frame, show, show_race
from .variants import Variant

RENDER_FPS = 2  # one frame a step


class SeatEnv(gymnasium.Env[Features, Any]):
    """One table with one learner; a class per variant declares which game it is.

    Settings of every environment:
        All by keyword, to `gymnasium.make`, to `gymnasium.make_vec` or to the class, beside those of the
        game, which each environment's docstring names.

        ``opponents``: the agents of the other players, clockwise from the learner, or from seat 0 where the
        learner is the house: a list of names, or one text with commas, repeated as often as the table has
        seats. `railbird agents` lists the names; ``name:key=value`` sets an agent's options.

        ``banker``: where odds are quoted, the agent that quotes for the house; where players keep the bank in
        turn, the one that quotes for opponents that are no pair.

        ``seat``: the learner's, from 0, or ``"rotate"``: the episode's number modulo players. A learner that
        is the house has no choice.

        ``action``: ``"wager"``, a decision is written step by step with flat actions; or ``"ticket"``, in
        games that have whole tickets, a decision a step.

        ``reward``: ``"cash"``, the change of the learner's chips; ``"expected"``, the exact expectation of
        that change given the closed bets, free of the race's luck; or ``"adjusted"``, the luck-adjusted
        profit of tournaments, free as well of the luck of what races leave in pools and of Save The Bet's
        gamble. Their sums over a game all have the same mean.

        ``illegal``: ``"pass"``, a legal action takes the place of an illegal one and
        ``info["illegal_action"]`` is True; or ``"raise"``, an illegal action is an error.

        ``lane``: the number by which the table's chance is named beside the seed, 0 if not given. Lane k of
        a vector environment plays the games of a single one with ``lane=k``.

        ``render_mode``: ``"ansi"`` or ``"rgb_array"``; nothing is shown if not given.

        ``threads``: how many threads step the lanes of a vector environment, which changes nothing but the
        time it takes; ``"auto"``, the default: as many as there are cores, where there are lanes enough.
    """

    variant: ClassVar[Variant]
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}

    def __init__(self, **settings: Any) -> None:
        options = read_options(self.variant, settings)
        self.table = LearnerTable(options, lanes=1)
        self.render_mode = options.render_mode
        self.action_space = self.table.actions.space
        self.observation_space = observation_space(options.encoding)

    @property
    def encoding(self) -> Any:
        """What the learner sees and does: `decode` explains an action, `layout` an observation."""
        return self.table.encoding

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Begins an episode: with a seed the first of that root seed, without one the next of the same root.

        The first reset without a seed takes its root from the operating system; `np_random_seed` tells it.
        """
        check_reset_options(options, known=())
        if seed is None and not self.table.started.all():
            seed = new_root()
        super().reset(seed=seed)
        self.table.reset(seeds=seed)
        return self.table.observe()[0], self._info(profit=0, illegal=False)

    def step(self, action: Any) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """Takes one action; `truncated` is always False."""
        outcome = self.table.step(np.asarray(action)[np.newaxis])
        info = self._info(int(outcome.profits[0]), bool(outcome.illegal[0]))
        return self.table.observe()[0], float(outcome.rewards[0]), bool(outcome.ended[0]), False, info

    def _info(self, profit: int, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self.table.masks()[0], "illegal_action": illegal, "profit": profit}

    def action_masks(self) -> Flags:
        """The legal actions as bools, for sb3-contrib; int8 in ``info["action_mask"]``."""
        legal: Flags = self.table.masks()[0] == 1
        return legal

    def render(self) -> Frame | None:
        """The table as it stands, as text or as a picture (height, width, 3) uint8."""
        return show(self.table, lane=0)

    def render_race(self) -> list[Frame]:
        """The last race as it was run, a frame for each card; empty before the first."""
        return show_race(self.table, lane=0)

    def get_state(self) -> dict[str, Any]:
        """The whole environment as JSON data: game, chance to come, half-written ticket, rivals' memories.

        Raises:
            RailbirdError: a rival remembers something that cannot be written down (copy and pickle can).
        """
        return self.table.save()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state that an environment of the same settings wrote.

        Raises:
            BrokenFile: it is of other settings or cannot be read.
        """
        self.table.load(state)


def observation_space(encoding: Any) -> spaces.Space[Features]:
    """The space of one lane's observations, bounds as in the index table."""
    low, high = encoding.layout.bounds
    space: spaces.Space[Any] = spaces.Box(low, high, dtype=np.float32)
    return space


def check_reset_options(options: Mapping[str, Any] | None, known: tuple[str, ...]) -> None:
    """Refuses reset options nobody reads.

    Raises:
        UnknownName: there is one.
    """
    for name in options or ():
        if name not in known:
            raise UnknownName("reset option", name, known or ("(none)",))


def new_root() -> int:
    """A root seed from the operating system; no global generator is touched."""
    return secrets.randbits(128)
