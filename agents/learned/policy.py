"""The agent that plays what a network has learned: it owns the game's encoding and writes its ticket action
by action until it is handed in. Loads neither PyTorch nor Stable-Baselines3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ...games.errors import BrokenFile, InvalidSettings
from ...games.kernels import Features, Flags, Floats, Rows
from ...games.registry import load
from ...games.spelling import NO_ACTION
from ...games.streams import Draws
from ..contract import Agent
from .books import MILLION, Book, book_for, budget_of, stakes_of
from .folder import AgentFolder, describe_encoding, read_agent
from .network import choose_best, choose_drawn

SPELLED_ONCE: Final = ("save-the-bet",)  # games of which one row of actions alone writes a decision


class Learned(Agent[Any]):
    """Plays a saved policy.

    Options:
        sample: draws each action with the policy's chances instead of taking the likeliest.
    """

    idea: ClassVar[str] = "Plays a policy that was learned."
    source: ClassVar[str] = "an agent folder"
    folder: ClassVar[AgentFolder]

    def __init__(self, settings: Any, *, sample: bool = False) -> None:
        super().__init__(settings)
        self.sample = sample
        self.files = self.folder.files  # what a tournament's record of its agents hashes
        self._encoding = fitting_encoding(self.folder, settings)
        self._book = fitting_book(self.folder, settings, self._encoding)
        if sample and self._book is not None:
            raise InvalidSettings("its policy says shares, not chances of actions: leave sample out")
        if sample and self.folder.facts.training.get("action") == "ticket":
            raise InvalidSettings("its policy learned whole tickets, not chances of wagers: leave sample out")
        self._read = np.flatnonzero(self.folder.network.reads)  # features
        units = self.folder.facts.memory
        self._hidden: Features = np.zeros((0, units), np.float32)  # (lanes, units), what a memory holds
        self._cell: Features = np.zeros((0, units), np.float32)

    def begin(self, lanes: Flags) -> None:
        if len(self._hidden) != len(lanes):
            self._hidden, self._cell = np.zeros((2, len(lanes), self.folder.facts.memory), np.float32)
        self._hidden[lanes] = self._cell[lanes] = 0

    def act(self, view: Any, draws: Draws) -> NDArray[Any]:
        encoding = self._encoding
        draft = encoding.begin(view)
        if self._book is not None:
            self._write_shares(self._book, view, draft)
            return encoding.decision(draft)  # type: ignore[no-any-return]
        writing = np.ones(len(draws), bool)
        actions = np.zeros(len(draws), np.int64)
        scores = np.empty((len(draws), self.folder.network.outputs), np.float32)
        before: Features | None = None
        while writing.any():
            rows = np.flatnonzero(writing)
            mask, seen = encoding.mask(view, draft), encoding.observe(view, draft)
            # who learned whole tickets reads nothing of what it has written: one scoring is for the whole
            same = before is not None and np.array_equal(seen[np.ix_(rows, self._read)], before[rows])
            if self.folder.facts.memory or not same:
                scores[rows] = self._score(view.lane[rows], seen[rows])
                before = seen[:, self._read]
            # drawn for all rows, finished ones too: a row's numbers do not depend on those beside it
            drawn = draws.uniform(1)[rows, 0] if self.sample else None
            actions[rows] = self._choose(scores[rows], mask[rows], drawn)
            writing &= ~encoding.write(draft, actions, writing)
        decisions: NDArray[Any] = encoding.decision(draft)
        return decisions

    @property
    def chances(self) -> Callable[[Any, NDArray[Any]], Floats] | None:
        """What says how it would draw, from what it sees at the moment alone.

        Called with a view of n rows and their legal decisions (n, k, *decision_shape), it gives the chance of
        each, (n, k) float64. None for who remembers, and in games in which several rows of actions write one
        decision, as wagers in any order do.
        """
        once = self.folder.facts.game in SPELLED_ONCE
        return self._offer if once and not self.folder.facts.memory else None

    def _offer(self, view: Any, decisions: NDArray[Any]) -> Floats:
        """(n, k) float64: for each of the decisions, the product of the chances of the actions that write it;
        1 and 0 for who draws nothing.
        """
        spelled = [self._encoding.spell(view, decisions[:, place]) for place in range(decisions.shape[1])]
        return np.stack([self._chance_of(view, actions) for actions in spelled], axis=1)

    def _chance_of(self, view: Any, spelled: Rows) -> Floats:
        """(n,) the chance of writing these actions (n, steps), `NO_ACTION` behind the last of a row."""
        encoding = self._encoding
        draft, found = encoding.begin(view), np.ones(len(spelled))
        for actions in np.ascontiguousarray(spelled.T):
            rows = np.flatnonzero(actions != NO_ACTION)
            mask, seen = encoding.mask(view, draft)[rows], encoding.observe(view, draft)[rows]
            scores = self.folder.network.scores(seen)
            if self.sample:
                odds = odds_of(scores, mask, self.folder.facts.masked)
            else:
                odds = np.eye(mask.shape[1])[self._choose(scores, mask, None)]
            found[rows] *= odds[np.arange(len(rows)), actions[rows]]
            encoding.write(draft, actions, actions != NO_ACTION)
        return found

    def _write_shares(self, book: Book, view: Any, draft: Any) -> None:
        """Writes whole tickets, by a share of the bankroll for each line."""
        every = np.ones(len(view.lane), bool)
        scores = self.folder.network.scores(self._encoding.observe(view, draft))
        shares = np.rint((np.tanh(scores.astype(np.float64)) + 1) / 2 * MILLION).astype(np.int64)
        budget = budget_of(view.bankroll, Fraction(self.folder.facts.most))
        book.write(draft, stakes_of(book, shares, budget, book.room(view)), every)

    def _score(self, lanes: Rows, seen: Features) -> Features:
        """(n, outputs) float32: the scores of observations (n, features); a memory is renewed by them."""
        if not self.folder.facts.memory:
            return self.folder.network.scores(seen)
        hidden, cell = self._hidden[lanes], self._cell[lanes]  # copies
        scores = self.folder.network.scores(seen, (hidden, cell))
        self._hidden[lanes], self._cell[lanes] = hidden, cell
        return scores

    def _choose(self, scores: Features, mask: NDArray[np.int8], drawn: NDArray[np.float64] | None) -> Rows:
        """(n,) int64: a legal action for each row of scores with its mask, both (n, actions); ``drawn`` (n,)
        of [0, 1) are the chances it takes, None for the likeliest action.
        """
        out = np.empty(len(scores), np.int64)
        if drawn is None:
            choose_best(out, scores, mask, self.folder.facts.masked)
        else:
            choose_drawn(out, scores, mask, self.folder.facts.masked, drawn)
        return out


def odds_of(scores: Features, mask: NDArray[np.int8], masked: bool) -> Floats:
    """(n, actions) float64: the chances with which `network.choose_drawn` takes each action."""
    legal = mask == 1
    able = legal if masked else np.ones_like(legal)
    exact = np.where(able, scores.astype(np.float64), -np.inf)
    weights = np.exp(exact - exact.max(axis=1, keepdims=True))
    odds: Floats = weights / weights.sum(axis=1, keepdims=True)
    strayed = (odds * ~legal).sum(axis=1)  # an illegal draw becomes the lowest legal action
    odds[~legal] = 0.0
    odds[np.arange(len(odds)), legal.argmax(axis=1)] += strayed
    return odds


def fitting_encoding(folder: AgentFolder, settings: Any) -> Any:
    """The encoding through which a saved policy plays tables of these settings.

    Raises:
        InvalidSettings: at such a table there are other features or actions than the policy learned with.
    """
    facts = folder.facts
    learned = facts.encoding
    try:
        encoding = load(facts.game).encoding(settings, **learned.options)
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidSettings(
            f"its policy cannot play these rules ({error}); it learned with {facts.rules}"
        ) from error
    here = describe_encoding(encoding, learned.options)
    if here != learned:
        what = "features or actions of another meaning"
        if (here.features, here.actions) != (learned.features, learned.actions):
            what = f"{here.features} features and {here.actions} actions"
            what += f" instead of {learned.features} and {learned.actions}"
        raise InvalidSettings(
            f"its policy cannot play these rules, which give it {what}; it learned with {facts.rules}"
        )
    return encoding


def fitting_book(folder: AgentFolder, settings: Any, encoding: Any) -> Book | None:
    """What shares are staked on, where the policy says shares; None where it says actions.

    Raises:
        InvalidSettings: the game has no tickets by shares, or another number of lines.
    """
    facts = folder.facts
    if not facts.most:
        return None
    book = book_for(facts.game, settings, encoding)
    if book.lines != facts.outputs:
        raise InvalidSettings(
            f"its policy says {facts.outputs} shares for the {book.lines} lines of a ticket"
        )
    return book


def agent_class(path: Path, game: str) -> type[Learned]:
    """The class of an agent that plays the policy in a folder.

    Raises:
        BrokenFile: the folder is damaged, of another game, or of another version of the game's encoding.
    """
    folder = read_agent(path)
    facts = folder.facts
    if facts.game != game:
        raise BrokenFile(f"agent folder {path} was trained for {facts.game}, not for {game}")
    version = encoding_version(game)
    if facts.encoding.version != version:
        raise BrokenFile(
            f"agent folder {path} learned with version {facts.encoding.version} of the encoding of {game};"
            f" this is version {version}: train it again"
        )
    told = facts.training
    algorithm, steps = str(told.get("algorithm", "training"))[:40], told.get("steps")
    practice = f" in {steps:,} steps" if type(steps) is int else ""
    body = {
        "__module__": Learned.__module__,
        "__doc__": Learned.__doc__,
        "idea": f"Plays what {algorithm} learned{practice}.",
        "source": f"trained from seed {told.get('seed')} {_practice_of(told)}",
        "folder": folder,
    }
    return type("Learned", (Learned,), body)


def _practice_of(told: Mapping[str, Any]) -> str:
    """Whom an agent learned from, by the facts of its training."""
    begun = f"on what {str(told['imitated'])[:40]} does, then " if "imitated" in told else ""
    if told.get("self_play"):
        return f"{begun}by self-play"
    return f"{begun}against {str(told.get('opponents'))[:200]}"


@cache
def encoding_version(game: str) -> int:
    """The version of a game's encoding now."""
    spec = load(game)
    return int(spec.encoding(spec.make_settings()).version)
