"""How environments are played while they are checked: legally, and the same for the same seed.

Choices are a function of (seed, lane, step) alone, so that what is compared differs by the environment only.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...games.kernels import Flags, Rows
from ...games.streams import Draws, Role, root_key

HAND_IN: Final = 0.3  # how often a decision is handed in where it could be written on
WILD: Final = 0.1  # how often an action is any integer, within the space or not


def masks_of(env: Any) -> Flags | None:
    """(actions,) bool: what `action_masks` of an environment or its wrapped ones says; None without one."""
    ask = getattr(env, "get_wrapper_attr", lambda name: getattr(env, name))
    try:
        method = ask("action_masks")
    except AttributeError:
        return None
    masks: Flags = np.asarray(method())
    return masks


def vector_masks(envs: Any, infos: dict[str, Any]) -> NDArray[Any]:
    """(lanes, actions): the masks a vector environment tells in its infos, all ones where it tells none."""
    masks: NDArray[Any] | None = infos.get("action_mask")
    if masks is None:
        return np.ones((envs.num_envs, int(envs.single_action_space.n)), np.int8)
    return masks


def legal_actions(masks: NDArray[Any], draws: Draws) -> Rows:
    """(n,) int64: legal actions drawn from masks (n, actions), 0 more often than others where it is legal."""
    chances = draws.uniform(2)
    legal = [np.flatnonzero(mask) for mask in masks]
    chosen = [
        actions[int(chance * len(actions))] for actions, chance in zip(legal, chances[:, 0], strict=True)
    ]
    return np.where((chances[:, 1] < HAND_IN) & (masks[:, 0] != 0), 0, chosen)


def scripted(masks: NDArray[Any], step: int) -> Rows:
    """(n,) int64: in two steps of three the first legal action but 0, else 0 where it is legal; every lane
    acts by its own mask alone.
    """
    first = masks[:, 1:].argmax(1) + masks[:, 1:].any(1)
    return np.where((step % 3 < 2) | (masks[:, 0] == 0), first, 0)


class Player:
    """Chooses actions, the same ones for the same seed.

    Args:
        seed: of its choices.
        lanes: how many are played at once.
        wild: how often an action is any integer, half of them not even within the space.
    """

    def __init__(self, seed: int = 0, lanes: int = 1, wild: float = 0.0) -> None:
        self._keys = np.full(lanes, root_key(seed))
        self._roles = np.full(lanes, int(Role.EXPLORATION), np.int64)
        self._lanes = np.arange(lanes)
        self._wild = wild
        self._step = 0

    def draws(self) -> Draws:
        """The random choices of the next step."""
        self._step += 1
        return Draws(self._keys, self._lanes, self._roles, np.full(len(self._keys), self._step))

    def actions(self, masks: NDArray[Any]) -> Rows:
        """(lanes,) int64: an action for each row of masks (lanes, actions)."""
        draws = self.draws()
        chosen = legal_actions(masks, draws)
        if not self._wild:
            return chosen
        actions = masks.shape[1]
        anything = draws.integers(actions + 4, 1)[:, 0] - 2
        outside = np.array([-2, -1, actions, actions + 1])[draws.integers(4, 1)[:, 0]]
        chances = draws.uniform(1)[:, 0]
        chosen = np.where(chances < self._wild, anything, chosen)
        return np.where(chances < self._wild / 2, outside, chosen)

    def action(self, env: Any) -> Any:
        """An action of a single environment: a legal one where it tells which these are."""
        space, masks = env.action_space, masks_of(env)
        if masks is not None and hasattr(space, "n") and masks.shape == (space.n,):
            return int(self.actions(masks[np.newaxis])[0]) + int(space.start)
        if masks is not None and hasattr(space, "nvec") and masks.shape == (space.nvec.sum(),):
            return self._parts(np.split(masks, np.cumsum(space.nvec)[:-1]))
        space.seed(int(self.draws().integers(2**31, 1)[0, 0]))
        return space.sample()

    def _parts(self, parts: list[Flags]) -> Rows:
        """A legal choice in each part, in most the first one, so that what is written is seldom too much."""
        chances = self.draws().uniform(2 * len(parts))[0]
        legal = [np.flatnonzero(part) for part in parts]
        drawn = [
            choices[int(chance * len(choices))] if moves < 0.2 else choices[0]
            for choices, chance, moves in zip(legal, chances[::2], chances[1::2], strict=True)
        ]
        return np.array(drawn, np.int64)


def story(env: Any, seed: int | None, steps: int, player: Player) -> list[Any]:
    """All that a single environment says in so many steps, episode after episode."""
    told: list[Any] = [env.reset(seed=seed)]
    for _ in range(steps):
        told.append(env.step(player.action(env)))
        if told[-1][2] or told[-1][3]:
            told.append(env.reset())
    return told


def lane_story(envs: Any, episodes: int, actions: Any = scripted, lane: int = 0, seed: int = 9) -> list[Any]:
    """All that one lane of a vector environment sees and earns in its first episodes."""
    seen, infos = envs.reset(seed=seed)
    told: list[Any] = [seen[lane].copy()]
    step = 0
    while episodes:
        seen, rewards, ended, cut, infos = envs.step(actions(vector_masks(envs, infos), step))
        told += [seen[lane].copy(), float(rewards[lane])]
        episodes -= bool(ended[lane] or cut[lane])
        step += 1
    return told
