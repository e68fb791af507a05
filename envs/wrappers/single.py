"""The wrappers for single environments; `railbird.envs.wrappers.vector` has their vector forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv

from ...games.errors import InvalidSettings
from . import cores
from .attaching import Attached, Core
from .catalogue import Catalogue
from .odds import Odds
from .rewards import LogWealth, Scaled
from .ticket_actions import CatalogueActions, FractionActions

AnyEnv = gymnasium.Env[Any, Any]


class SingleWrapper(Attached, gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """A shell around a core, of one environment."""

    def __init__(self, env: Any, core: Callable[[AnyEnv], Core], **settings: Any) -> None:
        if isinstance(env, VectorEnv):
            name = type(self).__name__
            raise InvalidSettings(
                f"{name} here is for single environments; railbird.envs.wrappers.vector.{name} is for"
                " vector ones"
            )
        RecordConstructorArgs.__init__(self, **settings)
        self.core = core(env)
        gymnasium.Wrapper.__init__(self, env)


class LogWealthReward(SingleWrapper):
    """Rewards the growth of wealth: log(chips after a step / chips before it).

    Chips below ``floor`` count as ``floor``, so that ruin costs log(chips before / floor) and no more. The
    sum over an episode telescopes: log(chips at the end / chips brought), both at least ``floor``. The chips
    are the learner's bankroll; what it has written on a ticket but not handed in is still in it, so writing
    pays 0. The reward of the environment inside, or of wrappers in between, is not read.

    Args:
        env: of a game with chips, the learner being a player, with ``reward="cash"``.
        floor: chips, 1 or more.

    Raises:
        InvalidSettings: another game, a house, rewards without luck, or a floor that is no number of chips.
    """

    core: LogWealth

    def __init__(self, env: AnyEnv, floor: int = 1) -> None:
        super().__init__(env, partial(cores.log_wealth, floor=floor), floor=floor)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        before = self.core.table.wealth
        seen, _, ended, cut, info = self.env.step(action)
        reward = self.core.rewards(before, np.array([info["profit"]]))
        return seen, float(reward[0]), ended, cut, info


class ScaledReward(SingleWrapper):
    """Divides the reward by an amount of chips.

    Args:
        env: of a game with chips.
        chips: the amount, 1 or more; None: what a player brings.

    Raises:
        InvalidSettings: a game without chips, or no amount.
    """

    core: Scaled

    def __init__(self, env: AnyEnv, chips: int | None = None) -> None:
        super().__init__(env, partial(cores.scaled, chips=chips), chips=chips)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        seen, reward, ended, cut, info = self.env.step(action)
        return seen, float(reward) / self.core.chips, ended, cut, info


class TicketCatalogue(SingleWrapper):
    """Superfecta with whole tickets by number, `Discrete(n)`: one step is one race.

    Action 0 passes; the others are boxes, wheels and keys, each at every stake level. ``catalogue.table()``
    lists them, `railbird.envs.wrappers.catalogue` explains the patterns. ``info["action_mask"]`` (int8) and
    `action_masks()` (bool) mark what the learner can pay for. An action the mask forbids passes, or is an
    error, as the environment's setting ``illegal`` says.

    Args:
        env: of Superfecta, made with ``action="wager"``.
        kinds: which tickets are on offer, of "WIN", "EXA", "EXA box", "EXA wheel", "EXA key", "SFC",
            "SFC box", "SFC wheel" and "SFC key"; None: all, 94 tickets.
        stakes: stake levels, chips on each line in minimum bets, ascending; None: those of the environment.
        horses: "rank", horses are named by their chance to win, 1 being the favourite, equals in the order
            H, D, C, S; or "suit".

    Raises:
        InvalidSettings: another game, other actions, or a setting that is not allowed.
    """

    core: CatalogueActions

    def __init__(
        self,
        env: AnyEnv,
        kinds: Sequence[str] | None = None,
        stakes: Sequence[int] | None = None,
        horses: str = "rank",
    ) -> None:
        core = partial(cores.catalogue, kinds=kinds, stakes=stakes, horses=horses)
        super().__init__(env, core, kinds=kinds, stakes=stakes, horses=horses)

    @property
    def catalogue(self) -> Catalogue:
        """The tickets by number: `table`, `action_text`, `tickets`."""
        return self.core.catalogue


class StakeFractions(SingleWrapper):
    """Shares of the bankroll as actions, ``Box(0, 1, (lines,))``, for SAC, TD3 and the like: one step is one
    whole ticket, and no action is an illegal one.

    The lines are the 40 of Superfecta, or the suits H, D, C, S at Horse Race and Racing Aces. Shares are read
    to the millionth, of ``most`` times the bankroll; where they add up to more than 1 all are scaled down in
    proportion. A stake is then at most the line's limit, and rounded down to one the rules offer, so that
    small shares stake nothing. Where the rules allow wagers on so many suits only, the largest stakes stand,
    equals by their share. A share that is no number from 0 to 1 is an illegal action.

    ``info["action_mask"]`` (int8) and `action_masks()` (bool) have a place a line: whether anything could be
    staked there. Unlike the masks of discrete actions they may be all 0.

    Args:
        env: of Superfecta, Horse Race or Racing Aces, the learner a bettor, made with ``action="wager"``.
        most: the share of the bankroll a ticket may cost, above 0 and at most 1.

    Raises:
        InvalidSettings: another game, a learner that quotes, other actions, or ``most`` is no such share.
    """

    core: FractionActions

    def __init__(self, env: AnyEnv, most: Fraction | float | str = 1) -> None:
        super().__init__(env, partial(cores.fractions, most=most), most=most)


class ExactOdds(SingleWrapper):
    """Puts the exact chances of the coming race behind the observation; `layout` is the longer index table.

    Superfecta: of each of the 40 lines. Horse Race and Racing Aces: of each suit to win, and to a bettor the
    exact expected profit per chip of the smallest stake at the odds on the board. What a chip is worth in a
    pool of Superfecta is not defined before the others have bet, and left out.

    Raises:
        InvalidSettings: a game without a rail, or observations that have been changed before.
    """

    core: Odds

    def __init__(self, env: AnyEnv) -> None:
        super().__init__(env, cores.exact_odds)


class PastRaces(SingleWrapper):
    """Puts the last settled races of the episode behind the observation, newest first; `layout` is the longer
    index table. An episode begins with zeros.

    Superfecta: rail, order of finish, pools and where the money stood. Horse Race and Racing Aces: rail,
    winner, odds and money. Pasteboard Derby: both places, the horses named and the bank. Races in which the
    learner was not asked are there too.

    Args:
        env: of a game with races.
        races: how many, 1–64.

    Raises:
        InvalidSettings: a game without races, observations that have been changed before, or ``races`` is out
            of range.
    """

    def __init__(self, env: AnyEnv, races: int = 3) -> None:
        super().__init__(env, partial(cores.past_races, races=races), races=races)
