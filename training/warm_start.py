"""Warm start: a run whose networks begin as those of another run ended.

Taken over are all parameters of the policy, those of its values among them, and the statistics by which
observations and rewards are normalised. The optimizer, exploration and schedules begin anew, and so do the
games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import torch

from ..agents.learned.folder import AgentFacts, digest_of, find_agent, read_agent
from ..agents.registry import is_learned
from ..envs.snapshot import check_arrays
from .checkpoints import Checkpoints
from .run_settings import RunSettings

if TYPE_CHECKING:
    from .train import Session

CHECKPOINTS: Final = "checkpoints"  # of a run's folder
POLICY: Final = "policy/"  # before the names of its parameters in a checkpoint


class WarmStart:
    """The companion of a run that starts where another ended.

    Args:
        agent: what that run made of itself, in its folder. It is read when the new run begins, and no more
            once that has a checkpoint of its own.
    """

    name = "warm-start"

    def __init__(self, agent: Path) -> None:
        self.agent = agent

    def begin(self, session: Session) -> None:
        """Gives the session's networks their first parameters.

        Raises:
            BrokenFile: the checkpoint to start from is damaged, or of other networks.
        """
        if session.checkpoints.steps:
            return
        ended = _checkpoints(self.agent).read(_steps(read_agent(self.agent).facts))
        policy = session.model.policy
        taken = {
            name.removeprefix(POLICY): value
            for name, value in ended.tensors.items()
            if name.startswith(POLICY)
        }
        check_arrays({name: value.cpu().numpy() for name, value in policy.state_dict().items()}, taken)
        policy.load_state_dict({name: torch.from_numpy(value.copy()) for name, value in taken.items()})
        session.tables.load_statistics(ended.data["tables"])

    def between_updates(self, session: Session) -> None:
        """Does nothing: a start is over once it is made."""

    def note(self, session: Session) -> Mapping[str, float]:
        """Nothing."""
        return {}

    def save(self) -> Any:
        """Nothing: what was taken over is in the checkpoint."""

    def load(self, saved: Any, session: Session) -> None:
        """Nothing."""


def newest(agents: Sequence[str], run: RunSettings) -> Path | None:
    """The folder of the last of these agents at whose policy a run can start: it lies in the folder of the
    run it comes from, with the checkpoint it was made of, and has the same network, sight, actions and
    algorithm.

    Raises:
        BrokenFile: an agent folder cannot be read.
    """
    for text in reversed(agents):
        folder = find_agent(text.partition(":")[0])
        if folder is None or not is_learned(text, run.game):
            continue
        facts = read_agent(folder).facts
        if fits(facts, run) and _steps(facts) in _checkpoints(folder).steps:
            return folder
    return None


def fits(agent: AgentFacts, run: RunSettings) -> bool:
    """Whether a run's networks have the shape and the meaning of those behind an agent."""
    learner, options = run.learner, run.options()
    return (
        agent.game == run.game
        and agent.encoding.digest == digest_of(options.encoding)
        and agent.training.get("algorithm") == learner.algorithm
        and agent.training.get("action") == options.action
        and agent.hidden == learner.hidden
        and agent.activation == learner.activation
        and agent.memory == getattr(learner, "lstm_hidden_size", 0)
        and agent.most == getattr(learner, "most", "")
        and (agent.clip is not None) == learner.normalize_observations
    )


def _checkpoints(agent: Path) -> Checkpoints:
    """Those of the run in whose folder an agent lies."""
    return Checkpoints(agent.parent / CHECKPOINTS)


def _steps(agent: AgentFacts) -> int:
    """Actions the agent has learned from."""
    return int(agent.training.get("steps", 0))
