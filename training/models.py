"""The Stable-Baselines3 models: made from settings, and their whole state as tensors and plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from ..envs.snapshot import check_arrays, pack, unpack
from ..games.errors import BrokenFile
from .learners import LearnerSettings

Tensors = dict[str, NDArray[Any]]
ACTIVATIONS: Final = {"tanh": nn.Tanh, "relu": nn.ReLU}
# attributes of a model that go on changing, beside networks, optimizers and buffers; a model has some of them
COUNTERS: Final = (
    "num_timesteps", "_n_updates", "_current_progress_remaining", "_episode_num", "_n_calls",
    "exploration_rate",
)  # fmt: skip
LAST: Final = ("_last_obs", "_last_episode_starts", "_last_original_obs")
BUFFER: Final = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")


def make_model(learner: LearnerSettings, venv: VecEnv, seed: int) -> BaseAlgorithm:
    """A fresh model of these settings. Seeds the global generators, as Stable-Baselines3 does."""
    network: dict[str, Any] = {"activation_fn": ACTIVATIONS[learner.activation]}
    units = list(learner.hidden)
    network["net_arch"] = units if learner.algorithm in ("dqn", "sac") else {"pi": units, "vf": units}
    if hasattr(learner, "lstm_hidden_size"):
        network["lstm_hidden_size"] = learner.lstm_hidden_size
    policy = "MlpLstmPolicy" if learner.algorithm == "recurrent-ppo" else "MlpPolicy"
    made = class_of(learner.algorithm)
    model: BaseAlgorithm = made(
        policy, venv, learning_rate=_rate(learner), seed=seed, device="cpu", policy_kwargs=network,
        **learner.handed_on,
    )  # fmt: skip
    return model


def class_of(algorithm: str) -> Any:
    """The class of Stable-Baselines3, or its contributions, that learns by an algorithm."""
    if algorithm in ("maskable-ppo", "recurrent-ppo"):
        import sb3_contrib

        return {"maskable-ppo": sb3_contrib.MaskablePPO, "recurrent-ppo": sb3_contrib.RecurrentPPO}[algorithm]
    import stable_baselines3

    return {
        "ppo": stable_baselines3.PPO,
        "a2c": stable_baselines3.A2C,
        "dqn": stable_baselines3.DQN,
        "sac": stable_baselines3.SAC,
    }[algorithm]


def _rate(learner: LearnerSettings) -> float | Callable[[float], float]:
    rate = learner.learning_rate
    return rate if learner.schedule == "constant" else lambda left: rate * left


def model_state(model: BaseAlgorithm) -> tuple[Tensors, dict[str, Any]]:
    """All that a model's future depends on, the global generators and its tables apart: tensors by name, and
    JSON data.
    """
    tensors: Tensors = {}
    optimizers: dict[str, Any] = {}
    parts, loose = model._get_torch_save_params()
    for name in parts:
        part = _reach(model, name)
        if isinstance(part, torch.optim.Optimizer):
            written = part.state_dict()
            optimizers[name] = pack(written["param_groups"])
            for number, state in written["state"].items():
                tensors |= {f"{name}/{number}/{key}": _array(value) for key, value in state.items()}
        else:
            tensors |= {f"{name}/{key}": _array(value) for key, value in part.state_dict().items()}
    tensors |= {f"loose/{name}": _array(_reach(model, name)) for name in loose}
    tensors |= {f"last/{name}": np.array(value) for name, value in _last(model).items()}
    counters = {name: getattr(model, name) for name in COUNTERS if hasattr(model, name)}
    buffer = getattr(model, "replay_buffer", None)
    if buffer is not None:
        stop = buffer.buffer_size if buffer.full else buffer.pos
        tensors |= {f"buffer/{name}": getattr(buffer, name)[:stop].copy() for name in BUFFER}
        counters |= {"buffer_pos": buffer.pos, "buffer_full": buffer.full}
    space = pack(model.action_space.np_random.bit_generator.state)  # DQN explores with it
    return tensors, {"counters": pack(counters), "optimizers": optimizers, "action_space": space}


def set_model_state(model: BaseAlgorithm, tensors: Tensors, data: Mapping[str, Any]) -> None:
    """Lets a fresh model of the same settings go on from a state that `model_state` gave.

    Raises:
        BrokenFile: it is of another model, or cannot be read.
    """
    try:
        parts, loose = model._get_torch_save_params()
        for name in parts:
            part = _reach(model, name)
            own = _below(tensors, name)
            if isinstance(part, torch.optim.Optimizer):
                part.load_state_dict(_optimizer_state(own, unpack(data["optimizers"][name])))
            else:
                check_arrays({key: _array(value) for key, value in part.state_dict().items()}, own)
                part.load_state_dict({key: torch.from_numpy(value.copy()) for key, value in own.items()})
        for name in loose:
            _reach(model, name).data.copy_(torch.from_numpy(tensors[f"loose/{name}"].copy()))
        _set_last(model, _below(tensors, "last"))
        counters = unpack(data["counters"])
        buffer = getattr(model, "replay_buffer", None)
        if buffer is not None:
            buffer.pos, buffer.full = counters.pop("buffer_pos"), counters.pop("buffer_full")
            for name in BUFFER:
                saved = tensors[f"buffer/{name}"]
                getattr(buffer, name)[: len(saved)] = saved
        for name, value in counters.items():
            setattr(model, name, value)
        model.action_space.np_random.bit_generator.state = unpack(data["action_space"])
    except (KeyError, TypeError, ValueError, RuntimeError, AttributeError, IndexError) as error:
        raise BrokenFile(f"a saved model cannot be read: {type(error).__name__} {error}") from error


def _optimizer_state(tensors: Tensors, groups: Any) -> dict[str, Any]:
    state: dict[int, dict[str, Any]] = {}
    for name, value in tensors.items():
        number, key = name.split("/")
        state.setdefault(int(number), {})[key] = torch.from_numpy(value.copy())
    return {"state": state, "param_groups": groups}


def _last(model: BaseAlgorithm) -> dict[str, NDArray[Any]]:
    """What the model saw last, by name."""
    found = {name: getattr(model, name) for name in LAST if getattr(model, name, None) is not None}
    memory = getattr(model, "_last_lstm_states", None)
    if memory is not None:
        found |= {
            f"lstm_{i}{j}": _array(part) for i, pair in enumerate(memory) for j, part in enumerate(pair)
        }
    return found


def _set_last(model: BaseAlgorithm, saved: Tensors) -> None:
    for name in LAST:
        if name in saved:
            setattr(model, name, saved[name].copy())
    memory = getattr(model, "_last_lstm_states", None)
    if memory is not None:
        pairs = [
            tuple(torch.from_numpy(saved[f"lstm_{i}{j}"].copy()) for j in range(len(pair)))
            for i, pair in enumerate(memory)
        ]
        model._last_lstm_states = type(memory)(*pairs)  # type: ignore[attr-defined]


def _below(tensors: Tensors, name: str) -> Tensors:
    """The tensors whose names begin with this one, without it."""
    start = f"{name}/"
    return {key.removeprefix(start): value for key, value in tensors.items() if key.startswith(start)}


def _reach(model: Any, name: str) -> Any:
    """A part of a part: "policy.optimizer"."""
    return reduce(getattr, name.split("."), model)


def _array(value: Any) -> NDArray[Any]:
    """A fresh contiguous copy of a tensor, or of a number an optimizer counts with."""
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu().numpy()
    return np.array(value, order="C")
