"""One table whose seats are all played from outside, each through its encoding.

Every seat that must decide writes its decision action by action; when the last of them has handed in, the
turn is played. A house that quotes is a seat like the others where the game is about it, and else played by
an agent. The PettingZoo door is built on this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BrokenFile, IllegalDecision
from ..games.kernels import Chips, Features, Flags, Floats, Rows
from ..games.registry import load
from .actions import Mask, Wagers, read_integers
from .learner_table import fair_profit
from .rivals import Rivals
from .seats_options import SeatsOptions
from .snapshot import arrays_of, check_arrays, pack_arrays, unpack_arrays

HOUSE: Final = "house_0"  # PettingZoo's tests want names with a number
ONE: Final = np.ones(1, bool)  # the mask that names the only lane


class Banker(Rivals):
    """The agent that quotes for the house while all other seats are played from outside; no agent at all
    where there is nothing to quote or the house is played from outside too.
    """

    def _seats(self, place: int, learner: Rows) -> Rows:
        return np.full(len(learner), self._house)

    def around(self, learner: int = 0) -> list[str]:
        """Who sits where, names by seat."""
        house = [] if self._house is None else [*self.names, "house"][:1]
        return [f"player_{seat}" for seat in range(self._players)] + house


@dataclass(slots=True, eq=False)
class Place:
    """A seat that is played from outside, with what it sees now and has written."""

    name: str
    seat: int
    actions: Wagers
    view: Any = None
    draft: Any = None
    asked: bool = False  # it must decide in this turn and has not handed in
    mask: Mask = field(default_factory=lambda: np.zeros((1, 0), np.int8))  # (1, choices), none before a game

    @property
    def legal(self) -> Mask:
        """(choices,) int8: 1 where an action is legal; not a copy."""
        legal: Mask = self.mask[0]
        return legal

    def look(self, view: Any, asked: bool) -> None:
        """A new turn, nothing written yet."""
        self.view, self.draft = view, self.actions.encoding.begin(view)
        self.asked = asked
        self.weigh()

    def weigh(self) -> None:
        """Finds out what is legal now: with nothing to decide, or all handed in, action 0."""
        nothing = self.actions.nothing[np.newaxis]
        self.mask = self.actions.mask(self.view, self.draft) if self.asked else nothing

    def write(self, action: Rows) -> None:
        """Writes a legal action (1,)."""
        if self.asked:
            self.asked = not self.actions.write(self.draft, action, ONE)[0]
            self.weigh()

    def observe(self) -> Features:
        """(features,) float32: the table as this seat sees it, and what it has written."""
        seen: Features = self.actions.encoding.observe(self.view, self.draft)[0]
        return seen


@dataclass(frozen=True, slots=True)
class Played:
    """What a step brought, a row a place; 0 while somebody is still writing."""

    rewards: Floats  # (places,) float64, as the setting ``reward`` says
    profits: Chips  # (places,) int64, change of each bankroll in chips
    illegal: Flags  # (places,) bool, whether the action was illegal and another took its place

    @classmethod
    def nothing(cls, places: int) -> Played:
        """No step at all."""
        return cls(np.zeros(places), np.zeros(places, np.int64), np.zeros(places, bool))


class SeatsTable:
    """One table, every seat played from outside; nothing is dealt before `reset`."""

    def __init__(self, options: SeatsOptions) -> None:
        self.options = options
        self.game = load(options.game).game(options.settings, 0, np.array([options.lane]))
        self.banker = Banker([] if options.banker is None else [options.banker], options.settings)
        encodings = [options.players] * int(options.settings.seats)
        if options.house is not None:
            encodings.append(options.house)
        self.places = [
            Place(self.names[seat], seat, Wagers(encoding)) for seat, encoding in enumerate(encodings)
        ]

    @property
    def names(self) -> list[str]:
        """Who sits where, names by seat; behind the players the house, its banker's name where it has one."""
        names = self.banker.around()
        if self.options.house is not None:
            names[-1] = HOUSE
        return names

    @property
    def started(self) -> bool:
        """Whether an episode has ever begun."""
        return bool(self.game.state.episode[0] >= 0)

    @property
    def over(self) -> bool:
        """Whether the episode has ended (True before the first)."""
        return bool(self.game.over[0])

    def reset(self, seed: int | None) -> None:
        """Begins the first episode of a root seed, or with None the next of the root it has."""
        self.game.start(None, seed)
        self.banker.begin(ONE)
        if not self._asked().any():
            self._play(self.game.blank())  # the banker quotes, which moves no money
        self._look()

    def step(self, actions: Sequence[Any]) -> Played:
        """Takes one action of every place, in their order.

        Raises:
            InvalidSettings: an action is no integer.
            IllegalDecision: the episode is over, an action is illegal while ``illegal="raise"``, or the
                banker decided illegally. In the first two cases nothing has changed.
            RailbirdError: the banker raised.
        """
        if self.over:
            raise IllegalDecision("the episode is over or has not begun; reset it first")
        chosen, illegal = self._allowed(actions)
        for place, action in zip(self.places, chosen, strict=True):
            place.write(action)
        if any(place.asked for place in self.places):
            return replace(Played.nothing(len(self.places)), illegal=illegal)
        decisions = self.game.blank()
        for place in self.places:
            decisions[0, place.seat] = place.actions.encoding.decision(place.draft)[0]
        rewards, profits = self._play(decisions)
        self._look()
        return Played(rewards, profits, illegal)

    def _allowed(self, actions: Sequence[Any]) -> tuple[list[Rows], Flags]:
        """The actions (1,) with illegal ones replaced, and which these were."""
        chosen = [read_integers(np.asarray(action)[np.newaxis], (1,)) for action in actions]
        illegal = np.zeros(len(self.places), bool)
        for row, (place, action) in enumerate(zip(self.places, chosen, strict=True)):
            illegal[row] = not place.actions.legal(place.mask, action)[0]
            if not illegal[row]:
                continue
            if self.options.illegal == "raise":
                told = place.actions.describe(place.legal, action[0])
                raise IllegalDecision(f"{place.name}: {told}")
            chosen[row] = place.actions.passing(place.mask)
        return chosen, illegal

    def _play(self, decisions: NDArray[Any]) -> tuple[Floats, Chips]:
        """Plays a turn, and those that follow until a place is asked again; rewards and profits (places,)."""
        rewards, profits = np.zeros(len(self.places)), np.zeros(len(self.places), np.int64)
        house = np.zeros(1, np.int64)
        while True:
            self.banker.decide(self.game, house, ONE, decisions)
            try:
                self.game.submit(decisions)
            except IllegalDecision:
                raise self.banker.blame(self.game, house, ONE, decisions) from None
            profits += self.game.profit[0, : len(self.places)]
            cash, reward = self.options.reward == "cash", self.options.reward
            earned = self.game.profit if cash else fair_profit(self.game, reward)
            rewards += earned[0, : len(self.places)]
            if self.over or self._asked().any():
                return rewards, profits
            decisions = self.game.blank()

    def _asked(self) -> Flags:
        """(places,) bool: the places that must decide now."""
        asked: Flags = self.game.to_act[0, : len(self.places)]
        return asked

    def _look(self) -> None:
        """Shows every place the turn that begins, or the end of the game."""
        view = None
        for place, asked in zip(self.places, self._asked(), strict=True):
            view = self.game.view(place.seat, like=view)
            place.look(view, bool(asked))

    def save(self) -> dict[str, Any]:
        """The game, what is being written and what the banker remembers as JSON data.

        Raises:
            RailbirdError: the banker remembers something that cannot be written down.
        """
        begun = self.started
        return {
            "options": self.options.summary,
            "game": pack_arrays(self.game.save()),
            "asked": [place.asked for place in self.places],
            "drafts": [pack_arrays(arrays_of(place.draft)) for place in self.places] if begun else [],
            "banker": self.banker.memory(),
        }

    def load(self, saved: Mapping[str, Any]) -> None:
        """Takes over what `save` wrote; the future is then that of the table it came from.

        Raises:
            BrokenFile: it is of other settings, or cannot be read; nothing has changed.
        """
        if saved.get("options") != self.options.summary:
            raise BrokenFile(f"a saved {saved.get('options')} cannot go on as {self.options.summary}")
        game, asked = unpack_arrays(saved.get("game")), _listed(saved.get("asked"))
        drafts = [unpack_arrays(written) for written in _listed(saved.get("drafts"))]
        if len(drafts) not in (0, len(self.places)) or len(asked) != len(self.places):
            raise BrokenFile(f"a saved state has what each of {len(self.places)} seats has written")
        for place, draft in zip(self.places, drafts, strict=False):
            empty = place.actions.encoding.begin(self.game.view(place.seat))
            check_arrays(arrays_of(empty), draft)
        banker = self.banker.recalled(saved.get("banker"))
        self.game.load(game)  # raises before it changes anything; nothing below can fail
        self.banker = banker
        if drafts:
            self._look()
            for place, draft, open_ in zip(self.places, drafts, asked, strict=True):
                for name, array in draft.items():
                    getattr(place.draft, name)[:] = array
                place.asked = bool(open_)
                place.weigh()


def _listed(value: Any) -> list[Any]:
    """A list that was read.

    Raises:
        BrokenFile: something else was.
    """
    if not isinstance(value, list):
        raise BrokenFile(f"a saved state cannot be read: a list was expected, not {type(value).__name__}")
    return value
