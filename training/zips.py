"""Models that Stable-Baselines3 saved, as agent folders. Its zips hold pickles: loading one can run code."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

from torch import nn

from ..games.errors import BrokenFile, InvalidSettings
from .export import export, policy_layers
from .learners import RecurrentPpoSettings
from .models import ACTIVATIONS, class_of
from .recipes import WAGER
from .run_settings import RunSettings


def convert(file: Path, run: RunSettings, folder: Path, trusted: bool = False) -> Path:
    """Writes the policy of a zip as an agent folder.

    Args:
        file: as the model's ``save`` wrote it.
        run: the game, its environment and the algorithm it was trained with.
        folder: the agent's.
        trusted: the user says that the zip may run code.

    Raises:
        InvalidSettings: it is not trusted, or its policy is not one of this environment.
        BrokenFile: it cannot be read.
        RailbirdError: the folder cannot be written.
    """
    if not trusted:
        raise InvalidSettings(
            f"{file} can run code when it is loaded; say --trust if you know where it is from"
        )
    run = replace(run, door={**run.door, "action": WAGER})  # what others' models choose is an action
    model = _load(file, run.learner.algorithm)
    options = run.options()
    sizes = (options.encoding.features, options.encoding.actions)
    found = (getattr(model.observation_space, "shape", None), getattr(model.action_space, "n", None))
    if found != ((sizes[0],), sizes[1]):
        raise InvalidSettings(
            f"{file} was trained for observations {found[0]} and {found[1]} actions, not ({sizes[0]},) and"
            f" {sizes[1]} as at this table; give the settings it was trained with"
        )
    hidden = tuple(layer.out_features for layer in policy_layers(model)[:-1])
    kinds = {made: name for name, made in ACTIVATIONS.items()}
    activation = kinds.get(getattr(model.policy, "activation_fn", nn.Tanh))
    if activation is None:
        raise InvalidSettings(f"{file} has another activation than {' or '.join(ACTIVATIONS)}")
    learner = replace(run.learner, hidden=hidden, activation=activation, normalize_observations=False)
    if isinstance(learner, RecurrentPpoSettings):
        learner = replace(learner, lstm_hidden_size=model.policy.lstm_actor.hidden_size)
    return export(replace(run, learner=learner), model, None, folder)


def _load(file: Path, algorithm: str) -> Any:
    """The model in a zip. This may run code that is in it."""
    if not file.is_file() or not is_zipfile(file):
        raise BrokenFile(f"{file} is no zip of Stable-Baselines3")
    try:
        return class_of(algorithm).load(file, device="cpu")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, BadZipFile) as error:
        raise BrokenFile(
            f"{file} cannot be loaded as {algorithm}: {type(error).__name__}: {error}"
        ) from error
