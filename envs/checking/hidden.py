"""What a learner may not know does not reach it: the cards to come, others' decisions, hidden hands.

Two environments that differ in what is hidden alone must look the same through every door and wrapper.
Needs: N11.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.cards import RANKS
from ...games.registry import load
from ...games.streams import Draws
from ..outcome import Outcome
from .copies import twin
from .doors import Doors, table_of
from .play import Player, masks_of
from .sameness import difference, step_difference
from .verdicts import CheckFailed

STEPS: Final = 12
SUITS: Final = [np.uint64((1 << RANKS) - 1 << RANKS * suit) for suit in range(4)]
Alteration: TypeAlias = Callable[[Any, Draws], None]


def other_chance(env: Any, draws: Draws) -> None:
    """Gives another root seed, and with it other cards wherever none has been shown."""
    state = table_of(env).game.state
    for keys in (state.root, state.key):
        keys ^= draws.integers(2**32, 1).astype(np.uint64)[:, 0] << np.uint64(31) | np.uint64(1)


def other_hand(env: Any, draws: Draws) -> None:
    """At Save The Bet, gives other cards into the other's hand and its bet."""
    table = table_of(env)
    state, row = table.game.state, (0, 1 - int(table.seat[0]))
    hidden = ~(state.public[row] | state.returned[0])
    for _ in range(3):
        _exchange(state.hands, row, state.stack, hidden, draws)
        _exchange(state.bets, row, state.stack, hidden, draws)
    table.game.check()


def _exchange(held: Any, row: tuple[int, int], stack: Any, hidden: Any, draws: Draws) -> None:
    """Changes a card held in a row for one of its suit that lies in the stack, neither being known."""
    cards = _cards(held[row] & hidden)
    start = int(draws.integers(len(cards), 1)[0, 0]) if cards else 0
    for card in cards[start:] + cards[:start]:
        suit = next(cards for cards in SUITS if card & cards)
        others = _cards(stack[0] & hidden & suit)
        if others:
            both = card | others[int(draws.integers(len(others), 1)[0, 0])]
            held[row] ^= both
            stack[0] ^= both
            return


def _cards(cards: Any) -> list[Any]:
    """The single cards of a set."""
    return [np.uint64(1 << code) for code in range(52) if int(cards) >> code & 1]


HIDDEN: Final[dict[str, tuple[Alteration, ...]]] = {"save-the-bet": (other_chance, other_hand)}


def alterations(game: str) -> tuple[Alteration, ...]:
    """What is hidden in a game and can be altered there: the cards to come, and what else it hides."""
    return HIDDEN.get(game, (other_chance,))


def look(env: Any) -> tuple[Any, ...]:
    """All that an environment shows of the moment, through its wrappers: (what `step` would return if nothing
    happened, masks, the text, who is to act).
    """
    still = twin(env)
    table = table_of(still)
    state = json.loads(json.dumps(table.save()))
    table.load(state)  # nothing in it was seen before
    table.step = lambda actions, lanes=None: Outcome.nothing(1)
    masks = masks_of(still)
    action = 0 if masks is None or masks.ndim != 1 else int(masks.argmax())
    told = still.step(action if hasattr(still.action_space, "n") else still.action_space.sample() * 0)
    text = still.render() if still.render_mode is not None else None
    scene = load(table.options.game).scene(table.game, 0, None, int(table.seat[0]))
    return told, masks, text, repr(scene), table.game.to_act


def hidden_things_do_not_show(doors: Doors, steps: int = STEPS, render_mode: str | None = "ansi") -> str:
    """States that differ in what is hidden look the same, and until the turn is played so do steps."""
    more = (
        {}
        if render_mode is None or not doors.takes(render_mode=render_mode)
        else {"render_mode": render_mode}
    )
    env = doors.open_table(**more)
    matter = 0
    for number, alter in enumerate(alterations(table_of(env).options.game)):
        player = Player(number)
        env.reset(seed=3)
        for step in range(steps):
            other = twin(env)
            alter(other, player.draws())
            _same_look(env, other, f"step {step}, {alter.__name__.replace('_', ' ')}")
            matter += _matters(env, other)
            turn, action = int(table_of(env).game.state.turn[0]), player.action(env)
            result, altered = env.step(action), other.step(action)
            if table_of(env).game.state.turn[0] == turn:  # the decision is still being written
                _same(step_difference(result, altered), f"step {step}")
            if result[2]:
                env.reset()
    if not matter:
        raise CheckFailed("what is hidden never mattered", "play games that chance decides")
    return f"what is hidden was altered at every step and did not show ({matter} times it mattered later)"


def _same_look(env: Any, other: Any, where: str) -> None:
    """Fails where two environments do not look the same."""
    mine, theirs = look(env), look(other)
    _same(step_difference(mine[0], theirs[0]), where)
    for name, one, two in zip(
        ("masks", "the picture", "the scene", "to_act"), mine[1:], theirs[1:], strict=True
    ):
        _same(difference(one, two, name), where)


def _same(differs: str, where: str) -> None:
    if differs:
        raise CheckFailed(
            f"hidden cards or coming ones show: {differs}",
            "observe what the seat's view holds, no more",
            where,
        )


def _matters(env: Any, other: Any) -> bool:
    """Whether the rest of the episode differs when the lowest legal actions are taken."""
    return bool(difference(_rest(env), _rest(other)))


def _rest(env: Any, steps: int = 6) -> list[Any]:
    env = twin(env)
    told = []
    for _ in range(steps):
        masks = masks_of(env)
        action = 0 if masks is None else int(masks.argmax())
        told.append(env.step(action if hasattr(env.action_space, "n") else env.action_space.sample() * 0))
        if told[-1][2]:
            break
    return told


def decisions_of_others_do_not_show(doors: Doors, steps: int = STEPS) -> str:
    """What the others decided last, or will decide, lies where no learner looks."""
    env, player = doors.open_table(), Player(1)
    env.reset(seed=1)
    for step in range(steps):
        if env.step(player.action(env))[2]:
            env.reset()
        other = twin(env)
        decisions: NDArray[Any] = table_of(other)._decisions
        own = decisions[0, table_of(other).seat[0]].copy()
        decisions[:] = player.draws().integers(100, decisions[0].size).reshape(decisions.shape)
        decisions[0, table_of(other).seat[0]] = own
        _same_look(env, other, f"step {step}, decisions of others")
    return "nothing that the others decide shows before it is played"


def no_chance_is_reachable(doors: Doors) -> str:
    """Infos hold nothing but masks, flags and chips: no seed, no key, no generator."""
    env, player = doors.open_table(), Player(2)
    _, info = env.reset(seed=5)
    state = table_of(env).game.state
    for step in range(30):
        secrets = {5, int(state.root[0]), int(state.key[0])}
        for name, value in info.items():
            if isinstance(value, int | np.integer) and not isinstance(value, bool) and name != "profit":
                if int(value) in secrets:
                    raise CheckFailed(
                        f"info[{name!r}] is the seed or a key of chance", "leave it out", f"step {step}"
                    )
            elif isinstance(value, np.random.Generator | np.random.BitGenerator):
                raise CheckFailed(f"info[{name!r}] is a generator", "leave it out", f"step {step}")
        _, _, ended, _, info = env.step(player.action(env))
        if ended:
            _, info = env.reset()
    return "no seed, key or generator is in an info"
