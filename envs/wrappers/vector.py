"""The wrappers for native vector environments, all lanes at once; what they do is told in
`railbird.envs.wrappers.single`. They are right in every autoreset mode.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from gymnasium.vector import VectorEnv, VectorWrapper

from ...games.errors import InvalidSettings
from ...games.kernels import Features, Flags, Floats
from . import cores
from .attaching import Attached, Core
from .catalogue import Catalogue
from .odds import Odds
from .rewards import LogWealth, Scaled, profits_of
from .ticket_actions import CatalogueActions, FractionActions

AnyVectorEnv = VectorEnv[Any, Any, Any]
Step = tuple[Features, Floats, Flags, Flags, dict[str, Any]]


class BatchWrapper(Attached, VectorWrapper[Any, Any, Any, Any, Any]):
    """A shell around a core, of many environments."""

    def __init__(self, env: Any, core: Callable[[AnyVectorEnv], Core]) -> None:
        if not isinstance(env, VectorEnv):
            name = type(self).__name__
            raise InvalidSettings(
                f"{name} here is for vector environments; railbird.envs.wrappers.{name} is for single ones"
            )
        self.core = core(env)
        super().__init__(env)


class LogWealthReward(BatchWrapper):
    """Rewards the growth of wealth; see the single form."""

    core: LogWealth

    def __init__(self, env: AnyVectorEnv, floor: int = 1) -> None:
        super().__init__(env, partial(cores.log_wealth, floor=floor))

    def step(self, actions: Any) -> Step:
        before = self.core.table.wealth
        seen, _, ended, cut, infos = self.env.step(actions)
        return seen, self.core.rewards(before, profits_of(infos)), ended, cut, infos


class ScaledReward(BatchWrapper):
    """Divides the reward by an amount of chips; see the single form."""

    core: Scaled

    def __init__(self, env: AnyVectorEnv, chips: int | None = None) -> None:
        super().__init__(env, partial(cores.scaled, chips=chips))

    def step(self, actions: Any) -> Step:
        seen, rewards, ended, cut, infos = self.env.step(actions)
        return seen, rewards / self.core.chips, ended, cut, infos


class TicketCatalogue(BatchWrapper):
    """Superfecta with whole tickets by number; see the single form."""

    core: CatalogueActions

    def __init__(
        self,
        env: AnyVectorEnv,
        kinds: Sequence[str] | None = None,
        stakes: Sequence[int] | None = None,
        horses: str = "rank",
    ) -> None:
        super().__init__(env, partial(cores.catalogue, kinds=kinds, stakes=stakes, horses=horses))

    @property
    def catalogue(self) -> Catalogue:
        """The tickets by number: `table`, `action_text`, `tickets`."""
        return self.core.catalogue


class StakeFractions(BatchWrapper):
    """Shares of the bankroll as actions; see the single form."""

    core: FractionActions

    def __init__(self, env: AnyVectorEnv, most: Fraction | float | str = 1) -> None:
        super().__init__(env, partial(cores.fractions, most=most))


class ExactOdds(BatchWrapper):
    """Puts the exact chances of the coming race behind the observation; see the single form."""

    core: Odds

    def __init__(self, env: AnyVectorEnv) -> None:
        super().__init__(env, cores.exact_odds)


class PastRaces(BatchWrapper):
    """Puts the last settled races of the episode behind the observation; see the single form."""

    def __init__(self, env: AnyVectorEnv, races: int = 3) -> None:
        super().__init__(env, partial(cores.past_races, races=races))
