"""OpenSpiel's classes over a `Walk`: game, state and observer, the same for every game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyspiel

from ...games.errors import InvalidSettings
from ...games.kernels import Features
from ...games.streams import Draws, root_key
from .laws import Law, Table
from .positions import Position, Stage, Walk

Params = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """Bounds that OpenSpiel wants of a game."""

    outcomes: int  # numbers of chance's outcomes are below
    actions: int  # that all seats together can take in a game
    deals: int  # chance nodes in a game
    turns: int  # of the table in a game
    lowest: int  # what a seat can win in a game
    highest: int
    total: int | None  # what all win together; None: it depends


def game_type(short: str, long: str, seats: tuple[int, int], params: Params, total: int | None) -> Any:
    """The `pyspiel.GameType` of a game for so many seats, whose winnings add up to ``total``."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short,
        long_name=long,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if total is None else utility.CONSTANT_SUM if total else utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=seats[0],
        max_num_players=seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=params,
    )


class TableGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours in OpenSpiel.

    Args:
        kind: its type.
        params: as OpenSpiel hands them over, complete.
        law: its chance.
        table: one started lane.
        size: its bounds.
    """

    def __init__(self, kind: Any, params: Params, law: Law[Any], table: Table, size: Size) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=law.encoding.actions,
            max_chance_outcomes=size.outcomes,
            num_players=table.seats,
            min_utility=float(size.lowest),
            max_utility=float(size.highest),
            utility_sum=None if size.total is None else float(size.total),
            max_game_length=size.actions,
        )
        super().__init__(kind, info, params)
        self.walk, self.size = Walk(law, table), size

    def new_initial_state(self) -> TableState:
        """Before the first deal."""
        return TableState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Deals and turns of the longest game."""
        return self.size.deals

    def make_py_observer(self, iig_obs_type: Any = None, params: Params | None = None) -> TableObserver:
        """What a seat sees now, or with perfect recall all it has seen and done.

        Raises:
            InvalidSettings: another kind of observation is asked for; there is none.
        """
        sight = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        own = sight.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not sight.public_info or not own:
            raise InvalidSettings(
                "observations are of one seat, its own and the public facts, with or without perfect recall;"
                f" not {sight} {params or ''}"
            )
        return TableObserver(self, sight.perfect_recall)


class TableState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A point of a game; made by `TableGame.new_initial_state`."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.position: Position = game.walk.start

    def current_player(self) -> int:
        """The seat that writes, or OpenSpiel's number for chance or the end."""
        stage = self.position.stage
        if stage == Stage.WRITE:
            return self.position.seat
        return int(pyspiel.PlayerId.TERMINAL if stage == Stage.OVER else pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, its chance), ascending."""
        return list(self.position.chances)

    def _apply_action(self, action: int) -> None:
        self.position = self.position.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        law = self.position.walk.law
        if player >= 0:
            return str(law.encoding.action_text(action))
        if self.position.stage == Stage.DEAL:
            return law.deal_text(action, self.position.dealt)
        return law.turn_text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.stage == Stage.OVER

    def returns(self) -> list[float]:
        """What each seat has won; 0 until the game is over."""
        return [float(won) if self.is_terminal() else 0.0 for won in self.position.profit]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TableState:
        """A state the player, who is to move, cannot tell from this one; see `Position.resampled`.

        Args:
            player: who is to move.
            sampler: gives a number of [0, 1), the only one that is drawn.
        """
        draws = Draws(np.array([root_key(int(sampler() * 2**53))], np.uint64))
        state: TableState = self.clone()
        state.position = self.position.resampled(player, draws)
        return state

    def __str__(self) -> str:
        point = self.position
        deal = " ".join(point.walk.law.deal_text(o, point.dealt[:i]) for i, o in enumerate(point.dealt))
        return "\n".join([point.recalled(i) for i in range(point.table.seats)] + ([deal] if deal else []))


class TableObserver:
    """What OpenSpiel's observers have: ``tensor`` and ``dict`` after `set_from`, and `string_from`."""

    name: ClassVar[str] = "observation"

    def __init__(self, game: TableGame, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        turns = game.size.turns if perfect_recall else 1
        law = game.walk.law
        width = law.encoding.features + (law.recorded if perfect_recall else 0)
        rows: Features = np.zeros((turns, width), np.float32)
        self.tensor = rows.reshape(-1)
        self.dict = {self.name: rows if perfect_recall else self.tensor}

    def set_from(self, state: TableState, player: int) -> None:
        """Writes what a player sees: the index table is the encoding's ``layout``; a row a turn, and behind
        each the law's record of the turn before, where all is recalled.
        """
        if self.perfect_recall:
            self.tensor[:] = 0
            state.position.recall(player, self.dict[self.name])
        else:
            self.tensor[:] = state.position.observe(player)

    def string_from(self, state: TableState, player: int) -> str:
        """The same in words."""
        return (state.position.recalled if self.perfect_recall else state.position.seen)(player)
