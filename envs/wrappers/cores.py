"""What each wrapper puts into an environment, the same for single and vector ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...games.checks import share
from ...games.errors import InvalidSettings
from ...games.superfecta.settings import SuperfectaSettings
from .attaching import AnyEnv, act_by, see_more, table_of
from .books import book_of
from .catalogue import Catalogue
from .odds import Odds, odds_of
from .past import PastRaces
from .rewards import LogWealth, Scaled
from .ticket_actions import CatalogueActions, FractionActions


def log_wealth(env: AnyEnv, floor: int) -> LogWealth:
    """The core of `LogWealthReward`."""
    return LogWealth(table_of(env, "LogWealthReward"), floor)


def scaled(env: AnyEnv, chips: int | None) -> Scaled:
    """The core of `ScaledReward`."""
    return Scaled(table_of(env, "ScaledReward"), chips)


def catalogue(
    env: AnyEnv, kinds: Sequence[str] | None, stakes: Sequence[int] | None, horses: str
) -> CatalogueActions:
    """The core of `TicketCatalogue`; the learners of the environment act by it from now on."""
    options = table_of(env, "TicketCatalogue").options
    if not isinstance(options.settings, SuperfectaSettings):
        raise InvalidSettings(f"TicketCatalogue is for Superfecta; {options.game} has no exotic tickets")
    levels = options.encoding.stakes if stakes is None else stakes
    actions = CatalogueActions(Catalogue(options.settings, kinds, levels, horses))
    act_by(env, actions, "TicketCatalogue")
    return actions


def fractions(env: AnyEnv, most: Fraction | float | str) -> FractionActions:
    """The core of `StakeFractions`; the learners of the environment act by it from now on."""
    book = book_of(table_of(env, "StakeFractions"))
    part = share("most", most)
    if part == 0:
        raise InvalidSettings("most is a share of the bankroll above 0; with 0 nothing could be staked")
    actions = FractionActions(book, part)
    act_by(env, actions, "StakeFractions")
    return actions


def exact_odds(env: AnyEnv) -> Odds:
    """The core of `ExactOdds`; the learners of the environment see it from now on."""
    odds = odds_of(table_of(env, "ExactOdds"))
    see_more(env, odds, "ExactOdds")
    return odds


def past_races(env: AnyEnv, races: int) -> PastRaces:
    """The core of `PastRaces`; the learners of the environment see it from now on."""
    table = table_of(env, "PastRaces")
    past = PastRaces(table, races)
    see_more(env, past, "PastRaces")
    table.watchers.append(past)
    return past
