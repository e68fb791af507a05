"""The doors to the games: environments whose other seats are played by agents, and tables all of whose seats
are open.

Gymnasium finds the environments by their ids; the doors for other libraries are the functions here. Importing
this loads none of these libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .variants import variant_of

if TYPE_CHECKING:
    from .parallel import SeatsParallelEnv
    from .sb3 import SeatVecEnv

__all__ = ["parallel_env", "sb3_vec_env"]


def parallel_env(game: str, **settings: Any) -> SeatsParallelEnv:
    """A PettingZoo `ParallelEnv` of a game; see `railbird.envs.parallel.SeatsParallelEnv`.

    ``pettingzoo.utils.parallel_to_aec(parallel_env(game))`` is the same as an `AECEnv`.

    Args:
        game: its name, "superfecta", or the id of one of its environments.
        settings: the game's rules and the settings of the door.

    Raises:
        UnknownName: a game or setting that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    from .parallel import SeatsParallelEnv

    return SeatsParallelEnv(variant_of(game), **settings)


def sb3_vec_env(id: str, n_envs: int = 1, **settings: Any) -> SeatVecEnv:
    """A Stable-Baselines3 `VecEnv`, all environments in one batch; see `railbird.envs.sb3.SeatVecEnv`.

    Args:
        id: as given to `gymnasium.make`, or the game's name.
        n_envs: number of lanes.
        settings: those of the Gymnasium environment; ``lane`` is the number of the first lane.

    Raises:
        UnknownName: an environment or setting that does not exist; the nearest is suggested.
        InvalidSettings: a value that is not allowed.
    """
    from .sb3 import SeatVecEnv

    return SeatVecEnv(variant_of(id), n_envs, **settings)
