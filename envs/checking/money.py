"""Money: rewards are changes of bankrolls, the books balance, ruin ends an episode once.

Needs: N13 (exact, conserved money), N15 (reward equals change in bankroll; ruin ends the episode once).
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

import gymnasium
import numpy as np

from ...games.contract import house_seat
from ...games.errors import InvalidSettings
from ...games.registry import load
from .cases import SHORT
from .doors import Doors, table_of
from .play import Player
from .verdicts import CheckFailed, NotApplicable

STEPS: Final = 160
# Chips that are nobody's, by the name of the array in a game's state.
IN_THE_MIDDLE: Final = {
    "superfecta": ("pools", "takeout", "undivided"),
    "pasteboard-derby": ("bank", "undivided"),
}


def has_chips(doors: Doors) -> bool:
    """Whether the game is played for chips."""
    if doors.variant is None:
        return False
    return "bankroll" in {setting.name for setting in fields(load(doors.variant.game).settings)}


def _for_chips(doors: Doors) -> None:
    """Raises `NotApplicable` where there are no chips, or they cannot be seen."""
    if doors.variant is None:
        raise NotApplicable("it is not built on an environment of Railbird, so its chips are not known")
    if not has_chips(doors):
        raise NotApplicable("it is not played for chips")


def brought(table: Any) -> list[int]:
    """The chips that each seat began with; a house has none."""
    settings = table.options.settings
    fresh = load(table.options.game).game(settings, 0, 1)
    fresh.start()
    chips: list[int] = fresh.state.bankrolls[0].tolist()
    house = house_seat(settings)
    return [0 if seat == house else held for seat, held in enumerate(chips)]


def rewards_are_changes_of_the_bankroll(doors: Doors, steps: int = STEPS) -> str:
    """In every step reward, profit and the change of the learner's bankroll are the same number of chips."""
    _for_chips(doors)
    env, player = doors.open_table(), Player(1)
    table, plain = table_of(env), _unaltered_rewards(env)
    env.reset(seed=1)
    held, moved = None, 0
    for step in range(steps):
        where = f"step {step}"
        turn, seat = int(table.game.state.turn[0]), int(table.seat[0])
        held = brought(table)[seat] if held is None else held
        _, reward, ended, _, info = env.step(player.action(env))
        if "profit" not in info:
            raise CheckFailed("the info has no 'profit'", "tell the change in chips there", where)
        now, profit = int(table.game.state.bankrolls[0, seat]), info["profit"]
        if profit != int(profit):
            raise CheckFailed(f"the profit is {profit}", "count money in whole chips", where)
        if plain and reward != profit:
            raise CheckFailed(f"the reward is {reward:g}, the profit {profit}", "pay the profit", where)
        if table.game.state.turn[0] == turn and profit:
            raise CheckFailed(
                f"writing a decision moves {profit} chips", "move money when it is played", where
            )
        if table.game.state.turn[0] != turn:
            if now - held != profit:
                raise CheckFailed(
                    f"the profit is {profit}, the bankroll went from {held} to {now}",
                    "pay the change of the bankroll",
                    where,
                )
            moved, held = moved + (profit != 0), now
        if ended:
            env.reset()
            held = None
    return f"reward, profit and change of the bankroll agree in {steps} steps, {moved} with money moved"


def _unaltered_rewards(env: Any) -> bool:
    """Whether rewards are chips: paid in cash, with no wrapper that may scale them."""
    if table_of(env).options.reward != "cash":
        return False
    while env is not env.unwrapped:
        if isinstance(env, gymnasium.RewardWrapper) or type(env).step is not gymnasium.Wrapper.step:
            return False
        env = env.env
    return True


def nobody_owes(doors: Doors, steps: int = STEPS) -> str:
    """The books balance at every moment: chips brought in = bankrolls + what lies in the middle + the house.

    Money is counted in int64, no player owes, and at Save The Bet every card is in one place.
    """
    if doors.variant is None:
        raise NotApplicable("it is not built on an environment of Railbird, so its books are not known")
    env, player = doors.open_table(), Player(1)
    table = table_of(env)
    env.reset(seed=2)
    for step in range(steps):
        _books(table, f"step {step}")
        if env.step(player.action(env))[2]:
            _books(table, f"step {step}, the last of an episode")
            env.reset()
    return f"the books balance at each of {steps} steps" if has_chips(doors) else "every card is in one place"


def _books(table: Any, where: str) -> None:
    """Fails where chips were made or lost."""
    game, state = table.game, table.game.state
    if not hasattr(state, "bankrolls"):
        try:
            game.check()
        except AssertionError:
            raise CheckFailed("a card is in two places or in none", "move every card once", where) from None
        if int(state.profit.sum()):
            raise CheckFailed("what one wins the other does not lose", "pay +1, -1 or 0, 0", where)
        return
    middle = IN_THE_MIDDLE.get(table.options.game, ())
    for name in ("bankrolls", "profit", *middle):
        if getattr(state, name).dtype != np.int64:
            raise CheckFailed(f"{name} is {getattr(state, name).dtype}", "count money in int64", where)
    lying = {name: int(getattr(state, name).sum()) for name in middle}
    held, due = int(state.bankrolls.sum()), sum(brought(table))
    if held + sum(lying.values()) != due:
        parts = " + ".join(f"{chips} {name}" for name, chips in {"in bankrolls": held, **lying}.items())
        raise CheckFailed(
            f"{due} chips were brought and there are {parts} = {held + sum(lying.values())}",
            "move chips, never make or drop them",
            where,
        )
    players = state.bankrolls[:, : int(table.options.settings.seats)]
    if players.min() < 0:
        raise CheckFailed(f"a player has {int(players.min())} chips", "refuse what cannot be paid", where)


def ruin_ends_an_episode_once(doors: Doors, steps: int = STEPS) -> str:
    """An episode ends in the step that ruins the learner or ends the game, once, and not before."""
    if doors.variant is None:
        raise NotApplicable("it is not built on an environment of Railbird, so who is ruined is not known")
    env, player = doors.open_table(**_few_chips(doors)), Player(3)
    table = table_of(env)
    env.reset(seed=4)
    ends = ruined = 0
    for step in range(steps):
        seat, where = int(table.seat[0]), f"step {step}"
        _, _, ended, cut, _ = env.step(player.action(env))
        over, broke = bool(table.game.over[0]), bool(table.game.out[0, seat])
        if ended != over or cut:
            raise CheckFailed(
                f"the game is {'over' if over else 'going on'}, terminated is {ended}, truncated {cut}",
                "set terminated in the step that ends the game",
                where,
            )
        if broke and not ended:
            raise CheckFailed(
                "the learner can pay for no bet any more and the episode goes on",
                "play the game out and end the episode in the step that ruins the learner",
                where,
            )
        if ended:
            ends, ruined = ends + 1, ruined + broke
            _refuses_a_step(env, where)
            env.reset()
    if not ends:
        raise NotApplicable(f"no episode ends within {steps} steps")
    return f"{ends} episodes ended once, in the step of the end ({ruined} of them ruined)"


def _few_chips(doors: Doors) -> dict[str, Any]:
    """A bankroll that is soon lost, where the settings name none and the environment has one."""
    short = {} if doors.variant is None else SHORT.get(doors.variant.id, {})
    few = {name: value for name, value in short.items() if name == "bankroll"}
    return few if few and few.keys().isdisjoint(doors.settings) and doors.takes(**few) else {}


def _refuses_a_step(env: Any, where: str) -> None:
    """Fails unless a step after the end is refused."""
    try:
        env.step(env.action_space.sample() * 0)
    except (ValueError, gymnasium.error.ResetNeeded):
        return
    raise CheckFailed("an episode that has ended can be stepped on", "raise until it is reset", where)


def who_starts_broke_passes_once(doors: Doors) -> str:
    """A learner without a chip has action 0 alone, and with it the episode ends."""
    _for_chips(doors)
    try:
        env = doors.open_table(bankroll=0)
    except InvalidSettings:
        raise NotApplicable("the rules let nobody begin without chips") from None
    if not load(doors.variant.game).players == "":  # type: ignore[union-attr]  # _for_chips has looked
        raise NotApplicable("the learner is the house, which is never broke")
    _, info = env.reset(seed=1)
    legal = np.flatnonzero(info["action_mask"]).tolist()
    _, reward, ended, _, _ = env.step(0)
    if legal != [0] or reward != 0 or not ended:
        raise CheckFailed(
            f"a learner without chips has the actions {legal}, earns {reward:g}, terminated is {ended}",
            "let it pass once and play the game out",
        )
    return "a learner without chips passes once"
