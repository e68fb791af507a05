"""Gymnasium wrappers for the environments: rewards in other units, whole tickets as actions, more to see.

The names here wrap single environments; `railbird.envs.wrappers.vector` has the same ones for the native
vector environments. They go around each other and around Gymnasium's own in any order, except that one which
changes actions or observations comes before other people's wrappers that change the same.

Those two kinds change the environment they wrap, so that masks, illegal actions and last observations stay
the environment's own: it acts and sees so itself from then on. `get_state` and `set_state` of a wrapper keep
all of Railbird's wrappers inside it.
"""

from __future__ import annotations

from .single import (
    ExactOdds,
    LogWealthReward,
    PastRaces,
    ScaledReward,
    StakeFractions,
    TicketCatalogue,
)

__all__ = ["ExactOdds", "LogWealthReward", "PastRaces", "ScaledReward", "StakeFractions", "TicketCatalogue"]
