"""What holds for the scenes of every game: nothing changes, nothing leaks, pictures keep their size."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from railbird.drawing import picture, scene_text
from railbird.games.contract import Game
from railbird.games.errors import InvalidSettings
from railbird.games.registry import load, names
from railbird.games.scene import Scene, named, several
from railbird.games.spec import GameSpec

AnyGame = Game[Any, Any]
SETTINGS: dict[str, dict[str, Any]] = {
    "superfecta": {"seats": 3, "races": 3},
    "horse-race": {"seats": 3, "races": 3},
    "scarne-horse-race": {"seats": 2, "races": 3, "bank": "rotate", "rotate_every": 1},
    "bookmaker": {"seats": 2, "races": 3},
    "racing-aces": {"seats": 2, "races": 3, "max_wagers": 2},
    "pasteboard-derby": {"seats": 6, "races": 3, "places": 2},
    "save-the-bet": {"max_turns": 6},
}  # short games; a new game fails here until it has some
LONG = "my_agents.deep.module:AVeryLongAgentName:fraction=0.25"


@dataclass(frozen=True)
class Table:
    """A game in which every payer stakes what it may, turn by turn."""

    spec: GameSpec
    game: AnyGame

    @classmethod
    def of(cls, name: str, turns: int, seed: int = 3) -> Table:
        spec = load(name)
        table = cls(spec, spec.game(spec.make_settings(**SETTINGS[name]), seed, 1))
        table.game.start()
        for _ in range(turns):
            table.play()
        return table

    def play(self) -> None:
        """A turn of decisions in which money or cards move."""
        game = self.game
        if not game.over[0]:
            decisions = game.fallback()
            for seat in np.flatnonzero(game.to_act[0]):
                self._stake(decisions, int(seat))
            assert not game.faults(decisions).any()
            game.submit(decisions)

    def _stake(self, decisions: Any, seat: int) -> None:
        name, state = self.spec.name, self.game.state
        if name == "superfecta":
            decisions[0, seat, (0, 5, 20)] = 1
        elif name == "pasteboard-derby":
            decisions[0, seat, 0] = 1 + (seat + int(state.turn[0])) % 4
        elif name != "save-the-bet":
            quoting = self.game.phase[0] == 0
            least = 1 if name == "racing-aces" else 10
            decisions[0, seat] = (14, 10, 5, 18) if quoting else np.minimum((least, 0, 0, 0), state.limits[0])

    def scenes(self, seat: int | None = None) -> list[Scene]:
        """The table as it stands and every frame of the last round."""
        frames = [None, *range(self.spec.frames(self.game, 0))]
        return [self.spec.scene(self.game, 0, frame, seat) for frame in frames]


def every_turn(name: str) -> list[Table]:
    """The table after each number of turns, from its start to its end."""
    tables = [Table.of(name, 0)]
    while not tables[-1].game.over[0]:
        tables.append(Table.of(name, len(tables)))
    return tables


@pytest.fixture(params=names())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_scenes_change_nothing_and_spend_no_randomness(name: str) -> None:
    table = Table.of(name, 3)
    before = table.game.save()
    legacy, plain = str(np.random.get_state()), random.getstate()  # noqa: NPY002 - it is watched
    for seat in (None, 0, table.game.seats - 1):
        shown = table.scenes(seat)
        for one in (shown[0], shown[1], shown[-1]):
            picture(one)
            scene_text(one)
    after = table.game.save()
    assert all(np.array_equal(before[array], after[array]) for array in before)
    assert random.getstate() == plain
    assert str(np.random.get_state()) == legacy  # noqa: NPY002 - it is watched


def test_the_same_scenes_are_shown_again_and_by_a_loaded_game(name: str) -> None:
    table = Table.of(name, 3)
    twin = Table(table.spec, type(table.game)(table.game.settings, 99, 1))
    twin.game.load(table.game.save())
    assert table.scenes(0) == table.scenes(0) == twin.scenes(0)


def test_pictures_of_the_table_have_one_size_and_those_of_the_frames_another(name: str) -> None:
    sizes = [
        [
            picture(named(shown, [f"{LONG}#{seat}" for seat in range(table.game.seats)])).shape
            for shown in shown_at
        ]
        for table in every_turn(name)[::2]
        for shown_at in [table.scenes(0)[:1] + table.scenes(0)[1::9]]
    ]
    assert len({size[0] for size in sizes}) == 1
    assert len({frame for size in sizes for frame in size[1:]}) == 1


def test_the_end_of_the_game_is_shown(name: str) -> None:
    over = every_turn(name)[-1]
    rounds = over.spec.rounds(over.game, 0)
    assert rounds == (6 if name == "save-the-bet" else 3)
    told = f"Turn {rounds} of at most 6 · over" if name == "save-the-bet" else several(rounds, "race")
    assert told in scene_text(over.spec.scene(over.game, 0, None, 0))


def test_rounds_count_up_when_there_is_something_new_to_show(name: str) -> None:
    table, seen = Table.of(name, 0), [0]
    assert table.spec.frames(table.game, 0) == 0
    while not table.game.over[0]:
        table.play()
        seen.append(table.spec.rounds(table.game, 0))
        assert (table.spec.frames(table.game, 0) > 0) == (seen[-1] > 0)
    assert sorted(set(seen)) == list(range(seen[-1] + 1))
    turns_of_a_round = 1 if name in ("superfecta", "racing-aces", "pasteboard-derby") else 2
    assert len(seen) == 1 + seen[-1] * turns_of_a_round


def test_what_is_not_there_cannot_be_shown(name: str) -> None:
    spec = load(name)
    game = spec.game(spec.make_settings(**SETTINGS[name]), 3, 1)
    with pytest.raises(InvalidSettings, match="lane 0 has not been started"):
        spec.scene(game, 0, None, None)
    game.start()
    with pytest.raises(InvalidSettings, match="nothing has been played to its end in lane 0 yet"):
        spec.scene(game, 0, 0, None)
    last = game.seats - 1
    with pytest.raises(
        InvalidSettings, match=rf"seat \(of who looks\) is a whole number from 0 to {last}, not"
    ):
        spec.scene(game, 0, None, game.seats)
    table = Table.of(name, 2)
    count = table.spec.frames(table.game, 0)
    with pytest.raises(InvalidSettings, match=f"frame is a whole number from 0 to {count - 1}, not {count}"):
        table.spec.scene(table.game, 0, count, None)


def cards_to_come(game: AnyGame, seat: int) -> None:
    """Other chance from here on: the stock, the face-down track and all rails behind the one that lies."""
    game.state.key[0] ^= np.uint64(12_345)


def hand_and_stack(game: AnyGame, seat: int) -> None:
    """Two cards of the other's hand that the seat does not know change places with two of the stack."""
    state, other = game.state, 1 - seat
    for _ in range(2):
        hidden = int(state.hands[0, other] & ~state.public[0, other])
        stack = int(state.stack[0] & ~state.returned[0])
        mine, theirs = hidden & -hidden, 1 << (stack.bit_length() - 1)
        state.hands[0, other] ^= np.uint64(mine | theirs)
        state.stack[0] ^= np.uint64(mine | theirs)


def bet_and_stack(game: AnyGame, seat: int) -> None:
    """The other's bet, face down, is another card of the stack."""
    state, other = game.state, 1 - seat
    stack = int(state.stack[0] & ~state.returned[0])
    swapped = np.uint64((stack & -stack) | int(state.bets[0, other]))
    state.bets[0, other] ^= swapped
    state.stack[0] ^= swapped


CHANGES = [(name, cards_to_come, turns) for name in names() for turns in (0, 1, 2)] + [
    ("save-the-bet", hand_and_stack, turns) for turns in (0, 1, 2, 3)
]
CHANGES += [("save-the-bet", bet_and_stack, 1)]


@pytest.mark.parametrize(("name", "change", "turns"), CHANGES)
def test_a_seat_is_shown_nothing_that_it_may_not_know(
    name: str, change: Callable[[AnyGame, int], None], turns: int
) -> None:
    for seat in (0, 1):
        table, twin = Table.of(name, turns), Table.of(name, turns)
        change(twin.game, seat)
        assert any(
            not np.array_equal(was, twin.game.save()[array]) for array, was in table.game.save().items()
        )
        for eye in (None, seat):
            shown, other = (one.spec.scene(one.game, 0, None, eye) for one in (table, twin))
            assert shown == other
        assert scene_text(shown, color=True) == scene_text(other, color=True)
        assert np.array_equal(picture(shown), picture(other))


def test_the_frames_of_a_finished_turn_show_no_more_of_a_hand_than_was_revealed() -> None:
    for seat in (0, 1):
        for turns in (2, 3, 4):
            table, twin = Table.of("save-the-bet", turns), Table.of("save-the-bet", turns)
            hand_and_stack(twin.game, seat)
            assert table.scenes(seat)[1:] == twin.scenes(seat)[1:]


def test_the_other_seat_does_see_the_change() -> None:
    table, twin = Table.of("save-the-bet", 0), Table.of("save-the-bet", 0)
    hand_and_stack(twin.game, 0)
    assert table.scenes(0) == twin.scenes(0)
    assert table.scenes(1) != twin.scenes(1)
