"""From a Stable-Baselines3 model to an agent folder, which is played without either it or PyTorch."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.running_mean_std import RunningMeanStd

from .. import __version__
from ..agents.learned.folder import FACTS, WEIGHTS, AgentFacts, describe_encoding, write_facts
from ..envs.options import Options
from ..evaluation.results import plain
from .durable import write_folder
from .run_settings import DOOR, RunSettings
from .tables import CLIP, EPSILON
from .tickets import by_parts, hidden_units


def export(run: RunSettings, model: BaseAlgorithm, seen: RunningMeanStd | None, folder: Path) -> Path:
    """Writes the model's policy as an agent folder; one that is there is replaced.

    Args:
        run: what was trained.
        model: the model.
        seen: by which its observations are normalised; None: they are not.
        folder: the agent's.

    Raises:
        RailbirdError: the folder cannot be written.
    """
    facts, content = agent_files(run, model, seen)
    write_folder(folder, {FACTS: write_facts(facts), WEIGHTS: content})
    return folder


def agent_files(
    run: RunSettings, model: BaseAlgorithm, seen: RunningMeanStd | None
) -> tuple[AgentFacts, bytes]:
    """What an agent folder of the model's policy holds: the facts, and the weights as a safetensors file."""
    options = run.options()
    tensors = policy_tensors(model)
    if seen is not None:
        tensors["observation.mean"] = np.array(seen.mean, np.float64)
        tensors["observation.variance"] = np.array(seen.var, np.float64)
        first = "memory.inward" if "memory.inward" in tensors else "layers.0.weight"
        tensors[first][:, np.asarray(seen.var) < EPSILON] = 0  # what never moved has taught nothing
    if run.whole:
        tensors = by_parts(tensors, options.encoding)
    content = save(tensors)
    facts = AgentFacts(
        game=run.game,
        encoding=describe_encoding(options.encoding, encoding_options(run)),
        outputs=len(tensors[f"layers.{len(hidden_units(tensors))}.bias"]),
        most=getattr(run.learner, "most", ""),
        masked=run.learner.masked or run.whole,
        hidden=hidden_units(tensors),
        activation=run.learner.activation,
        memory=getattr(run.learner, "lstm_hidden_size", 0),
        clip=None if seen is None else CLIP,
        epsilon=0.0 if seen is None else EPSILON,
        rules=plain(options.settings),
        training=training_facts(run, options, model.num_timesteps),
        weights=(len(content), hashlib.sha256(content).hexdigest()),
    )
    return facts, content


def encoding_options(run: RunSettings) -> dict[str, Any]:
    """What the encoding was given beside the settings."""
    return {name: run.door[name] for name in run.door if name not in DOOR}


def training_facts(run: RunSettings, options: Options, steps: int) -> dict[str, Any]:
    """How the agent came to be, as JSON has it."""
    return {
        "algorithm": run.learner.algorithm,
        "steps": steps,
        "seed": run.seed,
        "opponents": run.opponents,
        "line_ups": [list(line_up) for line_up in run.line_ups],
        "banker": "" if options.banker is None else options.banker.text,
        "seat": run.door.get("seat", "house"),
        "reward": options.reward,
        "action": options.action,
        "rules": plain(run.rules),
        "version": __version__,
        **({} if run.teacher is None else {"imitated": run.teacher.text}),
        **({} if run.self_play is None else {"self_play": plain(run.self_play)}),
    }


def policy_tensors(model: BaseAlgorithm) -> dict[str, NDArray[Any]]:
    """The layers from observations to scores of actions, as an agent folder names them."""
    policy: Any = model.policy
    tensors = {}
    for number, layer in enumerate(policy_layers(model)):
        tensors[f"layers.{number}.weight"] = _array(layer.weight)
        tensors[f"layers.{number}.bias"] = _array(layer.bias)
    if hasattr(policy, "lstm_actor"):
        memory = policy.lstm_actor
        tensors["memory.inward"] = _array(memory.weight_ih_l0)
        tensors["memory.onward"] = _array(memory.weight_hh_l0)
        tensors["memory.bias"] = _array(memory.bias_ih_l0) + _array(memory.bias_hh_l0)
    return tensors


def policy_layers(model: BaseAlgorithm) -> list[torch.nn.Linear]:
    """The layers of the policy, or of the action values where these decide, from first to last."""
    policy: Any = model.policy
    if hasattr(policy, "q_net"):
        parts = [policy.q_net.q_net]
    elif hasattr(policy, "actor"):
        parts = [policy.actor.latent_pi, policy.actor.mu]
    else:
        parts = [policy.mlp_extractor.policy_net, policy.action_net]
    return [module for part in parts for module in part.modules() if isinstance(module, torch.nn.Linear)]


def _array(parameter: torch.Tensor) -> NDArray[Any]:
    return np.array(parameter.detach().cpu().numpy(), np.float32, order="C")
