"""Rewards in other units than chips: the logarithm of wealth, and shares of an amount."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.checks import LARGEST_BANKROLL, whole
from ...games.contract import house_seat
from ...games.errors import InvalidSettings
from ...games.kernels import Chips, Floats
from ..learner_table import LearnerTable


class LogWealth:
    """The logarithm of the learner's chips after a step over those before, both at least ``floor``.

    Raises:
        InvalidSettings: a game without chips, a learner that is the house, rewards without luck, or no floor.
    """

    def __init__(self, table: LearnerTable, floor: int) -> None:
        options = table.options
        if not _has_chips(table):
            raise InvalidSettings(f"LogWealthReward is for games with chips; {options.game} has none")
        if options.seat is not None and options.seat == house_seat(options.settings):
            raise InvalidSettings(
                f"LogWealthReward is for players; the account of the house in {options.game} may be negative,"
                " and has no logarithm"
            )
        if options.reward != "cash":
            raise InvalidSettings(
                "LogWealthReward is of the chips themselves; make the environment with reward='cash',"
                f" not {options.reward!r}"
            )
        self.table = table
        self.floor = whole("floor", floor, 1, LARGEST_BANKROLL)

    @property
    def summary(self) -> str:
        return f"LogWealthReward floor {self.floor}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {}

    def rewards(self, before: Chips, profits: Chips) -> Floats:
        """(lanes,) float64: log of the wealth after these profits less that of the wealth before."""
        gained: Floats = self._log(before + profits) - self._log(before)
        return gained

    def _log(self, wealth: Chips) -> Floats:
        log: Floats = np.log(np.maximum(wealth, self.floor).astype(np.float64))
        return log


class Scaled:
    """Rewards as shares of an amount of chips, by default of what a player brings.

    Raises:
        InvalidSettings: a game without chips, or an amount that is no whole number of 1 or more.
    """

    def __init__(self, table: LearnerTable, chips: int | None) -> None:
        if not _has_chips(table):
            raise InvalidSettings(f"ScaledReward is for games with chips; {table.options.game} has none")
        brought = int(table.options.settings.bankroll)
        if chips is None and brought == 0:
            raise InvalidSettings(
                "ScaledReward: nobody brings a chip to this table; name the amount, chips=…"
            )
        self.chips = whole("chips", brought if chips is None else chips, 1, LARGEST_BANKROLL)

    @property
    def summary(self) -> str:
        return f"ScaledReward chips {self.chips}"

    def kept(self) -> dict[str, NDArray[Any]]:
        return {}


def profits_of(infos: dict[str, Any]) -> Chips:
    """(lanes,) int64: each lane's profit in a step of a vector environment, of an episode that ended and was
    followed by the next in the same step as well.
    """
    profits: Chips = infos["profit"]
    return profits + infos["final_info"]["profit"] if "final_info" in infos else profits


def _has_chips(table: LearnerTable) -> bool:
    return hasattr(table.options.settings, "bankroll")
