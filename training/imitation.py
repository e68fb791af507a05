"""Imitation: a run whose networks first learn what a named agent does, and from there on by themselves.

Behaviour cloning (Pomerleau, "ALVINN", NIPS 1988): deals are played with the agent in the learner's place,
its decisions spelled as the learner's actions. The policy learns to give those actions all the chance there
is (among the legal ones, if its algorithm is told these), the value function what the agent earned from there
on. Every lot of deals is fresh and gone through a few times, so little is learned by heart and no more than a
lot is ever in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from torch.nn import functional

from ..envs.learner_table import LearnerTable
from ..envs.options import ROTATE, read_options
from ..evaluation.blocks import make_agent
from ..evaluation.episodes import Steps, joined, play_episodes
from ..games.kernels import Floats, kernel
from .journal import Entry
from .learners import OnPolicySettings
from .run_settings import RunSettings
from .tables import share_out

if TYPE_CHECKING:
    from .train import Session

ROOTS: Final = 2**65  # the seed is added: other deals than those of training, tournaments and scores
LOT: Final = 512  # deals played at once
BATCH: Final = 2_048  # actions in a mini-batch
VALUE: Final = 0.5  # weight of the value function's loss
LEAST: Final = 0.01  # share of the step size at the end of imitation, to which it goes evenly


class Imitation:
    """The companion of a run that begins by imitation. Nothing happens in a run that goes on.

    Args:
        run: what is trained.
    """

    name = "imitation"

    def __init__(self, run: RunSettings) -> None:
        assert isinstance(run.learner, OnPolicySettings)
        assert run.teacher is not None
        self.run, self.learner, self.teacher = run, run.learner, run.teacher

    def begin(self, session: Session) -> None:
        """Gives the session's networks and statistics their start.

        Raises:
            RailbirdError: the agent fails, or decides what the learner's actions do not write.
        """
        if session.checkpoints.steps:
            return
        policy: Any = session.model.policy
        optimizer = torch.optim.Adam(policy.parameters(), lr=self.learner.imitate_rate)
        lots = range(0, self.learner.imitate_deals, LOT)
        for number, first in enumerate(lots):
            steps = self._play(first, min(LOT, self.learner.imitate_deals - first))
            to_go = returns_to_go(steps, self.learner.gamma)
            if number == 0:
                take_statistics(session.tables.statistics, steps, to_go)
            for group in optimizer.param_groups:
                group["lr"] = self.learner.imitate_rate * max(1 - number / len(lots), LEAST)
            lesson = self._lesson(session, steps, to_go)
            for _ in range(self.learner.imitate_epochs):
                for part in torch.split(torch.randperm(len(steps)), BATCH):
                    loss = self._loss(policy, *(array[part] for array in lesson))
                    optimizer.zero_grad()
                    loss.backward()  # type: ignore[no-untyped-call]
                    optimizer.step()
            self._tell(session, (first + LOT) / self.learner.imitate_deals)
        policy.set_training_mode(False)

    def _play(self, first: int, deals: int) -> Steps:
        """What the agent does in these deals, in the learner's place: in one seat, among all line-ups."""
        run, lot, parts = self.run, first // LOT, []
        line_ups = run.line_ups if run.self_play is None else ((self.teacher.text,),)
        shares = share_out(deals, min(len(line_ups), deals)).tolist()
        for line_up, count in zip(line_ups, shares, strict=False):
            given = {**run.environment(line_up), "lane": first}
            if given.get("seat") == ROTATE:
                given["seat"] = lot % int(run.make_rules().seats)
            options = read_options(run.variant, given)
            agent = make_agent(self.teacher, options.settings)
            table = LearnerTable(options, count)
            parts.append(play_episodes(table, agent, self.teacher.text, ROOTS + run.seed))
            first += count
        return joined(parts)

    def _lesson(self, session: Session, steps: Steps, to_go: Floats) -> tuple[torch.Tensor, ...]:
        """Observations as the networks see them, actions, masks, and the values to be learned."""
        normalizer, scale = session.tables.normalizer, 1.0
        seen = np.asarray(
            normalizer.normalize_obs(steps.observation), np.float32
        )  # as it is, without norm_obs
        if normalizer.norm_reward:
            scale = float(np.sqrt(normalizer.ret_rms.var + normalizer.epsilon))
        parts = seen, steps.action, steps.action_mask.astype(bool), (to_go / scale).astype(np.float32)
        return tuple(torch.from_numpy(np.ascontiguousarray(part)) for part in parts)

    def _loss(
        self, policy: Any, seen: torch.Tensor, actions: torch.Tensor, masks: torch.Tensor, worth: torch.Tensor
    ) -> torch.Tensor:
        """Of the actions, among the legal ones where the learner is told these, and of the values."""
        latent, latent_value = policy.mlp_extractor(seen)
        scores = policy.action_net(latent)
        if self.learner.masked:
            scores = scores.masked_fill(~masks, -torch.inf)
        values = policy.value_net(latent_value).flatten()
        return functional.cross_entropy(scores, actions) + VALUE * functional.mse_loss(values, worth)

    def _tell(self, session: Session, share: float) -> None:
        """Tells who watches how far it is."""
        if session.watch is not None:
            session.watch(Entry(0, 0.0, 0.0, 0, 0.0, {"imitated": min(share, 1.0)}), self.run.steps)

    def between_updates(self, session: Session) -> None:
        """Does nothing: imitation is over."""

    def note(self, session: Session) -> Mapping[str, float]:
        """Nothing."""
        return {}

    def save(self) -> Any:
        """Nothing: what was learned is in the networks."""

    def load(self, saved: Any, session: Session) -> None:
        """Nothing."""


def take_statistics(statistics: Mapping[str, Any], steps: Steps, to_go: Floats) -> None:
    """Lets the normalisation begin with the mean and variance of these observations and returns."""
    taken = {"ret": to_go, "obs": steps.observation.astype(np.float64)}
    for name, kept in statistics.items():
        kept.mean, kept.var = np.mean(taken[name], axis=0), np.var(taken[name], axis=0)
        kept.count = float(len(steps))


def returns_to_go(steps: Steps, gamma: float) -> Floats:
    """(n,) float64: the discounted rewards from each step to the end of its episode."""
    out = np.empty(len(steps))
    add_up(out, steps.reward, steps.terminal, gamma)
    return out


@kernel
def add_up(out: Any, rewards: Any, ends: Any, gamma: float) -> None:
    """Fills out (n,) from the last step to the first."""
    total = 0.0
    for i in range(len(out) - 1, -1, -1):
        total = rewards[i] + (0.0 if ends[i] else gamma * total)
        out[i] = total
