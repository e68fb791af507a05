"""Tables with one learner each: the whole game behind every door that has a single learning seat.

A batch of tables of one game. The learner writes its decisions action by action; when it hands one in, the
rivals decide, the turn is played, and so are all turns that follow without the learner, until it must act
again or the game is over. Single, vector and other doors only differ in what they do with the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.contract import LEGAL
from ..games.errors import BrokenFile, IllegalDecision
from ..games.kernels import Chips, Features, Flags, Floats, Rows
from ..games.registry import load
from .actions import Actions, Mask, Tickets, Wagers
from .options import Options
from .outcome import Outcome
from .rivals import Rivals
from .snapshot import arrays_of, check_arrays, pack_arrays, unpack_arrays


class Watcher(Protocol):
    """Who is told of every turn at a table, those played without the learner included."""

    def began(self, lanes: Flags) -> None:
        """An episode begins in these lanes."""

    def played(self, lanes: Flags) -> None:
        """A turn has been played in these lanes."""


def fair_profit(game: Any, reward: str, lanes: Flags | None = None) -> Floats:
    """(n, seats) float64: the last turn's profit in these lanes without its luck, as the rewards "expected"
    and "adjusted" have it.
    """
    found: Floats = game.adjusted_profit(lanes) if reward == "adjusted" else game.expected_profit(lanes)
    return found


class LearnerTable:
    """A batch of tables with one learner each.

    Args:
        options: the settings of the environment.
        lanes: how many tables; they play the lanes numbered from ``options.lane`` on.

    Nothing is dealt before `reset`. Lanes are named by a bool mask (lanes,) or None for all. Every array
    handed out is fresh: nothing that happens later alters it.
    """

    def __init__(self, options: Options, lanes: int) -> None:
        self.options = options
        numbers = np.arange(options.lane, options.lane + lanes)
        self.game = load(options.game).game(options.settings, 0, numbers)
        self.lanes = lanes
        self.encoding = options.encoding
        self.actions: Actions = (Wagers if options.action == "wager" else Tickets)(self.encoding)
        self.rivals = Rivals(options.agents, options.settings)
        self.seat: Rows = np.zeros(lanes, np.int64)  # the learner's
        self.done: Flags = np.ones(lanes, bool)  # no step is possible before a reset
        self._owed: Floats = np.zeros(lanes)  # reward of turns that were played before the first decision
        self._gained: Chips = np.zeros(lanes, np.int64)  # the learner's profit in them
        self._decisions = self.game.blank()  # of the turn being played
        self._stale: Flags = np.ones(lanes, bool)  # lanes that went on since the learner last looked
        self._every: Flags = np.ones(lanes, bool)
        self._view: Any = None
        self._draft: Any = None
        self._mask: Mask | None = None
        self.watchers: list[Watcher] = []
        self.roots: NDArray[Any] = np.full(lanes, None, object)  # root seeds as they were given to `reset`

    # ---- playing

    @property
    def started(self) -> Flags:
        """(lanes,) bool: whether an episode has ever begun there."""
        begun: Flags = self.game.state.episode >= 0
        return begun

    @property
    def decisions(self) -> NDArray[Any]:
        """(lanes, seats, …): what a watcher is told has been played; seats not asked have what they had."""
        return self._decisions

    @property
    def wealth(self) -> Chips:
        """(lanes,) int64: the learner's chips as far as profits have told of them; what was played before its
        first decision is told with that decision. Games with chips only.
        """
        own: Chips = self.game.state.bankrolls[np.arange(self.lanes), self.seat]
        return own - self._gained

    def act_by(self, actions: Actions) -> None:
        """Lets the learner act in another way; what it was writing is dropped."""
        self.actions = actions
        self._turned(np.ones(self.lanes, bool))

    def reset(self, lanes: Flags | None = None, seeds: int | Sequence[int | None] | None = None) -> None:
        """Begins an episode in these lanes.

        Args:
            lanes: which.
            seeds: one root seed, or one for each lane of the whole batch: the first episode of that root;
                None is the next episode of the root a lane already has.
        """
        lanes = np.ones(self.lanes, bool) if lanes is None else lanes
        if seeds is None or isinstance(seeds, int):
            self.game.start(lanes, seeds)
            if seeds is not None:
                self.roots[lanes] = seeds
        else:
            named = np.array([seed is not None for seed in seeds])
            roots = [seed for seed, asked in zip(seeds, lanes, strict=True) if asked and seed is not None]
            self.game.start(lanes & named, roots)
            self.roots[lanes & named] = roots
            self.game.start(lanes & ~named)
        seat = self.options.seat
        self.seat[lanes] = (
            self.game.state.episode[lanes] % self.options.settings.seats if seat is None else seat
        )
        self.rivals.begin(lanes)
        for watcher in self.watchers:
            watcher.began(lanes)
        self.done[lanes] = False
        owed, gained = self._play(lanes & self._unasked(), self._unasked)
        self._owed[lanes], self._gained[lanes] = owed[lanes], gained[lanes]
        self._turned(lanes)

    def step(self, actions: Any, lanes: Flags | None = None) -> Outcome:
        """Takes an action of the learner in each of these lanes; rows of ``actions`` for others are not read.

        Raises:
            InvalidSettings: the actions are no integers or have the wrong shape.
            IllegalDecision: a lane is done, an action is illegal while ``illegal="raise"`` (so is a whole
                ticket that breaks a rule), or an opponent decided illegally. In the first two cases nothing
                has changed.
            RailbirdError: an opponent raised.
        """
        lanes = np.ones(self.lanes, bool) if lanes is None else lanes
        chosen = self.actions.read(actions, self.lanes)
        return self.take(*self.judge(chosen, lanes), lanes)

    def judge(self, chosen: Rows, lanes: Flags) -> tuple[Rows, Flags]:
        """Actions that have been read, with illegal ones replaced, and in which lanes (lanes,) that was;
        nothing has changed yet.

        Raises:
            IllegalDecision: as `step`.
        """
        if (lanes & self.done).any():
            lane = int(np.flatnonzero(lanes & self.done)[0])
            raise IllegalDecision(f"lane {lane}: the episode is over or has not begun; reset it first")
        chosen, illegal = self._allowed(chosen, lanes)
        if self.options.action == "ticket":
            chosen, broken = self._within_rules(chosen, lanes)
            illegal |= broken
        return chosen, illegal

    def take(self, chosen: Rows, illegal: Flags, lanes: Flags) -> Outcome:
        """The second half of `step`: takes actions that `judge` found legal or has replaced.

        Raises:
            IllegalDecision, RailbirdError: what the opponents' decisions bring.
        """
        handed_in = self.actions.write(self._draft, chosen, lanes)
        self._mask = None
        if not handed_in.any():
            return replace(Outcome.nothing(self.lanes), illegal=illegal)
        playing = handed_in & ~self.game.over
        self._hand_in(playing)
        rewards, profits = self._play(playing, self._without_learner)
        rows = slice(None) if handed_in.all() else np.flatnonzero(handed_in)
        rewards[rows] += self._owed[rows]
        profits[rows] += self._gained[rows]
        self._owed[rows] = self._gained[rows] = 0
        ended = handed_in & self.game.over
        self.done |= ended
        self._turned(handed_in)
        return Outcome(rewards, profits, ended, illegal)

    def _allowed(self, chosen: Rows, lanes: Flags) -> tuple[Rows, Flags]:
        """The actions with illegal ones replaced, and in which lanes that was."""
        mask = self._legal()
        illegal = lanes & ~self.actions.legal(mask, chosen)
        if not illegal.any():
            return chosen, illegal
        if self.options.illegal == "raise":
            lane = int(np.flatnonzero(illegal)[0])
            raise IllegalDecision(f"lane {lane}: {self.actions.describe(mask[lane], chosen[lane])}")
        instead = chosen.copy()
        instead[illegal] = self.actions.passing(mask[illegal])
        return instead, illegal

    def _within_rules(self, chosen: Rows, lanes: Flags) -> tuple[Rows, Flags]:
        """Whole tickets with those replaced that break a rule, though each choice alone is legal, and in
        which lanes that was.
        """
        draft = self.encoding.begin(self._view)
        self.encoding.whole(draft, chosen, lanes)
        rows = np.flatnonzero(lanes)
        seats = self.seat[rows]
        decisions = self.game.blank()
        decisions[rows, seats] = self.encoding.decision(draft)[rows]
        codes = self.game.faults(decisions, lanes)[np.arange(len(rows)), seats]
        broken = np.zeros(self.lanes, bool)
        broken[rows] = codes != LEGAL
        if broken.any() and self.options.illegal == "raise":
            lane, code = int(rows[codes != LEGAL][0]), int(codes[codes != LEGAL][0])
            seat = int(self.seat[lane])
            raise IllegalDecision(self.game.explain(code, decisions[lane, seat], lane, seat))
        instead = chosen.copy()
        instead[broken] = self.actions.passing(self._legal()[broken])
        return instead, broken

    def _hand_in(self, lanes: Flags) -> None:
        """Puts the learner's decisions on the table."""
        rows, seats = self._own(lanes)
        self._decisions[rows, seats] = self.encoding.decision(self._draft)[rows]

    def _own(self, lanes: Flags) -> tuple[Any, Any]:
        """The index of what is the learner's in these lanes, in arrays (lanes, seats, …): a column where that
        is all lanes and one seat, which is read and written as a block.
        """
        if lanes.all() and (self.seat == self.seat[0]).all():
            return slice(None), int(self.seat[0])
        rows = np.flatnonzero(lanes)
        return rows, self.seat[rows]

    def _play(self, lanes: Flags, goes_on: Callable[[], Flags]) -> tuple[Floats, Chips]:
        """Plays a turn in these lanes, with what the learner has put on the table, and then more where
        ``goes_on`` says so; the learner's reward and profit, both (lanes,).
        """
        rewards, profits = np.zeros(self.lanes), np.zeros(self.lanes, np.int64)
        while lanes.any():
            self.rivals.decide(self.game, self.seat, lanes, self._decisions)
            self._submit(lanes)
            for watcher in self.watchers:
                watcher.played(lanes)
            rows, seats = self._own(lanes)
            earned = self.game.profit[rows, seats]
            profits[rows] += earned
            if self.options.reward == "cash":
                rewards[rows] += earned
            else:
                fair = fair_profit(self.game, self.options.reward, lanes)  # a row for each of these lanes
                rewards[rows] += fair[rows if isinstance(rows, slice) else np.arange(len(rows)), seats]
            self._decisions[rows, seats] = 0
            lanes = lanes & goes_on()
        return rewards, profits

    def _submit(self, lanes: Flags) -> None:
        try:
            self.game.submit(self._decisions, lanes)
        except IllegalDecision:
            raise self.rivals.blame(self.game, self.seat, lanes, self._decisions) from None

    def _unasked(self) -> Flags:
        """(lanes,) bool: games that go on without a decision of the learner's now."""
        unasked: Flags = ~self.game.to_act[self._own(self._every)] & ~self.game.over
        return unasked

    def _without_learner(self) -> Flags:
        """(lanes,) bool: the same, and games in which the learner can never again make a paid decision."""
        ruined = self.game.out[self._own(self._every)] & ~self.game.over
        without: Flags = ruined | self._unasked()
        return without

    # ---- looking

    def observe(self) -> Features:
        """(lanes, features) float32: what the learner sees in each lane."""
        self._renew()
        seen: Features = self.encoding.observe(self._view, self._draft)
        return seen

    def observe_into(self, out: Features) -> None:
        """Fills out (lanes, features) float32 with what `observe` returns."""
        self._renew()
        self.encoding.observe(self._view, self._draft, out)

    def observe_ended(self, lanes: Flags) -> Features:
        """(n, features) float32: what the learner sees in these lanes, whose games are over."""
        view = self.game.view(self.seat[lanes], lanes)
        seen: Features = self.encoding.observe(view, self.encoding.begin(view))
        return seen

    def masks(self) -> Mask:
        """(lanes, choices) int8: the legal actions; where the game is over doing nothing is the only one."""
        return self._legal().copy()

    def around(self, lane: int) -> list[str]:
        """Who sits where in a lane, names by seat; the house is one too."""
        return self.rivals.around(int(self.seat[lane]))

    def draft_text(self, lane: int) -> str:
        """The decision the learner is writing in a lane, in the game's words; empty before its first part."""
        self._renew()
        decision = self.encoding.decision(self._draft)[lane]
        if not decision.any():
            return ""
        return load(self.options.game).decision_text(decision, int(self.game.phase[lane]))

    def close(self) -> None:
        """Gives back what is held beside memory, which is nothing."""

    def _turned(self, lanes: Flags) -> None:
        self._stale |= lanes
        self._mask = None

    def _renew(self) -> None:
        """Looks again where the game went on: the drafts there are empty ones."""
        if not self._stale.any():
            return
        self._view = self.game.view(self.seat)
        fresh = self.encoding.begin(self._view)
        if self._stale.all():
            self._draft = fresh
        else:
            rows = np.flatnonzero(self._stale)
            for name, array in arrays_of(fresh).items():
                if array.ndim == 1:
                    np.copyto(getattr(self._draft, name), array, where=self._stale)
                else:
                    getattr(self._draft, name)[rows] = array[rows]
        self._stale[:] = False

    def _legal(self) -> Mask:
        """`masks`, kept until the next step."""
        if self._mask is None:
            self._renew()
            self._mask = self.actions.mask(self._view, self._draft)
            over = self.game.over
            if over.any():
                self._mask[over] = self.actions.nothing
        return self._mask

    # ---- saving

    def _kept(self) -> dict[str, NDArray[Any]]:
        """What the table itself must remember of each lane, not copied."""
        return {"seat": self.seat, "done": self.done, "owed": self._owed, "gained": self._gained}

    def save(self) -> dict[str, Any]:
        """Games, drafts and the rivals' memories as JSON data.

        Raises:
            RailbirdError: a rival remembers something that cannot be written down.
        """
        return {
            "options": self.summary,
            "game": pack_arrays(self.game.save()),
            "table": pack_arrays(self._kept()),
            "draft": pack_arrays(self.written() if self.started.all() else {}),
            "rivals": self._memory(),
        }

    @property
    def summary(self) -> str:
        """All that two tables must share for one to carry on the other's games."""
        return self.options.summary

    def written(self) -> dict[str, NDArray[Any]]:
        """What the learner is writing, (lanes, …) by name, not copied."""
        self._renew()
        return arrays_of(self._draft)

    def _memory(self) -> list[Any]:
        return self.rivals.memory()

    def load(self, saved: Mapping[str, Any]) -> None:
        """Takes over what `save` wrote; the future is then that of the table it came from.

        Raises:
            BrokenFile: it is of other settings, or cannot be read; nothing has changed.
        """
        if saved.get("options") != self.summary:
            raise BrokenFile(f"a saved {saved.get('options')} cannot go on as {self.summary}")
        game, table, draft = (unpack_arrays(saved.get(name)) for name in ("game", "table", "draft"))
        empty = self.encoding.begin(self.game.view(self.seat))
        check_arrays(self._kept(), table)
        if draft:
            check_arrays(arrays_of(empty), draft)
        recall = self._recalled(saved.get("rivals"))
        self.game.load(game)  # raises before it changes anything; nothing below can fail
        recall()
        for name, array in self._kept().items():
            array[:] = table[name]
        self._resume(draft)

    def _recalled(self, memory: Any) -> Callable[[], None]:
        """Reads what the rivals remember; calling the result makes them remember it.

        Raises:
            BrokenFile: it cannot be read.
        """
        rivals = self.rivals.recalled(memory)
        return lambda: setattr(self, "rivals", rivals)

    def _resume(self, draft: Mapping[str, NDArray[Any]]) -> None:
        """Goes on writing where the learner was, or looks for the first time where it never has."""
        self._turned(np.ones(self.lanes, bool))
        if draft:
            for name, array in self.written().items():
                array[:] = draft[name]
